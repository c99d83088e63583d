//! Compares the pictures of orders with those of other orders. The worker does this after they were attached, so that no command
//! and no message waits for it.

use std::collections::{BTreeMap, BTreeSet};

use domain::effect::Notice;
use domain::files::Attachment;
use domain::ids::{OrderId, UserId};
use domain::orders::Order;
use store::pictures;

use crate::engine::changes::order_notification;
use crate::memory::feed::Change;
use crate::{Context, Result};

/// The maximum number of pictures that one transaction compares.
const BATCH: i64 = 10;

/// Compares pictures that wait for it, in the order in which they were attached, and notifies the other party of each that was
/// used before. Returns their number: 0 if none waits or if another process compares pictures.
pub async fn compare(context: &Context) -> Result<usize> {
    let (mut tx, now) = context.begin().await?;
    if !pictures::lock(&mut tx).await? {
        return Ok(0);
    }
    let waiting = pictures::uncompared(&mut tx, BATCH).await?;
    let mut used = Vec::new();
    for file in &waiting {
        let Some(Attachment::Order { order, purpose }) = file.attached else { continue };
        if pictures::was_used(&mut tx, file, order, purpose).await? {
            used.push((file.id, file.owner, order));
        }
        pictures::remember(&mut tx, file, purpose).await?;
    }
    let told = others(&mut tx, &used).await?;
    // Users are locked before other rows.
    let users: BTreeSet<_> = told.keys().map(|(user, _)| *user).collect();
    store::users::lock(&mut tx, &users.iter().copied().collect::<Vec<_>>()).await?;
    let all: Vec<_> = waiting.iter().map(|file| file.id).collect();
    let used: Vec<_> = used.iter().map(|(file, ..)| *file).collect();
    pictures::compared(&mut tx, &all, &used).await?;
    let events: Vec<_> = told
        .iter()
        .map(|((user, _), order)| order_notification(*user, order, Notice::PictureUsedBefore, None))
        .collect();
    store::outbox::write(&mut tx, &events, now).await?;
    tx.commit().await?;
    context.changed(&users.into_iter().map(Change::User).collect::<Vec<_>>());
    Ok(all.len())
}

/// Returns the other parties of the orders of these files and their owners, each order once.
async fn others<T>(tx: &mut store::Tx, files: &[(T, UserId, OrderId)]) -> Result<BTreeMap<(UserId, OrderId), Order>> {
    let orders: BTreeSet<_> = files.iter().map(|(.., order)| *order).collect();
    let orders: Vec<_> = orders.into_iter().collect();
    let orders = store::orders::read(tx, &orders).await?;
    let other = |owner: UserId, id: OrderId| {
        let order = orders.iter().find(|order| order.id == id)?;
        Some(((order.terms.user(order.terms.party(owner)?.other()), id), order.clone()))
    };
    Ok(files.iter().filter_map(|(_, owner, order)| other(*owner, *order)).collect())
}
