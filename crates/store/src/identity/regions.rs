//! The regions of the world.

use crate::{Result, Tx};

/// A region.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Region {
    /// ISO 3166-1, two letters.
    pub code: String,
    /// The telephone's country code.
    pub dial: String,
    /// Its name in English.
    pub name: String,
    /// The fiat currency that is used there.
    pub currency: String,
    /// Whether people there may register.
    pub enabled: bool,
}

/// All regions, by name.
pub async fn all(tx: &mut Tx) -> Result<Vec<Region>> {
    Ok(sqlx::query_as!(Region, "select code, dial, name, currency, enabled from regions order by name")
        .fetch_all(tx.connection())
        .await?)
}

/// Whether people of a region may register; none for a region that is not known.
pub async fn enabled(tx: &mut Tx, code: &str) -> Result<Option<bool>> {
    Ok(sqlx::query_scalar!("select enabled from regions where code = $1", code).fetch_optional(tx.connection()).await?)
}
