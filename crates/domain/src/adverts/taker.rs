//! What an advertiser requires of whoever orders from an advert.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

use crate::refusal::Refusal;
use crate::users::{KycLevel, User};

/// The numbers of completed orders that an advertiser can require.
pub const COMPLETED_ORDERS: RangeInclusive<u32> = 1..=1_000;

/// What an advertiser requires of takers, checked when they place an order. The default requires nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TakerRequirements {
    /// The minimum number of orders that the taker has completed in the [last 30 days](crate::reputation::PERIOD).
    pub completed_orders: Option<u32>,
    /// Whether the pass must report advanced verification.
    pub advanced_verification: bool,
    /// The region in which the taker must be, as a country code.
    pub region: Option<String>,
}

/// A requirement of an advertiser.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, IntoStaticStr)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE", const_into_str)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum TakerRequirement {
    /// The number of completed orders.
    CompletedOrders,
    /// Advanced verification in the pass.
    AdvancedVerification,
    /// The region.
    Region,
}

impl TakerRequirements {
    /// Returns whether every user meets the requirements.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns whether a user who has completed this number of orders meets each requirement.
    fn checks(&self, user: &User, completed: u32) -> [(TakerRequirement, bool); 3] {
        [
            (TakerRequirement::CompletedOrders, self.completed_orders.is_none_or(|least| completed >= least)),
            (TakerRequirement::AdvancedVerification, !self.advanced_verification || user.kyc >= KycLevel::Advanced),
            (TakerRequirement::Region, self.region.as_ref().is_none_or(|region| *region == user.region)),
        ]
    }

    /// Returns whether a user who has completed this number of orders meets all requirements.
    pub fn met_by(&self, user: &User, completed: u32) -> bool {
        self.checks(user, completed).iter().all(|(_, met)| *met)
    }

    /// Returns the requirements that a user who has completed this number of orders does not meet.
    pub fn unmet(&self, user: &User, completed: u32) -> Vec<TakerRequirement> {
        let checks = self.checks(user, completed).into_iter();
        checks.filter_map(|(requirement, met)| (!met).then_some(requirement)).collect()
    }

    /// Refuses a user who does not meet a requirement.
    pub fn check(&self, user: &User, completed: u32) -> Result<(), Refusal> {
        let unmet = self.unmet(user, completed);
        if unmet.is_empty() { Ok(()) } else { Err(Refusal::TakerRequirementsUnmet { unmet, required: self.clone() }) }
    }
}
