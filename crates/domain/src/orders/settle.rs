//! How an order's money leaves it: to the other side, or back.

use super::transition::TransitionBuilder;
use super::{CancelReason, Cancelled, Case, Order, OrderInputs, State};
use crate::clock::Timestamp;
use crate::effect::{Effect, Notice, PayoutIntent, PayoutLeg, Purpose};
use crate::funding::FundingTarget;
use crate::ids::PayoutId;
use crate::ledger::{self, ReleaseLeg};
use crate::money::Amount;
use crate::reputation::Cause;
use crate::trade::{Leg, Party, Payment};

impl Order {
    /// What the order's escrow account of a leg should hold now, in base units. Empty once a payout is decided.
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
        if let Some(case) = self.progress.case {
            case.amount(leg).saturating_sub(self.missing(leg))
        } else if waiting && (funded || self.terms.advert_leg() == Some(leg)) {
            self.terms.amount(leg).saturating_sub(self.missing(leg))
        } else {
            Amount::ZERO
        }
    }

    /// What a reorganisation has taken of a leg.
    fn missing(&self, leg: Leg) -> Amount {
        self.overlay.as_ref().map_or(Amount::ZERO, |overlay| overlay.missing(leg))
    }

    /// The leg that the order's taker has put into its escrow, if any: it did not come out of the advert's.
    fn taken_leg(&self) -> Option<Leg> {
        let funded = [
            (Leg::Base, self.progress.deposited_at.is_some()),
            (Leg::Quote, self.progress.payment_funded_at.is_some()),
        ];
        funded.into_iter().find(|(_, funded)| *funded).map(|(leg, _)| leg)
    }
}

/// After a void, what the platform had kept for the voided payout is the order's again.
pub(super) fn take_back_what_was_kept(draft: &mut TransitionBuilder) {
    let order = &draft.order;
    let Some(case) = order.progress.case else { return };
    let leg = match order.state {
        State::Refunding { .. } => order.taken_leg().unwrap_or(Leg::Base),
        _ => Leg::Base,
    };
    let (kept, vault_asset) = (order.progress.kept, order.terms.vault_asset(leg));
    let kept_in = if matches!(order.state, State::Refunding { .. }) { vault_asset.gas() } else { vault_asset.fees() };
    draft.post(ledger::kept_undone(order.id, order.progress.voids, vault_asset, kept_in, kept));
    let more = |amount: Amount, of: Leg| if of == leg { amount.add(kept).unwrap_or(amount) } else { amount };
    let (base, quote) = (more(case.base, Leg::Base), more(case.quote, Leg::Quote));
    draft.order.progress.case = Some(Case { base, quote, ..case });
    draft.order.progress.kept = Amount::ZERO;
}

/// Nothing is open about the order's coins any more.
fn settled(draft: &mut TransitionBuilder, kept: Amount) {
    draft.order.progress.kept = kept;
    draft.order.progress.case = None;
    draft.order.overlay = None;
}

/// The base goes to the buyer, less the fee; in an automatic order the quote to the seller with it, or neither. Where a
/// reorganisation has taken part of the base for good, the buyer gets what is there, and the platform keeps nothing.
pub(super) fn release(draft: &mut TransitionBuilder, payout: PayoutId, now: Timestamp) {
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
    draft.post(ledger::release(id, payout, &legs).after_voids(draft.order.progress.voids));
    draft.effect(Effect::Payout(PayoutIntent { id: payout, purpose: Purpose::Release(id), legs: transfers }));
    draft.order.progress.received_at = Some(now);
    settled(draft, fee);
    draft.proceed(State::Releasing { payout }, now);
    draft.notify_both(Notice::OrderReleasing);
}

/// What the order took out of the advert's escrow goes back there, with no chain transaction. Returns how much of the
/// quantity can be ordered again, and what went back: of an escrow that a reorganisation has diminished, what is there,
/// and nothing can be ordered for it.
pub(super) fn give_back(draft: &mut TransitionBuilder) -> (Amount, Amount) {
    let terms = &draft.order.terms;
    // A refund that was voided has given the quantity back before.
    let quantity = terms.quantity.saturating_sub(draft.order.progress.given_back);
    let Some(leg) = terms.advert_leg() else { return (quantity, Amount::ZERO) };
    let amount = draft.order.held(leg);
    draft.post(ledger::order_undone(terms.advert, draft.order.id, terms.vault_asset(leg), amount));
    let whole = draft.order.missing(leg).is_zero();
    (if whole { quantity } else { Amount::ZERO }, amount)
}

/// The order is cancelled: each coin goes back to where it came from, and it counts against whom it must.
pub(super) fn cancel(draft: &mut TransitionBuilder, cancelled: Cancelled, payout: PayoutId) {
    if draft.order.funded_leg().is_some() {
        draft.effect(Effect::CloseFundingRequest(FundingTarget::Order(draft.order.id)));
    }
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
        draft.effect(Effect::ChargeReputation { user, order, cause });
    }
    draft.notify_both(Notice::OrderCancelled);
}

/// A refund that the chain voided is made once more. What goes back to the advert went there before.
pub(super) fn refund_again(draft: &mut TransitionBuilder, cancelled: Cancelled, inputs: &OrderInputs) {
    let state = match refund(draft, &cancelled, inputs.payout) {
        Some(payout) => State::Refunding { payout, cancelled },
        None => State::Cancelled { payout: None, cancelled },
    };
    draft.proceed(state, inputs.now);
}

/// What the taker put into the order goes back to the taker's bound address. The gas is the taker's only if the taker is
/// the cause; what would not pay for its own gas stays the taker's temporary balance.
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
