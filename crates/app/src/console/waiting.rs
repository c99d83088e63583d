//! How much waits for the officers of a role.

use serde_json::json;
use store::console::audit::Subject;
use store::console::waiting;

pub use store::console::waiting::Cases as WaitingCases;

use super::reports::{failing_in, stopped_in, stopped_vaults_in};
use super::{Acting, Console};
use crate::Result;

/// What waits for administrators.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WaitingPlatform {
    /// Nicknames under review, counted up to [`waiting::MAX_COUNT`].
    pub nicknames: i64,
    /// Applications for certification, counted up to [`waiting::MAX_COUNT`].
    pub certifications: i64,
    /// Stopped assets, stopped vaults and failing legs.
    pub payouts: usize,
}

/// What waits for an officer: numbers only, no data of users.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Waiting {
    /// `None` for officers who may not work on appeals.
    pub cases: Option<WaitingCases>,
    /// `None` for everybody but administrators.
    pub platform: Option<WaitingPlatform>,
}

impl Console {
    /// Counts what waits for an officer.
    pub async fn waiting(&self, acting: &Acting) -> Result<Waiting> {
        let view = acting.viewing();
        let (mut tx, _) = self.refreshed_view(&view, "view_waiting", Subject::Platform, json!({})).await?;
        let found = if acting.role.authority().is_some() {
            Waiting { cases: Some(waiting::cases(&mut tx, acting.officer).await?), platform: None }
        } else {
            let stops = stopped_in(&mut tx).await?.len();
            let vaults = stopped_vaults_in(&mut tx).await?.len();
            let failing = failing_in(&mut tx).await?.len();
            let payouts = stops.saturating_add(vaults).saturating_add(failing);
            let nicknames = waiting::nicknames(&mut tx).await?;
            let certifications = waiting::certifications(&mut tx).await?;
            Waiting { cases: None, platform: Some(WaitingPlatform { nicknames, certifications, payouts }) }
        };
        tx.commit().await?;
        Ok(found)
    }
}
