//! Asks an album's contract about its NFTs, and finds NFTs of any contract in a transaction.

use alloy::sol_types::SolCall;
use domain::chain::{Address, Transfer};
use domain::money::Amount;
use domain::nfts::Royalty;
use ruint::aliases::U256;

use crate::contracts::Token::{ownerOfCall, royaltyInfoCall, tokenURICall};
use crate::convert::from_evm;
use crate::node::{At, Node, NodeError, Question, Receipt, VIEW_GAS};
use crate::watch::facts;

/// Returns the owner of an NFT; `None` if it does not exist.
pub async fn owner(node: &dyn Node, album: Address, id: [u8; 32], at: At) -> Result<Option<Address>, NodeError> {
    let call = ownerOfCall { tokenId: U256::from_be_bytes(id) };
    let answer = ask(node, album, call.abi_encode(), None, at).await?;
    Ok(answer.and_then(|answer| ownerOfCall::abi_decode_returns(&answer).ok()).map(from_evm))
}

/// Returns where the metadata of an NFT is, in the words of its contract; `None` if it does not say.
pub async fn metadata_uri(node: &dyn Node, album: Address, id: [u8; 32], at: At) -> Result<Option<String>, NodeError> {
    let call = tokenURICall { tokenId: U256::from_be_bytes(id) };
    let answer = ask(node, album, call.abi_encode(), None, at).await?;
    Ok(answer.and_then(|answer| tokenURICall::abi_decode_returns(&answer).ok()).filter(|uri| !uri.is_empty()))
}

/// The price for which an album is asked for the royalty, so that the royalty is in basis points.
const WHOLE: u16 = 10_000;

/// Returns what the contract of an NFT states about its royalty; `None` if it states none.
pub async fn royalty(node: &dyn Node, album: Address, id: [u8; 32], at: At) -> Result<Option<Royalty>, NodeError> {
    let call = royaltyInfoCall { tokenId: U256::from_be_bytes(id), price: U256::from(WHOLE) };
    let answer = ask(node, album, call.abi_encode(), Some(VIEW_GAS), at).await?;
    Ok(answer.and_then(|answer| stated_royalty(&answer)))
}

/// Decodes an answer to `royaltyInfo`. An album can answer whatever it likes: a royalty of nothing, for nobody or above the price is
/// none.
fn stated_royalty(answer: &[u8]) -> Option<Royalty> {
    let words: &[u8; 64] = answer.try_into().ok()?;
    let stated = royaltyInfoCall::abi_decode_returns_validate(words).ok()?;
    let receiver = from_evm(stated.receiver);
    let basis_points = u16::try_from(stated.royalty).ok()?;
    let possible = (1..=WHOLE).contains(&basis_points) && receiver != Address([0; 20]);
    possible.then_some(Royalty { receiver, basis_points })
}

/// Returns the transfers of NFTs that a transaction has logged, whatever the contract.
pub fn transfers(receipt: &Receipt) -> Vec<Transfer> {
    receipt.logs.iter().filter_map(facts::nft).collect()
}

/// Returns the answer of a contract; `None` if it reverts.
async fn ask(
    node: &dyn Node,
    album: Address,
    data: Vec<u8>,
    gas: Option<u64>,
    at: At,
) -> Result<Option<Vec<u8>>, NodeError> {
    let question = Question { from: Address([0; 20]), to: Some(album), value: Amount::ZERO, data, gas };
    match node.ask(&question, at).await {
        Ok(answer) => Ok(Some(answer)),
        Err(NodeError::Contract(_)) => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An answer that names a receiver and a royalty.
    fn answer(receiver: [u8; 32], royalty: U256) -> Vec<u8> {
        [receiver, royalty.to_be_bytes()].concat()
    }

    #[test]
    fn only_a_possible_royalty_is_stated() {
        let mut receiver = [0; 32];
        receiver[12..].fill(0xa1);
        let stated = |basis_points| Some(Royalty { receiver: Address([0xa1; 20]), basis_points });
        for share in [1, 500, WHOLE] {
            assert_eq!(stated_royalty(&answer(receiver, U256::from(share))), stated(share));
        }
        for impossible in [U256::ZERO, U256::from(WHOLE + 1), U256::from(1_u32 << 16) + U256::from(500), U256::MAX] {
            assert_eq!(stated_royalty(&answer(receiver, impossible)), None, "{impossible}");
        }
        let five_percent = U256::from(500);
        assert_eq!(stated_royalty(&answer([0; 32], five_percent)), None, "nobody receives it");
        let mut too_long = receiver;
        too_long[11] = 1;
        assert_eq!(stated_royalty(&answer(too_long, five_percent)), None, "not an address");
        let right = answer(receiver, five_percent);
        for wrong in [&[][..], &right[..32], &right[..63], &[&right[..], &[0; 32]].concat()] {
            assert_eq!(stated_royalty(wrong), None, "{} bytes", wrong.len());
        }
    }
}
