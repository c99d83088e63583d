//! How an advert ends, and what remains of its escrow goes back.

use super::transition::TransitionBuilder;
use super::{EndReason, State};
use crate::clock::Timestamp;
use crate::effect::{Effect, Notice, PayoutIntent, PayoutLeg, Purpose};
use crate::ids::PayoutId;
use crate::ledger::{self, VaultAsset};
use crate::money::Amount;

/// Ends the advert without a chain transaction. What its escrow still holds becomes temporary balance.
pub(super) fn end(draft: &mut TransitionBuilder, reason: EndReason, now: Timestamp) {
    if let Some((_, vault_asset, _)) = draft.advert.terms.escrow() {
        draft.post(ledger::advert_remainder(draft.advert.id, vault_asset, draft.advert.escrow));
    }
    draft.advert.escrow = Amount::ZERO;
    draft.advert.frozen = None;
    draft.advert.state = State::Cancelled { at: now, reason, payout: None };
    draft.notify(Notice::AdvertCancelled);
}

/// Goes on with a revoked advert: as soon as no order runs, what remains is returned to the bound address, less the gas.
/// What is not above the gas stays temporary balance. Of a frozen escrow only what is there is returned; what comes back
/// later is temporary balance.
pub(super) fn return_remainder(draft: &mut TransitionBuilder, payout: PayoutId, now: Timestamp) {
    if draft.advert.running > 0 {
        draft.advert.state = State::Revoking { payout: None };
        return;
    }
    let (whole, gas) = (draft.advert.escrow, draft.advert.terms.return_gas());
    let out = whole.saturating_sub(gas);
    let Some((_, vault_asset, _)) = draft.advert.terms.escrow().filter(|_| !out.is_zero()) else {
        return end(draft, EndReason::Revoked, now);
    };
    pay_back(draft, vault_asset, out, gas, payout);
    draft.advert.escrow = Amount::ZERO;
    draft.advert.frozen = None;
    draft.advert.state = State::Revoking { payout: Some(payout) };
}

/// A return that the chain voided is made again, under a new reference. Its gas was taken before.
pub(super) fn return_again(draft: &mut TransitionBuilder, amount: Amount, payout: PayoutId) {
    let Some((_, vault_asset, _)) = draft.advert.terms.escrow() else { return };
    pay_back(draft, vault_asset, amount, Amount::ZERO, payout);
    draft.advert.state = State::Revoking { payout: Some(payout) };
}

fn pay_back(draft: &mut TransitionBuilder, vault_asset: VaultAsset, out: Amount, gas: Amount, payout: PayoutId) {
    let id = draft.advert.id;
    let leg =
        PayoutLeg { vault_asset, recipient: draft.advert.terms.bound, amount: out, source: vault_asset.advert(id) };
    draft.post(ledger::advert_return(id, payout, vault_asset, out, gas));
    draft.effect(Effect::Payout(PayoutIntent { id: payout, purpose: Purpose::AdvertReturn(id), legs: vec![leg] }));
}
