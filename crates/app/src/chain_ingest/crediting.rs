//! Whether a token did what it says. A token's transfer is a log of the token's own contract: it counts when the vault holds
//! what the books would say with it, and not before. Until then it is doubted, and the vault is asked again at each new final
//! block.

use std::collections::{BTreeMap, BTreeSet};

use domain::assets::{Asset, AssetId, Home};
use domain::chain::{Address, BlockNumber, BlockRef, Token};
use domain::ids::UserId;
use domain::ledger::VaultAsset;
use domain::money::{Amount, MAX_UNITS};
use store::blocks::{self, Transfer};
use store::{Tx, catalog, uncredited};

use super::{Held, Range, Step, asset_of, crowded};
use crate::{Context, Error, Result};

/// How many vaults with doubted transfers are asked for at a new final block. Where there are more, they take turns.
const AGAIN_AT_ONCE: usize = 100;

/// Vaults into which tokens come that become money with a range, or may: what they hold must be asked before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finalizing {
    /// As of which block: the newest that is final once the range is applied.
    pub block: BlockRef,
    /// Which vault, and of what.
    pub vault_assets: Vec<(Address, Token)>,
}

/// Which vaults' holdings must be known to apply a range; nothing if no token becomes money with it.
pub async fn finalizing(context: &Context, range: &Range) -> Result<Option<Finalizing>> {
    let (mut tx, _) = context.begin().await?;
    let chain = catalog::escrow_chain(&mut tx).await?.ok_or(Error::Unavailable { what: "the chain" })?;
    let Some(up_to) = range.confirmed(chain.confirmed, chain.confirmations) else { return Ok(None) };
    let mut vault_assets = BTreeSet::new();
    let mut known = blocks::finalizing_into(&mut tx, range.chain, range.replace_from, up_to).await?;
    if chain.confirmed.is_none_or(|confirmed| confirmed < up_to) {
        known.extend(turn(&uncredited::vaults(&mut tx, range.chain, range.replace_from).await?, up_to));
    }
    let new = range.blocks.iter().filter(|block| block.place.number <= up_to).flat_map(|block| &block.transfers);
    let new: Vec<_> = new.filter(|transfer| transfer.token != Token::Native).collect();
    if !known.is_empty() {
        let assets = catalog::assets(&mut tx).await?;
        let vault_asset = |(vault, asset): &(Address, _)| {
            let asset = assets.iter().find(|known| known.id == *asset)?;
            token(asset).filter(|token| *token != Token::Native).map(|token| (*vault, token))
        };
        vault_assets.extend(known.iter().filter_map(vault_asset));
    }
    if !new.is_empty() {
        let addresses: Vec<_> = new.iter().map(|transfer| transfer.to).collect();
        let vaults: BTreeSet<_> =
            store::people::vault_owners(&mut tx, &addresses).await?.into_iter().map(|(vault, _)| vault).collect();
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

/// Those of some vaults whose turn it is at a height.
fn turn<T: Copy>(vaults: &[T], height: BlockNumber) -> Vec<T> {
    let turns = u64::try_from(vaults.len().div_ceil(AGAIN_AT_ONCE)).unwrap_or(u64::MAX);
    let turn = height.checked_rem(turns).and_then(|turn| usize::try_from(turn).ok());
    turn.and_then(|turn| vaults.chunks(AGAIN_AT_ONCE).nth(turn)).unwrap_or_default().to_vec()
}

fn token(asset: &Asset) -> Option<Token> {
    match asset.home {
        Home::Chain { token, .. } => Some(token),
        Home::Fiat => None,
    }
}

/// What is credited of what came.
pub(super) struct Crediting {
    /// What becomes money now, in the order of the chain.
    pub(super) credited: Vec<Transfer>,
    /// How many that came do not.
    pub(super) uncredited: usize,
}

/// A coin in a vault while transfers into it are weighed.
struct Weighed {
    /// What the vault holds; or why nobody knows, in words.
    held: std::result::Result<Amount, String>,
    /// What the books say with what was credited so far, in base units. Below zero if more leaves the vault than the books
    /// have in it yet.
    booked: i128,
    /// What is not credited.
    refused: Amount,
}

impl Weighed {
    /// Counts an amount as credited if the vault holds that too.
    fn covers(&mut self, amount: Amount) -> bool {
        let Ok(held) = self.held else { return false };
        let booked = self.booked.saturating_add(amount.units());
        let covers = booked <= held.units();
        if covers {
            self.booked = booked;
        }
        covers
    }

    fn refuse(&mut self, amount: Amount) {
        self.refused = at_most(self.refused, amount);
    }

    /// Why payouts of the coin stop, if they do.
    fn complaint(&self, vault: UserId) -> Option<String> {
        let Self { held, booked, refused } = self;
        if refused.is_zero() {
            return None;
        }
        Some(match held {
            Ok(held) => format!(
                "a token logged {refused} into the vault of {vault}, which holds {held} of what should be {}",
                booked.saturating_add(refused.units())
            ),
            Err(why) => format!("the token does not say what the vault of {vault} holds: {why}"),
        })
    }
}

impl Step {
    /// Credits transfer by transfer what the vaults hold beside what the books say: of what came first, and then of what
    /// was doubted before. The rest of what came is doubted, and payouts of its coin stop; so is all into a vault of which
    /// the token does not say what it holds.
    pub(super) async fn mark_credited(
        &self,
        tx: &mut Tx,
        incoming: Vec<Transfer>,
        up_to: BlockNumber,
        held: &Held,
    ) -> Result<Crediting> {
        // The chain's own coin does not move on a contract's word.
        let (came, mut credited): (Vec<_>, Vec<_>) =
            incoming.into_iter().partition(|transfer| self.is_of_token(transfer.asset));
        let mut vaults = self.weighed(tx, up_to, held).await?;
        let vault_assets: Vec<_> = vaults.keys().copied().collect();
        let uncredited_before = uncredited::of(tx, self.chain, &vault_assets).await?;

        let mut uncredited = Vec::new();
        for transfer in came {
            // The chain went on between the question to the node and now: ask again.
            let vault = vaults.get_mut(&vault_asset(&transfer)).ok_or_else(crowded)?;
            if vault.covers(transfer.amount) {
                credited.push(transfer);
            } else {
                vault.refuse(transfer.amount);
                uncredited.push(transfer.id);
            }
        }
        uncredited::mark_uncredited(tx, &uncredited).await?;
        for (vault_asset, vault) in &vaults {
            if let Some(because) = vault.complaint(vault_asset.vault) {
                tracing::error!(because, asset = vault_asset.asset.0, "not credited, and payouts stopped");
                store::stops::stop(tx, vault_asset.asset, &because, self.now).await?;
            }
        }

        let mut covered = uncredited_before;
        covered.retain(|transfer| {
            vaults.get_mut(&vault_asset(transfer)).is_some_and(|vault| vault.covers(transfer.amount))
        });
        let ids: Vec<_> = covered.iter().map(|transfer| transfer.id).collect();
        let newly_credited = uncredited::mark_credited(tx, &ids).await?;
        credited.extend(covered.into_iter().filter(|transfer| newly_credited.contains(&transfer.id)));
        credited.sort_by_key(Transfer::place);
        Ok(Crediting { credited, uncredited: uncredited.len() })
    }

    fn is_of_token(&self, asset: AssetId) -> bool {
        let asset = self.assets.iter().find(|known| known.id == asset);
        asset.and_then(token) != Some(Token::Native)
    }

    /// The vaults whose holdings are known as of a block, and those of which the token does not say it. None if they were
    /// asked as of another block.
    async fn weighed(&self, tx: &mut Tx, up_to: BlockNumber, held: &Held) -> Result<BTreeMap<VaultAsset, Weighed>> {
        let mut vaults = BTreeMap::new();
        if held.at.is_none() || held.at != blocks::at(tx, self.chain, up_to).await? {
            return Ok(vaults);
        }
        let known = held.known.iter().map(|balance| (balance.vault, balance.token, Ok(balance.amount)));
        let unknown = held.unknown.iter().map(|(vault, token, why)| (*vault, *token, Err(why.clone())));
        let all: Vec<_> = known.chain(unknown).collect();
        let addresses: Vec<_> = all.iter().map(|(vault, ..)| *vault).collect();
        let owners: BTreeMap<_, _> = store::people::vault_owners(tx, &addresses).await?.into_iter().collect();
        let legs = store::payouts::legs(tx, &self.references()).await?;
        let flows = self.flows(&legs);
        for (vault, token, held) in all {
            let (Some(&vault), Some(asset)) = (owners.get(&vault), asset_of(&self.assets, self.chain, token)) else {
                continue;
            };
            let vault_asset = VaultAsset { vault, asset };
            let flow = flows.get(&vault_asset).copied().unwrap_or_default();
            let booked = store::ledger::balance(tx, vault_asset.custody()).await?.units();
            let booked = booked.saturating_add(flow.back).saturating_sub(flow.out);
            vaults.insert(vault_asset, Weighed { held, booked, refused: Amount::ZERO });
        }
        Ok(vaults)
    }
}

fn vault_asset(transfer: &Transfer) -> VaultAsset {
    VaultAsset { vault: transfer.vault, asset: transfer.asset }
}

/// The sum, or the most that there can be: what a token logs may be anything.
fn at_most(first: Amount, second: Amount) -> Amount {
    first.add(second).or_else(|_| Amount::new(MAX_UNITS)).unwrap_or(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn however_many_vaults_wait_each_has_its_turn() {
        assert_eq!(turn::<u8>(&[], 7), Vec::<u8>::new());
        assert_eq!(turn(&[1, 2, 3], 7), [1, 2, 3]);
        let many: Vec<_> = (0..250).collect();
        let mut asked: Vec<_> = (7..10).flat_map(|height| turn(&many, height)).collect();
        asked.sort_unstable();
        assert_eq!(asked, many);
    }
}
