//! Connections that stall while they reserve payout references, between the first of the references and the last.
//!
//! Reserving references is a single call of a function in the database, so a test cannot interrupt it from outside. On
//! these connections, the function finds a `setval` that waits for a lock before it calls PostgreSQL's own.

use sqlx::PgConnection;

const SETUP: &str = "
    create schema stalling;
    create function stalling.setval(regclass, bigint) returns bigint language plpgsql as $$ begin
        perform pg_advisory_lock(4712);
        perform pg_advisory_unlock(4712);
        return pg_catalog.setval($1, $2);
    end $$";

/// Prepares a database for [`stalling`] connections.
pub async fn install(connection: &mut PgConnection) {
    run(connection, SETUP).await;
}

/// Returns the URL of a database under which connections stall in every reservation of two or more references while
/// somebody [holds](hold) it.
pub fn stalling(url: &str) -> String {
    format!("{url}?options[search_path]=stalling,pg_catalog,public")
}

/// Makes reservations stall.
pub async fn hold(connection: &mut PgConnection) {
    run(connection, "select pg_advisory_lock(4712)").await;
}

/// Lets them continue.
pub async fn release(connection: &mut PgConnection) {
    run(connection, "select pg_advisory_unlock(4712)").await;
}

async fn run(connection: &mut PgConnection, statements: &'static str) {
    sqlx::raw_sql(statements).execute(connection).await.expect("statements without mistakes");
}
