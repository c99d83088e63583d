//! What the latest round of reconciliation found.

use domain::assets::AssetId;
use domain::chain::{BlockNumber, ChainId};
use domain::clock::Timestamp;
use domain::money::Amount;

use crate::columns::{column, signed};
use crate::numeric::{Units, units};
use crate::{Error, Result, Tx};

/// The custody of an asset on the chain and in the ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reconciled {
    pub asset: AssetId,
    /// The sum of what the vaults hold on the chain.
    pub on_chain: Amount,
    /// The sum of what they hold according to the ledger.
    pub in_ledger: Amount,
    /// The number of vaults that the sums cover.
    pub vaults: u32,
    /// The number of those that hold less than the ledger says.
    pub short: u32,
    /// The number of vaults that the sums do not cover because the token did not report their balance.
    pub unknown: u32,
    /// The number of vaults that the sums do not cover because the ledger is known to be behind the chain.
    pub left_out: u32,
}

/// A round through all vaults.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reconciliation {
    pub began_at: Timestamp,
    pub ended_at: Timestamp,
    /// The lowest and the highest block at which vaults were compared.
    pub first_block: BlockNumber,
    pub last_block: BlockNumber,
    /// In the order of the assets' IDs.
    pub assets: Vec<Reconciled>,
}

/// Stores a round in place of the one before.
pub async fn keep(tx: &mut Tx, chain: ChainId, round: &Reconciliation) -> Result<()> {
    let chain = signed(chain.0)?;
    sqlx::query!(
        "insert into reconciliations (chain_id, began_at, ended_at, first_block, last_block) values ($1, $2, $3, $4, $5)
         on conflict (chain_id) do update set began_at = excluded.began_at, ended_at = excluded.ended_at,
             first_block = excluded.first_block, last_block = excluded.last_block",
        chain,
        round.began_at,
        round.ended_at,
        signed(round.first_block)?,
        signed(round.last_block)?
    )
    .execute(tx.connection())
    .await?;
    sqlx::query!("delete from reconciled_assets where chain_id = $1", chain).execute(tx.connection()).await?;
    let many =
        |count: fn(&Reconciled) -> u32| column(&round.assets, |one| i32::try_from(count(one)).unwrap_or(i32::MAX));
    sqlx::query!(
        "insert into reconciled_assets (chain_id, asset_id, on_chain, in_ledger, vaults, short, unknown, left_out)
         select $1, * from unnest($2::bigint[], $3::numeric[], $4::numeric[], $5::int[], $6::int[], $7::int[], $8::int[])",
        chain,
        &column(&round.assets, |one| one.asset.0),
        &units(round.assets.iter().map(|one| one.on_chain)) as _,
        &units(round.assets.iter().map(|one| one.in_ledger)) as _,
        &many(|one| one.vaults),
        &many(|one| one.short),
        &many(|one| one.unknown),
        &many(|one| one.left_out)
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Returns the latest round through the vaults of a chain; `None` before the first one has ended.
pub async fn latest(tx: &mut Tx, chain: ChainId) -> Result<Option<Reconciliation>> {
    let id = signed(chain.0)?;
    let round =
        sqlx::query!("select began_at, ended_at, first_block, last_block from reconciliations where chain_id = $1", id)
            .fetch_optional(tx.connection())
            .await?;
    let Some(round) = round else { return Ok(None) };
    let rows = sqlx::query!(
        r#"select asset_id, on_chain as "on_chain: Units", in_ledger as "in_ledger: Units", vaults, short, unknown, left_out
           from reconciled_assets where chain_id = $1 order by asset_id"#,
        id
    )
    .fetch_all(tx.connection())
    .await?;
    let assets = rows.into_iter().map(|row| {
        let many =
            |count: i32| u32::try_from(count).map_err(|_| Error::row("reconciled_assets", row.asset_id, "count"));
        Ok(Reconciled {
            asset: AssetId(row.asset_id),
            on_chain: row.on_chain.into(),
            in_ledger: row.in_ledger.into(),
            vaults: many(row.vaults)?,
            short: many(row.short)?,
            unknown: many(row.unknown)?,
            left_out: many(row.left_out)?,
        })
    });
    let block = |number: i64| u64::try_from(number).map_err(|_| Error::row("reconciliations", chain.0, "block"));
    Ok(Some(Reconciliation {
        began_at: round.began_at,
        ended_at: round.ended_at,
        first_block: block(round.first_block)?,
        last_block: block(round.last_block)?,
        assets: assets.collect::<Result<_>>()?,
    }))
}
