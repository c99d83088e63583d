//! Reads a range of blocks with their logs and checks their consistency.

use std::collections::{HashMap, HashSet};

use domain::chain::{Block, BlockHash, BlockNumber};
use futures::StreamExt;

use super::{Accounts, WatchError, Watched, facts};
use crate::node::{Log, LogFilter, LogRange, Node, NodeBlock, NodeError};

/// Maximum number of concurrent requests.
const MAX_CONCURRENT_REQUESTS: usize = 8;

/// The depth below the head from which logs are requested by range of block numbers. Newer logs are requested by block
/// hash, because a lagging node returns no logs, and no error, for a range that it has not reached.
pub(super) const SETTLED_DEPTH: u64 = 64;

pub(super) async fn range(
    node: &dyn Node,
    watched: &Watched,
    accounts: &dyn Accounts,
    parent: Option<BlockHash>,
    from: BlockNumber,
    to: BlockNumber,
    head: BlockNumber,
) -> Result<Vec<Block>, WatchError> {
    let blocks = blocks(node, parent, from, to).await?;
    let filter = facts::filter(watched);
    let settled = to.min(head.saturating_sub(SETTLED_DEPTH));

    let mut found = if from <= settled { by_heights(node, &filter, from, settled).await? } else { Vec::new() };
    let near = blocks.iter().filter(|block| block.header.place.number > settled).map(|block| {
        let hash = block.header.place.hash;
        let filter = &filter;
        async move { node.logs(LogRange::Block(hash), filter).await }
    });
    let near: Vec<_> = futures::stream::iter(near).buffered(MAX_CONCURRENT_REQUESTS).collect().await;
    for answer in near {
        found.extend(answer?);
    }
    let mut logs: HashMap<BlockHash, Vec<Log>> = HashMap::new();
    for log in found {
        logs.entry(log.block_hash).or_default().push(log);
    }

    let addresses: HashSet<_> = blocks
        .iter()
        .flat_map(|block| {
            let logs = logs.get(&block.header.place.hash).map(Vec::as_slice).unwrap_or_default();
            facts::addresses(watched, block, logs)
        })
        .collect();
    let followed = accounts.among(addresses.into_iter().collect()).await.map_err(WatchError::Accounts)?;
    let mut read = Vec::with_capacity(blocks.len());
    for block in &blocks {
        let logs = logs.remove(&block.header.place.hash).unwrap_or_default();
        read.push(facts::of_block(node, watched, &followed, block, logs).await?);
    }
    // Any remaining log belongs to another block: the chain changed between the requests.
    match logs.into_keys().next() {
        Some(stray) => Err(WatchError::Inconsistent(format!("a log of block {stray}, which is outside the range"))),
        None => Ok(read),
    }
}

/// Reads the blocks of a range. Each block must be the child of the previous block.
async fn blocks(
    node: &dyn Node,
    mut parent: Option<BlockHash>,
    from: BlockNumber,
    to: BlockNumber,
) -> Result<Vec<NodeBlock>, WatchError> {
    let questions = (from..=to).map(|number| async move {
        let block = node.block(number).await?;
        block.ok_or_else(|| NodeError::Transient(format!("no block {number} yet")))
    });
    let answers: Vec<_> = futures::stream::iter(questions).buffered(MAX_CONCURRENT_REQUESTS).collect().await;
    let mut blocks = Vec::with_capacity(answers.len());
    for answer in answers {
        let block = answer?;
        let place = block.header.place;
        if parent.is_some_and(|parent| parent != place.parent) {
            return Err(WatchError::Inconsistent(format!("block {} does not follow the previous one", place.number)));
        }
        parent = Some(place.hash);
        blocks.push(block);
    }
    Ok(blocks)
}

/// Reads the logs of a range of block numbers. Halves the range as long as the node refuses its size.
async fn by_heights(
    node: &dyn Node,
    filter: &LogFilter,
    from: BlockNumber,
    to: BlockNumber,
) -> Result<Vec<Log>, NodeError> {
    let mut logs = Vec::new();
    let (mut next, mut size) = (from, to.saturating_sub(from).saturating_add(1));
    while next <= to {
        let last = to.min(next.saturating_add(size.saturating_sub(1)));
        match node.logs(LogRange::Heights(next, last), filter).await {
            Ok(found) => {
                logs.extend(found);
                next = last.saturating_add(1);
            }
            Err(NodeError::TooMuch(_)) if size > 1 => size = size.div_ceil(2),
            Err(error) => return Err(error),
        }
    }
    Ok(logs)
}
