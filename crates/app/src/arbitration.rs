//! An officer decides an order that its parties, the clock and the chain leave as it is. The decision, what it moves, and the
//! record of it are one commit.

use domain::ids::OrderId;
use domain::orders::{self, Undecidable};
use domain::trade::Party;
use store::officers::About;

use crate::trading::changes::CommandChanges;
use crate::trading::unit_of_work::{Keys, UnitOfWork};
use crate::{Context, Error, Result};

/// An officer's decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// About which order.
    pub order: OrderId,
    /// For which of its sides.
    pub winner: Party,
    /// Who decides: 1 to 100 characters.
    pub officer: String,
    /// Why: 1 to 500 characters.
    pub reason: String,
}

/// What became of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decided {
    /// It is carried out.
    Done {
        /// The order's state from now on, by its name.
        state: &'static str,
    },
    /// There is no such order.
    Unknown,
    /// The order is not an officer's to decide, or not so. Nothing was written.
    Refused(Undecidable),
}

/// Decides an order, if nobody else can.
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
    work.write(&mut tx).await.map_err(Error::from)?;
    let act = match decision.winner {
        Party::Buyer => "decide_buyer",
        Party::Seller => "decide_seller",
    };
    let about = About::Order(decision.order);
    store::officers::record(&mut tx, &decision.officer, act, about, &decision.reason, now).await?;
    tx.commit().await?;
    Ok(Decided::Done { state })
}
