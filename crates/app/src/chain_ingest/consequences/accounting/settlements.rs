//! Applies the settlements of payouts, and reverts them when a reorganization removes their blocks.

use std::collections::{BTreeSet, HashSet};

use domain::adverts;
use domain::chain::{Reference, SettlementOutcome};
use domain::ids::{AdvertId, OrderId, PayoutId};
use domain::ledger;
use domain::money::Amount;
use domain::order_log::{TransactionKind, TransactionReference, TransitionDetails};
use domain::orders;
use domain::trade::Leg;
use store::blocks::StoredSettlement;
use store::payouts::{LegState, PayoutLeg, Purpose};

use super::Accounting;
use crate::chain_ingest::revert::Reverted;

impl Accounting {
    /// Marks the payouts in removed blocks as owed again. A payout that was not final and is also in the new blocks has
    /// only moved, so no user is notified.
    pub(in crate::chain_ingest::consequences) fn revert_settlements(
        &mut self,
        reverted: &Reverted,
        new: &[StoredSettlement],
    ) {
        let mut revoked: Vec<PayoutId> = Vec::new();
        for reference in &reverted.final_settlements {
            let Some(leg) = self.legs.get(reference).map(|standing| standing.leg.clone()) else {
                continue;
            };
            match leg.state {
                LegState::Paid => {
                    revoked.push(leg.payout);
                    let (reference, round) = (leg.reference.0, leg.rounds);
                    self.post(ledger::payout_revoked(leg.payout, reference, round, leg.vault_asset, leg.amount));
                }
                // As long as only one leg of a pair was voided, no coins were given back.
                LegState::Voided if self.all_legs_are(leg.payout, LegState::Voided) => self.revoke_void(leg.payout),
                LegState::Voided => {}
                LegState::Owed => continue,
            }
            if let Some(standing) = self.legs.get_mut(reference) {
                standing.set(LegState::Owed);
            }
        }
        let new: HashSet<_> = new.iter().map(|settlement| (settlement.reference, settlement.outcome)).collect();
        for settlement in &reverted.unconfirmed_settlements {
            let moved = new.contains(&(settlement.reference, settlement.outcome));
            if let Some(standing) = self.legs.get(&settlement.reference)
                && settlement.outcome == SettlementOutcome::Paid
                && !moved
            {
                revoked.push(standing.leg.payout);
            }
        }
        revoked.dedup();
        for payout in revoked {
            self.payout_event(
                payout,
                |payout| orders::Event::PayoutRevoked { payout },
                |payout| Some(adverts::Event::ReturnRevoked { payout }),
            );
        }
    }

    /// Returns whether all legs of a payout are in `state`.
    fn all_legs_are(&self, payout: PayoutId, state: LegState) -> bool {
        self.legs_of(payout).all(|leg| leg.state == state)
    }

    /// Notes the settlements of legs that ended in earlier ranges, while the other leg of their pair was still owed.
    pub(in crate::chain_ingest::consequences) fn note_earlier_settlements(
        &mut self,
        settlements: impl Iterator<Item = StoredSettlement>,
    ) {
        for settlement in settlements {
            if let Some(leg) = self.legs.get(&settlement.reference).map(|standing| &standing.leg)
                && matches!(
                    (settlement.outcome, leg.state),
                    (SettlementOutcome::Paid, LegState::Paid) | (SettlementOutcome::Voided, LegState::Voided)
                )
            {
                self.settled_by.entry(leg.payout).or_default().insert((settlement.outcome, settlement.tx));
            }
        }
    }

    /// Returns the transactions that settled the payout of a leg, for the log of the order.
    pub(super) fn settlements_of(&self, leg: &PayoutLeg) -> TransitionDetails {
        let kind = match (self.all_legs_are(leg.payout, LegState::Voided), leg.purpose) {
            (true, _) => TransactionKind::Void,
            (false, Purpose::Refund) => TransactionKind::Refund,
            (false, _) => TransactionKind::Release,
        };
        let is_void = kind == TransactionKind::Void;
        let settled_by = self.settled_by.get(&leg.payout).into_iter().flatten();
        let hashes = settled_by.filter(|(outcome, _)| (*outcome == SettlementOutcome::Voided) == is_void);
        let transactions = hashes.map(|(_, hash)| TransactionReference { kind, hash: *hash }).collect();
        TransitionDetails { transactions, ..TransitionDetails::default() }
    }

    /// Reverts the voiding of a payout, so that it is owed again.
    fn revoke_void(&mut self, payout: PayoutId) {
        let legs: Vec<_> = self.legs_of(payout).cloned().collect();
        for leg in &legs {
            self.revoke_leg_void(leg);
        }
        self.require_payout_event(payout, |payout| orders::Event::VoidRevoked { payout }, |_| None);
    }

    /// Reverts the voiding of a leg. Takes the coins from the accounts to which they were given back, as far as these still
    /// hold them. If they were given to something else, the leg must not be paid as well.
    fn revoke_leg_void(&mut self, leg: &PayoutLeg) {
        let superseded = !self.is_awaited(leg);
        if let Some(standing) = self.legs.get_mut(&leg.reference) {
            standing.leg.superseded = superseded;
        }
        if superseded {
            self.alarms.push(format!(
                "reference {} must be voided again: its coins were given to something else",
                leg.reference.0
            ));
        }
        let accounts = ledger::void_drawn_from(leg.source, leg.vault_asset, superseded);
        let holdings: Vec<_> = accounts.into_iter().map(|account| (account, self.held(account))).collect();
        let held = holdings.iter().fold(Amount::ZERO, |sum, (_, held)| sum.add(*held).unwrap_or(leg.amount));
        if held < leg.amount {
            self.alarms.push(format!("reference {} is owed again after its coins were spent", leg.reference.0));
        }
        let (reference, round) = (leg.reference.0, leg.rounds);
        self.post(ledger::payout_void_revoked(leg.payout, reference, round, leg.vault_asset, leg.amount, &holdings));
        self.limit_requests(leg.vault_asset);
    }

    /// Notifies orders whose release was removed by a reorganization and is in a block again.
    pub(in crate::chain_ingest::consequences) fn notify_resent(&mut self, new: &[StoredSettlement]) {
        let payouts = new
            .iter()
            .filter(|settlement| settlement.outcome == SettlementOutcome::Paid)
            .filter_map(|settlement| Some(self.legs.get(&settlement.reference)?.leg.payout));
        let payouts: BTreeSet<_> = payouts.collect();
        for payout in payouts {
            self.payout_event(payout, |payout| orders::Event::PayoutResent { payout }, |_| None);
        }
    }

    /// Applies final settlements.
    pub(in crate::chain_ingest::consequences) fn apply_settlements(&mut self, settlements: &[StoredSettlement]) {
        for settlement in settlements {
            let Some(standing) = self.legs.get_mut(&settlement.reference) else {
                continue;
            };
            if settlement.outcome.spends() && standing.leg.state == LegState::Owed {
                self.settled_by.entry(standing.leg.payout).or_default().insert((settlement.outcome, settlement.tx));
            }
            match (settlement.outcome, standing.leg.state) {
                (SettlementOutcome::Paid, LegState::Owed) => {
                    standing.set(LegState::Paid);
                    let payout = standing.leg.payout;
                    self.post_confirmation(settlement.reference);
                    self.confirm_if_paid(payout);
                }
                (SettlementOutcome::Voided, LegState::Owed) => {
                    standing.set(LegState::Voided);
                    let payout = standing.leg.payout;
                    self.return_if_voided(payout);
                }
                // A failed leg is still owed. The worker retries it and raises an alarm if it keeps failing.
                (SettlementOutcome::Failed | SettlementOutcome::Rejected, _) => {}
                (SettlementOutcome::Paid | SettlementOutcome::Voided, LegState::Paid | LegState::Voided) => {
                    self.alarms.push(format!("the Escrow spent reference {} twice", settlement.reference.0));
                }
            }
        }
    }

    /// Starts the next round of a leg: the ledger counts each confirmation of the leg separately.
    fn next_round(&mut self, reference: Reference) -> Option<PayoutLeg> {
        let standing = self.legs.get_mut(&reference)?;
        standing.leg.rounds = standing.leg.rounds.saturating_add(1);
        standing.changed = true;
        Some(standing.leg.clone())
    }

    /// Records that the coins of a leg have left their vault.
    fn post_confirmation(&mut self, reference: Reference) {
        let Some(leg) = self.next_round(reference) else { return };
        self.post(ledger::payout_confirmed(leg.payout, leg.reference.0, leg.rounds, leg.vault_asset, leg.amount));
    }

    fn confirm_if_paid(&mut self, payout: PayoutId) {
        if self.all_legs_are(payout, LegState::Paid) {
            self.require_payout_event(
                payout,
                |payout| orders::Event::PayoutConfirmed { payout },
                |payout| Some(adverts::Event::ReturnConfirmed { payout }),
            );
        }
    }

    /// Returns whether the owner of a payout still depends on it. Its void may have left the chain after another payout had
    /// taken its place, or after the coins had become temporary balance.
    fn is_awaited(&self, leg: &PayoutLeg) -> bool {
        match leg.purpose {
            Purpose::Release | Purpose::Refund => {
                let order = self.work.orders.get(&OrderId(leg.subject));
                order.is_some_and(|order| order.state.depends_on(leg.payout))
            }
            Purpose::AdvertReturn => {
                let advert = self.work.adverts.get(&AdvertId(leg.subject));
                advert.is_some_and(|advert| advert.state.depends_on(leg.payout))
            }
            Purpose::WrongDeposit | Purpose::Withdrawal | Purpose::Treasury => true,
        }
    }

    /// Gives the coins of a voided payout back: to the account that paid them, or, if its owner no longer waits for the payout,
    /// to the temporary balance of the vault, whose debt they first repay. If only one leg of a pair is voided, changes nothing:
    /// the other leg can never be paid alone and will be voided as well.
    fn return_if_voided(&mut self, payout: PayoutId) {
        if !self.all_legs_are(payout, LegState::Voided) {
            return;
        }
        let awaited = self.legs_of(payout).next().is_some_and(|leg| self.is_awaited(leg));
        for reference in self.references.get(&payout).cloned().unwrap_or_default() {
            let Some(leg) = self.next_round(reference) else { continue };
            let (number, round) = (leg.reference.0, leg.rounds);
            let temporary = leg.vault_asset.temporary();
            let account = if awaited { leg.source } else { temporary };
            self.post(ledger::payout_voided(leg.payout, number, round, leg.vault_asset, leg.amount, account));
            if account == temporary {
                self.repay(&format!("payout/{payout}/{number}/voided/{round}"), leg.vault_asset, leg.amount);
            }
        }
        if !awaited {
            return;
        }
        let legs: Vec<_> = self.legs_of(payout).cloned().collect();
        let order = legs.first().and_then(|leg| self.work.orders.get(&OrderId(leg.subject)));
        let returned = |side: Leg| {
            let vault_asset = order.map(|order| order.terms.vault_asset(side));
            legs.iter().find(|leg| Some(leg.vault_asset) == vault_asset).map_or(Amount::ZERO, |leg| leg.amount)
        };
        let (base, quote) = (returned(Leg::Base), returned(Leg::Quote));
        let amount = legs.first().map_or(Amount::ZERO, |leg| leg.amount);
        self.require_payout_event(
            payout,
            |payout| orders::Event::PayoutVoided { payout, base, quote },
            |payout| Some(adverts::Event::ReturnVoided { payout, amount }),
        );
    }
}
