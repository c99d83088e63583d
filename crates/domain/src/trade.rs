//! Types that adverts and orders share.

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr};

use crate::assets::{Asset, AssetId};
use crate::chain::Address;
use crate::ids::PaymentMethodId;
use crate::money::Amount;
use crate::users::ReceivingAddress;

/// Whether the advertiser sells or buys the base.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, IntoStaticStr, EnumString,
)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE", const_into_str)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = AdvertSide))]
pub enum Side {
    /// The advertiser sells the base; the taker buys it.
    Sell,
    /// The advertiser buys the base; the taker sells it.
    Buy,
}

impl Side {
    /// Returns the party that the advertiser is in the advert's orders.
    pub fn advertiser(self) -> Party {
        match self {
            Self::Sell => Party::Seller,
            Self::Buy => Party::Buyer,
        }
    }
}

/// A party of an order.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, IntoStaticStr, EnumString,
)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE", const_into_str)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = Role))]
pub enum Party {
    /// Receives the base.
    Buyer,
    /// Gives the base.
    Seller,
}

impl Party {
    pub const ALL: [Self; 2] = [Self::Buyer, Self::Seller];

    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Buyer => Self::Seller,
            Self::Seller => Self::Buyer,
        }
    }

    /// Returns the leg that this party gives, and deposits where the leg is escrowed.
    pub fn gives(self) -> Leg {
        match self {
            Self::Buyer => Leg::Quote,
            Self::Seller => Leg::Base,
        }
    }

    /// Returns the leg that this party deposits into escrow: the base always, the quote only of automatic trades. An advertiser
    /// deposits before the advert goes online, a taker for each order.
    pub fn deposits(self, automatic: bool) -> Option<Leg> {
        Some(self.gives()).filter(|leg| *leg == Leg::Base || automatic)
    }
}

/// One of the two assets that a trade exchanges.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, IntoStaticStr)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE", const_into_str)]
pub enum Leg {
    /// Escrowed and released from the seller's vault.
    Base,
    /// The buyer's payment. In automatic orders, it is escrowed in the buyer's vault.
    Quote,
}

/// The properties of an asset at the time an advert or order was created.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Coin {
    pub asset: AssetId,
    /// The number of decimals of the base unit.
    pub decimals: u8,
    /// The network fee of a return to the bound address, in base units of this asset; zero for fiat.
    pub return_gas: Amount,
}

impl From<&Asset> for Coin {
    fn from(asset: &Asset) -> Self {
        Self { asset: asset.id, decimals: asset.decimals, return_gas: asset.return_gas }
    }
}

/// A payment method selected for an advert or order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Method {
    pub id: PaymentMethodId,
    /// For example `ALIPAY`. Buyer and seller must have a method of the same kind.
    pub kind: String,
}

/// How the buyer pays. Fixed when the order is placed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Payment {
    /// Fiat, sent directly to a payment method of the seller.
    Method(Method),
    /// Coins, sent directly to the seller's receiving address.
    Transfer(ReceivingAddress),
    /// Coins, sent from the buyer's vault to the seller's receiving address in the same chain transaction as the base.
    Automatic {
        /// The seller's receiving address.
        to: Address,
        chain_type: String,
    },
}

impl Payment {
    pub fn is_through(&self, id: PaymentMethodId) -> bool {
        matches!(self, Self::Method(method) if method.id == id)
    }
}
