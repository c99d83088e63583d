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

/// Creates a UUID version 7 from a timestamp and ten random bytes. Timestamps before 1970 count as 1970.
fn uuid_v7(now: DateTime<Utc>, random: [u8; 10]) -> Uuid {
    let millis = u64::try_from(now.timestamp_millis()).unwrap_or(0);
    uuid::Builder::from_unix_timestamp_millis(millis, &random).into_uuid()
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
    fn ids_round_trip_through_text_and_other_text_is_refused() {
        let id = OrderId(uuid_v7(Utc.timestamp_opt(1_000, 0).unwrap(), [7; 10]));
        assert_eq!(id.to_string().parse(), Ok(id));
        assert_eq!("42".parse::<OrderId>(), Err(InvalidId));
    }
}
