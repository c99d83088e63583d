//! Assets (coins, NFTs and fiat currencies) and the pairs in which they trade.
//!
//! Assets are data: code must not depend on an asset's name.

use chrono::Duration;

use crate::chain::{Address, ChainId, Token};
use crate::checks::PAYMENT_WINDOW;
use crate::market::Band;
use crate::money::{Amount, MAX_TYPED_DECIMALS, MoneyError, PRICE_DECIMALS, Price};
use crate::trade::Side;

/// Identifies a coin, a fiat currency or a single NFT.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AssetId(pub i64);

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PairId(pub i64);

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Home {
    /// Held by the platform on a chain.
    Chain { chain: ChainId, token: Token },
    /// An album of NFTs on a chain. Nobody holds the album itself: each of its NFTs is an asset of its own.
    Album { chain: ChainId, contract: Address },
    /// Money in bank accounts and payment apps, which users transfer themselves.
    Fiat,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asset {
    pub id: AssetId,
    /// The ticker, such as `USDT`.
    pub code: String,
    /// The number of decimals of the base unit; `assetScale` in the API.
    pub decimals: u8,
    pub home: Home,
    /// The album of an NFT.
    pub album: Option<AssetId>,
    /// The dust limit: a larger deposit for which no funding request is open cancels the owner's advert in creation.
    pub dust: Amount,
    /// The network fee of a return to the bound address, in this asset.
    pub return_gas: Amount,
}

impl Asset {
    /// Returns whether this is an album. Its pairs are templates for the trades of its NFTs.
    pub fn is_album(&self) -> bool {
        matches!(self.home, Home::Album { .. })
    }

    /// Returns the asset under which reports and stops count this one: for an NFT, its album.
    pub fn counted_as(&self) -> AssetId {
        self.album.unwrap_or(self.id)
    }

    /// Returns the album's contract and the token ID of an NFT; `None` for everything else.
    pub fn nft(&self) -> Option<(Address, [u8; 32])> {
        match self.home {
            Home::Chain { token: Token::Erc721(contract, id), .. } => Some((contract, id)),
            _ => None,
        }
    }
}

/// What a seller prepays in a coin, because nothing can be taken out of an indivisible base.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Prepayment {
    pub asset: AssetId,
    /// The number of decimals of the asset's base unit.
    pub decimals: u8,
    /// The fee of the sale.
    pub fee: Amount,
    /// The network fee of the one transaction that ends the advert: a release or a return.
    pub gas: Amount,
}

impl Prepayment {
    pub fn total(&self) -> Result<Amount, MoneyError> {
        self.fee.add(self.gas)
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Windows {
    pub acceptance: Duration,
    /// How long the owner has to deposit a new advert's escrow, from its posting.
    pub advert_deposit: Duration,
    /// How long the seller has to deposit an order's escrow.
    pub order_deposit: Duration,
    pub payment: Duration,
    pub confirmation: Duration,
    pub grace: Duration,
}

/// The longest window that an officer can set.
const LONGEST_WINDOW: Duration = Duration::days(7);

/// Formats millionths as a decimal: 1,000 is `0.001`.
pub fn share(ppm: u32) -> String {
    Amount::new(i128::from(ppm)).unwrap_or(Amount::ZERO).format(6)
}

/// Two assets that trade against each other, and the settings of that trade.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pair {
    pub id: PairId,
    /// The asset that is sold and escrowed. An album stands for each of its NFTs: see [`Pair::of_nft`].
    pub base: Asset,
    /// The asset with which the buyer pays.
    pub quote: Asset,
    /// What sellers prepay; `None` if the fee is taken out of the base.
    pub prepayment: Option<Prepayment>,
    pub enabled: bool,
    /// The fee in millionths of the base quantity.
    pub fee_rate_ppm: u32,
    /// The minimum fee, in base units of the base. It covers the gas of the release.
    pub fee_minimum: Amount,
    /// The minimum total of an order, in base units of the quote.
    pub min_total: Amount,
    /// The maximum total of an order, in base units of the quote.
    pub max_total: Amount,
    /// The maximum distance of a price from the reference price, in millionths.
    pub price_band_ppm: u32,
    /// At most [`PRICE_DECIMALS`](crate::money::PRICE_DECIMALS).
    pub price_decimals: u8,
    pub windows: Windows,
    /// The chain types whose receiving addresses the pair accepts; empty for fiat.
    pub chain_types: Vec<String>,
    /// The chain type whose receiving addresses are on the escrow chain. `None` if the pair does not support automatic
    /// adverts.
    pub automatic_chain_type: Option<String>,
}

impl Pair {
    /// Returns the pair of an NFT of the album that is the base.
    #[must_use]
    pub fn of_nft(&self, nft: &Asset) -> Self {
        Self { base: nft.clone(), ..self.clone() }
    }

    /// Returns the quote amount that `quantity` of the base costs at `price`.
    pub fn total(&self, quantity: Amount, price: Price) -> Result<Amount, MoneyError> {
        price.total(quantity, self.base.decimals, self.quote.decimals)
    }

    /// Returns the quantity of the base that costs `total` at `price`: see [`Price::quantity`].
    pub fn quantity_for(&self, total: Amount, price: Price) -> Result<Amount, MoneyError> {
        price.quantity(total, self.base.decimals, self.quote.decimals)
    }

    /// Returns the smallest quantity of the base that a user may enter, in base units. `None` if the base has more
    /// decimals than the ledger can represent.
    pub fn step(&self) -> Option<i128> {
        let finer = self.base.decimals.saturating_sub(MAX_TYPED_DECIMALS);
        10_i128.checked_pow(u32::from(finer))
    }

    /// Returns the fee for `quantity` of the base: rounded down, but at least `fee_minimum`.
    pub fn fee(&self, quantity: Amount) -> Result<Amount, MoneyError> {
        Ok(quantity.mul_div_floor(i128::from(self.fee_rate_ppm), 1_000_000)?.max(self.fee_minimum))
    }

    pub fn accepts_price(&self, price: Price) -> bool {
        price.floor(self.price_decimals) == Some(price)
    }

    /// Returns whether NFTs are sold.
    pub fn of_nfts(&self) -> bool {
        self.base.is_album() || self.base.nft().is_some()
    }

    /// Returns the sides that adverts of the pair can have. NFTs are only sold.
    pub fn sides(&self) -> &'static [Side] {
        if self.of_nfts() { &[Side::Sell] } else { &[Side::Sell, Side::Buy] }
    }

    /// Returns the allowed prices around a reference price; `None` if there is no reference price to restrict them. NFTs have
    /// none: each is different.
    pub fn band(&self, reference: Option<Price>) -> Option<Band> {
        let reference = reference.filter(|_| !self.of_nfts());
        Band::around(reference?, self.price_band_ppm, self.price_decimals)
    }

    /// Returns the settings that officers can change, with their names and units as in `policy.default.toml`.
    pub fn settings(&self) -> [(&'static str, String); 13] {
        let minutes = |window: Duration| window.num_minutes().to_string();
        [
            ("fee_rate", share(self.fee_rate_ppm)),
            ("fee_minimum", self.fee_minimum.format(self.base.decimals)),
            ("order_minimum", self.min_total.format(self.quote.decimals)),
            ("order_maximum", self.max_total.format(self.quote.decimals)),
            ("price_band", share(self.price_band_ppm)),
            ("price_decimals", self.price_decimals.to_string()),
            ("acceptance_window", minutes(self.windows.acceptance)),
            ("advert_deposit_window", minutes(self.windows.advert_deposit)),
            ("order_deposit_window", minutes(self.windows.order_deposit)),
            ("payment_window", minutes(self.windows.payment)),
            ("confirmation_window", minutes(self.windows.confirmation)),
            ("grace_period", minutes(self.windows.grace)),
            ("trading", if self.enabled { "on" } else { "off" }.to_owned()),
        ]
    }

    /// Changes a setting, by its name and with a value as in [`Pair::settings`], without checking that the settings are
    /// valid together ([`Pair::problem`]). `return_gas` as the minimum fee stands for the network fee of a return, and
    /// `+2` price decimals mean two more than the quote has. Returns what the value should be if it cannot be read.
    pub fn set(&mut self, setting: &str, value: &str) -> Result<(), &'static str> {
        let (base, quote) = (self.base.decimals, self.quote.decimals);
        let amount = |decimals| Amount::parse(value, decimals).map_err(|_| "not an amount of the asset");
        let ppm = || {
            let share = Amount::parse(value, 6).ok().and_then(|share| u32::try_from(share.units()).ok());
            share.ok_or("not a share with up to 6 decimals, such as 0.001")
        };
        let minutes = || {
            let minutes = value.parse::<u32>().map_err(|_| "not a whole number of minutes")?;
            Ok::<_, &'static str>(Duration::minutes(minutes.into()))
        };
        match setting {
            "fee_rate" => self.fee_rate_ppm = ppm()?,
            "fee_minimum" if value == "return_gas" => self.fee_minimum = self.base.return_gas,
            "fee_minimum" => self.fee_minimum = amount(base)?,
            "order_minimum" => self.min_total = amount(quote)?,
            "order_maximum" => self.max_total = amount(quote)?,
            "price_band" => self.price_band_ppm = ppm()?,
            "price_decimals" => {
                let (more, number) = value.strip_prefix('+').map_or((0, value), |number| (quote, number));
                let decimals = number.parse().ok().and_then(|number: u8| number.checked_add(more));
                self.price_decimals = decimals.ok_or("not a number of decimals")?;
            }
            "acceptance_window" => self.windows.acceptance = minutes()?,
            "advert_deposit_window" => self.windows.advert_deposit = minutes()?,
            "order_deposit_window" => self.windows.order_deposit = minutes()?,
            "payment_window" => self.windows.payment = minutes()?,
            "confirmation_window" => self.windows.confirmation = minutes()?,
            "grace_period" => self.windows.grace = minutes()?,
            "trading" => {
                self.enabled = match value {
                    "on" => true,
                    "off" => false,
                    _ => return Err("neither on nor off"),
                };
            }
            _ => return Err("not a setting"),
        }
        Ok(())
    }

    /// Returns why these settings would make trading impossible, or `None` if they are valid.
    pub fn problem(&self) -> Option<&'static str> {
        let Windows { acceptance, advert_deposit, order_deposit, payment, confirmation, grace } = self.windows;
        let possible = |window: &Duration| (Duration::minutes(1)..=LONGEST_WINDOW).contains(window);
        [
            (self.fee_rate_ppm >= 1_000_000, "the fee rate must be below 1"),
            (
                self.prepayment.is_some() && !(self.fee_rate_ppm == 0 && self.fee_minimum.is_zero()),
                "the fee of an NFT is the prepayment of its album, so the fee rate and the minimum fee must be 0",
            ),
            (self.min_total.is_zero(), "the order minimum must be above 0"),
            (self.min_total > self.max_total, "the order minimum must not exceed the order maximum"),
            (!(1..=1_000_000).contains(&self.price_band_ppm), "the price band must be above 0 and at most 1"),
            (self.price_decimals > PRICE_DECIMALS, "a price has at most 8 decimals"),
            (!PAYMENT_WINDOW.contains(&payment), "the payment window must be 5 to 120 minutes, as ads may choose"),
            (
                ![acceptance, advert_deposit, order_deposit, confirmation, grace].iter().all(possible),
                "each window must be 1 minute to 7 days",
            ),
        ]
        .into_iter()
        .find_map(|(wrong, problem)| wrong.then_some(problem))
    }

    /// Returns whether buyers pay in fiat, which the platform cannot observe.
    pub fn is_fiat(&self) -> bool {
        matches!(self.quote.home, Home::Fiat)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn amount(units: i128) -> Amount {
        Amount::new(units).unwrap()
    }

    /// A pair with the narrowest settings that are valid.
    fn pair() -> Pair {
        let (chain, minute) = (ChainId(1), Duration::minutes(1));
        let home = Home::Chain { chain, token: Token::Native };
        let asset = |id| Asset {
            id: AssetId(id),
            code: "A".to_owned(),
            decimals: 2,
            home,
            album: None,
            dust: amount(0),
            return_gas: amount(3),
        };
        Pair {
            id: PairId(9),
            base: asset(1),
            quote: asset(2),
            prepayment: None,
            enabled: true,
            fee_rate_ppm: 0,
            fee_minimum: amount(4),
            min_total: amount(1),
            max_total: amount(1),
            price_band_ppm: 1,
            price_decimals: 0,
            windows: Windows {
                acceptance: minute,
                advert_deposit: minute,
                order_deposit: minute,
                payment: Duration::minutes(5),
                confirmation: minute,
                grace: minute,
            },
            chain_types: Vec::new(),
            automatic_chain_type: None,
        }
    }

    #[test]
    fn settings_are_valid_up_to_their_limits() {
        assert_eq!(pair().problem(), None);
        let days = Duration::days(7);
        let widest = Pair {
            fee_rate_ppm: 999_999,
            max_total: amount(2),
            price_band_ppm: 1_000_000,
            price_decimals: PRICE_DECIMALS,
            windows: Windows {
                acceptance: days,
                advert_deposit: days,
                order_deposit: days,
                payment: Duration::minutes(120),
                confirmation: days,
                grace: days,
            },
            ..pair()
        };
        assert_eq!(widest.problem(), None);
    }

    #[test]
    fn each_setting_beyond_its_limit_is_refused_with_its_name() {
        let windows = pair().windows;
        let (none, long) = (Duration::zero(), Duration::days(7) + Duration::minutes(1));
        let mut wrong = vec![
            (Pair { fee_rate_ppm: 1_000_000, ..pair() }, "the fee rate"),
            (Pair { min_total: amount(0), ..pair() }, "the order minimum must be"),
            (Pair { min_total: amount(2), ..pair() }, "the order minimum must not exceed"),
            (Pair { price_band_ppm: 0, ..pair() }, "the price band"),
            (Pair { price_band_ppm: 1_000_001, ..pair() }, "the price band"),
            (Pair { price_decimals: PRICE_DECIMALS + 1, ..pair() }, "a price has"),
        ];
        for payment in [Duration::minutes(4), Duration::minutes(121)] {
            wrong.push((Pair { windows: Windows { payment, ..windows }, ..pair() }, "the payment window"));
        }
        for window in [none, long] {
            for windows in [
                Windows { acceptance: window, ..windows },
                Windows { advert_deposit: window, ..windows },
                Windows { order_deposit: window, ..windows },
                Windows { confirmation: window, ..windows },
                Windows { grace: window, ..windows },
            ] {
                wrong.push((Pair { windows, ..pair() }, "each window"));
            }
        }
        for (pair, begins) in wrong {
            assert!(pair.problem().is_some_and(|problem| problem.starts_with(begins)), "{begins}: {pair:?}");
        }
    }

    #[test]
    fn the_fee_of_an_nft_is_only_its_prepayment() {
        let prepayment = Prepayment { asset: AssetId(3), decimals: 2, fee: amount(200), gas: amount(1) };
        let free = Pair { prepayment: Some(prepayment), fee_rate_ppm: 0, fee_minimum: amount(0), ..pair() };
        assert_eq!(free.problem(), None);
        for (fee_rate_ppm, fee_minimum) in [(1, amount(0)), (0, amount(1)), (1, amount(1))] {
            let charged = Pair { fee_rate_ppm, fee_minimum, ..free.clone() };
            assert!(charged.problem().is_some_and(|problem| problem.starts_with("the fee of an NFT")), "{charged:?}");
        }
    }

    #[test]
    fn albums_and_their_nfts_are_only_sold() {
        let (chain, contract) = (ChainId(1), Address([9; 20]));
        let sides = |home| Pair { base: Asset { home, ..pair().base }, ..pair() }.sides();
        assert_eq!(sides(Home::Album { chain, contract }), [Side::Sell]);
        assert_eq!(sides(Home::Chain { chain, token: Token::Erc721(contract, [0; 32]) }), [Side::Sell]);
        assert_eq!(sides(Home::Chain { chain, token: Token::Erc20(contract) }), [Side::Sell, Side::Buy]);
    }

    #[test]
    fn settings_are_shown_with_their_units() {
        let pair = Pair { fee_rate_ppm: 1_000, max_total: amount(250), ..pair() };
        let shown: Vec<_> = pair.settings().into_iter().map(|(name, value)| format!("{name} {value}")).collect();
        assert_eq!(
            shown,
            [
                "fee_rate 0.001",
                "fee_minimum 0.04",
                "order_minimum 0.01",
                "order_maximum 2.5",
                "price_band 0.000001",
                "price_decimals 0",
                "acceptance_window 1",
                "advert_deposit_window 1",
                "order_deposit_window 1",
                "payment_window 5",
                "confirmation_window 1",
                "grace_period 1",
                "trading on",
            ]
        );
    }

    #[test]
    fn settings_are_set_by_the_names_and_values_that_are_shown() {
        let other = Pair {
            enabled: false,
            fee_rate_ppm: 2_000,
            fee_minimum: amount(7),
            min_total: amount(200),
            max_total: amount(900),
            price_band_ppm: 5,
            price_decimals: 3,
            windows: Windows { acceptance: Duration::minutes(9), grace: Duration::minutes(8), ..pair().windows },
            ..pair()
        };
        let mut changed = pair();
        for (name, value) in other.settings() {
            assert_eq!(changed.set(name, &value), Ok(()), "{name} {value}");
        }
        assert_eq!(changed, other);
        assert_eq!((changed.set("fee_minimum", "return_gas"), changed.fee_minimum), (Ok(()), pair().base.return_gas));
        assert_eq!((changed.set("price_decimals", "+2"), changed.price_decimals), (Ok(()), 4));
    }

    #[test]
    fn a_value_that_cannot_be_read_changes_nothing() {
        let mut unchanged = pair();
        for (name, value) in [
            ("fee_rate", "0.0000001"),
            ("fee_rate", "-1"),
            ("fee_minimum", "0.001"),
            ("order_minimum", ""),
            ("order_maximum", "1,5"),
            ("price_band", "x"),
            ("price_decimals", "300"),
            ("payment_window", "1.5"),
            ("grace_period", "-1"),
            ("trading", "On"),
            ("no_such", "1"),
        ] {
            assert!(unchanged.set(name, value).is_err(), "{name} {value}");
        }
        assert_eq!(unchanged, pair());
    }

    #[test]
    fn a_step_has_as_many_decimals_as_a_user_may_enter() {
        let step = |decimals| Pair { base: Asset { decimals, ..pair().base }, ..pair() }.step();
        assert_eq!((step(2), step(MAX_TYPED_DECIMALS)), (Some(1), Some(1)));
        assert_eq!((step(MAX_TYPED_DECIMALS + 1), step(MAX_TYPED_DECIMALS + 3)), (Some(10), Some(1_000)));
        assert_eq!(step(u8::MAX), None);
    }

    #[test]
    fn a_fee_is_rounded_down_to_no_less_than_its_minimum() {
        let pair = Pair { fee_rate_ppm: 1_000, ..pair() };
        let fee = |units| pair.fee(amount(units)).unwrap().units();
        assert_eq!((fee(0), fee(4_999), fee(5_000), fee(5_999)), (4, 4, 5, 5));
    }

    #[test]
    fn a_pair_accepts_prices_with_its_decimals_and_is_fiat_by_its_quote() {
        let accepts =
            |price_decimals, text| Pair { price_decimals, ..pair() }.accepts_price(Price::parse(text).unwrap());
        assert!(accepts(1, "2.5") && accepts(0, "2") && !accepts(0, "2.5"));
        let fiat = Pair { quote: Asset { home: Home::Fiat, ..pair().quote }, ..pair() };
        assert!(fiat.is_fiat() && !pair().is_fiat());
    }
}
