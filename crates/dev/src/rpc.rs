//! A JSON-RPC client for the development node, including Anvil's own methods.

use std::time::Duration;

use anyhow::{Context as _, bail};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// The development node.
#[derive(Debug, Clone)]
pub(crate) struct Node {
    url: String,
    client: reqwest::Client,
}

impl Node {
    /// Connects to the node on a loopback port.
    pub(crate) fn local(port: u16) -> anyhow::Result<Self> {
        let client = reqwest::Client::builder().timeout(Duration::from_secs(30)).no_proxy().build()?;
        Ok(Self { url: format!("http://127.0.0.1:{port}"), client })
    }

    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// Calls a method. If the node refuses, the error contains its message.
    pub(crate) async fn call<T: DeserializeOwned>(&self, method: &str, parameters: Value) -> anyhow::Result<T> {
        let request = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": parameters });
        let mut answer: Value = self
            .client
            .post(&self.url)
            .json(&request)
            .send()
            .await
            .with_context(|| format!("{method}: the node does not respond"))?
            .json()
            .await
            .with_context(|| format!("{method}: the node's response is not JSON"))?;
        if let Some(error) = answer.get("error") {
            let words = error.get("message").and_then(Value::as_str).unwrap_or("no reason given");
            bail!("{method}: {words}");
        }
        let result = answer.get_mut("result").map_or(Value::Null, Value::take);
        serde_json::from_value(result).with_context(|| format!("{method}: unexpected response"))
    }

    pub(crate) async fn head(&self) -> anyhow::Result<u64> {
        let text: String = self.call("eth_blockNumber", json!([])).await?;
        quantity(&text)
    }

    /// Returns a block with only the hashes of its transactions, or `None` if there is no block at this height.
    pub(crate) async fn block(&self, number: u64) -> anyhow::Result<Option<BlockHeader>> {
        self.call("eth_getBlockByNumber", json!([format!("{number:#x}"), false])).await
    }

    pub(crate) async fn mine(&self) -> anyhow::Result<()> {
        self.call::<Value>("evm_mine", json!([])).await.map(drop)
    }

    /// Returns the time of the newest block, in seconds since 1970.
    pub(crate) async fn head_time(&self) -> anyhow::Result<u64> {
        let head = self.head().await?;
        let block = self.block(head).await?.context("the newest block does not exist")?;
        quantity(&block.timestamp)
    }

    /// Returns the accounts whose keys the node holds, in a fixed order.
    pub(crate) async fn accounts(&self) -> anyhow::Result<Vec<String>> {
        self.call("eth_accounts", json!([])).await
    }
}

/// The fields of a block that the development environment uses.
#[derive(Debug, serde::Deserialize)]
pub(crate) struct BlockHeader {
    /// The hashes of its transactions.
    pub(crate) transactions: Vec<String>,
    /// Hexadecimal seconds since 1970.
    pub(crate) timestamp: String,
    pub(crate) hash: String,
    #[serde(rename = "parentHash")]
    pub(crate) parent_hash: String,
}

/// Parses a hexadecimal quantity such as `0x1b4`.
pub(crate) fn quantity(text: &str) -> anyhow::Result<u64> {
    let digits = text.strip_prefix("0x").context("the quantity has no 0x prefix")?;
    u64::from_str_radix(digits, 16).with_context(|| format!("not a quantity: {text}"))
}
