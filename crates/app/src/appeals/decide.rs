//! The decisions of officers about appeals. One transaction writes the decision, its postings and its record.

use chrono::Duration;
use domain::clock::Timestamp;
use domain::console::count_as_two;
use domain::ids::{AppealId, OfficerId, OrderId};
use domain::orders::{self, AppealDecision, AppealStatus, Authority, Movement, Order, Undecidable};
use domain::trade::Party;
use serde_json::{Value, json};
use store::Tx;
use store::appeals::Proposal;
use store::console::audit::{By, Entry, Subject};

use super::value::Valuation;
use crate::engine::changes::CommandChanges;
use crate::engine::unit_of_work::{Keys, UnitOfWork};
use crate::{Context, Error, Result};

/// The settings of appeals.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rules {
    /// The time within which officers should decide an appeal. Nothing happens when it is over.
    pub decide_within: Duration,
    /// The time between a verdict and its execution.
    pub verdict_delay: Duration,
    /// The code of the asset in which the limits are given.
    pub unit: String,
    /// The value up to which customer service decides, in whole units.
    pub customer_service: String,
    /// The value up to which one officer decides alone, in whole units.
    pub one_officer: String,
}

impl Default for Rules {
    fn default() -> Self {
        let [unit, customer_service, one_officer] = ["USDT", "500", "10000"].map(str::to_owned);
        let day = Duration::hours(24);
        Self { decide_within: day, verdict_delay: day, unit, customer_service, one_officer }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Officer {
    /// The account. Two officers are two accounts that [count as two](count_as_two), whatever their names.
    pub id: OfficerId,
    pub by: By,
    pub authority: Authority,
}

/// What an officer decides. The reasons are public.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ruling {
    /// One party wins. Only an appeal whose initiator loses can be malicious.
    Verdict { winner: Party, malicious: bool },
    /// The order resumes.
    Reject { malicious: bool },
    /// The verdict is revoked before its execution.
    Reopen,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AppealRuling {
    pub order: OrderId,
    pub ruling: Ruling,
    pub officer: Officer,
    /// 1 to 500 characters.
    pub note: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decided {
    Done(Box<Order>),
    /// The decision needs a second officer, who has not agreed yet.
    Proposed,
    /// The order does not exist.
    Unknown,
    /// The order does not allow this decision now. Nothing was changed.
    Refused(Undecidable),
}

/// Decides the open appeal about an order. A decision that was already made is not repeated.
pub async fn decide(context: &Context, rules: &Rules, decision: &AppealRuling) -> Result<Decided> {
    let (mut tx, now) = context.begin().await?;
    let mut work = load(context, &mut tx, now, decision.order).await?;
    let decided = decide_in(&mut tx, &mut work, rules, decision).await?;
    tx.commit().await?;
    context.changed(&work.changes());
    Ok(decided)
}

/// Locks everything that a decision about an order needs.
pub(crate) async fn load(context: &Context, tx: &mut Tx, now: Timestamp, order: OrderId) -> Result<UnitOfWork> {
    let keys = Keys { orders: [order].into(), ..Keys::default() };
    Ok(UnitOfWork::load(context, tx, now, keys).await?)
}

/// Decides the open appeal about an order that was [loaded](load). Writes nothing unless the result is `Done` or
/// `Proposed`. The caller commits.
pub(crate) async fn decide_in(
    tx: &mut Tx,
    work: &mut UnitOfWork,
    rules: &Rules,
    decision: &AppealRuling,
) -> Result<Decided> {
    orders::check_appeal_text("note", Some(&decision.note))?;
    let note = decision.note.trim();
    let Some(order) = work.orders.get(&decision.order).cloned() else { return Ok(Decided::Unknown) };
    if repeated(&order, decision) {
        return Ok(Decided::Done(Box::new(order)));
    }
    let valuation = Valuation::new(&work.reference_data, rules, work.now)?;
    let value = valuation.of(&order);
    let needs_second = valuation.limits.needs_second_officer(value);
    if !valuation.limits.allows(decision.officer.authority, value) {
        return Ok(Decided::Refused(Undecidable::AboveLimit));
    }
    let order = work.extended_by_outages(order);
    let delay = rules.verdict_delay;
    let ruling = match decision.ruling {
        Ruling::Verdict { winner, malicious } => {
            AppealDecision::Verdict { winner, note: note.to_owned(), malicious, delay }
        }
        Ruling::Reject { malicious } => AppealDecision::Reject { note: note.to_owned(), malicious },
        Ruling::Reopen => AppealDecision::Reopen,
    };
    if let Some(open) = order.open_appeal() {
        ruling.check(open)?;
    }
    let done = match orders::decide_appeal(&order, &ruling, &work.order_inputs(&order)) {
        Ok(done) => done,
        Err(why) => return Ok(Decided::Refused(why)),
    };
    let Some(appeal) = order.open_appeal().map(|open| open.id) else {
        return Ok(Decided::Refused(Undecidable::NotOpen));
    };
    let proposed = if needs_second {
        let movements = match orders::decision_effects(&order, &ruling, &work.order_inputs(&order)) {
            Ok(effects) => effects.movements,
            Err(why) => return Ok(Decided::Refused(why)),
        };
        match proposal(decision, &movements, work.now)? {
            Some(proposal) => match propose(tx, appeal, &proposal).await? {
                Second::Agrees => false,
                Second::IsMissing => true,
                Second::IsNotIndependent => return Ok(Decided::Refused(Undecidable::NotIndependent)),
            },
            None => false,
        }
    } else {
        false
    };
    let decided = if proposed {
        Decided::Proposed
    } else {
        let decided = Decided::Done(Box::new(done.order.clone()));
        let mut changes = CommandChanges::default();
        changes.order_changed(work, done.order, done.effects)?;
        work.accept(changes);
        work.write(tx).await?;
        decided
    };
    let (action, details) = recorded(decision.ruling, proposed);
    let entry = Entry { action, subject: Subject::Appeal(appeal), details, reason: Some(note) };
    store::console::audit::record(tx, &decision.officer.by, entry, work.now).await?;
    Ok(decided)
}

/// Returns what a decision that needs a second officer proposes. `None` for a revocation, which only lets officers decide
/// again and therefore needs none.
fn proposal(decision: &AppealRuling, movements: &[Movement], at: Timestamp) -> Result<Option<Proposal>> {
    let (winner, malicious) = match decision.ruling {
        Ruling::Verdict { winner, malicious } => (Some(winner), malicious),
        Ruling::Reject { malicious } => (None, malicious),
        Ruling::Reopen => return Ok(None),
    };
    let movements = serde_json::to_value(movements).map_err(Error::internal)?;
    let Officer { id, by, .. } = &decision.officer;
    let (officer, note) = (by.name.clone(), decision.note.trim().to_owned());
    Ok(Some(Proposal { id: 0, officer_id: *id, officer, winner, malicious, note, movements, at }))
}

/// Whether a second officer agrees to a proposal.
enum Second {
    /// The proposal is that of another officer.
    Agrees,
    /// The proposal replaces the earlier one, and waits for another officer.
    IsMissing,
    /// The earlier proposal is the same, but its officer and this one do not count as two.
    IsNotIndependent,
}

/// Compares a proposal with the earlier one, and replaces it unless they are the same.
async fn propose(tx: &mut Tx, appeal: AppealId, proposal: &Proposal) -> Result<Second> {
    let earlier = store::appeals::proposals(tx, &[appeal]).await?.pop().map(|(_, earlier)| earlier);
    if let Some(earlier) = earlier
        && agree(&earlier, proposal)
        && still_decides(tx, earlier.officer_id).await?
    {
        let independent = are_independent(tx, earlier.officer_id, proposal.officer_id, proposal.at).await?;
        return Ok(if independent { Second::Agrees } else { Second::IsNotIndependent });
    }
    store::appeals::end_proposal(tx, appeal, proposal.at).await?;
    store::appeals::propose(tx, appeal, proposal).await?;
    Ok(Second::IsMissing)
}

/// Returns the name of a decision in the audit log, and its details.
fn recorded(ruling: Ruling, proposed: bool) -> (&'static str, Value) {
    let (action, malicious) = match (ruling, proposed) {
        (Ruling::Verdict { winner: Party::Buyer, malicious }, false) => ("decide_buyer", malicious),
        (Ruling::Verdict { winner: Party::Seller, malicious }, false) => ("decide_seller", malicious),
        (Ruling::Verdict { winner: Party::Buyer, malicious }, true) => ("propose_buyer", malicious),
        (Ruling::Verdict { winner: Party::Seller, malicious }, true) => ("propose_seller", malicious),
        (Ruling::Reject { malicious }, false) => ("reject_appeal", malicious),
        (Ruling::Reject { malicious }, true) => ("propose_reject", malicious),
        (Ruling::Reopen, _) => return ("reopen_appeal", json!({})),
    };
    (action, json!({ "malicious": malicious }))
}

/// Returns whether the appeal already has exactly this decision.
fn repeated(order: &Order, decision: &AppealRuling) -> bool {
    let Some(appeal) = &order.appeal else { return false };
    match (&appeal.status, decision.ruling) {
        (
            AppealStatus::Decided { verdict, .. } | AppealStatus::Executed { verdict, .. },
            Ruling::Verdict { winner, malicious },
        ) => verdict.winner == winner && verdict.malicious == malicious && verdict.note == decision.note.trim(),
        (AppealStatus::Rejected { note, malicious, .. }, Ruling::Reject { malicious: found }) => {
            *malicious == found && note == decision.note.trim()
        }
        _ => false,
    }
}

/// Returns whether a proposal is of this ruling, malicious or not, and moves these coins.
pub(crate) fn proposes(proposal: &Proposal, ruling: Ruling, movements: &[Movement]) -> Result<bool> {
    let winner = match ruling {
        Ruling::Verdict { winner, .. } => Some(winner),
        Ruling::Reject { .. } => None,
        Ruling::Reopen => return Ok(false),
    };
    let movements = serde_json::to_value(movements).map_err(Error::internal)?;
    Ok(proposal.winner == winner && proposal.movements == movements)
}

/// Returns whether two proposals by different officers are the same. If the order has changed so that the decision moves other
/// coins, the earlier officer has not agreed to that.
fn agree(earlier: &Proposal, proposal: &Proposal) -> bool {
    earlier.officer_id != proposal.officer_id
        && (earlier.winner, earlier.malicious) == (proposal.winner, proposal.malicious)
        && earlier.movements == proposal.movements
}

/// Returns whether two officers count as two.
pub(crate) async fn are_independent(tx: &mut Tx, one: OfficerId, other: OfficerId, now: Timestamp) -> Result<bool> {
    Ok(count_as_two(one, other, &store::console::appointments::recent(tx, now).await?, now))
}

/// Returns whether an officer who has made a proposal may still decide appeals. Changes of the officer in the console also end
/// the proposal for good.
async fn still_decides(tx: &mut Tx, officer: OfficerId) -> Result<bool> {
    let account = store::console::accounts::by_id(tx, officer).await?.map(|account| account.officer);
    Ok(account.is_some_and(|officer| officer.is_active() && officer.role.authority() == Some(Authority::AppealOfficer)))
}
