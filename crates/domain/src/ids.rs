//! Identifiers, sortable by creation time.
//!
//! Each entity has its own type, so that the compiler rejects an identifier of another entity.

use std::fmt;
use std::str::FromStr;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not an identifier")]
pub struct InvalidId;

/// The number of hexadecimal digits of an identifier.
const HEX_DIGITS: usize = 32;
/// The latest time that an identifier can contain, in milliseconds since 1970.
const LATEST: u64 = (1 << 48) - 1;

/// Creates a UUID version 7 from a timestamp and ten random bytes. Timestamps before 1970 count as 1970.
fn uuid_v7(now: DateTime<Utc>, random: [u8; 10]) -> Uuid {
    let millis = u64::try_from(now.timestamp_millis()).unwrap_or(0).min(LATEST);
    uuid::Builder::from_unix_timestamp_millis(millis, &random).into_uuid()
}

/// The identifiers from the first to the last one, both included. Those of some time are next to each other, and so are those
/// that begin with the same digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IdRange {
    pub first: Uuid,
    pub last: Uuid,
}

impl IdRange {
    pub const ALL: Self = Self { first: Uuid::nil(), last: Uuid::max() };
    pub const NONE: Self = Self { first: Uuid::max(), last: Uuid::nil() };

    /// Returns the identifiers that were created at a time or later, to the millisecond.
    pub fn since(from: DateTime<Utc>) -> Self {
        Self { first: uuid_v7(from, [0; 10]), ..Self::ALL }
    }

    /// Returns the identifiers that were created before a time, to the millisecond.
    pub fn before(end: DateTime<Utc>) -> Self {
        Self { last: Uuid::from_u128(uuid_v7(end, [0; 10]).as_u128().saturating_sub(1)), ..Self::ALL }
    }

    /// Returns the identifiers whose text begins with this one, with or without hyphens. None do if the text contains anything
    /// but hexadecimal digits.
    pub fn beginning_with(text: &str) -> Self {
        let digits: String = text.chars().filter(|character| *character != '-').collect();
        let ends = ['0', 'f'].map(|rest| {
            let whole: String =
                digits.chars().chain(std::iter::repeat(rest)).take(HEX_DIGITS.max(digits.len())).collect();
            Uuid::try_parse(&whole)
        });
        match ends {
            [Ok(first), Ok(last)] => Self { first, last },
            _ => Self::NONE,
        }
    }

    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self { first: self.first.max(other.first), last: self.last.min(other.last) }
    }
}

/// Generates identifiers. Randomness is injected so that simulations can be replayed.
pub trait IdSource: Send + Sync {
    /// Returns ten random bytes, different on every call.
    fn random(&self) -> [u8; 10];

    fn fresh(&self, now: DateTime<Utc>) -> Uuid {
        uuid_v7(now, self.random())
    }
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub Uuid);

        impl From<$name> for Uuid {
            fn from(id: $name) -> Self {
                id.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self.0)
            }
        }

        impl FromStr for $name {
            type Err = InvalidId;

            fn from_str(text: &str) -> Result<Self, InvalidId> {
                Uuid::try_parse(text).map(Self).map_err(|_| InvalidId)
            }
        }
    )*};
}

ids! {
    UserId,
    AdvertId,
    OrderId,
    /// Coins to send on-chain, in one or two legs.
    PayoutId,
    /// A transfer into a vault.
    DepositId,
    WithdrawalId,
    PaymentMethodId,
    PostingId,
    SessionId,
    OfficerId,
    /// A picture or video that a user has uploaded.
    FileId,
    AppealId,
    /// An application for certification.
    CertificationId,
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::TimeZone;

    #[test]
    fn ids_sort_by_creation_time() {
        let early = uuid_v7(Utc.timestamp_opt(1_000, 0).unwrap(), [255; 10]);
        let late = uuid_v7(Utc.timestamp_opt(1_001, 0).unwrap(), [0; 10]);
        assert!(early.to_string() < late.to_string());
    }

    #[test]
    fn ids_of_a_time_are_a_range() {
        let at = |millis| Utc.timestamp_millis_opt(millis).unwrap();
        let contains = |range: IdRange, id: Uuid| range.first <= id && id <= range.last;
        for random in [[0; 10], [255; 10]] {
            let id = |millis| uuid_v7(at(millis), random);
            let range = IdRange::since(at(1_000)).and(IdRange::before(at(2_000)));
            assert_eq!(
                [999, 1_000, 1_999, 2_000].map(|millis| contains(range, id(millis))),
                [false, true, true, false]
            );
            assert!(!contains(IdRange::since(at(5)).and(IdRange::before(at(5))), id(5)));
            assert!(contains(IdRange::since(at(0)), id(0)) && !contains(IdRange::before(at(0)), id(0)));
            assert!(contains(IdRange::before(DateTime::<Utc>::MAX_UTC), id(1_000)));
        }
    }

    #[test]
    fn ids_with_a_beginning_are_a_range() {
        let id = uuid_v7(Utc.timestamp_opt(1_700_000_000, 0).unwrap(), [7; 10]);
        let begins = |text: &str| {
            let range = IdRange::beginning_with(text);
            range.first <= id && id <= range.last
        };
        let text = id.to_string();
        for length in 0..=text.len() {
            assert!(begins(&text[..length]), "{}", &text[..length]);
        }
        assert!(begins(&text.replace('-', "")) && begins(&text.to_uppercase()));
        for other in ["1", "018bcfe6", "0g", "ben", &format!("{text}0"), "０"] {
            assert!(!begins(other), "{other}");
        }
        assert_eq!(IdRange::beginning_with(&text), IdRange { first: id, last: id });
    }

    #[test]
    fn ids_round_trip_through_text_and_other_text_is_refused() {
        let id = OrderId(uuid_v7(Utc.timestamp_opt(1_000, 0).unwrap(), [7; 10]));
        assert_eq!(id.to_string().parse(), Ok(id));
        assert_eq!("42".parse::<OrderId>(), Err(InvalidId));
    }
}
