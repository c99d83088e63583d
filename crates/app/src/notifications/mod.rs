//! Notifications: their list, the channels that users choose, and their emails.

pub mod emails;
mod message;
mod released_order;
mod texts;

use std::collections::BTreeMap;

use domain::clock::Timestamp;
use domain::effect::Notice;
use domain::ids::{AdvertId, OrderId, PayoutId, UserId};
use domain::money::Amount;
use domain::notifications::{AccountChange, Category, Channel};
use domain::orders::Order;
use domain::refusal::Refusal;
use domain::trade::Party;
use serde::Deserialize;
use serde_json::json;
use store::notifications as rows;
use store::outbox::{OutboxEvent, StoredEvent};

use crate::memory::assets::{Assets, TradedAssets};
use crate::{Context, Result};

pub use store::notifications::Filter;

/// The maximum number of notifications that are read at once.
const PAGE_SIZE: i64 = 20;
/// The highest number of unread notifications that is counted.
const MOST_UNREAD: i64 = 99;

/// The time in which users get at most one email about turning off emails.
const EMAILS_OFF_PERIOD: chrono::Duration = chrono::Duration::hours(24);

/// What a notification is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Subject {
    Order {
        id: OrderId,
        notice: Notice,
        /// What the reader is in the order.
        reader: Party,
        /// The party that caused it; `None` for the platform.
        author: Option<Party>,
    },
    Advert {
        id: AdvertId,
        notice: Notice,
    },
    /// An officer decided the user's application for certification.
    Certification {
        approved: bool,
    },
    /// The platform took the user offline, because orders went unanswered.
    TakenOffline,
    AccountChanged(AccountChange),
    /// The user requested a withdrawal.
    Withdrawal,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notification {
    /// Grows with time, with gaps.
    pub number: i64,
    pub at: Timestamp,
    pub category: Category,
    pub subject: Subject,
    /// What the order trades.
    pub traded: Option<Traded>,
    pub unread: bool,
}

/// What an order trades.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Traded {
    pub assets: TradedAssets,
    pub quantity: Amount,
    pub total: Amount,
}

/// Whether the user is told of a category on a channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Preference {
    pub category: Category,
    pub channel: Channel,
    pub enabled: bool,
    /// Whether the user can change it.
    pub optional: bool,
}

/// With which code an event says that the platform took the user offline.
#[derive(Deserialize)]
enum OfflineCode {
    #[serde(rename = "38")]
    Unanswered,
}

/// How an event's body names its subject.
#[derive(Deserialize)]
#[serde(untagged)]
enum Body {
    Order {
        #[serde(rename = "orderId")]
        order: OrderId,
        notice: Notice,
        #[serde(default)]
        author: Option<Party>,
    },
    Advert {
        #[serde(rename = "advertId")]
        advert: AdvertId,
        notice: Notice,
    },
    Certification {
        certification: String,
    },
    Changed {
        changed: AccountChange,
    },
    Withdrawal {
        #[serde(rename = "withdrawal")]
        _payout: PayoutId,
    },
    Offline(OfflineCode),
}

/// Returns the event that tells a user of a change that protects the account.
pub(crate) fn account_changed(user: UserId, change: AccountChange) -> OutboxEvent {
    let category = Some(Category::Security);
    OutboxEvent { user, kind: "ACCOUNT_CHANGE", body: json!({ "changed": change }), category }
}

/// Returns the event that tells a user of a withdrawal that the user requested.
pub(crate) fn withdrawal_requested(user: UserId, payout: PayoutId) -> OutboxEvent {
    OutboxEvent { user, kind: "ACCOUNT_CHANGE", body: json!({ "withdrawal": payout }), category: Some(Category::Funds) }
}

/// Returns what an event is about; `None` if it concerns no one any more. `orders` contains the orders of the events.
fn subject(event: &StoredEvent, orders: &BTreeMap<OrderId, Order>) -> Option<Subject> {
    Some(match Body::deserialize(&event.body).ok()? {
        Body::Order { order: id, notice, author } => {
            Subject::Order { id, notice, author, reader: orders.get(&id)?.terms.party(event.user)? }
        }
        Body::Advert { advert: id, notice } => Subject::Advert { id, notice },
        Body::Certification { certification } => Subject::Certification { approved: certification == "APPROVED" },
        Body::Changed { changed } => Subject::AccountChanged(changed),
        Body::Withdrawal { .. } => Subject::Withdrawal,
        Body::Offline(OfflineCode::Unanswered) => Subject::TakenOffline,
    })
}

/// Returns the ID of the order that an event is about.
fn order_of(event: &StoredEvent) -> Option<OrderId> {
    match Body::deserialize(&event.body).ok()? {
        Body::Order { order, .. } => Some(order),
        _ => None,
    }
}

/// Returns a page of the user's notifications, newest first, and the number before which the next page continues.
pub async fn page(context: &Context, user: UserId, filter: Filter) -> Result<(Vec<Notification>, Option<i64>)> {
    let mut tx = context.store.begin().await?;
    let events = rows::page(&mut tx, user, filter, PAGE_SIZE).await?;
    let ids: Vec<_> = events.iter().filter_map(|(event, _)| order_of(event)).collect();
    let orders = store::orders::read(&mut tx, &ids).await?;
    let orders: BTreeMap<_, _> = orders.into_iter().map(|order| (order.id, order)).collect();
    let data = context.reference_data(&mut tx).await?.data;
    let assets = Assets::load(&mut tx, &data, orders.values().map(|order| order.terms.base.asset)).await?;
    let traded = |event: &StoredEvent| {
        let terms = &orders.get(&order_of(event)?)?.terms;
        let assets = assets.traded(terms.base, terms.quote, terms.prepayment);
        Some(assets.map(|assets| Traded { assets, quantity: terms.quantity, total: terms.total }))
    };
    let full = i64::try_from(events.len()).is_ok_and(|count| count >= PAGE_SIZE);
    let next = events.last().map(|(event, _)| event.number).filter(|_| full);
    let shown = events.iter().filter_map(|(event, unread)| {
        let (number, at, unread) = (event.number, event.at, *unread);
        let (category, subject) = (event.category?, subject(event, &orders)?);
        let traded = traded(event).transpose();
        Some(traded.map(|traded| Notification { number, at, category, subject, traded, unread }))
    });
    Ok((shown.collect::<Result<_>>()?, next))
}

/// Returns the number of unread notifications, up to [`MOST_UNREAD`].
pub async fn unread(context: &Context, user: UserId) -> Result<i64> {
    let mut tx = context.store.begin().await?;
    Ok(rows::unread(&mut tx, user, MOST_UNREAD).await?)
}

/// Records that the user has read the notifications up to a number.
pub async fn mark_read(context: &Context, user: UserId, up_to: i64) -> Result<()> {
    let mut tx = context.store.begin().await?;
    rows::mark_read(&mut tx, user, up_to).await?;
    Ok(tx.commit().await?)
}

/// Returns whether the user is told of each category on each channel.
pub async fn preferences(context: &Context, user: UserId) -> Result<Vec<Preference>> {
    let mut tx = context.store.begin().await?;
    let chosen = rows::preferences(&mut tx, user).await?;
    let all = Category::all().flat_map(|category| Channel::all().map(move |channel| (category, channel)));
    let shown = all.map(|(category, channel)| {
        let enabled = is_on(&chosen, category, channel);
        Preference { category, channel, enabled, optional: category.is_optional(channel) }
    });
    Ok(shown.collect())
}

/// Returns whether a user is told of a category on a channel.
fn is_on(chosen: &[rows::Preference], category: Category, channel: Channel) -> bool {
    let chosen = chosen.iter().find(|one| (one.category, one.channel) == (category, channel));
    chosen.map_or_else(|| category.default_on(channel), |one| one.enabled)
}

/// Turns a channel of a category on or off. Refuses what is not optional.
///
/// Emails let the owner of an account notice a thief. During a hold they cannot be turned off, and the user gets an email about
/// turning them off, at most one in [`EMAILS_OFF_PERIOD`].
pub async fn set_preference(
    context: &Context,
    user: UserId,
    (category, channel): (Category, Channel),
    enabled: bool,
) -> Result<()> {
    if !category.is_optional(channel) {
        return Err(Refusal::Invalid { field: "category", reason: "not optional" }.into());
    }
    let (mut tx, now) = context.begin().await?;
    let row = store::users::lock(&mut tx, &[user]).await?.pop().ok_or(Refusal::SessionInvalid)?;
    let chosen = rows::preferences(&mut tx, user).await?;
    if is_on(&chosen, category, channel) == enabled {
        return Ok(());
    }
    let warns = |category: Category, channel| channel == Channel::Email && category.default_on(channel);
    if warns(category, channel) && !enabled {
        domain::checks::hold(&row, now)?;
        let told = |one: &rows::Preference| {
            let recently = now.signed_duration_since(one.changed_at) < EMAILS_OFF_PERIOD;
            warns(one.category, one.channel) && !one.enabled && recently
        };
        if !chosen.iter().any(told) {
            let event = account_changed(user, AccountChange::NotificationEmails);
            store::outbox::write(&mut tx, &[event], now).await?;
        }
    }
    rows::set_preference(&mut tx, user, (category, channel), enabled, now).await?;
    Ok(tx.commit().await?)
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;
    use serde_json::Value;
    use uuid::Uuid;

    use super::*;

    fn of(body: Value) -> Option<Subject> {
        let (user, at) = (UserId(Uuid::nil()), DateTime::UNIX_EPOCH);
        let event = StoredEvent { user, number: 1, kind: String::new(), body, at, category: None };
        subject(&event, &BTreeMap::new())
    }

    #[test]
    fn the_body_of_an_event_says_what_it_is_about() {
        let id = AdvertId(Uuid::from_u128(2));
        let advert = Subject::Advert { id, notice: Notice::AdvertFrozen };
        assert_eq!(of(advert_body(id)), Some(advert));
        assert_eq!(of(json!({"certification": "APPROVED"})), Some(Subject::Certification { approved: true }));
        assert_eq!(of(json!({"certification": "REJECTED"})), Some(Subject::Certification { approved: false }));
        assert_eq!(of(json!("38")), Some(Subject::TakenOffline));
        let changed = account_changed(UserId(Uuid::nil()), AccountChange::EmailAddress);
        assert_eq!(of(changed.body), Some(Subject::AccountChanged(AccountChange::EmailAddress)));
    }

    fn advert_body(id: AdvertId) -> Value {
        crate::engine::changes::advert_notification(UserId(Uuid::nil()), id, Notice::AdvertFrozen).body
    }

    #[test]
    fn what_users_did_themselves_and_orders_that_are_not_read_are_about_nothing() {
        assert_eq!(of(json!("37")), None);
        assert_eq!(of(json!({"orderId": Uuid::nil(), "notice": "ORDER_PAID"})), None);
    }
}
