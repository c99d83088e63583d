//! A second database session, for tests of locking.

use sqlx::{AssertSqlSafe, Connection, PgConnection};

use super::Market;

/// A database session that holds its locks until [`Self::ends`].
pub struct Session(PgConnection);

impl Session {
    /// Runs statements and returns whether they succeeded.
    pub async fn runs(&mut self, statements: &str) -> bool {
        sqlx::raw_sql(AssertSqlSafe(statements.to_owned())).execute(&mut self.0).await.is_ok()
    }

    /// Ends the session and releases its locks.
    pub async fn ends(self) {
        self.0.close().await.expect("a closed connection");
    }
}

impl Market {
    pub async fn session(&self) -> Session {
        Session(PgConnection::connect(&self.database.url).await.expect("a connection"))
    }

    /// Waits until some session in the market's database waits for a lock.
    pub async fn somebody_waits(&self) {
        let waiting = "select count(*) from pg_stat_activity
                       where datname = current_database() and wait_event_type = 'Lock'";
        let mut watch = PgConnection::connect(&self.database.url).await.expect("a connection");
        while sqlx::query_scalar::<_, i64>(waiting).fetch_one(&mut watch).await.expect("a number") == 0 {
            tokio::task::yield_now().await;
        }
    }
}
