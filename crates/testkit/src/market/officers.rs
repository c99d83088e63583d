//! Officers in tests: who decides appeals, and what the console decides, without its sessions.

use app::Context;
use app::appeals::{AppealRuling, Decided, Officer, Rules, Ruling, decide};
use app::console::{By, PairDecision, PairSet};
use app::deadlines::maintenance::{self, Closing};
use domain::clock::Timestamp;
use domain::console::{self, Role};
use domain::ids::{OfficerId, OrderId};
use domain::money::Price;
use domain::trade::Party;
use store::Tx;
use store::console::accounts::{self, Account};
use store::console::audit::{self, Line, Subject};
use uuid::Uuid;

use super::Market;
use crate::noon;

impl Market {
    /// Returns the officer with this name, whose account is created if there is none. Each name has its own account.
    pub async fn officer(&self, name: &str, role: Role) -> Officer {
        let mut bytes = [0; 16];
        bytes.iter_mut().zip(name.bytes()).for_each(|(byte, letter)| *byte = letter);
        let id = OfficerId(Uuid::from_bytes(bytes));
        let mut tx = self.database.store.begin().await.expect("a transaction");
        if accounts::by_id(&mut tx, id).await.expect("an account").is_none() {
            let officer = console::Officer {
                id,
                name: name.to_owned(),
                email: format!("{name}@example.org"),
                role,
                appointed_by: None,
                approved_at: Some(noon()),
                enrolled_at: Some(noon()),
                enrollment_expires_at: None,
                disabled_at: None,
                created_at: noon(),
                version: 1,
            };
            let (totp_secret, totp_step) = (Vec::new(), None);
            let account =
                Account { officer, password_hash: Some("x".to_owned()), totp_secret, totp_step, enrollment_hash: None };
            accounts::insert(&mut tx, &account).await.expect("an account");
            tx.commit().await.expect("a commit");
        }
        let by = By { officer: Some(id), ..By::from(name) };
        Officer { id, by, authority: role.authority().expect("a role that decides appeals") }
    }

    /// Lets two officers decide the appeal about an order, because the order has no known value.
    pub async fn decided(&self, order: OrderId, winner: Party) -> Decided {
        let ruling = Ruling::Verdict { winner, malicious: false };
        let mut decided = Decided::Proposed;
        for name in ["olga", "otto"] {
            let officer = self.officer(name, Role::AppealOfficer).await;
            let decision = AppealRuling { order, ruling, officer, note: "the papers are clear".to_owned() };
            decided = decide(&self.context, &Rules::default(), &decision).await.expect("a decision");
            self.is_sound().await;
            if decided != Decided::Proposed {
                break;
            }
        }
        decided
    }
}

/// Returns the decisions of officers on a subject, oldest first.
pub async fn decisions_on(tx: &mut Tx, subject: Subject) -> Vec<String> {
    let lines = audit::decisions_on(tx, subject).await.expect("the audit log");
    let text = |line: Line| format!("{} {}: {}", line.name, line.action, line.reason.unwrap_or_default());
    lines.into_iter().map(text).collect()
}

/// Changes the settings of a pair.
///
/// # Errors
///
/// Returns errors of the database.
pub async fn set_pair(context: &Context, decision: &PairDecision) -> app::Result<PairSet> {
    let (mut tx, now) = context.begin().await?;
    let set = app::console::set_pair(context, &mut tx, decision, now).await?;
    tx.commit().await?;
    Ok(set)
}

/// Sets the reference price of a pair as Olga.
///
/// # Errors
///
/// Returns errors of the database.
///
/// # Panics
///
/// Panics if there is no such pair.
pub async fn set_reference(
    context: &Context,
    (base, quote): (&str, &str),
    price: Price,
    reason: &str,
) -> app::Result<()> {
    let (pair, _) = app::console::pair_history(context, base, quote).await?.expect("a pair");
    let (mut tx, now) = context.begin().await?;
    app::console::set_reference(&mut tx, &pair, price, &By::from("olga"), reason, now).await?;
    Ok(tx.commit().await?)
}

/// Plans maintenance.
///
/// # Errors
///
/// Returns refusals, and errors of the database.
pub async fn plan_maintenance(
    context: &Context,
    from: Timestamp,
    until: Timestamp,
    decision: &maintenance::MaintenanceDecision,
) -> app::Result<()> {
    let (mut tx, now) = maintenance::begin(context).await?;
    maintenance::plan(&mut tx, from, until, decision, now).await?;
    Ok(tx.commit().await?)
}

/// Ends or cancels maintenance.
///
/// # Errors
///
/// Returns errors of the database.
pub async fn end_maintenance(
    context: &Context,
    decision: &maintenance::MaintenanceDecision,
) -> app::Result<Option<Closing>> {
    let (mut tx, now) = maintenance::begin(context).await?;
    let closing = maintenance::end(&mut tx, decision, now).await?;
    tx.commit().await?;
    Ok(closing)
}
