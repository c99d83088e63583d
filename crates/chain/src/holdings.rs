//! What addresses hold at a block. What a vault holds beyond its books, once logs and transactions are counted, came by a
//! contract's internal transfer, which leaves no log.

use domain::chain::{Address, BlockHash, Token};
use domain::money::Amount;
use futures::StreamExt;

use crate::convert::amount;
use crate::node::{At, Node, NodeError};

/// How many questions are asked at the same time.
const AT_ONCE: usize = 16;

/// How much of a token each holder has after a block, in the order asked: base units, or 1 and 0 for an NFT.
///
/// The first failure ends it: half an answer is none. A holding that the books cannot hold (above 10^38 − 1) is fatal. A
/// node that has thrown the block's state away says so as fatal: ask at a newer confirmed block then.
pub async fn at_block(
    node: &dyn Node,
    block: BlockHash,
    holders: &[(Address, Token)],
) -> Result<Vec<Amount>, NodeError> {
    let questions = holders.iter().map(|(holder, token)| async move {
        let held = node.holding(*token, *holder, At::Block(block)).await?;
        amount(held).map_err(|error| NodeError::Fatal(format!("{holder} holds {held} of {token:?}: {error}")))
    });
    let answers: Vec<_> = futures::stream::iter(questions).buffered(AT_ONCE).collect().await;
    answers.into_iter().collect()
}
