//! NFTs as everybody sees them, and the number by which their albums know them.

use std::fmt;
use std::str::FromStr;

use ruint::aliases::U256;
use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr, VariantArray};

use crate::assets::Asset;
use crate::chain::{Address, BlockNumber};
use crate::ids::{AdvertId, OrderId};

/// The number of an NFT within its album, big-endian. Its text form is decimal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TokenId(pub [u8; 32]);

/// The error for text that is not a token ID.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a whole number from 0 to 2^256 - 1")]
pub struct InvalidTokenId;

impl fmt::Display for TokenId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&U256::from_be_bytes(self.0), f)
    }
}

impl FromStr for TokenId {
    type Err = InvalidTokenId;

    fn from_str(text: &str) -> Result<Self, InvalidTokenId> {
        if text.is_empty() || text.len() > 78 || !text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(InvalidTokenId);
        }
        U256::from_str_radix(text, 10).map(|number| Self(number.to_be_bytes())).map_err(|_| InvalidTokenId)
    }
}

/// The sizes in which the platform encodes the pictures of NFTs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum PictureSize {
    /// At most 256 pixels on a side.
    Small,
    /// At most 1024 pixels on a side.
    Large,
}

/// Why there is no metadata, or no picture.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    IntoStaticStr,
    EnumString,
    VariantArray,
)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE", const_into_str)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum MetadataFault {
    /// It has not been fetched yet.
    Pending,
    /// There is no URI.
    Missing,
    /// The URI is malformed or too long, or names a user or another port than 443.
    InvalidUri,
    /// The scheme is none of `data`, `https` and `ipfs`, or `ipfs` without a configured gateway.
    UnsupportedScheme,
    /// The URI contains an IP address instead of a name.
    NumericAddress,
    /// The name of the server belongs to an address that is not public.
    PrivateAddress,
    /// The server does not respond, or does not have the document.
    Unreachable,
    TooManyRedirects,
    /// The time limit was exceeded.
    TooSlow,
    /// The document has too many bytes, or the picture too many pixels.
    TooLarge,
    /// The metadata is not a JSON object, or is nested too deeply.
    InvalidMetadata,
    /// The document is a web page.
    Html,
    /// The picture is an SVG, which may contain scripts.
    Svg,
    /// The picture is an animation with too many frames.
    TooManyFrames,
    /// The picture is not in a supported format.
    NotAPicture,
    /// The content of the picture does not match its format, or ends early.
    DamagedPicture,
}

impl MetadataFault {
    /// Returns whether another attempt may succeed although nothing has changed.
    pub fn is_temporary(self) -> bool {
        matches!(self, Self::Pending | Self::Unreachable | Self::TooSlow)
    }
}

/// An NFT as everybody sees it. What strangers wrote about it is shown as text only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nft {
    pub asset: Asset,
    /// The class ID of the album.
    pub class_id: String,
    /// The name of the album.
    pub album: String,
    pub token_id: TokenId,
    /// From its metadata.
    pub name: Option<String>,
    /// The digest of our own encoding of its picture, or why there is none.
    pub picture: Result<String, MetadataFault>,
}

/// What the contract of an album states about the royalty for one of its NFTs (EIP-2981). The platform does not collect it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Royalty {
    pub receiver: Address,
    /// The share of a price in hundredths of a percent, from 1 to 10,000.
    pub basis_points: u16,
}

/// Where an NFT in custody is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NftPlace {
    /// On its way into the vault, since this block.
    Confirming(BlockNumber),
    /// In the vault, and nothing uses it.
    Available,
    /// In the escrow of this advert.
    InAdvert(AdvertId),
    /// In the escrow of this order.
    InOrder(OrderId),
    /// On its way out of the vault.
    Leaving,
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn token_ids_round_trip_through_text(bytes in any::<[u8; 32]>()) {
            let id = TokenId(bytes);
            prop_assert_eq!(id.to_string().parse(), Ok(id));
        }
    }

    #[test]
    fn the_largest_token_id_has_78_digits_and_no_number_is_larger() {
        let largest = TokenId([0xff; 32]).to_string();
        assert_eq!(largest.len(), 78);
        let (last, rest) = (largest.as_bytes()[77] + 1, &largest[..77]);
        for text in [format!("{rest}{}", char::from(last)), format!("{largest}0"), "9".repeat(78)] {
            assert_eq!(text.parse::<TokenId>(), Err(InvalidTokenId), "{text}");
        }
    }

    #[test]
    fn faults_have_stable_names() {
        for fault in MetadataFault::VARIANTS {
            assert_eq!(fault.into_str().parse(), Ok(*fault));
            assert_eq!(serde_json::to_value(fault).unwrap(), fault.into_str());
        }
    }

    #[test]
    fn text_that_is_no_whole_number_is_refused() {
        for text in ["", " ", "-1", "+1", "1.0", "0x10", "1e3", "١", "1_000"] {
            assert_eq!(text.parse::<TokenId>(), Err(InvalidTokenId), "{text}");
        }
        assert_eq!("007".parse::<TokenId>().unwrap().to_string(), "7");
    }
}
