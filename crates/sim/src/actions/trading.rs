//! Commands on adverts and orders, one at a time and in sets, on healthy servers and on dying ones.
//!
//! Most users do what makes sense in the state that they see, some do anything, and some orders have silent users.

use app::orders::{PlaceOrder, Size};
use app::commands::CommandKind;
use domain::adverts::{Advert, AdvertCommand, Options, State as AdvertState};
use domain::assets::Pair;
use domain::checks::AdvertRequest;
use domain::ids::UserId;
use domain::money::{Amount, Price};
use domain::orders::{Order, OrderCommand, Proofs, State};
use domain::trade::{Party, Side};

use crate::draws::Draws;
use crate::mirror::Request;
use crate::wire::Fault;
use crate::world::Intent;
use crate::{Result, World, takers};

super::actions! {
    "trade", 400, trade;
    "trade on a dying server", 40, trade_on_a_dying_server;
    "trade on two servers", 30, trade_on_two_servers;
    "retry", 25, retry;
    "repeat", 15, repeat;
}

/// The number of database requests within which a fault usually happens in a command.
const REQUESTS: usize = 60;

async fn trade(world: &mut World, draws: &mut Draws) -> Result<()> {
    let set = commands(world, draws);
    world.submit(set, None).await
}

async fn trade_on_a_dying_server(world: &mut World, draws: &mut Draws) -> Result<()> {
    let set = commands(world, draws);
    let fault = if draws.chance(50) { Fault::CutBefore } else { Fault::CutAfter };
    world.submit(set, Some((fault, requests(draws)))).await
}

async fn trade_on_two_servers(world: &mut World, draws: &mut Draws) -> Result<()> {
    let (first, second) = (commands(world, draws), commands(world, draws));
    world.submit_to_both(first, second, requests(draws)).await
}

fn requests(draws: &mut Draws) -> u32 {
    u32::try_from(draws.below(REQUESTS)).expect("a small number")
}

/// Sends commands with unknown outcomes again.
async fn retry(world: &mut World, _draws: &mut Draws) -> Result<()> {
    let unknown = world.commands.unknown.clone();
    world.submit(unknown, None).await
}

/// Sends executed commands again.
async fn repeat(world: &mut World, draws: &mut Draws) -> Result<()> {
    let remembered = world.commands.remembered(world.now());
    let again = (0..draws.size(8)).filter_map(|_| draws.pick(&remembered).cloned()).collect();
    world.submit(again, None).await
}

/// What the users see.
struct View<'a> {
    adverts: Vec<&'a Advert>,
    /// The adverts that take orders.
    online: Vec<&'a Advert>,
    /// The orders that nobody has acted on in this set.
    orders: Vec<&'a Order>,
    requests: Vec<&'a Request>,
}

/// Commands that users send at about the same time, some of them twice.
fn commands(world: &mut World, draws: &mut Draws) -> Vec<Intent> {
    let adverts = world.mirror.open_adverts();
    let mut view = View {
        online: adverts.iter().copied().filter(|advert| takes_orders(advert)).collect(),
        adverts,
        orders: world.mirror.open_orders(),
        requests: world.mirror.requests.values().collect(),
    };
    let wanted: Vec<_> =
        (0..draws.size(world.size.burst)).filter_map(|_| command(world, draws, &mut view)).collect();
    let mut set = Vec::new();
    for (user, what) in wanted {
        let intent = world.commands.trade(user, what);
        if draws.chance(4) {
            set.push(intent.clone());
        }
        set.push(intent);
    }
    set
}

pub(super) fn takes_orders(advert: &Advert) -> bool {
    matches!(advert.state, AdvertState::Online) && advert.frozen.is_none() && !advert.remaining.is_zero()
}

fn command(world: &World, draws: &mut Draws, view: &mut View<'_>) -> Option<(UserId, CommandKind)> {
    let anyone = draws.pick(&world.users)?.user.id;
    // Users post adverts until there is one for every two users.
    let posts = if 2 * view.adverts.len() < world.users.len() { 25 } else { 5 };
    match draws.weighted([posts, 30, 60, 2, 1, 3, 8].into_iter()) {
        0 => {
            let request = advert(world, draws, anyone)?;
            let waits = view.requests.iter().any(|request| request.vault_asset.vault == anyone);
            (!waits || draws.chance(10)).then_some((anyone, CommandKind::PostAdvert(request)))
        }
        1 => {
            let advert = draws.pick(&view.online)?;
            let taker = if anyone == advert.terms.owner { draws.pick(&world.users)?.user.id } else { anyone };
            Some((taker, CommandKind::PlaceOrder(sensible_order(world, draws, advert, taker)?)))
        }
        2 => {
            let place = draws.below(view.orders.len());
            let order = (!view.orders.is_empty()).then(|| view.orders.swap_remove(place))?;
            advance(draws, order)
        }
        3 => advert_command(draws, &view.adverts, anyone),
        4 => Some((anyone, CommandKind::Switch { online: draws.chance(80) })),
        5 => fund_from_balance(world, draws, view, anyone),
        _ => anything(world, draws, view, anyone),
    }
}

fn advert(world: &World, draws: &mut Draws, owner: UserId) -> Option<AdvertRequest> {
    let pair = draws.pick(&world.pairs)?;
    let price = near(price_of(pair), draws, pair)?;
    let quantity = whole(draws.within(1..=20), pair.base.decimals)?;
    let total = pair.total(quantity, price).ok()?;
    let side = if draws.chance(60) { Side::Sell } else { Side::Buy };
    let automatic = !pair.is_fiat() && draws.chance(50);
    let max_total = if draws.chance(50) { total.max(pair.min_total) } else { pair.max_total };
    Some(AdvertRequest {
        automatic,
        methods: if pair.is_fiat() { vec![world.user(owner).account] } else { Vec::new() },
        options: Options {
            taker: takers::requirements(draws, pair),
            ..Options::with_remark(draws.chance(10).then(|| "fast".to_owned()))
        },
        payment_window: draws.chance(20).then(|| chrono::Duration::minutes(draws.within(5..=120))),
        ..AdvertRequest::new(pair.id, side, price, quantity, (pair.min_total, max_total))
    })
}

fn price_of(pair: &Pair) -> &'static str {
    match (pair.base.code.as_str(), pair.quote.code.as_str()) {
        ("MEC", "USDT") => "2.5",
        ("MEC", _) => "3000",
        _ => "1400",
    }
}

/// A price within some percent of another one.
fn near(price: &str, draws: &mut Draws, pair: &Pair) -> Option<Price> {
    let units = Price::parse(price).ok()?.steps();
    let away = i128::from(draws.within(-4..=4));
    Price::new(units + units * away / 100).ok()?.floor(pair.price_decimals)
}

fn whole(count: i64, decimals: u8) -> Option<Amount> {
    Amount::new(i128::from(count) * 10_i128.pow(u32::from(decimals))).ok()
}

/// An order that the advert accepts: everything that remains, or a part of it.
fn sensible_order(world: &World, draws: &mut Draws, advert: &Advert, taker: UserId) -> Option<PlaceOrder> {
    let part = advert.remaining.mul_div_floor(i128::from(draws.within(1..=4)), 4).ok()?.max(Amount::ONE);
    let size = if draws.chance(15) { Size::Total(advert.terms.min_total) } else { Size::Quantity(part) };
    Some(place(world, advert, taker, size, advert.terms.price))
}

pub(super) fn place(world: &World, advert: &Advert, taker: UserId, size: Size, price: Price) -> PlaceOrder {
    let method = match advert.terms.side {
        Side::Sell => advert.terms.methods.first().map(|method| method.id),
        Side::Buy => (!advert.terms.methods.is_empty()).then(|| world.user(taker).account),
    };
    PlaceOrder { method, password_verified: true, ..PlaceOrder::new(advert.id, size, price) }
}

fn mark_paid() -> OrderCommand {
    OrderCommand::MarkPaid { method: None, reference: Some("R-1".to_owned()), hash: None, receipts: Vec::new() }
}

/// What a user of an order does next, if anything.
fn advance(draws: &mut Draws, order: &Order) -> Option<(UserId, CommandKind)> {
    // The users of one order in twelve are silent until they have missed their deadlines.
    if order.id.0.as_bytes().iter().map(|byte| usize::from(*byte)).sum::<usize>().is_multiple_of(12) && draws.chance(90) {
        return None;
    }
    let advertiser = order.terms.advertiser_party();
    // A frozen order refuses almost everything.
    if order.frozen.is_some() && draws.chance(90) {
        return None;
    }
    let choices: Vec<(usize, Party, OrderCommand)> = match order.state {
        State::AwaitingAcceptance { .. } => vec![
            (90, advertiser, OrderCommand::Accept),
            (6, advertiser, OrderCommand::Reject { reason: None }),
            (4, advertiser.other(), OrderCommand::Cancel),
        ],
        // The seller deposits on the chain.
        State::AwaitingDeposit { .. } if draws.chance(95) => return None,
        State::AwaitingDeposit { .. } => {
            vec![(50, Party::Buyer, OrderCommand::Cancel), (50, Party::Seller, OrderCommand::Cancel)]
        }
        // The buyer of an automatic order deposits on the chain.
        State::AwaitingPayment { .. } if order.terms.automatic() && draws.chance(95) => return None,
        State::AwaitingPayment { cancel_asked_at: Some(_), .. } => {
            vec![(50, Party::Buyer, OrderCommand::AgreeCancel), (50, Party::Buyer, mark_paid())]
        }
        State::AwaitingPayment { .. } => vec![
            (90, Party::Buyer, mark_paid()),
            (5, Party::Seller, OrderCommand::AskCancel),
            (5, Party::Buyer, OrderCommand::Cancel),
        ],
        State::AwaitingConfirmation { .. } => {
            vec![(96, Party::Seller, OrderCommand::Confirm), (4, Party::Buyer, OrderCommand::Cancel)]
        }
        State::ReleaseRevoked { .. } => {
            vec![(1, Party::Buyer, OrderCommand::Recover), (1, Party::Seller, OrderCommand::Recover)]
        }
        _ => return None,
    };
    let (_, party, act) = &choices[draws.weighted(choices.iter().map(|(weight, ..)| *weight))];
    Some((order.terms.user(*party), order_command(order, act.clone(), order.version, true)))
}

fn order_command(order: &Order, act: OrderCommand, seen: i64, proven: bool) -> CommandKind {
    let proofs = if proven { Proofs::ALL } else { Proofs::NONE };
    CommandKind::order(order.id, seen, act, proofs)
}

fn advert_command(draws: &mut Draws, adverts: &[&Advert], anyone: UserId) -> Option<(UserId, CommandKind)> {
    let advert = draws.pick(adverts)?;
    let act = match draws.below(8) {
        0..=2 => AdvertCommand::Cancel,
        3 => AdvertCommand::Delete,
        _ => AdvertCommand::Switch { online: draws.chance(80) },
    };
    let user = if draws.chance(95) { advert.terms.owner } else { anyone };
    Some((user, CommandKind::Advert { id: advert.id, seen: advert.version, act }))
}

/// A user gives temporary balance to an open request, usually one that has some.
fn fund_from_balance(
    world: &World,
    draws: &mut Draws,
    view: &View<'_>,
    anyone: UserId,
) -> Option<(UserId, CommandKind)> {
    let rich: Vec<_> = view
        .requests
        .iter()
        .filter(|request| world.mirror.books.balance(request.vault_asset.temporary()) > request.funded.units())
        .collect();
    let request = if draws.chance(90) { *draws.pick(&rich)? } else { draws.pick(&view.requests)? };
    let amount = match draws.below(3) {
        0 => request.shortfall(),
        1 => request.shortfall().mul_div_floor(1, 2).ok()?,
        _ => Amount::ONE,
    };
    let user = if draws.chance(95) { request.vault_asset.vault } else { anyone };
    Some((user, CommandKind::FundFromBalance { target: request.target, amount }))
}

/// A command that is refused in most cases.
fn anything(world: &World, draws: &mut Draws, view: &View<'_>, anyone: UserId) -> Option<(UserId, CommandKind)> {
    if draws.chance(15) {
        let request = advert(world, draws, anyone)?;
        return Some((anyone, CommandKind::PostAdvert(wrong_advert(draws, request)?)));
    }
    if draws.chance(40) {
        let advert = draws.pick(&view.adverts)?;
        let quantity = match draws.below(3) {
            0 => advert.terms.quantity.add(Amount::ONE).ok()?,
            1 => Amount::ONE,
            _ => advert.remaining,
        };
        let price = Price::new(advert.terms.price.steps() + i128::from(draws.chance(30))).ok()?;
        let user = if draws.chance(20) { advert.terms.owner } else { anyone };
        return Some((user, CommandKind::PlaceOrder(place(world, advert, user, Size::Quantity(quantity), price))));
    }
    let orders: Vec<_> = world.mirror.orders.values().collect();
    let order = if draws.chance(70) { draws.pick(&view.orders)? } else { draws.pick(&orders)? };
    let all = [
        OrderCommand::Accept,
        OrderCommand::Reject { reason: None },
        OrderCommand::Cancel,
        OrderCommand::AskCancel,
        OrderCommand::AgreeCancel,
        mark_paid(),
        OrderCommand::Confirm,
        OrderCommand::Recover,
    ];
    let user = *draws.pick(&[order.terms.advertiser, order.terms.taker, anyone])?;
    let seen = order.version - i64::from(draws.chance(20));
    Some((user, order_command(order, draws.pick(&all)?.clone(), seen, draws.chance(80))))
}

fn wrong_advert(draws: &mut Draws, request: AdvertRequest) -> Option<AdvertRequest> {
    Some(match draws.below(5) {
        0 => AdvertRequest { quantity: Amount::ONE, ..request },
        1 => AdvertRequest { price: Price::new(request.price.steps() * 2).ok()?, ..request },
        2 => AdvertRequest { methods: Vec::new(), ..request },
        3 => AdvertRequest { payment_window: Some(chrono::Duration::minutes(1)), ..request },
        _ => AdvertRequest { min_total: request.max_total, max_total: request.min_total, ..request },
    })
}
