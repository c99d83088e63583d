//! Administrators plan maintenance.

use domain::clock::Timestamp;
use domain::refusal::Refusal;
use serde_json::json;
use store::Tx;
use store::console::audit::Subject;

use super::By;
use super::{Console, Decision, executed, version_of};
use crate::Result;
use crate::deadlines::maintenance::{self, Closing, covers};

/// Current and planned maintenance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MaintenanceState {
    /// In order of time; at most one is current.
    pub closings: Vec<Closing>,
    /// Whether the platform is closed now.
    pub closed: bool,
    /// Changes with each plan, and when a plan takes effect.
    pub version: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MaintenancePlan {
    /// A time in the past means now.
    pub from: Timestamp,
    pub until: Timestamp,
}

async fn state(tx: &mut Tx, now: Timestamp) -> Result<MaintenanceState> {
    let closings = store::maintenance::closings(tx).await?;
    let closings: Vec<_> = closings.into_iter().filter(|closing| now < closing.until).collect();
    let closed = closings.iter().any(|closing| covers(closing, now));
    // When a plan takes effect, ending it is another decision.
    let version = version_of(&[store::console::decisions::last_plan(tx).await?.to_string(), closed.to_string()]);
    Ok(MaintenanceState { closings, closed, version })
}

impl Console {
    pub async fn maintenance(&self, by: &By) -> Result<MaintenanceState> {
        let (mut tx, now) = self.view(by, "view_maintenance", Subject::Platform, json!({})).await?;
        let found = state(&mut tx, now).await?;
        tx.commit().await?;
        Ok(found)
    }

    /// Plans to close the platform. Replaces an earlier plan.
    pub async fn plan_maintenance(&self, plan: MaintenancePlan, decision: &Decision) -> Result<MaintenanceState> {
        self.decide_maintenance(Some(plan), decision).await
    }

    /// Opens the platform again, or cancels the plan.
    pub async fn end_maintenance(&self, decision: &Decision) -> Result<MaintenanceState> {
        self.decide_maintenance(None, decision).await
    }

    async fn decide_maintenance(&self, plan: Option<MaintenancePlan>, decision: &Decision) -> Result<MaintenanceState> {
        let (mut tx, now) = maintenance::begin(&self.context).await?;
        if executed(&mut tx, &decision.by).await?.is_some() {
            return state(&mut tx, now).await;
        }
        decision.check_version(&state(&mut tx, now).await?.version)?;
        let why = maintenance::MaintenanceDecision { officer: decision.by.clone(), reason: decision.reason.clone() };
        match plan {
            Some(MaintenancePlan { from, until }) => maintenance::plan(&mut tx, from, until, &why, now).await?,
            None => drop(maintenance::end(&mut tx, &why, now).await?.ok_or(Refusal::NotFound)?),
        }
        let planned = state(&mut tx, now).await?;
        tx.commit().await?;
        self.context.has_committed();
        Ok(planned)
    }
}
