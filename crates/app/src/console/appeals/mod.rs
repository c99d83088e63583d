//! Officers work on appeals: they choose one from the queue, join its case, read it, speak with its parties and decide it.
//!
//! The queue shows no personal data. Everything else about a case is refused to officers who have not joined it.

mod case;
mod decision;
mod files;
mod member;
mod options;
mod parties;
mod queue;
mod talk;
mod transactions;

pub use case::{CaseAct, CaseOrder, CaseView};
pub use decision::CaseDecision;
pub use options::DecisionOption;
pub use parties::PartyView;
pub use queue::{QueueOrder, QueuePage, QueueRow, QueueView};
pub use talk::CaseTalk;
pub use transactions::{ChainTransaction, TransactionKind, TransactionState};

use domain::ids::{AppealId, OfficerId};
use domain::officers::OfficerRefusal;
use domain::refusal::Refusal;
use store::Tx;
use store::appeals::StoredAppeal;
use store::cases;

use crate::Result;

/// Returns an appeal to an officer who has joined its case.
async fn on_case(tx: &mut Tx, id: AppealId, officer: OfficerId) -> Result<StoredAppeal> {
    let stored = store::appeals::find(tx, id).await?.ok_or(Refusal::AppealMissing)?;
    if cases::is_on(tx, id, officer).await? { Ok(stored) } else { Err(Refusal::from(OfficerRefusal::NotOnCase).into()) }
}
