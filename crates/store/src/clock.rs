//! The row that controls the product's clock.

use chrono::Duration;
use domain::clock::{Reading, Timestamp};

use crate::{Error, Result, Tx};

pub async fn read(tx: &mut Tx) -> Result<Reading> {
    let row = sqlx::query!("select stopped_at, shift_micros from clock").fetch_one(tx.connection()).await?;
    Ok(match row.stopped_at {
        Some(at) => Reading::Stopped { at },
        None => Reading::Running { shift: Duration::microseconds(row.shift_micros) },
    })
}

/// Shifts, stops or resets the clock. For development and tests only.
pub async fn set(tx: &mut Tx, reading: Reading) -> Result<()> {
    let (stopped_at, shift): (Option<Timestamp>, i64) = match reading {
        Reading::Stopped { at } => (Some(at), 0),
        Reading::Running { shift } => {
            (None, shift.num_microseconds().ok_or_else(|| Error::row("clock", "shift", "out of range"))?)
        }
    };
    sqlx::query!("update clock set stopped_at = $1, shift_micros = $2", stopped_at, shift)
        .execute(tx.connection())
        .await?;
    Ok(())
}
