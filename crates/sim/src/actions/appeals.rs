//! Parties file, support and withdraw appeals with uploaded evidence, and others try to.

use app::commands::CommandKind;
use domain::files::{Content, GRID, Look, MediaType, StoredFile};
use domain::ids::{FileId, UserId};
use domain::orders::{AppealReason, NewEvidence, Order, OrderCommand, Proofs};
use domain::trade::Party;
use strum::VariantArray;
use uuid::Uuid;

use crate::draws::Draws;
use crate::wire::Fault;
use crate::world::Intent;
use crate::{Bug, Result, World};

super::actions! {
    "appeal", 30, appeal;
    "appeal on a dying server", 6, appeal_on_a_dying_server;
    "appeal on two servers", 6, appeal_on_two_servers;
}

/// The number of database requests within which a fault usually happens in a command.
const REQUESTS: usize = 40;

async fn appeal(world: &mut World, draws: &mut Draws) -> Result<()> {
    let set = commands(world, draws).await;
    let wrong = strangers(world, &set);
    world.submit(set, None).await?;
    if wrong.iter().any(|key| world.commands.executed.contains_key(key)) {
        return Err(Bug("a stranger has changed the appeal of others".to_owned()));
    }
    Ok(())
}

async fn appeal_on_a_dying_server(world: &mut World, draws: &mut Draws) -> Result<()> {
    let set = commands(world, draws).await;
    let fault = if draws.chance(50) { Fault::CutBefore } else { Fault::CutAfter };
    world.submit(set, Some((fault, requests(draws)))).await
}

/// Both parties act at the same time.
async fn appeal_on_two_servers(world: &mut World, draws: &mut Draws) -> Result<()> {
    let (first, second) = (commands(world, draws).await, commands(world, draws).await);
    world.submit_to_both(first, second, requests(draws)).await
}

fn requests(draws: &mut Draws) -> u32 {
    u32::try_from(draws.below(REQUESTS)).expect("a small number")
}

/// A command about one order, sometimes sent twice.
async fn commands(world: &mut World, draws: &mut Draws) -> Vec<Intent> {
    let Some(order) = order(world, draws) else { return Vec::new() };
    let user = match draws.below(20) {
        0 => draws.pick(&world.users).expect("a user").user.id,
        1..=12 => order.terms.user(Party::Seller),
        _ => order.terms.user(Party::Buyer),
    };
    let act = if order.open_appeal().is_some() && draws.chance(90) {
        if draws.chance(30) { OrderCommand::WithdrawAppeal } else { OrderCommand::AddEvidence(evidence(world, draws, user).await) }
    } else {
        let reason = *draws.pick(AppealReason::VARIANTS).expect("a reason");
        let description = draws.chance(80).then(|| "Nothing has arrived.".to_owned());
        OrderCommand::Appeal { reason, description, evidence: evidence(world, draws, user).await }
    };
    let seen = order.version - i64::from(draws.chance(5));
    let intent = world.commands.trade(user, CommandKind::order(order.id, seen, act, Proofs::ALL));
    if draws.chance(20) { vec![intent.clone(), intent] } else { vec![intent] }
}

/// Usually an open order that was accepted.
fn order(world: &World, draws: &mut Draws) -> Option<Order> {
    let open = world.mirror.open_orders();
    let accepted: Vec<_> = open.iter().filter(|order| order.progress.accepted_at.is_some()).collect();
    let order = if draws.chance(90) { draws.pick(&accepted).copied() } else { draws.pick(&open) };
    order.map(|order| (*order).clone())
}

/// Pictures of the user, or now and then of somebody else.
async fn evidence(world: &mut World, draws: &mut Draws, user: UserId) -> NewEvidence {
    let mut pictures = Vec::new();
    for _ in 0..draws.size(3) {
        let owner = if draws.chance(95) { user } else { draws.pick(&world.users).expect("a user").user.id };
        pictures.push(upload(world, draws, owner).await);
    }
    NewEvidence { pictures, videos: Vec::new() }
}

/// Stores the row of an uploaded picture.
async fn upload(world: &World, draws: &mut Draws, owner: UserId) -> FileId {
    let (id, object) = (FileId(random(draws)), random(draws));
    let grid: [u8; GRID * GRID] = std::array::from_fn(|_| u8::try_from(draws.below(256)).expect("a byte"));
    let file = StoredFile {
        id,
        owner,
        object,
        media: MediaType::Jpeg,
        bytes: 1_000,
        content: Content::Image { width: 10, height: 10, look: Look::of(&grid) },
        sha256: [7; 32],
        created_at: world.now(),
        attached: None,
        used_before: false,
    };
    let mut tx = world.market.database.store.begin().await.expect("a transaction");
    store::files::insert_loose_object(&mut tx, object, world.now()).await.expect("an object");
    assert!(store::files::insert(&mut tx, &file).await.expect("a file"));
    tx.commit().await.expect("a commit");
    id
}

fn random(draws: &mut Draws) -> Uuid {
    Uuid::from_u128(u128::from(draws.number()) << 64 | u128::from(draws.number()))
}

/// Returns the keys of the commands of users who are no party of the order.
fn strangers(world: &World, set: &[Intent]) -> Vec<String> {
    let strange = set.iter().filter(|intent| match intent {
        Intent::Trade(command) => match &command.what {
            CommandKind::Order { id, .. } => world.mirror.orders[id].terms.party(intent.user()).is_none(),
            _ => false,
        },
        _ => false,
    });
    strange.map(|intent| intent.key().to_owned()).collect()
}
