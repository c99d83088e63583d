//! Withdrawing an appeal, and filing it again.

use super::*;

#[test]
fn a_withdrawn_appeal_leaves_the_time_that_was_left() {
    let order = reach(MANUAL_SELL, "AWAITING_CONFIRMATION").unwrap();
    let deadline = order.state.deadline().unwrap().at;
    let (from, until) = (start() + Duration::minutes(5), start() + Duration::hours(30));
    let open = act(&order, Party::Seller, &appeal(), from).order;
    assert!(!open.overdue(&inputs(until)));
    let back = act(&open, Party::Buyer, &OrderCommand::WithdrawAppeal, until);
    assert_eq!(back.order.state.deadline().unwrap().at, deadline + (until - from));
    assert_eq!(back.order.state.deadline().unwrap().notified_at, None);
    assert_eq!(charges(&back), []);
}

#[test]
fn an_overdue_order_resumes_with_a_full_grace_period() {
    for notified in [false, true] {
        let order = reach(MANUAL_SELL, "AWAITING_PAYMENT").unwrap();
        let deadline = order.state.deadline().unwrap().at;
        let order = if notified { event(&order, &Event::DeadlinePassed, deadline).order } else { order };
        let filed_at = deadline + windows().grace - instant();
        let open = act(&order, Party::Seller, &appeal(), filed_at).order;
        let until = filed_at + Duration::days(3);
        let back = act(&open, Party::Seller, &OrderCommand::WithdrawAppeal, until).order;
        assert!(back.overdue(&inputs(until)));
        assert_eq!(back.grace_until(), Some(until + windows().grace), "notified before: {notified}");
    }
}

#[test]
fn only_its_author_withdraws_a_repeated_appeal() {
    let order = reach(MANUAL_SELL, "AWAITING_CONFIRMATION").unwrap();
    let withdraw =
        |order: &Order, party| decide(order, &by(order, party), &OrderCommand::WithdrawAppeal, &inputs(start()));
    assert_eq!(withdraw(&order, Party::Seller), Err(Refusal::AppealMissing));
    let open = act(&order, Party::Seller, &appeal(), start()).order;
    let resumed = transition(withdraw(&open, Party::Buyer)).order;
    assert_eq!(withdraw(&resumed, Party::Buyer), Ok(Applied::AlreadyDone));
    assert_eq!(withdraw(&resumed, Party::Seller), Err(Refusal::AppealProcessed));
    let again = act(&resumed, Party::Seller, &appeal(), start()).order;
    assert_eq!(again.open_appeal().unwrap().number, 2);
    assert_eq!(withdraw(&again, Party::Buyer), Err(Refusal::Forbidden(Action::Appeal)));
    let resumed = transition(withdraw(&again, Party::Seller)).order;
    let third = act(&resumed, Party::Seller, &appeal(), start()).order;
    for party in [Party::Buyer, Party::Seller] {
        assert_eq!(withdraw(&third, party), Err(Refusal::Forbidden(Action::Appeal)), "each has withdrawn once");
    }
    let decided = decided(&open, Party::Buyer).unwrap();
    for party in [Party::Buyer, Party::Seller] {
        assert_eq!(withdraw(&decided, party), Err(Refusal::AppealProcessed), "after a verdict");
    }
}

/// A seller locks an order that the buyer has paid but not marked, and withdraws at night: the clock would cancel it.
#[test]
fn the_initiator_does_not_withdraw_an_appeal_that_the_other_party_has_answered() {
    let order = reach(MANUAL_SELL, "AWAITING_PAYMENT").unwrap();
    let late = order.state.deadline().unwrap().at;
    let open = act(&order, Party::Seller, &appeal(), late).order;
    let withdraw =
        |order: &Order, party| decide(order, &by(order, party), &OrderCommand::WithdrawAppeal, &inputs(late));
    let later = late + Duration::minutes(1);
    let own = act(&open, Party::Seller, &OrderCommand::AddEvidence(pictures(90..91)), later).order;
    assert!(matches!(withdraw(&own, Party::Seller), Ok(Applied::Done(_))), "the initiator's own evidence");
    let answered = act(&open, Party::Buyer, &OrderCommand::AddEvidence(pictures(90..91)), later).order;
    assert_eq!(withdraw(&answered, Party::Seller), Err(Refusal::Forbidden(Action::Appeal)));
    assert!(matches!(withdraw(&answered, Party::Buyer), Ok(Applied::Done(_))));
}

#[test]
fn filing_again_continues_the_appeal_that_a_party_withdrew() {
    let order = reach(MANUAL_SELL, "AWAITING_CONFIRMATION").unwrap();
    let late = start() + Duration::hours(1);
    let first = act(&order, Party::Seller, &appeal(), start()).order;
    let resumed = act(&first, Party::Buyer, &OrderCommand::WithdrawAppeal, late).order;
    let files_with = |order: &Order, party, evidence| {
        let reason = AppealReason::Unresponsive;
        let command = OrderCommand::Appeal { reason, description: None, evidence };
        let now = order.appeal_from(party).unwrap().max(late);
        let inputs = OrderInputs { appeal: AppealId(Uuid::from_u128(4_711)), ..inputs(now) };
        decide(order, &by(order, party), &command, &inputs)
    };
    let before = first.open_appeal().unwrap();
    // The author may file again with what was added before; the other party brings evidence of its own.
    for (party, evidence, pictures) in [
        (Party::Seller, NewEvidence::default(), 1),
        (Party::Seller, pictures(80..81), 1),
        (Party::Buyer, pictures(90..91), 2),
    ] {
        let again = transition(files_with(&resumed, party, evidence)).order;
        let after = again.open_appeal().unwrap();
        assert_eq!((after.id, after.filed_at, after.number), (before.id, before.filed_at, 2));
        assert_eq!((after.initiator, after.evidence.len()), (Some(party), pictures));
        assert!(after.suspended_at >= late, "the time between the appeals counts");
    }
    let missing = Err(Refusal::Invalid { field: "pictures", reason: "required" });
    assert_eq!(files_with(&resumed, Party::Buyer, NewEvidence::default()), missing);
    // After a decision, an appeal is a new one.
    let reject = AppealDecision::Reject { note: "No.".to_owned(), malicious: false };
    let rejected = decide_appeal(&first, &reject, &inputs(late)).unwrap().order;
    let new = transition(files_with(&rejected, Party::Seller, pictures(90..91))).order;
    let new = new.open_appeal().unwrap();
    assert_eq!((new.id, new.filed_at, new.evidence.len()), (AppealId(Uuid::from_u128(4_711)), late, 1));
}

#[test]
fn filing_with_other_files_for_an_old_version_is_stale() {
    let order = reach(MANUAL_SELL, "AWAITING_CONFIRMATION").unwrap();
    let open = act(&order, Party::Seller, &appeal(), start()).order;
    let again = |evidence| {
        let command = OrderCommand::Appeal { reason: AppealReason::Unresponsive, description: None, evidence };
        decide(&open, &by(&order, Party::Seller), &command, &inputs(start()))
    };
    assert_eq!(again(pictures(80..81)), Ok(Applied::AlreadyDone));
    assert_eq!(again(pictures(81..82)), Err(Refusal::Stale));
    assert_eq!(again(pictures(80..82)), Err(Refusal::Stale));
}

#[test]
fn the_party_that_the_order_waits_for_cannot_withdraw_the_platforms_appeal() {
    let order = reach(MANUAL_SELL, "AWAITING_CONFIRMATION").unwrap();
    let notified = event(&order, &Event::DeadlinePassed, deadline_of(&order)).order;
    let due = deadline_of(&order) + OVERDUE_FOR;
    let open = event(&notified, &Event::AppealDue, due).order;
    let withdraw = |party| decide(&open, &by(&open, party), &OrderCommand::WithdrawAppeal, &inputs(due));
    assert_eq!(withdraw(Party::Seller), Err(Refusal::Forbidden(Action::Appeal)));
    assert!(matches!(withdraw(Party::Buyer), Ok(Applied::Done(_))));
}

/// The longest time for which a party can keep an order open before an appeal is open that stays open until officers decide:
/// two withdrawals, after each of which the platform appeals in [`OVERDUE_FOR`], and less than a day of windows and grace periods.
const LONGEST: Duration = Duration::days(3 * 7 + 1);

proptest::proptest! {
    /// One party sends any commands at any time, and the other party does nothing.
    #[test]
    fn one_party_alone_keeps_no_order_from_officers(
        kind in proptest::sample::select(Kind::ALL.to_vec()),
        state in proptest::sample::select(vec!["AWAITING_ACCEPTANCE", "AWAITING_DEPOSIT", "AWAITING_PAYMENT", "AWAITING_CONFIRMATION"]),
        party in proptest::sample::select(vec![Party::Buyer, Party::Seller]),
        steps in proptest::collection::vec((0..13_usize, proptest::sample::select(vec![0, 1, 30, 600, 10_000, 20_000])), 60),
    ) {
        let Some(mut order) = reach(kind, state) else { return Ok(()) };
        let (mut now, mut picture) = (start(), 1_000);
        let mut settled: Option<Appeal> = None;
        for (choice, minutes) in steps {
            now += Duration::minutes(minutes);
            // The clock comes first, as often as it has something to do.
            while let Some(due) = order.due(now) {
                match react(&order, &due, &inputs(now)) {
                    Ok(Applied::Done(done)) => order = done.order,
                    _ => break,
                }
            }
            picture += 1;
            let evidence = pictures(picture..picture + 1);
            let command = match every_command().into_iter().nth(choice) {
                Some(OrderCommand::Appeal { reason, description, .. }) => OrderCommand::Appeal { reason, description, evidence },
                Some(OrderCommand::AddEvidence(_)) => OrderCommand::AddEvidence(evidence),
                Some(command) => command,
                None => OrderCommand::WithdrawAppeal,
            };
            let fresh = OrderInputs { appeal: AppealId(Uuid::from_u128(picture)), ..inputs(now) };
            if let Ok(Applied::Done(done)) = decide(&order, &by(&order, party), &command, &fresh) {
                order = done.order;
            }
            let ended = order.state.deadline().is_none() && order.open_appeal().is_none();
            if ended {
                return Ok(());
            }
            let open = order.open_appeal().cloned();
            if now > start() + LONGEST {
                // The steps may jump over the last deadline; the next one files.
                let Some(open) = open else {
                    proptest::prop_assert!(order.due(now).is_some() || settled.is_none(), "an appeal that was to stay has ended");
                    proptest::prop_assert!(order.due_at().is_some(), "nothing ends the order");
                    continue;
                };
                if let Some(settled) = &settled {
                    proptest::prop_assert_eq!((settled.id, settled.filed_at), (open.id, open.filed_at));
                }
                if open.withdrawn_by.contains(&party) {
                    settled = Some(open);
                }
            }
        }
    }
}

#[test]
fn nobody_withdraws_or_rejects_an_appeal_about_a_voided_payout() {
    for kind in Kind::ALL {
        let order = voided(&reach(kind, "RELEASING").unwrap()).unwrap();
        for party in [Party::Buyer, Party::Seller] {
            let result = decide(&order, &by(&order, party), &OrderCommand::WithdrawAppeal, &inputs(start()));
            assert_eq!(result, Err(Refusal::Forbidden(Action::Appeal)));
        }
        let reject = AppealDecision::Reject { note: "No.".to_owned(), malicious: false };
        assert_eq!(decide_appeal(&order, &reject, &inputs(start())), Err(Undecidable::CannotResume));
        assert_eq!(charges(&executed(&order, Party::Buyer)), [], "neither party caused it");
    }
}
