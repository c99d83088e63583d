//! The table of transitions, written by hand and compared with the code for every state, command, party and relevant
//! time. The code must refuse every transition that is not in the table.

use super::rows::{Row, table};
use super::*;
use crate::effect::{Effect, Purpose};

/// When a command or event occurs, relative to the state's deadline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum When {
    /// One instant before the deadline.
    InTime,
    /// At the deadline; the late party has not been notified.
    Overdue,
    /// The last instant of the grace period.
    InGrace,
    GraceOver,
    SevenDays,
    /// The order has been frozen for [`FROZEN_FOR`].
    DayFrozen,
    /// The order has been frozen for [`OVERDUE_FOR`].
    WeekFrozen,
}

impl When {
    pub(crate) const ALL: [Self; 7] = [
        Self::InTime,
        Self::Overdue,
        Self::InGrace,
        Self::GraceOver,
        Self::SevenDays,
        Self::DayFrozen,
        Self::WeekFrozen,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::InTime => "in time",
            Self::Overdue => "overdue",
            Self::InGrace => "in the grace period",
            Self::GraceOver => "after the grace period",
            Self::SevenDays => "seven days overdue",
            Self::DayFrozen => "frozen for 24 hours",
            Self::WeekFrozen => "frozen for seven days",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Seen {
    Nothing,
    /// Transfers that would complete the open funding request.
    Cover,
    /// A transfer that can only be the manual payment.
    Payment,
    /// A transfer that may be the manual payment of this or of another order.
    Ambiguous,
}

impl Seen {
    pub(crate) const ALL: [Self; 4] = [Self::Nothing, Self::Cover, Self::Payment, Self::Ambiguous];

    pub(crate) fn payment(self) -> PaymentEvidence {
        match self {
            Self::Nothing | Self::Cover => PaymentEvidence::Nothing,
            Self::Payment => PaymentEvidence::Seen,
            Self::Ambiguous => PaymentEvidence::Ambiguous,
        }
    }
}

/// A command with its sender, or an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Command {
    User(Party, OrderCommand),
    System(Event),
    Officer(AppealDecision),
}

impl Command {
    pub(crate) fn all(order: &Order) -> Vec<Self> {
        let acts = every_command();
        let payout = order.state.payout().unwrap_or(payout(FRESH));
        let events = [
            Event::DeadlinePassed,
            Event::GracePassed,
            Event::DepositFunded,
            Event::PaymentFunded,
            Event::PayoutConfirmed { payout },
            Event::PayoutRevoked { payout },
            Event::PayoutResent { payout },
            Event::PayoutVoided { payout, base: carried(order, Leg::Base), quote: carried(order, Leg::Quote) },
            Event::VoidRevoked { payout },
            revoked(order),
            returned(order),
            Event::AppealDue,
            Event::VerdictDue,
        ];
        let reject = AppealDecision::Reject { note: "No proof.".to_owned(), malicious: false };
        let decisions = [verdict(Party::Buyer), verdict(Party::Seller), reject, AppealDecision::Reopen];
        let officer = decisions.map(Self::Officer);
        let user = |party| acts.iter().cloned().map(move |act| Self::User(party, act));
        let users = user(Party::Buyer).chain(user(Party::Seller));
        users.chain(events.into_iter().map(Self::System)).chain(officer).collect()
    }

    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::User(Party::Buyer, act) => match act {
                OrderCommand::Accept => "buyer: accept",
                OrderCommand::Reject { .. } => "buyer: reject",
                OrderCommand::Cancel => "buyer: cancel",
                OrderCommand::AskCancel => "buyer: ask to cancel",
                OrderCommand::AgreeCancel => "buyer: agree to cancel",
                OrderCommand::MarkPaid { .. } => "buyer: mark paid",
                OrderCommand::Confirm => "buyer: confirm",
                OrderCommand::Recover => "buyer: recover",
                OrderCommand::Appeal { .. } => "buyer: appeal",
                OrderCommand::AddEvidence(_) => "buyer: add evidence",
                OrderCommand::WithdrawAppeal => "buyer: withdraw the appeal",
            },
            Self::User(Party::Seller, act) => match act {
                OrderCommand::Accept => "seller: accept",
                OrderCommand::Reject { .. } => "seller: reject",
                OrderCommand::Cancel => "seller: cancel",
                OrderCommand::AskCancel => "seller: ask to cancel",
                OrderCommand::AgreeCancel => "seller: agree to cancel",
                OrderCommand::MarkPaid { .. } => "seller: mark paid",
                OrderCommand::Confirm => "seller: confirm",
                OrderCommand::Recover => "seller: recover",
                OrderCommand::Appeal { .. } => "seller: appeal",
                OrderCommand::AddEvidence(_) => "seller: add evidence",
                OrderCommand::WithdrawAppeal => "seller: withdraw the appeal",
            },
            Self::System(event) => match event {
                Event::DeadlinePassed => "clock: deadline passed",
                Event::GracePassed => "clock: grace period passed",
                Event::DepositFunded => "chain: deposit funded",
                Event::PaymentFunded => "chain: payment funded",
                Event::PayoutConfirmed { .. } => "chain: payout confirmed",
                Event::PayoutRevoked { .. } => "chain: payout revoked",
                Event::PayoutResent { .. } => "worker: payout resent",
                Event::PayoutVoided { .. } => "chain: payout voided",
                Event::VoidRevoked { .. } => "chain: void revoked",
                Event::DepositRevoked { .. } => "chain: deposit revoked",
                Event::DepositReturned { .. } => "chain: deposit returned",
                Event::AppealDue => "clock: appeal due",
                Event::VerdictDue => "clock: verdict due",
                Event::Outage { .. } => "platform: outage",
            },
            Self::Officer(decision) => match decision {
                AppealDecision::Verdict { winner: Party::Buyer, .. } => "officer: for the buyer",
                AppealDecision::Verdict { .. } => "officer: for the seller",
                AppealDecision::Reject { .. } => "officer: reject the appeal",
                AppealDecision::Reopen => "officer: reopen the appeal",
            },
        }
    }

    pub(crate) fn try_on(&self, order: &Order, inputs: &OrderInputs) -> Result<Applied<Transition>, Refusal> {
        match self {
            Self::User(party, act) => decide(order, &by(order, *party), act, inputs),
            Self::System(event) => react(order, event, inputs),
            Self::Officer(decision) => {
                let decided = decide_appeal(order, decision, inputs);
                decided.map(|done| Applied::Done(Box::new(done))).map_err(|_| Refusal::Stale)
            }
        }
    }
}

/// Returns the order and the inputs at this time relative to the state's deadline; `None` if the state has no such
/// time.
pub(crate) fn relative_to_deadline(order: &Order, when: When, seen: Seen) -> Option<(Order, OrderInputs)> {
    let mut order = order.clone();
    let delay = order.open_appeal().map(|open| match &open.status {
        AppealStatus::Decided { delay, .. } => Some(delay.at),
        _ => None,
    });
    let frozen_since = order.frozen.map(|frozen| frozen.since);
    let now = match (order.state.deadline().copied(), when) {
        // The deadline of an order under appeal is suspended, but its verdict has a delay.
        _ if delay == Some(None) && when == When::InTime => order.open_appeal()?.filed_at + Duration::hours(1),
        _ if delay.is_some() => match (delay.flatten()?, when) {
            (at, When::InTime) => at - instant(),
            (at, When::Overdue) => at,
            _ => return None,
        },
        // The deadline of a frozen order is suspended, too.
        _ if frozen_since.is_some() => match (frozen_since?, when) {
            (since, When::InTime) => since + FROZEN_FOR - instant(),
            (since, When::DayFrozen) => since + FROZEN_FOR,
            (since, When::WeekFrozen) => since + OVERDUE_FOR,
            _ => return None,
        },
        (None, When::InTime) => start(),
        (None, _) | (_, When::DayFrozen | When::WeekFrozen) => return None,
        (Some(deadline), When::InTime) => deadline.at - instant(),
        (Some(deadline), When::Overdue) => deadline.at,
        (Some(deadline), late) => {
            if matches!(order.state, State::AwaitingAcceptance { .. }) {
                return None;
            }
            order = event(&order, &Event::DeadlinePassed, deadline.at).order;
            let over = deadline.at + order.terms.windows.grace;
            match late {
                When::InGrace => over - instant(),
                When::SevenDays => deadline.at + OVERDUE_FOR,
                _ => over,
            }
        }
    };
    let inputs = OrderInputs { covered: seen == Seen::Cover, payment: seen.payment(), ..inputs(now) };
    Some((order, inputs))
}

/// Returns the amount of a leg that returns to the order if its payout is voided.
pub(crate) fn carried(order: &Order, leg: Leg) -> Amount {
    match (&order.state, leg) {
        (State::Refunding { .. }, leg) if order.progress.deposited_at.is_some() == (leg == Leg::Base) => {
            order.terms.amount(leg).saturating_sub(order.progress.kept)
        }
        (State::Refunding { .. }, _) => Amount::ZERO,
        (_, Leg::Base) => order.terms.receives(),
        (_, Leg::Quote) if order.terms.automatic() => order.terms.total,
        (_, Leg::Quote) => Amount::ZERO,
    }
}

/// Returns the leg of an order from which a reorganization takes coins next.
fn held_leg(order: &Order) -> Leg {
    if order.held(Leg::Base).is_zero() { Leg::Quote } else { Leg::Base }
}

/// Returns the event that removes what is left of a leg.
fn revoked(order: &Order) -> Event {
    let leg = held_leg(order);
    Event::DepositRevoked { leg, drawn: order.held(leg) }
}

/// Returns the event that brings the missing coins of a leg back.
fn returned(order: &Order) -> Event {
    let missing = |leg| order.frozen.map_or(Amount::ZERO, |frozen| frozen.missing(leg));
    let leg = if missing(Leg::Base).is_zero() { Leg::Quote } else { Leg::Base };
    Event::DepositReturned { leg, available: missing(leg) }
}

/// Returns the order after a reorganization removed a leg, and after one removed a part of it.
fn freezes(order: &Order) -> Vec<Order> {
    let leg = held_leg(order);
    let part = order.held(leg).saturating_sub(amount(600));
    let freeze =
        |drawn: Amount| (!drawn.is_zero()).then(|| event(order, &Event::DepositRevoked { leg, drawn }, start()).order);
    [order.held(leg), part].into_iter().filter_map(freeze).collect()
}

/// Returns the order under a second appeal by each party that may file one, and by the platform.
fn appealed_again(order: &Order) -> Vec<Order> {
    let Some(first) = appealed(order) else { return Vec::new() };
    let now = first.open_appeal().map_or(start(), |open| open.filed_at);
    let resumed_by = |party| act(&first, party, &OrderCommand::WithdrawAppeal, now).order;
    let resumed = resumed_by(Party::Seller);
    let by_party = |party: Party| {
        // The author of the second appeal has not withdrawn yet.
        let resumed = resumed_by(party.other());
        let now = resumed.appeal_from(party)?.max(now);
        let evidence = pictures(90..91);
        let again = OrderCommand::Appeal { reason: AppealReason::Unresponsive, description: None, evidence };
        Some(act(&resumed, party, &again, now).order)
    };
    let by_platform = || {
        let deadline = resumed.state.deadline()?;
        let late = match deadline.notified_at {
            Some(_) => resumed.clone(),
            None => event(&resumed, &Event::DeadlinePassed, deadline.at).order,
        };
        let inputs =
            OrderInputs { payment: PaymentEvidence::Seen, ..inputs(now + OVERDUE_FOR + windows().confirmation) };
        match react(&late, &Event::AppealDue, &inputs) {
            Ok(Applied::Done(done)) => Some(done.order),
            _ => None,
        }
    };
    [by_party(Party::Buyer), by_party(Party::Seller), by_platform()].into_iter().flatten().collect()
}

/// Returns the orders of a kind in every state, also frozen, under appeal, after a verdict, and with a release that waits
/// for the end of a suspension.
pub(crate) fn situations(kind: Kind) -> Vec<Order> {
    let states: Vec<_> = State::VARIANTS.iter().filter_map(|state| reach(kind, state)).collect();
    let voided = states.iter().filter_map(voided);
    // Before the acceptance, an order can only be appealed while it is frozen. The appeal stays open when the coins return.
    let placed = reach(kind, "AWAITING_ACCEPTANCE").and_then(|order| appealed(freezes(&order).first()?));
    let unfrozen = placed.map(|order| event(&order, &returned(&order), start() + OVERDUE_FOR).order);
    let appealed: Vec<_> = states.iter().filter_map(appealed).chain(unfrozen).chain(voided).collect();
    let winners = [Party::Buyer, Party::Seller];
    let verdicts: Vec<_> =
        appealed.iter().flat_map(|order| winners.map(|winner| decided(order, winner))).flatten().collect();
    let again: Vec<_> = states.iter().flat_map(appealed_again).collect();
    let mut orders = [states, appealed, verdicts, again].concat();
    let frozen: Vec<_> = orders.iter().flat_map(freezes).collect();
    orders.extend(frozen);
    let held_back: Vec<_> = orders.iter().filter_map(held_back).collect();
    let released = held_back.iter().filter_map(|order| decided(order, Party::Buyer)).collect();
    [orders, held_back, released].concat()
}

/// Returns whether both coins of an automatic order wait for the end of a suspension. A verdict for the buyer that was made
/// before they arrived does not release them.
fn waits_for_release(order: &Order) -> bool {
    let verdict = order.open_appeal().and_then(|open| open.status.verdict());
    order.held_back() && verdict.is_none_or(|one| one.winner == Party::Seller || one.outcome == Outcome::Release)
}

/// Returns the order after the second leg of an automatic order arrived while it was suspended; `None` if it was not.
fn held_back(order: &Order) -> Option<Order> {
    let funded = match order.terms.side {
        Side::Sell => Event::PaymentFunded,
        Side::Buy => Event::DepositFunded,
    };
    let open = order.open_appeal().is_none_or(|open| open.number == 1);
    match react(order, &funded, &inputs(start())) {
        Ok(Applied::Done(done)) if open && waits_for_release(&done.order) => Some(done.order),
        _ => None,
    }
}

/// Returns the state of an order and of its appeal.
pub(crate) fn situation(order: &Order) -> String {
    let voided = if order.progress.voided.is_some() { ", voided" } else { "" };
    let held_back = if waits_for_release(order) { ", both coins held" } else { "" };
    let frozen = order.frozen.map_or("", |frozen| {
        let mut legs = [Leg::Base, Leg::Quote].into_iter().filter(|leg| !frozen.missing(*leg).is_zero());
        if legs.any(|leg| !order.held(leg).is_zero()) { ", frozen in part" } else { ", frozen" }
    });
    let appeal = match order.open_appeal().map(|open| (&open.status, open.number, open.initiator)) {
        None => "",
        Some((AppealStatus::Decided { verdict, .. }, ..)) if verdict.winner == Party::Buyer => {
            ", decided for the buyer"
        }
        Some((AppealStatus::Decided { .. }, ..)) => ", decided for the seller",
        // It makes no difference how often an order was appealed before its payout was voided.
        Some((_, 1, _)) => ", under appeal",
        Some(_) if order.progress.voided.is_some() => ", under appeal",
        Some((_, _, Some(Party::Buyer))) => ", appealed again by the buyer",
        Some((_, _, Some(Party::Seller))) => ", appealed again by the seller",
        Some((_, _, None)) => ", appealed again by the platform",
    };
    format!("{}{voided}{held_back}{frozen}{appeal}", order.state.into_str())
}

/// Returns all cases: the kind, the order, the command, the time, and the coins seen on the chain.
pub(crate) fn cases() -> Vec<(Kind, Order, Command, When, Seen, OrderInputs)> {
    let mut cases = Vec::new();
    for kind in Kind::ALL {
        for order in situations(kind) {
            for when in When::ALL {
                for seen in Seen::ALL {
                    let Some((order, inputs)) = relative_to_deadline(&order, when, seen) else { continue };
                    for command in Command::all(&order) {
                        cases.push((kind, order.clone(), command, when, seen, inputs));
                    }
                }
            }
        }
    }
    cases
}

#[test]
fn exactly_the_transitions_in_the_table_happen() {
    let table = table();
    let mut used = vec![false; table.len()];
    for (kind, order, command, when, seen, inputs) in cases() {
        let rows: Vec<usize> = (0..table.len())
            .filter(|&row| {
                let (kinds, state, name, times, sights, _) = table[row];
                kinds.contains(&kind)
                    && state == situation(&order)
                    && name == command.name()
                    && times.contains(&when)
                    && sights.contains(&seen)
            })
            .collect();
        let told = format!("{} {} {} {when:?} {seen:?}", kind.name(), situation(&order), command.name());
        assert!(rows.len() <= 1, "{told}: more than one row");
        match command.try_on(&order, &inputs) {
            Ok(Applied::Done(transition)) => {
                let row = *rows.first().unwrap_or_else(|| panic!("{told}: no row"));
                used[row] = true;
                assert_eq!(situation(&transition.order), table[row].5, "{told}");
                assert_eq!(transition.order.version, order.version + 1, "{told}");
                assert_eq!(transition.order.misfit(), None, "{told}");
                assert_eq!(transition.order.terms, order.terms, "{told}");
            }
            Ok(Applied::AlreadyDone) => assert!(rows.is_empty(), "{told}: is already done"),
            Err(refusal) => assert!(rows.is_empty(), "{told}: is refused: {refusal:?}"),
        }
    }
    let unused: Vec<_> = (0..table.len()).filter(|&row| !used[row]).map(|row| table[row]).collect();
    assert_eq!(unused, Vec::<Row>::new(), "unused rows");
}

#[test]
fn every_state_is_reachable_and_consistent() {
    for state in State::VARIANTS {
        let reached: Vec<_> = Kind::ALL.into_iter().filter_map(|kind| reach(kind, state)).collect();
        assert!(!reached.is_empty(), "{state}");
        assert!(reached.iter().all(|order| order.misfit().is_none()), "{state}");
        let open = StateName::OPEN.iter().any(|open| open.into_str() == *state);
        assert!(reached.iter().all(|order| order.state.ended() != open), "{state}");
    }
}

#[test]
fn a_frozen_order_refuses_every_command_but_mark_paid() {
    let mut tried = 0;
    for kind in Kind::ALL {
        for state in State::VARIANTS {
            for leg in [Leg::Base, Leg::Quote] {
                let Some(order) = reach(kind, state).and_then(|order| frozen(&order, leg, start())) else { continue };
                for command in Command::all(&order) {
                    if command.name().starts_with("chain: deposit re") {
                        continue;
                    }
                    tried += 1;
                    let paid = command.name() == "buyer: mark paid" && *state == "AWAITING_PAYMENT" && !kind.automatic;
                    // Deposits fund a frozen order but do not change its state.
                    let held = (kind == AUTOMATIC_SELL && command.name() == "chain: payment funded")
                        || (kind == AUTOMATIC_BUY && command.name() == "chain: deposit funded");
                    match command.try_on(&order, &inputs(start() + FROZEN_FOR - instant())) {
                        Ok(Applied::Done(done)) => {
                            assert!(paid || held, "{} {state} {}", kind.name(), command.name());
                            assert!(done.order.frozen.is_some());
                            assert!(!held || done.order.state == order.state);
                            assert!(!done.effects.iter().any(|effect| matches!(effect, Effect::Payout(_))));
                        }
                        _ => assert!(!paid && !held, "{} {state} {}", kind.name(), command.name()),
                    }
                }
            }
        }
    }
    assert!(tried > 100);
}

#[test]
fn an_order_pays_out_at_most_once() {
    for (_, order, command, _, _, inputs) in cases() {
        let Ok(Applied::Done(done)) = command.try_on(&order, &inputs) else { continue };
        let payouts = done.effects.iter().filter(|effect| matches!(effect, Effect::Payout(_))).count();
        assert!(payouts <= 1);
        if order.state.payout().is_some() && order.progress.voided.is_none() {
            assert_eq!(payouts, 0, "{}", command.name());
            assert_eq!(done.order.state.payout(), order.state.payout(), "{}", command.name());
        }
        for effect in &done.effects {
            if let Effect::Payout(intent) = effect {
                assert_eq!(done.order.state.payout(), Some(intent.id));
                let release = intent.purpose == Purpose::Release(order.id);
                let legs = if release && order.terms.automatic() { 2 } else { 1 };
                assert_eq!(intent.legs.len(), legs, "both legs of an automatic order, or neither");
                assert_eq!(release, matches!(done.order.state, State::Releasing { .. }));
            }
        }
    }
}
