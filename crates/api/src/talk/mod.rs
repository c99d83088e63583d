//! The calls about the conversations of orders.

mod dto;

use app::files;
use app::talk::{Outgoing, Viewer, Window};
use axum::extract::State;
use domain::ids::{FileId, OrderId};
use domain::talk::{MAX_FILES, MAX_TEXT, MAX_VIDEOS};
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use self::dto::{BubbleDto, ConversationDto, ConversationPageDto, EntryDto, ReadDto, UnreadDto};
pub(crate) use self::dto::{LogEntryDto, MarksDto, TalkMessage};
use crate::codes;
use crate::envelope::{Answer, ApiError, Done, Envelope, Null};
use crate::extract::{Command, CommandKey, Page, PageOf, PathId, Query, Session};
use crate::state::ApiState;

pub(crate) fn calls() -> OpenApiRouter<ApiState> {
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(bubble))
        .routes(routes!(unread))
        .routes(routes!(unread_of))
        .routes(routes!(read))
        .routes(routes!(delivered))
        .routes(routes!(page, send))
}

/// The message to send.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct MessageBody {
    /// At most 1,000 characters. Line breaks are the only control characters allowed. May be empty if there are files.
    #[schema(max_length = 1000)]
    text: String,
    /// The IDs of up to 5 files that the user has uploaded, among them at most one video. Each file can be sent once.
    #[serde(default)]
    #[schema(value_type = Vec<String>, max_items = 5)]
    files: Vec<FileId>,
    /// Whether to send the message although its recipient will see a warning under it.
    #[serde(default)]
    despite_warnings: bool,
}

// The descriptions above state these numbers.
const _: () = assert!(MAX_TEXT == 1_000 && MAX_FILES == 5 && MAX_VIDEOS == 1);

#[derive(Debug, Clone, Copy, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct WindowQuery {
    /// Return the last entries before this number. Provide at most one of `before` and `after`.
    #[serde(default)]
    #[param(minimum = 1, required = false)]
    before: Option<i64>,
    /// Return the first entries after this number.
    #[serde(default)]
    #[param(minimum = 0, required = false)]
    after: Option<i64>,
    /// The maximum number of entries, from 1 to 100.
    #[serde(default = "fifty")]
    #[param(minimum = 1, maximum = 100, default = 50, required = false)]
    size: u32,
}

fn fifty() -> u32 {
    50
}

impl WindowQuery {
    pub(crate) fn window(self) -> Result<(Window, i64), ApiError> {
        if !(1..=100).contains(&self.size) {
            return Err(ApiError::invalid("size", "from 1 to 100"));
        }
        let window = match (self.before, self.after) {
            (None, None) => Window::Newest,
            (Some(number), None) if number >= 1 => Window::Before(number),
            (None, Some(number)) if number >= 0 => Window::After(number),
            (Some(_), None) => return Err(ApiError::invalid("before", "at least 1")),
            (None, Some(_)) => return Err(ApiError::invalid("after", "at least 0")),
            (Some(_), Some(_)) => return Err(ApiError::invalid("after", "either before or after")),
        };
        Ok((window, self.size.into()))
    }
}

#[derive(Debug, Clone, Copy, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct MarkQuery {
    /// The number of the last entry to mark. Defaults to the newest entry; a later number counts as the newest.
    #[serde(default)]
    #[param(minimum = 1, required = false)]
    up_to: Option<i64>,
}

impl MarkQuery {
    fn checked(self) -> Result<Option<i64>, ApiError> {
        match self.up_to {
            Some(number) if number < 1 => Err(ApiError::invalid("upTo", "at least 1")),
            up_to => Ok(up_to),
        }
    }
}

/// Lists the user's conversations, those with the newest message first. An order has a conversation once it has a message.
#[utoipa::path(get, path = "/user/fiat/talk/talkList", tag = "conversations", security(("session" = [])),
    params(Page), responses((status = 200, body = Envelope<PageOf<ConversationDto>>)))]
async fn list(
    State(state): State<ApiState>,
    Session(who): Session,
    Query(page): Query<Page>,
) -> Answer<PageOf<ConversationDto>> {
    let (found, total) = state.talk.list(who.user, page.offset(), page.limit()).await?;
    let viewer = files::Viewer::User(who.user);
    let links = state.talk.linked(viewer, found.iter().map(|one| &one.last)).await?;
    Ok(Done(page.of(found.iter().map(|one| ConversationDto::new(one, &links)).collect(), total)))
}

/// Returns what the floating button shows: the user's open orders, those with news, and unread messages.
#[utoipa::path(get, path = "/user/fiat/talk/readBubble", tag = "conversations", security(("session" = [])),
    responses((status = 200, body = Envelope<BubbleDto>)))]
async fn bubble(State(state): State<ApiState>, Session(who): Session) -> Answer<BubbleDto> {
    Ok(Done(state.talk.bubble(who.user).await?.into()))
}

/// Returns the number of unread messages in all conversations of the user.
#[utoipa::path(get, path = "/user/fiat/talk/unread", tag = "conversations", security(("session" = [])),
    responses((status = 200, body = Envelope<UnreadDto>)))]
async fn unread(State(state): State<ApiState>, Session(who): Session) -> Answer<UnreadDto> {
    Ok(Done(UnreadDto { unread: state.talk.unread(who.user).await? }))
}

/// Returns the number of unread messages in the conversation of one order.
#[utoipa::path(get, path = "/user/fiat/talk/unRead/{id}", tag = "conversations", security(("session" = [])),
    params(("id" = String, Path, description = "The ID of the order")),
    responses((status = 200, body = Envelope<UnreadDto>)))]
async fn unread_of(
    State(state): State<ApiState>,
    Session(who): Session,
    PathId(id): PathId<OrderId>,
) -> Answer<UnreadDto> {
    Ok(Done(UnreadDto { unread: state.talk.unread_of(who.user, id).await? }))
}

/// Marks the conversation of an order as read by the user, up to an entry. The other party is told over the websocket.
#[utoipa::path(get, path = "/user/fiat/talk/read/{id}", tag = "conversations", security(("session" = [])),
    params(("id" = String, Path, description = "The ID of the order"), MarkQuery),
    responses((status = 200, body = Envelope<ReadDto>)))]
async fn read(
    State(state): State<ApiState>,
    Session(who): Session,
    PathId(id): PathId<OrderId>,
    Query(mark): Query<MarkQuery>,
) -> Answer<ReadDto> {
    let marks = state.talk.mark_read(who.user, id, mark.checked()?).await?;
    Ok(Done(ReadDto { read_to: marks.read_to, unread: marks.unread }))
}

/// Reports that a device of the user has received the conversation of an order, up to an entry. The other party is told over
/// the websocket.
#[utoipa::path(get, path = "/user/fiat/talk/updateRead/{id}", tag = "conversations", security(("session" = [])),
    params(("id" = String, Path, description = "The ID of the order"), MarkQuery),
    responses((status = 200, body = Envelope<Null>)))]
async fn delivered(
    State(state): State<ApiState>,
    Session(who): Session,
    PathId(id): PathId<OrderId>,
    Query(mark): Query<MarkQuery>,
) -> Answer<()> {
    Ok(Done(state.talk.mark_delivered(who.user, id, mark.checked()?).await?))
}

/// Returns a page of the conversation of an order: the newest entries, or those before or after an entry. The links to their
/// files work for this user only, for at most ten minutes.
#[utoipa::path(get, path = "/user/fiat/talk/{id}", tag = "conversations", security(("session" = [])),
    params(("id" = String, Path, description = "The ID of the order"), WindowQuery),
    responses((status = 200, body = Envelope<ConversationPageDto>)))]
async fn page(
    State(state): State<ApiState>,
    Session(who): Session,
    PathId(id): PathId<OrderId>,
    Query(query): Query<WindowQuery>,
) -> Answer<ConversationPageDto> {
    let (window, most) = query.window()?;
    let page = state.talk.page(Viewer::User(who.user), id, window, most).await?;
    let links = state.talk.linked(files::Viewer::User(who.user), &page.entries).await?;
    Ok(Done(ConversationPageDto::new(page, &links)))
}

/// Sends a message to the other party of an order.
///
/// A message that leads off the platform or asks for an early release is refused with 1030 and its `warnings`, unless
/// `despiteWarnings` is true; its recipient then sees the warnings. Refused with 5065 when the order ended too long ago, and with
/// 1014 and the `reason` `conversation full` if the user's files in the conversation become more than 200 or larger than 500 MB.
#[utoipa::path(post, path = "/user/fiat/talk/{id}", tag = "conversations", security(("session" = [])),
    params(("id" = String, Path, description = "The ID of the order"), CommandKey), request_body = MessageBody,
    responses((status = 200, body = Envelope<EntryDto>)))]
async fn send(
    State(state): State<ApiState>,
    Session(who): Session,
    PathId(id): PathId<OrderId>,
    Command { key, body }: Command<MessageBody>,
) -> Answer<EntryDto> {
    state.middleware.limits.talk(who.user).map_err(codes::too_many)?;
    let MessageBody { text, files: attached, despite_warnings } = body;
    let message = Outgoing { text, files: attached, despite_warnings };
    let entry = state.talk.send(&key, who.user, id, &message).await?;
    let links = state.talk.linked(files::Viewer::User(who.user), [&entry]).await?;
    Ok(Done(EntryDto::new(entry, &links)))
}
