//! What can be traded: coins on chains, NFTs and fiat currencies; and the pairs in which they are traded.
//!
//! All of it is data. No code may branch on a coin's name.

use chrono::Duration;

use crate::chain::{ChainId, Token};
use crate::market::Band;
use crate::money::{Amount, MAX_TYPED_DECIMALS, MoneyError, Price};

/// The number of an asset: of a coin, of a fiat currency or of one NFT.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AssetId(pub i64);

/// The number of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PairId(pub i64);

/// Where an asset lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Home {
    /// A chain on which the platform holds it.
    Chain {
        /// Which chain.
        chain: ChainId,
        /// How it lives there.
        token: Token,
    },
    /// Outside: money in bank accounts and apps, moved by people.
    Fiat,
}

/// One asset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asset {
    /// Its number.
    pub id: AssetId,
    /// Its short name, such as `USDT`.
    pub code: String,
    /// How many decimals its base unit lies below one (`assetScale`).
    pub decimals: u8,
    /// Where it lives.
    pub home: Home,
    /// An unclaimed arrival above this cancels an advert in creation.
    pub dust: Amount,
    /// What a return to the bound address costs, in this asset.
    pub return_gas: Amount,
}

/// How long each step may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Windows {
    /// For the advertiser to accept.
    pub acceptance: Duration,
    /// For the owner of a new advert to send its escrow.
    pub advert_deposit: Duration,
    /// For the seller to send an order's escrow.
    pub order_deposit: Duration,
    /// For the buyer to pay.
    pub payment: Duration,
    /// For the seller to confirm the payment.
    pub confirmation: Duration,
    /// After a deadline, before the system acts.
    pub grace: Duration,
}

/// Two assets that are traded for one another, and on what terms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pair {
    /// Its number.
    pub id: PairId,
    /// What is escrowed and released.
    pub base: Asset,
    /// What the buyer pays with.
    pub quote: Asset,
    /// Whether it is on.
    pub enabled: bool,
    /// The fee in millionths of the base quantity.
    pub fee_ppm: u32,
    /// The least fee, in the base: it covers the gas of the release.
    pub fee_floor: Amount,
    /// The least total of an order, in the quote.
    pub min_total: Amount,
    /// The largest total of an order, in the quote.
    pub max_total: Amount,
    /// How far a price may lie from the reference price, in millionths.
    pub price_band_ppm: u32,
    /// How many decimals a price may have, at most [`PRICE_DECIMALS`](crate::money::PRICE_DECIMALS).
    pub price_decimals: u8,
    /// How long each step may take.
    pub windows: Windows,
    /// The chain types of receiving addresses that the pair takes; empty for fiat.
    pub chain_types: Vec<String>,
    /// The chain type whose receiving addresses lie on the escrow chain, if automatic adverts are possible.
    pub automatic_chain_type: Option<String>,
}

impl Pair {
    /// What `quantity` of the base costs at `price`.
    pub fn total(&self, quantity: Amount, price: Price) -> Result<Amount, MoneyError> {
        price.total(quantity, self.base.decimals, self.quote.decimals)
    }

    /// How much of the base costs `total` at `price`: see [`Price::quantity`].
    pub fn quantity_for(&self, total: Amount, price: Price) -> Result<Amount, MoneyError> {
        price.quantity(total, self.base.decimals, self.quote.decimals)
    }

    /// The least quantity of the base that a person may type, in base units; nothing if the base has too many decimals
    /// for the books.
    pub fn step(&self) -> Option<i128> {
        let finer = self.base.decimals.saturating_sub(MAX_TYPED_DECIMALS);
        10_i128.checked_pow(u32::from(finer))
    }

    /// The fee for `quantity` of the base: a share rounded down, at least the floor.
    pub fn fee(&self, quantity: Amount) -> Result<Amount, MoneyError> {
        Ok(quantity.mul_div_floor(i128::from(self.fee_ppm), 1_000_000)?.max(self.fee_floor))
    }

    /// Whether a price has no more decimals than the pair's prices may have.
    pub fn accepts_price(&self, price: Price) -> bool {
        price.floor(self.price_decimals) == Some(price)
    }

    /// The prices that are allowed around a reference price; without one there is no bound.
    pub fn band(&self, reference: Option<Price>) -> Option<Band> {
        Band::around(reference?, self.price_band_ppm, self.price_decimals)
    }

    /// Whether the quote is fiat: paid from person to person, seen by nobody else.
    pub fn is_fiat(&self) -> bool {
        matches!(self.quote.home, Home::Fiat)
    }
}
