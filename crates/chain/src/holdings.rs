//! Reads the balances of addresses at a block. Transfers by contracts leave no log, so only the balance shows them.

use domain::chain::{Address, BlockHash, Token};
use domain::money::Amount;

use crate::convert::amount;
use crate::node::{At, Node, NodeError};

/// Maximum number of balances per request.
const BALANCES_PER_REQUEST: usize = 100;

/// Maximum length of a token's error message, in characters.
const WORDS: usize = 200;

/// Why a balance of a token is unknown: the token does not report it, or reports more than 10^38 − 1. The text is for
/// operators.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unknown(pub String);

impl Unknown {
    /// Sanitizes the text, because the token may have chosen it.
    fn saying(words: &str) -> Self {
        Self(words.chars().filter(|c| !c.is_control()).take(WORDS).collect())
    }
}

/// Returns the balance of each holder after a block, in the given order: base units, or 1 or 0 for an NFT. If a token
/// does not report balances, only its own balances are unknown.
///
/// Fails on the first error of the node itself. If the node has pruned the block's state, the error is
/// [`NodeError::Fatal`]: retry with a newer final block.
pub async fn at_block(
    node: &dyn Node,
    block: BlockHash,
    holders: &[(Address, Token)],
) -> Result<Vec<Result<Amount, Unknown>>, NodeError> {
    let mut found = Vec::with_capacity(holders.len());
    for part in holders.chunks(BALANCES_PER_REQUEST) {
        let questions: Vec<_> = part.iter().map(|(holder, token)| (*token, *holder)).collect();
        for ((token, holder), answer) in questions.iter().zip(node.holdings(&questions, At::Block(block)).await) {
            // Long answers to other questions may have used up what the node returns at once.
            let answer = match answer {
                Err(NodeError::TooMuch(_)) => node.holding(*token, *holder, At::Block(block)).await,
                answer => answer,
            };
            found.push(match answer {
                Ok(held) => amount(held).map_err(|error| Unknown::saying(&format!("balance {held}: {error}"))),
                Err(NodeError::Contract(words)) => Err(Unknown::saying(&words)),
                Err(error) => return Err(error),
            });
        }
    }
    Ok(found)
}
