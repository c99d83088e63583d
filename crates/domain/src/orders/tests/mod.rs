//! Fixtures: orders in every state, reached through commands and events.

mod appeals;
mod deadlines;
mod money;
mod movements;
mod officer;
mod outages;
mod parties;
mod rows;
mod slowness;
pub(crate) mod table;
mod users;

use chrono::{Duration, TimeZone, Utc};
use strum::{VariantArray, VariantNames};
use uuid::Uuid;

use super::*;
use crate::applied::Applied;
use crate::assets::{AssetId, PairId, Windows};
use crate::chain::Address;
use crate::clock::Timestamp;
use crate::ids::{AdvertId, AppealId, FileId, OrderId, PaymentMethodId, PayoutId, UserId};
use crate::money::{Amount, Price};
use crate::refusal::Refusal;
use crate::reputation::ReputationStanding;
use crate::trade::{Coin, Leg, Method, Party, Payment, Side};
use crate::users::ReceivingAddress;

/// Returns the time at which every test starts.
pub(crate) fn start() -> Timestamp {
    Utc.with_ymd_and_hms(2026, 11, 20, 12, 0, 0).unwrap()
}

/// Returns the smallest difference between two times.
pub(crate) fn instant() -> Duration {
    Duration::nanoseconds(1)
}

pub(crate) fn amount(units: i128) -> Amount {
    Amount::new(units).unwrap()
}

pub(crate) fn user(number: u128) -> UserId {
    UserId(Uuid::from_u128(number))
}

pub(crate) fn payout(number: u128) -> PayoutId {
    PayoutId(Uuid::from_u128(number))
}

pub(crate) const ADVERTISER: u128 = 1;
pub(crate) const TAKER: u128 = 2;
/// The payout ID in the `inputs` of these tests.
pub(crate) const FRESH: u128 = 900;
pub(crate) const BASE: AssetId = AssetId(1);
pub(crate) const QUOTE: AssetId = AssetId(2);

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Kind {
    pub(crate) side: Side,
    pub(crate) automatic: bool,
}

impl Kind {
    pub(crate) const ALL: [Self; 4] = [
        Self { side: Side::Sell, automatic: false },
        Self { side: Side::Buy, automatic: false },
        Self { side: Side::Sell, automatic: true },
        Self { side: Side::Buy, automatic: true },
    ];

    pub(crate) fn name(self) -> &'static str {
        match (self.side, self.automatic) {
            (Side::Sell, false) => "manual sell",
            (Side::Buy, false) => "manual buy",
            (Side::Sell, true) => "automatic sell",
            (Side::Buy, true) => "automatic buy",
        }
    }
}

pub(crate) const MANUAL_SELL: Kind = Kind::ALL[0];
pub(crate) const MANUAL_BUY: Kind = Kind::ALL[1];
pub(crate) const AUTOMATIC_SELL: Kind = Kind::ALL[2];
pub(crate) const AUTOMATIC_BUY: Kind = Kind::ALL[3];

pub(crate) fn windows() -> Windows {
    Windows {
        acceptance: Duration::minutes(5),
        advert_deposit: Duration::minutes(30),
        order_deposit: Duration::minutes(15),
        payment: Duration::minutes(20),
        confirmation: Duration::minutes(25),
        grace: Duration::minutes(10),
    }
}

pub(crate) fn terms(kind: Kind) -> Terms {
    let receiving = ReceivingAddress { address: Address([7; 20]).to_string(), chain_type: "ERC20".to_owned() };
    let payment = match (kind.automatic, kind.side) {
        (true, _) => Payment::Automatic { to: Address([7; 20]), chain_type: receiving.chain_type },
        (false, Side::Sell) => {
            Payment::Method(Method { id: PaymentMethodId(Uuid::from_u128(70)), kind: "ALIPAY".to_owned() })
        }
        (false, Side::Buy) => Payment::Transfer(receiving),
    };
    Terms {
        prepayment: None,
        advert: AdvertId(Uuid::from_u128(50)),
        pair: PairId(1),
        base: Coin { asset: BASE, decimals: 18, return_gas: amount(5) },
        quote: Coin { asset: QUOTE, decimals: 6, return_gas: amount(7) },
        side: kind.side,
        advertiser: user(ADVERTISER),
        taker: user(TAKER),
        quantity: amount(1_000),
        price: Price::parse("2").unwrap(),
        total: amount(2_000),
        fee: amount(10),
        payment,
        payer: None,
        buyer_bound: Address([1; 20]),
        seller_bound: Address([2; 20]),
        windows: windows(),
        created_at: start(),
    }
}

pub(crate) fn inputs(now: Timestamp) -> OrderInputs {
    OrderInputs {
        now,
        payout: payout(FRESH),
        appeal: AppealId(Uuid::from_u128(FRESH)),
        covered: false,
        payment: PaymentEvidence::Nothing,
        seller_has_funding_request: false,
        paused: false,
    }
}

pub(crate) fn placed(kind: Kind) -> Order {
    open(OrderId(Uuid::from_u128(60)), terms(kind)).unwrap().order
}

pub(crate) fn transition(result: Result<Applied<Transition>, Refusal>) -> Transition {
    match result {
        Ok(Applied::Done(transition)) => *transition,
        other => panic!("not done: {other:?}"),
    }
}

pub(crate) fn by(order: &Order, party: Party) -> OrderCaller {
    OrderCaller { user: order.terms.user(party), seen: order.version, proofs: Proofs::ALL, held_until: None }
}

pub(crate) fn act(order: &Order, party: Party, act: &OrderCommand, now: Timestamp) -> Transition {
    transition(decide(order, &by(order, party), act, &inputs(now)))
}

pub(crate) fn event(order: &Order, event: &Event, now: Timestamp) -> Transition {
    transition(react(order, event, &inputs(now)))
}

pub(crate) fn mark_paid() -> OrderCommand {
    OrderCommand::MarkPaid { method: None, reference: Some("42".to_owned()), hash: None, receipts: Vec::new() }
}

/// Returns each command that a party may send.
pub(crate) fn every_command() -> [OrderCommand; 11] {
    [
        OrderCommand::Accept,
        OrderCommand::Reject { reason: None },
        OrderCommand::Cancel,
        OrderCommand::AskCancel,
        OrderCommand::AgreeCancel,
        mark_paid(),
        OrderCommand::Confirm,
        OrderCommand::Recover,
        appeal(),
        OrderCommand::AddEvidence(pictures(81..82)),
        OrderCommand::WithdrawAppeal,
    ]
}

/// Returns an appeal that fits every order.
pub(crate) fn appeal() -> OrderCommand {
    OrderCommand::Appeal { reason: AppealReason::Unresponsive, description: None, evidence: pictures(80..81) }
}

pub(crate) fn pictures(numbers: std::ops::Range<u128>) -> NewEvidence {
    NewEvidence { pictures: numbers.map(|number| FileId(Uuid::from_u128(number))).collect(), videos: Vec::new() }
}

/// The delay of verdicts in these tests.
pub(crate) fn verdict_delay() -> Duration {
    Duration::hours(24)
}

pub(crate) fn verdict(winner: Party) -> AppealDecision {
    let note = "The bank confirms it.".to_owned();
    AppealDecision::Verdict { winner, note, malicious: false, delay: verdict_delay() }
}

/// Returns the order under an appeal by the first party that may file one, as soon as it may; `None` if none may.
pub(crate) fn appealed(order: &Order) -> Option<Order> {
    let mut filed = [Party::Seller, Party::Buyer].into_iter().filter_map(|party| {
        match decide(order, &by(order, party), &appeal(), &inputs(order.appeal_from(party)?)) {
            Ok(Applied::Done(done)) => Some(done.order),
            _ => None,
        }
    });
    filed.next()
}

/// Returns the order after a verdict for this party; `None` if the verdict is impossible.
pub(crate) fn decided(order: &Order, winner: Party) -> Option<Order> {
    let filed_at = order.open_appeal()?.filed_at;
    decide_appeal(order, &verdict(winner), &inputs(filed_at)).ok().map(|done| done.order)
}

/// Returns the order after the execution of a verdict for this party.
pub(crate) fn executed(order: &Order, winner: Party) -> Transition {
    let decided = decided(order, winner).unwrap();
    event(&decided, &Event::VerdictDue, decided.due_at().unwrap())
}

/// Returns an order of this kind in this state, with no time elapsed. `None` if the kind has no such state.
pub(crate) fn reach(kind: Kind, state: &str) -> Option<Order> {
    let now = start();
    let order = placed(kind);
    let advertiser = order.terms.advertiser_party();
    let accepted = |order: &Order| match order.state {
        State::AwaitingAcceptance { .. } => act(order, advertiser, &OrderCommand::Accept, now).order,
        _ => order.clone(),
    };
    let deposited = |order: &Order| match order.state {
        State::AwaitingDeposit { .. } => event(order, &Event::DepositFunded, now).order,
        _ => order.clone(),
    };
    let releasing = |order: &Order| {
        let order = deposited(&accepted(order));
        match order.state {
            State::AwaitingPayment { .. } if kind.automatic => event(&order, &Event::PaymentFunded, now).order,
            State::AwaitingPayment { .. } => {
                let paid = act(&order, Party::Buyer, &mark_paid(), now).order;
                act(&paid, Party::Seller, &OrderCommand::Confirm, now).order
            }
            _ => order,
        }
    };
    let (confirmed, revoked) =
        (Event::PayoutConfirmed { payout: payout(FRESH) }, Event::PayoutRevoked { payout: payout(FRESH) });
    let reached = match state {
        "AWAITING_ACCEPTANCE" => order,
        "AWAITING_DEPOSIT" => accepted(&order),
        "AWAITING_PAYMENT" => deposited(&accepted(&order)),
        "AWAITING_CONFIRMATION" if !kind.automatic => {
            act(&deposited(&accepted(&order)), Party::Buyer, &mark_paid(), now).order
        }
        "RELEASING" => releasing(&order),
        "RELEASE_REVOKED" => event(&releasing(&order), &revoked, now).order,
        "COMPLETED" => event(&releasing(&order), &confirmed, now).order,
        "REFUNDING" if kind == MANUAL_BUY => {
            act(&deposited(&accepted(&order)), Party::Buyer, &OrderCommand::Cancel, now).order
        }
        // Only a verdict refunds an automatic order that was being released.
        "REFUNDING" if kind.automatic => executed(&voided(&releasing(&order))?, Party::Seller).order,
        "CANCELLED" if kind == MANUAL_BUY => {
            let refunding = act(&deposited(&accepted(&order)), Party::Buyer, &OrderCommand::Cancel, now).order;
            event(&refunding, &confirmed, now).order
        }
        "CANCELLED" => {
            let taker = advertiser.other();
            act(&order, taker, &OrderCommand::Cancel, now).order
        }
        "REJECTED" if !kind.automatic => act(&order, advertiser, &OrderCommand::Reject { reason: None }, now).order,
        _ => return None,
    };
    (reached.state.into_str() == state).then_some(reached)
}

/// Returns the order with its payout voided; `None` if no payout is in flight.
pub(crate) fn voided(order: &Order) -> Option<Order> {
    let paying = matches!(order.state, State::Releasing { .. } | State::Refunding { .. });
    let (base, quote) = (table::carried(order, Leg::Base), table::carried(order, Leg::Quote));
    let payout = order.state.payout().filter(|_| paying)?;
    Some(event(order, &Event::PayoutVoided { payout, base, quote }, start()).order)
}

/// Returns the order after a reorganization removed a leg completely from its escrow.
pub(crate) fn frozen(order: &Order, leg: Leg, now: Timestamp) -> Option<Order> {
    let drawn = order.held(leg);
    (!drawn.is_zero()).then(|| event(order, &Event::DepositRevoked { leg, drawn }, now).order)
}

pub(crate) fn fresh_standing() -> ReputationStanding {
    ReputationStanding { reputation: 100, cancelled_today: 0 }
}
