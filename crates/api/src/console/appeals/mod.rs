//! Officers work on appeals: the queue, cases, official messages and decisions.

pub(super) mod assignee;
mod case;
mod dto;
pub(super) mod requests;
mod talk;

use app::appeals::Ruling;
use app::console::{CaseDecision, QueueOrder, QueuePage, QueueView};
use app::files::Files;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use domain::ids::{AppealId, FileId};
use domain::trade::Party;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use self::case::CaseItem;
pub(super) use self::dto::ValueItem;
use self::dto::{AppealItem, RulingKind};
use self::talk::{TalkEntryItem, TalkItem};
use super::officer::Officer;
use crate::envelope::{Answer, ApiError, Done, Envelope};
use crate::extract::{Command, CommandKey, Page, PageOf, PathId, Query};
use crate::files::serving::{Link, content};
use crate::identity::EmptyBody;
use crate::state::ApiState;
use crate::talk::WindowQuery;

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct QueueQuery {
    /// Which appeals to list; `OPEN` by default.
    #[serde(default)]
    #[param(inline, required = false)]
    view: QueueView,
    /// The order of the list; `AGE` by default.
    #[serde(default)]
    #[param(inline, required = false)]
    order: QueueOrder,
}

/// Lists appeals, without personal data: at most the 1,000 oldest open ones, or the 1,000 that ended last.
#[utoipa::path(get, path = "/console/appeals", tag = "console", params(QueueQuery, Page),
    responses((status = 200, body = Envelope<PageOf<AppealItem>>)), security(("officer" = [])))]
pub(super) async fn queue(
    State(state): State<ApiState>,
    Officer(acting): Officer,
    Query(asked): Query<QueueQuery>,
    Query(page): Query<Page>,
) -> Answer<PageOf<AppealItem>> {
    let QueueQuery { view, order } = asked;
    let wanted = QueuePage { view, order, offset: page.offset(), limit: page.limit() };
    let (rows, total) = state.console.appeals(&acting, wanted).await?;
    Ok(Done(page.of(rows.iter().map(AppealItem::from).collect(), total)))
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct NextQuery {
    /// The ID of an appeal to omit, such as the one that the officer has just decided.
    omit: Option<Uuid>,
}

/// The appeal on which the officer should work next.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ConsoleNextAppeal)]
pub(super) struct NextItem {
    /// Null if none waits for the officer.
    appeal: Option<AppealItem>,
}

/// Returns the oldest appeal without a verdict of the officer's own cases, or else the oldest one on which nobody works. Omits
/// appeals that the officer may not decide, and those that wait for a second officer after the officer's own proposal.
#[utoipa::path(get, path = "/console/appeals/next", tag = "console", params(NextQuery),
    responses((status = 200, body = Envelope<NextItem>)), security(("officer" = [])))]
pub(super) async fn next(
    State(state): State<ApiState>,
    Officer(acting): Officer,
    Query(asked): Query<NextQuery>,
) -> Answer<NextItem> {
    let next = state.console.next_appeal(&acting, asked.omit.map(AppealId)).await?;
    Ok(Done(NextItem { appeal: next.as_ref().map(AppealItem::from) }))
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct SearchQuery {
    /// The ID of an appeal, an order or an advert, a transaction hash, or the ME ID or a part of the nickname of a party.
    query: String,
}

/// Finds appeals, also those that the officer has not joined. Returns up to 20 of them as in the list, without personal data: open
/// ones first, then the newest. A part of a nickname has at least two characters.
#[utoipa::path(get, path = "/console/appeals/search", tag = "console", params(SearchQuery),
    responses((status = 200, body = Envelope<Vec<AppealItem>>)), security(("officer" = [])))]
pub(super) async fn search(
    State(state): State<ApiState>,
    Officer(acting): Officer,
    Query(asked): Query<SearchQuery>,
) -> Answer<Vec<AppealItem>> {
    let found = state.console.search_appeals(&acting, &asked.query).await?;
    Ok(Done(found.iter().map(AppealItem::from).collect()))
}

/// Returns an appeal as in the list, without personal data. The officer need not have joined the case.
#[utoipa::path(get, path = "/console/appeals/{id}/summary", tag = "console",
    params(("id" = Uuid, Path, description = "The ID of the appeal")),
    responses((status = 200, body = Envelope<AppealItem>)), security(("officer" = [])))]
pub(super) async fn summary(
    State(state): State<ApiState>,
    Officer(acting): Officer,
    PathId(id): PathId<AppealId>,
) -> Answer<AppealItem> {
    Ok(Done(AppealItem::from(&state.console.appeal_summary(&acting, id).await?)))
}

/// Returns a case that the officer has joined. It can be read until seven days after the end of the appeal.
#[utoipa::path(get, path = "/console/appeals/{id}", tag = "console",
    params(("id" = Uuid, Path, description = "The ID of the appeal")),
    responses((status = 200, body = Envelope<CaseItem>)), security(("officer" = [])))]
pub(super) async fn case(
    State(state): State<ApiState>,
    Officer(acting): Officer,
    PathId(id): PathId<AppealId>,
) -> Answer<CaseItem> {
    Ok(Done(CaseItem::from(&state.console.appeal_case(&acting, id).await?)))
}

/// Puts the officer on the case of an appeal that has not ended. Returns the case.
#[utoipa::path(post, path = "/console/appeals/{id}/join", tag = "console", request_body = EmptyBody,
    params(("id" = Uuid, Path, description = "The ID of the appeal"), CommandKey),
    responses((status = 200, body = Envelope<CaseItem>)), security(("officer" = [])))]
pub(super) async fn join(
    State(state): State<ApiState>,
    Officer(acting): Officer,
    PathId(id): PathId<AppealId>,
    Command { key, .. }: Command<EmptyBody>,
) -> Answer<CaseItem> {
    Ok(Done(CaseItem::from(&state.console.join_appeal(&acting, id, &key).await?)))
}

/// Takes the officer off a case. The officer's proposal remains. Returns the appeal as in the list.
#[utoipa::path(post, path = "/console/appeals/{id}/leave", tag = "console", request_body = EmptyBody,
    params(("id" = Uuid, Path, description = "The ID of the appeal"), CommandKey),
    responses((status = 200, body = Envelope<AppealItem>)), security(("officer" = [])))]
pub(super) async fn leave(
    State(state): State<ApiState>,
    Officer(acting): Officer,
    PathId(id): PathId<AppealId>,
    Command { key, .. }: Command<EmptyBody>,
) -> Answer<AppealItem> {
    Ok(Done(AppealItem::from(&state.console.leave_appeal(&acting, id, &key).await?)))
}

/// Returns a page of the order's log with its conversation: the newest entries, or those before or after an entry. Once the
/// appeal has ended, it contains what was written until then.
#[utoipa::path(get, path = "/console/appeals/{id}/talk", tag = "console",
    params(("id" = Uuid, Path, description = "The ID of the appeal"), WindowQuery),
    responses((status = 200, body = Envelope<TalkItem>)), security(("officer" = [])))]
pub(super) async fn talk(
    State(state): State<ApiState>,
    Officer(acting): Officer,
    PathId(id): PathId<AppealId>,
    Query(query): Query<WindowQuery>,
) -> Answer<TalkItem> {
    let (window, most) = query.window()?;
    Ok(Done(state.console.case_talk(&acting, &state.talk, id, window, most).await?.into()))
}

/// An official message.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = ConsoleMessageBody)]
#[serde(deny_unknown_fields)]
pub(super) struct MessageBody {
    /// 1 to 1,000 characters. Line breaks are the only control characters allowed.
    #[schema(min_length = 1, max_length = 1000)]
    text: String,
}

/// Sends an official message to both parties, under the name of the officer. Refused once the appeal has ended.
#[utoipa::path(post, path = "/console/appeals/{id}/talk", tag = "console", request_body = MessageBody,
    params(("id" = Uuid, Path, description = "The ID of the appeal"), CommandKey),
    responses((status = 200, body = Envelope<TalkEntryItem>)), security(("officer" = [])))]
pub(super) async fn say(
    State(state): State<ApiState>,
    Officer(acting): Officer,
    PathId(id): PathId<AppealId>,
    Command { key, body }: Command<MessageBody>,
) -> Answer<TalkEntryItem> {
    let said = state.console.say_officially(&acting, id, &body.text, &key).await?;
    Ok(Done(TalkEntryItem::new(said, &std::collections::BTreeMap::new())))
}

/// A private note.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = ConsoleNoteBody)]
#[serde(deny_unknown_fields)]
pub(super) struct NoteBody {
    /// 1 to 1,000 characters. Line breaks are the only control characters allowed.
    #[schema(min_length = 1, max_length = 1000)]
    text: String,
}

/// Writes a note for the officers on the case. The parties never see it, and it cannot be removed. Refused once the appeal has
/// ended. Returns the case.
#[utoipa::path(post, path = "/console/appeals/{id}/notes", tag = "console", request_body = NoteBody,
    params(("id" = Uuid, Path, description = "The ID of the appeal"), CommandKey),
    responses((status = 200, body = Envelope<CaseItem>)), security(("officer" = [])))]
pub(super) async fn write_note(
    State(state): State<ApiState>,
    Officer(acting): Officer,
    PathId(id): PathId<AppealId>,
    Command { key, body }: Command<NoteBody>,
) -> Answer<CaseItem> {
    Ok(Done(CaseItem::from(&state.console.write_note(&acting, id, &body.text, &key).await?)))
}

/// A decision about an appeal.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = ConsoleAppealDecisionBody)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct DecideBody {
    ruling: RulingKind,
    /// Whether the appeal is malicious: its initiator, who must lose, then loses all reputation. Refused if the initiator wins
    /// or the platform filed the appeal. Ignored for `REOPEN`.
    #[serde(default)]
    malicious: bool,
    /// The reasons, of 1 to 500 characters. Both parties see them.
    note: String,
    /// The `version` of the case that the officer saw. If it is out of date, the command is refused with 5050.
    version: String,
}

/// What became of a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) enum DecisionStatus {
    /// It was made. A verdict is executed after its delay.
    Done,
    /// It waits for a second officer, who must decide the same.
    Proposed,
}

/// The result of a decision.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ConsoleAppealDecision)]
pub(super) struct DecidedItem {
    status: DecisionStatus,
    case: CaseItem,
}

/// Decides an appeal. Above the limit of one officer, the first verdict or rejection is a proposal, and the same by another
/// officer makes it. One officer can revoke any verdict.
#[utoipa::path(post, path = "/console/appeals/{id}/decision", tag = "console", request_body = DecideBody,
    params(("id" = Uuid, Path, description = "The ID of the appeal"), CommandKey),
    responses((status = 200, body = Envelope<DecidedItem>)), security(("officer" = [])))]
pub(super) async fn decide(
    State(state): State<ApiState>,
    Officer(acting): Officer,
    PathId(id): PathId<AppealId>,
    Command { key, body }: Command<DecideBody>,
) -> Answer<DecidedItem> {
    let DecideBody { ruling, malicious, note, version } = body;
    let ruling = match ruling {
        RulingKind::Buyer => Ruling::Verdict { winner: Party::Buyer, malicious },
        RulingKind::Seller => Ruling::Verdict { winner: Party::Seller, malicious },
        RulingKind::Reject => Ruling::Reject { malicious },
        RulingKind::Reopen => Ruling::Reopen,
    };
    let decision = CaseDecision { ruling, note, version };
    let (done, case) = state.console.decide_appeal(&acting, id, &decision, &key).await?;
    let status = if done { DecisionStatus::Done } else { DecisionStatus::Proposed };
    Ok(Done(DecidedItem { status, case: CaseItem::from(&case) }))
}

/// Returns the content of a file of a case that the officer has joined. The links in the case contain the parameters, and a
/// part of the file can be requested with `Range`.
///
/// Refused with 403 if the link has expired, was made for another session, or was altered.
#[utoipa::path(get, path = "/console/files/{id}", tag = "console", security(("officer" = [])),
    params(("id" = String, Path), Link),
    responses((status = 200, content_type = "application/octet-stream", description = "The content of the file")))]
pub(super) async fn file(
    State(state): State<ApiState>,
    State(files): State<Files>,
    Officer(acting): Officer,
    PathId(id): PathId<FileId>,
    Query(link): Query<Link>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let opened = state.console.case_file(&acting, &files, id, (link.expires, &link.signature)).await?;
    Ok(content(&opened, &headers))
}
