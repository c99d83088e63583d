//! The recipients that one worker pays per second, from a backlog of releases.

use std::collections::BTreeMap;

use anyhow::ensure;
use serde_json::{Value, json};
use sqlx::PgPool;

use crate::audit;
use crate::backlog::{PATIENCE, reached};
use crate::machine::load_average;
use crate::orders::{self, Plan};
use crate::results::Figure;
use crate::stand::{COPY, Stand, say};
use crate::world::SMALL;

const USERS: u32 = 256;
/// Lets a block hold many batches, as blocks of fast chains do.
const BLOCK_GAS_LIMIT: &str = "0x174876e800";
const PER_SECOND: f64 = 1_000.0;

pub(crate) async fn run(stand: &mut Stand) -> anyhow::Result<Figure> {
    let load_before = load_average();
    stand.copy(SMALL).await?;
    stand.node.call::<Value>("evm_setBlockGasLimit", json!([BLOCK_GAS_LIMIT])).await?;
    let mut running = stand.product.serve(&stand.postgres, COPY, &stand.node).await?;
    let since = Stand::now();
    let outcome = orders::run(running.api, Plan::full(SMALL, USERS, stand.time())).await?;
    let pool = stand.postgres.pool(COPY, 2).await?;
    audit::check(&pool, since, &outcome.acknowledged, outcome.unanswered).await?;
    let backlog = legs(&pool, "owed").await?;
    stand.product.pay(&mut running).await?;
    // The time before the first payment is the time until a block is final.
    let paid = async || legs(&pool, "paid").await;
    let first = reached(paid, 1).await?;
    let last = reached(paid, backlog).await?;
    running.stop().await?;
    ensure!(legs(&pool, "owed").await? == 0, "some releases were not paid in {PATIENCE:?}");
    pool.close().await;
    stand.audit(COPY).await?;
    let time = last.0.duration_since(first.0).as_secs_f64();
    ensure!(time > 0.0, "all {backlog} releases were final at once");
    let rate = f64::from(i32::try_from(backlog.saturating_sub(first.1))?) / time;
    say(&format!("{rate:.0} recipients/s from a backlog of {backlog} releases"));
    Ok(Figure {
        target: "releases".to_owned(),
        name: format!("a backlog of {backlog} releases of the native coin from {} vaults", SMALL.sellers),
        value: rate,
        unit: "recipients/s".to_owned(),
        yardstick: "1,000 recipients/s".to_owned(),
        yardstick_value: PER_SECOND,
        ratio: rate / PER_SECOND,
        details: BTreeMap::new(),
        load_before,
    })
}

async fn legs(pool: &PgPool, state: &str) -> anyhow::Result<i64> {
    Ok(sqlx::query_scalar("select count(*) from payout_legs where state = $1").bind(state).fetch_one(pool).await?)
}
