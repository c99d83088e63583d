//! Another session of a market's database, for tests about who waits for whom.

use sqlx::{AssertSqlSafe, Connection, PgConnection};

use super::Market;

/// A session of its own. What it locks it holds until it ends.
pub struct Session(PgConnection);

impl Session {
    /// Runs statements, and says whether the database accepted them.
    pub async fn runs(&mut self, statements: &str) -> bool {
        sqlx::raw_sql(AssertSqlSafe(statements.to_owned())).execute(&mut self.0).await.is_ok()
    }

    /// Ends the session, and whatever it holds.
    pub async fn ends(self) {
        self.0.close().await.expect("to close a connection");
    }
}

impl Market {
    /// Another session of the market's database.
    pub async fn session(&self) -> Session {
        Session(PgConnection::connect(&self.database.url).await.expect("a connection"))
    }

    /// Returns as soon as somebody waits for a lock in the market's database.
    pub async fn somebody_waits(&self) {
        let waiting = "select count(*) from pg_stat_activity
                       where datname = current_database() and wait_event_type = 'Lock'";
        let mut watch = PgConnection::connect(&self.database.url).await.expect("a connection");
        while sqlx::query_scalar::<_, i64>(waiting).fetch_one(&mut watch).await.expect("a number") == 0 {
            tokio::task::yield_now().await;
        }
    }
}
