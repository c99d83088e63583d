//! Assets (coins, NFTs and fiat currencies) and the pairs in which they trade.
//!
//! Assets are data: code must not depend on an asset's name.

use chrono::Duration;

use crate::chain::{ChainId, Token};
use crate::checks::PAYMENT_WINDOW;
use crate::market::Band;
use crate::money::{Amount, MAX_TYPED_DECIMALS, MoneyError, PRICE_DECIMALS, Price};

/// Identifies a coin, a fiat currency or a single NFT.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AssetId(pub i64);

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PairId(pub i64);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Home {
    /// Held by the platform on a chain.
    Chain { chain: ChainId, token: Token },
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
    /// The dust limit: a larger deposit for which no funding request is open cancels the owner's advert in creation.
    pub dust: Amount,
    /// The network fee of a return to the bound address, in this asset.
    pub return_gas: Amount,
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
    /// The asset that is sold and escrowed.
    pub base: Asset,
    /// The asset with which the buyer pays.
    pub quote: Asset,
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

    /// Returns the allowed prices around a reference price; `None` if there is no reference price to restrict them.
    pub fn band(&self, reference: Option<Price>) -> Option<Band> {
        Band::around(reference?, self.price_band_ppm, self.price_decimals)
    }

    /// Returns the settings that officers can change, with their names and units as in `policy.default.toml`.
    pub fn settings(&self) -> [(&'static str, String); 12] {
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
        ]
    }

    /// Returns why these settings would make trading impossible, or `None` if they are valid.
    pub fn problem(&self) -> Option<&'static str> {
        let Windows { acceptance, advert_deposit, order_deposit, payment, confirmation, grace } = self.windows;
        let possible = |window: &Duration| (Duration::minutes(1)..=LONGEST_WINDOW).contains(window);
        [
            (self.fee_rate_ppm >= 1_000_000, "the fee rate must be below 1"),
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
