//! What can be asked of trading, and what is answered.

use domain::adverts;
use domain::assets::PairId;
use domain::clock::Timestamp;
use domain::funding::FundingTarget;
use domain::ids::PaymentMethodId;
use domain::ids::{AdvertId, OrderId, UserId};
use domain::money::{Amount, Price};
use domain::orders;
use domain::trade::Side;

use crate::idempotency::IdempotencyKey;

/// Who asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Actor {
    Person {
        user: UserId,
        key: IdempotencyKey,
    },
    /// The system: the clock, the chain. Its commands repeat themselves harmlessly, because they look at the rows.
    System,
}

/// One command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    /// Who asks.
    pub actor: Actor,
    /// For what.
    pub what: CommandKind,
}

/// What is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CommandKind {
    /// Post an advert.
    PostAdvert(PostAdvert),
    /// Something that its owner asks of an advert.
    Advert {
        /// Which.
        id: AdvertId,
        /// The version that the person saw.
        seen: i64,
        /// What.
        act: adverts::AdvertCommand,
    },
    /// Turn one's switch: all one's adverts follow it.
    Switch {
        /// On or off.
        online: bool,
    },
    /// Order from an advert.
    PlaceOrder(PlaceOrder),
    /// Something that one of its two people asks of an order.
    Order {
        /// Which.
        id: OrderId,
        /// The version that the person saw.
        seen: i64,
        /// What.
        act: orders::OrderCommand,
        /// Whether the security password came with the request and was right.
        password_verified: bool,
    },
    /// Give temporary balance to what waits for coins of the same asset. Without a version: a funding request asks for what it asks
    /// for until it ends, and what was offered once is not there a second time.
    FundFromBalance {
        /// What waits.
        target: FundingTarget,
        /// How much. No more is taken than is missing.
        amount: Amount,
    },
    /// The clock: what an advert's deadline brings, if it brings anything by now.
    AdvertDue(AdvertId),
    /// The clock: what an order's deadline brings, if it brings anything by now.
    OrderDue(OrderId),
    /// The platform was down: an advert's deadline moves.
    AdvertStood {
        /// Which.
        id: AdvertId,
        /// From when.
        from: Timestamp,
        /// Until when.
        until: Timestamp,
    },
    /// The platform was down: an order's deadline moves.
    OrderStood {
        /// Which.
        id: OrderId,
        /// From when.
        from: Timestamp,
        /// Until when.
        until: Timestamp,
    },
}

/// An advert as its owner wants it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PostAdvert {
    /// The pair.
    pub pair: PairId,
    /// Sell or buy the base.
    pub side: Side,
    /// Whether the system accepts, pays and confirms.
    pub automatic: bool,
    /// How much of the base.
    pub quantity: Amount,
    /// For how much of the quote each.
    pub price: Price,
    /// The least total of an order, in the quote.
    pub min_total: Amount,
    /// The largest total of an order, in the quote.
    pub max_total: Amount,
    /// How the owner wants to be paid, or can pay: for fiat.
    pub methods: Vec<PaymentMethodId>,
    /// What the owner wants to say.
    pub remark: Option<String>,
    /// How long buyers may take to pay, within the pair's bounds; the pair's own window if not said.
    pub payment_minutes: Option<u32>,
}

/// An order as its taker wants it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlaceOrder {
    /// From which advert.
    pub advert: AdvertId,
    /// How much.
    pub size: Size,
    /// The price that the taker saw.
    pub price: Price,
    /// The advertiser's payment method that the taker chose: for fiat.
    pub method: Option<PaymentMethodId>,
}

/// How much to order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Size {
    /// This much of the base.
    Quantity(Amount),
    /// As much of the base as this much of the quote buys.
    Total(Amount),
}
