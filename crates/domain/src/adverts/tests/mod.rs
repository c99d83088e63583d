//! Fixtures: adverts in every state, reached through commands and events.

mod life;
mod outages;
mod revocation;
pub(crate) mod table;

use chrono::Duration;
use strum::VariantNames;
use uuid::Uuid;

use super::*;
use crate::applied::Applied;
use crate::clock::Timestamp;
use crate::effect::{OrderChange, PrepaymentChange};
use crate::ids::{AdvertId, PaymentMethodId};
use crate::money::{Amount, Price};
pub(crate) use crate::orders::tests::{
    ADVERTISER, AUTOMATIC_BUY, AUTOMATIC_SELL, BASE, FRESH, Kind, MANUAL_BUY, MANUAL_SELL, QUOTE, amount, instant,
    payout, start, user, windows,
};
use crate::refusal::Refusal;
use crate::trade::{Coin, Method, Side};
use crate::users::ReceivingAddress;

pub(crate) fn terms(kind: Kind) -> Terms {
    let coin = kind.automatic;
    let receiving =
        ReceivingAddress { address: crate::chain::Address([7; 20]).to_string(), chain_type: "ERC20".to_owned() };
    let method = Method { id: PaymentMethodId(Uuid::from_u128(70)), kind: "ALIPAY".to_owned() };
    Terms {
        prepayment: None,
        owner: user(ADVERTISER),
        side: kind.side,
        automatic: kind.automatic,
        pair: crate::assets::PairId(1),
        base: Coin { asset: BASE, decimals: 18, return_gas: amount(5) },
        quote: Coin { asset: QUOTE, decimals: 6, return_gas: amount(7) },
        price: Price::parse("2").unwrap(),
        quantity: amount(1_000),
        total: amount(2_000),
        min_total: amount(10),
        max_total: amount(2_000),
        methods: if coin { Vec::new() } else { vec![method] },
        receiving: (coin && kind.side == Side::Sell).then_some(receiving),
        bound: crate::chain::Address([1; 20]),
        options: Options::default(),
        windows: windows(),
        created_at: start(),
    }
}

pub(crate) fn inputs(now: Timestamp) -> AdvertInputs {
    AdvertInputs { now, payout: payout(FRESH), covered: false, owner_online: true, owner_may_withdraw: true }
}

pub(crate) fn transition(result: Result<Applied<Transition>, Refusal>) -> Transition {
    match result {
        Ok(Applied::Done(transition)) => *transition,
        other => panic!("not done: {other:?}"),
    }
}

pub(crate) fn posted(kind: Kind) -> Advert {
    post(AdvertId(Uuid::from_u128(50)), terms(kind), true).unwrap().advert
}

pub(crate) fn by(advert: &Advert) -> AdvertCaller {
    AdvertCaller { user: advert.terms.owner, seen: advert.version }
}

pub(crate) fn act(advert: &Advert, act: AdvertCommand) -> Transition {
    transition(decide(advert, &by(advert), &act, &inputs(start())))
}

pub(crate) fn event(advert: &Advert, event: Event) -> Transition {
    transition(react(advert, &event, &inputs(start())))
}

pub(crate) fn online(kind: Kind) -> Advert {
    let advert = posted(kind);
    match advert.state {
        State::Creating { .. } => event(&advert, Event::DepositFunded).advert,
        _ => advert,
    }
}

/// Returns the event of an order for this quantity. At a price of two, the order takes the corresponding escrow.
pub(crate) fn order_of(advert: &Advert, quantity: i128) -> Event {
    let escrow = match (advert.terms.side, advert.terms.automatic) {
        (Side::Sell, _) => quantity,
        (Side::Buy, true) => quantity * 2,
        (Side::Buy, false) => 0,
    };
    Event::OrderPlaced { quantity: amount(quantity), escrow: amount(escrow) }
}

pub(crate) fn ordered(advert: &Advert, quantity: i128) -> Advert {
    event(advert, order_of(advert, quantity)).advert
}

/// Returns the event of undoing an order of this size.
pub(crate) fn reverted(advert: &Advert, quantity: i128) -> Event {
    match order_of(advert, quantity) {
        Event::OrderPlaced { quantity, escrow } => {
            Event::OrderChanged(OrderChange { quantity, escrow, ended: true, prepayment: PrepaymentChange::Unchanged })
        }
        other => other,
    }
}

pub(crate) fn completed() -> Event {
    Event::OrderChanged(OrderChange {
        quantity: Amount::ZERO,
        escrow: Amount::ZERO,
        ended: true,
        prepayment: PrepaymentChange::Unchanged,
    })
}

/// Returns an advert of this kind in this state; `None` if the kind has no such state.
pub(crate) fn reach(kind: Kind, state: &str) -> Option<Advert> {
    let confirmed = Event::ReturnConfirmed { payout: payout(FRESH) };
    let ended = || {
        let revoked = act(&online(kind), AdvertCommand::Cancel).advert;
        if revoked.state.ended() { revoked } else { event(&revoked, confirmed).advert }
    };
    let advert = match state {
        "CREATING" => posted(kind),
        "ONLINE" => online(kind),
        "OFFLINE" => event(&online(kind), Event::Switched { online: false }).advert,
        "REVOKING" => act(&ordered(&online(kind), 400), AdvertCommand::Cancel).advert,
        "CANCELLED" => ended(),
        "DELETED" => act(&ended(), AdvertCommand::Delete).advert,
        _ => return None,
    };
    (advert.state.into_str() == state).then_some(advert)
}

pub(crate) fn minutes(minutes: i64) -> Duration {
    Duration::minutes(minutes)
}
