//! Finds transfers between users that look like the payment of a manual order. They are only a hint for the parties and
//! have no effect on the order.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DurationRound, TimeDelta};
use domain::assets::{Asset, AssetId};
use domain::chain::{Address, Transfer};
use domain::clock::Timestamp;
use domain::ids::UserId;
use store::Tx;
use store::payments::{self, Awaiting, Payment};

use super::{Range, asset_of};
use crate::Result;

/// Records which transfers of a range match which orders: one order per transfer, one transfer per order.
pub(super) async fn see(
    tx: &mut Tx,
    range: &Range,
    assets: &[Asset],
    vaults: &BTreeMap<Address, UserId>,
) -> Result<()> {
    let to: BTreeSet<_> = range.blocks.iter().flat_map(|block| &block.transfers).map(|transfer| transfer.to).collect();
    let to: Vec<_> = to.into_iter().filter(|address| !vaults.contains_key(address)).collect();
    if to.is_empty() {
        return Ok(());
    }
    let mut awaiting = payments::awaiting(tx, &to).await?;
    let mut found = Vec::new();
    for block in &range.blocks {
        for transfer in &block.transfers {
            let Some(asset) = asset_of(assets, range.chain, transfer.token) else { continue };
            let Some(place) = supported(&awaiting, transfer, asset, block.at) else { continue };
            let order = awaiting.remove(place).order;
            found.push(Payment {
                order,
                chain: range.chain,
                block: block.place.number,
                block_hash: block.place.hash,
                at: block.at,
                tx: transfer.tx,
                position: transfer.position,
                sender: transfer.from,
                amount: transfer.amount,
            });
        }
    }
    Ok(payments::insert(tx, &found).await?)
}

/// Returns the order that a transfer matches: the earliest accepted order for exactly this amount, or else the earliest
/// accepted order for a smaller amount. Orders accepted after the block was mined never match.
fn supported(awaiting: &[Awaiting], transfer: &Transfer, asset: AssetId, at: Timestamp) -> Option<usize> {
    let fits = |order: &Awaiting| {
        order.to == transfer.to
            && order.asset == asset
            && order.total <= transfer.amount
            && whole_second(order.accepted_at) <= at
    };
    let exact = awaiting.iter().position(|order| fits(order) && order.total == transfer.amount);
    exact.or_else(|| awaiting.iter().position(fits))
}

/// Truncates a timestamp to whole seconds, the precision of block times.
fn whole_second(timestamp: Timestamp) -> Timestamp {
    timestamp.duration_trunc(TimeDelta::seconds(1)).unwrap_or(timestamp)
}
