//! What a user lacks to post an advert or to place an order.

use chrono::{DateTime, Utc};
use domain::checks::TradeRequirement;
use domain::refusal::Refusal;
use serde::Serialize;
use utoipa::ToSchema;

/// A requirement that the user does not meet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct MissingRequirement {
    requirement: TradeRequirement,
    /// What the user has; null if the requirement is not a number.
    has: Option<i32>,
    /// What is needed; null if the requirement is not a number.
    needed: Option<i32>,
    /// The time until which the user must wait; null if it is not for time to meet the requirement.
    until: Option<DateTime<Utc>>,
}

impl From<&(TradeRequirement, Refusal)> for MissingRequirement {
    fn from((requirement, refusal): &(TradeRequirement, Refusal)) -> Self {
        let (has, needed, until) = match refusal {
            Refusal::ReputationTooLow { reputation, needed } => (Some(*reputation), Some(*needed), None),
            Refusal::HeldUntil { until } => (None, None, Some(*until)),
            _ => (None, None, None),
        };
        Self { requirement: *requirement, has, needed, until }
    }
}
