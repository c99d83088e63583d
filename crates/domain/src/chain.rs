//! What the rules need to say of a chain: addresses, hashes, heights. No calls, no encodings of transactions.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Text that is not the hexadecimal form of a value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a 0x-prefixed hexadecimal value of {expected} bytes")]
pub struct InvalidHex {
    /// How many bytes it should have.
    pub expected: usize,
}

macro_rules! hex_values {
    ($($(#[$doc:meta])* $name:ident[$size:literal]),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub [u8; $size]);

        impl $name {
            /// The bytes, or nothing if there are not exactly as many as needed.
            pub fn from_slice(bytes: &[u8]) -> Option<Self> {
                bytes.try_into().ok().map(Self)
            }

            /// The bytes.
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
    /// An account or contract on an EVM chain. Lower-case hexadecimal; the mixed-case checksum is for people and
    /// is made and checked at the edge.
    Address[20],
    /// The hash of a block.
    BlockHash[32],
    /// The hash of a transaction.
    TxHash[32],
}

/// Names an EVM chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ChainId(pub u64);

/// The height of a block: blocks since genesis.
pub type BlockNumber = u64;

/// The number of a settlement leg. The Escrow contract pays each reference once, ever.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Reference(pub u64);

/// The number from which the address of a person's custody vault is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CustodyIndex(pub u64);

/// A block as the watcher remembers it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockRef {
    /// Its height.
    pub number: BlockNumber,
    /// Its hash.
    pub hash: BlockHash,
    /// The hash of the block before it.
    pub parent: BlockHash,
}

/// How an asset lives on its chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Token {
    /// The chain's own coin.
    Native,
    /// A fungible token.
    Erc20(Address),
    /// One item of an album, by the album's contract and the item's token id (big-endian).
    Erc721(Address, [u8; 32]),
}

/// How many blocks deep the block `at` lies when `head` is the newest: 1 for the head itself.
pub fn confirmations(at: BlockNumber, head: BlockNumber) -> u64 {
    head.checked_sub(at).map_or(0, |depth| depth.saturating_add(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_survives_its_text() {
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
