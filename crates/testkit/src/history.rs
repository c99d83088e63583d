//! The history of a large platform, for measuring what the product costs once it has one.

use sqlx::{AssertSqlSafe, Connection, PgConnection};

use crate::Database;

/// How much history there is. `bench/history.sql` describes what it consists of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    pub users: u32,
    /// The finished orders of one advertiser.
    pub orders: u32,
    /// The users who placed these orders.
    pub takers: u32,
    /// The open adverts, one per user.
    pub adverts: u32,
}

impl Size {
    /// Large enough to tell a lookup from a scan, and filled in seconds.
    pub const SMALL: Self = Self { users: 5_000, orders: 5_000, takers: 200, adverts: 1_500 };
    /// The size at which idle cost and statements are measured. Filling it takes minutes.
    pub const LARGE: Self = Self { users: 1_000_000, orders: 100_000, takers: 3_000, adverts: 30_000 };
}

/// Fills a database that has a catalog, but no users. The history ends at [`crate::noon`].
pub async fn fill(database: &Database, size: Size) {
    let mut connection = PgConnection::connect(&database.url).await.expect("the database");
    let Size { users, orders, takers, adverts } = size;
    let parameters = format!(
        "set history.users = {users}; set history.orders = {orders}; set history.takers = {takers};
         set history.adverts = {adverts}; set history.at = '{}';",
        crate::noon().to_rfc3339()
    );
    for sql in [parameters.as_str(), include_str!("../../../bench/history.sql")] {
        sqlx::raw_sql(AssertSqlSafe(sql.to_owned())).execute(&mut connection).await.expect("the history");
    }
    connection.close().await.expect("the connection should close");
}
