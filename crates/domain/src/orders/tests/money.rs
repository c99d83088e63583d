//! Postings and payouts of orders, and how users see them.

use super::*;
use crate::effect::{Effect, OrderChange, PayoutIntent, PayoutLeg, PrepaymentChange, Purpose};
use crate::ledger::{self, Posting, ReleaseLeg};

fn postings(transition: &Transition) -> Vec<Posting> {
    let posting = |effect: &Effect| match effect {
        Effect::Post(posting) => Some(posting.clone()),
        _ => None,
    };
    transition.effects.iter().filter_map(posting).collect()
}

fn intents(transition: &Transition) -> Vec<PayoutIntent> {
    let intent = |effect: &Effect| match effect {
        Effect::Payout(intent) => Some(intent.clone()),
        _ => None,
    };
    transition.effects.iter().filter_map(intent).collect()
}

fn change(transition: &Transition) -> Option<OrderChange> {
    transition.effects.iter().find_map(|effect| match effect {
        Effect::Advert { change, .. } => Some(*change),
        _ => None,
    })
}

#[test]
fn placing_an_order_takes_its_quantity_from_the_adverts_escrow() {
    for kind in Kind::ALL {
        let order = placed(kind);
        let opened = open(order.id, order.terms.clone()).unwrap();
        let (leg, taken) = match kind {
            MANUAL_BUY => (None, (amount(1_000), amount(0))),
            AUTOMATIC_BUY => (Some(Leg::Quote), (amount(1_000), amount(2_000))),
            _ => (Some(Leg::Base), (amount(1_000), amount(1_000))),
        };
        assert_eq!(order.terms.taken(), taken);
        let expected = leg.map(|leg| {
            ledger::order_opened(order.terms.advert, order.id, order.terms.vault_asset(leg), order.terms.amount(leg))
        });
        assert_eq!(postings(&opened), Vec::from_iter(expected));
        let funding_requests =
            opened.effects.iter().filter(|effect| matches!(effect, Effect::OpenFundingRequest(_))).count();
        assert_eq!(
            funding_requests,
            usize::from(kind.automatic),
            "an automatic order awaits the taker's coins immediately"
        );
    }
}

#[test]
fn a_release_pays_the_buyer_less_the_fee_and_an_automatic_one_both_sides() {
    for kind in Kind::ALL {
        let order = placed(kind);
        let done = match kind {
            AUTOMATIC_SELL => event(&reach(kind, "AWAITING_PAYMENT").unwrap(), &Event::PaymentFunded, start()),
            AUTOMATIC_BUY => event(&reach(kind, "AWAITING_DEPOSIT").unwrap(), &Event::DepositFunded, start()),
            _ => act(&reach(kind, "AWAITING_CONFIRMATION").unwrap(), Party::Seller, &OrderCommand::Confirm, start()),
        };
        let (base, quote) = (order.terms.vault_asset(Leg::Base), order.terms.vault_asset(Leg::Quote));
        let mut legs = vec![ReleaseLeg { vault_asset: base, out: amount(990), fee: amount(10) }];
        let mut paid = vec![PayoutLeg {
            vault_asset: base,
            recipient: Address([1; 20]),
            amount: amount(990),
            source: base.order(order.id),
        }];
        if kind.automatic {
            legs.push(ReleaseLeg { vault_asset: quote, out: amount(2_000), fee: Amount::ZERO });
            let source = quote.order(order.id);
            paid.push(PayoutLeg { vault_asset: quote, recipient: Address([7; 20]), amount: amount(2_000), source });
        }
        assert_eq!(postings(&done).last(), Some(&ledger::release(order.id, payout(FRESH), &legs)));
        let purpose = Purpose::Release(order.id);
        assert_eq!(intents(&done), [PayoutIntent { id: payout(FRESH), purpose, legs: paid }]);
        assert_eq!(change(&done), None, "the advert changes only after the confirmation");
    }
}

#[test]
fn a_cancelled_order_gives_its_quantity_back_without_a_chain_transaction() {
    for (kind, leg) in [(MANUAL_SELL, Leg::Base), (AUTOMATIC_SELL, Leg::Base), (AUTOMATIC_BUY, Leg::Quote)] {
        let order = placed(kind);
        let done = act(&order, order.terms.advertiser_party().other(), &OrderCommand::Cancel, start());
        let (vault_asset, whole) = (order.terms.vault_asset(leg), order.terms.amount(leg));
        assert_eq!(postings(&done), [ledger::order_undone(order.terms.advert, order.id, vault_asset, whole)]);
        assert_eq!(intents(&done), []);
        assert_eq!(
            change(&done),
            Some(OrderChange {
                quantity: amount(1_000),
                escrow: whole,
                ended: true,
                prepayment: PrepaymentChange::Unchanged
            })
        );
        assert_eq!(done.order.progress.ended_at, Some(start()));
    }
}

#[test]
fn a_refund_costs_the_seller_gas_only_if_the_seller_caused_it() {
    let waiting = reach(MANUAL_BUY, "AWAITING_PAYMENT").unwrap();
    let asked = act(&waiting, Party::Seller, &OrderCommand::AskCancel, start()).order;
    let by_seller = act(&asked, Party::Buyer, &OrderCommand::AgreeCancel, start());
    let by_buyer = act(&waiting, Party::Buyer, &OrderCommand::Cancel, start());
    let overdue = waiting.state.deadline().unwrap().at;
    let told = event(&waiting, &Event::DeadlinePassed, overdue).order;
    let by_late_buyer = act(&told, Party::Seller, &OrderCommand::Cancel, overdue + windows().grace);
    for (done, gas) in [(by_seller, 5), (by_buyer, 0), (by_late_buyer, 0)] {
        let (vault_asset, out) = (waiting.terms.vault_asset(Leg::Base), amount(1_000 - gas));
        assert_eq!(postings(&done), [ledger::refund(waiting.id, payout(FRESH), vault_asset, out, amount(gas))]);
        let leg =
            PayoutLeg { vault_asset, recipient: Address([2; 20]), amount: out, source: vault_asset.order(waiting.id) };
        let purpose = Purpose::Refund(waiting.id);
        assert_eq!(intents(&done), [PayoutIntent { id: payout(FRESH), purpose, legs: vec![leg] }]);
        let back = OrderChange {
            quantity: amount(1_000),
            escrow: Amount::ZERO,
            ended: false,
            prepayment: PrepaymentChange::Unchanged,
        };
        assert_eq!(change(&done), Some(back), "the quantity returns immediately; the order ends with the confirmation");
        let confirmed = event(&done.order, &Event::PayoutConfirmed { payout: payout(FRESH) }, overdue);
        let ended = OrderChange {
            quantity: Amount::ZERO,
            escrow: Amount::ZERO,
            ended: true,
            prepayment: PrepaymentChange::Unchanged,
        };
        assert_eq!(change(&confirmed), Some(ended));
        let revoked = event(&confirmed.order, &Event::PayoutRevoked { payout: payout(FRESH) }, overdue);
        assert_eq!((revoked.order.state.into_str(), change(&revoked)), ("REFUNDING", None));
        let again = event(&revoked.order, &Event::PayoutConfirmed { payout: payout(FRESH) }, overdue);
        assert_eq!(change(&again), None, "an order ends only once for its advert");
    }
}

#[test]
fn a_refund_that_does_not_exceed_its_gas_becomes_temporary_balance() {
    for (gas, state) in [(999, "REFUNDING"), (1_000, "CANCELLED"), (1_001, "CANCELLED")] {
        let mut order = reach(MANUAL_BUY, "AWAITING_PAYMENT").unwrap();
        order.terms.base.return_gas = amount(gas);
        let asked = act(&order, Party::Seller, &OrderCommand::AskCancel, start()).order;
        let done = act(&asked, Party::Buyer, &OrderCommand::AgreeCancel, start());
        assert_eq!(done.order.state.into_str(), state);
        assert_eq!(intents(&done).len(), usize::from(state == "REFUNDING"));
        if state == "CANCELLED" {
            let vault_asset = order.terms.vault_asset(Leg::Base);
            assert_eq!(postings(&done), [ledger::order_remainder(order.id, vault_asset, amount(1_000))]);
        }
    }
}

#[test]
fn a_removed_release_is_resent_as_the_same_payout() {
    let order = reach(MANUAL_SELL, "COMPLETED").unwrap();
    let same = payout(FRESH);
    let revoked = event(&order, &Event::PayoutRevoked { payout: same }, start());
    assert_eq!(revoked.order.progress.settled_at, None);
    assert!(!steps(&revoked.order)[4].done);
    let other = OrderInputs { payout: payout(901), ..inputs(start()) };
    let hurried = transition(decide(&revoked.order, &by(&revoked.order, Party::Buyer), &OrderCommand::Recover, &other));
    assert_eq!(hurried.order.state, State::Releasing { payout: same });
    assert_eq!((postings(&hurried), intents(&hurried)), (vec![], vec![]));
    let wrong = react(&hurried.order, &Event::PayoutConfirmed { payout: payout(901) }, &other);
    assert_eq!(wrong, Err(Refusal::Stale));
    let done = event(&hurried.order, &Event::PayoutConfirmed { payout: same }, start());
    assert_eq!((done.order.state.into_str(), change(&done)), ("COMPLETED", None));
}

#[test]
fn steps_are_done_in_order_and_unnecessary_ones_from_the_start() {
    let done = |kind, state| reach(kind, state).map(|order| steps(&order).map(|step| u8::from(step.done)));
    assert_eq!(done(MANUAL_SELL, "AWAITING_ACCEPTANCE"), Some([1, 0, 0, 0, 0]));
    assert_eq!(done(MANUAL_SELL, "AWAITING_PAYMENT"), Some([1, 1, 0, 0, 0]));
    assert_eq!(done(MANUAL_SELL, "AWAITING_CONFIRMATION"), Some([1, 1, 1, 0, 0]));
    assert_eq!(done(MANUAL_SELL, "RELEASING"), Some([1, 1, 1, 1, 0]));
    assert_eq!(done(MANUAL_BUY, "AWAITING_ACCEPTANCE"), Some([0, 0, 0, 0, 0]));
    assert_eq!(done(MANUAL_BUY, "AWAITING_DEPOSIT"), Some([1, 0, 0, 0, 0]));
    assert_eq!(done(AUTOMATIC_SELL, "AWAITING_PAYMENT"), Some([1, 1, 0, 0, 0]));
    assert_eq!(done(AUTOMATIC_BUY, "AWAITING_DEPOSIT"), Some([1, 1, 0, 0, 0]));
    for kind in Kind::ALL {
        assert_eq!(done(kind, "COMPLETED"), Some([1, 1, 1, 1, 1]), "{}", kind.name());
    }
    let unnecessary = steps(&placed(MANUAL_SELL))[0];
    assert_eq!((unnecessary.step, unnecessary.at), (StepName::SellerDeposited, None));
    let names = |kind| steps(&placed(kind)).map(|step| step.step.into_str());
    let [accepted, deposited, paid] = ["BUYER_ACCEPTED", "SELLER_DEPOSITED", "BUYER_PAID"];
    let (received, confirmed) = ("SELLER_RECEIVED", "CHAIN_CONFIRMED");
    assert_eq!(names(MANUAL_BUY), [accepted, deposited, paid, received, confirmed]);
    assert_eq!(names(MANUAL_SELL), [deposited, accepted, paid, received, confirmed]);
    assert_eq!(names(AUTOMATIC_BUY), [paid, accepted, deposited, received, confirmed]);
}

#[test]
fn the_locations_of_the_coins_and_the_party_to_act_are_shown_in_every_state() {
    use FundsLocation::{Buyer, Escrow, InFlight, Returned, Seller};
    let rows = [
        (MANUAL_SELL, "AWAITING_ACCEPTANCE", Escrow, None, Some(Party::Seller)),
        (MANUAL_BUY, "AWAITING_ACCEPTANCE", Seller, None, Some(Party::Buyer)),
        (MANUAL_BUY, "AWAITING_DEPOSIT", Seller, None, Some(Party::Seller)),
        (MANUAL_BUY, "AWAITING_PAYMENT", Escrow, None, Some(Party::Buyer)),
        (MANUAL_BUY, "AWAITING_CONFIRMATION", Escrow, None, Some(Party::Seller)),
        (MANUAL_BUY, "RELEASING", InFlight, None, None),
        (MANUAL_BUY, "REFUNDING", InFlight, None, None),
        (MANUAL_BUY, "CANCELLED", Returned, None, None),
        (MANUAL_BUY, "REJECTED", Seller, None, None),
        (MANUAL_SELL, "REJECTED", Returned, None, None),
        (AUTOMATIC_SELL, "AWAITING_PAYMENT", Escrow, Some(Buyer), Some(Party::Buyer)),
        (AUTOMATIC_SELL, "RELEASING", InFlight, Some(InFlight), None),
        (AUTOMATIC_SELL, "REFUNDING", Returned, Some(InFlight), None),
        (AUTOMATIC_SELL, "COMPLETED", Buyer, Some(Seller), None),
        (AUTOMATIC_BUY, "AWAITING_DEPOSIT", Seller, Some(Escrow), Some(Party::Seller)),
        (AUTOMATIC_BUY, "REFUNDING", InFlight, Some(Returned), None),
        (AUTOMATIC_BUY, "CANCELLED", Seller, Some(Returned), None),
        (AUTOMATIC_BUY, "COMPLETED", Buyer, Some(Seller), None),
    ];
    for (kind, state, base, quote, turn) in rows {
        let order = reach(kind, state).unwrap();
        let places = (base_location(&order), quote_location(&order));
        assert_eq!((places, waits_for(&order)), ((base, quote), turn), "{} {state}", kind.name());
    }
}
