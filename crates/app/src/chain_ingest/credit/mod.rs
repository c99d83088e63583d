//! Stage 4: makes blocks final, and decides which of their token transfers are credited. A transfer is only a log, which the
//! token's own contract emits and which may be false. It is credited if the vault holds at least the ledger's balance plus the
//! transfer. Otherwise it stays uncredited, and the vault's balance is read again at each new final block.

mod finalizing;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use domain::assets::AssetId;
use domain::chain::{BlockNumber, Token};
use domain::ids::{DepositId, UserId};
use domain::ledger::VaultAsset;
use domain::money::{Amount, MAX_UNITS};
use store::blocks::{self, VaultTransfer};
use store::deposits::Deposit;
use store::{Tx, uncredited};
use uuid::Uuid;

pub use finalizing::{Finalizing, finalizing};

use super::effects::RangeEffects;
use super::range::Held;
use crate::Result;

/// Makes all blocks up to a number final: adds their settlements, and the deposits to credit, to the effects. Returns the
/// number of final transfers that are not credited.
pub(super) async fn finalize(
    tx: &mut Tx,
    effects: &mut RangeEffects,
    up_to: BlockNumber,
    held: &Held,
) -> Result<usize> {
    let mut transfers = blocks::finalize_transfers(tx, effects.chain, up_to, effects.now).await?;
    transfers.retain(|transfer| transfer.incoming);
    effects.final_settlements = blocks::finalize_settlements(tx, effects.chain, up_to, effects.now).await?;
    let mined: BTreeSet<_> = effects.final_settlements.iter().map(|settlement| settlement.tx).collect();
    let mined: Vec<_> = mined.into_iter().collect();
    store::payouts::close_attempts(tx, effects.chain, &mined, effects.now).await?;
    let held_tokens =
        held.known.iter().map(|balance| balance.token).chain(held.unknown.iter().map(|(_, token, _)| *token));
    effects.assets.add_tokens(tx, held_tokens).await?;
    let crediting = effects.choose_creditable(tx, transfers, up_to, held).await?;
    effects.deposits = crediting.credited.iter().map(deposit).collect();
    Ok(crediting.uncredited)
}

/// Converts a transfer to a deposit with the same ID.
fn deposit(transfer: &VaultTransfer) -> Deposit {
    Deposit {
        id: DepositId(transfer.id),
        block: transfer.block,
        block_hash: transfer.block_hash,
        tx: transfer.tx,
        position: transfer.position,
        sender: transfer.sender,
        vault: transfer.vault,
        asset: transfer.asset,
        amount: transfer.amount,
    }
}

/// The result of crediting a range.
struct Crediting {
    /// The transfers that are credited now, in chain order.
    credited: Vec<VaultTransfer>,
    /// The number of final transfers that are not credited.
    uncredited: usize,
}

/// The balances of a vault asset while its transfers are checked.
struct VaultCheck {
    /// The vault's balance, or the reason why it is unknown.
    held: std::result::Result<Amount, String>,
    /// The ledger's balance including the transfers credited so far, in base units. Negative if the range moves more
    /// out of the vault than the ledger's balance.
    booked: i128,
    /// The total of the transfers that are not credited.
    uncredited: Amount,
}

impl VaultCheck {
    /// Credits an amount if the vault holds it on top of the ledger's balance.
    fn credit_if_covered(&mut self, amount: Amount) -> bool {
        let Ok(held) = self.held else { return false };
        let booked = self.booked.saturating_add(amount.units());
        let covers = booked <= held.units();
        if covers {
            self.booked = booked;
        }
        covers
    }

    /// Credits transfers until the ledger's balance is not negative: a vault cannot have paid out more than came in. Begins with
    /// the largest transfer, because smaller ones could fill up what the vault holds, and leave the balance negative. Returns the
    /// credited transfers.
    fn explain_outflow(&mut self, mut candidates: Vec<(Amount, Uuid)>) -> Vec<Uuid> {
        candidates.sort_by_key(|(amount, _)| Reverse(*amount));
        let mut credited = Vec::new();
        for (amount, id) in candidates {
            if self.booked >= 0 {
                break;
            }
            if self.credit_if_covered(amount) {
                credited.push(id);
            }
        }
        credited
    }

    fn add_uncredited(&mut self, amount: Amount) {
        self.uncredited = capped_sum(self.uncredited, amount);
    }

    /// Returns why payouts of the coin must stop; `None` if they may continue.
    fn stop_reason(&self, vault: UserId) -> Option<String> {
        let Self { held, booked, uncredited } = self;
        if uncredited.is_zero() {
            return None;
        }
        Some(match held {
            Ok(held) => format!(
                "a token logged {uncredited} into the vault of {vault}, which holds {held} of what should be {}",
                booked.saturating_add(uncredited.units())
            ),
            Err(why) => format!("the token does not report what the vault of {vault} holds: {why}"),
        })
    }
}

impl RangeEffects {
    /// Credits each transfer that the vault holds on top of the ledger's balance: first those that explain what has left the
    /// vault, then new transfers, then transfers that were uncredited before. The other new transfers become uncredited, and
    /// payouts of their coin stop. If a token does not report a vault's balance, no transfer of it into that vault is credited.
    async fn choose_creditable(
        &self,
        tx: &mut Tx,
        incoming: Vec<VaultTransfer>,
        up_to: BlockNumber,
        held: &Held,
    ) -> Result<Crediting> {
        // No contract reports transfers of native coins, so they cannot be false.
        let (came, mut credited): (Vec<_>, Vec<_>) =
            incoming.into_iter().partition(|transfer| self.is_of_token(transfer.asset));
        let mut vaults = self.vault_checks(tx, up_to, held).await?;
        let vault_assets: Vec<_> = vaults.keys().copied().collect();
        let uncredited_before = uncredited::of(tx, self.chain, &vault_assets).await?;

        let mut explained = BTreeSet::new();
        for (vault_asset, vault) in vaults.iter_mut().filter(|(_, vault)| vault.booked < 0) {
            let into =
                came.iter().chain(&uncredited_before).filter(|transfer| self::vault_asset(transfer) == *vault_asset);
            explained.extend(vault.explain_outflow(into.map(|transfer| (transfer.amount, transfer.id)).collect()));
        }
        let mut uncredited = Vec::new();
        for transfer in came {
            // The chain has advanced since the balances were read: read them again.
            let vault = vaults.get_mut(&vault_asset(&transfer)).ok_or(store::Error::Conflict)?;
            if explained.contains(&transfer.id) || vault.credit_if_covered(transfer.amount) {
                credited.push(transfer);
            } else {
                vault.add_uncredited(transfer.amount);
                uncredited.push(transfer.id);
            }
        }
        uncredited::mark_uncredited(tx, &uncredited).await?;
        for (vault_asset, vault) in &vaults {
            if let Some(because) = vault.stop_reason(vault_asset.vault) {
                tracing::error!(because, asset = vault_asset.asset.0, "a transfer is not credited; payouts stopped");
                store::stops::stop(tx, vault_asset.asset, &because, self.now).await?;
            }
        }

        let mut covered = uncredited_before;
        covered.retain(|transfer| {
            explained.contains(&transfer.id)
                || vaults.get_mut(&vault_asset(transfer)).is_some_and(|vault| vault.credit_if_covered(transfer.amount))
        });
        let ids: Vec<_> = covered.iter().map(|transfer| transfer.id).collect();
        let newly_credited = uncredited::mark_credited(tx, &ids).await?;
        credited.extend(covered.into_iter().filter(|transfer| newly_credited.contains(&transfer.id)));
        credited.sort_by_key(VaultTransfer::place);
        Ok(Crediting { credited, uncredited: uncredited.len() })
    }

    fn is_of_token(&self, asset: AssetId) -> bool {
        self.assets.of_token(Token::Native) != Some(asset)
    }

    /// Returns the vaults whose holdings are known as of a block, or unknown because the token does not report them.
    /// Returns an empty map if the holdings were read at another block.
    async fn vault_checks(
        &self,
        tx: &mut Tx,
        up_to: BlockNumber,
        held: &Held,
    ) -> Result<BTreeMap<VaultAsset, VaultCheck>> {
        let mut vaults = BTreeMap::new();
        if held.at.is_none() || held.at != blocks::at(tx, self.chain, up_to).await? {
            return Ok(vaults);
        }
        let known = held.known.iter().map(|balance| (balance.vault, balance.token, Ok(balance.amount)));
        let unknown = held.unknown.iter().map(|(vault, token, why)| (*vault, *token, Err(why.clone())));
        let all: Vec<_> = known.chain(unknown).collect();
        let addresses: Vec<_> = all.iter().map(|(vault, ..)| *vault).collect();
        let owners: BTreeMap<_, _> = store::users::vault_owners(tx, &addresses).await?.into_iter().collect();
        let legs = store::payouts::legs(tx, &self.references()).await?;
        let flows = self.payout_flows(&legs);
        let known = all.into_iter().filter_map(|(vault, token, held)| {
            let asset = self.assets.of_token(token)?;
            Some((VaultAsset { vault: *owners.get(&vault)?, asset }, held))
        });
        let known: Vec<_> = known.collect();
        let custody: Vec<_> = known.iter().map(|(vault_asset, _)| vault_asset.custody()).collect();
        let custody: BTreeMap<_, _> = store::ledger::balances(tx, &custody).await?.into_iter().collect();
        for (vault_asset, held) in known {
            let flow = flows.get(&vault_asset).copied().unwrap_or_default();
            let booked = custody.get(&vault_asset.custody()).map_or(0_i128, |booked| booked.units());
            let booked = booked.saturating_add(flow.back).saturating_sub(flow.out);
            vaults.insert(vault_asset, VaultCheck { held, booked, uncredited: Amount::ZERO });
        }
        Ok(vaults)
    }
}

fn vault_asset(transfer: &VaultTransfer) -> VaultAsset {
    VaultAsset { vault: transfer.vault, asset: transfer.asset }
}

/// Adds two amounts. Caps the sum at the largest amount, because a token can log any value.
fn capped_sum(first: Amount, second: Amount) -> Amount {
    first.add(second).or_else(|_| Amount::new(MAX_UNITS)).unwrap_or(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn amount(units: i128) -> Amount {
        Amount::new(units).unwrap()
    }

    /// Two transfers were credited, a payout left with most of it, and a reorganization has removed both transfers. They were false:
    /// the payout was made from one that is not credited yet.
    #[test]
    fn the_largest_transfer_explains_what_has_left_the_vault() {
        let mut vault = VaultCheck { held: Ok(amount(155)), booked: -1_195, uncredited: Amount::ZERO };
        let [small, larger, largest, same] = [1, 2, 3, 4].map(Uuid::from_u128);
        let came = vec![(amount(75), small), (amount(150), larger), (amount(1_275), largest), (amount(1_275), same)];
        assert_eq!(vault.explain_outflow(came), [largest]);
        assert_eq!(vault.booked, 80);
        assert!(!vault.credit_if_covered(amount(150)));
        assert!(vault.credit_if_covered(amount(75)));
    }

    #[test]
    fn nothing_is_credited_to_explain_a_balance_that_is_not_negative_or_more_than_the_vault_holds() {
        let vault = |held, booked| VaultCheck { held: Ok(amount(held)), booked, uncredited: Amount::ZERO };
        let came = || vec![(amount(10), Uuid::from_u128(1))];
        assert!(vault(10, 0).explain_outflow(came()).is_empty());
        assert!(vault(4, -5).explain_outflow(came()).is_empty());
        assert_eq!(vault(5, -5).explain_outflow(came()), [Uuid::from_u128(1)]);
    }
}
