//! The business rules' view of the chain: addresses, hashes, and blocks with their transfers and settlements.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use strum::{EnumString, IntoStaticStr};

use crate::clock::Timestamp;
use crate::money::Amount;

/// The error for text that is not a hexadecimal value of the expected length.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a 0x-prefixed hexadecimal value of {expected} bytes")]
pub struct InvalidHex {
    /// The expected length in bytes.
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

/// The unique number of a payout leg. The Escrow contract pays each reference at most once.
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

/// A transfer of coins on the chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transfer {
    pub tx: TxHash,
    /// The log's index in the block. Negative for the native coin: −1 − the transaction's index, or `i64::MIN` + the
    /// reference for payments by the Escrow.
    pub position: i64,
    pub token: Token,
    /// The zero address if the coins were created.
    pub from: Address,
    /// The zero address if the coins were destroyed.
    pub to: Address,
    /// In base units; 1 for an NFT.
    pub amount: Amount,
}

/// The result of a settlement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, IntoStaticStr, EnumString)]
#[strum(serialize_all = "lowercase", const_into_str)]
pub enum SettlementOutcome {
    /// The leg was paid.
    Paid,
    /// The payment failed for a reason other than the recipient. The reference is unspent.
    Failed,
    /// The payment was refused: the vault held too little, or the token or the recipient did not accept the transfer.
    /// The reference is unspent.
    Rejected,
    /// The reference was spent without paying.
    Voided,
}

impl SettlementOutcome {
    /// Returns whether the settlement spent the reference.
    pub fn spends(self) -> bool {
        matches!(self, Self::Paid | Self::Voided)
    }
}

/// The Escrow's report about a reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settlement {
    pub tx: TxHash,
    pub reference: Reference,
    pub outcome: SettlementOutcome,
}

/// An album's report that the metadata of some of its NFTs has changed (EIP-4906).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MetadataUpdate {
    pub album: Address,
    /// The first and the last token ID, big-endian.
    pub ids: ([u8; 32], [u8; 32]),
}

/// A block with the transfers and settlements that may concern the product, both in the order of the block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    pub place: BlockRef,
    pub at: Timestamp,
    /// Transfers of successful transactions only, those of the native coin first.
    pub transfers: Vec<Transfer>,
    pub settlements: Vec<Settlement>,
    pub metadata_updates: Vec<MetadataUpdate>,
}

/// Returns the number of confirmations of block `at` when the newest block is `head`: 1 for the head itself, 0 for
/// later blocks.
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
