//! How long the answers to commands are kept.

use chrono::Duration;

use crate::{Context, Result};

/// How long a command that is sent again under its key is answered as the first time.
pub const KEPT: Duration = Duration::days(7);
/// How many answers are forgotten in one transaction: nobody waits long for it.
const SET: i64 = 1_000;

/// Forgets the answers that have been kept for long enough, set by set. Says how many.
pub async fn forget(context: &Context) -> Result<u64> {
    let mut forgotten = 0_u64;
    loop {
        let (mut tx, now) = context.begin().await?;
        let before = now.checked_sub_signed(KEPT).unwrap_or(now);
        let done = store::commands::forget(&mut tx, before, SET).await?;
        tx.commit().await?;
        forgotten = forgotten.saturating_add(done);
        if i64::try_from(done).is_ok_and(|done| done < SET) {
            return Ok(forgotten);
        }
    }
}
