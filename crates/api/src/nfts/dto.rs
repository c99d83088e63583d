//! DTOs of NFTs.

use app::adverts::Prepaying;
use domain::assets::{Asset, Prepayment};
use domain::identity::address::checksummed;
use domain::money::Amount;
use domain::nfts::{MetadataFault, Nft, Royalty};
use serde::{Deserialize, Serialize};
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

/// A trait of an NFT, as its creator wrote it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NftTrait {
    /// Empty if the creator gave no name.
    pub(crate) name: String,
    pub(crate) value: String,
}

/// The royalty that the contract of an NFT states. MEC2C does not collect it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Royalty)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RoyaltyDto {
    /// The share of a price in hundredths of a percent, from 1 to 10,000.
    basis_points: u16,
    /// The address to which a royalty is due.
    receiver: String,
}

impl From<&Royalty> for RoyaltyDto {
    fn from(royalty: &Royalty) -> Self {
        Self { basis_points: royalty.basis_points, receiver: checksummed(royalty.receiver) }
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

/// What a seller prepays for an advert, next to what the seller has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Prepaying)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PrepayingDto {
    #[serde(flatten)]
    prepayment: PrepaymentDto,
    /// The fee and the network fee together, as a decimal string.
    needed: String,
    /// The temporary balance that can be used, as a decimal string.
    available: String,
    /// The missing amount, as a decimal string.
    shortfall: String,
    /// The total of unconfirmed deposits, as a decimal string.
    confirming: String,
    /// What must be sent so that the balance covers the prepayment once everything has arrived, as a decimal string. Deposits repay
    /// debt first.
    to_send: String,
    /// The user's custody address, to which missing coins can be sent. Null while an advert of the user waits for its deposit,
    /// because other coins would cancel that advert.
    address: Option<String>,
}

impl From<&Prepaying> for PrepayingDto {
    fn from(prepaying: &Prepaying) -> Self {
        let shown = |amount: Amount| amount.format(prepaying.asset.decimals);
        Self {
            prepayment: (&(prepaying.asset.clone(), prepaying.prepayment)).into(),
            needed: shown(prepaying.needed),
            available: shown(prepaying.available),
            shortfall: shown(prepaying.needed.saturating_sub(prepaying.available)),
            confirming: shown(prepaying.confirming),
            to_send: shown(prepaying.to_send),
            address: prepaying.vault.map(checksummed),
        }
    }
}
