//! Counts the statements that a future sends to PostgreSQL.

use std::fmt::Debug;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::subscriber::Interest;
use tracing::{Event, Metadata, Subscriber};

/// The target of the event that `sqlx` emits for each statement.
const TARGET: &str = "sqlx::query";

/// The fields of an event.
#[derive(Default)]
struct Statement {
    /// Whether `sqlx` looks up a type, which it does once per connection.
    about_types: bool,
}

impl Visit for Statement {
    fn record_debug(&mut self, _: &Field, value: &dyn Debug) {
        self.about_types |= format!("{value:?}").contains("pg_catalog");
    }
}

struct Counter(Arc<AtomicUsize>);

impl Subscriber for Counter {
    fn register_callsite(&self, _: &'static Metadata<'static>) -> Interest {
        // Other tests of the process have no counter.
        Interest::sometimes()
    }

    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target() == TARGET
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut statement = Statement::default();
        event.record(&mut statement);
        if event.metadata().target() == TARGET && !statement.about_types {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// Runs a future on a runtime with a single thread and returns its result and the number of statements. Does not count
/// the beginning and the end of transactions.
pub async fn counted<T>(run: impl Future<Output = T>) -> (T, usize) {
    let count = Arc::new(AtomicUsize::new(0));
    let guard = tracing::subscriber::set_default(Counter(Arc::clone(&count)));
    let result = run.await;
    drop(guard);
    (result, count.load(Ordering::Relaxed))
}
