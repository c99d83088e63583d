//! The time until the hall shows a committed change.

use std::time::Instant;

use anyhow::{Context as _, ensure};
use serde_json::Value;

use crate::http::{Client, get, request};
use crate::product::Running;
use crate::stats::Latencies;
use crate::world::{advert_id, token};

/// The seller whose advert is taken offline and online, and the advert.
const SELLER: u64 = 2;
const ADVERT: u64 = 2;

/// Takes an advert offline and online again. Returns the times from each response until a page without the change is no
/// longer served.
pub(crate) async fn measure(running: &Running, changes: u32) -> anyhow::Result<Latencies> {
    let mut client = Client::connect(running.api).await?;
    let seller = token(SELLER);
    let mut version =
        number(&mut client, &get(&format!("/api/c2c/advert/{}", advert_id(ADVERT)), &seller), "version").await?;
    let page = get("/api/c2c/advert/page?side=SELL&base=MEC&quote=KRW&page=1&size=1", "");
    let online = number(&mut client, &page, "total").await?;
    let mut latencies = Latencies::default();
    for change in 0..changes.saturating_mul(2) {
        let goes_online = !change.is_multiple_of(2);
        let body = format!(r#"{{"version":{version},"online":{goes_online}}}"#);
        let path = format!("/api/c2c/advert/switch/{}", advert_id(ADVERT));
        let command = request("POST", &path, &seller, &format!("bench-switch-{version}"), &body);
        version = number(&mut client, &command, "version").await?;
        let answered = Instant::now();
        let wanted = if goes_online { online } else { online.saturating_sub(1) };
        while number(&mut client, &page, "total").await? != wanted {}
        latencies.add(answered.elapsed());
    }
    latencies.sort();
    Ok(latencies)
}

/// Sends a request and returns a number of its response.
async fn number(client: &mut Client, request: &[u8], name: &str) -> anyhow::Result<i64> {
    let status = client.exchange(request).await?;
    ensure!(status == 200, "status {status}: {}", String::from_utf8_lossy(client.body()));
    let answer: Value = serde_json::from_slice(client.body())?;
    answer.get("data").and_then(|data| data.get(name)).and_then(Value::as_i64).context("a number is missing")
}
