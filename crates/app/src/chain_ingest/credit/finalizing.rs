//! Tells the reader of the chain which vaults' balances to read before a range is applied.

use std::collections::BTreeSet;

use domain::chain::{Address, BlockNumber, BlockRef, Token};
use store::{blocks, catalog, uncredited};

use crate::chain_ingest::assets::ChainAssets;
use crate::chain_ingest::range::Range;
use crate::{Context, Error, Result};

/// How many vaults with uncredited transfers are read per final block. If there are more, they take turns.
const UNCREDITED_VAULTS_PER_BLOCK: usize = 100;

/// Vaults whose holdings must be known to apply a range, because a token transfer into them becomes final.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finalizing {
    /// The block at which to read the balances: the newest final block once the range is applied.
    pub block: BlockRef,
    pub vault_assets: Vec<(Address, Token)>,
}

/// Returns the vaults whose holdings must be known to apply a range; `None` if the range makes no token transfer final.
pub async fn finalizing(context: &Context, range: &Range) -> Result<Option<Finalizing>> {
    let (mut tx, _) = context.begin().await?;
    let chain = catalog::escrow_chain(&mut tx).await?.ok_or(Error::Unavailable { what: "the chain" })?;
    let Some(up_to) = range.newest_final(chain.confirmed, chain.confirmations) else { return Ok(None) };
    let mut vault_assets = BTreeSet::new();
    let mut known = blocks::finalizing_into(&mut tx, range.chain, range.replace_from, up_to).await?;
    if chain.confirmed.is_none_or(|confirmed| confirmed < up_to) {
        known.extend(next_in_rotation(&uncredited::vaults(&mut tx, range.chain, range.replace_from).await?, up_to));
    }
    let new = range.blocks.iter().filter(|block| block.place.number <= up_to).flat_map(|block| &block.transfers);
    let new: Vec<_> = new.filter(|transfer| transfer.token != Token::Native).collect();
    if !known.is_empty() {
        let mut assets = ChainAssets::load(&mut tx, range.chain).await?;
        assets.add(&mut tx, known.iter().map(|(_, asset)| *asset)).await?;
        let vault_asset = |(vault, asset): &(Address, _)| Some((*vault, assets.token_of(*asset)?));
        vault_assets.extend(known.iter().filter_map(vault_asset));
    }
    if !new.is_empty() {
        let addresses: Vec<_> = new.iter().map(|transfer| transfer.to).collect();
        let vaults: BTreeSet<_> =
            store::users::vault_owners(&mut tx, &addresses).await?.into_iter().map(|(vault, _)| vault).collect();
        let into_vaults = new.iter().filter(|transfer| vaults.contains(&transfer.to));
        vault_assets.extend(into_vaults.map(|transfer| (transfer.to, transfer.token)));
    }
    if vault_assets.is_empty() {
        return Ok(None);
    }
    let block = match range.blocks.iter().find(|block| block.place.number == up_to) {
        Some(block) => Some(block.place),
        None => blocks::at(&mut tx, range.chain, up_to).await?,
    };
    Ok(block.map(|block| Finalizing { block, vault_assets: vault_assets.into_iter().collect() }))
}

/// Selects the vaults whose turn it is at a height. Each has its turn even if the reader always skips the same number of blocks,
/// such as every second one: the multiples of the golden ratio are evenly distributed, whatever the step.
fn next_in_rotation<T: Copy>(vaults: &[T], height: BlockNumber) -> Vec<T> {
    /// The fractional part of the golden ratio, in units of 2^-64.
    const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
    let turns = u64::try_from(vaults.len().div_ceil(UNCREDITED_VAULTS_PER_BLOCK)).unwrap_or(u64::MAX);
    let turn = (height.wrapping_mul(GOLDEN) >> 32_u32).checked_rem(turns).and_then(|turn| usize::try_from(turn).ok());
    turn.and_then(|turn| vaults.chunks(UNCREDITED_VAULTS_PER_BLOCK).nth(turn)).unwrap_or_default().to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn however_many_vaults_wait_each_has_its_turn() {
        assert_eq!(next_in_rotation::<u8>(&[], 7), Vec::<u8>::new());
        assert_eq!(next_in_rotation(&[1, 2, 3], 7), [1, 2, 3]);
        let many: Vec<_> = (0..250).collect();
        for step in 1..=100 {
            let heights = (7..).step_by(step).take(300);
            let asked: BTreeSet<_> = heights.flat_map(|height| next_in_rotation(&many, height)).collect();
            assert!(asked.iter().eq(&many), "every {step} blocks");
        }
    }
}
