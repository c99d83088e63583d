//! Identifiers: opaque to the outside, sortable by the time they were made.
//!
//! Each entity has a type of its own, so that an order's id can never be passed where an advert's is meant.

use std::fmt;
use std::str::FromStr;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// Text that is not an identifier.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not an identifier")]
pub struct InvalidId;

/// Makes an identifier (UUID version 7) of a moment and ten random bytes.
///
/// Moments before 1970 sort as 1970.
pub fn uuid_v7(now: DateTime<Utc>, random: [u8; 10]) -> Uuid {
    let millis = u64::try_from(now.timestamp_millis()).unwrap_or(0);
    uuid::Builder::from_unix_timestamp_millis(millis, &random).into_uuid()
}

/// Makes fresh identifiers. Randomness is a parameter of the product, so that a simulation can replay it.
pub trait IdSource: Send + Sync {
    /// Ten random bytes, never the same twice.
    fn random(&self) -> [u8; 10];

    /// A fresh identifier of the moment.
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
    /// A person who trades.
    UserId,
    /// An advert.
    AdvertId,
    /// An order.
    OrderId,
    /// Something owed on the chain: one or two legs that go together.
    PayoutId,
    /// Coins that arrived in a custody vault.
    DepositId,
    /// A withdrawal that its owner asked for.
    WithdrawalId,
    /// A payment method that a person keeps.
    PaymentMethodId,
    /// A posting of the ledger.
    PostingId,
    /// A log-in.
    SessionId,
    /// A picture or video that somebody uploaded.
    FileId,
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::TimeZone;

    #[test]
    fn later_ids_sort_behind_earlier_ones() {
        let early = uuid_v7(Utc.timestamp_opt(1_000, 0).unwrap(), [255; 10]);
        let late = uuid_v7(Utc.timestamp_opt(1_001, 0).unwrap(), [0; 10]);
        assert!(early.to_string() < late.to_string());
    }

    #[test]
    fn an_id_survives_its_text_and_other_text_is_refused() {
        let id = OrderId(uuid_v7(Utc.timestamp_opt(1_000, 0).unwrap(), [7; 10]));
        assert_eq!(id.to_string().parse(), Ok(id));
        assert_eq!("42".parse::<OrderId>(), Err(InvalidId));
    }
}
