//! Extracts transfers and settlements from a block. Ignores logs of contracts that are not configured, logs that do not
//! follow the standard, transfers of zero, failed transactions, and amounts above the maximum.
//!
//! The Escrow's payments in the native coin leave neither a log nor a transaction at the recipient. For followed
//! recipients, they are read from the settlement's calldata and the Escrow's event, which lists the paid legs.

use std::collections::HashSet;

use alloy::sol_types::{SolCall, SolEvent};
use domain::chain::{Address, Block, MetadataUpdate, Reference, Settlement, Token, Transfer, TxHash};
use domain::clock::Timestamp;
use domain::money::Amount;
use ruint::aliases::U256;

use super::{WatchError, Watched};
use crate::batch::Batch;
use crate::contracts::Escrow;
use crate::contracts::Token::{
    BatchMetadataUpdate as BatchMetadataUpdateEvent, MetadataUpdate as MetadataUpdateEvent, Transfer as TransferEvent,
};
use crate::convert::amount;
use crate::node::{Header, Log, LogFilter, Node, NodeBlock};
use crate::settlements::{self, DecodedOutcome};
use crate::vaults::Vaults;

pub(super) const TRANSFER: [u8; 32] = TransferEvent::SIGNATURE_HASH.0;
const METADATA_UPDATE: [u8; 32] = MetadataUpdateEvent::SIGNATURE_HASH.0;
const BATCH_METADATA_UPDATE: [u8; 32] = BatchMetadataUpdateEvent::SIGNATURE_HASH.0;

/// Returns the filter for relevant logs.
pub(super) fn filter(watched: &Watched) -> LogFilter {
    let contracts: HashSet<_> = watched.tokens.iter().chain(&watched.albums).copied().chain([watched.escrow]).collect();
    let mut contracts: Vec<_> = contracts.into_iter().collect();
    contracts.sort_unstable();
    let events = settlements::events().into_iter().chain([TRANSFER, METADATA_UPDATE, BATCH_METADATA_UPDATE]).collect();
    LogFilter { contracts, events }
}

/// Returns the addresses of a block that may be followed accounts.
pub(super) fn addresses(watched: &Watched, block: &NodeBlock, logs: &[Log]) -> Vec<Address> {
    let sent = block.transactions.iter().filter(|tx| !tx.value.is_zero());
    let mut found: Vec<_> = sent.flat_map(|tx| [Some(tx.from), tx.to]).flatten().collect();
    for log in logs {
        if log.contract == watched.escrow {
            let batch = batch(watched, block, log.tx);
            found.extend(batch.iter().flat_map(Batch::legs).filter(|leg| leg.token == Token::Native).map(|leg| leg.to));
        } else if watched.tokens.contains(&log.contract) {
            found.extend(coins(log).iter().flat_map(|transfer| [transfer.from, transfer.to]));
        }
    }
    found
}

/// Returns the facts of a block. `followed` contains the followed accounts among its [`addresses`].
pub(super) async fn of_block(
    node: &dyn Node,
    watched: &Watched,
    followed: &HashSet<Address>,
    block: &NodeBlock,
    logs: Vec<Log>,
) -> Result<Block, WatchError> {
    let place = block.header.place;
    let mut transfers = native(node, followed, block).await?;
    let mut settlements = Vec::new();
    let mut metadata_updates = Vec::new();
    for log in &logs {
        if log.block != place.number {
            let why = format!("a log of block {} has block number {}", place.number, log.block);
            return Err(WatchError::Inconsistent(why));
        }
        if log.contract == watched.escrow {
            let read = settlements::read(log);
            transfers.extend(paid_natively(watched, followed, block, log.tx, &read));
            settlements.extend(read.into_iter().map(|(reference, outcome)| Settlement {
                tx: log.tx,
                reference,
                outcome: outcome.into(),
            }));
        } else if watched.albums.contains(&log.contract) {
            transfers.extend(nft(log));
            metadata_updates.extend(metadata_update(log));
        } else if watched.tokens.contains(&log.contract) {
            let moved = coins(log);
            transfers.extend(moved.filter(|t| followed.contains(&t.from) || followed.contains(&t.to)));
        }
    }
    Ok(Block { place, at: time(&block.header), transfers, settlements, metadata_updates })
}

/// Returns the time of a block.
pub(super) fn time(header: &Header) -> Timestamp {
    let seconds = i64::try_from(header.timestamp).unwrap_or(i64::MAX);
    Timestamp::from_timestamp(seconds, 0).unwrap_or(Timestamp::MAX_UTC)
}

/// Returns transfers of the native coin by transactions.
async fn native(node: &dyn Node, followed: &HashSet<Address>, block: &NodeBlock) -> Result<Vec<Transfer>, WatchError> {
    let concerned: Vec<_> = block
        .transactions
        .iter()
        .filter(|tx| !tx.value.is_zero())
        .filter_map(|tx| tx.to.map(|to| (tx, to)))
        .filter(|(tx, to)| followed.contains(&tx.from) || followed.contains(to))
        .collect();
    if concerned.is_empty() {
        return Ok(Vec::new());
    }
    let succeeded: HashSet<TxHash> = node.succeeded(block.header.place.hash).await?.into_iter().collect();
    Ok(concerned
        .into_iter()
        .filter(|(tx, _)| succeeded.contains(&tx.hash))
        .filter_map(|(tx, to)| {
            let position = i64::try_from(tx.index).ok()?.checked_neg()?.checked_sub(1)?;
            let amount = storable(tx.value, tx.hash)?;
            Some(Transfer { tx: tx.hash, position, token: Token::Native, from: tx.from, to, amount })
        })
        .collect())
}

/// Decodes the legs of a settlement; `None` if another contract called the Escrow.
fn batch(watched: &Watched, block: &NodeBlock, tx: TxHash) -> Option<Batch> {
    let sent = block.transactions.iter().find(|sent| sent.hash == tx && sent.to == Some(watched.escrow))?;
    let call = Escrow::settleCall::abi_decode(&sent.data).ok()?;
    Batch::decode(Reference(call.firstReference), &call.batch).ok()
}

/// Returns a settlement's payments in the native coin to followed addresses. Returns none if another contract called
/// the Escrow; only balances show such payments.
fn paid_natively(
    watched: &Watched,
    followed: &HashSet<Address>,
    block: &NodeBlock,
    tx: TxHash,
    outcomes: &[(Reference, DecodedOutcome)],
) -> Vec<Transfer> {
    let Some(batch) = batch(watched, block, tx) else { return Vec::new() };
    let paid: HashSet<_> = outcomes
        .iter()
        .filter(|(_, outcome)| *outcome == DecodedOutcome::Paid)
        .map(|(reference, _)| *reference)
        .collect();
    let vaults = Vaults::of(watched.escrow);
    let legs = batch
        .legs()
        .iter()
        .filter(|leg| leg.token == Token::Native && followed.contains(&leg.to) && paid.contains(&leg.reference));
    legs.filter_map(|leg| {
        // Lower than the position of any transaction, and unique per leg, because two legs may pay the same vault.
        let position = i64::MIN.checked_add(i64::try_from(leg.reference.0).ok()?)?;
        let from = vaults.address(leg.vault);
        Some(Transfer { tx, position, token: Token::Native, from, to: leg.to, amount: leg.amount })
    })
    .collect()
}

/// Decodes an ERC-20 transfer: two addresses in the topics, and the amount as the only data.
fn coins(log: &Log) -> Option<Transfer> {
    let [TRANSFER, from, to] = log.topics.as_slice() else { return None };
    let value: [u8; 32] = log.data.as_slice().try_into().ok()?;
    let amount = storable(U256::from_be_bytes(value), log.tx).filter(|amount| !amount.is_zero())?;
    transfer(log, Token::Erc20(log.contract), from, to, amount)
}

/// Decodes an ERC-721 transfer: two addresses and the token ID in the topics, and no data.
pub(crate) fn nft(log: &Log) -> Option<Transfer> {
    let [TRANSFER, from, to, token_id] = log.topics.as_slice() else { return None };
    if !log.data.is_empty() {
        return None;
    }
    transfer(log, Token::Erc721(log.contract, *token_id), from, to, Amount::ONE)
}

/// Decodes a report that metadata has changed: one token ID or two as the only data.
fn metadata_update(log: &Log) -> Option<MetadataUpdate> {
    let (words, []) = log.data.as_chunks::<32>() else { return None };
    let ids = match (log.topics.as_slice(), words) {
        ([METADATA_UPDATE], [id]) => (*id, *id),
        ([BATCH_METADATA_UPDATE], [first, last]) => (*first, *last),
        _ => return None,
    };
    Some(MetadataUpdate { album: log.contract, ids })
}

fn transfer(log: &Log, token: Token, from: &[u8; 32], to: &[u8; 32], amount: Amount) -> Option<Transfer> {
    let position = i64::try_from(log.index).ok()?;
    Some(Transfer { tx: log.tx, position, token, from: address(from)?, to: address(to)?, amount })
}

/// Decodes an address from a topic, whose first twelve bytes must be zero.
fn address(topic: &[u8; 32]) -> Option<Address> {
    let (zeros, address) = topic.split_first_chunk::<12>()?;
    if *zeros == [0; 12] { Address::from_slice(address) } else { None }
}

fn storable(value: U256, tx: TxHash) -> Option<Amount> {
    let read = amount(value);
    if read.is_err() {
        tracing::warn!(%tx, %value, "ignored a transfer above the maximum amount");
    }
    read.ok()
}
