//! The maintenance plan, as the API checks it with each call.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use api::middleware::{MaintenanceCheck, Window};
use app::Context;
use app::deadlines::maintenance::{self, Closing};
use async_trait::async_trait;

/// The time for which a process may use an outdated plan. The delay harms no user, because deadlines depend on the time
/// at which the plan was changed.
const KNOWN_FOR: Duration = Duration::from_secs(1);

/// The maintenance plan, cached.
pub(crate) struct CachedMaintenance {
    context: Context,
    known: Mutex<(Option<Instant>, Vec<Closing>)>,
}

impl CachedMaintenance {
    pub(crate) fn new(context: Context) -> Self {
        Self { context, known: Mutex::new((None, Vec::new())) }
    }

    /// Returns the cached plan, and whether the caller must reload it. Other callers use the cached plan meanwhile.
    fn known(&self) -> (Vec<Closing>, bool) {
        let mut known = self.known.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let old = known.0.is_none_or(|at| at.elapsed() >= KNOWN_FOR);
        if old {
            known.0 = Some(Instant::now());
        }
        (known.1.clone(), old)
    }
}

#[async_trait]
impl MaintenanceCheck for CachedMaintenance {
    async fn current(&self) -> Option<Window> {
        let (mut closings, old) = self.known();
        // If the database is not available, every call fails with its own error anyway.
        if old && let Ok(found) = maintenance::closings(&self.context).await {
            self.known.lock().unwrap_or_else(std::sync::PoisonError::into_inner).1.clone_from(&found);
            closings = found;
        }
        if closings.is_empty() {
            return None;
        }
        let now = self.context.now().await.ok()?;
        let closing = closings.into_iter().find(|closing| maintenance::covers(closing, now))?;
        Some(Window { start: closing.from, end: closing.until })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use app::deadlines::maintenance::MaintenanceDecision;
    use app::{Clock, SystemTime};
    use domain::clock::{Reading, Timestamp};
    use testkit::market::officers::{end_maintenance, plan_maintenance};
    use testkit::{Database, Ids, noon};

    use super::*;

    async fn at(database: &Database, timestamp: Timestamp) -> Option<Window> {
        let mut tx = database.store.begin().await.unwrap();
        store::clock::set(&mut tx, Reading::Stopped { at: timestamp }).await.unwrap();
        tx.commit().await.unwrap();
        CachedMaintenance::new(context(database)).current().await
    }

    fn context(database: &Database) -> Context {
        Context::new(database.store.clone(), Clock::Shared(Arc::new(SystemTime)), Arc::new(Ids))
    }

    #[tokio::test]
    async fn the_api_is_closed_from_the_first_moment_until_it_opens_again() {
        let database = Database::fresh().await;
        let (start, end) = (noon() + chrono::Duration::hours(1), noon() + chrono::Duration::hours(2));
        let tick = chrono::Duration::microseconds(1);
        assert_eq!(at(&database, noon()).await, None);
        let why = MaintenanceDecision { officer: "olga".into(), reason: "a new disk".to_owned() };
        plan_maintenance(&context(&database), start, end, &why).await.unwrap();
        let window = Some(Window { start, end });
        for (timestamp, closed) in [(start - tick, None), (start, window), (end - tick, window), (end, None)] {
            assert_eq!(at(&database, timestamp).await, closed, "{timestamp}");
        }
        assert_eq!(at(&database, start).await, window);
        assert!(end_maintenance(&context(&database), &why).await.unwrap().is_some());
        assert_eq!(at(&database, start).await, None);
    }
}
