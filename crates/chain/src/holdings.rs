//! What addresses hold at a block. What a vault holds beyond its books, once logs and transactions are counted, came by a
//! contract's internal transfer, which leaves no log.

use domain::chain::{Address, BlockHash, Token};
use domain::money::Amount;
use futures::StreamExt;

use crate::convert::amount;
use crate::node::{At, Node, NodeError};

/// How many questions are asked at the same time.
const AT_ONCE: usize = 16;

/// How much of a token's own words is kept, in characters.
const WORDS: usize = 200;

/// Why it cannot be said what somebody holds of a token: the token does not answer, or with more than the books can hold
/// (10^38 − 1). In words, for people to read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unknown(pub String);

impl Unknown {
    /// The words may be the token's, which may say anything.
    fn saying(words: &str) -> Self {
        Self(words.chars().filter(|c| !c.is_control()).take(WORDS).collect())
    }
}

/// How much of a token each holder has after a block, in the order asked: base units, or 1 and 0 for an NFT. A token that
/// does not say it makes its own holdings unknown, and no others.
///
/// The first failure of the node itself ends it: half an answer is none. A node that has thrown the block's state away says
/// so as fatal: ask at a newer confirmed block then.
pub async fn at_block(
    node: &dyn Node,
    block: BlockHash,
    holders: &[(Address, Token)],
) -> Result<Vec<Result<Amount, Unknown>>, NodeError> {
    let questions = holders.iter().map(|(holder, token)| async move {
        match node.holding(*token, *holder, At::Block(block)).await {
            Ok(held) => Ok(amount(held).map_err(|error| Unknown::saying(&format!("it says {held}: {error}")))),
            Err(NodeError::Contract(words)) => Ok(Err(Unknown::saying(&words))),
            Err(error) => Err(error),
        }
    });
    let answers: Vec<_> = futures::stream::iter(questions).buffered(AT_ONCE).collect().await;
    answers.into_iter().collect()
}
