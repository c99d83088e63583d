//! Appeals: who may file and withdraw them, what they suspend, and what they cost.

use super::*;
use crate::effect::Effect;
use crate::reputation::Cause;

fn charges(transition: &Transition) -> Vec<(Option<Party>, Cause)> {
    let charge = |effect: &Effect| match effect {
        Effect::ChargeReputation { user, cause, .. } => Some((transition.order.terms.party(*user), *cause)),
        _ => None,
    };
    transition.effects.iter().filter_map(charge).collect()
}

fn filed(order: &Order, party: Party, reason: AppealReason, description: Option<&str>) -> Result<(), Refusal> {
    file_with(order, party, reason, description, pictures(80..81))
}

fn file_with(
    order: &Order,
    party: Party,
    reason: AppealReason,
    description: Option<&str>,
    evidence: NewEvidence,
) -> Result<(), Refusal> {
    let command = OrderCommand::Appeal { reason, description: description.map(str::to_owned), evidence };
    decide(order, &by(order, party), &command, &inputs(start())).map(|_| ())
}

#[test]
fn an_appeal_needs_a_fitting_reason_and_evidence() {
    let order = reach(MANUAL_SELL, "AWAITING_CONFIRMATION").unwrap();
    let refused = |field, reason| Err(Refusal::Invalid { field, reason });
    let seller = |reason, description: Option<&str>| filed(&order, Party::Seller, reason, description);
    assert_eq!(seller(AppealReason::PaymentNotReceived, None), Ok(()));
    assert_eq!(seller(AppealReason::Other, Some("The bank closed my account.")), Ok(()));
    assert_eq!(seller(AppealReason::Other, None), refused("specificReason", "required"));
    assert_eq!(seller(AppealReason::Other, Some(" ")), refused("specificReason", "blank"));
    let (longest, too_long) = ("ä".repeat(MAX_APPEAL_TEXT), "ä".repeat(MAX_APPEAL_TEXT + 1));
    assert_eq!(seller(AppealReason::Other, Some(&longest)), Ok(()));
    assert_eq!(seller(AppealReason::Other, Some(&too_long)), refused("specificReason", "too long"));
    assert_eq!(seller(AppealReason::Other, Some("\u{7}")), refused("specificReason", "control characters"));
    for reason in
        [AppealReason::NotReleased, AppealReason::NotDeposited, AppealReason::Overdue, AppealReason::PayoutVoided]
    {
        assert_eq!(seller(reason, None), refused("reason", "does not fit the order"));
    }
    let with = |evidence| file_with(&order, Party::Seller, AppealReason::Fraud, None, evidence);
    let videos = |numbers| NewEvidence { videos: pictures(numbers).pictures, ..NewEvidence::default() };
    assert_eq!(with(NewEvidence::default()), refused("pictures", "required"));
    assert_eq!((with(pictures(0..5)), with(videos(0..1))), (Ok(()), Ok(())));
    assert_eq!(with(pictures(0..6)), refused("pictures", "too many"));
    assert_eq!(with(videos(0..2)), refused("videos", "too many"));
    let twice = NewEvidence { videos: pictures(0..1).pictures, ..pictures(0..1) };
    assert_eq!(with(twice), refused("videos", "the same file twice"));
}

#[test]
fn both_parties_add_evidence_up_to_their_own_limits_until_the_appeal_ends() {
    let order = reach(MANUAL_SELL, "AWAITING_CONFIRMATION").unwrap();
    let add = |order: &Order, party, evidence| {
        decide(order, &by(order, party), &OrderCommand::AddEvidence(evidence), &inputs(start()))
    };
    assert_eq!(add(&order, Party::Buyer, pictures(0..1)), Err(Refusal::AppealMissing));
    let open = act(&order, Party::Seller, &appeal(), start()).order;
    let more = transition(add(&open, Party::Seller, pictures(0..4))).order;
    assert_eq!(add(&more, Party::Seller, pictures(1..3)), Ok(Applied::AlreadyDone));
    let too_many = Err(Refusal::Invalid { field: "pictures", reason: "too many" });
    assert_eq!(add(&more, Party::Seller, pictures(5..6)), too_many);
    let twice = Err(Refusal::Invalid { field: "pictures", reason: "the same file twice" });
    assert_eq!(add(&more, Party::Buyer, pictures(0..1)), twice, "the other party's");
    let decided = decided(&more, Party::Seller).unwrap();
    let both = transition(add(&decided, Party::Buyer, pictures(10..15))).order;
    let evidence = &both.open_appeal().unwrap().evidence;
    assert_eq!(evidence.iter().filter(|one| one.by == Party::Buyer).count(), MAX_EVIDENCE_PICTURES);
    assert_eq!(evidence.len(), 10);
    let done = event(&both, &Event::VerdictDue, both.due_at().unwrap()).order;
    assert_eq!(add(&done, Party::Buyer, pictures(20..21)), Err(Refusal::AppealProcessed));
}

#[test]
fn evidence_is_offered_while_a_picture_or_a_video_may_be_added() {
    let open = act(&reach(MANUAL_SELL, "AWAITING_CONFIRMATION").unwrap(), Party::Seller, &appeal(), start()).order;
    let offered = |order: &Order| {
        let standing = ReputationStanding { reputation: 100, cancelled_today: 0 };
        available_actions(order, (order.terms.buyer(), None), &inputs(start()), standing)
            .get(Action::AddEvidence)
            .is_some()
    };
    let with = |order, evidence| act(order, Party::Buyer, &OrderCommand::AddEvidence(evidence), start()).order;
    let video = || NewEvidence { videos: pictures(30..31).pictures, ..NewEvidence::default() };
    let (pictures, video) = (with(&open, pictures(10..15)), with(&open, video()));
    assert!(offered(&open) && offered(&pictures) && offered(&video));
    assert!(!offered(&with(&video, super::pictures(10..15))));
}

#[test]
fn a_party_is_asked_for_evidence_that_it_can_still_add_and_its_next_evidence_answers() {
    let open = act(&reach(MANUAL_SELL, "AWAITING_CONFIRMATION").unwrap(), Party::Seller, &appeal(), start()).order;
    let add = |order: &Order, party, evidence| act(order, party, &OrderCommand::AddEvidence(evidence), start()).order;
    let new = NewEvidenceRequest { party: Party::Buyer, kind: EvidenceKind::BankStatement, details: None, hours: 24 };
    let ask = |order: &Order, new: &NewEvidenceRequest| request_evidence(order.appeal.as_ref().unwrap(), new, start());
    let refused = |field, reason| Err(Refusal::Invalid { field, reason });
    assert_eq!(ask(&open, &new), Ok(start() + Duration::hours(24)));
    let other = |details: Option<&str>| NewEvidenceRequest {
        kind: EvidenceKind::Other,
        details: details.map(str::to_owned),
        ..new.clone()
    };
    assert_eq!(ask(&open, &other(None)), refused("details", "empty"));
    assert_eq!(ask(&open, &other(Some("\n"))), refused("details", "empty"));
    assert_eq!(ask(&open, &other(Some("\u{7}"))), refused("details", "control characters"));
    assert_eq!(ask(&open, &other(Some(&"ä".repeat(MAX_REQUEST_DETAILS + 1)))), refused("details", "too long"));
    assert!(ask(&open, &other(Some(&"ä".repeat(MAX_REQUEST_DETAILS)))).is_ok());
    for hours in [0, MAX_REQUEST_HOURS + 1] {
        assert_eq!(ask(&open, &NewEvidenceRequest { hours, ..new.clone() }), refused("hours", "from 1 to 168"));
    }
    // Whoever has no picture and no video left cannot be asked.
    let video = NewEvidence { videos: pictures(30..31).pictures, ..NewEvidence::default() };
    let full = add(&open, Party::Buyer, pictures(10..15));
    assert!(ask(&full, &new).is_ok());
    let full = add(&full, Party::Buyer, video);
    assert_eq!(ask(&full, &new), refused("party", "can add no more evidence"));
    assert!(ask(&full, &NewEvidenceRequest { party: Party::Seller, ..new.clone() }).is_ok());
    let ended = event(&decided(&open, Party::Seller).unwrap(), &Event::VerdictDue, start() + Duration::days(2)).order;
    assert_eq!(ask(&ended, &new), Err(Refusal::AppealProcessed));

    // Neither earlier evidence nor that of the other party answers.
    let before = add(&open, Party::Buyer, pictures(10..11));
    let request = EvidenceRequest {
        id: 1,
        party: Party::Buyer,
        kind: EvidenceKind::BankStatement,
        details: None,
        officer: "olga".to_owned(),
        evidence_before: before.appeal.as_ref().unwrap().evidence.len(),
        asked_at: start(),
        due_at: start() + Duration::hours(24),
        closed_at: None,
    };
    let is_open = |request: &EvidenceRequest, order: &Order| request.is_open(&order.appeal.as_ref().unwrap().evidence);
    assert!(is_open(&request, &before));
    let other = add(&before, Party::Seller, pictures(20..21));
    assert!(is_open(&request, &other));
    let answered = add(&other, Party::Buyer, pictures(11..12));
    let evidence = &answered.appeal.as_ref().unwrap().evidence;
    assert_eq!((is_open(&request, &answered), request.answered_at(evidence)), (false, Some(start())));
    let closed = EvidenceRequest { closed_at: Some(start()), ..request };
    assert_eq!((is_open(&closed, &before), closed.answered_at(evidence)), (false, None));
}

#[test]
fn every_reason_of_a_party_fits_some_order() {
    let mut fit = std::collections::BTreeSet::<AppealReason>::new();
    for kind in Kind::ALL {
        for order in State::VARIANTS.iter().filter_map(|state| reach(kind, state)) {
            let orders = [Some(order.clone()), frozen(&order, Leg::Base, start())];
            for order in orders.into_iter().flatten() {
                for party in [Party::Buyer, Party::Seller] {
                    fit.extend(AppealReason::VARIANTS.iter().filter(|reason| reason.fits(&order, party)));
                }
            }
        }
    }
    let never: Vec<_> = AppealReason::VARIANTS.iter().copied().filter(|reason| !fit.contains(reason)).collect();
    assert_eq!(never, [AppealReason::Overdue, AppealReason::PayoutVoided], "only the platform uses these");
}

#[test]
fn an_order_under_appeal_refuses_every_other_command() {
    for kind in Kind::ALL {
        for order in State::VARIANTS.iter().filter_map(|state| appealed(&reach(kind, state)?)) {
            let initiator = order.open_appeal().unwrap().initiator.unwrap();
            for command in table::Command::all(&order) {
                let table::Command::User(party, act) = command else { continue };
                let result = decide(&order, &by(&order, party), &act, &inputs(start() + Duration::days(30)));
                match act {
                    OrderCommand::WithdrawAppeal | OrderCommand::AddEvidence(_) => {
                        assert!(matches!(result, Ok(Applied::Done(_))));
                    }
                    OrderCommand::Appeal { .. } if party == initiator => {
                        assert_eq!(result, Ok(Applied::AlreadyDone));
                    }
                    _ if matches!(result, Ok(Applied::AlreadyDone)) => {}
                    _ => assert_eq!(result, Err(Refusal::LockedByAppeal), "{} {act:?}", order.state.into_str()),
                }
            }
            assert_eq!(waits_for(&order), None);
            assert_eq!(order.due_at(), None, "no deadline passes");
        }
    }
}

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

fn deadline_of(order: &Order) -> Timestamp {
    order.state.deadline().unwrap().at
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

#[test]
fn the_loser_pays_twenty_points_and_a_malicious_initiator_everything() {
    let order = appealed(&reach(MANUAL_SELL, "AWAITING_CONFIRMATION").unwrap()).unwrap();
    assert_eq!(order.open_appeal().unwrap().initiator, Some(Party::Seller));
    assert_eq!(charges(&executed(&order, Party::Seller)), [(Some(Party::Buyer), Cause::AppealLost)]);
    assert_eq!(charges(&executed(&order, Party::Buyer)), [(Some(Party::Seller), Cause::AppealLost)]);
    let malicious = |winner| {
        let decision =
            AppealDecision::Verdict { winner, note: "Forged.".to_owned(), malicious: true, delay: verdict_delay() };
        let decided = decide_appeal(&order, &decision, &inputs(start())).unwrap().order;
        event(&decided, &Event::VerdictDue, decided.due_at().unwrap())
    };
    assert_eq!(charges(&malicious(Party::Buyer)), [(Some(Party::Seller), Cause::AppealMalicious)]);
    assert_eq!(charges(&malicious(Party::Seller)), [(Some(Party::Buyer), Cause::AppealLost)], "the initiator won");
    let rejected = |malicious| {
        let decision = AppealDecision::Reject { note: "No proof.".to_owned(), malicious };
        decide_appeal(&order, &decision, &inputs(start())).unwrap()
    };
    assert_eq!(charges(&rejected(false)), []);
    assert_eq!(charges(&rejected(true)), [(Some(Party::Seller), Cause::AppealMalicious)]);
}

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

/// Appeals and freezes may overlap in any order. Together they extend the deadline by the time of both.
#[test]
fn an_appeal_and_a_freeze_suspend_the_deadline_together() {
    let order = reach(MANUAL_SELL, "AWAITING_CONFIRMATION").unwrap();
    let deadline = order.state.deadline().unwrap().at;
    let at = |hour| start() + Duration::minutes(1) + Duration::hours(hour);
    let freeze = |order: &Order, hour| frozen(order, Leg::Base, at(hour)).unwrap();
    let unfreeze = |order: &Order, hour| {
        event(order, &Event::DepositReturned { leg: Leg::Base, available: amount(1_000) }, at(hour)).order
    };
    let appeal = |order: &Order, hour| act(order, Party::Seller, &appeal(), at(hour)).order;
    let withdraw = |order: &Order, hour| act(order, Party::Seller, &OrderCommand::WithdrawAppeal, at(hour)).order;
    let orders = [
        unfreeze(&withdraw(&appeal(&freeze(&order, 0), 30), 31), 50),
        withdraw(&unfreeze(&appeal(&freeze(&order, 0), 30), 31), 50),
        unfreeze(&withdraw(&freeze(&appeal(&order, 0), 1), 31), 50),
        withdraw(&unfreeze(&freeze(&appeal(&order, 0), 1), 31), 50),
    ];
    for order in orders {
        assert_eq!((order.suspended_at(), order.misfit()), (None, None));
        assert_eq!(order.state.deadline().unwrap().at, deadline + Duration::hours(50));
    }
}

#[test]
fn coins_that_arrive_during_an_appeal_are_held_until_it_ends() {
    for (kind, state, funded) in [
        (AUTOMATIC_SELL, "AWAITING_PAYMENT", Event::PaymentFunded),
        (AUTOMATIC_BUY, "AWAITING_DEPOSIT", Event::DepositFunded),
    ] {
        let open = appealed(&reach(kind, state).unwrap()).unwrap();
        let held = event(&open, &funded, start());
        assert!(!held.effects.iter().any(|effect| matches!(effect, Effect::Payout(_))));
        assert_eq!(held.order.state.into_str(), state);
        assert!(!held.order.held(Leg::Quote).is_zero() && !held.order.held(Leg::Base).is_zero());
        let back = act(&held.order, Party::Buyer, &OrderCommand::WithdrawAppeal, start() + Duration::hours(2));
        assert_eq!(back.order.state.into_str(), "RELEASING", "the withdrawal releases them");
        assert_eq!(executed(&held.order, Party::Buyer).order.state.into_str(), "RELEASING");
        let refunded = executed(&held.order, Party::Seller);
        assert_eq!(refunded.order.state.into_str(), "REFUNDING");
    }
}

#[test]
fn every_change_of_an_appeal_is_written() {
    for kind in Kind::ALL {
        for order in table::situations(kind) {
            for command in table::Command::all(&order) {
                let now = order.due_at().unwrap_or(start() + Duration::hours(1));
                let Ok(Applied::Done(done)) = command.try_on(&order, &inputs(now)) else { continue };
                let mut written = done.effects.iter().filter_map(|effect| match effect {
                    Effect::Appeal { appeal, .. } => Some(appeal.as_ref()),
                    _ => None,
                });
                if done.order.appeal == order.appeal {
                    assert!(written.all(|appeal| Some(appeal) == order.appeal.as_ref()), "{}", command.name());
                } else {
                    assert_eq!(written.next_back(), done.order.appeal.as_ref(), "{}", command.name());
                }
            }
        }
    }
}
