//! Versions, quantities, escrow and its return.

use super::*;
use crate::effect::{Effect, Notice, PayoutIntent, PayoutLeg, Purpose, Subject};
use crate::funding::{FundingRequest, FundingTarget};
use crate::ledger::{self, Posting, VaultAsset};
use crate::refusal::Shown;

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

fn vault_asset(asset: crate::assets::AssetId) -> VaultAsset {
    VaultAsset { vault: user(ADVERTISER), asset }
}

fn end_reason(advert: &Advert) -> Option<EndReason> {
    match advert.state {
        State::Cancelled { reason, .. } | State::Deleted { reason, .. } => Some(reason),
        _ => None,
    }
}

#[test]
fn an_advert_awaits_its_escrow_unless_it_is_a_manual_buy_advert() {
    for (kind, escrow) in [
        (MANUAL_SELL, Some((BASE, 1_000))),
        (AUTOMATIC_SELL, Some((BASE, 1_000))),
        (AUTOMATIC_BUY, Some((QUOTE, 2_000))),
        (MANUAL_BUY, None),
    ] {
        let advert = posted(kind);
        let opened = post(advert.id, terms(kind), true).unwrap();
        let notice = |notice| Effect::Notify { user: user(ADVERTISER), subject: Subject::Advert(advert.id), notice };
        let expected = match escrow {
            Some((asset, need)) => Effect::OpenFundingRequest(FundingRequest {
                target: FundingTarget::Advert(advert.id),
                vault_asset: vault_asset(asset),
                required: amount(need),
                funded: Amount::ZERO,
                opened_at: start(),
            }),
            None => notice(Notice::AdvertConfirmed),
        };
        assert_eq!(opened.effects, [expected]);
        assert_eq!(advert.confirmed_at.is_some(), escrow.is_none());
        assert_eq!(advert.due_at(), escrow.map(|_| start() + windows().advert_deposit));
    }
    assert_eq!(post(posted(MANUAL_BUY).id, terms(MANUAL_BUY), false).unwrap().advert.state, State::Offline);
    let free = Terms { total: Amount::ZERO, ..terms(MANUAL_SELL) };
    assert!(matches!(post(posted(MANUAL_SELL).id, free, true), Err(Refusal::Invalid { field: "quantity", .. })));
}

#[test]
fn an_advert_does_not_exist_for_strangers_and_a_stale_version_is_refused() {
    let advert = posted(MANUAL_SELL);
    let stranger = AdvertCaller { user: user(99), ..by(&advert) };
    assert_eq!(decide(&advert, &stranger, &AdvertCommand::Cancel, &inputs(start())), Err(Refusal::AdvertMissing));
    let stale = AdvertCaller { seen: 7, ..by(&advert) };
    assert_eq!(decide(&advert, &stale, &AdvertCommand::Cancel, &inputs(start())), Err(Refusal::Stale));
    let cancelled = act(&advert, AdvertCommand::Cancel).advert;
    let again = decide(&cancelled, &by(&advert), &AdvertCommand::Cancel, &inputs(start()));
    assert_eq!(again, Ok(Applied::AlreadyDone), "the same command sent twice");
    let again = decide(
        &act(&cancelled, AdvertCommand::Delete).advert,
        &by(&cancelled),
        &AdvertCommand::Delete,
        &inputs(start()),
    );
    assert_eq!(again, Ok(Applied::AlreadyDone));
}

#[test]
fn a_funded_deposit_becomes_the_escrow_once() {
    let done = event(&posted(AUTOMATIC_BUY), Event::DepositFunded);
    let advert = &done.advert;
    assert_eq!((advert.escrow, advert.confirmed_at), (amount(2_000), Some(start())));
    assert_eq!(postings(&done), [ledger::fund_advert(advert.id, 1, vault_asset(QUOTE), amount(2_000))]);
    assert!(done.effects.contains(&Effect::FulfillFundingRequest(FundingTarget::Advert(advert.id))));
    assert_eq!(react(advert, &Event::DepositFunded, &inputs(start())), Ok(Applied::AlreadyDone));
}

#[test]
fn orders_take_and_return_quantity_and_escrow() {
    for kind in Kind::ALL {
        let before = online(kind);
        let one = ordered(&before, 300);
        let two = ordered(&one, 700);
        assert_eq!((two.remaining, two.escrow, two.running), (amount(0), amount(0), 2));
        assert_eq!(two.ordered(), amount(1_000));
        let left = Shown { amount: amount(0), decimals: 18 };
        let short = react(&two, &order_of(&two, 1), &inputs(start()));
        assert_eq!(short, Err(Refusal::QuantityShort { left }));
        let back = event(&two, reverted(&two, 700)).advert;
        assert_eq!((back.remaining, back.escrow, back.running), (one.remaining, one.escrow, 1));
        let too_much = react(&back, &reverted(&back, 301), &inputs(start()));
        assert_eq!(too_much, Err(Refusal::Stale), "more than the orders took");
        assert_eq!(react(&before, &completed(), &inputs(start())), Err(Refusal::Stale), "there is no open order");
    }
}

#[test]
fn an_advert_that_is_not_online_takes_no_orders() {
    for state in ["CREATING", "OFFLINE", "REVOKING", "CANCELLED", "DELETED"] {
        let advert = reach(MANUAL_SELL, state).unwrap();
        let refused = react(&advert, &order_of(&advert, 100), &inputs(start()));
        let offline = state == "OFFLINE";
        let why = if offline { Refusal::AdvertiserOffline } else { Refusal::AdvertMissing };
        assert_eq!(refused, Err(why), "{state}");
    }
}

#[test]
fn the_last_order_ends_a_sold_out_advert_and_the_owner_keeps_the_rounding() {
    let advert = online(AUTOMATIC_BUY);
    // At a price of two thirds, for example, the rounded totals of two orders add up to one unit less than the total of
    // the advert.
    let one = event(&advert, Event::OrderPlaced { quantity: amount(500), escrow: amount(999) }).advert;
    let two = event(&one, Event::OrderPlaced { quantity: amount(500), escrow: amount(1_000) }).advert;
    let still = event(&two, completed()).advert;
    assert_eq!(still.state, State::Online);
    let done = event(&still, completed());
    assert_eq!(end_reason(&done.advert), Some(EndReason::SoldOut));
    assert_eq!(postings(&done), [ledger::advert_remainder(advert.id, vault_asset(QUOTE), amount(1))]);
    assert_eq!(intents(&done), []);
}

#[test]
fn revoking_waits_for_open_orders_and_returns_the_remaining_escrow_less_gas() {
    let running = ordered(&online(MANUAL_SELL), 400);
    let revoking = act(&running, AdvertCommand::Cancel);
    assert_eq!((&revoking.advert.state, postings(&revoking)), (&State::Revoking { payout: None }, vec![]));
    for (last, whole) in [(completed(), 600), (reverted(&running, 400), 1_000)] {
        let done = event(&revoking.advert, last);
        let (out, gas) = (amount(whole - 5), amount(5));
        assert_eq!(done.advert.state, State::Revoking { payout: Some(payout(FRESH)) });
        assert_eq!(postings(&done), [ledger::advert_return(running.id, payout(FRESH), vault_asset(BASE), out, gas)]);
        let source = vault_asset(BASE).advert(running.id);
        let leg = PayoutLeg { vault_asset: vault_asset(BASE), recipient: running.terms.bound, amount: out, source };
        let purpose = Purpose::AdvertReturn(running.id);
        assert_eq!(intents(&done), [PayoutIntent { id: payout(FRESH), purpose, legs: vec![leg] }]);
        assert_eq!(done.advert.escrow, Amount::ZERO);
    }
}

#[test]
fn a_remainder_that_does_not_exceed_the_gas_becomes_temporary_balance() {
    for (left, state) in [(6, "REVOKING"), (5, "CANCELLED"), (4, "CANCELLED")] {
        let advert = ordered(&online(MANUAL_SELL), 1_000 - left);
        let done = event(&act(&advert, AdvertCommand::Cancel).advert, completed());
        assert_eq!(done.advert.state.into_str(), state);
        if state == "CANCELLED" {
            assert_eq!(postings(&done), [ledger::advert_remainder(advert.id, vault_asset(BASE), amount(left))]);
            assert_eq!((intents(&done).len(), end_reason(&done.advert)), (0, Some(EndReason::Revoked)));
        }
    }
}

#[test]
fn an_owner_who_may_not_withdraw_keeps_the_escrow_as_temporary_balance() {
    let blocked = AdvertInputs { owner_may_withdraw: false, ..inputs(start()) };
    let kept = |done: &Transition, advert: &Advert, left| {
        assert_eq!(end_reason(&done.advert), Some(EndReason::Revoked));
        assert_eq!(done.advert.state.payout(), None);
        assert_eq!(intents(done), []);
        assert_eq!(postings(done), [ledger::advert_remainder(advert.id, vault_asset(BASE), amount(left))]);
    };
    let advert = online(MANUAL_SELL);
    let by = AdvertCaller { user: advert.terms.owner, seen: advert.version };
    let cancelled = transition(decide(&advert, &by, &AdvertCommand::Cancel, &blocked));
    kept(&cancelled, &advert, 1_000);
    // It counts when the last order ends, not when the owner revokes the advert.
    let running = ordered(&advert, 400);
    let revoking = act(&running, AdvertCommand::Cancel).advert;
    kept(&transition(react(&revoking, &completed(), &blocked)), &running, 600);
    // A return that was voided is not paid again.
    let returning = act(&advert, AdvertCommand::Cancel).advert;
    let payout = returning.state.payout().unwrap();
    let voided = Event::ReturnVoided { payout, amount: amount(995) };
    kept(&transition(react(&returning, &voided, &blocked)), &advert, 995);
    // Neither is a wrong deposit, which is temporary balance already.
    let wrong = Event::WrongDeposit { asset: QUOTE, amount: amount(100), gas: Some(amount(7)) };
    let done = transition(react(&posted(MANUAL_SELL), &wrong, &blocked));
    assert_eq!(
        (end_reason(&done.advert), intents(&done), postings(&done)),
        (Some(EndReason::WrongDeposit), vec![], vec![])
    );
}

#[test]
fn a_removed_return_is_in_flight_again_even_if_the_advert_was_hidden() {
    for state in ["CANCELLED", "DELETED"] {
        let ended = reach(MANUAL_SELL, state).unwrap();
        let wrong = react(&ended, &Event::ReturnRevoked { payout: payout(7) }, &inputs(start()));
        assert_eq!(wrong, Err(Refusal::Stale));
        let again = event(&ended, Event::ReturnRevoked { payout: payout(FRESH) });
        assert_eq!(again.advert.state, State::Revoking { payout: Some(payout(FRESH)) });
        assert_eq!((postings(&again), intents(&again)), (vec![], vec![]), "no second payout");
    }
}

#[test]
fn a_wrong_deposit_ends_the_creation_and_is_returned_less_gas() {
    let advert = posted(MANUAL_SELL);
    let wrong = |units| Event::WrongDeposit { asset: QUOTE, amount: amount(units), gas: Some(amount(7)) };
    let done = event(&advert, wrong(100));
    assert_eq!(end_reason(&done.advert), Some(EndReason::WrongDeposit));
    assert!(done.effects.contains(&Effect::CloseFundingRequest(FundingTarget::Advert(advert.id))));
    assert_eq!(postings(&done), [ledger::withdrawal(payout(FRESH), vault_asset(QUOTE), amount(93), amount(7))]);
    let (vault_asset, purpose) = (vault_asset(QUOTE), Purpose::WrongDeposit(advert.id));
    let leg =
        PayoutLeg { vault_asset, recipient: advert.terms.bound, amount: amount(93), source: vault_asset.temporary() };
    assert_eq!(intents(&done), [PayoutIntent { id: payout(FRESH), purpose, legs: vec![leg] }]);
    assert_eq!(done.advert.state.payout(), None, "the advert itself returns nothing");
    let small = event(&advert, wrong(7));
    assert_eq!((postings(&small), intents(&small)), (vec![], vec![]));
}

#[test]
fn a_frozen_advert_takes_no_orders_until_its_escrow_is_back() {
    let advert = ordered(&online(MANUAL_SELL), 400);
    let too_much = react(&advert, &Event::DepositRevoked { drawn: amount(601) }, &inputs(start()));
    assert_eq!(too_much, Err(Refusal::Stale));
    let lost = event(&advert, Event::DepositRevoked { drawn: amount(250) }).advert;
    let lost = event(&lost, Event::DepositRevoked { drawn: amount(50) }).advert;
    assert_eq!((lost.escrow, lost.frozen.unwrap().missing), (amount(300), amount(300)));
    assert_eq!(react(&lost, &order_of(&lost, 10), &inputs(start())), Err(Refusal::AdvertState));
    let shortfall = Shown { amount: amount(1), decimals: 18 };
    let short = react(&lost, &Event::DepositReturned { available: amount(299) }, &inputs(start()));
    assert_eq!(short, Err(Refusal::DepositShort { shortfall }));
    let back = event(&lost, Event::DepositReturned { available: amount(900) });
    assert_eq!((back.advert.escrow, back.advert.frozen), (amount(600), None));
    assert_eq!(postings(&back), [ledger::fund_advert(advert.id, 2, vault_asset(BASE), amount(300))]);
    let exact = event(&lost, Event::DepositReturned { available: amount(300) }).advert;
    assert_eq!((exact.escrow, exact.frozen), (amount(600), None));
    let again = react(&back.advert, &Event::DepositReturned { available: amount(1) }, &inputs(start()));
    assert_eq!(again, Ok(Applied::AlreadyDone));
    // An advert revoked while frozen returns only the escrow that is left.
    let ended = event(&act(&lost, AdvertCommand::Cancel).advert, completed());
    assert_eq!(intents(&ended)[0].legs[0].amount, amount(295));
    assert_eq!(ended.advert.frozen, None);
    // Escrow that does not exceed the gas is not returned, and the advert is no longer frozen.
    let poor = event(&lost, Event::DepositRevoked { drawn: amount(296) }).advert;
    let ended = event(&act(&poor, AdvertCommand::Cancel).advert, completed());
    assert_eq!((ended.advert.state.into_str(), ended.advert.frozen), ("CANCELLED", None));
    assert_eq!(ended.advert.misfit(), None);
    assert!(Advert { frozen: poor.frozen, ..ended.advert }.misfit().is_some());
}

#[test]
fn an_outage_extends_the_deposit_window_once() {
    let outage = Event::Outage { from: start() - minutes(5), until: start() + minutes(4) };
    let moved = event(&posted(MANUAL_SELL), outage).advert;
    assert_eq!(moved.due_at(), Some(start() + windows().advert_deposit + minutes(4)));
    assert_eq!(react(&moved, &outage, &inputs(start())), Ok(Applied::AlreadyDone));
    assert_eq!(react(&online(MANUAL_SELL), &outage, &inputs(start())), Ok(Applied::AlreadyDone));
}

#[test]
fn adverts_follow_the_owners_switch() {
    let offline = reach(MANUAL_SELL, "OFFLINE").unwrap();
    let away = AdvertInputs { owner_online: false, ..inputs(start()) };
    let refused = decide(&offline, &by(&offline), &AdvertCommand::Switch { online: true }, &away);
    assert_eq!(refused, Err(Refusal::AdvertiserOffline));
    assert_eq!(act(&offline, AdvertCommand::Switch { online: true }).advert.state, State::Online);
    for state in ["CREATING", "REVOKING", "CANCELLED"] {
        let advert = reach(MANUAL_SELL, state).unwrap();
        let switched = react(&advert, &Event::Switched { online: false }, &away);
        assert_eq!(switched, Ok(Applied::AlreadyDone), "{state} ignores the switch");
    }
}

#[test]
fn states_round_trip_and_an_inconsistent_row_is_detected() {
    for kind in Kind::ALL {
        for advert in State::VARIANTS.iter().filter_map(|state| reach(kind, state)) {
            let text = serde_json::to_value(&advert.state).unwrap();
            assert_eq!(text["state"], advert.state.into_str());
            assert_eq!(serde_json::from_value::<State>(text).unwrap(), advert.state);
            assert_eq!(advert.misfit(), None);
            let wrong = Advert { remaining: amount(1_001), ..advert.clone() };
            assert!(wrong.misfit().is_some());
            let wrong = Advert { escrow: amount(2_001), ..advert };
            assert!(wrong.misfit().is_some());
        }
    }
    let ended = Advert { escrow: amount(1), ..reach(MANUAL_SELL, "CANCELLED").unwrap() };
    assert!(ended.misfit().is_some());
    let creating = Advert { running: 1, ..posted(MANUAL_SELL) };
    assert!(creating.misfit().is_some());
    let frozen = Some(Frozen { since: start(), missing: Amount::ZERO });
    assert!(Advert { frozen, ..online(MANUAL_SELL) }.misfit().is_some());
}
