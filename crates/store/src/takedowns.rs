//! Adverts that officers have taken down.

use domain::clock::Timestamp;
use domain::ids::AdvertId;

use crate::columns::uuids;
use crate::{Result, Tx};

/// Why and when an officer took an advert down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Takedown {
    /// 1 to 500 characters. The owner sees it.
    pub reason: String,
    pub at: Timestamp,
}

/// Records that an advert was taken down.
pub async fn insert(tx: &mut Tx, advert: AdvertId, takedown: &Takedown) -> Result<()> {
    sqlx::query!(
        "insert into advert_takedowns (advert_id, reason, at) values ($1, $2, $3)",
        advert.0,
        takedown.reason,
        takedown.at
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Returns those of these adverts that were taken down, with the reasons.
pub async fn of(tx: &mut Tx, adverts: &[AdvertId]) -> Result<Vec<(AdvertId, Takedown)>> {
    if adverts.is_empty() {
        return Ok(Vec::new());
    }
    let rows =
        sqlx::query!("select advert_id, reason, at from advert_takedowns where advert_id = any($1)", &uuids(adverts))
            .fetch_all(tx.connection())
            .await?;
    Ok(rows.into_iter().map(|row| (AdvertId(row.advert_id), Takedown { reason: row.reason, at: row.at })).collect())
}
