//! Other users: their public pages, favorites and blocks, and feedback about them after trades.

use app::Context;
use app::traders::{Authored, Feedback, FeedbackCounts, Listed, OrderFeedback, Relation, RelationChange, TraderPage};
use axum::extract::State;
use chrono::{DateTime, Utc};
use domain::ids::{OrderId, UserId};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::envelope::{Answer, Done, Envelope};
use crate::extract::{CommandKey, CommandOn, Page, PageOf, PathId, Query, Session};
use crate::market::{OrderableAdvert, TradedVolume, Trader};
use crate::state::ApiState;

pub(crate) fn calls() -> OpenApiRouter<ApiState> {
    OpenApiRouter::new()
        .routes(routes!(page))
        .routes(routes!(adverts))
        .routes(routes!(feedback_about))
        .routes(routes!(favorite))
        .routes(routes!(block))
        .routes(routes!(favorites))
        .routes(routes!(blocked))
        .routes(routes!(feedback))
        .routes(routes!(give_feedback))
}

/// What the user keeps about another user.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[schema(as = TraderRelation)]
struct RelationDto {
    /// Whether the other user is a favorite.
    favorite: bool,
    /// Whether the user has blocked the other user.
    blocked: bool,
}

impl From<Relation> for RelationDto {
    fn from(Relation { favorite, blocked }: Relation) -> Self {
        Self { favorite, blocked }
    }
}

/// How many traders said what about a user. Each counts once, with the newest mark.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[schema(as = FeedbackCounts)]
struct FeedbackCountsDto {
    positive: i64,
    negative: i64,
}

impl From<FeedbackCounts> for FeedbackCountsDto {
    fn from(FeedbackCounts { positive, negative }: FeedbackCounts) -> Self {
        Self { positive, negative }
    }
}

/// The public page of a trader.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = TraderPage)]
#[serde(rename_all = "camelCase")]
struct TraderPageDto {
    #[serde(flatten)]
    trader: Trader,
    /// When the trader opened the account.
    joined_at: DateTime<Utc>,
    /// What the trader says about themselves; null without it.
    remark: Option<String>,
    /// The volume of the orders completed in the last 30 days, by base.
    volume30d: Vec<TradedVolume>,
    /// The average time to pay as a buyer in the newest orders of the last 30 days, in whole seconds, rounded down; null if the
    /// trader paid nothing.
    average_payment_seconds: Option<i64>,
    feedback: FeedbackCountsDto,
    #[serde(flatten)]
    relation: RelationDto,
    /// Whether the page is the user's own.
    mine: bool,
}

/// Returns the public page of a trader.
///
/// Refused with 1001 if there is no such user, or none with a nickname.
#[utoipa::path(get, path = "/user/trader/{id}", tag = "traders", security(("session" = [])),
    params(("id" = Uuid, Path, description = "The ID of the trader")),
    responses((status = 200, body = Envelope<TraderPageDto>)))]
async fn page(
    State(context): State<Context>,
    Session(who): Session,
    PathId(id): PathId<UserId>,
) -> Answer<TraderPageDto> {
    let TraderPage { profile, record, joined_at, remark, volume, average_payment, feedback, relation } =
        app::traders::page(&context, who.user, id).await?;
    Ok(Done(TraderPageDto {
        mine: profile.id == who.user,
        trader: Trader::new(&profile, &record),
        joined_at,
        remark: Some(remark).filter(|remark| !remark.is_empty()),
        volume30d: volume.iter().map(TradedVolume::from).collect(),
        average_payment_seconds: average_payment,
        feedback: feedback.into(),
        relation: relation.into(),
    }))
}

/// Lists the adverts of a trader that take orders now, newest first. Some may require what the user lacks.
#[utoipa::path(get, path = "/user/trader/{id}/adverts", tag = "traders", security(("session" = [])),
    params(("id" = Uuid, Path, description = "The ID of the trader")),
    responses((status = 200, body = Envelope<Vec<OrderableAdvert>>)))]
async fn adverts(
    State(context): State<Context>,
    Session(who): Session,
    PathId(id): PathId<UserId>,
) -> Answer<Vec<OrderableAdvert>> {
    let faces = app::traders::adverts(&context, who.user, id).await?;
    Ok(Done(faces.iter().map(OrderableAdvert::from).collect()))
}

/// What a party says about the other one after an order.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct GivenFeedback {
    positive: bool,
    /// At most 100 characters; null without a line.
    line: Option<String>,
    given_at: DateTime<Utc>,
}

impl From<Feedback> for GivenFeedback {
    fn from(feedback: Feedback) -> Self {
        let line = Some(feedback.line).filter(|line| !line.is_empty());
        Self { positive: feedback.positive, line, given_at: feedback.given_at }
    }
}

/// What a trader says about another one.
#[derive(Debug, Clone, Serialize, ToSchema)]
struct TraderFeedback {
    #[serde(flatten)]
    given: GivenFeedback,
    /// The public nickname of the author; null if the author has none any more.
    author: Option<String>,
}

impl From<Authored> for TraderFeedback {
    fn from((feedback, author): Authored) -> Self {
        Self { given: feedback.into(), author }
    }
}

/// Lists the feedback about a trader, newest first.
#[utoipa::path(get, path = "/user/trader/{id}/feedback", tag = "traders", security(("session" = [])),
    params(("id" = Uuid, Path, description = "The ID of the trader"), Page),
    responses((status = 200, body = Envelope<PageOf<TraderFeedback>>)))]
async fn feedback_about(
    State(context): State<Context>,
    _: Session,
    PathId(id): PathId<UserId>,
    Query(page): Query<Page>,
) -> Answer<PageOf<TraderFeedback>> {
    let (found, total) = app::traders::feedback_about(&context, id, page.offset(), page.limit()).await?;
    Ok(Done(page.of(found.into_iter().map(TraderFeedback::from).collect(), total)))
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct FavoriteBody {
    favorite: bool,
}

/// Adds a trader to the user's favorites, or removes them.
#[utoipa::path(post, path = "/user/trader/{id}/favorite", tag = "traders", request_body = FavoriteBody,
    params(("id" = Uuid, Path, description = "The ID of the trader"), CommandKey),
    responses((status = 200, body = Envelope<RelationDto>)), security(("session" = [])))]
async fn favorite(
    State(context): State<Context>,
    CommandOn { user, id, key, body, .. }: CommandOn<UserId, FavoriteBody>,
) -> Answer<RelationDto> {
    Ok(Done(
        app::traders::change_relation(&context, &key, user, id, RelationChange::Favorite(body.favorite)).await?.into(),
    ))
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct BlockBody {
    blocked: bool,
}

/// Blocks a trader, or unblocks them.
///
/// While one user has blocked the other, neither sees the other's adverts in the hall or can order from them (5037). Their open
/// orders go on.
#[utoipa::path(post, path = "/user/trader/{id}/block", tag = "traders", request_body = BlockBody,
    params(("id" = Uuid, Path, description = "The ID of the trader"), CommandKey),
    responses((status = 200, body = Envelope<RelationDto>)), security(("session" = [])))]
async fn block(
    State(context): State<Context>,
    CommandOn { user, id, key, body, .. }: CommandOn<UserId, BlockBody>,
) -> Answer<RelationDto> {
    Ok(Done(app::traders::change_relation(&context, &key, user, id, RelationChange::Block(body.blocked)).await?.into()))
}

fn listed(page: Page, (found, total): Listed) -> PageOf<Trader> {
    page.of(found.iter().map(|(profile, record)| Trader::new(profile, record)).collect(), total)
}

/// Lists the user's favorites, newest first.
#[utoipa::path(get, path = "/user/favorite/page", tag = "traders", security(("session" = [])), params(Page),
    responses((status = 200, body = Envelope<PageOf<Trader>>)))]
async fn favorites(
    State(context): State<Context>,
    Session(who): Session,
    Query(page): Query<Page>,
) -> Answer<PageOf<Trader>> {
    Ok(Done(listed(page, app::traders::favorites(&context, who.user, page.offset(), page.limit()).await?)))
}

/// Lists the users whom the user has blocked.
#[utoipa::path(get, path = "/user/block/page", tag = "traders", security(("session" = [])), params(Page),
    responses((status = 200, body = Envelope<PageOf<Trader>>)))]
async fn blocked(
    State(context): State<Context>,
    Session(who): Session,
    Query(page): Query<Page>,
) -> Answer<PageOf<Trader>> {
    Ok(Done(listed(page, app::traders::blocked(&context, who.user, page.offset(), page.limit()).await?)))
}

/// The feedback of both parties of an order.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = OrderFeedback)]
struct OrderFeedbackDto {
    /// The user's own feedback; null if not given.
    own: Option<GivenFeedback>,
    /// The other party's feedback about the user; null if not given.
    other: Option<GivenFeedback>,
    /// Whether the user can give feedback now.
    possible: bool,
}

impl From<OrderFeedback> for OrderFeedbackDto {
    fn from(OrderFeedback { own, other, possible }: OrderFeedback) -> Self {
        Self { own: own.map(Into::into), other: other.map(Into::into), possible }
    }
}

/// Returns the feedback of an order to one of its parties.
#[utoipa::path(get, path = "/c2c/deal/order/feedback/{id}", tag = "orders", security(("session" = [])),
    params(("id" = Uuid, Path, description = "The ID of the order")),
    responses((status = 200, body = Envelope<OrderFeedbackDto>)))]
async fn feedback(
    State(context): State<Context>,
    Session(who): Session,
    PathId(id): PathId<OrderId>,
) -> Answer<OrderFeedbackDto> {
    Ok(Done(app::traders::feedback_of(&context, who.user, id).await?.into()))
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct FeedbackBody {
    positive: bool,
    /// At most 100 characters, which everybody can read.
    #[serde(default)]
    line: String,
}

/// Gives feedback about the other party of a completed order. It cannot be changed.
#[utoipa::path(post, path = "/c2c/deal/order/feedback/{id}", tag = "orders", request_body = FeedbackBody,
    params(("id" = Uuid, Path, description = "The ID of the order"), CommandKey),
    responses((status = 200, body = Envelope<OrderFeedbackDto>)), security(("session" = [])))]
async fn give_feedback(
    State(context): State<Context>,
    CommandOn { user, id, key, body, .. }: CommandOn<OrderId, FeedbackBody>,
) -> Answer<OrderFeedbackDto> {
    let given = app::traders::give_feedback(&context, &key, user, id, body.positive, &body.line).await?;
    Ok(Done(given.into()))
}
