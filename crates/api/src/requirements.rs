//! What a user lacks to post an advert or to place an order.

use chrono::{DateTime, Utc};
use domain::checks::Requirement;
use domain::refusal::Refusal;
use serde::Serialize;
use utoipa::ToSchema;

use crate::enums::same_variants;

/// What a user must have to post an advert or to place an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
enum TradeRequirement {
    /// No restriction by an officer that forbids it.
    NoRestriction,
    /// Basic verification in the pass, and a bound address.
    BasicVerification,
    /// Advanced verification in the pass.
    AdvancedVerification,
    Nickname,
    ReceivingAddress,
    /// A receiving address on a chain that the pair accepts.
    ChainType,
    /// A bound address and a receiving address that do not belong to the platform.
    PayableAddress,
    /// No hold on the account.
    NoHold,
    /// The credit score.
    Reputation,
    Certification,
    /// A region that supports the pair's fiat currency.
    Region,
    /// A security password. Sellers are not refused without it, but cannot confirm a payment.
    SecurityPassword,
}

same_variants!(
    Requirement => TradeRequirement:
    NoRestriction, BasicVerification, AdvancedVerification, Nickname, ReceivingAddress, ChainType, PayableAddress, NoHold,
    Reputation, Certification, Region, SecurityPassword
);

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

impl From<&(Requirement, Refusal)> for MissingRequirement {
    fn from((requirement, refusal): &(Requirement, Refusal)) -> Self {
        let (has, needed, until) = match refusal {
            Refusal::ReputationTooLow { reputation, needed } => (Some(*reputation), Some(*needed), None),
            Refusal::HeldUntil { until } => (None, None, Some(*until)),
            _ => (None, None, None),
        };
        Self { requirement: (*requirement).into(), has, needed, until }
    }
}
