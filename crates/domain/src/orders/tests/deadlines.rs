//! Deadlines, outages, freezing and unfreezing.

use super::*;
use crate::effect::{Effect, Notice};
use crate::refusal::Shown;

fn minutes(minutes: i64) -> Duration {
    Duration::minutes(minutes)
}

fn deadline(order: &Order) -> Timestamp {
    order.state.deadline().unwrap().at
}

#[test]
fn the_clock_reports_the_deadline_once_and_then_the_end_of_the_grace_period() {
    let order = reach(AUTOMATIC_SELL, "AWAITING_PAYMENT").unwrap();
    let at = deadline(&order);
    assert_eq!(order.due_at(), Some(at));
    assert_eq!(order.due(at - instant()), None);
    assert_eq!(order.due(at), Some(Event::DeadlinePassed));
    // A notification that is three minutes late does not shorten the grace period.
    let told = event(&order, &Event::DeadlinePassed, at + minutes(3)).order;
    assert_eq!(told.due_at(), Some(at + minutes(13)));
    assert_eq!(told.due(at + minutes(13) - instant()), None);
    assert_eq!(told.due(at + minutes(13)), Some(Event::GracePassed));
    let early = react(&told, &Event::GracePassed, &inputs(at + minutes(13) - instant()));
    assert_eq!(early, Err(Refusal::Stale));
    let over = event(&told, &Event::GracePassed, at + minutes(13)).order;
    assert_eq!((over.state.into_str(), over.due_at()), ("CANCELLED", None));
}

#[test]
fn the_system_never_cancels_an_overdue_confirmation() {
    let order = reach(MANUAL_SELL, "AWAITING_CONFIRMATION").unwrap();
    let told = event(&order, &Event::DeadlinePassed, deadline(&order)).order;
    let year = start() + Duration::days(365);
    assert_eq!(told.due(year), Some(Event::AppealDue));
    assert_eq!(react(&told, &Event::GracePassed, &inputs(year)), Err(Refusal::Stale));
    assert_eq!(act(&told, Party::Seller, &OrderCommand::Confirm, year).order.state.into_str(), "RELEASING");
}

#[test]
fn unconfirmed_transfers_delay_a_cancellation_until_they_are_final_or_removed() {
    let order = reach(AUTOMATIC_SELL, "AWAITING_PAYMENT").unwrap();
    let at = deadline(&order);
    let covered = |now| OrderInputs { covered: true, ..inputs(now) };
    assert_eq!(react(&order, &Event::DeadlinePassed, &covered(at)), Ok(Applied::AlreadyDone));
    let told = event(&order, &Event::DeadlinePassed, at).order;
    let over = at + minutes(10);
    let held = Err(Refusal::Forbidden(Action::Cancel));
    assert_eq!(react(&told, &Event::GracePassed, &covered(over)), held);
    assert_eq!(event(&told, &Event::GracePassed, over).order.state.into_str(), "CANCELLED");
}

#[test]
fn an_ambiguous_payment_gives_the_buyer_one_more_grace_period_and_no_third() {
    for kind in [MANUAL_SELL, MANUAL_BUY] {
        let order = reach(kind, "AWAITING_PAYMENT").unwrap();
        let at = deadline(&order);
        let ambiguous = |now| OrderInputs { payment: PaymentEvidence::Ambiguous, ..inputs(now) };
        let told = event(&order, &Event::DeadlinePassed, at).order;
        let over = at + minutes(10);
        // However late the clock is, nobody cancels before the buyer was notified again.
        for now in [over, over + minutes(10), over + Duration::days(1)] {
            let refused = decide(&told, &by(&told, Party::Seller), &OrderCommand::Cancel, &ambiguous(now));
            assert_eq!(refused, Err(Refusal::Forbidden(Action::Cancel)));
        }
        assert_eq!(told.lapses_at(&ambiguous(over)), None);
        let Ok(Applied::Done(done)) = react(&told, &Event::GracePassed, &ambiguous(over + minutes(2))) else {
            panic!("a second grace period")
        };
        let notices = done
            .effects
            .iter()
            .filter(|effect| matches!(effect, Effect::Notify { notice: Notice::PaymentAmbiguous, .. }));
        assert_eq!(notices.count(), 2, "both parties are notified");
        let extended = done.order;
        assert_eq!((extended.state.into_str(), extended.misfit()), ("AWAITING_PAYMENT", None));
        let end = over + minutes(12);
        assert_eq!((extended.due_at(), extended.lapses_at(&ambiguous(over))), (Some(end), Some(end)));
        // The reports of the transfer do not matter any more: no third grace period.
        for inputs in [ambiguous, inputs] {
            let seller = |now| decide(&extended, &by(&extended, Party::Seller), &OrderCommand::Cancel, &inputs(now));
            assert_eq!(seller(end - instant()), Err(Refusal::Forbidden(Action::Cancel)));
            assert!(matches!(seller(end), Ok(Applied::Done(_))));
            let early = react(&extended, &Event::GracePassed, &inputs(end - instant()));
            assert_eq!(early, Ok(Applied::AlreadyDone));
            let Ok(Applied::Done(over)) = react(&extended, &Event::GracePassed, &inputs(end)) else {
                panic!("cancelled")
            };
            assert_eq!(over.order.state.cancelled().unwrap().reason, CancelReason::PaymentOverdue);
        }
        // A buyer may mark the order as paid, or cancel it, at any time.
        assert_eq!(act(&extended, Party::Buyer, &mark_paid(), end).order.state.into_str(), "AWAITING_CONFIRMATION");
        assert!(act(&told, Party::Buyer, &OrderCommand::Cancel, over).order.state.cancelled().is_some());
        // An outage extends the second period like the first.
        let outage = Event::Outage { from: over + minutes(3), until: over + minutes(8) };
        let moved = event(&extended, &outage, over + minutes(8)).order;
        assert_eq!(moved.lapses_at(&ambiguous(over)), Some(end + minutes(5)));
    }
}

#[test]
fn an_order_is_cancelled_exactly_at_lapses_at() {
    for (kind, order, _, when, seen, inputs) in super::table::cases() {
        let told = format!("{} {} {when:?} {seen:?}", kind.name(), order.state.into_str());
        let cancels = |at| {
            let result = react(&order, &Event::GracePassed, &OrderInputs { now: at, ..inputs });
            matches!(result, Ok(Applied::Done(done)) if done.order.state.cancelled().is_some())
        };
        match order.lapses_at(&inputs) {
            Some(at) => assert!(cancels(at) && !cancels(at - instant()), "{told}"),
            None => assert!(!cancels(inputs.now + Duration::days(1_000)), "{told}"),
        }
    }
}

#[test]
fn unconfirmed_transfers_meet_the_deadline() {
    let order = reach(AUTOMATIC_SELL, "AWAITING_PAYMENT").unwrap();
    let at = deadline(&order);
    assert!(!order.overdue(&inputs(at - instant())));
    assert!(order.overdue(&inputs(at)));
    assert!(!order.overdue(&OrderInputs { covered: true, ..inputs(at) }));
    // A transfer that may be the manual payment does not meet the deadline.
    let manual = reach(MANUAL_SELL, "AWAITING_PAYMENT").unwrap();
    assert!(manual.overdue(&OrderInputs { payment: PaymentEvidence::Seen, ..inputs(deadline(&manual)) }));
}

#[test]
fn a_seller_cannot_cancel_before_the_late_buyer_was_notified() {
    let order = reach(MANUAL_SELL, "AWAITING_PAYMENT").unwrap();
    let much_later = deadline(&order) + Duration::days(1);
    let refused = decide(&order, &by(&order, Party::Seller), &OrderCommand::Cancel, &inputs(much_later));
    assert_eq!(refused, Err(Refusal::Forbidden(Action::Cancel)));
    assert_eq!(act(&order, Party::Buyer, &mark_paid(), much_later).order.state.into_str(), "AWAITING_CONFIRMATION");
}

#[test]
fn an_outage_extends_the_deadline_once() {
    let order = reach(MANUAL_BUY, "AWAITING_DEPOSIT").unwrap();
    let outage = Event::Outage { from: start() - minutes(5), until: start() + minutes(4) };
    let moved = event(&order, &outage, start() + minutes(4)).order;
    assert_eq!(deadline(&moved), deadline(&order) + minutes(4), "only the time in which the deadline was running");
    assert_eq!(react(&moved, &outage, &inputs(start() + minutes(5))), Ok(Applied::AlreadyDone));
    let done = reach(MANUAL_BUY, "RELEASING").unwrap();
    assert_eq!(react(&done, &outage, &inputs(start())), Ok(Applied::AlreadyDone));
}

#[test]
fn an_unfrozen_order_continues_with_the_remaining_time() {
    let order = reach(MANUAL_SELL, "AWAITING_PAYMENT").unwrap();
    let lost = event(&order, &Event::DepositRevoked { leg: Leg::Base, drawn: amount(400) }, start() + minutes(5)).order;
    assert_eq!(lost.held(Leg::Base), amount(600));
    assert_eq!((lost.due_at(), waits_for(&lost)), (Some(start() + minutes(5) + OVERDUE_FOR), None));
    let late = inputs(deadline(&order) + minutes(60));
    assert_eq!(react(&lost, &Event::DeadlinePassed, &late), Err(Refusal::Frozen));
    assert_eq!(decide(&lost, &by(&lost, Party::Buyer), &OrderCommand::Cancel, &late), Err(Refusal::Frozen));

    let more = event(&lost, &Event::DepositRevoked { leg: Leg::Base, drawn: amount(100) }, start() + minutes(6)).order;
    assert_eq!(more.frozen.as_ref().unwrap().missing(Leg::Base), amount(500));
    let too_much = Event::DepositRevoked { leg: Leg::Base, drawn: amount(501) };
    assert_eq!(react(&more, &too_much, &late), Err(Refusal::Stale), "more than the escrow holds");

    let back = |available| Event::DepositReturned { leg: Leg::Base, available: amount(available) };
    let shortfall = Shown { amount: amount(1), decimals: 18 };
    assert_eq!(react(&more, &back(499), &late), Err(Refusal::DepositShort { shortfall }));
    let unfrozen = event(&more, &back(500), start() + minutes(35));
    assert_eq!(unfrozen.order.frozen, None);
    assert_eq!(deadline(&unfrozen.order), deadline(&order) + minutes(30), "5 minutes were used, 15 are left");
    assert_eq!(unfrozen.order.held(Leg::Base), amount(1_000));
    let posted = unfrozen.effects.iter().filter(|effect| matches!(effect, Effect::Post(_))).count();
    assert_eq!(posted, 1);
    assert_eq!(react(&unfrozen.order, &back(500), &late), Ok(Applied::AlreadyDone));
}

#[test]
fn an_outage_during_a_freeze_is_not_added_twice() {
    let order = reach(MANUAL_SELL, "AWAITING_PAYMENT").unwrap();
    let lost = frozen(&order, Leg::Base, start() + minutes(10)).unwrap();
    let outage = Event::Outage { from: start() + minutes(8), until: start() + minutes(20) };
    let moved = event(&lost, &outage, start() + minutes(20)).order;
    assert_eq!(deadline(&moved), deadline(&order) + minutes(2), "only the time before the freeze");
    let back = Event::DepositReturned { leg: Leg::Base, available: amount(1_000) };
    let unfrozen = event(&moved, &back, start() + minutes(30)).order;
    assert_eq!(deadline(&unfrozen), deadline(&order) + minutes(22), "8 to 10 and 10 to 30");
}

#[test]
fn marking_paid_while_frozen_starts_a_suspended_deadline() {
    let order = reach(MANUAL_SELL, "AWAITING_PAYMENT").unwrap();
    let lost = frozen(&order, Leg::Base, start() + minutes(1)).unwrap();
    let paid = act(&lost, Party::Buyer, &mark_paid(), start() + minutes(11)).order;
    assert!(paid.frozen.is_some());
    assert_eq!(
        decide(&paid, &by(&paid, Party::Seller), &OrderCommand::Confirm, &inputs(start())),
        Err(Refusal::Frozen)
    );
    let back = Event::DepositReturned { leg: Leg::Base, available: amount(1_000) };
    let unfrozen = event(&paid, &back, start() + minutes(41)).order;
    assert_eq!(unfrozen.state.into_str(), "AWAITING_CONFIRMATION");
    assert_eq!(deadline(&unfrozen), start() + minutes(11 + 25 + 30), "the complete window is left");
}

#[test]
fn a_deposit_for_a_frozen_automatic_order_is_held_until_it_is_unfrozen() {
    for (kind, state, missing, arrives) in [
        (AUTOMATIC_SELL, "AWAITING_PAYMENT", Leg::Base, Event::PaymentFunded),
        (AUTOMATIC_BUY, "AWAITING_DEPOSIT", Leg::Quote, Event::DepositFunded),
    ] {
        let order = reach(kind, state).unwrap();
        let lost = frozen(&order, missing, start()).unwrap();
        let held = event(&lost, &arrives, start()).order;
        assert_eq!((held.state.into_str(), held.funded_leg()), (state, None));
        let other = if missing == Leg::Base { Leg::Quote } else { Leg::Base };
        assert_eq!(held.held(other), order.terms.amount(other));
        // A reorganization removes the other leg as well, and both legs come back.
        let both = frozen(&held, other, start() + minutes(1)).unwrap();
        let back = |leg| Event::DepositReturned { leg, available: amount(5_000) };
        let half = event(&both, &back(missing), start() + minutes(2)).order;
        assert!(half.frozen.is_some());
        let done = event(&half, &back(other), start() + minutes(3));
        assert_eq!((done.order.state.into_str(), done.order.frozen.is_none()), ("RELEASING", true));
        assert_eq!(done.order.misfit(), None);
    }
}

#[test]
fn an_inconsistent_row_is_detected() {
    let good = reach(MANUAL_SELL, "AWAITING_CONFIRMATION").unwrap();
    let unpaid = Order { progress: Progress { paid: None, ..good.progress.clone() }, ..good.clone() };
    assert!(unpaid.misfit().is_some());
    let automatic = Order { terms: terms(AUTOMATIC_SELL), ..good.clone() };
    assert!(automatic.misfit().is_some());
    let nothing = Frozen { since: start(), base: Amount::ZERO, quote: Amount::ZERO };
    assert!(Order { frozen: Some(nothing), ..good.clone() }.misfit().is_some());
    let unsettled = reach(MANUAL_SELL, "COMPLETED").unwrap();
    let unsettled = Order { progress: Progress { settled_at: None, ..unsettled.progress.clone() }, ..unsettled };
    assert!(unsettled.misfit().is_some());
    assert_eq!(good.misfit(), None);
}

#[test]
fn states_round_trip() {
    for kind in Kind::ALL {
        for order in State::VARIANTS.iter().filter_map(|state| reach(kind, state)) {
            let text = serde_json::to_value(&order.state).unwrap();
            assert_eq!(text["state"], order.state.into_str());
            assert_eq!(serde_json::from_value::<State>(text).unwrap(), order.state);
            let text = serde_json::to_value(&order.progress).unwrap();
            assert_eq!(serde_json::from_value::<Progress>(text).unwrap(), order.progress);
        }
    }
    let frozen = frozen(&placed(MANUAL_SELL), Leg::Base, start()).unwrap().frozen;
    let text = serde_json::to_value(frozen).unwrap();
    assert_eq!(serde_json::from_value::<Option<Frozen>>(text).unwrap(), frozen);
}

#[test]
fn each_state_uses_its_own_window() {
    let rows = [
        (MANUAL_SELL, "AWAITING_ACCEPTANCE", 5),
        (MANUAL_BUY, "AWAITING_ACCEPTANCE", 5),
        (MANUAL_BUY, "AWAITING_DEPOSIT", 15),
        (AUTOMATIC_BUY, "AWAITING_DEPOSIT", 15),
        (MANUAL_SELL, "AWAITING_PAYMENT", 20),
        (MANUAL_BUY, "AWAITING_PAYMENT", 20),
        (AUTOMATIC_SELL, "AWAITING_PAYMENT", 20),
        (MANUAL_SELL, "AWAITING_CONFIRMATION", 25),
    ];
    for (kind, state, window) in rows {
        let order = reach(kind, state).unwrap();
        assert_eq!(deadline(&order), start() + minutes(window), "{} {state}", kind.name());
    }
}

#[test]
fn the_view_changes_at_the_deadline_and_at_the_end_of_the_grace_period() {
    let order = reach(AUTOMATIC_SELL, "AWAITING_PAYMENT").unwrap();
    let at = deadline(&order);
    assert_eq!((order.changes_at(start()), order.changes_at(at - instant())), (Some(at), Some(at)));
    assert_eq!(order.changes_at(at), None, "the grace period begins with the notification");
    let told = event(&order, &Event::DeadlinePassed, at + minutes(3)).order;
    let over = at + minutes(13);
    assert_eq!((told.changes_at(at), told.changes_at(over - instant())), (Some(over), Some(over)));
    assert_eq!(told.changes_at(over), None);
    assert_eq!(told.changes_at(start()), Some(at), "the earlier of both");
    assert_eq!(reach(AUTOMATIC_SELL, "RELEASING").unwrap().changes_at(start()), None);
}
