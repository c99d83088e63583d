//! Disputes: an officer decides an order that neither its parties nor a deadline nor the chain can end. One transaction
//! writes the decision, its postings and its record.

use domain::ids::OrderId;
use domain::orders::{self, Undecidable};
use domain::trade::Party;
use store::officers::About;

use crate::trading::changes::CommandChanges;
use crate::trading::unit_of_work::{Keys, UnitOfWork};
use crate::{Context, Result};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    pub order: OrderId,
    pub winner: Party,
    /// 1 to 100 characters.
    pub officer: String,
    /// 1 to 500 characters.
    pub reason: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decided {
    Done {
        /// The name of the order's new state.
        state: &'static str,
    },
    /// The order does not exist.
    Unknown,
    /// The order does not allow this decision now. Nothing was changed.
    Refused(Undecidable),
}

/// Applies an officer's decision to an order that cannot continue without it.
pub async fn decide(context: &Context, decision: &Decision) -> Result<Decided> {
    let (mut tx, now) = context.begin().await?;
    let keys = Keys { orders: [decision.order].into(), ..Keys::default() };
    let mut work = UnitOfWork::load(context, &mut tx, now, keys).await?;
    let Some(order) = work.orders.get(&decision.order).cloned() else { return Ok(Decided::Unknown) };
    let order = work.without_standstills(order);
    let done = match orders::decide_as_officer(&order, decision.winner, &work.order_inputs(&order)) {
        Ok(done) => done,
        Err(why) => return Ok(Decided::Refused(why)),
    };
    let state = done.order.state.name();
    let mut changes = CommandChanges::default();
    changes.order_changed(&work, done.order, done.effects)?;
    work.accept(changes);
    work.write(&mut tx).await?;
    let act = match decision.winner {
        Party::Buyer => "decide_buyer",
        Party::Seller => "decide_seller",
    };
    let about = About::Order(decision.order);
    store::officers::record(&mut tx, &decision.officer, act, about, &decision.reason, now).await?;
    tx.commit().await?;
    Ok(Decided::Done { state })
}
