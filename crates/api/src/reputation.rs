//! The calls about reputation: what costs points, what the next cancellation would cost, and the history.

use app::Context;
use app::reputation::StoredChange;
use axum::extract::State;
use chrono::{DateTime, Utc};
use domain::reputation::{self, APPEAL_POINTS, CANCEL_POINTS, Cause, FREE_CANCELLATIONS, NEEDED_TO_POST};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use crate::envelope::{Answer, Done, Envelope};
use crate::extract::{Page, PageOf, Query, Session};
use crate::state::ApiState;

pub(crate) fn calls() -> OpenApiRouter<ApiState> {
    OpenApiRouter::new().routes(routes!(setting)).routes(routes!(cancel_times)).routes(routes!(history))
}

/// What costs reputation points, and what they are needed for.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ReputationSetting {
    /// The reputation points that a cancellation costs once the day's free ones are used.
    deduct: i32,
    /// The free cancellations per UTC day.
    free_per_day: u32,
    /// The reputation points that a lost appeal costs.
    appeal_deduct: i32,
    /// The reputation points needed to post an advert.
    needed_to_post: i32,
    /// The reputation points that a new user has, and that every user has again at the start of each month.
    full: i32,
}

/// Returns what costs reputation points.
#[utoipa::path(get, path = "/common/credit/setting", tag = "common",
    responses((status = 200, body = Envelope<Vec<ReputationSetting>>)))]
async fn setting() -> Answer<Vec<ReputationSetting>> {
    Ok(Done(vec![ReputationSetting {
        deduct: CANCEL_POINTS,
        free_per_day: FREE_CANCELLATIONS,
        appeal_deduct: APPEAL_POINTS,
        needed_to_post: NEEDED_TO_POST,
        full: reputation::FULL,
    }]))
}

/// The cost of the user's next cancellation.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct CancelTimes {
    /// The free cancellations left today (UTC).
    free_left: u32,
    /// The free cancellations per UTC day.
    free_per_day: u32,
    /// The reputation points that a cancellation costs once the free ones are used.
    deduct: i32,
    /// The reputation points that the next cancellation would cost now.
    next_cost: i32,
    /// The user's reputation points.
    reputation: i32,
}

/// Returns the cost of the user's next cancellation.
#[utoipa::path(get, path = "/c2c/deal/order/cancel/times", tag = "orders", security(("session" = [])),
    responses((status = 200, body = Envelope<CancelTimes>)))]
async fn cancel_times(State(context): State<Context>, Session(who): Session) -> Answer<CancelTimes> {
    let standing = app::reputation::standing(&context, who.user).await?;
    Ok(Done(CancelTimes {
        free_left: reputation::free_cancellations(standing),
        free_per_day: FREE_CANCELLATIONS,
        deduct: CANCEL_POINTS,
        next_cost: reputation::cancel_cost(standing),
        reputation: standing.reputation,
    }))
}

/// A change of the user's reputation.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ReputationChange {
    /// The points added; negative for a deduction, 0 for a free cancellation.
    change: i32,
    /// The reputation points after the change.
    reputation: i32,
    cause: Cause,
    /// The order that was cancelled, missed or appealed.
    order_id: Option<Uuid>,
    /// The appeal whose decision cost the points.
    appeal_id: Option<Uuid>,
    at: DateTime<Utc>,
    /// The time from which deducted points are restored; null if the change deducted none.
    restored_at: Option<DateTime<Utc>>,
}

impl From<StoredChange> for ReputationChange {
    fn from(change: StoredChange) -> Self {
        Self {
            change: change.points,
            reputation: change.reputation,
            cause: change.cause,
            order_id: change.order.map(|order| order.0),
            appeal_id: change.appeal.map(|appeal| appeal.0),
            at: change.at,
            restored_at: (change.points < 0).then(|| reputation::next_month_start(change.at)),
        }
    }
}

/// Lists the changes of the user's reputation, newest first.
#[utoipa::path(get, path = "/credit/detail/page", tag = "common", security(("session" = [])),
    params(Page), responses((status = 200, body = Envelope<PageOf<ReputationChange>>)))]
async fn history(
    State(context): State<Context>,
    Session(who): Session,
    Query(page): Query<Page>,
) -> Answer<PageOf<ReputationChange>> {
    let (changes, total) = app::reputation::history(&context, who.user, page.offset(), page.limit()).await?;
    Ok(Done(page.of(changes.into_iter().map(ReputationChange::from).collect(), total)))
}
