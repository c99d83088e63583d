//! Commands and events of an advert, and their results.

use super::Advert;
use crate::assets::AssetId;
use crate::clock::Timestamp;
use crate::effect::{Effect, OrderChange};
use crate::ids::{PayoutId, UserId};
use crate::money::Amount;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AdvertCaller {
    pub user: UserId,
    /// The version of the advert that the client has read.
    pub seen: i64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AdvertCommand {
    /// Cancel an advert in creation, or revoke an advert that takes orders.
    Cancel,
    /// Switch this advert online or offline. The owner's next switch overrides it.
    Switch { online: bool },
    /// Hide the advert after it has ended.
    Delete,
}

/// Something that orders, the clock, the chain or the owner's switch report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// The funding request for the escrow is complete.
    DepositFunded,
    /// The deadline for the escrow has passed.
    WindowPassed,
    /// An unexpected deposit above the dust limit arrived; it is already part of the owner's temporary balance.
    WrongDeposit {
        asset: AssetId,
        amount: Amount,
        /// The network fee of returning it.
        gas: Amount,
    },
    /// The owner switched all adverts online or offline.
    Switched { online: bool },
    /// An order was placed. The order's own effects move the escrow.
    OrderPlaced {
        /// In base units of the base.
        quantity: Amount,
        /// What the order takes from the advert's escrow, in base units of the escrowed asset.
        escrow: Amount,
    },
    /// An order returned something to the advert, or ended.
    OrderChanged(OrderChange),
    /// The chain confirmed the return.
    ReturnConfirmed { payout: PayoutId },
    /// A reorganization removed the return, whether it was confirmed or not. The same payout is in flight again.
    ReturnRevoked { payout: PayoutId },
    /// The return was voided. The caller makes the posting that returns the coins to the advert's escrow.
    ReturnVoided {
        payout: PayoutId,
        /// In base units of the escrowed asset.
        amount: Amount,
    },
    /// A reorganization reduced the advert's escrow. The caller makes the posting.
    DepositRevoked {
        /// The amount that was debited from the escrow.
        drawn: Amount,
    },
    /// Coins arrived in the vault of a frozen advert.
    DepositReturned {
        /// The owner's temporary balance of the escrowed asset.
        available: Amount,
    },
    /// The platform was down.
    Outage { from: Timestamp, until: Timestamp },
}

/// What a decision depends on besides the advert.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AdvertInputs {
    pub now: Timestamp,
    /// A new identifier, used if the decision creates a payout.
    pub payout: PayoutId,
    /// Whether unconfirmed and credited deposits together cover the advert's open funding request
    /// ([`crate::funding::FundingRequest::covered`]). If so, the advert cannot be cancelled. False without a funding
    /// request.
    pub covered: bool,
    pub owner_online: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AdvertDecision {
    Done(Box<Transition>),
    /// The command already took effect: write nothing and respond as the first time.
    AlreadyDone,
}

/// A changed advert and the effects to write in the same transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transition {
    /// The advert with its next version. Write it only if the row still has the previous version.
    pub advert: Advert,
    /// To be written in this order.
    pub effects: Vec<Effect>,
}
