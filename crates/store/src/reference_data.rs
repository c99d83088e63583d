//! The version of the reference data, which processes keep in memory.

use domain::chain::BlockNumber;
use domain::clock::Timestamp;

use crate::outages::Heartbeat;
use crate::{Error, Result, Tx};

/// What a process must know to use the reference data that it keeps in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Freshness {
    /// Increases with each change of the reference data.
    pub version: i64,
    pub heartbeat: Option<Heartbeat>,
    /// The newest block of the escrow chain that ingestion has read.
    pub head: Option<BlockNumber>,
}

impl Freshness {
    pub(crate) fn of_columns(version: i64, beat: Option<(Timestamp, Timestamp)>, head: Option<i64>) -> Result<Self> {
        let heartbeat = beat.map(|(at, machine_at)| Heartbeat { at, machine_at });
        let height = |head| u64::try_from(head).map_err(|_| Error::row("chains", head, "negative height"));
        Ok(Self { version, heartbeat, head: head.map(height).transpose()? })
    }
}

/// Returns the version of the reference data, together with what changes with every block.
pub async fn freshness(tx: &mut Tx) -> Result<Freshness> {
    let row = sqlx::query!(
        r#"select v.version, h.at as "at?: Timestamp", h.machine_at as "machine_at?: Timestamp",
                  (select head_number from chains order by chain_id limit 1) as head
           from reference_data_version v left join heartbeats h on h.part = 'watcher'"#
    )
    .fetch_optional(tx.connection())
    .await?
    .ok_or_else(|| Error::row("reference_data_version", "?", "no row"))?;
    Freshness::of_columns(row.version, row.at.zip(row.machine_at), row.head)
}
