//! The advert, its terms and its states.

use serde::{Deserialize, Serialize};
use strum::{EnumDiscriminants, EnumString, IntoStaticStr, VariantNames};

use super::Options;
use crate::assets::{PairId, Prepayment, Windows};
use crate::chain::Address;
use crate::clock::Timestamp;
use crate::deadline::Deadline;
use crate::ids::{AdvertId, PayoutId, UserId};
use crate::ledger::VaultAsset;
use crate::money::{Amount, Price};
use crate::refusal::Refusal;
use crate::trade::{Coin, Leg, Method, Side};
use crate::users::ReceivingAddress;

/// Everything that is fixed when an advert is posted. To change it, the owner revokes the advert and posts another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Terms {
    pub owner: UserId,
    pub side: Side,
    /// Whether the platform accepts orders and confirms payments.
    pub automatic: bool,
    pub pair: PairId,
    /// The asset that is sold and escrowed.
    pub base: Coin,
    /// The asset with which buyers pay.
    pub quote: Coin,
    /// What the owner prepays in another coin; `None` if fees are taken out of the base.
    pub prepayment: Option<Prepayment>,
    pub price: Price,
    /// In base units of the base.
    pub quantity: Amount,
    /// The cost of the whole quantity, in base units of the quote, rounded down.
    pub total: Amount,
    /// The minimum total of an order, in base units of the quote.
    pub min_total: Amount,
    /// The maximum total of an order, in base units of the quote.
    pub max_total: Amount,
    /// The owner's payment methods; empty if the quote is a coin.
    pub methods: Vec<Method>,
    /// The owner's receiving address, if the owner sells for a coin.
    pub receiving: Option<ReceivingAddress>,
    /// The owner's bound address, to which coins are returned.
    pub bound: Address,
    pub options: Options,
    pub windows: Windows,
    pub created_at: Timestamp,
}

impl Terms {
    /// Returns the asset and amount that the advert escrows: the base of sell adverts, the quote of automatic buy
    /// adverts, nothing for manual buy adverts.
    pub fn escrow(&self) -> Option<(Leg, VaultAsset, Amount)> {
        let leg = self.side.advertiser().deposits(self.automatic)?;
        let (coin, amount) = match leg {
            Leg::Base => (self.base, self.quantity),
            Leg::Quote => (self.quote, self.total),
        };
        Some((leg, VaultAsset { vault: self.owner, asset: coin.asset }, amount))
    }

    /// Returns where the prepayment is kept, and what it is.
    pub fn prepaid(&self) -> Option<(VaultAsset, Prepayment)> {
        let prepayment = self.prepayment?;
        Some((VaultAsset { vault: self.owner, asset: prepayment.asset }, prepayment))
    }

    /// Returns the network fee of returning the remaining escrow, in the escrowed asset.
    pub fn return_gas(&self) -> Amount {
        match self.escrow() {
            Some((Leg::Base, ..)) => self.base.return_gas,
            Some((Leg::Quote, ..)) => self.quote.return_gas,
            None => Amount::ZERO,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Advert {
    pub id: AdvertId,
    /// Starts at 1 and increases by one with every transition.
    pub version: i64,
    pub terms: Terms,
    pub state: State,
    /// The quantity of the base that can still be ordered, in its base units.
    pub remaining: Amount,
    /// The balance of the advert's escrow account, in base units of the escrowed asset.
    pub escrow: Amount,
    /// What is left of the prepayment: all or nothing of it.
    pub prepaid: Amount,
    /// The number of open orders on the advert.
    pub running: u32,
    /// Set while part of the escrow is missing after a reorganization. The advert then takes no orders.
    pub frozen: Option<Frozen>,
    /// How many times the advert was funded. Part of the posting keys.
    pub funding_rounds: u32,
    /// When the escrow was completed.
    pub confirmed_at: Option<Timestamp>,
}

/// The part of an advert's escrow that a reorganization removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Frozen {
    pub since: Timestamp,
    /// In base units of the escrowed asset.
    pub missing: Amount,
}

/// The current step of an advert.
///
/// Rows store the serialized form, `{"state": "CREATING", …}`. Sorted from creation to deletion.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, EnumDiscriminants, IntoStaticStr, VariantNames)]
#[serde(tag = "state", rename_all = "SCREAMING_SNAKE_CASE", deny_unknown_fields)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE", const_into_str)]
#[strum_discriminants(
    name(StateName),
    doc = "The state of an advert.",
    derive(Serialize),
    serde(rename_all = "SCREAMING_SNAKE_CASE")
)]
#[cfg_attr(feature = "schema", strum_discriminants(derive(utoipa::ToSchema), schema(as = AdvertState)))]
pub enum State {
    /// The owner must deposit the escrow.
    Creating { deadline: Deadline },
    /// Takes orders.
    Online,
    /// Takes no orders; open orders continue.
    Offline,
    /// Takes no more orders. The remaining escrow is returned once all open orders have ended.
    Revoking {
        /// The payout that returns the escrow; `None` while orders are open.
        payout: Option<PayoutId>,
    },
    Cancelled {
        at: Timestamp,
        reason: EndReason,
        /// The payout that returned the escrow; `None` if nothing was returned on-chain.
        payout: Option<PayoutId>,
    },
    /// Ended and hidden by the owner.
    Deleted {
        at: Timestamp,
        reason: EndReason,
        /// The payout that returned the escrow; `None` if nothing was returned on-chain.
        payout: Option<PayoutId>,
    },
}

/// A group of a user's own adverts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, IntoStaticStr, EnumString)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE", const_into_str)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = AdvertGroup))]
pub enum Group {
    /// Takes orders.
    Online,
    /// Takes no orders now: awaits its escrow, is offline, or is being revoked.
    Offline,
    Ended,
}

impl Advert {
    /// Returns an error if the advert takes no orders: [`Refusal::AdvertState`] if it is frozen,
    /// [`Refusal::AdvertiserOffline`] if it is offline, and [`Refusal::AdvertMissing`] if it is not confirmed yet or
    /// can never come online again.
    pub fn accepts_orders(&self) -> Result<(), Refusal> {
        match self.state {
            State::Online if self.frozen.is_some() => Err(Refusal::AdvertState),
            State::Online => Ok(()),
            State::Offline => Err(Refusal::AdvertiserOffline),
            State::Creating { .. } | State::Revoking { .. } | State::Cancelled { .. } | State::Deleted { .. } => {
                Err(Refusal::AdvertMissing)
            }
        }
    }
}

impl State {
    /// Returns whether this is an end state. A reorganization can still remove the return of the escrow.
    pub fn ended(&self) -> bool {
        matches!(self, Self::Cancelled { .. } | Self::Deleted { .. })
    }

    /// Returns the payout that returns the remaining escrow.
    pub fn payout(&self) -> Option<PayoutId> {
        match self {
            Self::Revoking { payout } | Self::Cancelled { payout, .. } | Self::Deleted { payout, .. } => *payout,
            _ => None,
        }
    }

    /// Returns whether the advert still depends on a payout. A payout that was voided and replaced no longer counts.
    pub fn depends_on(&self, payout: PayoutId) -> bool {
        self.payout() == Some(payout) && !self.ended()
    }
}

/// The reason why an advert ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum EndReason {
    /// The deposit did not arrive in time.
    Expired,
    /// The owner cancelled the advert before its escrow was complete.
    OwnerCancelled,
    /// An unexpected deposit arrived while the advert was in creation.
    WrongDeposit,
    /// Everything was sold.
    SoldOut,
    /// The owner revoked it.
    Revoked,
}
