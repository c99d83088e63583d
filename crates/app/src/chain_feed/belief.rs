//! Whether a token did what it says. A token's transfer is a log of the token's own contract: it counts when the vault holds
//! what the books would say with it, and not before.

use std::collections::{BTreeMap, BTreeSet};

use domain::assets::{Asset, Home};
use domain::chain::{Address, BlockRef, Token};
use domain::ledger::Pot;
use domain::money::Amount;
use store::blocks::{self, Outcome, Transfer};
use store::payouts::{Leg, LegState};
use store::{Tx, catalog};
use uuid::Uuid;

use super::{Held, Range, Step, asset_of, crowded};
use crate::{Context, Error, Result};

/// Vaults into which tokens come that become money with a range: what they hold must be asked before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ripening {
    /// As of which block: the newest that is final once the range is applied.
    pub block: BlockRef,
    /// Which vault, and of what.
    pub pots: Vec<(Address, Token)>,
}

/// Which vaults' holdings must be known to apply a range; nothing if no token becomes money with it.
pub async fn ripening(context: &Context, range: &Range) -> Result<Option<Ripening>> {
    let (mut tx, _) = context.begin().await?;
    let chain = catalog::escrow_chain(&mut tx).await?.ok_or(Error::Unavailable { what: "the chain" })?;
    let Some(up_to) = range.confirmed(chain.confirmed, chain.confirmations) else { return Ok(None) };
    let mut pots = BTreeSet::new();
    let known = blocks::ripening_into(&mut tx, range.chain, range.replace_from, up_to).await?;
    let new = range.blocks.iter().filter(|block| block.place.number <= up_to).flat_map(|block| &block.transfers);
    let new: Vec<_> = new.filter(|transfer| transfer.token != Token::Native).collect();
    if !known.is_empty() {
        let assets = catalog::assets(&mut tx).await?;
        let pot = |(vault, asset): &(Address, _)| {
            let asset = assets.iter().find(|known| known.id == *asset)?;
            token(asset).filter(|token| *token != Token::Native).map(|token| (*vault, token))
        };
        pots.extend(known.iter().filter_map(pot));
    }
    if !new.is_empty() {
        let addresses: Vec<_> = new.iter().map(|transfer| transfer.to).collect();
        let vaults: BTreeSet<_> =
            store::people::vault_owners(&mut tx, &addresses).await?.into_iter().map(|(vault, _)| vault).collect();
        let into_vaults = new.iter().filter(|transfer| vaults.contains(&transfer.to));
        pots.extend(into_vaults.map(|transfer| (transfer.to, transfer.token)));
    }
    if pots.is_empty() {
        return Ok(None);
    }
    let block = match range.blocks.iter().find(|block| block.place.number == up_to) {
        Some(block) => Some(block.place),
        None => blocks::at(&mut tx, range.chain, up_to).await?,
    };
    Ok(block.map(|block| Ripening { block, pots: pots.into_iter().collect() }))
}

fn token(asset: &Asset) -> Option<Token> {
    match asset.home {
        Home::Chain { token, .. } => Some(token),
        Home::Fiat => None,
    }
}

impl Step {
    /// Those of the incoming transfers that are not to be believed: all of a token into a vault that holds less of it than
    /// the books would say, or of which the token does not say what it holds. They are marked, and payouts of the token
    /// stop.
    pub(super) async fn doubts(&self, tx: &mut Tx, incoming: &[Transfer], held: &Held) -> Result<BTreeSet<Uuid>> {
        let mut doubted = BTreeSet::new();
        let pots = self.by_pot(incoming);
        if pots.is_empty() {
            return Ok(doubted);
        }
        let held = self.held(tx, held).await?;
        let moved = self.moved(tx).await?;
        for (pot, transfers) in pots {
            // The chain went on between the question to the node and now: ask again.
            let held = match held.get(&pot).ok_or_else(crowded)? {
                Ok(held) => *held,
                Err(why) => {
                    let because = format!("the token does not say what the vault of {} holds: {why}", pot.vault);
                    self.doubt(tx, pot, &because).await?;
                    doubted.extend(transfers.iter().map(|transfer| transfer.id));
                    continue;
                }
            };
            let (more, less) = moved.get(&pot).copied().unwrap_or_default();
            let booked = store::ledger::balance(tx, pot.custody()).await?;
            let come = sum(transfers.iter().map(|transfer| transfer.amount))?;
            let should = sum([booked, more, come])?.saturating_sub(less);
            if held >= should {
                continue;
            }
            let because = format!(
                "a token logged {come} into the vault of {}, which holds {held} of what should be {should}",
                pot.vault
            );
            self.doubt(tx, pot, &because).await?;
            doubted.extend(transfers.iter().map(|transfer| transfer.id));
        }
        blocks::doubt(tx, &doubted.iter().copied().collect::<Vec<_>>()).await?;
        Ok(doubted)
    }

    async fn doubt(&self, tx: &mut Tx, pot: Pot, because: &str) -> Result<()> {
        tracing::error!(because, asset = pot.asset.0, "not credited, and payouts stopped");
        Ok(store::stops::stop(tx, pot.asset, because, self.now).await?)
    }

    /// Transfers of tokens; the chain's own coin does not move on a contract's word.
    fn by_pot<'a>(&self, incoming: &'a [Transfer]) -> BTreeMap<Pot, Vec<&'a Transfer>> {
        let mut pots: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for transfer in incoming {
            let asset = self.assets.iter().find(|asset| asset.id == transfer.asset);
            if asset.and_then(token) != Some(Token::Native) {
                pots.entry(Pot { vault: transfer.vault, asset: transfer.asset }).or_default().push(transfer);
            }
        }
        pots
    }

    async fn held(&self, tx: &mut Tx, held: &Held) -> Result<BTreeMap<Pot, std::result::Result<Amount, String>>> {
        let known = held.known.iter().map(|balance| (balance.vault, balance.token, Ok(balance.amount)));
        let unknown = held.unknown.iter().map(|(vault, token, why)| (*vault, *token, Err(why.clone())));
        let all: Vec<_> = known.chain(unknown).collect();
        let vaults: Vec<_> = all.iter().map(|(vault, ..)| *vault).collect();
        let owners: BTreeMap<_, _> = store::people::vault_owners(tx, &vaults).await?.into_iter().collect();
        let pots = all.into_iter().filter_map(|(vault, token, amount)| {
            let (vault, asset) = (*owners.get(&vault)?, asset_of(&self.assets, self.chain, token)?);
            Some((Pot { vault, asset }, amount))
        });
        Ok(pots.collect())
    }

    /// What this step moves in each vault beside what comes in: what it puts back, and what it takes out.
    async fn moved(&self, tx: &mut Tx) -> Result<BTreeMap<Pot, (Amount, Amount)>> {
        let mut moved: BTreeMap<Pot, (Amount, Amount)> = BTreeMap::new();
        let mut note = |pot: Pot, back: Amount, out: Amount| -> Result<()> {
            let (more, less) = moved.entry(pot).or_default();
            (*more, *less) = (sum([*more, back])?, sum([*less, out])?);
            Ok(())
        };
        for deposit in &self.undone.deposits {
            note(Pot { vault: deposit.vault, asset: deposit.asset }, Amount::ZERO, deposit.amount)?;
        }
        let counted = self.undone.counted.iter().chain(&self.settlements);
        let references: BTreeSet<_> = counted.map(|settlement| settlement.reference).collect();
        let references: Vec<_> = references.into_iter().collect();
        let legs: BTreeMap<_, Leg> =
            store::payouts::lock_legs(tx, &references).await?.into_iter().map(|leg| (leg.reference, leg)).collect();
        let mut owed_again = BTreeSet::new();
        for settlement in &self.undone.counted {
            let Some(leg) = legs.get(&settlement.reference) else { continue };
            if owed_again.insert(leg.reference) && leg.state == LegState::Paid {
                note(leg.pot, leg.amount, Amount::ZERO)?;
            }
        }
        for settlement in self.settlements.iter().filter(|settlement| settlement.outcome == Outcome::Paid) {
            let Some(leg) = legs.get(&settlement.reference) else { continue };
            if leg.state == LegState::Owed || owed_again.contains(&leg.reference) {
                note(leg.pot, Amount::ZERO, leg.amount)?;
            }
        }
        Ok(moved)
    }
}

fn sum(amounts: impl IntoIterator<Item = Amount>) -> Result<Amount> {
    let added = amounts.into_iter().try_fold(Amount::ZERO, Amount::add);
    added.map_err(|error| Error::Internal(error.to_string()))
}
