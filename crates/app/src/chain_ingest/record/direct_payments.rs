//! Finds transfers between users that may be the payments of manual orders. They have no effect on the orders by themselves.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DurationRound, TimeDelta};
use domain::assets::AssetId;
use domain::chain::{Address, Transfer};
use domain::clock::Timestamp;
use domain::direct_payment::{Candidate, Match, Sender, SenderProof, hash_key, matches};
use domain::ids::UserId;
use store::Tx;
use store::payments::{self, Awaiting};

use crate::Result;
use crate::chain_ingest::assets::ChainAssets;
use crate::chain_ingest::range::Range;

/// Records which orders the transfers of a range may pay.
pub(super) async fn record(
    tx: &mut Tx,
    range: &Range,
    assets: &ChainAssets,
    vaults: &BTreeMap<Address, UserId>,
) -> Result<()> {
    let transfers =
        || range.blocks.iter().flat_map(|block| block.transfers.iter().map(move |transfer| (block, transfer)));
    let to: BTreeSet<_> = transfers().map(|(_, transfer)| transfer.to).collect();
    let to: Vec<_> = to.into_iter().filter(|address| !vaults.contains_key(address)).collect();
    if to.is_empty() {
        return Ok(());
    }
    let mut awaiting = payments::awaiting(tx, &to).await?;
    if awaiting.is_empty() {
        return Ok(());
    }
    let senders: BTreeSet<_> = transfers().map(|(_, transfer)| transfer.from).collect();
    let senders: Vec<_> = senders.into_iter().collect();
    let bound: BTreeMap<_, _> = payments::bound_to(tx, &senders).await?.into_iter().collect();
    let mut found = Vec::new();
    for (block, transfer) in transfers() {
        let Some(asset) = assets.of_token(transfer.token) else { continue };
        let sender = Sender {
            address: transfer.from,
            bound_to: bound.get(&transfer.from).copied(),
            vault: vaults.contains_key(&transfer.from),
        };
        let matched = matches(&sender, transfer.amount, &candidates(&awaiting, transfer, asset, block.at));
        if matched.is_empty() {
            continue;
        }
        for Match { order, .. } in matched.iter().filter(|one| one.sender == SenderProof::Bound) {
            awaiting.iter_mut().filter(|one| one.order == *order).for_each(|one| one.proved = true);
        }
        let place = block.place;
        let transfer = payments::Transfer {
            chain: range.chain,
            block: place.number,
            block_hash: place.hash,
            tx: transfer.tx,
            position: transfer.position,
            sender: transfer.from,
            amount: transfer.amount,
        };
        found.push((transfer, matched));
    }
    Ok(payments::insert(tx, &found).await?)
}

/// Returns the orders to whose sellers the coins were sent after the orders were accepted.
fn candidates(awaiting: &[Awaiting], transfer: &Transfer, asset: AssetId, at: Timestamp) -> Vec<Candidate> {
    let hash = hash_key(&transfer.tx.to_string());
    let paid_there =
        |one: &&Awaiting| one.to == transfer.to && one.asset == asset && whole_second(one.accepted_at) <= at;
    awaiting
        .iter()
        .filter(paid_there)
        .map(|one| Candidate {
            order: one.order,
            buyer: one.buyer,
            buyer_receives_at: one.buyer_receives_at,
            total: one.total,
            reported: one.reported.is_some() && one.reported == hash,
            proved: one.proved,
        })
        .collect()
}

/// Truncates a timestamp to whole seconds, the precision of block times.
fn whole_second(timestamp: Timestamp) -> Timestamp {
    timestamp.duration_trunc(TimeDelta::seconds(1)).unwrap_or(timestamp)
}
