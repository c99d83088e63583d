//! Deposits credited from a backlog of blocks, and the time from the last confirmation to the credit.

use std::collections::BTreeMap;
use std::time::Instant;

use serde_json::{Value, json};
use sqlx::PgPool;

use crate::backlog::{PATIENCE, reached};
use crate::http::{Client, request};
use crate::machine::load_average;
use crate::node::CONFIRMATIONS;
use crate::results::Figure;
use crate::stand::{COPY, Stand, say};
use crate::stats::{Latencies, per_second};
use crate::world::SMALL;

/// The transfers in a block of the backlog.
const PER_BLOCK: usize = 1000;
/// 10^18 base units.
const AMOUNT: &str = "0xde0b6b3a7640000";
const PER_SECOND: f64 = 20_000.0;
const ALLOWED_MS: f64 = 200.0;

pub(crate) async fn run(stand: &mut Stand) -> anyhow::Result<Vec<Figure>> {
    let load_before = load_average();
    let many = if stand.quick { 2000 } else { 20_000 };
    stand.fill(SMALL).await?;
    stand.copy(SMALL).await?;
    let pool = stand.postgres.pool(COPY, 2).await?;
    stand.node.call::<Value>("evm_setIntervalMining", json!([0])).await?;
    send(stand, many).await?;
    let rate = backlog(stand, &pool, many).await?;
    say(&format!("{rate:.0} deposits/s from a backlog of {many}"));
    pool.close().await;
    stand.audit(COPY).await?;
    stand.copy(SMALL).await?;
    let pool = stand.postgres.pool(COPY, 2).await?;
    let latencies = after_confirmation(stand, &pool).await?;
    stand.node.call::<Value>("evm_setIntervalMining", json!([1])).await?;
    pool.close().await;
    stand.audit(COPY).await?;
    let p99 = latencies.percentile(99);
    say(&format!("credited {:.0} ms after the last confirmation, p99 {p99:.0} ms", latencies.percentile(50)));
    Ok(vec![
        Figure {
            target: "deposits".to_owned(),
            name: format!("a backlog of {many} transfers of the native coin"),
            value: rate,
            unit: "deposits/s".to_owned(),
            yardstick: "20,000 deposits/s".to_owned(),
            yardstick_value: PER_SECOND,
            ratio: rate / PER_SECOND,
            details: BTreeMap::new(),
            load_before,
        },
        Figure {
            target: "deposits".to_owned(),
            name: "p99 of the time from the last confirmation to the credit".to_owned(),
            value: p99,
            unit: "ms".to_owned(),
            yardstick: "200 ms".to_owned(),
            yardstick_value: ALLOWED_MS,
            ratio: p99 / ALLOWED_MS,
            details: BTreeMap::from([("p50 ms".to_owned(), latencies.percentile(50))]),
            load_before,
        },
    ])
}

/// Sends coins to the vaults of as many users, in few blocks, and makes the blocks final.
async fn send(stand: &Stand, many: usize) -> anyhow::Result<()> {
    let accounts: Vec<String> = stand.node.call("eth_accounts", json!([])).await?;
    let Some(sender) = accounts.first() else { anyhow::bail!("the node has no accounts") };
    stand.node.call::<Value>("anvil_setBalance", json!([sender, "0xffffffffffffffffffffffff"])).await?;
    stand.node.call::<Value>("evm_setBlockGasLimit", json!(["0x174876e800"])).await?;
    let mut client = Client::connect(stand.node.address).await?;
    for (number, user) in
        (1..=many).map(|number| (number, SMALL.sellers.saturating_add(u64::try_from(number).unwrap_or_default())))
    {
        let transaction =
            json!([{ "from": sender, "to": format!("0xaa{user:038x}"), "value": AMOUNT, "gas": "0x5208" }]);
        let body =
            json!({ "jsonrpc": "2.0", "id": 1, "method": "eth_sendTransaction", "params": transaction }).to_string();
        client.exchange(&request("POST", "/", "", "", &body)).await?;
        anyhow::ensure!(!client.body().windows(7).any(|window| window == b"\"error\""), "the node refused a transfer");
        if number.is_multiple_of(PER_BLOCK) || number == many {
            stand.node.call::<Value>("evm_mine", json!([])).await?;
        }
    }
    stand.node.call::<Value>("anvil_mine", json!([format!("{CONFIRMATIONS:#x}")])).await?;
    Ok(())
}

/// Starts the product and returns how many deposits per second it credits.
async fn backlog(stand: &Stand, pool: &PgPool, many: usize) -> anyhow::Result<f64> {
    let before = credited(pool).await?;
    let running = stand.product.start(&stand.postgres, COPY, &stand.node).await?;
    let count = async || credited(pool).await;
    let first = reached(count, before.saturating_add(1)).await?;
    let last = reached(count, before.saturating_add(i64::try_from(many)?)).await?;
    if last.1.saturating_sub(before) < i64::try_from(many)? {
        say(&format!("only {} of {many} deposits were credited in {PATIENCE:?}", last.1.saturating_sub(before)));
        running.stop().await?;
        return Ok(per_second(usize::try_from(last.1.saturating_sub(before))?, PATIENCE));
    }
    // The first commit contains a part of the deposits; its time is a part of the start.
    let at_first = usize::try_from(first.1.saturating_sub(before))?;
    let rate = if at_first < many {
        per_second(many.saturating_sub(at_first), last.0.duration_since(first.0))
    } else {
        per_second(many, first.0.duration_since(running.started_at))
    };
    running.stop().await?;
    Ok(rate)
}

/// Sends single transfers and measures the time from the block that confirms each to its credit.
async fn after_confirmation(stand: &Stand, pool: &PgPool) -> anyhow::Result<Latencies> {
    let running = stand.product.start(&stand.postgres, COPY, &stand.node).await?;
    let samples = if stand.quick { 5 } else { 100 };
    let accounts: Vec<String> = stand.node.call("eth_accounts", json!([])).await?;
    let mut latencies = Latencies::default();
    for user in (1..=samples).map(|number: u64| SMALL.users.saturating_sub(number)) {
        let before = credited(pool).await?;
        let transaction =
            json!([{ "from": accounts.first(), "to": format!("0xaa{user:038x}"), "value": AMOUNT, "gas": "0x5208" }]);
        stand.node.call::<Value>("eth_sendTransaction", transaction).await?;
        for _ in 0..CONFIRMATIONS {
            stand.node.call::<Value>("evm_mine", json!([])).await?;
        }
        let confirmed = Instant::now();
        let (credited_at, now) = reached(async || credited(pool).await, before.saturating_add(1)).await?;
        anyhow::ensure!(now > before, "a deposit was not credited");
        latencies.add(credited_at.duration_since(confirmed));
    }
    running.stop().await?;
    latencies.sort();
    Ok(latencies)
}

async fn credited(pool: &PgPool) -> anyhow::Result<i64> {
    Ok(sqlx::query_scalar("select count(*) from deposits").fetch_one(pool).await?)
}
