//! Chain values that business rules refer to: addresses, hashes and block numbers.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Text that is not a hexadecimal value of the expected length.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a 0x-prefixed hexadecimal value of {expected} bytes")]
pub struct InvalidHex {
    /// In bytes.
    pub expected: usize,
}

macro_rules! hex_values {
    ($($(#[$doc:meta])* $name:ident[$size:literal]),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub [u8; $size]);

        impl $name {
            /// Returns `None` if the length does not match.
            pub fn from_slice(bytes: &[u8]) -> Option<Self> {
                bytes.try_into().ok().map(Self)
            }

            pub fn as_slice(&self) -> &[u8] {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "0x{}", hex::encode(self.0))
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }

        impl FromStr for $name {
            type Err = InvalidHex;

            fn from_str(text: &str) -> Result<Self, InvalidHex> {
                let mut bytes = [0; $size];
                text.strip_prefix("0x")
                    .and_then(|digits| hex::decode_to_slice(digits, &mut bytes).ok())
                    .map(|()| Self(bytes))
                    .ok_or(InvalidHex { expected: $size })
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    )*};
}

hex_values! {
    /// An account or contract on an EVM chain. Its text form is lowercase; user interfaces produce and verify the
    /// checksummed form ([`checksummed`](crate::identity::address::checksummed)).
    Address[20],
    BlockHash[32],
    TxHash[32],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ChainId(pub u64);

/// Blocks since genesis.
pub type BlockNumber = u64;

/// The number of a payout leg. The Escrow contract pays each reference at most once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Reference(pub u64);

/// The number from which the address of a user's vault is derived.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CustodyIndex(pub u64);

/// A block that chain ingestion has recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockRef {
    pub number: BlockNumber,
    pub hash: BlockHash,
    /// The hash of the previous block.
    pub parent: BlockHash,
}

/// How an asset is represented on its chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Token {
    Native,
    Erc20(Address),
    /// One NFT: the contract and the token id (big-endian).
    Erc721(Address, [u8; 32]),
}

/// The number of confirmations of block `at` when the newest block is `head`: 1 for the head itself, 0 for later
/// blocks.
pub fn confirmations(at: BlockNumber, head: BlockNumber) -> u64 {
    head.checked_sub(at).map_or(0, |depth| depth.saturating_add(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_round_trip_through_text() {
        let text = "0x00000000000000000000000000000000000000ff";
        let address: Address = text.parse().unwrap();
        assert_eq!(address.to_string(), text);
        assert_eq!(serde_json::from_str::<Address>(&format!("\"{text}\"")).unwrap(), address);
    }

    #[test]
    fn other_text_is_refused() {
        for text in ["", "0x", "00000000000000000000000000000000000000ff", "0xzz"] {
            assert!(text.parse::<Address>().is_err(), "{text}");
        }
    }

    #[test]
    fn the_head_has_one_confirmation_and_the_future_none() {
        assert_eq!(confirmations(7, 7), 1);
        assert_eq!(confirmations(5, 7), 3);
        assert_eq!(confirmations(8, 7), 0);
    }
}
