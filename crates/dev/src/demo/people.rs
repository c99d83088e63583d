//! Who lives in the demo world: what the pass says of them, how they log in, and how they are paid.

use domain::people::KycLevel;

use crate::people;

/// The login password of all of them.
pub(crate) const LOGIN_PASSWORD: &str = "Demo-World-1";
/// The security password of all of them: asked for before coins are released.
pub(crate) const SECURITY_PASSWORD: &str = "demo-money-1";

/// One of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Name {
    /// Sells for naira.
    Amina,
    /// Sells automatically.
    Bruno,
    /// Sells for yuan.
    Chen,
    /// Sells for euro.
    Dalia,
    /// Sells for naira.
    Emeka,
    /// Sells for USDT.
    Farida,
    /// Sells for euro, and automatically.
    Goran,
    /// Sells for won and USDT.
    Hana,
    /// Sells for yuan.
    Mei,
    /// Buys only.
    Minjun,
    /// Sells for dong.
    Linh,
}

/// A payment method: its type, its currency, and its fields.
pub(super) type Method = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

/// What there is to know of somebody.
#[derive(Debug)]
pub(super) struct Who {
    /// Who.
    pub(super) name: Name,
    /// The number of their account on the development chain; with it goes the name that the pass and the wallets show.
    pub(super) account: usize,
    /// As others see them.
    pub(super) nickname: &'static str,
    /// Where they live, as the pass states it.
    pub(super) region: &'static str,
    /// How well the pass knows them. Fiat adverts need the advanced level.
    pub(super) kyc: KycLevel,
    /// Whether an officer has certified them. Fiat adverts need that too.
    pub(super) certified: bool,
    /// How they are paid in fiat.
    pub(super) methods: &'static [Method],
    /// What they say of themselves.
    pub(super) remark: &'static str,
    /// What a visitor finds when logging in as them.
    pub(super) good_for: &'static str,
}

impl Who {
    /// The name without the city.
    pub(super) fn first_name(&self) -> &'static str {
        people::name(self.account)
    }

    /// The e-mail with which they log in.
    pub(super) fn email(&self) -> String {
        format!("{}@demo.test", self.first_name().to_lowercase())
    }
}

const fn trader(name: Name, account: usize, nickname: &'static str, region: &'static str) -> Who {
    Who {
        name,
        account,
        nickname,
        region,
        kyc: KycLevel::Advanced,
        certified: true,
        methods: &[],
        remark: "",
        good_for: "",
    }
}

/// All of them. Ivan, Jun, Kofi and Leila stay free: a visitor registers as one of them.
pub(super) const PEOPLE: &[Who] = &[
    Who {
        methods: &[("bankCard", "NGN", &[("name", "Amina Bello"), ("account", "2031045567"), ("bankName", "GTBank")])],
        remark: "Lagos, 8 to 22 h",
        good_for: "sells MEC for naira, a year of trades",
        ..trader(Name::Amina, 0, "AminaLagos", "NG")
    },
    Who {
        methods: &[("pix", "BRL", &[("name", "Bruno Costa"), ("account", "bruno.costa@pix.test")])],
        good_for: "automatic MEC advert; lost credit by cancelling",
        ..trader(Name::Bruno, 1, "BrunoRio", "BR")
    },
    Who {
        methods: &[
            ("bankCard", "CNY", &[("name", "Chen Wei"), ("account", "6222021100014567"), ("bankName", "ICBC")]),
            ("alipay", "CNY", &[("name", "Chen Wei"), ("account", "chen.wei@alipay.test")]),
        ],
        remark: "Bank or Alipay, quick",
        good_for: "busy seller for yuan, two payment methods",
        ..trader(Name::Chen, 2, "ChenShanghai", "CN")
    },
    Who {
        methods: &[(
            "sepa",
            "EUR",
            &[("name", "Dalia Romero"), ("iban", "ES9121000418450200051332"), ("bankName", "CaixaBank")],
        )],
        good_for: "sells MEC for euro",
        ..trader(Name::Dalia, 3, "DaliaMadrid", "ES")
    },
    Who {
        methods: &[(
            "bankCard",
            "NGN",
            &[("name", "Emeka Obi"), ("account", "0123987456"), ("bankName", "Zenith Bank")],
        )],
        good_for: "sells USDT for naira",
        ..trader(Name::Emeka, 4, "EmekaAbuja", "NG")
    },
    Who {
        methods: &[("papara", "TRY", &[("name", "Farida Kaya"), ("account", "1827364550")])],
        good_for: "automatic MEC advert, USDT for lira",
        ..trader(Name::Farida, 5, "FaridaIzmir", "TR")
    },
    Who {
        methods: &[(
            "sepa",
            "EUR",
            &[("name", "Goran Novak"), ("iban", "DE89370400440532013000"), ("bankName", "Commerzbank")],
        )],
        good_for: "sells MEC for USDT and USDT for euro",
        ..trader(Name::Goran, 6, "GoranBerlin", "DE")
    },
    Who {
        methods: &[
            ("bankCard", "KRW", &[("name", "Kim Hana"), ("account", "11023456789012"), ("bankName", "KB Kookmin")]),
            ("kakaoPay", "KRW", &[("name", "Kim Hana"), ("account", "01055501234")]),
        ],
        remark: "Fast: most payments are confirmed within ten minutes",
        good_for: "fast trader; Minjun has paid her and waits for her to confirm",
        ..trader(Name::Hana, 7, "HanaSeoul", "KR")
    },
    Who {
        methods: &[
            ("bankCard", "CNY", &[("name", "Mei Lin"), ("account", "6217000010055678"), ("bankName", "CCB")]),
            ("wechat", "CNY", &[("name", "Mei Lin"), ("account", "meilin-hz")]),
        ],
        good_for: "sells USDT for yuan",
        ..trader(Name::Mei, 12, "MeiHangzhou", "CN")
    },
    Who {
        kyc: KycLevel::Basic,
        certified: false,
        methods: &[(
            "bankCard",
            "KRW",
            &[("name", "Lee Minjun"), ("account", "3333019876543"), ("bankName", "KakaoBank")],
        )],
        good_for: "buys only: running order, temporary balance, a withdrawal",
        ..trader(Name::Minjun, 13, "MinjunBusan", "KR")
    },
    Who {
        methods: &[("momo", "VND", &[("name", "Tran Linh"), ("account", "0901234567")])],
        good_for: "sells USDT for dong",
        ..trader(Name::Linh, 14, "LinhHanoi", "VN")
    },
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn nobody_is_there_twice() {
        let accounts: BTreeSet<_> = PEOPLE.iter().map(|who| who.account).collect();
        let nicknames: BTreeSet<_> = PEOPLE.iter().map(|who| who.nickname).collect();
        assert_eq!((accounts.len(), nicknames.len()), (PEOPLE.len(), PEOPLE.len()));
    }

    #[test]
    fn the_pass_knows_everybody_by_the_name_that_is_used_here() {
        for who in PEOPLE {
            assert_eq!(who.first_name(), format!("{:?}", who.name));
        }
    }

    #[test]
    fn some_people_with_a_name_stay_free() {
        for account in 8..12 {
            assert!(PEOPLE.iter().all(|who| who.account != account));
        }
    }
}
