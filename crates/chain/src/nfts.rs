//! Asks an album's contract about its NFTs, and finds NFTs of any contract in a transaction.

use alloy::sol_types::SolCall;
use domain::chain::{Address, Transfer};
use domain::money::Amount;
use ruint::aliases::U256;

use crate::contracts::Token::{ownerOfCall, tokenURICall};
use crate::convert::from_evm;
use crate::node::{At, Node, NodeError, Question, Receipt};
use crate::watch::facts;

/// Returns the owner of an NFT; `None` if it does not exist.
pub async fn owner(node: &dyn Node, album: Address, id: [u8; 32], at: At) -> Result<Option<Address>, NodeError> {
    let call = ownerOfCall { tokenId: U256::from_be_bytes(id) };
    let answer = ask(node, album, call.abi_encode(), at).await?;
    Ok(answer.and_then(|answer| ownerOfCall::abi_decode_returns(&answer).ok()).map(from_evm))
}

/// Returns where the metadata of an NFT is, in the words of its contract; `None` if it does not say.
pub async fn metadata_uri(node: &dyn Node, album: Address, id: [u8; 32], at: At) -> Result<Option<String>, NodeError> {
    let call = tokenURICall { tokenId: U256::from_be_bytes(id) };
    let answer = ask(node, album, call.abi_encode(), at).await?;
    Ok(answer.and_then(|answer| tokenURICall::abi_decode_returns(&answer).ok()).filter(|uri| !uri.is_empty()))
}

/// Returns the transfers of NFTs that a transaction has logged, whatever the contract.
pub fn transfers(receipt: &Receipt) -> Vec<Transfer> {
    receipt.logs.iter().filter_map(facts::nft).collect()
}

/// Returns the answer of a contract; `None` if it reverts.
async fn ask(node: &dyn Node, album: Address, data: Vec<u8>, at: At) -> Result<Option<Vec<u8>>, NodeError> {
    let question = Question { from: Address([0; 20]), to: Some(album), value: Amount::ZERO, data, gas: None };
    match node.ask(&question, at).await {
        Ok(answer) => Ok(Some(answer)),
        Err(NodeError::Contract(_)) => Ok(None),
        Err(error) => Err(error),
    }
}
