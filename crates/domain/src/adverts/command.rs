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
    /// Cancels an advert in creation, or revokes a confirmed advert.
    Cancel,
    /// Switches this advert online or offline. Switching all adverts of the owner overrides this.
    Switch { online: bool },
    /// Hides an ended advert.
    Delete,
}

/// An event from orders, the clock, the chain or the owner's online switch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// The funding request for the escrow is complete.
    DepositFunded,
    /// The deposit window has passed.
    WindowPassed,
    /// An unexpected deposit above the dust limit arrived. It is already credited to the owner's temporary balance.
    WrongDeposit {
        asset: AssetId,
        amount: Amount,
        /// The network fee of returning the deposit; `None` if it cannot be taken out of the deposit, because it is an NFT.
        gas: Option<Amount>,
    },
    /// The owner went online or offline, which switches all of the owner's adverts.
    Switched { online: bool },
    /// An order was placed. The effects of the order itself move the escrow.
    OrderPlaced {
        /// In base units of the base.
        quantity: Amount,
        /// The amount that the order takes from the advert's escrow, in base units of the escrowed asset.
        escrow: Amount,
    },
    /// An order ended, or gave back quantity or escrow to the advert.
    OrderChanged(OrderChange),
    /// The chain confirmed the return of the escrow.
    ReturnConfirmed { payout: PayoutId },
    /// A reorganization removed the return of the escrow, confirmed or not. The same payout is in flight again.
    ReturnRevoked { payout: PayoutId },
    /// The return was voided. The caller writes the posting that moves the coins back to the advert's escrow.
    ReturnVoided {
        payout: PayoutId,
        /// In base units of the escrowed asset.
        amount: Amount,
    },
    /// A reorganization reduced the advert's escrow. The caller writes the posting.
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

/// The inputs of a decision besides the advert.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AdvertInputs {
    pub now: Timestamp,
    /// A new identifier, used if the decision creates a payout.
    pub payout: PayoutId,
    /// Whether unconfirmed and credited deposits together cover the advert's open funding request
    /// ([`crate::funding::FundingRequest::covered`]). If so, the advert cannot be cancelled. False if there is no
    /// funding request.
    pub covered: bool,
    pub owner_online: bool,
    /// Whether the owner may withdraw coins: no flag and no hold forbids it ([`crate::users::User::may_withdraw`]). If not,
    /// coins that would be paid back to the owner become temporary balance.
    pub owner_may_withdraw: bool,
}

/// A changed advert and the effects to write in the same transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transition {
    /// The advert with an incremented version. Write it only if the row still has the previous version.
    pub advert: Advert,
    /// Write them in this order.
    pub effects: Vec<Effect>,
}
