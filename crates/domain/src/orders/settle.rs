//! Releases, refunds and gives back an order's escrow.

use super::transition::TransitionBuilder;
use super::{CancelReason, Cancelled, Order, OrderInputs, State, VoidedPayout};
use crate::assets::Prepayment;
use crate::clock::Timestamp;
use crate::effect::{Effect, Notice, PayoutIntent, PayoutLeg, PrepaymentChange, Purpose};
use crate::funding::FundingTarget;
use crate::ids::PayoutId;
use crate::ledger::{self, ReleaseLeg};
use crate::money::Amount;
use crate::reputation::{Acceptance, Cause};
use crate::trade::{Leg, Party, Payment};

impl Order {
    /// Returns the expected balance of the order's escrow account for a leg, in base units. Zero once a payout is
    /// decided.
    pub fn held(&self, leg: Leg) -> Amount {
        let waiting = matches!(
            self.state,
            State::AwaitingAcceptance { .. }
                | State::AwaitingDeposit { .. }
                | State::AwaitingPayment { .. }
                | State::AwaitingConfirmation { .. }
        );
        let funded = match leg {
            Leg::Base => self.progress.deposited_at.is_some(),
            Leg::Quote => self.progress.payment_funded_at.is_some(),
        };
        if let Some(voided) = self.progress.voided {
            voided.amount(leg).saturating_sub(self.missing(leg))
        } else if waiting && (funded || self.terms.advert_leg() == Some(leg)) {
            self.terms.amount(leg).saturating_sub(self.missing(leg))
        } else {
            Amount::ZERO
        }
    }

    /// Returns the amount of a leg that a reorganization removed.
    pub(super) fn missing(&self, leg: Leg) -> Amount {
        self.frozen.map_or(Amount::ZERO, |frozen| frozen.missing(leg))
    }

    /// Returns the leg that the taker deposited; `None` if all escrowed coins came from the advert.
    fn taken_leg(&self) -> Option<Leg> {
        let funded = [
            (Leg::Base, self.progress.deposited_at.is_some()),
            (Leg::Quote, self.progress.payment_funded_at.is_some()),
        ];
        funded.into_iter().find(|(_, funded)| *funded).map(|(leg, _)| leg)
    }
}

/// After a void, moves the fee or gas that the platform had kept for the voided payout back into the order's escrow, and the
/// prepayment that it had spent back to the advert.
pub(super) fn revert_kept(draft: &mut TransitionBuilder) {
    let order = &draft.order;
    let Some(voided) = order.progress.voided else { return };
    let leg = match order.state {
        State::Refunding { .. } => order.taken_leg().unwrap_or(Leg::Base),
        _ => Leg::Base,
    };
    let (kept, vault_asset) = (order.progress.kept, order.terms.vault_asset(leg));
    let kept_in = if matches!(order.state, State::Refunding { .. }) { vault_asset.gas() } else { vault_asset.fees() };
    let prepaid = order.terms.prepaid().filter(|_| matches!(order.state, State::Releasing { .. }));
    let (id, advert, voids) = (order.id, order.terms.advert, order.progress.voids);
    draft.post(ledger::kept_undone(id, voids, vault_asset, kept_in, kept));
    if let Some((vault_asset, Prepayment { fee, gas, .. })) = prepaid {
        draft.post(ledger::prepayment_restored(advert, id, voids, vault_asset, fee, gas));
    }
    let more = |amount: Amount, of: Leg| if of == leg { amount.add(kept).unwrap_or(amount) } else { amount };
    let (base, quote) = (more(voided.base, Leg::Base), more(voided.quote, Leg::Quote));
    draft.order.progress.voided = Some(VoidedPayout { base, quote, ..voided });
    draft.order.progress.kept = Amount::ZERO;
}

/// Clears the voided payout and what was missing, because the escrow is settled. `kept` is the fee or gas that the platform keeps.
fn settled(draft: &mut TransitionBuilder, kept: Amount) {
    draft.order.progress.kept = kept;
    draft.order.progress.voided = None;
    draft.order.frozen = None;
}

/// Releases the base, less the fee, to the buyer. In an automatic order, also releases the quote to the seller in the
/// same chain transaction. If a reorganization permanently removed part of the base, the buyer receives the rest
/// without a fee.
pub(super) fn release(draft: &mut TransitionBuilder, payout: PayoutId, now: Timestamp, notice: Notice) {
    let (id, terms) = (draft.order.id, &draft.order.terms);
    let (base, quote) = (terms.vault_asset(Leg::Base), terms.vault_asset(Leg::Quote));
    let (out, fee) = if draft.order.missing(Leg::Base).is_zero() {
        (terms.receives(), terms.fee)
    } else {
        (draft.order.held(Leg::Base), Amount::ZERO)
    };
    let mut legs = vec![ReleaseLeg { vault_asset: base, out, fee }];
    let mut transfers =
        vec![PayoutLeg { vault_asset: base, recipient: terms.buyer_bound, amount: out, source: base.order(id) }];
    if let Payment::Automatic { to, .. } = terms.payment {
        legs.push(ReleaseLeg { vault_asset: quote, out: terms.total, fee: Amount::ZERO });
        transfers.push(PayoutLeg { vault_asset: quote, recipient: to, amount: terms.total, source: quote.order(id) });
    }
    let prepaid = terms.prepaid();
    draft.post(ledger::release(id, payout, &legs).after_voids(draft.order.progress.voids));
    if let Some((vault_asset, Prepayment { fee, gas, .. })) = prepaid {
        let advert = draft.order.terms.advert;
        let spent = ledger::prepayment_spent(advert, id, vault_asset, fee, gas);
        draft.post(spent.after_voids(draft.order.progress.voids));
        draft.prepayment = PrepaymentChange::Spent;
    }
    draft.effect(Effect::Payout(PayoutIntent { id: payout, purpose: Purpose::Release(id), legs: transfers }));
    draft.order.progress.received_at = Some(now);
    settled(draft, fee);
    draft.proceed(State::Releasing { payout }, now);
    draft.notify_both(notice);
}

/// Gives back the escrow that the order took from the advert, without a chain transaction. Returns the quantity that
/// can be ordered again and the amount given back. If a reorganization removed part of the escrow, gives back the rest
/// and returns a quantity of zero.
pub(super) fn give_back(draft: &mut TransitionBuilder) -> (Amount, Amount) {
    let terms = &draft.order.terms;
    // After a voided refund, the advert already has the quantity.
    let quantity = terms.quantity.saturating_sub(draft.order.progress.given_back);
    let Some(leg) = terms.advert_leg() else { return (quantity, Amount::ZERO) };
    if terms.prepayment.is_some() {
        draft.prepayment = PrepaymentChange::GivenBack;
    }
    let terms = &draft.order.terms;
    let amount = draft.order.held(leg);
    draft.post(ledger::order_undone(terms.advert, draft.order.id, terms.vault_asset(leg), amount));
    let whole = draft.order.missing(leg).is_zero();
    (if whole { quantity } else { Amount::ZERO }, amount)
}

/// Cancels the order: returns each coin to its source, and charges the responsible party's reputation.
pub(super) fn cancel(draft: &mut TransitionBuilder, cancelled: Cancelled, payout: PayoutId) {
    if draft.order.funded_leg().is_some() {
        draft.effect(Effect::CloseFundingRequest(FundingTarget::Order(draft.order.id)));
    }
    miss_acceptance(draft, &cancelled);
    let (quantity, escrow) = give_back(draft);
    let refund = refund(draft, &cancelled, payout);
    let state = match refund {
        Some(payout) => State::Refunding { payout, cancelled },
        None => State::Cancelled { payout: None, cancelled },
    };
    draft.enter(state, cancelled.at, quantity, escrow);
    if let Some(party) = cancelled.counts_against() {
        let (user, order) = (draft.order.terms.user(party), draft.order.id);
        let cause = match cancelled.reason {
            CancelReason::DepositOverdue => Cause::DepositOverdue,
            CancelReason::PaymentOverdue => Cause::PaymentOverdue,
            _ => Cause::Cancelled,
        };
        draft.effect(Effect::ChargeReputation { user, order, appeal: None, cause });
    }
    draft.notify_both(Notice::OrderCancelled);
}

/// Counts a missed acceptance against the advertiser, unless an outage interrupted the window: whoever looks at a closed platform
/// does not know when it opens again.
fn miss_acceptance(draft: &mut TransitionBuilder, cancelled: &Cancelled) {
    let (State::AwaitingAcceptance { deadline }, CancelReason::AcceptanceOverdue) =
        (&draft.order.state, cancelled.reason)
    else {
        return;
    };
    if deadline.since == draft.order.terms.created_at {
        draft.order.progress.acceptance_missed = true;
        let taker = draft.order.terms.taker;
        draft.acceptance(Acceptance::Missed { taker });
    }
}

/// Repeats a voided refund. The advert's part was already given back.
pub(super) fn refund_again(draft: &mut TransitionBuilder, cancelled: Cancelled, inputs: &OrderInputs) {
    let state = match refund(draft, &cancelled, inputs.payout) {
        Some(payout) => State::Refunding { payout, cancelled },
        None => State::Cancelled { payout: None, cancelled },
    };
    draft.proceed(state, inputs.now);
}

/// Returns the taker's deposit to the taker's bound address. The taker pays the gas only if the taker caused the
/// cancellation. A deposit that does not exceed the gas becomes the taker's temporary balance.
fn refund(draft: &mut TransitionBuilder, cancelled: &Cancelled, payout: PayoutId) -> Option<PayoutId> {
    let (id, terms, voids) = (draft.order.id, &draft.order.terms, draft.order.progress.voids);
    let Some(leg) = draft.order.taken_leg() else {
        settled(draft, Amount::ZERO);
        return None;
    };
    let (vault_asset, whole) = (terms.vault_asset(leg), draft.order.held(leg));
    let (party, recipient, coin) = match leg {
        Leg::Base => (Party::Seller, terms.seller_bound, terms.base),
        Leg::Quote => (Party::Buyer, terms.buyer_bound, terms.quote),
    };
    let gas = if cancelled.caused_by() == Some(party) { coin.return_gas } else { Amount::ZERO };
    let out = whole.saturating_sub(gas);
    if out.is_zero() {
        draft.post(ledger::order_remainder(id, vault_asset, whole).after_voids(voids));
        settled(draft, Amount::ZERO);
        return None;
    }
    let back = PayoutLeg { vault_asset, recipient, amount: out, source: vault_asset.order(id) };
    draft.post(ledger::refund(id, payout, vault_asset, out, gas).after_voids(voids));
    draft.effect(Effect::Payout(PayoutIntent { id: payout, purpose: Purpose::Refund(id), legs: vec![back] }));
    settled(draft, gas);
    Some(payout)
}
