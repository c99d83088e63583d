//! The decisions of officers about appeals. One transaction writes the decision, its postings and its record.

use chrono::Duration;
use domain::assets::AssetId;
use domain::ids::OrderId;
use domain::money::Amount;
use domain::orders::{self, AppealDecision, AppealStatus, Authority, Limits, Order, Undecidable};
use domain::trade::Party;
use store::appeals::Proposal;
use store::officers::About;

use crate::trading::changes::CommandChanges;
use crate::trading::unit_of_work::{Keys, UnitOfWork};
use crate::{Context, Error, Result};

/// The settings of appeals.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rules {
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
        Self { verdict_delay: Duration::hours(24), unit, customer_service, one_officer }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Officer {
    /// 1 to 100 characters.
    pub name: String,
    pub authority: Authority,
}

/// What an officer decides. The reasons are public.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ruling {
    /// One party wins.
    Verdict { winner: Party, malicious: bool },
    /// The order resumes.
    Reject { malicious: bool },
    /// The verdict is revoked before its execution.
    Reopen,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    pub order: OrderId,
    pub ruling: Ruling,
    pub officer: Officer,
    /// 1 to 500 characters.
    pub note: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decided {
    Done(Box<Order>),
    /// The verdict needs a second officer, who has not agreed yet.
    Proposed,
    /// The order does not exist.
    Unknown,
    /// The order does not allow this decision now. Nothing was changed.
    Refused(Undecidable),
}

/// Decides the open appeal about an order. A decision that was already made is not repeated.
pub async fn decide(context: &Context, rules: &Rules, decision: &Decision) -> Result<Decided> {
    orders::check_appeal_text("note", Some(&decision.note))?;
    let (mut tx, now) = context.begin().await?;
    let keys = Keys { orders: [decision.order].into(), ..Keys::default() };
    let mut work = UnitOfWork::load(context, &mut tx, now, keys).await?;
    let Some(order) = work.orders.get(&decision.order).cloned() else { return Ok(Decided::Unknown) };
    if repeated(&order, decision) {
        return Ok(Decided::Done(Box::new(order)));
    }
    let limits = limits(&work, rules)?;
    let value = value(&work, rules, &order);
    if !limits.allows(decision.officer.authority, value) {
        return Ok(Decided::Refused(Undecidable::AboveLimit));
    }
    let order = work.without_standstills(order);
    let note = decision.note.trim().to_owned();
    let delay = rules.verdict_delay;
    let ruling = match decision.ruling {
        Ruling::Verdict { winner, malicious } => AppealDecision::Verdict { winner, note, malicious, delay },
        Ruling::Reject { malicious } => AppealDecision::Reject { note, malicious },
        Ruling::Reopen => AppealDecision::Reopen,
    };
    let done = match orders::decide_appeal(&order, &ruling, &work.order_inputs(&order)) {
        Ok(done) => done,
        Err(why) => return Ok(Decided::Refused(why)),
    };
    let proposed = match decision.ruling {
        Ruling::Verdict { winner, malicious } if limits.needs_second_officer(value) => {
            let proposal = Proposal {
                officer: decision.officer.name.clone(),
                winner,
                malicious,
                note: decision.note.clone(),
                at: now,
            };
            !agreed(&mut tx, &order, &proposal).await?
        }
        _ => false,
    };
    let decided = if proposed {
        Decided::Proposed
    } else {
        let decided = Decided::Done(Box::new(done.order.clone()));
        let mut changes = CommandChanges::default();
        changes.order_changed(&work, done.order, done.effects)?;
        work.accept(changes);
        work.write(&mut tx).await?;
        decided
    };
    let act = match (decision.ruling, proposed) {
        (Ruling::Verdict { winner: Party::Buyer, .. }, false) => "decide_buyer",
        (Ruling::Verdict { winner: Party::Seller, .. }, false) => "decide_seller",
        (Ruling::Verdict { winner: Party::Buyer, .. }, true) => "propose_buyer",
        (Ruling::Verdict { winner: Party::Seller, .. }, true) => "propose_seller",
        (Ruling::Reject { .. }, _) => "reject_appeal",
        (Ruling::Reopen, _) => "reopen_appeal",
    };
    let about = About::Order(decision.order);
    store::officers::record(&mut tx, &decision.officer.name, act, about, &decision.note, now).await?;
    tx.commit().await?;
    context.changed(&work.changes());
    Ok(decided)
}

/// Returns whether the appeal already has exactly this decision.
fn repeated(order: &Order, decision: &Decision) -> bool {
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

/// Returns whether another officer has proposed the same verdict. Otherwise, records the proposal.
async fn agreed(tx: &mut store::Tx, order: &Order, proposal: &Proposal) -> Result<bool> {
    let Some(appeal) = order.open_appeal().map(|open| open.id) else { return Ok(false) };
    let earlier = store::appeals::proposals(tx, &[appeal]).await?.pop().map(|(_, earlier)| earlier);
    let same = earlier.is_some_and(|earlier| {
        earlier.officer != proposal.officer
            && earlier.winner == proposal.winner
            && earlier.malicious == proposal.malicious
    });
    if !same {
        store::appeals::end_proposal(tx, appeal, proposal.at).await?;
        store::appeals::propose(tx, appeal, proposal).await?;
    }
    Ok(same)
}

/// Returns the asset in which orders are valued, and its decimals; `None` if the platform does not have it.
fn unit(work: &UnitOfWork, rules: &Rules) -> Option<(AssetId, u8)> {
    let unit = work.reference_data.assets.values().find(|asset| asset.code == rules.unit)?;
    Some((unit.id, unit.decimals))
}

fn limits(work: &UnitOfWork, rules: &Rules) -> Result<Limits> {
    let decimals = unit(work, rules).map_or(0, |(_, decimals)| decimals);
    let amount = |text: &str| {
        Amount::parse(text, decimals).map_err(|_| Error::Internal(format!("{text} is no limit of appeals")))
    };
    Ok(Limits { customer_service: amount(&rules.customer_service)?, one_officer: amount(&rules.one_officer)? })
}

/// Returns the value of an order in the unit of the limits: its total or its quantity, or the quantity at the reference
/// price. `None` if there is no reference price.
fn value(work: &UnitOfWork, rules: &Rules, order: &Order) -> Option<Amount> {
    let (unit, decimals) = unit(work, rules)?;
    let terms = &order.terms;
    if terms.quote.asset == unit {
        return Some(terms.total);
    }
    if terms.base.asset == unit {
        return Some(terms.quantity);
    }
    let mut pairs = work.reference_data.pairs.values();
    let pair = pairs.find(|pair| pair.base.id == terms.base.asset && pair.quote.id == unit)?;
    let price = work.reference_data.reference_prices.get(&pair.id)?;
    price.total(terms.quantity, terms.base.decimals, decimals).ok()
}
