//! Payout stops of assets, which last until an officer resumes the payouts.

use domain::assets::AssetId;
use domain::clock::Timestamp;

use crate::{Result, Tx};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stop {
    pub asset: AssetId,
    pub since: Timestamp,
    pub because: String,
    /// The newest reason reported while payouts were already stopped, and its time.
    pub again: Option<(Timestamp, String)>,
}

/// Returns the stops of all assets.
pub async fn all(tx: &mut Tx) -> Result<Vec<Stop>> {
    let rows =
        sqlx::query!("select asset_id, because, at, again_because, again_at from payout_stops order by asset_id")
            .fetch_all(tx.connection())
            .await?;
    let stops = rows.into_iter().map(|row| Stop {
        asset: AssetId(row.asset_id),
        since: row.at,
        because: row.because,
        again: row.again_at.zip(row.again_because),
    });
    Ok(stops.collect())
}

/// Returns those of the assets whose payouts are stopped. A stopped album stops its NFTs.
pub async fn among(tx: &mut Tx, assets: &[AssetId]) -> Result<Vec<AssetId>> {
    if assets.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<_> = assets.iter().map(|asset| asset.0).collect();
    let stopped = sqlx::query_scalar!(r#"select id as "id!" from stopped_assets where id = any($1)"#, &ids)
        .fetch_all(tx.connection())
        .await?;
    Ok(stopped.into_iter().map(AssetId).collect())
}

/// Stops payouts of an asset. If they are already stopped, keeps the first reason and stores this one in addition.
pub async fn stop(tx: &mut Tx, asset: AssetId, because: &str, at: Timestamp) -> Result<()> {
    sqlx::query!(
        "insert into payout_stops (asset_id, because, at) values ($1, $2, $3)
         on conflict (asset_id) do update set again_because = excluded.because, again_at = excluded.at",
        asset.0,
        because,
        at
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Resumes payouts of an asset if exactly this stop is in force, without a newer reason. Returns whether they were
/// resumed.
pub async fn resume(tx: &mut Tx, stop: &Stop) -> Result<bool> {
    let (again_at, again_because) = stop.again.clone().unzip();
    let gone = sqlx::query!(
        "delete from payout_stops where asset_id = $1 and at = $2 and because = $3
         and again_at is not distinct from $4 and again_because is not distinct from $5",
        stop.asset.0,
        stop.since,
        stop.because,
        again_at,
        again_because
    )
    .execute(tx.connection())
    .await?;
    Ok(gone.rows_affected() > 0)
}
