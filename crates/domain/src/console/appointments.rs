//! Appointments: an administrator creates or resets an officer, or extends the officer's rights. For some days, the two do
//! not count as two people.

use chrono::Duration;

use crate::clock::Timestamp;
use crate::ids::OfficerId;

/// An administrator created or reset an officer, enabled the officer, or changed the officer's role.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Appointment {
    pub officer: OfficerId,
    pub administrator: OfficerId,
    pub at: Timestamp,
}

/// How long the other officers have to notice in the audit log what one administrator did. Until then, an appointment matters, and a
/// reference price that the administrator has set values no order.
pub const NOTICE_PERIOD: Duration = Duration::days(7);

/// Returns whether two officers count as two people: they are not the same, neither has recently appointed the other, and no
/// administrator has recently appointed both.
///
/// Otherwise, one administrator could act as two officers: with two accounts whose mailboxes the administrator reads.
pub fn count_as_two(one: OfficerId, other: OfficerId, appointments: &[Appointment], now: Timestamp) -> bool {
    let appointed_by = |officer: OfficerId| {
        let recent = move |appointment: &&Appointment| {
            appointment.officer == officer && now.signed_duration_since(appointment.at) < NOTICE_PERIOD
        };
        appointments.iter().filter(recent).map(|appointment| appointment.administrator)
    };
    let related = |officer, other| {
        appointed_by(officer)
            .any(|administrator| administrator == other || appointed_by(other).any(|by| by == administrator))
    };
    one != other && !related(one, other) && !related(other, one)
}

#[cfg(test)]
mod tests {
    use chrono::{DateTime, Utc};
    use proptest::prelude::*;
    use uuid::Uuid;

    use super::*;

    const START: Timestamp = DateTime::<Utc>::UNIX_EPOCH;
    const ADA: OfficerId = officer(1);
    const BEA: OfficerId = officer(2);
    const OLGA: OfficerId = officer(3);
    const OTTO: OfficerId = officer(4);

    const fn officer(id: u128) -> OfficerId {
        OfficerId(Uuid::from_u128(id))
    }

    fn appointed(officer: OfficerId, administrator: OfficerId, day: i64) -> Appointment {
        Appointment { officer, administrator, at: START + Duration::days(day) }
    }

    fn two(one: OfficerId, other: OfficerId, appointments: &[Appointment], day: i64) -> bool {
        count_as_two(one, other, appointments, START + Duration::days(day))
    }

    #[test]
    fn two_officers_of_one_administrator_are_one_for_seven_days() {
        let both = [appointed(OLGA, ADA, 0), appointed(OTTO, ADA, 2)];
        // The older appointment of the two ends it.
        for (day, counts) in [(2, false), (6, false), (7, true)] {
            assert_eq!(two(OLGA, OTTO, &both, day), counts, "{day}");
        }
        assert!(two(OLGA, OTTO, &[appointed(OLGA, ADA, 0), appointed(OTTO, BEA, 0)], 0));
    }

    #[test]
    fn an_administrator_and_the_appointed_officer_are_one_for_seven_days() {
        let olga = [appointed(OLGA, ADA, 0)];
        assert!(!two(ADA, OLGA, &olga, 6) && !two(OLGA, ADA, &olga, 6));
        assert!(two(ADA, OLGA, &olga, 7) && two(BEA, OLGA, &olga, 0));
        // So is an administrator who takes another role in order to join the officer.
        assert!(!two(ADA, OLGA, &[appointed(OLGA, ADA, 0), appointed(ADA, ADA, 3)], 3));
    }

    #[test]
    fn a_later_appointment_by_somebody_else_does_not_hide_an_earlier_one() {
        let hidden = [appointed(OLGA, ADA, 0), appointed(OTTO, ADA, 0), appointed(OTTO, BEA, 1)];
        assert!(!two(OLGA, OTTO, &hidden, 2));
    }

    proptest! {
        #[test]
        fn the_order_of_the_two_does_not_matter(
            pairs in prop::collection::vec((1_u128..5, 1_u128..5, 0_i64..10), 0..6), day in 0_i64..12
        ) {
            let appointments: Vec<_> =
                pairs.into_iter().map(|(one, other, day)| appointed(officer(one), officer(other), day)).collect();
            for one in [ADA, BEA, OLGA, OTTO] {
                prop_assert!(!two(one, one, &appointments, day));
                for other in [ADA, BEA, OLGA, OTTO] {
                    prop_assert_eq!(two(one, other, &appointments, day), two(other, one, &appointments, day));
                }
            }
        }
    }
}
