//! Sends the emails about notifications, and to advertisers whose accounts are on hold, each about an automatic order whose coins
//! were released meanwhile. The worker does this after the cause was committed, so that no order waits for the mail server.

use std::collections::BTreeMap;

use domain::clock::Timestamp;
use domain::ids::{OrderId, UserId};
use domain::notifications::{self, Category};
use domain::orders::{Order, Terms};
use domain::refusal::Shown;
use domain::trade::{Coin, Leg};
use store::emails::{self, Cause, ClaimedEmail};
use store::identity::accounts::{self, Account};
use store::outbox::StoredEvent;
use store::{Tx, orders, users};

use super::message::{OrderLine, notification_message};
use super::released_order::{ReleasedOrder, released_order_message};
use super::{Subject, order_of, subject};
use crate::mail::{Delivery, EmailMessage, Mail};
use crate::memory::reference_data::ReferenceData;
use crate::{Context, Result};

/// The age up to which a notification is emailed, if the mail server did not accept the email at once.
const MAX_AGE: chrono::Duration = chrono::Duration::hours(24);

/// The most emails to a user in one category in an hour: nobody can fill the mailbox of another user, or keep the mail server from
/// sending to others. Emails about the security of accounts do not count.
const MOST_AN_HOUR: i64 = 20;

/// The number of tries after which an email is not sent that the mail server refuses for good.
const TRIES_IF_REFUSED: u32 = 6;

/// Sends the next email that is due; `url` is the address of the web app. Returns `false` if none is. An email that the mail
/// server does not accept for every address is due again later, for the others. One that asks for what is done is not sent.
/// If the process dies before it records that an email was sent, the email is sent again.
pub async fn send_next(context: &Context, mail: &dyn Mail, url: &str) -> Result<bool> {
    let (mut tx, now) = context.begin().await?;
    let Some(email) = emails::claim(&mut tx, now).await? else {
        tx.rollback().await?;
        return Ok(false);
    };
    // An email that cannot be written is due later, and does not keep the others waiting.
    tx.commit().await?;
    let (mut tx, now) = context.begin().await?;
    let messages = messages(context, &mut tx, &email, (url, now)).await?;
    if messages.is_empty() {
        emails::delete(&mut tx, email.id).await?;
    }
    tx.commit().await?;
    let (mut failed, mut refused) = (None, false);
    for message in messages.into_iter().filter(|message| !email.accepted.contains(&message.to)) {
        let to = message.to.clone();
        // Nobody misses the email because another address is refused.
        match mail.send(message).await {
            Ok(Delivery::Accepted) => {
                let (mut tx, _) = context.begin().await?;
                emails::accepted(&mut tx, email.id, &to).await?;
                tx.commit().await?;
            }
            Ok(Delivery::Refused) => refused = true,
            Err(error) => failed = Some(error),
        }
    }
    if let Some(error) = failed {
        return Err(error);
    }
    if !refused {
        let (mut tx, now) = context.begin().await?;
        emails::sent(&mut tx, email.id, now).await?;
        tx.commit().await?;
    } else if email.tries >= TRIES_IF_REFUSED && !email.urgent {
        let (mut tx, _) = context.begin().await?;
        emails::delete(&mut tx, email.id).await?;
        tx.commit().await?;
    }
    Ok(true)
}

/// Returns whether the user has got enough emails of a category for now.
async fn is_enough(tx: &mut Tx, email: &ClaimedEmail, category: Category) -> Result<bool> {
    if email.urgent || email.tries > 1 {
        return Ok(false);
    }
    let since = email.written_at.checked_sub_signed(chrono::Duration::hours(1)).unwrap_or(email.written_at);
    let tried = emails::tried_since(tx, (email.user, category), since, email.id, MOST_AN_HOUR).await?;
    Ok(tried >= MOST_AN_HOUR)
}

/// Writes an email to each of its addresses; to none if it no longer helps.
async fn messages(
    context: &Context,
    tx: &mut Tx,
    email: &ClaimedEmail,
    (url, now): (&str, Timestamp),
) -> Result<Vec<EmailMessage>> {
    let reference_data = &context.reference_data(tx).await?.data;
    let Some(account) = accounts::read(tx, email.user).await? else { return Ok(Vec::new()) };
    let language = accounts::language(tx, email.user).await?.unwrap_or_default();
    match &email.cause {
        Cause::ReleasedDuringHold(order) => {
            let Some(order) = orders::read(tx, &[*order]).await?.pop() else { return Ok(Vec::new()) };
            let released = released(reference_data, &order);
            Ok(addresses(&account).map(|to| released_order_message(to, &released, &language)).collect())
        }
        Cause::Notification(event) => {
            let Some((category, about, order)) = current(tx, email.user, event, now).await? else {
                return Ok(Vec::new());
            };
            if is_enough(tx, email, category).await? {
                return Ok(Vec::new());
            }
            let line = order.as_ref().map(|order| OrderLine {
                base: shown(reference_data, &order.terms, Leg::Base, order.terms.base),
                quote: shown(reference_data, &order.terms, Leg::Quote, order.terms.quote),
                due_at: order.due_at().filter(|_| matches!(category, Category::NewOrder | Category::ActionNeeded)),
                state: (&order.state).into(),
            });
            let text = notification_message(&about, category, line.as_ref(), &language, url);
            // Whoever has taken the account over may have changed the address.
            let held = users::read(tx, &[email.user]).await?.pop().is_some_and(|user| user.hold(now).is_some());
            let to_both = match category {
                Category::Security => true,
                Category::ActionNeeded | Category::Appeal | Category::Funds => held,
                _ => false,
            };
            let to = addresses(&account).take(if to_both { 2 } else { 1 });
            Ok(to.map(|to| EmailMessage { to: to.to_owned(), ..text.clone() }).collect())
        }
    }
}

/// Returns what a notification is about and its order; `None` if it is too old, or asks for what is done.
async fn current(
    tx: &mut Tx,
    user: UserId,
    event: &StoredEvent,
    now: Timestamp,
) -> Result<Option<(Category, Subject, Option<Order>)>> {
    let Some(category) = event.category else { return Ok(None) };
    if category != Category::Security && now.signed_duration_since(event.at) > MAX_AGE {
        return Ok(None);
    }
    let order = match order_of(event) {
        Some(id) => orders::read(tx, &[id]).await?.pop(),
        None => None,
    };
    let by_id: BTreeMap<OrderId, Order> = order.iter().map(|order| (order.id, order.clone())).collect();
    let Some(about) = subject(event, &by_id) else { return Ok(None) };
    let helps = order.as_ref().is_none_or(|order| {
        order.terms.party(user).is_some_and(|reader| notifications::is_current(category, order, reader))
    });
    Ok(helps.then_some((category, about, order)))
}

/// Returns the account's address, and the one that it had before the hold.
fn addresses(account: &Account) -> impl Iterator<Item = &str> {
    [Some(account.email.as_str()), account.former_email.as_deref()].into_iter().flatten()
}

fn released(reference_data: &ReferenceData, order: &Order) -> ReleasedOrder {
    let terms = &order.terms;
    ReleasedOrder {
        order: order.id,
        advert: terms.advert,
        base: shown(reference_data, terms, Leg::Base, terms.base),
        quote: shown(reference_data, terms, Leg::Quote, terms.quote),
    }
}

/// Returns the amount of a leg with the code of its coin, such as `4 MEC`.
fn shown(reference_data: &ReferenceData, terms: &Terms, leg: Leg, coin: Coin) -> String {
    let amount = Shown { amount: terms.amount(leg), decimals: coin.decimals };
    let pair = || reference_data.pairs.get(&terms.pair).filter(|_| leg == Leg::Base).map(|pair| &pair.base);
    // An NFT is named by its album.
    let asset = reference_data.assets.get(&coin.asset).or_else(pair);
    let code = asset.map_or("", |asset| asset.code.as_str());
    format!("{amount} {code}")
}
