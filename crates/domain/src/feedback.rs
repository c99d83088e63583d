//! What the parties of a completed order may say about each other.

use crate::ids::UserId;
use crate::orders::{Order, State};
use crate::refusal::Refusal;

/// Returns whom a party gives feedback about after an order. `given` is whether the party has given it already.
pub fn subject(order: &Order, author: UserId, given: bool) -> Result<UserId, Refusal> {
    let terms = &order.terms;
    terms.party(author).ok_or(Refusal::OrderMissing)?;
    if !matches!(order.state, State::Completed { .. }) {
        return Err(Refusal::FeedbackTooEarly);
    }
    if given {
        return Err(Refusal::FeedbackGiven);
    }
    Ok(if terms.advertiser == author { terms.taker } else { terms.advertiser })
}
