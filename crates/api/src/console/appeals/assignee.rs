//! Which officer is responsible for an appeal.

use app::console::Colleague;
use axum::extract::State;
use domain::console::Role;
use domain::ids::{AppealId, OfficerId};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::dto::AppealItem;
use crate::console::officer::Officer;
use crate::envelope::{Answer, Done, Envelope};
use crate::extract::{Command, CommandKey, PathId};
use crate::state::ApiState;

/// An officer to whom appeals can be assigned.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ConsoleColleague)]
pub(in crate::console) struct ColleagueItem {
    id: Uuid,
    name: String,
    role: Role,
    /// The number of appeals without a verdict that are assigned to the officer.
    open: i64,
}

impl From<Colleague> for ColleagueItem {
    fn from(colleague: Colleague) -> Self {
        let Colleague { id, name, role, open } = colleague;
        Self { id: id.0, name, role, open }
    }
}

/// Lists the officers to whom appeals can be assigned, by name.
#[utoipa::path(get, path = "/console/appeals/officers", tag = "console",
    responses((status = 200, body = Envelope<Vec<ColleagueItem>>)), security(("officer" = [])))]
pub(in crate::console) async fn officers(
    State(state): State<ApiState>,
    Officer(acting): Officer,
) -> Answer<Vec<ColleagueItem>> {
    Ok(Done(state.console.colleagues(&acting).await?.into_iter().map(Into::into).collect()))
}

/// Who is responsible for an appeal from now on.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = ConsoleAssigneeBody)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in crate::console) struct AssigneeBody {
    /// The ID of an officer who works on appeals; null for nobody.
    officer_id: Option<Uuid>,
    /// The ID of the officer to whom the appeal was assigned so far; null for nobody. If it is out of date, the command is refused
    /// with 5050.
    before: Option<Uuid>,
}

/// Assigns an appeal that has not ended to an officer. The officer sees the case only after joining it. Returns the appeal as in
/// the list.
#[utoipa::path(post, path = "/console/appeals/{id}/assignee", tag = "console", request_body = AssigneeBody,
    params(("id" = Uuid, Path, description = "The ID of the appeal"), CommandKey),
    responses((status = 200, body = Envelope<AppealItem>)), security(("officer" = [])))]
pub(in crate::console) async fn assign(
    State(state): State<ApiState>,
    Officer(acting): Officer,
    PathId(id): PathId<AppealId>,
    Command { key, body }: Command<AssigneeBody>,
) -> Answer<AppealItem> {
    let change = (body.before.map(OfficerId), body.officer_id.map(OfficerId));
    Ok(Done(AppealItem::from(&state.console.assign_appeal(&acting, id, change, &key).await?)))
}
