//! The commands of trading and their responses.

use domain::adverts;
use domain::checks::AdvertRequest;
use domain::clock::Timestamp;
use domain::funding::FundingTarget;
use domain::ids::{AdvertId, OrderId, UserId};
use domain::money::Amount;
use domain::orders;

use crate::idempotency::IdempotencyKey;
use crate::orders::PlaceOrder;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Actor {
    Person {
        user: UserId,
        key: IdempotencyKey,
    },
    /// The clock or the chain. Their commands are safe to repeat, because they depend only on database rows.
    System,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    pub actor: Actor,
    pub what: CommandKind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CommandKind {
    PostAdvert(AdvertRequest),
    /// A command from the owner of an advert.
    Advert {
        id: AdvertId,
        /// The version that the user saw.
        seen: i64,
        act: adverts::AdvertCommand,
    },
    /// Sets the user and all their adverts online or offline.
    Switch {
        online: bool,
    },
    PlaceOrder(PlaceOrder),
    /// A command from the buyer or seller of an order.
    Order {
        id: OrderId,
        /// The version that the user saw.
        seen: i64,
        act: orders::OrderCommand,
        proofs: orders::Proofs,
        /// The most reputation points that the user accepts to lose; `None` accepts any cost.
        accepted_cost: Option<i32>,
    },
    /// Gives temporary balance to a funding request for the same asset. Needs no version: the required amount of a
    /// funding request never changes, and the same balance cannot be given twice.
    FundFromBalance {
        target: FundingTarget,
        /// The amount that the user offers. Anything above the missing amount is not used.
        amount: Amount,
    },
    /// Applies an advert's deadline if it is due.
    AdvertDue(AdvertId),
    /// Applies an order's deadline if it is due.
    OrderDue(OrderId),
    /// Moves an advert's deadline by an outage.
    AdvertStood {
        id: AdvertId,
        from: Timestamp,
        until: Timestamp,
    },
    /// Moves an order's deadline by an outage.
    OrderStood {
        id: OrderId,
        from: Timestamp,
        until: Timestamp,
    },
}
