//! What can be done to an advert, and what comes of it.

use super::Advert;
use crate::assets::AssetId;
use crate::clock::Timestamp;
use crate::effect::{Effect, OrderChange};
use crate::ids::{PayoutId, UserId};
use crate::money::Amount;

/// A person who asks, and what is known of the request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AdvertCaller {
    /// Who: the owner, or the answer is that there is no such advert.
    pub user: UserId,
    /// The advert's version that the person saw.
    pub seen: i64,
}

/// What its owner may ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AdvertCommand {
    /// End it: cancels an advert in creation, revokes one that takes orders.
    Cancel,
    /// Take it online or offline by itself. It follows its owner's switch again when that is next moved.
    Switch {
        /// Whether it takes orders from now on.
        online: bool,
    },
    /// Hide it, after it has ended.
    Delete,
}

/// What orders, the clock, the chain or its owner's switch bring.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// The funding request for its escrow is complete.
    DepositFunded,
    /// The window for its escrow has passed.
    WindowPassed,
    /// Something arrived that it did not ask for, above the dust bound; it is the owner's temporary balance by now.
    WrongDeposit {
        /// Which asset.
        asset: AssetId,
        /// How much.
        amount: Amount,
        /// What a return of it costs.
        gas: Amount,
    },
    /// Its owner went online or offline: every advert follows.
    Switched {
        /// Whether the owner is online now.
        online: bool,
    },
    /// Somebody ordered. The order's own effects move the escrow.
    OrderPlaced {
        /// How much of the base, in its base units.
        quantity: Amount,
        /// What the order takes out of the advert's escrow, in base units of the escrowed asset.
        escrow: Amount,
    },
    /// An order gave something back, or ended.
    OrderChanged(OrderChange),
    /// The chain has confirmed the return.
    ReturnConfirmed {
        /// Which.
        payout: PayoutId,
    },
    /// The chain has taken the return back, whether it was confirmed or only seen. The same payout stays owed.
    ReturnRevoked {
        /// Which.
        payout: PayoutId,
    },
    /// The chain has voided the return: what it carried is in the advert's escrow again; the posting for it is the caller's.
    ReturnVoided {
        /// Which.
        payout: PayoutId,
        /// What came back, in base units of the escrowed asset.
        amount: Amount,
    },
    /// A reorganisation has drawn something out of the advert's escrow; the posting for it is the caller's.
    DepositRevoked {
        /// How much was drawn.
        drawn: Amount,
    },
    /// Coins have arrived in the vault of a frozen advert.
    DepositReturned {
        /// The owner's temporary balance of the escrowed asset.
        available: Amount,
    },
    /// The platform itself stood still.
    Outage {
        /// From when.
        from: Timestamp,
        /// Until when.
        until: Timestamp,
    },
}

/// What must be known besides the advert.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AdvertInputs {
    /// The product's time.
    pub now: Timestamp,
    /// An identifier for the payout that may come of it; fresh.
    pub payout: PayoutId,
    /// Whether what is seen in blocks and what is credited cover the advert's open funding request
    /// ([`crate::funding::FundingRequest::covered`]). Nobody may cancel then. False without a funding request.
    pub covered: bool,
    /// Whether the owner's switch is on.
    pub owner_online: bool,
}

/// What comes of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AdvertDecision {
    /// The advert changed.
    Done(Box<Transition>),
    /// It had been done before: nothing to write, answer as if it had just been done.
    AlreadyDone,
}

/// A changed advert and what goes into the same commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transition {
    /// The advert with its next version. Write it where the row still has the version before.
    pub advert: Advert,
    /// What else to write, in this order.
    pub effects: Vec<Effect>,
}
