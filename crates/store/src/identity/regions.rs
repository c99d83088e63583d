//! Regions, and whether users there can register.

use crate::{Result, Tx};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Region {
    /// The two-letter code of ISO 3166-1.
    pub code: String,
    /// The telephone country code.
    pub dial: String,
    /// The name in English.
    pub name: String,
    /// The region's fiat currency.
    pub currency: String,
    /// Whether users in the region can register.
    pub enabled: bool,
}

/// Returns all regions, sorted by name.
pub async fn all(tx: &mut Tx) -> Result<Vec<Region>> {
    Ok(sqlx::query_as!(Region, "select code, dial, name, currency, enabled from regions order by name")
        .fetch_all(tx.connection())
        .await?)
}

/// Returns whether users in a region can register; `None` if the region is unknown.
pub async fn enabled(tx: &mut Tx, code: &str) -> Result<Option<bool>> {
    Ok(sqlx::query_scalar!("select enabled from regions where code = $1", code).fetch_optional(tx.connection()).await?)
}
