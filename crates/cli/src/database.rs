//! Connects to PostgreSQL.

use std::time::Duration;

use anyhow::Context as _;
use store::{Options, Store};
use url::Url;

use crate::config::Database;

/// Longer than the pause between the requests of a busy server, and shorter than a restart of PostgreSQL.
const UNTESTED_FOR: Duration = Duration::from_secs(1);

/// Creates the connection pool, which connects on first use.
pub(crate) fn connect(database: &Database) -> anyhow::Result<Store> {
    let options = Options {
        url: with_password(database)?,
        connections: database.connections,
        patience: Duration::from_millis(database.patience_ms),
        untested: UNTESTED_FOR,
    };
    Store::connect(&options).context("database.url is invalid")
}

fn with_password(database: &Database) -> anyhow::Result<String> {
    let mut url = Url::parse(&database.url).context("database.url")?;
    if !database.password.is_empty() {
        // `set_password` doesn't encode percent signs.
        url.set_password(Some(&database.password.expose().replace('%', "%25")))
            .map_err(|()| anyhow::anyhow!("database.url takes no password"))?;
    }
    Ok(url.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Secret;

    #[test]
    fn a_password_of_any_characters_reaches_the_address_whole() {
        let database = Database {
            url: "postgres://me@db:5432/x".to_owned(),
            password_file: "".into(),
            password: Secret::new("a@b/c:d%41#?".to_owned()),
            connections: 1,
            patience_ms: 1,
        };
        assert_eq!(with_password(&database).unwrap(), "postgres://me:a%40b%2Fc%3Ad%2541%23%3F@db:5432/x");
    }
}
