//! Messages by the parties of orders and by strangers, and parties who read them.

use app::Error;
use app::talk::{KEPT_OPEN, Talk, Viewer, Window};
use domain::ids::{OrderId, UserId};
use domain::orders::Order;
use domain::refusal::Refusal;
use domain::trade::Party;

use crate::draws::Draws;
use crate::wire::Fault;
use crate::world::{Intent, unexplained};
use crate::{Bug, Result, World};

super::actions! {
    "talk", 40, talk;
    "talk on a dying server", 8, talk_on_a_dying_server;
    "talk on two servers", 8, talk_on_two_servers;
    "read a conversation", 20, read;
}

/// The number of database requests within which a fault usually happens while a message is sent.
const REQUESTS: usize = 16;

const TEXTS: [&str; 4] = ["Hello", "I have paid.", "放币吧，谢谢", "Please release first: t.me/somebody"];

async fn talk(world: &mut World, draws: &mut Draws) -> Result<()> {
    let messages = messages(world, draws);
    let strangers = strangers(world, &messages);
    world.submit(messages, None).await?;
    if strangers.iter().any(|key| world.commands.executed.contains_key(key)) {
        return Err(Bug("a stranger has talked in a conversation of others".to_owned()));
    }
    Ok(())
}

async fn talk_on_a_dying_server(world: &mut World, draws: &mut Draws) -> Result<()> {
    let messages = messages(world, draws);
    let fault = if draws.chance(50) { Fault::CutBefore } else { Fault::CutAfter };
    world.submit(messages, Some((fault, requests(draws)))).await
}

async fn talk_on_two_servers(world: &mut World, draws: &mut Draws) -> Result<()> {
    let (first, second) = (messages(world, draws), messages(world, draws));
    world.submit_to_both(first, second, requests(draws)).await
}

fn requests(draws: &mut Draws) -> u32 {
    u32::try_from(draws.below(REQUESTS)).expect("a small number")
}

/// Messages about one order, some of them sent twice.
fn messages(world: &mut World, draws: &mut Draws) -> Vec<Intent> {
    let Some(order) = order(world, draws) else { return Vec::new() };
    let (id, parties) = (order.id, [order.terms.buyer(), order.terms.seller()]);
    let mut messages: Vec<Intent> = Vec::new();
    for _ in 0..draws.size(4) {
        let user = if draws.chance(90) { *draws.pick(&parties).expect("a party") } else { anyone(world, draws) };
        let text = draws.pick(&TEXTS).expect("a text");
        messages.push(world.commands.say(user, id, text));
    }
    if draws.chance(20) {
        messages.extend(messages.first().cloned());
    }
    messages
}

/// Usually an open order.
fn order(world: &World, draws: &mut Draws) -> Option<Order> {
    let open = world.mirror.open_orders();
    let all: Vec<_> = world.mirror.orders.values().collect();
    let order = if draws.chance(80) && !open.is_empty() { draws.pick(&open) } else { draws.pick(&all) };
    order.map(|order| (*order).clone())
}

fn anyone(world: &World, draws: &mut Draws) -> UserId {
    draws.pick(&world.users).expect("a user").user.id
}

/// Returns the keys of the messages by users who are no party of the order.
fn strangers(world: &World, messages: &[Intent]) -> Vec<String> {
    let strange = messages.iter().filter(|intent| match intent {
        Intent::Say { user, order, .. } => world.mirror.orders[order].terms.party(*user).is_none(),
        _ => false,
    });
    strange.map(|intent| intent.key().to_owned()).collect()
}

/// Somebody reads a conversation: a party sees all of it and has then read it, and nobody else sees it.
async fn read(world: &mut World, draws: &mut Draws) -> Result<()> {
    let Some(order) = order(world, draws) else { return Ok(()) };
    let user = match draws.below(5) {
        0 => anyone(world, draws),
        1 | 2 => order.terms.user(Party::Buyer),
        _ => order.terms.user(Party::Seller),
    };
    let party = order.terms.party(user).is_some();
    let talk = Talk::new(world.servers[1].clone(), KEPT_OPEN);
    match talk.page(Viewer::User(user), order.id, Window::After(0), i64::MAX).await {
        Ok(page) if party => {
            let numbers: Vec<_> = page.entries.iter().map(|entry| entry.number).collect();
            if numbers != (1..=page.last).collect::<Vec<_>>() {
                return Err(Bug(format!("the conversation of {} has the entries {numbers:?}", order.id)));
            }
        }
        Err(Error::Refused(Refusal::OrderMissing)) if !party => {}
        Ok(_) => return Err(Bug(format!("{user} sees the conversation of {}", order.id))),
        Err(error) => return Err(unexplained("reading a conversation", &error)),
    }
    match mark(&talk, draws, user, order.id).await {
        Ok(unread) if party && unread == 0 => Ok(()),
        Err(Error::Refused(Refusal::OrderMissing)) if !party => Ok(()),
        Ok(unread) => Err(Bug(format!("{user} has {unread} unread messages of {} after reading", order.id))),
        Err(error) => Err(unexplained("marking a conversation", &error)),
    }
}

async fn mark(talk: &Talk, draws: &mut Draws, user: UserId, order: OrderId) -> app::Result<u32> {
    talk.mark_delivered(user, order, draws.chance(50).then_some(2)).await?;
    Ok(talk.mark_read(user, order, None).await?.unread)
}
