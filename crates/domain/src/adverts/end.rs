//! How an advert ends and its remaining escrow is returned.

use super::transition::TransitionBuilder;
use super::{AdvertInputs, EndReason, State};
use crate::clock::Timestamp;
use crate::effect::{Effect, Notice, PayoutIntent, PayoutLeg, Purpose};
use crate::ids::PayoutId;
use crate::ledger::{self, VaultAsset};
use crate::money::Amount;

/// Ends the advert without a chain transaction. Its remaining escrow becomes temporary balance.
pub(super) fn end(draft: &mut TransitionBuilder, reason: EndReason, now: Timestamp) {
    if let Some((_, vault_asset, _)) = draft.advert.terms.escrow() {
        draft.post(ledger::advert_remainder(draft.advert.id, vault_asset, draft.advert.escrow));
    }
    return_prepayment(draft, Returned::Nothing);
    draft.advert.escrow = Amount::ZERO;
    draft.advert.frozen = None;
    draft.advert.state = State::Cancelled { at: now, reason, payout: None };
    draft.notify(Notice::AdvertCancelled);
}

/// Continues a revocation. Once no order is open, pays the remaining escrow, less the gas, to the bound address. Escrow
/// that does not exceed the gas becomes temporary balance, as does all escrow of an owner who may not withdraw. Does not
/// wait for coins that are missing from a frozen advert: if they return later, they become temporary balance.
pub(super) fn return_remainder(draft: &mut TransitionBuilder, inputs: &AdvertInputs) {
    if draft.advert.running > 0 {
        draft.advert.state = State::Revoking { payout: None };
        return;
    }
    let (whole, gas) = (draft.advert.escrow, draft.advert.terms.return_gas());
    let out = whole.saturating_sub(gas);
    let pays = !out.is_zero() && inputs.owner_may_withdraw;
    let Some((_, vault_asset, _)) = draft.advert.terms.escrow().filter(|_| pays) else {
        return end(draft, EndReason::Revoked, inputs.now);
    };
    pay_back(draft, vault_asset, out, gas, inputs.payout);
    return_prepayment(draft, Returned::OnChain);
    draft.advert.escrow = Amount::ZERO;
    draft.advert.frozen = None;
    draft.advert.state = State::Revoking { payout: Some(inputs.payout) };
}

/// Repeats a voided return under a new reference. The gas is not charged a second time. If the owner may not withdraw, the coins
/// become temporary balance. So does an NFT, whose prepaid network fee is spent, and which may never be payable again.
pub(super) fn return_again(draft: &mut TransitionBuilder, amount: Amount, inputs: &AdvertInputs) {
    let Some((_, vault_asset, _)) = draft.advert.terms.escrow() else { return };
    if !inputs.owner_may_withdraw || draft.advert.terms.prepayment.is_some() {
        draft.advert.escrow = amount;
        return end(draft, EndReason::Revoked, inputs.now);
    }
    pay_back(draft, vault_asset, amount, Amount::ZERO, inputs.payout);
    draft.advert.state = State::Revoking { payout: Some(inputs.payout) };
    draft.notify(Notice::AdvertRevoking);
}

/// What the end of an advert returns to its owner's bound address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Returned {
    /// Everything stays in the vault.
    Nothing,
    /// A transaction, whose network fee was prepaid.
    OnChain,
}

/// Moves what is left of the prepayment to temporary balance. A return on the chain first takes the network fee.
pub(super) fn return_prepayment(draft: &mut TransitionBuilder, returned: Returned) {
    let Some((vault_asset, prepayment)) = draft.advert.terms.prepaid() else { return };
    let gas = match returned {
        Returned::Nothing => Amount::ZERO,
        Returned::OnChain => prepayment.gas.min(draft.advert.prepaid),
    };
    let back = draft.advert.prepaid.saturating_sub(gas);
    let (id, version) = (draft.advert.id, draft.advert.version);
    draft.post(ledger::prepayment_returned(id, version, vault_asset, back, gas));
    draft.advert.prepaid = Amount::ZERO;
}

fn pay_back(draft: &mut TransitionBuilder, vault_asset: VaultAsset, out: Amount, gas: Amount, payout: PayoutId) {
    let id = draft.advert.id;
    let leg =
        PayoutLeg { vault_asset, recipient: draft.advert.terms.bound, amount: out, source: vault_asset.advert(id) };
    draft.post(ledger::advert_return(id, payout, vault_asset, out, gas));
    draft.effect(Effect::Payout(PayoutIntent { id: payout, purpose: Purpose::AdvertReturn(id), legs: vec![leg] }));
}
