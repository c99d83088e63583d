//! The list of notifications, and the channels on which users are told.

use app::Context;
use app::memory::assets::TradedAssets;
use app::notifications::{self, Filter, Notification, Preference, Subject, Traded};
use axum::extract::State;
use chrono::{DateTime, Utc};
use domain::effect::Notice;
use domain::ids::{AdvertId, OrderId};
use domain::notifications::{AccountChange, Category, Channel};
use domain::trade::Party;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::envelope::{Answer, Done, Envelope};
use crate::extract::{Body, Query, Session};
use crate::nfts::dto::NftDto;
use crate::state::ApiState;

pub(crate) fn calls() -> OpenApiRouter<ApiState> {
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(unread))
        .routes(routes!(read))
        .routes(routes!(preferences))
        .routes(routes!(set_preference))
}

/// What others or the platform did. What it is about is in the members that are not null; if all are null, the platform took the
/// user offline, because orders went unanswered.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = Notification)]
#[serde(rename_all = "camelCase")]
struct NotificationDto {
    /// Grows with time, with gaps.
    number: i64,
    at: DateTime<Utc>,
    category: Category,
    unread: bool,
    #[schema(value_type = Option<uuid::Uuid>)]
    order_id: Option<OrderId>,
    #[schema(value_type = Option<uuid::Uuid>)]
    advert_id: Option<AdvertId>,
    /// What the order trades.
    traded: Option<TradedDto>,
    /// Of an order or advert.
    #[schema(value_type = Option<String>)]
    notice: Option<Notice>,
    /// What the user is in the order.
    reader: Option<Party>,
    /// The party of the order that caused it; null for the platform.
    author: Option<Party>,
    /// Of the user's application for certification: whether an officer approved it.
    certified: Option<bool>,
    /// What changed about the account.
    account_change: Option<AccountChange>,
    /// Whether the user requested a withdrawal.
    withdrawal: bool,
}

/// What an order trades.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = NotificationTrade)]
struct TradedDto {
    base: String,
    quote: String,
    /// The quantity of the base, as a decimal string.
    quantity: String,
    /// The total in the quote, as a decimal string.
    total: String,
    /// The NFT that is sold; null for coins.
    nft: Option<NftDto>,
}

impl From<Traded> for TradedDto {
    fn from(Traded { assets: TradedAssets { base, quote, nft, .. }, quantity, total }: Traded) -> Self {
        Self {
            quantity: quantity.format(base.decimals),
            total: total.format(quote.decimals),
            base: base.code,
            quote: quote.code,
            nft: nft.as_ref().map(NftDto::from),
        }
    }
}

impl From<Notification> for NotificationDto {
    fn from(Notification { number, at, category, subject, traded, unread }: Notification) -> Self {
        let dto = Self {
            number,
            at,
            category,
            unread,
            order_id: None,
            advert_id: None,
            notice: None,
            reader: None,
            author: None,
            certified: None,
            account_change: None,
            traded: traded.map(Into::into),
            withdrawal: false,
        };
        match subject {
            Subject::Order { id, notice, reader, author } => {
                Self { order_id: Some(id), notice: Some(notice), reader: Some(reader), author, ..dto }
            }
            Subject::Advert { id, notice } => Self { advert_id: Some(id), notice: Some(notice), ..dto },
            Subject::Certification { approved } => Self { certified: Some(approved), ..dto },
            Subject::TakenOffline => dto,
            Subject::Withdrawal => Self { withdrawal: true, ..dto },
            Subject::AccountChanged(change) => Self { account_change: Some(change), ..dto },
        }
    }
}

#[derive(Debug, Clone, Serialize, ToSchema)]
struct NotificationList {
    /// Newest first.
    list: Vec<NotificationDto>,
    /// The value of `before` that continues the list; null at its end.
    next: Option<i64>,
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct NotificationQuery {
    category: Option<Category>,
    /// Only unread ones.
    #[serde(default)]
    unread: bool,
    /// Only those with smaller numbers.
    before: Option<i64>,
}

/// Lists the user's notifications, newest first.
#[utoipa::path(get, path = "/user/notification/page", tag = "notifications", security(("session" = [])),
    params(NotificationQuery), responses((status = 200, body = Envelope<NotificationList>)))]
async fn list(
    State(context): State<Context>,
    Session(who): Session,
    Query(NotificationQuery { category, unread, before }): Query<NotificationQuery>,
) -> Answer<NotificationList> {
    let (found, next) = notifications::page(&context, who.user, Filter { category, unread, before }).await?;
    Ok(Done(NotificationList { list: found.into_iter().map(Into::into).collect(), next }))
}

#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
struct UnreadNotifications {
    /// At most 99 are counted.
    count: i64,
}

/// Counts the user's unread notifications.
#[utoipa::path(get, path = "/user/notification/unRead", tag = "notifications", security(("session" = [])),
    responses((status = 200, body = Envelope<UnreadNotifications>)))]
async fn unread(State(context): State<Context>, Session(who): Session) -> Answer<UnreadNotifications> {
    Ok(Done(UnreadNotifications { count: notifications::unread(&context, who.user).await? }))
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct ReadBody {
    /// The number of the newest notification that the user has seen.
    up_to: i64,
}

/// Marks the notifications up to a number as read. Repeating it changes nothing.
#[utoipa::path(post, path = "/user/notification/read", tag = "notifications", request_body = ReadBody,
    responses((status = 200, body = Envelope<UnreadNotifications>)), security(("session" = [])))]
async fn read(
    State(context): State<Context>,
    Session(who): Session,
    Body(body): Body<ReadBody>,
) -> Answer<UnreadNotifications> {
    notifications::mark_read(&context, who.user, body.up_to).await?;
    Ok(Done(UnreadNotifications { count: notifications::unread(&context, who.user).await? }))
}

/// Whether the user is told of a category on a channel.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = NotificationPreference)]
struct PreferenceDto {
    category: Category,
    channel: Channel,
    enabled: bool,
    /// Whether the user can change it.
    optional: bool,
}

impl From<Preference> for PreferenceDto {
    fn from(Preference { category, channel, enabled, optional }: Preference) -> Self {
        Self { category, channel, enabled, optional }
    }
}

/// Returns whether the user is told of each category on each channel.
#[utoipa::path(get, path = "/user/notification/preference", tag = "notifications", security(("session" = [])),
    responses((status = 200, body = Envelope<Vec<PreferenceDto>>)))]
async fn preferences(State(context): State<Context>, Session(who): Session) -> Answer<Vec<PreferenceDto>> {
    let all = notifications::preferences(&context, who.user).await?;
    Ok(Done(all.into_iter().map(Into::into).collect()))
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct PreferenceBody {
    category: Category,
    channel: Channel,
    enabled: bool,
}

/// Turns a channel of a category on or off. Repeating it changes nothing.
///
/// Refused with 400 for emails about the security of the account, which cannot be turned off. During a hold on the account, no
/// emails that are sent by default can be turned off. The user gets an email about turning them off.
#[utoipa::path(post, path = "/user/notification/preference", tag = "notifications", request_body = PreferenceBody,
    responses((status = 200, body = Envelope<Vec<PreferenceDto>>)), security(("session" = [])))]
async fn set_preference(
    State(context): State<Context>,
    Session(who): Session,
    Body(PreferenceBody { category, channel, enabled }): Body<PreferenceBody>,
) -> Answer<Vec<PreferenceDto>> {
    notifications::set_preference(&context, who.user, (category, channel), enabled).await?;
    preferences(State(context), Session(who)).await
}
