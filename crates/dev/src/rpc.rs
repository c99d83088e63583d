//! Calls to the development node, in the node's own words.

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
    /// The node that listens at `port` on this machine.
    pub(crate) fn local(port: u16) -> anyhow::Result<Self> {
        let client = reqwest::Client::builder().timeout(Duration::from_secs(30)).no_proxy().build()?;
        Ok(Self { url: format!("http://127.0.0.1:{port}"), client })
    }

    /// Where it is.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// Calls a method; a refusal of the node is an error with the node's words.
    pub(crate) async fn call<T: DeserializeOwned>(&self, method: &str, parameters: Value) -> anyhow::Result<T> {
        let request = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": parameters });
        let mut answer: Value = self
            .client
            .post(&self.url)
            .json(&request)
            .send()
            .await
            .with_context(|| format!("{method}: the node does not answer"))?
            .json()
            .await
            .with_context(|| format!("{method}: the node's answer is not JSON"))?;
        if let Some(error) = answer.get("error") {
            let words = error.get("message").and_then(Value::as_str).unwrap_or("no reason given");
            bail!("{method}: {words}");
        }
        let result = answer.get_mut("result").map_or(Value::Null, Value::take);
        serde_json::from_value(result).with_context(|| format!("{method}: an answer of another shape"))
    }

    /// The height of the newest block.
    pub(crate) async fn head(&self) -> anyhow::Result<u64> {
        let text: String = self.call("eth_blockNumber", json!([])).await?;
        quantity(&text)
    }

    /// A block without the content of its transactions; nothing when there is none at that height.
    pub(crate) async fn block(&self, number: u64) -> anyhow::Result<Option<BlockHeader>> {
        self.call("eth_getBlockByNumber", json!([format!("{number:#x}"), false])).await
    }

    /// Makes one block.
    pub(crate) async fn mine(&self) -> anyhow::Result<()> {
        self.call::<Value>("evm_mine", json!([])).await.map(drop)
    }

    /// The newest block's time in seconds since 1970.
    pub(crate) async fn head_time(&self) -> anyhow::Result<u64> {
        let head = self.head().await?;
        let block = self.block(head).await?.context("the newest block is gone")?;
        quantity(&block.timestamp)
    }

    /// The addresses whose keys the node itself holds, in their fixed order.
    pub(crate) async fn accounts(&self) -> anyhow::Result<Vec<String>> {
        self.call("eth_accounts", json!([])).await
    }
}

/// The part of a block that the development world looks at.
#[derive(Debug, serde::Deserialize)]
pub(crate) struct BlockHeader {
    /// Hashes of its transactions.
    pub(crate) transactions: Vec<String>,
    /// Its time, a hexadecimal quantity of seconds.
    pub(crate) timestamp: String,
    /// Its hash.
    pub(crate) hash: String,
    /// The hash of the block before it.
    #[serde(rename = "parentHash")]
    pub(crate) parent_hash: String,
}

/// Reads a hexadecimal quantity such as `0x1b4`.
pub(crate) fn quantity(text: &str) -> anyhow::Result<u64> {
    let digits = text.strip_prefix("0x").context("a quantity without 0x")?;
    u64::from_str_radix(digits, 16).with_context(|| format!("not a quantity: {text}"))
}
