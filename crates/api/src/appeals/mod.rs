//! Commands and queries on appeals.

pub(crate) mod dto;

use app::Context;
use app::commands::CommandKind;
use axum::extract::State;
use domain::ids::{AppealId, FileId, OrderId};
use domain::orders::{AppealReason, NewEvidence, OrderCommand, Proofs};
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use self::dto::AppealCaseDto;
use crate::commands::{VersionedCommand, execute_about};
use crate::envelope::{Answer, Done, Envelope};
use crate::extract::{Command, CommandKey, CommandOn, Page, PageOf, PathId, Query, Session};
use crate::orders::dto::OrderDto;
use crate::state::ApiState;

pub(crate) fn calls() -> OpenApiRouter<ApiState> {
    OpenApiRouter::new()
        .routes(routes!(file))
        .routes(routes!(page))
        .routes(routes!(one))
        .routes(routes!(withdraw))
        .routes(routes!(add_evidence))
}

/// The appeal to file.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct AppealBody {
    #[schema(value_type = String)]
    order_id: OrderId,
    /// The version of the order that the user saw.
    version: i64,
    /// One of the order's `appealReasons`.
    reason: AppealReason,
    /// A description of at most 500 characters. Required if the reason is `OTHER`.
    #[serde(default)]
    specific_reason: Option<String>,
    /// Up to 5 uploaded pictures. An appeal needs at least one picture or video, unless the user has added some before.
    #[serde(default)]
    #[schema(value_type = Vec<String>)]
    pictures: Vec<FileId>,
    /// Up to 1 uploaded video.
    #[serde(default)]
    #[schema(value_type = Vec<String>)]
    videos: Vec<FileId>,
}

/// Evidence to add to an appeal.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct EvidenceBody {
    /// The version of the order that the user saw.
    version: i64,
    /// Uploaded pictures. Each party may add up to 5 to an appeal.
    #[serde(default)]
    #[schema(value_type = Vec<String>)]
    pictures: Vec<FileId>,
    /// Uploaded videos. Each party may add 1 to an appeal.
    #[serde(default)]
    #[schema(value_type = Vec<String>)]
    videos: Vec<FileId>,
}

/// Files an appeal about an order. The appeal locks the order until an officer decides it or a party withdraws it. An appeal
/// that a party has withdrawn continues when it is filed again, with the same ID. Returns the order.
#[utoipa::path(post, path = "/c2c/appeal", tag = "appeals", security(("session" = [])),
    params(CommandKey), request_body = AppealBody, responses((status = 200, body = Envelope<OrderDto>)))]
async fn file(
    State(state): State<ApiState>,
    Session(who): Session,
    Command { key, body }: Command<AppealBody>,
) -> Answer<OrderDto> {
    let AppealBody { order_id: id, version: seen, reason, specific_reason, pictures, videos } = body;
    let evidence = NewEvidence { pictures, videos };
    let act = OrderCommand::Appeal { reason, description: specific_reason, evidence };
    let what = CommandKind::order(id, seen, act, Proofs::NONE);
    execute_about(&state.context, &state.executor, (who.user, key), id, what).await
}

/// Adds evidence to an open appeal, also after a verdict. Returns the order.
#[utoipa::path(post, path = "/c2c/appeal/evidence/{id}", tag = "appeals", security(("session" = [])),
    params(("id" = String, Path), CommandKey), request_body = EvidenceBody,
    responses((status = 200, body = Envelope<OrderDto>)))]
async fn add_evidence(command: CommandOn<AppealId, EvidenceBody>) -> Answer<OrderDto> {
    let EvidenceBody { version, pictures, videos } = command.body.clone();
    about(&command, version, OrderCommand::AddEvidence(NewEvidence { pictures, videos })).await
}

/// Withdraws an appeal, so that the order continues with the time that was left. Each party may withdraw once per order: either
/// party the first appeal, and only its author one that was filed again. The party that the order waits for can't withdraw the
/// platform's appeal. Returns the order.
#[utoipa::path(post, path = "/c2c/appeal/{id}", tag = "appeals", security(("session" = [])),
    params(("id" = String, Path), CommandKey), request_body = VersionedCommand,
    responses((status = 200, body = Envelope<OrderDto>)))]
async fn withdraw(command: CommandOn<AppealId, VersionedCommand>) -> Answer<OrderDto> {
    about(&command, command.body.version, OrderCommand::WithdrawAppeal).await
}

/// Executes a command about the latest appeal of an order.
async fn about<B>(command: &CommandOn<AppealId, B>, seen: i64, act: OrderCommand) -> Answer<OrderDto> {
    let CommandOn { context, executor, user, id, key, .. } = command;
    let order = app::appeals::order_of(context, *user, *id).await?;
    let what = CommandKind::order(order, seen, act, Proofs::NONE);
    execute_about(context, executor, (*user, key.clone()), order, what).await
}

/// Lists the appeals about the user's own orders, newest first.
#[utoipa::path(get, path = "/c2c/appeal/page", tag = "appeals", security(("session" = [])),
    params(Page), responses((status = 200, body = Envelope<PageOf<AppealCaseDto>>)))]
async fn page(
    State(context): State<Context>,
    Session(who): Session,
    Query(page): Query<Page>,
) -> Answer<PageOf<AppealCaseDto>> {
    let (views, total) = app::appeals::page(&context, who.user, page.offset(), page.limit()).await?;
    Ok(Done(page.of(views.iter().map(AppealCaseDto::from).collect(), total)))
}

/// Returns an appeal about one of the user's own orders.
#[utoipa::path(get, path = "/c2c/appeal/{id}", tag = "appeals", security(("session" = [])),
    params(("id" = String, Path)), responses((status = 200, body = Envelope<AppealCaseDto>)))]
async fn one(
    State(context): State<Context>,
    Session(who): Session,
    PathId(id): PathId<AppealId>,
) -> Answer<AppealCaseDto> {
    Ok(Done(AppealCaseDto::from(&app::appeals::one(&context, who.user, id).await?)))
}
