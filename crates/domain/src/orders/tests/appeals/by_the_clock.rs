//! What the clock does: it executes verdicts, and appeals about orders that nobody continues.

use super::*;

#[test]
fn a_verdict_is_executed_exactly_at_the_end_of_its_delay_unless_reopened() {
    let order = appealed(&reach(MANUAL_SELL, "AWAITING_CONFIRMATION").unwrap()).unwrap();
    let decided = decided(&order, Party::Seller).unwrap();
    let due = start() + verdict_delay();
    assert_eq!((decided.due_at(), decided.due(due - instant())), (Some(due), None));
    assert_eq!(decided.due(due), Some(Event::VerdictDue));
    assert_eq!(react(&decided, &Event::VerdictDue, &inputs(due - instant())), Err(Refusal::Stale));
    let reopened = decide_appeal(&decided, &AppealDecision::Reopen, &inputs(due - instant())).unwrap().order;
    assert_eq!(
        (reopened.due_at(), reopened.open_appeal().map(|open| &open.status)),
        (None, Some(&AppealStatus::Pending))
    );
    assert_eq!(react(&reopened, &Event::VerdictDue, &inputs(due)), Err(Refusal::Stale));
}

#[test]
fn an_outage_extends_the_delay_of_a_verdict_but_not_the_suspended_deadline() {
    let order = appealed(&reach(MANUAL_SELL, "AWAITING_CONFIRMATION").unwrap()).unwrap();
    let decided = decided(&order, Party::Seller).unwrap();
    let (from, until) = (start() + Duration::hours(1), start() + Duration::hours(3));
    let moved = event(&decided, &Event::Outage { from, until }, until).order;
    assert_eq!(moved.due_at(), Some(start() + verdict_delay() + Duration::hours(2)));
    assert_eq!(moved.state, decided.state);
    assert_eq!(react(&moved, &Event::Outage { from, until }, &inputs(until)), Ok(Applied::AlreadyDone));
}

#[test]
fn the_clock_appeals_after_seven_overdue_days_and_again_after_a_rejection() {
    let order = reach(MANUAL_SELL, "AWAITING_CONFIRMATION").unwrap();
    let deadline = order.state.deadline().unwrap().at;
    let notified = event(&order, &Event::DeadlinePassed, deadline).order;
    let due = deadline + OVERDUE_FOR;
    assert_eq!((notified.due(due - instant()), notified.due(due)), (None, Some(Event::AppealDue)));
    let open = event(&notified, &Event::AppealDue, due).order;
    let appeal = open.open_appeal().unwrap();
    assert_eq!((appeal.initiator, appeal.reason), (None, AppealReason::Overdue));
    let reject = AppealDecision::Reject { note: "Wait.".to_owned(), malicious: true };
    let rejected = decide_appeal(&open, &reject, &inputs(due)).unwrap();
    assert_eq!(charges(&rejected), [], "the platform has no reputation");
    let (order, again) = (rejected.order, due + OVERDUE_FOR);
    assert_eq!((order.due(again - instant()), order.due(again)), (None, Some(Event::AppealDue)));
}

#[test]
fn the_clock_appeals_about_an_order_that_stays_frozen() {
    for kind in Kind::ALL {
        let Some(order) = reach(kind, "AWAITING_PAYMENT") else { continue };
        let frozen = frozen(&order, Leg::Base, start()).unwrap();
        let due = start() + OVERDUE_FOR;
        assert_eq!((frozen.due(due - instant()), frozen.due(due)), (None, Some(Event::AppealDue)));
        let open = event(&frozen, &Event::AppealDue, due).order;
        assert_eq!(open.open_appeal().unwrap().reason, AppealReason::DepositLost);
        let back = act(&open, Party::Buyer, &OrderCommand::WithdrawAppeal, due).order;
        assert_eq!(back.due_at(), Some(due + OVERDUE_FOR), "not at once again");
    }
}

#[test]
fn the_clock_appeals_if_a_payment_was_seen_and_the_buyer_is_gone() {
    let order = reach(MANUAL_SELL, "AWAITING_PAYMENT").unwrap();
    let deadline = order.state.deadline().unwrap().at;
    let notified = event(&order, &Event::DeadlinePassed, deadline).order;
    let seen = |now| OrderInputs { payment: PaymentEvidence::Seen, ..inputs(now) };
    let due = deadline + OVERDUE_FOR;
    let early = react(&notified, &Event::GracePassed, &seen(due - instant()));
    assert_eq!(early, Err(Refusal::Forbidden(Action::Cancel)));
    let open = transition(react(&notified, &notified.due(due).unwrap(), &seen(due))).order;
    assert_eq!(open.open_appeal().unwrap().initiator, None);
}

#[test]
fn the_clock_appeals_if_covering_transfers_never_become_final() {
    for (kind, state) in
        [(AUTOMATIC_SELL, "AWAITING_PAYMENT"), (MANUAL_BUY, "AWAITING_DEPOSIT"), (AUTOMATIC_BUY, "AWAITING_DEPOSIT")]
    {
        let order = reach(kind, state).unwrap();
        let deadline = order.state.deadline().unwrap().at;
        let covered = |now| OrderInputs { covered: true, ..inputs(now) };
        let due = deadline + OVERDUE_FOR;
        // Covered before and after the late party was notified.
        let notified = event(&order, &Event::DeadlinePassed, deadline).order;
        for waiting in [&order, &notified] {
            let early = react(waiting, &waiting.due(due - instant()).unwrap(), &covered(due - instant()));
            assert!(matches!(early, Ok(Applied::AlreadyDone) | Err(Refusal::Forbidden(Action::Cancel))));
            let open = transition(react(waiting, &waiting.due(due).unwrap(), &covered(due))).order;
            assert_eq!(open.open_appeal().unwrap().initiator, None, "{} {state}", kind.name());
            assert_eq!(open.state.into_str(), state);
        }
    }
}
