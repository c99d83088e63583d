//! DTOs of NFTs.

use domain::assets::{Asset, Prepayment};
use domain::nfts::{MetadataFault, Nft};
use serde::Serialize;
use utoipa::ToSchema;

/// The picture of an NFT, encoded by the platform in two sizes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct NftPicture {
    /// The path of the picture with at most 256 pixels on a side.
    small: String,
    /// The path of the picture with at most 1024 pixels on a side.
    large: String,
}

/// An NFT. What its creator wrote about it is shown as text only.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Nft)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NftDto {
    /// The platform's ID of the NFT, with which calls name it.
    id: String,
    /// The ID of its album.
    class_id: String,
    /// The name of its album.
    album: String,
    /// The token ID in the album's contract: a whole number of up to 78 digits.
    nft_id: String,
    /// The name that its metadata gives; null if there is none, or before the metadata is fetched.
    name: Option<String>,
    /// Null if there is none.
    picture: Option<NftPicture>,
    /// Why there is no picture.
    picture_refused: Option<MetadataFault>,
}

impl From<&Nft> for NftDto {
    fn from(nft: &Nft) -> Self {
        let id = nft.asset.id.0;
        let path = |digest: &String, size: &str| format!("/api/nft/{id}/picture/{size}?v={digest}");
        Self {
            id: id.to_string(),
            class_id: nft.class_id.clone(),
            album: nft.album.clone(),
            nft_id: nft.token_id.to_string(),
            name: nft.name.clone(),
            picture: nft
                .picture
                .as_ref()
                .ok()
                .map(|digest| NftPicture { small: path(digest, "small"), large: path(digest, "large") }),
            picture_refused: nft.picture.as_ref().err().copied(),
        }
    }
}

/// What the seller of an NFT prepays.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Prepayment)]
pub(crate) struct PrepaymentDto {
    /// The code of the coin.
    asset: String,
    /// The fee of the sale, as a decimal string. It returns to the seller's temporary balance if the NFT is not sold.
    fee: String,
    /// The network fee of the transaction that ends the advert, as a decimal string.
    gas: String,
}

impl From<&(Asset, Prepayment)> for PrepaymentDto {
    fn from((coin, prepayment): &(Asset, Prepayment)) -> Self {
        Self {
            asset: coin.code.clone(),
            fee: prepayment.fee.format(coin.decimals),
            gas: prepayment.gas.format(coin.decimals),
        }
    }
}
