//! Decides which final token transfers are credited. A transfer is only a log, which the token's own contract emits and
//! which may be false. It is credited if the vault holds at least the ledger's balance plus the transfer. Otherwise it
//! stays uncredited, and the vault's balance is read again at each new final block.

use std::collections::{BTreeMap, BTreeSet};

use domain::assets::{Asset, AssetId, Home};
use domain::chain::{Address, BlockNumber, BlockRef, Token};
use domain::ids::UserId;
use domain::ledger::VaultAsset;
use domain::money::{Amount, MAX_UNITS};
use store::blocks::{self, VaultTransfer};
use store::{Tx, catalog, uncredited};

use super::{Held, Range, Step, asset_of, crowded};
use crate::{Context, Error, Result};

/// How many vaults with uncredited transfers are read per final block. If there are more, they take turns.
const AGAIN_AT_ONCE: usize = 100;

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

/// Selects the vaults whose turn it is at a height.
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

/// The result of crediting a range.
pub(super) struct Crediting {
    /// The transfers that are credited now, in chain order.
    pub(super) credited: Vec<VaultTransfer>,
    /// The number of final transfers that are not credited.
    pub(super) uncredited: usize,
}

/// The balances of a vault asset while its transfers are checked.
struct Weighed {
    /// The vault's balance, or the reason why it is unknown.
    held: std::result::Result<Amount, String>,
    /// The ledger's balance including the transfers credited so far, in base units. Negative if the range moves more
    /// out of the vault than the ledger's balance.
    booked: i128,
    /// The total of the transfers that are not credited.
    refused: Amount,
}

impl Weighed {
    /// Credits an amount if the vault holds it on top of the ledger's balance.
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

    /// Returns why payouts of the coin must stop; `None` if they may continue.
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
            Err(why) => format!("the token does not report what the vault of {vault} holds: {why}"),
        })
    }
}

impl Step {
    /// Credits each transfer that the vault holds on top of the ledger's balance: first new transfers, then transfers
    /// that were uncredited before. The other new transfers become uncredited, and payouts of their coin stop. If a
    /// token does not report a vault's balance, no transfer of it into that vault is credited.
    pub(super) async fn choose_creditable(
        &self,
        tx: &mut Tx,
        incoming: Vec<VaultTransfer>,
        up_to: BlockNumber,
        held: &Held,
    ) -> Result<Crediting> {
        // No contract reports transfers of native coins, so they cannot be false.
        let (came, mut credited): (Vec<_>, Vec<_>) =
            incoming.into_iter().partition(|transfer| self.is_of_token(transfer.asset));
        let mut vaults = self.weighed(tx, up_to, held).await?;
        let vault_assets: Vec<_> = vaults.keys().copied().collect();
        let uncredited_before = uncredited::of(tx, self.chain, &vault_assets).await?;

        let mut uncredited = Vec::new();
        for transfer in came {
            // The chain has advanced since the balances were read: read them again.
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
                tracing::error!(because, asset = vault_asset.asset.0, "a transfer is not credited; payouts stopped");
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
        credited.sort_by_key(VaultTransfer::place);
        Ok(Crediting { credited, uncredited: uncredited.len() })
    }

    fn is_of_token(&self, asset: AssetId) -> bool {
        let asset = self.assets.iter().find(|known| known.id == asset);
        asset.and_then(token) != Some(Token::Native)
    }

    /// Returns the vaults whose holdings are known as of a block, or unknown because the token does not report them.
    /// Returns an empty map if the holdings were read at another block.
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
        let known = all.into_iter().filter_map(|(vault, token, held)| {
            let asset = asset_of(&self.assets, self.chain, token)?;
            Some((VaultAsset { vault: *owners.get(&vault)?, asset }, held))
        });
        let known: Vec<_> = known.collect();
        let custody: Vec<_> = known.iter().map(|(vault_asset, _)| vault_asset.custody()).collect();
        let custody: BTreeMap<_, _> = store::ledger::balances(tx, &custody).await?.into_iter().collect();
        for (vault_asset, held) in known {
            let flow = flows.get(&vault_asset).copied().unwrap_or_default();
            let booked = custody.get(&vault_asset.custody()).map_or(0_i128, |booked| booked.units());
            let booked = booked.saturating_add(flow.back).saturating_sub(flow.out);
            vaults.insert(vault_asset, Weighed { held, booked, refused: Amount::ZERO });
        }
        Ok(vaults)
    }
}

fn vault_asset(transfer: &VaultTransfer) -> VaultAsset {
    VaultAsset { vault: transfer.vault, asset: transfer.asset }
}

/// Adds two amounts. Caps the sum at the largest amount, because a token can log any value.
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
