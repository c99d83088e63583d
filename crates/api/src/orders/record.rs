//! The record of an order, which its parties download, and the keys with which it is verified.

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use domain::ids::OrderId;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::codes;
use crate::envelope::{Answer, ApiError, Done, Envelope};
use crate::extract::{PathId, Session};
use crate::state::ApiState;

pub(super) fn calls() -> OpenApiRouter<ApiState> {
    OpenApiRouter::new().routes(routes!(record)).routes(routes!(log_keys))
}

/// Returns the signed record of one of the user's own orders as a file: its terms, its whole log, the hashes of its files, and
/// its transactions on the escrow chain. Anyone can verify it offline with `mec2c verify-log`.
#[utoipa::path(get, path = "/c2c/deal/order/record/{id}", tag = "orders", security(("session" = [])),
    params(("id" = String, Path)),
    responses((status = 200, content_type = "application/jsonl", body = String, description = "A JSON object per line")))]
async fn record(
    State(state): State<ApiState>,
    Session(who): Session,
    PathId(id): PathId<OrderId>,
) -> Result<Response, ApiError> {
    state.middleware.limits.record(who.user).map_err(codes::too_many)?;
    let record = state.records.export(who.user, id).await?;
    let headers = [
        (header::CONTENT_TYPE, "application/jsonl".to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{}\"", record.name)),
        (header::CACHE_CONTROL, "no-store".to_owned()),
    ];
    Ok((headers, record.text).into_response())
}

/// A key with which records of orders are verified.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct LogKey {
    /// The Ed25519 public key, as 64 hexadecimal digits.
    key: String,
    /// Whether new records are signed with the key. Keys that are no longer used still verify older records.
    current: bool,
}

/// Lists the public keys that sign records of orders, the current one first. Empty if the platform makes no records.
#[utoipa::path(get, path = "/common/log-keys", tag = "common", responses((status = 200, body = Envelope<Vec<LogKey>>)))]
async fn log_keys(State(state): State<ApiState>) -> Answer<Vec<LogKey>> {
    let Some(keys) = state.records.keys() else { return Ok(Done(Vec::new())) };
    let current = LogKey { key: keys.public().to_string(), current: true };
    let former = keys.former().iter().map(|key| LogKey { key: key.to_string(), current: false });
    Ok(Done([current].into_iter().chain(former).collect()))
}
