//! Decisions by officers and the resulting payouts.

use super::*;
use crate::effect::{Effect, OrderChange, PayoutIntent};
use crate::ledger::{Account, Posting};

fn decided(order: &Order, winner: Party, now: Timestamp) -> Transition {
    decide_as_officer(order, winner, &inputs(now)).unwrap()
}

fn intent(transition: &Transition) -> Option<&PayoutIntent> {
    transition.effects.iter().find_map(|effect| match effect {
        Effect::Payout(intent) => Some(intent),
        _ => None,
    })
}

fn postings(transition: &Transition) -> Vec<&Posting> {
    let mut postings = Vec::new();
    for effect in &transition.effects {
        if let Effect::Post(posting) = effect {
            postings.push(posting);
        }
    }
    postings
}

/// Returns the net amount that a transition's postings add to an account.
fn put_into(transition: &Transition, account: Account) -> i128 {
    let entries = postings(transition).into_iter().flat_map(|posting| &posting.entries);
    let mine = entries.filter(|entry| entry.account == account);
    mine.map(|entry| if entry.debit { -entry.amount.units() } else { entry.amount.units() }).sum()
}

fn change(transition: &Transition) -> Option<OrderChange> {
    transition.effects.iter().find_map(|effect| match effect {
        Effect::Advert { change, .. } => Some(*change),
        _ => None,
    })
}

#[test]
fn a_voided_release_returns_to_escrow_until_an_officer_decides() {
    for kind in Kind::ALL {
        let order = reach(kind, "RELEASING").unwrap();
        let case = voided(&order).unwrap();
        assert_eq!((case.state.name(), funds_location(&case)), ("RELEASING", FundsLocation::Escrow));
        assert_eq!(case.held(Leg::Base), amount(990), "the fee stays charged until the decision");
        assert_eq!(case.held(Leg::Quote), if kind.automatic { amount(2_000) } else { amount(0) });
        let (base, fees) =
            (order.terms.vault_asset(Leg::Base).order(order.id), order.terms.vault_asset(Leg::Base).fees());

        let again = decided(&case, Party::Buyer, start());
        let legs: Vec<_> = intent(&again).unwrap().legs.iter().map(|leg| leg.amount).collect();
        assert_eq!(legs, if kind.automatic { vec![amount(990), amount(2_000)] } else { vec![amount(990)] });
        assert_eq!((put_into(&again, base), put_into(&again, fees)), (-990, 0), "only one fee is charged");
        assert_eq!((again.order.state.name(), again.order.progress.case), ("RELEASING", None));

        let back = decided(&case, Party::Seller, start());
        assert_eq!((put_into(&back, base), put_into(&back, fees)), (-990, -10), "the fee is returned");
        let returned = change(&back).unwrap();
        assert_eq!(returned.quantity, amount(1_000));
        let refunded = intent(&back).map(|intent| (intent.legs[0].recipient, intent.legs[0].amount));
        match kind {
            MANUAL_SELL => assert_eq!((returned.escrow, refunded), (amount(1_000), None)),
            MANUAL_BUY => assert_eq!((returned.escrow, refunded), (amount(0), Some((Address([2; 20]), amount(1_000))))),
            AUTOMATIC_SELL => {
                assert_eq!((returned.escrow, refunded), (amount(1_000), Some((Address([1; 20]), amount(2_000)))));
            }
            _ => assert_eq!((returned.escrow, refunded), (amount(2_000), Some((Address([2; 20]), amount(1_000))))),
        }
        let decision = back.order.state.cancelled().unwrap();
        assert_eq!((decision.reason, decision.by, decision.counts_against()), (CancelReason::Decided, None, None));
    }
}

#[test]
fn a_voided_refund_is_repeated_or_goes_to_the_buyer() {
    let order = reach(MANUAL_BUY, "REFUNDING").unwrap();
    let case = voided(&order).unwrap();
    let again = decided(&case, Party::Seller, start());
    assert_eq!(intent(&again).unwrap().legs[0].amount, amount(1_000), "the buyer cancelled, so the seller pays no gas");
    assert_eq!((again.order.state.name(), change(&again)), ("REFUNDING", None), "the quantity was returned before");
    let released = decided(&case, Party::Buyer, start());
    assert_eq!((intent(&released).unwrap().legs[0].amount, released.order.state.name()), (amount(990), "RELEASING"));
    // An officer decides each void separately, and no posting key is used twice.
    let mut keys = std::collections::BTreeSet::new();
    let mut order = case;
    for _ in 0..3 {
        let done = decided(&order, Party::Seller, start());
        for posting in postings(&done) {
            assert!(keys.insert(posting.key.clone()), "{}", posting.key);
        }
        order = voided(&done.order).unwrap();
    }
}

#[test]
fn a_removed_void_closes_the_case() {
    let case = voided(&reach(MANUAL_SELL, "RELEASING").unwrap()).unwrap();
    let back = event(&case, &Event::VoidRevoked { payout: payout(FRESH) }, start()).order;
    assert_eq!((back.progress.case, back.held(Leg::Base)), (None, amount(0)));
    let done = event(&back, &Event::PayoutConfirmed { payout: payout(FRESH) }, start()).order;
    assert_eq!(done.state.name(), "COMPLETED");
}

#[test]
fn an_officer_may_decide_a_frozen_order_after_a_day_with_the_remaining_escrow() {
    let now = start() + FROZEN_FOR;
    let partly = |kind| {
        let order = reach(kind, "AWAITING_PAYMENT").unwrap();
        event(&order, &Event::DepositRevoked { leg: Leg::Base, drawn: amount(400) }, start()).order
    };
    for kind in [MANUAL_SELL, MANUAL_BUY, AUTOMATIC_SELL] {
        let order = partly(kind);
        let early = decide_as_officer(&order, Party::Seller, &inputs(now - instant()));
        assert_eq!(early, Err(Undecidable::NotYet { from: now }));
        let back = decided(&order, Party::Seller, now);
        assert_eq!((&back.order.overlay, back.order.misfit()), (&None, None));
        let returned = change(&back).unwrap();
        if kind == MANUAL_BUY {
            assert_eq!((back.order.state.name(), returned.quantity), ("REFUNDING", amount(1_000)));
            assert_eq!(intent(&back).unwrap().legs[0].amount, amount(600));
        } else {
            assert_eq!(back.order.state.name(), "CANCELLED");
            let nothing_to_order = (amount(0), amount(600));
            assert_eq!((returned.quantity, returned.escrow), nothing_to_order);
        }
        let released = decide_as_officer(&order, Party::Buyer, &inputs(now));
        if kind.automatic {
            assert_eq!(released, Err(Undecidable::Short));
        } else {
            let released = released.unwrap();
            assert_eq!(intent(&released).unwrap().legs[0].amount, amount(600), "the remaining escrow, without a fee");
        }
    }
    let gone = frozen(&reach(MANUAL_SELL, "AWAITING_CONFIRMATION").unwrap(), Leg::Base, start()).unwrap();
    assert_eq!(decide_as_officer(&gone, Party::Buyer, &inputs(now)), Err(Undecidable::Short));
    assert_eq!(decided(&gone, Party::Seller, now).order.state.name(), "CANCELLED");
}

#[test]
fn an_officer_cannot_decide_an_order_that_can_still_advance() {
    for kind in Kind::ALL {
        for state in State::NAMES {
            let Some(order) = reach(kind, state) else { continue };
            let refused = decide_as_officer(&order, Party::Buyer, &inputs(start())).unwrap_err().to_string();
            let expected = match state {
                "AWAITING_CONFIRMATION" => "cannot be decided before 2026-11-27T12:25:00+00:00",
                "AWAITING_PAYMENT" if !kind.automatic => "no payment was seen",
                _ => state,
            };
            assert!(refused.contains(expected), "{refused}");
        }
    }
}
