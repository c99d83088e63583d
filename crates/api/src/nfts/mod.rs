//! The calls about NFTs.

pub(crate) mod dto;

use app::Context;
use app::files::Files;
use app::nfts::{self, AlbumView, HistoryLine, NftDetails, OwnedNft};
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use chrono::{DateTime, Utc};
use domain::assets::AssetId;
use domain::chain::Address;
use domain::identity::address::checksummed;
use domain::nfts::{NftPlace, PictureSize};
use domain::refusal::Refusal;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use self::dto::{NftDto, NftTrait, RoyaltyDto};
use crate::envelope::{Answer, ApiError, Done, Envelope};
use crate::extract::{MaybeUser, Page, PageOf, PathId, Query, Session};
use crate::files::serving::CONTENT_SECURITY_POLICY;
use crate::state::ApiState;
use crate::wallet::dto::ConfirmationsDto;

pub(crate) fn calls() -> OpenApiRouter<ApiState> {
    OpenApiRouter::new()
        .routes(routes!(albums))
        .routes(routes!(owned))
        .routes(routes!(one))
        .routes(routes!(history))
        .routes(routes!(picture))
}

/// An album: a collection of NFTs.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Album {
    class_id: String,
    /// The display name.
    name: String,
    /// The code that stands for the album in pairs.
    code: String,
    creator: String,
    description: String,
    /// The address of its contract.
    contract: String,
    chain_id: u64,
    /// The display name of the chain.
    chain_name: String,
    /// The code of the coin in which the seller of an NFT prepays.
    prepaid_asset: String,
    /// The fee of a sale, which the seller prepays, as a decimal string.
    fee: String,
    /// The network fee of an ad's end and of a withdrawal, as a decimal string.
    gas: String,
}

impl From<&AlbumView> for Album {
    fn from(view: &AlbumView) -> Self {
        let album = &view.album;
        Self {
            class_id: album.class_id.clone(),
            name: album.name.clone(),
            code: view.asset.code.clone(),
            creator: album.creator.clone(),
            description: album.description.clone(),
            contract: checksummed(view.contract),
            chain_id: view.chain.0.0,
            chain_name: view.chain.1.clone(),
            prepaid_asset: view.prepaid.code.clone(),
            fee: album.prepayment.fee.format(view.prepaid.decimals),
            gas: album.prepayment.gas.format(view.prepaid.decimals),
        }
    }
}

/// Lists the albums.
#[utoipa::path(get, path = "/common/class/config", tag = "common", responses((status = 200, body = Envelope<Vec<Album>>)))]
async fn albums(State(context): State<Context>) -> Answer<Vec<Album>> {
    Ok(Done(nfts::albums(&context).await?.iter().map(Album::from).collect()))
}

/// Reads the ID of the asset that an NFT is. Nothing else is an NFT.
pub(crate) fn asset_of_nft(text: &str) -> Result<AssetId, Refusal> {
    text.parse().map(AssetId).map_err(|_| Refusal::NftMissing)
}

/// Where an NFT in custody is.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
enum CustodyState {
    /// On its way into custody.
    Confirming,
    /// In custody, and nothing uses it.
    Available,
    /// In the escrow of an ad.
    InAdvert,
    /// In the escrow of an order.
    InOrder,
    /// On its way to an address outside the platform.
    Leaving,
}

/// What a user can do with an NFT in custody.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
enum NftAction {
    /// Post an ad that sells it.
    Sell,
    Withdraw,
}

/// An NFT in the user's custody.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = OwnedNft)]
#[serde(rename_all = "camelCase")]
struct Owned {
    #[serde(flatten)]
    nft: NftDto,
    state: CustodyState,
    /// The confirmations of its deposit; null unless it is on its way into custody.
    confirmations: Option<ConfirmationsDto>,
    /// The ad in whose escrow it is.
    advert_id: Option<String>,
    /// The order in whose escrow it is.
    order_id: Option<String>,
    /// The network fee of its withdrawal, as a decimal string. It is taken out of the temporary balance.
    withdrawal_gas: String,
    /// The code of the coin of the network fee.
    gas_asset: String,
    /// Whether its payouts are stopped, because the ledger and the chain disagree about it.
    paused: bool,
    actions: Vec<NftAction>,
}

impl From<&OwnedNft> for Owned {
    fn from(owned: &OwnedNft) -> Self {
        let (gas, coin) = &owned.gas;
        let (state, advert_id, order_id) = match owned.place {
            NftPlace::Confirming(_) => (CustodyState::Confirming, None, None),
            NftPlace::Available => (CustodyState::Available, None, None),
            NftPlace::InAdvert(advert) => (CustodyState::InAdvert, Some(advert.to_string()), None),
            NftPlace::InOrder(order) => (CustodyState::InOrder, None, Some(order.to_string())),
            NftPlace::Leaving => (CustodyState::Leaving, None, None),
        };
        Self {
            nft: NftDto::from(&owned.nft),
            state,
            confirmations: owned.confirmations.map(|(seen, needed)| ConfirmationsDto { seen, needed }),
            advert_id,
            order_id,
            withdrawal_gas: gas.format(coin.decimals),
            gas_asset: coin.code.clone(),
            paused: owned.paused,
            actions: match owned.place {
                _ if owned.paused => Vec::new(),
                NftPlace::Available if owned.busy => vec![NftAction::Sell],
                NftPlace::Available => vec![NftAction::Sell, NftAction::Withdraw],
                _ => Vec::new(),
            },
        }
    }
}

#[derive(Debug, Clone, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
struct OwnedQuery {
    /// Filter: the ID of the album.
    class_id: Option<String>,
}

/// Lists the user's NFTs in custody, newest first.
#[utoipa::path(get, path = "/balance/nft/list", tag = "wallet", security(("session" = [])), params(Page, OwnedQuery),
    responses((status = 200, body = Envelope<PageOf<Owned>>)))]
async fn owned(
    State(context): State<Context>,
    Session(who): Session,
    Query(page): Query<Page>,
    Query(query): Query<OwnedQuery>,
) -> Answer<PageOf<Owned>> {
    let class_id = query.class_id.as_deref();
    let (owned, total) = nfts::owned(&context, who.user, class_id, page.offset(), page.limit()).await?;
    Ok(Done(page.of(owned.iter().map(Owned::from).collect(), total)))
}

/// Who holds an NFT on the chain.
#[derive(Debug, Clone, Serialize, ToSchema)]
struct Holder {
    address: String,
    /// Whether the address is in the custody of the platform.
    custody: bool,
    /// Whether the NFT no longer exists.
    burned: bool,
}

/// An NFT with all that is known of it.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct NftFacts {
    #[serde(flatten)]
    nft: NftDto,
    /// What its creator wrote about it. Show it as text.
    description: Option<String>,
    creator: String,
    /// Where its metadata is, as its contract says. Show it as text, and never load it.
    metadata_url: Option<String>,
    /// Whether the metadata has changed since the platform first read it.
    metadata_changed: bool,
    traits: Vec<NftTrait>,
    /// The address of the album's contract.
    contract: String,
    /// What the contract states about the royalty (EIP-2981). MEC2C does not collect it. Null if it states none, or before the
    /// contract is asked.
    royalty: Option<RoyaltyDto>,
    /// Null if no transfer is known.
    holder: Option<Holder>,
    /// The ad that sells it and takes orders.
    advert_id: Option<String>,
    /// Set if it is in the user's custody.
    mine: Option<Owned>,
}

impl From<&NftDetails> for NftFacts {
    fn from(details: &NftDetails) -> Self {
        let metadata = &details.metadata;
        Self {
            nft: NftDto::from(&details.nft),
            description: metadata.description.clone(),
            creator: details.album.creator.clone(),
            metadata_url: metadata.uri.clone(),
            metadata_changed: metadata.changed,
            traits: metadata
                .traits
                .iter()
                .map(|(name, value)| NftTrait { name: name.clone(), value: value.clone() })
                .collect(),
            contract: checksummed(details.contract),
            royalty: metadata.royalty.as_ref().map(RoyaltyDto::from),
            holder: details.holder.map(|address| Holder {
                address: checksummed(address),
                custody: details.in_custody,
                burned: address == NOBODY,
            }),
            advert_id: details.advert.map(|advert| advert.to_string()),
            mine: details.mine.as_ref().map(Owned::from),
        }
    }
}

/// The address from which NFTs are minted, and to which they are burned.
const NOBODY: Address = Address([0; 20]);

/// Returns an NFT.
#[utoipa::path(get, path = "/nft/{id}", tag = "market", params(("id" = String, Path, description = "The ID of the NFT")),
    responses((status = 200, body = Envelope<NftFacts>)))]
async fn one(
    State(context): State<Context>,
    MaybeUser(user): MaybeUser,
    PathId(id): PathId<String>,
) -> Answer<NftFacts> {
    Ok(Done((&nfts::one(&context, user, asset_of_nft(&id)?).await?).into()))
}

/// What happened to an NFT.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
enum NftEvent {
    Minted,
    Burned,
    /// Sold here.
    Sold,
    /// Transferred into the custody of the platform.
    Deposited,
    /// Transferred out of the custody of the platform.
    Withdrawn,
    Transferred,
}

/// A transfer of an NFT on the chain.
#[derive(Debug, Clone, Serialize, ToSchema)]
struct NftTransfer {
    at: DateTime<Utc>,
    event: NftEvent,
    /// Null if it was minted.
    from: Option<String>,
    /// Null if it was burned.
    to: Option<String>,
    hash: String,
    /// Whether the transfer is final.
    confirmed: bool,
    /// The price of the sale here that the transfer settled, in the quote, as a decimal string.
    price: Option<String>,
    /// The code of the quote of the sale.
    quote: Option<String>,
}

impl From<&HistoryLine> for NftTransfer {
    fn from(line: &HistoryLine) -> Self {
        let event = match (line.from == NOBODY, line.to == NOBODY, line.sale.is_some(), line.vaults) {
            (true, ..) => NftEvent::Minted,
            (_, true, ..) => NftEvent::Burned,
            (_, _, true, _) => NftEvent::Sold,
            (_, _, _, (false, true)) => NftEvent::Deposited,
            (_, _, _, (true, false)) => NftEvent::Withdrawn,
            _ => NftEvent::Transferred,
        };
        let known = |address: Address| (address != NOBODY).then(|| checksummed(address));
        Self {
            at: line.at,
            event,
            from: known(line.from),
            to: known(line.to),
            hash: line.tx.to_string(),
            confirmed: line.confirmed,
            price: line.sale.as_ref().map(|(price, _)| price.to_string()),
            quote: line.sale.as_ref().map(|(_, quote)| quote.code.clone()),
        }
    }
}

/// Lists the transfers of an NFT on the chain, newest first.
#[utoipa::path(get, path = "/nft/{id}/history", tag = "market",
    params(("id" = String, Path, description = "The ID of the NFT"), Page),
    responses((status = 200, body = Envelope<PageOf<NftTransfer>>)))]
async fn history(
    State(context): State<Context>,
    PathId(id): PathId<String>,
    Query(page): Query<Page>,
) -> Answer<PageOf<NftTransfer>> {
    let (lines, total) = nfts::history(&context, asset_of_nft(&id)?, page.offset(), page.limit()).await?;
    Ok(Done(page.of(lines.iter().map(NftTransfer::from).collect(), total)))
}

/// Which picture, and under which digest the page knows it.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct PictureQuery {
    /// The digest of the picture, as the paths in other responses contain it. A response to it can be kept for ever.
    v: Option<String>,
}

/// Returns the picture of an NFT, as the platform has encoded it: `small` or `large`.
#[utoipa::path(get, path = "/nft/{id}/picture/{size}", tag = "market",
    params(("id" = String, Path, description = "The ID of the NFT"), ("size" = inline(PictureSize), Path), PictureQuery),
    responses((status = 200, content_type = "image/*", description = "The picture")))]
async fn picture(
    State(files): State<Files>,
    PathId((id, size)): PathId<(String, PictureSize)>,
    Query(query): Query<PictureQuery>,
) -> Result<Response, ApiError> {
    let found = files.nft_picture(asset_of_nft(&id)?, size).await?;
    let (digest, media, bytes) = found.ok_or(Refusal::NotFound)?;
    let kept = if query.v == Some(digest) { "public, max-age=31536000, immutable" } else { "no-cache" };
    let headers = [
        (header::CONTENT_TYPE, media.name()),
        (header::CACHE_CONTROL, kept),
        (header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY),
    ];
    Ok((headers, bytes).into_response())
}
