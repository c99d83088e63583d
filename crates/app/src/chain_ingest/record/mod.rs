//! Stage 3: stores the new blocks and those of their transfers and settlements that concern the product.

mod direct_payments;

use std::collections::{BTreeMap, BTreeSet};

use domain::chain::{Block, Token};
use domain::clock::Timestamp;
use store::Tx;
use store::blocks::{self, StoredSettlement, VaultTransfer};
use store::nfts::{self, NftTransfer};

use super::assets::ChainAssets;
use super::range::Range;
use crate::{Context, Result};

/// Stores the blocks and those of their transfers that concern the product. Returns the settlements of known
/// references.
pub(super) async fn record(
    context: &Context,
    tx: &mut Tx,
    range: &Range,
    assets: &ChainAssets,
    now: Timestamp,
) -> Result<Vec<StoredSettlement>> {
    blocks::insert(tx, range.chain, &range.blocks).await?;
    let addresses: BTreeSet<_> = range
        .blocks
        .iter()
        .flat_map(|block| &block.transfers)
        .flat_map(|transfer| [transfer.from, transfer.to])
        .collect();
    let addresses: Vec<_> = addresses.into_iter().collect();
    let owners: BTreeMap<_, _> = store::users::vault_owners(tx, &addresses).await?.into_iter().collect();
    let mut transfers = Vec::new();
    let mut settlements = Vec::new();
    for block in &range.blocks {
        for transfer in block.transfers.iter().filter(|transfer| !transfer.amount.is_zero()) {
            let Some(asset) = assets.of_token(transfer.token) else { continue };
            for (address, incoming) in [(transfer.to, true), (transfer.from, false)] {
                let Some(&vault) = owners.get(&address) else { continue };
                transfers.push(VaultTransfer {
                    id: context.fresh(now),
                    block: block.place.number,
                    block_hash: block.place.hash,
                    tx: Some(transfer.tx),
                    position: Some(transfer.position),
                    asset,
                    sender: Some(transfer.from),
                    recipient: transfer.to,
                    vault,
                    incoming,
                    amount: transfer.amount,
                });
            }
        }
        settlements.extend(block.settlements.iter().map(|settlement| StoredSettlement {
            block: block.place.number,
            block_hash: block.place.hash,
            tx: settlement.tx,
            reference: settlement.reference,
            outcome: settlement.outcome,
        }));
    }
    blocks::insert_transfers(tx, range.chain, &transfers, now).await?;
    nfts::insert_transfers(tx, range.chain, &nft_transfers(&range.blocks, assets)).await?;
    let updates = range.blocks.iter().flat_map(|block| &block.metadata_updates).copied().collect();
    crate::nfts::metadata::ask_again(tx, range.chain, updates, now).await?;
    blocks::insert_settlements(tx, range.chain, &settlements).await?;
    direct_payments::record(tx, range, assets, &owners).await?;
    Ok(settlements)
}

/// Returns the transfers of NFTs in these blocks.
pub(super) fn nft_transfers(blocks: &[Block], assets: &ChainAssets) -> Vec<NftTransfer> {
    let all = blocks.iter().flat_map(|block| block.transfers.iter().map(move |transfer| (block, transfer)));
    let of_nfts = all.filter(|(_, transfer)| matches!(transfer.token, Token::Erc721(..)));
    let found = of_nfts.filter_map(|(block, transfer)| {
        Some(NftTransfer {
            block: block.place.number,
            tx: transfer.tx,
            position: transfer.position,
            asset: assets.of_token(transfer.token)?,
            from: transfer.from,
            to: transfer.to,
            at: block.at,
        })
    });
    found.collect()
}
