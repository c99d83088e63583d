//! What makes an appeal suspicious. Signals help officers to choose and to read a case; they decide nothing.

use chrono::Duration;
use serde::Serialize;
use strum::VariantArray;

use crate::clock::Timestamp;

/// The age below which an account is new.
pub const NEW_ACCOUNT: Duration = Duration::days(30);

/// The time in which appeals are counted.
pub const RECENT_APPEALS: Duration = Duration::days(30);

/// The number of recent appeals about a user's orders that are many.
pub const MANY_APPEALS: u32 = 3;

/// The reputation below which it is low. Users start with 100 points.
pub const LOW_REPUTATION: i32 = 60;

/// What makes an appeal suspicious. Sorted by weight, heaviest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, VariantArray)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum RiskSignal {
    /// A party was found to have appealed maliciously.
    MaliciousAppealsBefore,
    /// A picture of the order was attached to another order before.
    ReceiptUsedBefore,
    /// A party has lost an appeal.
    LostAppealsBefore,
    /// The order is worth more than one officer may decide, or has no known value.
    ValueAboveLimit,
    /// [`MANY_APPEALS`] or more appeals about a party's orders are open or recent.
    ManyAppeals,
    /// A party's reputation is below [`LOW_REPUTATION`].
    LowReputation,
    /// A party's account is younger than [`NEW_ACCOUNT`].
    NewAccount,
}

impl RiskSignal {
    /// Returns how much the signal adds to the risk of an appeal.
    pub fn weight(self) -> u32 {
        match self {
            Self::MaliciousAppealsBefore => 40,
            Self::ReceiptUsedBefore => 35,
            Self::LostAppealsBefore => 20,
            Self::ValueAboveLimit | Self::ManyAppeals => 15,
            Self::LowReputation | Self::NewAccount => 10,
        }
    }
}

/// What is known about a party of an order under appeal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PartyRisk {
    pub joined_at: Timestamp,
    /// 0 to 100.
    pub reputation: i32,
    /// The appeals about the user's orders that are open or were filed within [`RECENT_APPEALS`], including this one.
    pub recent_appeals: u32,
    /// The appeals that cost the user reputation.
    pub lost_appeals: u32,
    /// Those of them that were malicious.
    pub malicious_appeals: u32,
}

/// What is known about an appeal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CaseRisk {
    pub parties: [PartyRisk; 2],
    /// Whether a receipt or evidence of the order was attached to another order before.
    pub proof_used_before: bool,
    /// Whether the order is worth more than one officer may decide.
    pub above_limit: bool,
}

/// Returns the signals of an appeal, heaviest first.
pub fn signals(case: &CaseRisk, now: Timestamp) -> Vec<RiskSignal> {
    let any = |is: &dyn Fn(&PartyRisk) -> bool| case.parties.iter().any(is);
    let applies = |signal| match signal {
        RiskSignal::MaliciousAppealsBefore => any(&|party| party.malicious_appeals > 0),
        RiskSignal::ReceiptUsedBefore => case.proof_used_before,
        RiskSignal::LostAppealsBefore => any(&|party| party.lost_appeals > 0),
        RiskSignal::ValueAboveLimit => case.above_limit,
        RiskSignal::ManyAppeals => any(&|party| party.recent_appeals >= MANY_APPEALS),
        RiskSignal::LowReputation => any(&|party| party.reputation < LOW_REPUTATION),
        RiskSignal::NewAccount => any(&|party| now.signed_duration_since(party.joined_at) < NEW_ACCOUNT),
    };
    RiskSignal::VARIANTS.iter().copied().filter(|signal| applies(*signal)).collect()
}

/// Returns the risk of an appeal: the sum of the weights of its signals.
pub fn score(signals: &[RiskSignal]) -> u32 {
    signals.iter().fold(0, |sum, signal| sum.saturating_add(signal.weight()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::UNIX_EPOCH;

    fn harmless() -> CaseRisk {
        let joined_at = NOW - NEW_ACCOUNT;
        let (reputation, recent_appeals) = (LOW_REPUTATION, MANY_APPEALS - 1);
        let party = PartyRisk { joined_at, reputation, recent_appeals, lost_appeals: 0, malicious_appeals: 0 };
        CaseRisk { parties: [party; 2], proof_used_before: false, above_limit: false }
    }

    #[test]
    fn nothing_is_suspicious_at_the_limits() {
        assert_eq!(signals(&harmless(), NOW), []);
    }

    #[test]
    fn one_party_suffices_for_each_signal() {
        for party in [0, 1] {
            let with = |change: &dyn Fn(&mut PartyRisk)| {
                let mut case = harmless();
                change(&mut case.parties[party]);
                signals(&case, NOW)
            };
            let micro = Duration::microseconds(1);
            assert_eq!(with(&|party| party.joined_at += micro), [RiskSignal::NewAccount]);
            assert_eq!(with(&|party| party.reputation -= 1), [RiskSignal::LowReputation]);
            assert_eq!(with(&|party| party.recent_appeals += 1), [RiskSignal::ManyAppeals]);
            assert_eq!(with(&|party| party.lost_appeals = 1), [RiskSignal::LostAppealsBefore]);
            assert_eq!(with(&|party| party.malicious_appeals = 1), [RiskSignal::MaliciousAppealsBefore]);
        }
        let used = CaseRisk { proof_used_before: true, ..harmless() };
        assert_eq!(signals(&used, NOW), [RiskSignal::ReceiptUsedBefore]);
        assert_eq!(signals(&CaseRisk { above_limit: true, ..harmless() }, NOW), [RiskSignal::ValueAboveLimit]);
    }

    #[test]
    fn signals_come_by_weight_and_add_up() {
        let weights = RiskSignal::VARIANTS.iter().map(|signal| signal.weight()).collect::<Vec<_>>();
        assert!(weights.is_sorted_by(|one, next| one >= next) && weights.iter().all(|weight| *weight > 0));
        assert_eq!(score(&[]), 0);
        assert_eq!(score(&[RiskSignal::ReceiptUsedBefore, RiskSignal::NewAccount]), 45);
        assert_eq!(score(RiskSignal::VARIANTS), weights.iter().sum::<u32>());
    }
}
