//! The ended orders of a user: what the user looks for, and the file with them.

use app::orders::{MAX_EXPORTED, Wanted};
use axum::extract::State;
use axum::http::{HeaderName, header};
use axum::response::{IntoResponse, Response};
use chrono::{DateTime, Utc};
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::codes;
use crate::envelope::ApiError;
use crate::extract::{Query, Session};
use crate::state::ApiState;

pub(super) fn calls() -> OpenApiRouter<ApiState> {
    OpenApiRouter::new().routes(routes!(export))
}

/// Filters of ended orders.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct HistoryQuery {
    /// Filter: the other party's nickname, regardless of case, or the beginning of the order's ID.
    #[param(min_length = 1, max_length = 36)]
    search: Option<String>,
    /// Filter: orders placed at this time or later, to the millisecond.
    from: Option<DateTime<Utc>>,
    /// Filter: orders placed before this time, to the millisecond. Not before `from`.
    to: Option<DateTime<Utc>>,
    /// Filter: orders that trade this coin, album or currency, by its code.
    asset: Option<String>,
}

impl From<HistoryQuery> for Wanted {
    fn from(HistoryQuery { search, from, to, asset }: HistoryQuery) -> Self {
        Self { search, from, to, asset }
    }
}

/// Tells whether older orders are wanted as well, for which a file has no room.
const MORE: HeaderName = HeaderName::from_static("x-more-orders");

/// Returns the user's own ended orders as a file, newest first: at most 10,000 of those that the filters of the page show.
///
/// The file is a table as in RFC 4180, in UTF-8 with a byte order mark. Its first row names the columns. Times are in UTC, amounts are
/// decimal. A text that a spreadsheet could take for a formula begins with `'`. If more orders are wanted, the name of the file ends
/// with `-newest-10000`.
#[utoipa::path(get, path = "/c2c/deal/order/export", tag = "orders", security(("session" = [])), params(HistoryQuery),
    responses((status = 200, content_type = "text/csv", body = String, description = "A row per order",
        headers(("x-more-orders" = bool, description = "Whether more than 10,000 orders are wanted")))))]
async fn export(
    State(state): State<ApiState>,
    Session(who): Session,
    Query(filters): Query<HistoryQuery>,
) -> Result<Response, ApiError> {
    state.middleware.limits.record(who.user).map_err(codes::too_many)?;
    let file = app::orders::export(&state.context, who.user, &filters.into()).await?;
    let headers = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8; header=present".to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{}\"", file.name)),
        (header::CACHE_CONTROL, "no-store".to_owned()),
        (MORE, file.more.to_string()),
    ];
    Ok((headers, file.text).into_response())
}

// The description of the call names the number.
const _: () = assert!(MAX_EXPORTED == 10_000);
