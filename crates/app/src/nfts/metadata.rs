//! What the metadata of an NFT says, and the port that fetches it. It is data from strangers: every text is a claim, and whatever
//! is not acceptable is refused with a reason.

use async_trait::async_trait;
use domain::files::MediaType;
use strum::{EnumString, IntoStaticStr, VariantArray};

/// The maximum length of the name of an NFT and of its creator, in characters.
pub const MAX_NAME_LENGTH: usize = 200;
/// The maximum length of a description, in characters.
pub const MAX_DESCRIPTION_LENGTH: usize = 5_000;
/// The maximum number of traits. Others are left out.
pub const MAX_TRAITS: usize = 100;
/// The maximum length of the type and of the value of a trait, in characters.
pub const MAX_TRAIT_LENGTH: usize = 200;
/// The longest side of the picture in lists, in pixels.
pub const SMALL_SIDE: u32 = 256;
/// The longest side of the picture on the page of the NFT, in pixels.
pub const LARGE_SIDE: u32 = 1024;

/// The metadata of an NFT. Longer texts are cut. They contain no control characters except line breaks in the description, and
/// nothing that is invisible or changes the direction of text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Metadata {
    pub name: Option<String>,
    pub description: Option<String>,
    pub creator: Option<String>,
    pub traits: Vec<Trait>,
    pub image: Image,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trait {
    /// For example `Background`; `None` if the trait has only a value.
    pub kind: Option<String>,
    pub value: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Image {
    Picture(Picture),
    /// There is no acceptable picture.
    Refused(MetadataFault),
}

/// The picture of an NFT in both sizes. A picture is never enlarged, so both may have the same size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// At most [`SMALL_SIDE`] wide and high.
    pub small: ScaledPicture,
    /// At most [`LARGE_SIDE`] wide and high.
    pub large: ScaledPicture,
}

/// A picture that was encoded anew, so it contains nothing but pixels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScaledPicture {
    pub media: MediaType,
    /// In pixels.
    pub width: u32,
    /// In pixels.
    pub height: u32,
    pub bytes: Vec<u8>,
}

/// Why metadata or its picture was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, IntoStaticStr, EnumString, VariantArray)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE", const_into_str)]
pub enum MetadataFault {
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

#[async_trait]
pub trait MetadataSource: Send + Sync {
    /// Fetches the metadata at the URI of a token, and its picture. Takes at most a minute.
    ///
    /// If only the picture is not acceptable, the result contains the rest.
    async fn fetch(&self, uri: &str) -> Result<Metadata, MetadataFault>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_have_stable_names() {
        let names: Vec<&str> = MetadataFault::VARIANTS.iter().map(Into::into).collect();
        assert_eq!(
            names,
            [
                "MISSING",
                "INVALID_URI",
                "UNSUPPORTED_SCHEME",
                "NUMERIC_ADDRESS",
                "PRIVATE_ADDRESS",
                "UNREACHABLE",
                "TOO_MANY_REDIRECTS",
                "TOO_SLOW",
                "TOO_LARGE",
                "INVALID_METADATA",
                "HTML",
                "SVG",
                "TOO_MANY_FRAMES",
                "NOT_A_PICTURE",
                "DAMAGED_PICTURE",
            ]
        );
        for fault in MetadataFault::VARIANTS {
            assert_eq!(<&str>::from(fault).parse(), Ok(*fault));
        }
    }
}
