//! Planned maintenance: the officer's commands, and the check by the API.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use anyhow::bail;
use api::middleware::{MaintenanceCheck, Window};
use app::Context;
use app::maintenance::{self, Closing, Decision};
use async_trait::async_trait;
use chrono::SecondsFormat;
use clap::{Args, Subcommand};
use domain::clock::Timestamp;

use crate::officer::text;

#[derive(Debug, Subcommand)]
pub(crate) enum Act {
    /// Plans a maintenance window. Replaces the existing plan, if any.
    Plan(Plan),
    /// Ends maintenance now, or cancels the plan if it has not begun.
    End(Why),
    /// Shows the current or planned maintenance.
    Show,
}

#[derive(Debug, Args)]
pub(crate) struct Plan {
    /// The start, such as 2026-01-31T02:00:00Z. A time in the past means now
    #[arg(long)]
    from: Timestamp,
    /// The time at which the platform opens again
    #[arg(long)]
    until: Timestamp,
    #[command(flatten)]
    why: Why,
}

#[derive(Debug, Args)]
pub(crate) struct Why {
    /// The reason, of up to 500 characters
    #[arg(long, value_parser = text::<500>)]
    pub(crate) reason: String,
    /// The name of the officer, of up to 100 characters
    #[arg(long, env = "USER", value_parser = text::<100>)]
    pub(crate) officer: String,
}

impl From<Why> for Decision {
    fn from(why: Why) -> Self {
        Self { officer: why.officer.into(), reason: why.reason }
    }
}

pub(crate) async fn run(context: &Context, act: Act) -> anyhow::Result<()> {
    match act {
        Act::Plan(Plan { from, until, why }) => {
            maintenance::plan(context, from, until, why.into()).await?;
            show(context).await
        }
        Act::End(why) => match maintenance::end(context, why.into()).await? {
            Some(_) => {
                println!("The platform is open; no maintenance is planned.");
                Ok(())
            }
            None => bail!("no maintenance is planned"),
        },
        Act::Show => show(context).await,
    }
}

async fn show(context: &Context) -> anyhow::Result<()> {
    let now = context.now().await?;
    let closings = maintenance::closings(context).await?;
    let ahead: Vec<_> = closings.iter().filter(|closing| now < closing.until).collect();
    if ahead.is_empty() {
        println!("No maintenance is planned.");
    }
    for closing in ahead {
        let word = if maintenance::covers(closing, now) { "closed" } else { "will be closed" };
        let [from, until] = [closing.from, closing.until].map(|at| at.to_rfc3339_opts(SecondsFormat::Secs, true));
        println!("{word}\tfrom {from}\tuntil {until}");
    }
    Ok(())
}

/// The time for which a process may use an outdated plan. The delay harms no user, because deadlines depend on the time
/// at which the plan was changed.
const KNOWN_FOR: Duration = Duration::from_secs(1);

/// The maintenance plan, cached.
pub(crate) struct Planned {
    context: Context,
    known: Mutex<(Option<Instant>, Vec<Closing>)>,
}

impl Planned {
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
impl MaintenanceCheck for Planned {
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

    use app::{Clock, SystemTime};
    use domain::clock::Reading;
    use testkit::{Database, Ids, noon};

    use super::*;

    async fn at(database: &Database, timestamp: Timestamp) -> Option<Window> {
        let mut tx = database.store.begin().await.unwrap();
        store::clock::set(&mut tx, Reading::Stopped { at: timestamp }).await.unwrap();
        tx.commit().await.unwrap();
        Planned::new(context(database)).current().await
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
        let why = || Why { reason: "a new disk".to_owned(), officer: "olga".to_owned() };
        run(&context(&database), Act::Plan(Plan { from: start, until: end, why: why() })).await.unwrap();
        let window = Some(Window { start, end });
        for (timestamp, closed) in [(start - tick, None), (start, window), (end - tick, window), (end, None)] {
            assert_eq!(at(&database, timestamp).await, closed, "{timestamp}");
        }
        assert_eq!(at(&database, start).await, window);
        run(&context(&database), Act::End(why())).await.unwrap();
        assert_eq!(at(&database, start).await, None);
        assert!(run(&context(&database), Act::End(why())).await.is_err(), "nothing is planned any more");
    }
}
