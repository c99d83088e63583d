//! Decisions by officers and the resulting payouts.

use super::*;
use crate::effect::{Effect, OrderChange, PayoutIntent};
use crate::ledger::{Account, Posting};

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
        let voided_order = voided(&order).unwrap();
        assert_eq!((voided_order.state.into_str(), base_location(&voided_order)), ("RELEASING", FundsLocation::Escrow));
        assert_eq!(voided_order.held(Leg::Base), amount(990), "the fee stays charged until the decision");
        assert_eq!(voided_order.held(Leg::Quote), if kind.automatic { amount(2_000) } else { amount(0) });
        let (base, fees) =
            (order.terms.vault_asset(Leg::Base).order(order.id), order.terms.vault_asset(Leg::Base).fees());

        let again = executed(&voided_order, Party::Buyer);
        let legs: Vec<_> = intent(&again).unwrap().legs.iter().map(|leg| leg.amount).collect();
        assert_eq!(legs, if kind.automatic { vec![amount(990), amount(2_000)] } else { vec![amount(990)] });
        assert_eq!((put_into(&again, base), put_into(&again, fees)), (-990, 0), "only one fee is charged");
        assert_eq!((again.order.state.into_str(), again.order.progress.voided), ("RELEASING", None));

        let back = executed(&voided_order, Party::Seller);
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
    let voided_order = voided(&order).unwrap();
    let again = executed(&voided_order, Party::Seller);
    assert_eq!(intent(&again).unwrap().legs[0].amount, amount(1_000), "the buyer cancelled, so the seller pays no gas");
    assert_eq!((again.order.state.into_str(), change(&again)), ("REFUNDING", None), "the quantity was returned before");
    let released = executed(&voided_order, Party::Buyer);
    assert_eq!(
        (intent(&released).unwrap().legs[0].amount, released.order.state.into_str()),
        (amount(990), "RELEASING")
    );
    // An officer decides each void separately, and no posting key is used twice.
    let mut keys = std::collections::BTreeSet::new();
    let mut order = voided_order;
    for _ in 0..3 {
        let done = executed(&order, Party::Seller);
        for posting in postings(&done) {
            assert!(keys.insert(posting.key.clone()), "{}", posting.key);
        }
        order = voided(&done.order).unwrap();
    }
}

#[test]
fn after_a_removed_void_the_payout_can_become_final() {
    let voided_order = voided(&reach(MANUAL_SELL, "RELEASING").unwrap()).unwrap();
    let back = event(&voided_order, &Event::VoidRevoked { payout: payout(FRESH) }, start()).order;
    assert_eq!((back.progress.voided, back.held(Leg::Base)), (None, amount(0)));
    let done = event(&back, &Event::PayoutConfirmed { payout: payout(FRESH) }, start()).order;
    assert_eq!(done.state.into_str(), "COMPLETED");
}

#[test]
fn only_an_appeal_whose_initiator_loses_is_malicious() {
    let order = reach(MANUAL_SELL, "AWAITING_CONFIRMATION").unwrap();
    let open = act(&order, Party::Seller, &appeal(), start() + Duration::minutes(1)).order;
    let by_seller = open.open_appeal().unwrap().clone();
    let by_platform = Appeal { initiator: None, ..by_seller.clone() };
    let (note, delay) = (String::new(), Duration::hours(24));
    for malicious in [false, true] {
        let wins = |winner| AppealDecision::Verdict { winner, note: note.clone(), malicious, delay };
        let reject = AppealDecision::Reject { note: note.clone(), malicious };
        let accepts = |decision: &AppealDecision, appeal: &Appeal| match decision.check(appeal) {
            Ok(()) => true,
            Err(Refusal::Invalid { field: "malicious", .. }) => false,
            Err(other) => panic!("{other:?}"),
        };
        for decision in [&wins(Party::Buyer), &reject] {
            assert!(accepts(decision, &by_seller), "{decision:?}");
        }
        assert_eq!(accepts(&wins(Party::Seller), &by_seller), !malicious);
        for decision in [wins(Party::Buyer), wins(Party::Seller), reject] {
            assert_eq!(accepts(&decision, &by_platform), !malicious, "{decision:?}");
        }
    }
    assert_eq!(AppealDecision::Reopen.check(&by_platform), Ok(()));
}

/// Returns the frozen order under an appeal that the buyer files after a day.
fn appealed_after_a_day(order: &Order) -> Order {
    let early = decide(order, &by(order, Party::Buyer), &appeal(), &inputs(start() + FROZEN_FOR - instant()));
    assert_eq!(early, Err(Refusal::Frozen));
    act(order, Party::Buyer, &appeal(), start() + FROZEN_FOR).order
}

#[test]
fn a_verdict_about_a_frozen_order_pays_out_the_remaining_escrow() {
    let partly = |kind| {
        let order = reach(kind, "AWAITING_PAYMENT").unwrap();
        event(&order, &Event::DepositRevoked { leg: Leg::Base, drawn: amount(400) }, start()).order
    };
    for kind in [MANUAL_SELL, MANUAL_BUY, AUTOMATIC_SELL] {
        let order = appealed_after_a_day(&partly(kind));
        let back = executed(&order, Party::Seller);
        assert_eq!((&back.order.frozen, back.order.misfit()), (&None, None));
        let returned = change(&back).unwrap();
        if kind == MANUAL_BUY {
            assert_eq!((back.order.state.into_str(), returned.quantity), ("REFUNDING", amount(1_000)));
            assert_eq!(intent(&back).unwrap().legs[0].amount, amount(600));
        } else {
            assert_eq!(back.order.state.into_str(), "CANCELLED");
            let nothing_to_order = (amount(0), amount(600));
            assert_eq!((returned.quantity, returned.escrow), nothing_to_order);
        }
        if kind.automatic {
            let refused = decide_appeal(&order, &verdict(Party::Buyer), &inputs(start() + FROZEN_FOR));
            assert_eq!(refused, Err(Undecidable::Short));
        } else {
            let released = executed(&order, Party::Buyer);
            assert_eq!(intent(&released).unwrap().legs[0].amount, amount(600), "the remaining escrow, without a fee");
        }
    }
    let gone = frozen(&reach(MANUAL_SELL, "AWAITING_CONFIRMATION").unwrap(), Leg::Base, start()).unwrap();
    let gone = appealed_after_a_day(&gone);
    let refused = decide_appeal(&gone, &verdict(Party::Buyer), &inputs(start() + FROZEN_FOR));
    assert_eq!(refused, Err(Undecidable::Short));
    assert_eq!(executed(&gone, Party::Seller).order.state.into_str(), "CANCELLED");
}

#[test]
fn an_officer_decides_only_appeals() {
    for kind in Kind::ALL {
        for order in State::VARIANTS.iter().filter_map(|state| reach(kind, state)) {
            for command in table::Command::all(&order) {
                let table::Command::Officer(decision) = command else { continue };
                assert_eq!(decide_appeal(&order, &decision, &inputs(start())), Err(Undecidable::NotOpen));
            }
        }
    }
}

#[test]
fn coins_that_a_verdict_releases_must_be_there_when_it_is_executed() {
    let order = appealed(&reach(MANUAL_SELL, "AWAITING_CONFIRMATION").unwrap()).unwrap();
    let decided = frozen(&decided(&order, Party::Buyer).unwrap(), Leg::Base, start()).unwrap();
    let reopened = event(&decided, &Event::VerdictDue, decided.due_at().unwrap());
    assert_eq!(table::situation(&reopened.order), "AWAITING_CONFIRMATION, frozen, under appeal");
    assert!(intent(&reopened).is_none());
    assert_eq!(executed(&reopened.order, Party::Seller).order.state.into_str(), "CANCELLED");
}

#[test]
fn a_verdict_moves_exactly_the_coins_that_the_officer_decided_about() {
    let order = appealed(&reach(MANUAL_SELL, "AWAITING_CONFIRMATION").unwrap()).unwrap();
    let decided = decided(&order, Party::Buyer).unwrap();
    let part = Event::DepositRevoked { leg: Leg::Base, drawn: amount(999) };
    let shrunk = event(&decided, &part, start()).order;
    let reopened = event(&shrunk, &Event::VerdictDue, shrunk.due_at().unwrap());
    assert_eq!(table::situation(&reopened.order), "AWAITING_CONFIRMATION, frozen in part, under appeal");
    assert!(intent(&reopened).is_none(), "one unit is left, which is not what the buyer won");
    // An officer who knows what is left may still decide so, and the coins that return are released as well.
    let knowing = super::decided(&reopened.order, Party::Buyer).unwrap();
    let done = event(&knowing, &Event::VerdictDue, knowing.due_at().unwrap());
    assert_eq!(intent(&done).unwrap().legs[0].amount, amount(1));
    let returned = event(&knowing, &Event::DepositReturned { leg: Leg::Base, available: amount(999) }, start()).order;
    let again = event(&returned, &Event::VerdictDue, returned.due_at().unwrap());
    assert!(intent(&again).is_none(), "more would move than the officer decided");
    assert!(again.order.open_appeal().is_some());
}

#[test]
fn a_deposit_after_a_verdict_does_not_change_its_outcome() {
    let order = appealed(&reach(MANUAL_BUY, "AWAITING_DEPOSIT").unwrap()).unwrap();
    let decided = decided(&order, Party::Buyer).unwrap();
    let deposited = event(&decided, &Event::DepositFunded, start()).order;
    let done = event(&deposited, &Event::VerdictDue, deposited.due_at().unwrap());
    assert_eq!(
        done.order.state.into_str(),
        "REFUNDING",
        "the buyer has not paid, so the deposit goes back to the seller"
    );
    assert_eq!(intent(&done).unwrap().legs[0].recipient, order.terms.seller_bound);
}
