//! The users of the demo world: their identity at the pass, their login, and their payment methods.

use domain::users::KycLevel;

use crate::people;

/// The login password of every user.
pub(crate) const LOGIN_PASSWORD: &str = "Demo-World-1";
/// The security password of every user.
pub(crate) const SECURITY_PASSWORD: &str = "demo-money-1";

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Name {
    /// Sells for naira.
    Amina,
    /// Sells automatically.
    Bruno,
    /// Sells for yuan.
    Chen,
    /// Sells for euros.
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
    /// Only buys.
    Minjun,
    /// Sells for dong.
    Linh,
}

/// The type, currency and fields of a payment method.
pub(super) type Method = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

/// A user of the demo world.
#[derive(Debug)]
pub(super) struct Who {
    pub(super) name: Name,
    /// The index of the account on the development chain, which also determines the name in the pass and the wallets.
    pub(super) account: usize,
    pub(super) nickname: &'static str,
    /// The region in the pass.
    pub(super) region: &'static str,
    /// The KYC level in the pass. Fiat adverts require the advanced level.
    pub(super) kyc: KycLevel,
    /// Whether an officer has certified the user, which fiat adverts also require.
    pub(super) certified: bool,
    /// The payment methods with which the user receives fiat.
    pub(super) methods: &'static [Method],
    pub(super) remark: &'static str,
    /// The reason to log in as this user, which is printed at start.
    pub(super) good_for: &'static str,
}

impl Who {
    /// Returns the name without the city.
    pub(super) fn first_name(&self) -> &'static str {
        people::name(self.account)
    }

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

/// All users. Ivan, Jun, Kofi and Leila are left for visitors to register.
pub(super) const PEOPLE: &[Who] = &[
    Who {
        methods: &[("bankCard", "NGN", &[("name", "Amina Bello"), ("account", "2031045567"), ("bankName", "GTBank")])],
        remark: "Lagos, 8 to 22 h",
        good_for: "sells MEC for naira; a year of trades",
        ..trader(Name::Amina, 0, "AminaLagos", "NG")
    },
    Who {
        methods: &[("pix", "BRL", &[("name", "Bruno Costa"), ("account", "bruno.costa@pix.test")])],
        good_for: "automatic MEC ad; lost credit score by canceling",
        ..trader(Name::Bruno, 1, "BrunoRio", "BR")
    },
    Who {
        methods: &[
            ("bankCard", "CNY", &[("name", "Chen Wei"), ("account", "6222021100014567"), ("bankName", "ICBC")]),
            ("alipay", "CNY", &[("name", "Chen Wei"), ("account", "chen.wei@alipay.test")]),
        ],
        remark: "Bank or Alipay, quick",
        good_for: "busy seller for yuan; two payment methods",
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
        good_for: "automatic MEC ad; USDT for lira",
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
    fn nicknames_and_accounts_are_unique() {
        let accounts: BTreeSet<_> = PEOPLE.iter().map(|who| who.account).collect();
        let nicknames: BTreeSet<_> = PEOPLE.iter().map(|who| who.nickname).collect();
        assert_eq!((accounts.len(), nicknames.len()), (PEOPLE.len(), PEOPLE.len()));
    }

    #[test]
    fn names_match_those_in_the_pass() {
        for who in PEOPLE {
            assert_eq!(who.first_name(), format!("{:?}", who.name));
        }
    }

    #[test]
    fn some_named_accounts_are_left_for_visitors() {
        for account in 8..12 {
            assert!(PEOPLE.iter().all(|who| who.account != account));
        }
    }
}
