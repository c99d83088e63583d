//! Claims: what waits for coins at a custody address.

use crate::clock::Moment;
use crate::ids::{AdvertId, OrderId};
use crate::ledger::Pot;
use crate::money::Amount;

/// What waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Holder {
    /// An advert in creation.
    Advert(AdvertId),
    /// An order awaiting its deposit, or an automatic one awaiting its payment.
    Order(OrderId),
}

/// A claim. At most one is open for each person and asset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Claim {
    /// What waits.
    pub holder: Holder,
    /// In whose vault, for what.
    pub pot: Pot,
    /// How much it needs.
    pub need: Amount,
    /// How much temporary balance its owner offers to it.
    pub offered: Amount,
    /// How much was confirmed since it opened.
    pub arrived: Amount,
    /// When it opened.
    pub opened_at: Moment,
}
