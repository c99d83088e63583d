//! Officers work on appeals: they choose one from the queue, join its case, read it, speak with its parties and decide it.
//!
//! The queue shows no personal data. Everything else about a case is refused to officers who have not joined it. A case ends
//! with its appeal: officers on it can then read what belongs to it for a while, and do nothing more.

mod assignee;
mod case;
mod decision;
mod files;
mod member;
mod next;
mod notes;
mod options;
mod parties;
mod queue;
mod requests;
mod search;
mod talk;
mod transactions;

pub use case::{CaseAct, CaseOrder, CaseView};
pub use decision::CaseDecision;
pub use options::DecisionOption;
pub use parties::{PartyOrder, PartyView};
pub use queue::{QueueOrder, QueuePage, QueueRow, QueueView};
pub use store::console::assignments::Colleague;
pub use store::console::case_notes::Note as CaseNote;
pub use talk::CaseTalk;
pub use transactions::{ChainTransaction, TransactionKind, TransactionState};

use chrono::Duration;
use domain::clock::{Timestamp, after};
use domain::console::OfficerRefusal;
use domain::ids::{AppealId, OfficerId};
use domain::orders::Appeal;
use domain::refusal::Refusal;
use store::Tx;
use store::appeals::StoredAppeal;
use store::console::cases;

use crate::Result;

/// How long officers can read a case after the end of its appeal.
const READABLE_FOR: Duration = Duration::days(7);

/// Returns the time from which officers on a case can no longer read it; `None` while the appeal is open.
fn readable_until(appeal: &Appeal) -> Option<Timestamp> {
    appeal.status.ended_at().map(|ended| after(ended, READABLE_FOR))
}

fn is_readable(appeal: &Appeal, now: Timestamp) -> bool {
    readable_until(appeal).is_none_or(|until| now < until)
}

/// Returns an appeal to an officer who has joined its case and may read it.
async fn on_case(tx: &mut Tx, id: AppealId, officer: OfficerId, now: Timestamp) -> Result<StoredAppeal> {
    let stored = store::appeals::find(tx, id).await?.ok_or(Refusal::AppealMissing)?;
    let readable = is_readable(&stored.appeal, now) && cases::is_on(tx, id, officer).await?;
    if readable { Ok(stored) } else { Err(Refusal::from(OfficerRefusal::NotOnCase).into()) }
}

/// Does the same for a command, which is refused once the appeal has ended. The answer lasts for the transaction only if the
/// order is locked.
async fn on_open_case(tx: &mut Tx, id: AppealId, officer: OfficerId, now: Timestamp) -> Result<StoredAppeal> {
    let stored = on_case(tx, id, officer, now).await?;
    if stored.appeal.status.ended_at().is_some() { Err(Refusal::AppealProcessed.into()) } else { Ok(stored) }
}
