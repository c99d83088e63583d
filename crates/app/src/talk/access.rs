//! Who has access to the conversation of an order: its two parties, and officers on its case. To anyone else, the order does
//! not exist.

use domain::ids::{OrderId, UserId};
use domain::orders::Order;
use domain::refusal::Refusal;
use domain::trade::Party;
use store::Tx;

use crate::Result;

/// Who reads a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Viewer {
    /// A user, who must be a party of the order.
    User(UserId),
    /// An officer. The caller must have checked that the officer is on the order's case.
    Officer,
}

impl Viewer {
    /// Returns the viewer's role in the order; `None` for an officer.
    pub(super) fn party(self, order: &Order) -> std::result::Result<Option<Party>, Refusal> {
        match self {
            Self::User(user) => order.terms.party(user).map(Some).ok_or(Refusal::OrderMissing),
            Self::Officer => Ok(None),
        }
    }
}

/// Returns the order, the role of one of its parties, and the other party.
pub(super) async fn as_party(tx: &mut Tx, user: UserId, id: OrderId) -> Result<(Order, Party, UserId)> {
    let order = store::orders::read(tx, &[id]).await?.pop().ok_or(Refusal::OrderMissing)?;
    let party = order.terms.party(user).ok_or(Refusal::OrderMissing)?;
    let other = order.terms.user(party.other());
    Ok((order, party, other))
}

/// Locks both parties of an order, then the order. Returns the order and the role of the user, who must be a party.
pub(super) async fn lock_as_party(tx: &mut Tx, user: UserId, id: OrderId) -> Result<(Order, Party)> {
    as_party(tx, user, id).await?;
    let order = lock(tx, id).await?;
    let party = order.terms.party(user).ok_or(Refusal::OrderMissing)?;
    Ok((order, party))
}

/// Locks both parties of an order, then the order.
pub(super) async fn lock(tx: &mut Tx, id: OrderId) -> Result<Order> {
    let parties = store::orders::parties(tx, &[id]).await?.pop().ok_or(Refusal::OrderMissing)?;
    store::users::lock(tx, &[parties.advertiser, parties.taker]).await?;
    Ok(store::orders::lock(tx, &[id]).await?.pop().ok_or(Refusal::OrderMissing)?)
}
