//! Which administrator appointed which officer.

use domain::clock::Timestamp;
use domain::console::{Appointment, NOTICE_PERIOD};
use domain::ids::OfficerId;

use crate::{Result, Tx};

pub async fn insert(tx: &mut Tx, appointment: &Appointment) -> Result<()> {
    sqlx::query!(
        "insert into officer_appointments (officer_id, administrator_id, at) values ($1, $2, $3)",
        appointment.officer.0,
        appointment.administrator.0,
        appointment.at
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Returns the appointments that still matter.
pub async fn recent(tx: &mut Tx, now: Timestamp) -> Result<Vec<Appointment>> {
    let since = now.checked_sub_signed(NOTICE_PERIOD).unwrap_or(now);
    let rows = sqlx::query!(
        "select officer_id, administrator_id, at from officer_appointments where at > $1 order by at",
        since
    )
    .fetch_all(tx.connection())
    .await?;
    let appointments = rows.into_iter().map(|row| Appointment {
        officer: OfficerId(row.officer_id),
        administrator: OfficerId(row.administrator_id),
        at: row.at,
    });
    Ok(appointments.collect())
}
