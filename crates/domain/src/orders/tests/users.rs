//! Users' commands: who may send them, with which version, at which cost.

use super::table::{Command, Seen, When, cases, relative_to_deadline};
use super::*;
use crate::effect::{Effect, Notice, Subject};
use crate::ids::FileId;
use crate::reputation::{self, Cause};

fn charged(transition: &Transition) -> Option<(Party, Cause)> {
    transition.effects.iter().find_map(|effect| match effect {
        Effect::ChargeReputation { user, cause, .. } => Some((transition.order.terms.party(*user).unwrap(), *cause)),
        _ => None,
    })
}

fn asked(kind: Kind) -> Order {
    act(&reach(kind, "AWAITING_PAYMENT").unwrap(), Party::Seller, &OrderCommand::AskCancel, start()).order
}

#[test]
fn an_order_does_not_exist_for_strangers() {
    for kind in Kind::ALL {
        let order = placed(kind);
        let stranger = OrderCaller { user: user(99), seen: order.version, proofs: Proofs::ALL, held_until: None };
        assert_eq!(decide(&order, &stranger, &OrderCommand::Cancel, &inputs(start())), Err(Refusal::OrderMissing));
        assert_eq!(available_actions(&order, (user(99), None), &inputs(start()), fresh_standing()), Actions::default());
    }
}

#[test]
fn a_stale_version_is_refused_before_other_checks() {
    let order = placed(MANUAL_SELL);
    for seen in [order.version - 1, order.version + 1] {
        let stale = OrderCaller { seen, ..by(&order, Party::Seller) };
        assert_eq!(decide(&order, &stale, &OrderCommand::Accept, &inputs(start())), Err(Refusal::Stale));
        assert_eq!(decide(&order, &stale, &OrderCommand::Confirm, &inputs(start())), Err(Refusal::Stale));
    }
}

#[test]
fn a_repeated_command_is_already_done_even_with_a_stale_version() {
    for (kind, order, command, when, seen, inputs) in cases() {
        let Ok(Applied::Done(done)) = command.try_on(&order, &inputs) else { continue };
        let reopened = done.order.open_appeal().is_some_and(|open| open.status == AppealStatus::Pending);
        let again = match &command {
            Command::User(party, act) => decide(&done.order, &by(&order, *party), act, &inputs),
            // The coins of the verdict are missing, so an officer decides again.
            Command::System(Event::VerdictDue) if reopened => continue,
            // The posting in the same transaction ensures that it is applied once.
            Command::System(Event::DepositRevoked { .. }) => continue,
            Command::System(event) => react(&done.order, event, &inputs),
            // Officer decisions are not idempotent: after the first, nothing is left to decide.
            Command::Officer(decision) => {
                assert!(decide_appeal(&done.order, decision, &inputs).is_err());
                continue;
            }
        };
        assert_eq!(again, Ok(Applied::AlreadyDone), "{} {} {when:?} {seen:?}", kind.name(), command.name());
    }
}

#[test]
fn marking_paid_again_with_other_details_is_refused() {
    let order = reach(MANUAL_SELL, "AWAITING_CONFIRMATION").unwrap();
    let other =
        OrderCommand::MarkPaid { method: None, reference: Some("43".to_owned()), hash: None, receipts: Vec::new() };
    let refused = Err(Refusal::Forbidden(Action::MarkPaid));
    assert_eq!(decide(&order, &by(&order, Party::Buyer), &other, &inputs(start())), refused);
}

#[test]
fn payment_details_have_limits() {
    let order = reach(MANUAL_SELL, "AWAITING_PAYMENT").unwrap();
    let try_with = |reference: Option<String>, hash: Option<String>, receipts: usize| {
        let receipts = vec![FileId(Uuid::nil()); receipts];
        let act = OrderCommand::MarkPaid { method: None, reference, hash, receipts };
        decide(&order, &by(&order, Party::Buyer), &act, &inputs(start())).map(|_| ())
    };
    let long = |length| Some("ä".repeat(length));
    assert_eq!(try_with(long(MAX_PAID_TEXT), long(MAX_PAID_TEXT), MAX_RECEIPTS), Ok(()));
    let refused = |field, reason| Err(Refusal::Invalid { field, reason });
    assert_eq!(try_with(long(MAX_PAID_TEXT + 1), None, 0), refused("reference", "too long"));
    assert_eq!(try_with(None, long(MAX_PAID_TEXT + 1), 0), refused("hash", "too long"));
    assert_eq!(try_with(Some(" ".to_owned()), None, 0), refused("reference", "blank"));
    assert_eq!(try_with(None, None, MAX_RECEIPTS + 1), refused("receipts", "too many"));
}

#[test]
fn only_confirming_and_cancelling_after_payment_require_the_security_password() {
    for (_, order, command, _, _, inputs) in cases() {
        let Command::User(party, act) = &command else { continue };
        let unproven = OrderCaller { proofs: Proofs::NONE, ..by(&order, *party) };
        let (with, without) =
            (decide(&order, &by(&order, *party), act, &inputs), decide(&order, &unproven, act, &inputs));
        let demanding = *act == OrderCommand::Confirm
            || (*act == OrderCommand::Cancel
                && *party == Party::Buyer
                && order.state.into_str() == "AWAITING_CONFIRMATION");
        assert_eq!(
            required_proof(&order, unproven.user, act, false) == RequiredProof::SecurityPassword,
            demanding,
            "{}",
            command.name()
        );
        if demanding && matches!(with, Ok(Applied::Done(_))) {
            assert_eq!(without, Err(Refusal::Invalid { field: "securityCode", reason: "required" }));
        } else {
            assert_eq!(without, with);
        }
    }
}

/// Whoever has stolen the account gives an accomplice the coins for which the user has paid.
#[test]
fn a_hold_refuses_to_give_up_a_payment() {
    let until = start() + Duration::hours(1);
    let refused = |order: &Order, party, act: &OrderCommand| {
        let held = OrderCaller { held_until: Some(until), ..by(order, party) };
        let allowed = decide(order, &by(order, party), act, &inputs(start()));
        assert!(matches!(allowed, Ok(Applied::Done(_))), "without a hold");
        decide(order, &held, act, &inputs(start())) == Err(Refusal::HeldUntil { until })
    };
    let paid = reach(MANUAL_SELL, "AWAITING_CONFIRMATION").unwrap();
    assert!(refused(&paid, Party::Buyer, &OrderCommand::Cancel));
    assert!(refused(&asked(MANUAL_SELL), Party::Buyer, &OrderCommand::AgreeCancel));
    // Before the payment, a cancellation gives nothing up.
    let unpaid = reach(MANUAL_SELL, "AWAITING_PAYMENT").unwrap();
    assert!(!refused(&unpaid, Party::Buyer, &OrderCommand::Cancel));
}

#[test]
fn automatic_orders_are_neither_marked_paid_nor_confirmed() {
    for kind in [AUTOMATIC_SELL, AUTOMATIC_BUY] {
        for order in State::VARIANTS.iter().filter_map(|state| reach(kind, state)) {
            for party in [Party::Buyer, Party::Seller] {
                let refused = decide(&order, &by(&order, party), &mark_paid(), &inputs(start()));
                assert_eq!(refused, Err(Refusal::Forbidden(Action::MarkPaid)));
                let refused = decide(&order, &by(&order, party), &OrderCommand::Confirm, &inputs(start()));
                assert_eq!(refused, Err(Refusal::Forbidden(Action::Confirm)));
            }
        }
    }
}

#[test]
fn a_seller_with_an_open_funding_request_cannot_be_accepted() {
    let order = placed(MANUAL_BUY);
    let inputs = OrderInputs { seller_has_funding_request: true, ..inputs(start()) };
    assert_eq!(
        decide(&order, &by(&order, Party::Buyer), &OrderCommand::Accept, &inputs),
        Err(Refusal::FundingRequestOpen)
    );
    let order = placed(MANUAL_SELL);
    assert!(matches!(decide(&order, &by(&order, Party::Seller), &OrderCommand::Accept, &inputs), Ok(Applied::Done(_))));
}

#[test]
fn an_agreed_cancellation_counts_against_the_seller() {
    for kind in [MANUAL_SELL, MANUAL_BUY, AUTOMATIC_SELL] {
        let order = reach(kind, "AWAITING_PAYMENT").unwrap();
        let early = decide(&order, &by(&order, Party::Buyer), &OrderCommand::AgreeCancel, &inputs(start()));
        assert_eq!(early, Err(Refusal::Forbidden(Action::Cancel)), "the seller has not asked");
        let asked = asked(kind);
        let covered = OrderInputs { covered: true, ..inputs(start()) };
        let held = decide(&asked, &by(&asked, Party::Buyer), &OrderCommand::AgreeCancel, &covered);
        assert_eq!(held, Err(Refusal::Forbidden(Action::Cancel)), "covered by unconfirmed transfers");
        let agreed = act(&asked, Party::Buyer, &OrderCommand::AgreeCancel, start());
        assert_eq!(charged(&agreed), Some((Party::Seller, Cause::Cancelled)));
        assert_eq!(agreed.order.state.cancelled().unwrap().reason, CancelReason::Agreed);
        let again = decide(&agreed.order, &by(&asked, Party::Buyer), &OrderCommand::AgreeCancel, &inputs(start()));
        assert_eq!(again, Ok(Applied::AlreadyDone));
    }
}

#[test]
fn a_cancellation_counts_against_its_party_unless_the_other_is_late() {
    use CancelReason::{AcceptanceOverdue, ConfirmationOverdue, DepositOverdue, PaymentOverdue, Withdrawn};
    use Party::{Buyer, Seller};
    let (buyer, seller) = (Some(Buyer), Some(Seller));
    let rows = [
        (MANUAL_SELL, "AWAITING_ACCEPTANCE", Buyer, When::InTime, Withdrawn, buyer),
        (MANUAL_SELL, "AWAITING_ACCEPTANCE", Buyer, When::Overdue, AcceptanceOverdue, None),
        (MANUAL_BUY, "AWAITING_DEPOSIT", Seller, When::InTime, Withdrawn, seller),
        (MANUAL_BUY, "AWAITING_DEPOSIT", Seller, When::InGrace, Withdrawn, seller),
        (MANUAL_BUY, "AWAITING_DEPOSIT", Buyer, When::InTime, Withdrawn, buyer),
        (MANUAL_BUY, "AWAITING_DEPOSIT", Buyer, When::Overdue, DepositOverdue, seller),
        (MANUAL_SELL, "AWAITING_PAYMENT", Buyer, When::InTime, Withdrawn, buyer),
        (MANUAL_SELL, "AWAITING_PAYMENT", Buyer, When::GraceOver, Withdrawn, buyer),
        (MANUAL_SELL, "AWAITING_PAYMENT", Seller, When::GraceOver, PaymentOverdue, buyer),
        (MANUAL_SELL, "AWAITING_CONFIRMATION", Buyer, When::InTime, Withdrawn, buyer),
        (MANUAL_SELL, "AWAITING_CONFIRMATION", Buyer, When::Overdue, ConfirmationOverdue, None),
    ];
    for (kind, state, party, when, reason, against) in rows {
        let (order, inputs) = relative_to_deadline(&reach(kind, state).unwrap(), when, Seen::Nothing).unwrap();
        let done = transition(decide(&order, &by(&order, party), &OrderCommand::Cancel, &inputs));
        let told = format!("{state} {party:?} {when:?}");
        let cancelled = *done.order.state.cancelled().unwrap();
        assert_eq!((cancelled.by, cancelled.reason), (Some(party), reason), "{told}");
        assert_eq!(charged(&done).map(|(party, _)| party), against, "{told}");
    }
}

#[test]
fn neither_rejections_nor_missed_acceptances_cost_reputation() {
    for kind in [MANUAL_SELL, MANUAL_BUY] {
        let order = placed(kind);
        let rejected = act(&order, order.terms.advertiser_party(), &OrderCommand::Reject { reason: None }, start());
        assert_eq!(charged(&rejected), None);
        let overdue = order.state.deadline().unwrap().at;
        assert_eq!(charged(&event(&order, &Event::DeadlinePassed, overdue)), None);
    }
}

#[test]
fn a_rejection_may_say_why() {
    let order = placed(MANUAL_SELL);
    let advertiser = order.terms.advertiser_party();
    let reject = |reason: &str| OrderCommand::Reject { reason: Some(reason.to_owned()) };
    let rejected = act(&order, advertiser, &reject("I’m out of office."), start()).order;
    assert_eq!(rejected.state.rejection(), Some("I’m out of office."));
    let longest = "é".repeat(100);
    assert_eq!(act(&order, advertiser, &reject(&longest), start()).order.state.rejection(), Some(longest.as_str()));
    let try_on = |order, act: &OrderCommand| Command::User(advertiser, act.clone()).try_on(order, &inputs(start()));
    for (text, refusal) in [
        (" \u{200b}", Refusal::Invalid { field: "reason", reason: "blank" }),
        ("a\nb", Refusal::Invalid { field: "reason", reason: "control characters" }),
        (&format!("{longest}x"), Refusal::Invalid { field: "reason", reason: "too long" }),
        ("call 0901 234 567", Refusal::Unspeakable { field: "reason", reason: "contact information" }),
    ] {
        assert_eq!(try_on(&order, &reject(text)), Err(refusal), "{text}");
    }
    // A repetition with another reason would lose it.
    assert_eq!(try_on(&rejected, &reject("I’m out of office.")), Ok(Applied::AlreadyDone));
    for other in [reject("No."), OrderCommand::Reject { reason: None }] {
        assert_ne!(try_on(&rejected, &other), Ok(Applied::AlreadyDone));
    }
}

#[test]
fn a_cancellation_by_the_system_counts_against_the_late_party() {
    for (kind, state, late, cause) in [
        (AUTOMATIC_BUY, "AWAITING_DEPOSIT", Party::Seller, Cause::DepositOverdue),
        (AUTOMATIC_SELL, "AWAITING_PAYMENT", Party::Buyer, Cause::PaymentOverdue),
    ] {
        let (order, inputs) =
            relative_to_deadline(&reach(kind, state).unwrap(), When::GraceOver, Seen::Nothing).unwrap();
        let done = transition(react(&order, &Event::GracePassed, &inputs));
        assert_eq!(charged(&done), Some((late, cause)));
        assert_eq!(done.order.state.cancelled().unwrap().by, None);
    }
}

#[test]
fn available_actions_match_the_commands_and_their_costs() {
    for (kind, order, command, when, seen, inputs) in cases() {
        let Command::User(party, act) = &command else { continue };
        let user = order.terms.user(*party);
        for cancelled_today in [0, 3] {
            let standing = ReputationStanding { reputation: 70, cancelled_today };
            let actions = available_actions(&order, (user, None), &inputs, standing);
            let action = match act {
                OrderCommand::Accept => Action::Accept,
                OrderCommand::Reject { .. } => Action::Reject,
                OrderCommand::Cancel => Action::Cancel,
                OrderCommand::AskCancel => Action::AskCancel,
                OrderCommand::AgreeCancel => Action::AgreeCancel,
                OrderCommand::MarkPaid { .. } => Action::MarkPaid,
                OrderCommand::Confirm => Action::Confirm,
                OrderCommand::Recover => Action::Recover,
                OrderCommand::Appeal { .. } => Action::Appeal,
                OrderCommand::AddEvidence(_) => Action::AddEvidence,
                OrderCommand::WithdrawAppeal => Action::WithdrawAppeal,
            };
            let told = format!("{} {} {} {when:?} {seen:?}", kind.name(), order.state.into_str(), command.name());
            let Ok(Applied::Done(done)) = command.try_on(&order, &inputs) else {
                // An order marked as paid cannot be marked again, not even with other details.
                assert_eq!(actions.get(action), None, "{told}");
                continue;
            };
            let offer = actions.get(action).unwrap_or_else(|| panic!("{told}"));
            let pays = match act {
                OrderCommand::AskCancel => true,
                _ => charged(&done).is_some_and(|(charged, _)| charged == *party),
            };
            let points = reputation::charge(standing, Cause::Cancelled).points;
            let cost = match act {
                // Only the loser pays, after the verdict.
                OrderCommand::Appeal { .. } => -reputation::charge(standing, Cause::AppealLost).points,
                _ if pays => -points,
                _ => 0,
            };
            assert_eq!(offer.reputation_cost, cost, "{told}");
            assert_eq!(offer.uses_free, pays && cancelled_today == 0, "{told}");
            assert_eq!(offer.required_proof, required_proof(&order, user, act, false), "{told}");
        }
    }
}

#[test]
fn without_reputation_a_cancellation_costs_nothing_but_is_not_free() {
    let order = reach(MANUAL_SELL, "AWAITING_PAYMENT").unwrap();
    let standing = ReputationStanding { reputation: 0, cancelled_today: reputation::FREE_CANCELLATIONS };
    let actions = available_actions(&order, (order.terms.buyer(), None), &inputs(start()), standing);
    let offer = actions.get(Action::Cancel).unwrap();
    assert_eq!((offer.reputation_cost, offer.uses_free), (0, false));
}

#[test]
fn check_deposit_is_available_to_the_party_that_must_deposit() {
    for (kind, state, sender) in [
        (MANUAL_BUY, "AWAITING_DEPOSIT", Party::Seller),
        (AUTOMATIC_BUY, "AWAITING_DEPOSIT", Party::Seller),
        (AUTOMATIC_SELL, "AWAITING_PAYMENT", Party::Buyer),
    ] {
        let order = reach(kind, state).unwrap();
        let offers = |party| {
            available_actions(&order, (order.terms.user(party), None), &inputs(start()), fresh_standing())
                .get(Action::CheckDeposit)
                .is_some()
        };
        assert!(offers(sender));
        assert!(!offers(sender.other()));
    }
    let manual = reach(MANUAL_SELL, "AWAITING_PAYMENT").unwrap();
    let offered = available_actions(&manual, (manual.terms.buyer(), None), &inputs(start()), fresh_standing());
    assert_eq!(offered.get(Action::CheckDeposit), None, "manual payments are not deposits");
}

#[test]
fn own_adverts_and_zero_totals_are_refused() {
    let id = OrderId(Uuid::nil());
    let own = Terms { taker: user(ADVERTISER), ..terms(MANUAL_SELL) };
    assert_eq!(open(id, own), Err(Refusal::OwnAdvert));
    let free = Terms { total: Amount::ZERO, ..terms(MANUAL_SELL) };
    assert_eq!(open(id, free), Err(Refusal::Invalid { field: "quantity", reason: "costs nothing" }));
    let all_fee = Terms { fee: amount(1_000), ..terms(MANUAL_SELL) };
    assert!(matches!(open(id, all_fee), Err(Refusal::FeeBelowGas { .. })));
}

fn told(transition: &Transition) -> Vec<(Party, Notice)> {
    let notice = |effect: &Effect| match effect {
        Effect::Notify { user, subject, notice } => {
            assert_eq!(*subject, Subject::Order(transition.order.id));
            Some((transition.order.terms.party(*user).unwrap(), *notice))
        }
        _ => None,
    };
    transition.effects.iter().filter_map(notice).collect()
}

#[test]
fn the_party_that_must_act_is_called() {
    for (kind, order, command, _, _, inputs) in cases() {
        let Ok(Applied::Done(done)) = command.try_on(&order, &inputs) else { continue };
        let called: Vec<_> = done
            .effects
            .iter()
            .filter_map(|effect| match effect {
                Effect::Call { user, .. } => done.order.terms.party(*user),
                _ => None,
            })
            .collect();
        let turn = match (&order.state, &done.order.state) {
            (before, after) if std::mem::discriminant(before) == std::mem::discriminant(after) => None,
            (_, State::AwaitingPayment { .. }) => Some(Party::Buyer),
            (_, State::AwaitingDeposit { .. } | State::AwaitingConfirmation { .. }) => Some(Party::Seller),
            _ => None,
        };
        assert_eq!(called, turn.into_iter().collect::<Vec<_>>(), "{kind:?} {command:?}");
    }
}

#[test]
fn both_parties_are_notified_of_changes_and_the_advertiser_of_a_new_order() {
    for kind in Kind::ALL {
        let opened = open(OrderId(Uuid::nil()), terms(kind)).unwrap();
        assert_eq!(told(&opened), [(opened.order.terms.advertiser_party(), Notice::NewOrder)]);
    }
    for (kind, order, command, when, seen, inputs) in cases() {
        let Ok(Applied::Done(done)) = command.try_on(&order, &inputs) else { continue };
        let told = told(&done);
        for party in [Party::Buyer, Party::Seller] {
            let heard = told.iter().any(|(hearer, _)| *hearer == party);
            assert!(heard, "{} {} {when:?} {seen:?}: {party:?}", kind.name(), command.name());
        }
        let expected = match done.order.state.into_str() {
            "CANCELLED" | "REFUNDING" if order.state.cancelled().is_none() => Some(Notice::OrderCancelled),
            "REJECTED" => Some(Notice::OrderRejected),
            "RELEASING" if command.name() == "chain: payout voided" => Some(Notice::PayoutVoided),
            _ if done.order.state == order.state => None,
            "RELEASING" if command.name() == "seller: confirm" => Some(Notice::PaymentConfirmed),
            "RELEASING" => Some(Notice::OrderReleasing),
            "RELEASE_REVOKED" => Some(Notice::ReleaseRevoked),
            "COMPLETED" => Some(Notice::OrderCompleted),
            "AWAITING_CONFIRMATION" if order.progress.paid.is_none() => Some(Notice::OrderPaid),
            _ => None,
        };
        assert!(expected.is_none_or(|notice| told.contains(&(Party::Buyer, notice))), "{}", command.name());
    }
}

#[test]
fn a_missed_deadline_notifies_both_parties() {
    for (kind, state, notice) in [
        (MANUAL_BUY, "AWAITING_DEPOSIT", Notice::DepositOverdue),
        (MANUAL_SELL, "AWAITING_PAYMENT", Notice::PaymentOverdue),
        (MANUAL_SELL, "AWAITING_CONFIRMATION", Notice::ConfirmationOverdue),
    ] {
        let (order, inputs) = relative_to_deadline(&reach(kind, state).unwrap(), When::Overdue, Seen::Nothing).unwrap();
        let done = transition(react(&order, &Event::DeadlinePassed, &inputs));
        assert_eq!(told(&done), [(Party::Buyer, notice), (Party::Seller, notice)]);
    }
}

#[test]
fn a_buyer_owes_nothing_for_a_base_whose_payouts_are_stopped() {
    for kind in [MANUAL_SELL, AUTOMATIC_SELL] {
        let stopped = |now| OrderInputs { paused: true, ..inputs(now) };
        for state in ["AWAITING_ACCEPTANCE", "AWAITING_PAYMENT"] {
            let Some(order) = reach(kind, state) else { continue };
            let cancelled = decide(&order, &by(&order, Party::Buyer), &OrderCommand::Cancel, &stopped(start()));
            let Ok(Applied::Done(done)) = cancelled else { panic!("{cancelled:?}") };
            assert_eq!(charged(&done), None);
            let Cancelled { by: party, reason, .. } = *done.order.state.cancelled().unwrap();
            assert_eq!((party, reason), (Some(Party::Buyer), CancelReason::Undeliverable));
        }
        let order = reach(kind, "AWAITING_PAYMENT").unwrap();
        let late = order.state.deadline().unwrap().at;
        let told = event(&order, &Event::DeadlinePassed, late).order;
        let over = told.grace_until().unwrap();
        let by_clock = react(&told, &Event::GracePassed, &stopped(over));
        let by_seller = decide(&told, &by(&told, Party::Seller), &OrderCommand::Cancel, &stopped(over));
        for lapsed in [by_clock, by_seller] {
            let Ok(Applied::Done(done)) = lapsed else { panic!("{lapsed:?}") };
            assert_eq!(charged(&done), None);
            assert_eq!(done.order.state.cancelled().unwrap().reason, CancelReason::Undeliverable);
        }
        // The seller answers for what they do themselves.
        let asked = asked(kind);
        let agreed = decide(&asked, &by(&asked, Party::Buyer), &OrderCommand::AgreeCancel, &stopped(start()));
        let Ok(Applied::Done(done)) = agreed else { panic!("{agreed:?}") };
        assert_eq!(charged(&done), Some((Party::Seller, Cause::Cancelled)));
    }
}
