//! The advert, its terms and its states.

use chrono::Duration;
use serde::{Deserialize, Serialize};

use crate::assets::{PairId, Windows};
use crate::chain::Address;
use crate::clock::Timestamp;
use crate::deadline::Deadline;
use crate::ids::{AdvertId, PayoutId, UserId};
use crate::ledger::VaultAsset;
use crate::money::{Amount, Price};
use crate::people::ReceivingAddress;
use crate::refusal::Refusal;
use crate::trade::{Coin, Leg, Method, Side};

/// What is fixed when an advert is posted. To change it is to revoke the advert and post another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Terms {
    /// Who posted it.
    pub owner: UserId,
    /// What the owner does.
    pub side: Side,
    /// Whether the system accepts, pays and confirms.
    pub automatic: bool,
    /// The pair.
    pub pair: PairId,
    /// What is escrowed and released.
    pub base: Coin,
    /// What buyers pay with.
    pub quote: Coin,
    /// Units of the quote for one unit of the base.
    pub price: Price,
    /// How much of the base, in its base units.
    pub quantity: Amount,
    /// What the whole quantity costs, in base units of the quote, rounded down.
    pub total: Amount,
    /// The least total of an order, in base units of the quote.
    pub min_total: Amount,
    /// The largest total of an order, in base units of the quote.
    pub max_total: Amount,
    /// The owner's payment methods; empty for a coin as quote.
    pub methods: Vec<Method>,
    /// Where the owner is paid, if the owner sells for a coin.
    pub receiving: Option<ReceivingAddress>,
    /// The owner's bound address: where returns go.
    pub bound: Address,
    /// What the owner wants to say; at most 100 characters.
    pub remark: Option<String>,
    /// How long each step may take.
    pub windows: Windows,
    /// When it was posted.
    pub created_at: Timestamp,
}

impl Terms {
    /// What the advert escrows, and how much of it: the base on sell adverts, the quote on automatic buy adverts,
    /// nothing on manual buy adverts.
    pub fn escrow(&self) -> Option<(Leg, VaultAsset, Amount)> {
        let vault_asset = |coin: Coin| VaultAsset { vault: self.owner, asset: coin.asset };
        match (self.side, self.automatic) {
            (Side::Sell, _) => Some((Leg::Base, vault_asset(self.base), self.quantity)),
            (Side::Buy, true) => Some((Leg::Quote, vault_asset(self.quote), self.total)),
            (Side::Buy, false) => None,
        }
    }

    /// What the return of what remains costs, in the escrowed asset.
    pub fn return_gas(&self) -> Amount {
        match self.escrow() {
            Some((Leg::Base, ..)) => self.base.return_gas,
            Some((Leg::Quote, ..)) => self.quote.return_gas,
            None => Amount::ZERO,
        }
    }

    /// How long the escrow may take to arrive.
    pub fn deposit_window(&self) -> Duration {
        self.windows.advert_deposit
    }
}

/// One advert.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Advert {
    /// Its identifier.
    pub id: AdvertId,
    /// 1 when it is posted; one more with every transition.
    pub version: i64,
    /// What never changes.
    pub terms: Terms,
    /// Where it stands.
    pub state: State,
    /// How much of the base can still be ordered, in its base units.
    pub remaining: Amount,
    /// What the advert's escrow account holds, in base units of the escrowed asset.
    pub escrow: Amount,
    /// How many orders have not ended yet.
    pub running: u32,
    /// Set while a reorganisation has taken part of the escrow: no new orders.
    pub frozen: Option<Frozen>,
    /// How often coins were funded for the advert; numbers the postings.
    pub funding_rounds: u32,
    /// The instant `confirmed`: when the escrow was complete.
    pub confirmed_at: Option<Timestamp>,
}

/// Part of an advert's escrow left the chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Frozen {
    /// Since when.
    pub since: Timestamp,
    /// What is missing, in base units of the escrowed asset.
    pub missing: Amount,
}

/// Where an advert stands. `confirmed` is an instant ([`Advert::confirmed_at`]) and no state of its own.
///
/// The serialised form, `{"state": "CREATING", …}`, may be kept in a row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "SCREAMING_SNAKE_CASE", deny_unknown_fields)]
pub enum State {
    /// Waits for its escrow.
    Creating {
        /// Until when.
        deadline: Deadline,
    },
    /// Takes orders.
    Online,
    /// Takes none, because its owner is offline. Running orders go on.
    Offline,
    /// Takes none any more. Waits for running orders, then for the return of what remains.
    Revoking {
        /// The return, once it is decided.
        payout: Option<PayoutId>,
    },
    /// Has ended.
    Cancelled {
        /// When.
        at: Timestamp,
        /// Why.
        reason: EndReason,
        /// The return, if one was needed on the chain.
        payout: Option<PayoutId>,
    },
    /// Has ended, and its owner does not want to see it any more.
    Deleted {
        /// When it ended.
        at: Timestamp,
        /// Why it ended.
        reason: EndReason,
        /// The return, if one was needed on the chain.
        payout: Option<PayoutId>,
    },
}

impl Advert {
    /// Refuses if a taker cannot order from the advert: [`Refusal::AdvertState`] while part of its escrow is missing,
    /// [`Refusal::AdvertiserOffline`] while it is offline, and [`Refusal::AdvertMissing`] before its creation completes
    /// and from its revocation on, since waiting for it to come online would be in vain.
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
    /// The names of all states, in the order of an advert's life.
    pub const NAMES: [&'static str; 6] = ["CREATING", "ONLINE", "OFFLINE", "REVOKING", "CANCELLED", "DELETED"];

    /// The name under which it is kept and sent.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Creating { .. } => "CREATING",
            Self::Online => "ONLINE",
            Self::Offline => "OFFLINE",
            Self::Revoking { .. } => "REVOKING",
            Self::Cancelled { .. } => "CANCELLED",
            Self::Deleted { .. } => "DELETED",
        }
    }

    /// Whether it has ended. The chain may still take a return back.
    pub fn ended(&self) -> bool {
        matches!(self, Self::Cancelled { .. } | Self::Deleted { .. })
    }

    /// The return of what remained.
    pub fn payout(&self) -> Option<PayoutId> {
        match self {
            Self::Revoking { payout } | Self::Cancelled { payout, .. } | Self::Deleted { payout, .. } => *payout,
            _ => None,
        }
    }
}

/// Why an advert ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum EndReason {
    /// Its escrow did not come in time.
    Expired,
    /// Its owner cancelled it before its escrow was complete.
    OwnerCancelled,
    /// Something arrived that it did not ask for.
    WrongDeposit,
    /// Everything is sold.
    SoldOut,
    /// Its owner revoked it.
    Revoked,
}
