//! Assets (coins, NFTs and fiat currencies) and the pairs in which they trade.
//!
//! Assets are data: code must not depend on an asset's name.

use chrono::Duration;

use crate::chain::{ChainId, Token};
use crate::market::Band;
use crate::money::{Amount, MAX_TYPED_DECIMALS, MoneyError, Price};

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
    /// The number of decimals of the base unit (`assetScale`).
    pub decimals: u8,
    pub home: Home,
    /// A deposit above this amount that no funding request asked for cancels the owner's advert in creation.
    pub dust: Amount,
    /// The network fee of a return to the bound address, in this asset.
    pub return_gas: Amount,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Windows {
    pub acceptance: Duration,
    /// For the owner of a new advert to deposit its escrow, from its posting.
    pub advert_deposit: Duration,
    /// For the seller to deposit an order's escrow.
    pub order_deposit: Duration,
    pub payment: Duration,
    pub confirmation: Duration,
    pub grace: Duration,
}

/// Two assets that trade against each other, with the conditions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pair {
    pub id: PairId,
    /// The asset that is sold and escrowed.
    pub base: Asset,
    /// The asset with which the buyer pays.
    pub quote: Asset,
    pub enabled: bool,
    /// In millionths of the base quantity.
    pub fee_ppm: u32,
    /// The minimum fee, in base; covers the gas of the release.
    pub fee_floor: Amount,
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
    /// The chain type whose receiving addresses are on the escrow chain. `None` if the pair has no automatic adverts.
    pub automatic_chain_type: Option<String>,
}

impl Pair {
    /// The quote amount that `quantity` of the base costs at `price`.
    pub fn total(&self, quantity: Amount, price: Price) -> Result<Amount, MoneyError> {
        price.total(quantity, self.base.decimals, self.quote.decimals)
    }

    /// The quantity of the base that costs `total` at `price`: see [`Price::quantity`].
    pub fn quantity_for(&self, total: Amount, price: Price) -> Result<Amount, MoneyError> {
        price.quantity(total, self.base.decimals, self.quote.decimals)
    }

    /// The smallest quantity of the base that a user may enter, in base units. `None` if the base has more decimals
    /// than the ledger can represent.
    pub fn step(&self) -> Option<i128> {
        let finer = self.base.decimals.saturating_sub(MAX_TYPED_DECIMALS);
        10_i128.checked_pow(u32::from(finer))
    }

    /// The fee for `quantity` of the base: rounded down, but at least `fee_floor`.
    pub fn fee(&self, quantity: Amount) -> Result<Amount, MoneyError> {
        Ok(quantity.mul_div_floor(i128::from(self.fee_ppm), 1_000_000)?.max(self.fee_floor))
    }

    pub fn accepts_price(&self, price: Price) -> bool {
        price.floor(self.price_decimals) == Some(price)
    }

    /// The allowed prices around a reference price. Without one, any price is allowed.
    pub fn band(&self, reference: Option<Price>) -> Option<Band> {
        Band::around(reference?, self.price_band_ppm, self.price_decimals)
    }

    /// Whether buyers pay in fiat, which the platform cannot observe.
    pub fn is_fiat(&self) -> bool {
        matches!(self.quote.home, Home::Fiat)
    }
}
