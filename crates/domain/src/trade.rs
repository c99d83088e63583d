//! Words that adverts and orders share.

use serde::{Deserialize, Serialize};

use crate::assets::{Asset, AssetId};
use crate::chain::Address;
use crate::ids::PaymentMethodId;
use crate::money::Amount;
use crate::people::ReceivingAddress;

/// What the advertiser does: on a sell advert the advertiser is the seller, on a buy advert the buyer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Side {
    /// The advertiser gives the base.
    Sell,
    /// The advertiser receives the base.
    Buy,
}

impl Side {
    /// Both sides.
    pub const ALL: [Self; 2] = [Self::Sell, Self::Buy];

    /// The name under which it is kept and sent.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sell => "SELL",
            Self::Buy => "BUY",
        }
    }
}

/// One of the two people of an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Party {
    /// Receives the base.
    Buyer,
    /// Gives the base.
    Seller,
}

impl Party {
    /// The other one.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Buyer => Self::Seller,
            Self::Seller => Self::Buyer,
        }
    }

    /// The name under which it is kept and sent.
    pub fn name(self) -> &'static str {
        match self {
            Self::Buyer => "BUYER",
            Self::Seller => "SELLER",
        }
    }
}

/// One of the two things that change hands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Leg {
    /// What is escrowed and released; it comes out of the seller's vault.
    Base,
    /// What the buyer pays with; in an automatic order it comes out of the buyer's vault.
    Quote,
}

/// What an advert or an order must remember of an asset, as it was at its creation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Coin {
    /// Which asset.
    pub asset: AssetId,
    /// How many decimals its base unit lies below one.
    pub decimals: u8,
    /// What a return to the bound address costs, in this asset; zero for fiat.
    pub return_gas: Amount,
}

impl From<&Asset> for Coin {
    fn from(asset: &Asset) -> Self {
        Self { asset: asset.id, decimals: asset.decimals, return_gas: asset.return_gas }
    }
}

/// A payment method as chosen for an advert or an order: which one, and of what kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Method {
    /// The person's payment method.
    pub id: PaymentMethodId,
    /// Its kind, such as `ALIPAY`: what both sides must share.
    pub kind: String,
}

/// How the buyer pays, fixed when the order is created.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Payment {
    /// Fiat, from person to person, through a payment method of the seller.
    Method(Method),
    /// Coins, from person to person, to the seller's receiving address.
    Transfer(ReceivingAddress),
    /// Coins through custody: what the buyer's vault holds goes to the seller's receiving address on the escrow chain,
    /// in the same chain transaction as the base.
    Automatic {
        /// The seller's receiving address.
        to: Address,
        /// Its chain type.
        chain_type: String,
    },
}

impl Payment {
    /// Whether the buyer pays through this payment method.
    pub fn is_through(&self, id: PaymentMethodId) -> bool {
        matches!(self, Self::Method(method) if method.id == id)
    }
}
