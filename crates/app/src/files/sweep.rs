//! Deletes what was uploaded and never used.

use domain::files::LOOSE_LIFETIME;
use store::files as rows;

use super::ports::FileStore;
use crate::{Context, Result};

/// The maximum number of files or objects that one transaction deletes.
const BATCH: i64 = 100;

/// Deletes files that have not been attached to anything for a day, and objects that no file uses. Returns the number of
/// deleted objects. An object that could not be deleted is tried again by the next call.
pub async fn sweep(context: &Context, store: &dyn FileStore) -> Result<u64> {
    let mut deleted = 0_u64;
    loop {
        let (mut tx, now) = context.begin().await?;
        let before = now.checked_sub_signed(LOOSE_LIFETIME).unwrap_or(now);
        rows::delete_loose(&mut tx, before, BATCH).await?;
        tx.commit().await?;

        let (mut tx, _) = context.begin().await?;
        let objects = rows::lock_loose_objects(&mut tx, before, BATCH).await?;
        for object in &objects {
            store.delete(*object).await?;
        }
        rows::delete_objects(&mut tx, &objects).await?;
        tx.commit().await?;
        deleted = deleted.saturating_add(u64::try_from(objects.len()).unwrap_or(u64::MAX));
        if i64::try_from(objects.len()).is_ok_and(|count| count < BATCH) {
            return Ok(deleted);
        }
    }
}
