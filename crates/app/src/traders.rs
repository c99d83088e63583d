//! Other users: their public pages, favorites and blocks, and feedback about them after trades.

use domain::assets::Asset;
use domain::clock::Timestamp;
use domain::feedback;
use domain::identity::words::ForbiddenWords;
use domain::ids::{AdvertId, OrderId, UserId};
use domain::money::Amount;
use domain::refusal::Refusal;
use domain::reputation::{PERIOD, Record};
use domain::users::Profile;
pub use store::feedback::{Feedback, FeedbackCounts};
pub use store::traders::Relation;
use store::{Tx, traders, users};

use crate::engine::idempotency::{IdempotencyKey, Response};
use crate::market::hall::{self, Face};
use crate::reputation::{records_at, volume_of};
use crate::{Context, Error, Result};

/// The maximum number of favorites of a user. Also that of blocked users: every process keeps all blocks in memory.
const LIST_LIMIT: i64 = 200;

/// The public page of a trader.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TraderPage {
    pub profile: Profile,
    /// The public record of the last 30 days.
    pub record: Record,
    pub joined_at: Timestamp,
    /// The user's description of themselves; empty without one.
    pub remark: String,
    /// The volume of the orders completed in the last 30 days, by base.
    pub volume: Vec<(Asset, Amount)>,
    /// The average time to pay as a buyer in the last 30 days, in seconds; `None` if the user paid nothing.
    pub average_payment: Option<i64>,
    pub feedback: FeedbackCounts,
    /// What the viewer keeps about the trader.
    pub relation: Relation,
}

/// Returns the public page of a trader. A user without a public nickname has never traded, and has none.
pub async fn page(context: &Context, viewer: UserId, trader: UserId) -> Result<TraderPage> {
    let (mut tx, now) = context.begin().await?;
    let profile = visible(&mut tx, trader).await?;
    let about = traders::about(&mut tx, trader).await?.ok_or(Refusal::UserMissing)?;
    let record = records_at(&mut tx, &[trader], now).await?.pop().ok_or(Refusal::UserMissing)?.1;
    let since = now.checked_sub_signed(PERIOD).unwrap_or(now);
    Ok(TraderPage {
        profile,
        record,
        joined_at: about.joined_at,
        remark: about.remark,
        volume: volume_of(context, &mut tx, trader, since).await?,
        average_payment: traders::average_payment(&mut tx, trader, since).await?,
        feedback: store::feedback::counts(&mut tx, trader).await?,
        relation: traders::relation(&mut tx, viewer, trader).await?,
    })
}

/// Returns the public profile of a trader, if there is one.
async fn visible(tx: &mut Tx, trader: UserId) -> Result<Profile> {
    let user = users::read(tx, &[trader]).await?.pop().filter(|user| user.nickname.is_some());
    Ok(Profile::from(&user.ok_or(Refusal::UserMissing)?))
}

/// Returns the adverts of a trader that take orders now, newest first. Some may require what the viewer lacks. If one has blocked the other, there are none.
pub async fn adverts(context: &Context, viewer: UserId, trader: UserId) -> Result<Vec<Face>> {
    let mut tx = context.store.alone().await?;
    visible(&mut tx, trader).await?;
    if !users::blocked(&mut tx, &[(viewer, trader)]).await?.is_empty() {
        return Ok(Vec::new());
    }
    let mut open: Vec<AdvertId> = store::adverts::open_of(&mut tx, &[trader]).await?.into_iter().collect();
    drop(tx);
    open.sort_unstable_by(|one, other| other.cmp(one));
    let mut faces = Vec::new();
    for id in open {
        match hall::one(context, Some(viewer), id).await {
            Ok(face) => faces.push(face),
            // It takes no orders now.
            Err(Error::Refused(_)) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(faces)
}

/// A page of users in a list, each with their record, and the total number.
pub type Listed = (Vec<(Profile, Record)>, i64);

/// Returns a page of a user's favorites, newest first.
pub async fn favorites(context: &Context, user: UserId, offset: i64, limit: i64) -> Result<Listed> {
    let (mut tx, now) = context.begin().await?;
    let profiles = traders::favorites_of(&mut tx, user, offset, limit).await?;
    let total = traders::count_favorites(&mut tx, user).await?;
    Ok((with_records(&mut tx, profiles, now).await?, total))
}

/// Returns a page of the users whom a user has blocked.
pub async fn blocked(context: &Context, user: UserId, offset: i64, limit: i64) -> Result<Listed> {
    let (mut tx, now) = context.begin().await?;
    let profiles = traders::blocked_by(&mut tx, user, offset, limit).await?;
    let total = traders::count_blocked(&mut tx, user).await?;
    Ok((with_records(&mut tx, profiles, now).await?, total))
}

async fn with_records(tx: &mut Tx, profiles: Vec<Profile>, now: Timestamp) -> Result<Vec<(Profile, Record)>> {
    let ids: Vec<_> = profiles.iter().map(|profile| profile.id).collect();
    let records = records_at(tx, &ids, now).await?;
    let record = |id| records.iter().find(|(user, _)| *user == id).map(|(_, record)| *record).unwrap_or_default();
    let listed = profiles.into_iter().map(|profile| {
        let record = record(profile.id);
        (profile, record)
    });
    Ok(listed.collect())
}

/// A change of what a user keeps about a trader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RelationChange {
    /// Adds the trader to the favorites, or removes them.
    Favorite(bool),
    /// Blocks or unblocks the trader. Neither can order from the other meanwhile; their open orders go on. A blocked trader is no
    /// favorite.
    Block(bool),
}

/// Changes what a user keeps about a trader. Returns it after the change.
pub async fn change_relation(
    context: &Context,
    key: &IdempotencyKey,
    user: UserId,
    trader: UserId,
    change: RelationChange,
) -> Result<Relation> {
    if user == trader {
        return Err(Refusal::Invalid { field: "id", reason: "the user's own ID" }.into());
    }
    let (mut tx, now) = context.begin().await?;
    // Locked, so that concurrent changes of a list cannot exceed its limit.
    users::lock(&mut tx, &[user]).await?.pop().ok_or(Refusal::SessionInvalid)?;
    visible(&mut tx, trader).await?;
    if key.response(&mut tx, user).await?.is_none() {
        apply(&mut tx, user, trader, change, now).await?;
        key.remember(&mut tx, user, Response::default(), now).await?;
    }
    let relation = traders::relation(&mut tx, user, trader).await?;
    tx.commit().await?;
    Ok(relation)
}

async fn apply(tx: &mut Tx, user: UserId, trader: UserId, change: RelationChange, now: Timestamp) -> Result<()> {
    let before = traders::relation(tx, user, trader).await?;
    match change {
        RelationChange::Favorite(true) if !before.favorite => {
            check_room(traders::count_favorites(tx, user).await?)?;
            traders::add_favorite(tx, user, trader, now).await?;
        }
        RelationChange::Block(true) if !before.blocked => {
            check_room(traders::count_blocked(tx, user).await?)?;
            traders::block(tx, user, trader).await?;
            traders::remove_favorite(tx, user, trader).await?;
        }
        RelationChange::Favorite(false) => traders::remove_favorite(tx, user, trader).await?,
        RelationChange::Block(false) => traders::unblock(tx, user, trader).await?,
        RelationChange::Favorite(true) | RelationChange::Block(true) => {}
    }
    Ok(())
}

/// Refuses another user in a list that has this many.
fn check_room(many: i64) -> Result<()> {
    if many < LIST_LIMIT { Ok(()) } else { Err(Refusal::TraderListFull { limit: LIST_LIMIT }.into()) }
}

/// Feedback about a user, with the public nickname of its author.
pub type Authored = (Feedback, Option<String>);

/// Returns a page of the feedback about a trader, newest first, and the total number.
pub async fn feedback_about(
    context: &Context,
    trader: UserId,
    offset: i64,
    limit: i64,
) -> Result<(Vec<Authored>, i64)> {
    let mut tx = context.store.alone().await?;
    visible(&mut tx, trader).await?;
    Ok(store::feedback::about(&mut tx, trader, offset, limit).await?)
}

/// The feedback of an order, as one of its parties sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderFeedback {
    pub own: Option<Feedback>,
    pub other: Option<Feedback>,
    /// Whether the party can give feedback now.
    pub possible: bool,
}

/// Returns the feedback of an order to one of its parties.
pub async fn feedback_of(context: &Context, user: UserId, order: OrderId) -> Result<OrderFeedback> {
    let order = crate::orders::order(context, user, order).await?;
    let mut tx = context.store.alone().await?;
    let (own, other): (Vec<_>, Vec<_>) =
        store::feedback::of_order(&mut tx, order.id).await?.into_iter().partition(|one| one.author == user);
    let possible = feedback::subject(&order, user, !own.is_empty()).is_ok();
    Ok(OrderFeedback { own: own.into_iter().next(), other: other.into_iter().next(), possible })
}

/// Gives feedback about the other party of a completed order, once.
pub async fn give_feedback(
    context: &Context,
    key: &IdempotencyKey,
    user: UserId,
    order: OrderId,
    positive: bool,
    line: &str,
) -> Result<OrderFeedback> {
    let (mut tx, now) = context.begin().await?;
    users::lock(&mut tx, &[user]).await?.pop().ok_or(Refusal::SessionInvalid)?;
    if key.response(&mut tx, user).await?.is_none() {
        let known = store::orders::read(&mut tx, &[order]).await?.pop().ok_or(Refusal::OrderMissing)?;
        let given = store::feedback::of_order(&mut tx, order).await?.iter().any(|one| one.author == user);
        let subject = feedback::subject(&known, user, given)?;
        let words = store::identity::accounts::forbidden_words(&mut tx).await?;
        let line = line.trim();
        domain::checks::public_text("line", line, &ForbiddenWords::new(words.iter().map(String::as_str)))?;
        let feedback = Feedback { order, author: user, subject, positive, line: line.to_owned(), given_at: now };
        store::feedback::insert(&mut tx, &feedback).await?;
        key.remember(&mut tx, user, Response::default(), now).await?;
        tx.commit().await?;
    } else {
        drop(tx);
    }
    feedback_of(context, user, order).await
}
