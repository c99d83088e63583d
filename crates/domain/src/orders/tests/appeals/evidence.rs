//! The evidence of an appeal, and requests for it.

use super::*;

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
