//! Appeals: who may file them, what they suspend, and what they cost.

mod by_the_clock;
mod evidence;
mod withdrawing;

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

fn deadline_of(order: &Order) -> Timestamp {
    order.state.deadline().unwrap().at
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

/// Without the base, an officer can only decide for the seller, whoever is right.
#[test]
fn nobody_pays_for_an_appeal_about_a_base_that_the_chain_has_removed() {
    let order = appealed(&reach(MANUAL_SELL, "AWAITING_CONFIRMATION").unwrap()).unwrap();
    let whole = order.held(Leg::Base);
    let lost = event(&order, &Event::DepositRevoked { leg: Leg::Base, drawn: whole }, start()).order;
    let verdict = |winner| {
        let decision =
            AppealDecision::Verdict { winner, note: "Gone.".to_owned(), malicious: false, delay: verdict_delay() };
        decide_appeal(&lost, &decision, &inputs(start()))
    };
    assert_eq!(verdict(Party::Buyer).err(), Some(Undecidable::Short));
    assert!(verdict(Party::Seller).is_ok());
    assert_eq!(charges(&executed(&lost, Party::Seller)), []);
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
