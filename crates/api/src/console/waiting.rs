//! Officers see how much waits for them.

use app::console::{Waiting, WaitingCases};
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use super::officer::Officer;
use crate::envelope::{Answer, Done, Envelope};
use crate::state::ApiState;

/// Appeals that have not ended, each kind counted up to 1,000.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct WaitingAppeals {
    /// Without a verdict.
    open: i64,
    /// Without a verdict, of which the officer has joined the case, or which are assigned to the officer.
    mine: i64,
    /// With a verdict that is not executed yet.
    decided: i64,
}

impl From<WaitingCases> for WaitingAppeals {
    fn from(cases: WaitingCases) -> Self {
        let WaitingCases { open, mine, decided } = cases;
        Self { open, mine, decided }
    }
}

/// How much waits for the officer.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ConsoleWaiting)]
pub(super) struct WaitingItem {
    /// Null for administrators.
    appeals: Option<WaitingAppeals>,
    /// Nicknames under review, counted up to 1,000; null for everybody but administrators.
    nicknames: Option<i64>,
    /// Applications for certification, counted up to 1,000; null for everybody but administrators.
    certifications: Option<i64>,
    /// Stopped assets, stopped vaults and failing transfers; null for everybody but administrators.
    payouts: Option<usize>,
}

impl From<Waiting> for WaitingItem {
    fn from(waiting: Waiting) -> Self {
        Self {
            appeals: waiting.cases.map(Into::into),
            nicknames: waiting.platform.map(|platform| platform.nicknames),
            certifications: waiting.platform.map(|platform| platform.certifications),
            payouts: waiting.platform.map(|platform| platform.payouts),
        }
    }
}

/// Counts what waits for the officer's role.
#[utoipa::path(get, path = "/console/waiting", tag = "console",
    responses((status = 200, body = Envelope<WaitingItem>)), security(("officer" = [])))]
pub(super) async fn get(State(state): State<ApiState>, Officer(acting): Officer) -> Answer<WaitingItem> {
    Ok(Done(state.console.waiting(&acting).await?.into()))
}
