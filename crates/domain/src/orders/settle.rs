//! How an order's money leaves it: to the other side, or back.

use super::draft::Draft;
use super::{CancelReason, Cancelled, Order, State};
use crate::claims::Holder;
use crate::clock::Moment;
use crate::credit::Cause;
use crate::effect::{Effect, Notice, PayoutIntent, PayoutLeg, Purpose};
use crate::ids::PayoutId;
use crate::ledger::{self, ReleaseLeg};
use crate::money::Amount;
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
        let claimed = match leg {
            Leg::Base => self.progress.deposited_at.is_some(),
            Leg::Quote => self.progress.payment_claimed_at.is_some(),
        };
        if waiting && (claimed || self.terms.advert_leg() == Some(leg)) {
            let missing = self.overlay.as_ref().map_or(Amount::ZERO, |overlay| overlay.missing(leg));
            self.terms.amount(leg).saturating_sub(missing)
        } else {
            Amount::ZERO
        }
    }
}

/// The base goes to the buyer, less the fee; in an automatic order the quote to the seller with it, or neither.
pub(super) fn release(draft: &mut Draft, payout: PayoutId, now: Moment) {
    let (id, terms) = (draft.order.id, &draft.order.terms);
    let (base, quote) = (terms.pot(Leg::Base), terms.pot(Leg::Quote));
    let mut legs = vec![ReleaseLeg { pot: base, out: terms.receives(), fee: terms.fee }];
    let mut transfers =
        vec![PayoutLeg { pot: base, recipient: terms.buyer_bound, amount: terms.receives(), source: base.order(id) }];
    if let Payment::Automatic { to, .. } = terms.payment {
        legs.push(ReleaseLeg { pot: quote, out: terms.total, fee: Amount::ZERO });
        transfers.push(PayoutLeg { pot: quote, recipient: to, amount: terms.total, source: quote.order(id) });
    }
    draft.post(ledger::release(id, payout, &legs));
    draft.effect(Effect::Payout(PayoutIntent { id: payout, purpose: Purpose::Release(id), legs: transfers }));
    draft.order.progress.received_at = Some(now);
    draft.proceed(State::Releasing { payout }, now);
    draft.notify_both(Notice::OrderReleasing);
}

/// What the order took out of the advert's escrow goes back there, with no chain transaction.
pub(super) fn give_back(draft: &mut Draft) -> Amount {
    let terms = &draft.order.terms;
    let Some(leg) = terms.advert_leg() else { return Amount::ZERO };
    let amount = terms.amount(leg);
    draft.post(ledger::order_undone(terms.advert, draft.order.id, terms.pot(leg), amount));
    amount
}

/// The order is cancelled: each coin goes back to where it came from, and it counts against whom it must.
pub(super) fn cancel(draft: &mut Draft, cancelled: Cancelled, payout: PayoutId) {
    if draft.order.claimed_leg().is_some() {
        draft.effect(Effect::EndClaim(Holder::Order(draft.order.id)));
    }
    let deposited = draft.order.progress.deposited_at.is_some();
    let escrow = give_back(draft);
    let refund = deposited.then(|| refund(draft, &cancelled, payout)).flatten();
    let state = match refund {
        Some(payout) => State::Refunding { payout, cancelled },
        None => State::Cancelled { payout: None, cancelled },
    };
    draft.enter(state, cancelled.at, draft.order.terms.quantity, escrow);
    if let Some(party) = cancelled.counts_against() {
        let (user, order) = (draft.order.terms.user(party), draft.order.id);
        let cause = match cancelled.reason {
            CancelReason::DepositOverdue => Cause::DepositOverdue,
            CancelReason::PaymentOverdue => Cause::PaymentOverdue,
            _ => Cause::Cancelled,
        };
        draft.effect(Effect::ChargeCredit { user, order, cause });
    }
    draft.notify_both(Notice::OrderCancelled);
}

/// The seller's deposit goes back to the seller's bound address. The gas is the seller's only if the seller is the
/// cause; what would not pay for its own gas stays the seller's temporary balance.
fn refund(draft: &mut Draft, cancelled: &Cancelled, payout: PayoutId) -> Option<PayoutId> {
    let (id, terms) = (draft.order.id, &draft.order.terms);
    let (pot, whole) = (terms.pot(Leg::Base), terms.quantity);
    let gas = match cancelled.caused_by() {
        Some(Party::Seller) => terms.base.return_gas,
        _ => Amount::ZERO,
    };
    let out = whole.saturating_sub(gas);
    if out.is_zero() {
        draft.post(ledger::order_remainder(id, pot, whole));
        return None;
    }
    let leg = PayoutLeg { pot, recipient: terms.seller_bound, amount: out, source: pot.order(id) };
    draft.post(ledger::refund(id, payout, pot, out, gas));
    draft.effect(Effect::Payout(PayoutIntent { id: payout, purpose: Purpose::Refund(id), legs: vec![leg] }));
    Some(payout)
}
