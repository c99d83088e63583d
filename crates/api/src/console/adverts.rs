//! Administrators find adverts and take bad ones down.

use app::console::AdvertLine;
use axum::extract::State;
use chrono::{DateTime, Utc};
use domain::adverts;
use domain::ids::AdvertId;
use domain::trade::Side;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::dto::DecisionBody;
use super::officer::Officer;
use crate::adverts::dto::{AdvertKind, TakenDownDto};
use crate::envelope::{Answer, Done, Envelope};
use crate::extract::{Command, CommandKey, PathId, Query};
use crate::nfts::dto::NftDto;
use crate::state::ApiState;

/// An advert, as the hall shows it, with its owner.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ConsoleAdvert)]
#[serde(rename_all = "camelCase")]
pub(super) struct AdvertItem {
    id: Uuid,
    owner_id: Uuid,
    owner_nickname: Option<String>,
    base: String,
    quote: String,
    /// Whether the owner sells or buys the base.
    side: Side,
    kind: AdvertKind,
    /// The NFT that is sold; null for coins.
    nft: Option<NftDto>,
    /// The price of one unit of the base, in the quote, as a decimal string.
    price: String,
    /// The quantity of the base that was posted, as a decimal string.
    quantity: String,
    /// The quantity that can still be ordered.
    remaining: String,
    remark: Option<String>,
    state: adverts::StateName,
    /// Whether the advert takes no orders because a reorganization removed part of its escrow.
    frozen: bool,
    running_orders: u32,
    created_at: DateTime<Utc>,
    /// Null unless an officer took the advert down.
    taken_down: Option<TakenDownDto>,
    /// Whether an officer can take the advert down now.
    removable: bool,
    /// Changes with the advert. Decisions must send it.
    version: String,
}

impl From<AdvertLine> for AdvertItem {
    fn from(line: AdvertLine) -> Self {
        let (advert, terms) = (&line.advert, &line.advert.terms);
        let (base, quote) = (&line.assets.base, &line.assets.quote);
        Self {
            id: advert.id.0,
            owner_id: terms.owner.0,
            owner_nickname: line.owner.nickname.clone(),
            base: base.code.clone(),
            quote: quote.code.clone(),
            side: terms.side,
            kind: AdvertKind::of(terms.automatic),
            nft: line.assets.nft.as_ref().map(NftDto::from),
            price: terms.price.to_string(),
            quantity: terms.quantity.format(base.decimals),
            remaining: advert.remaining.format(base.decimals),
            remark: terms.options.remark.clone(),
            state: (&advert.state).into(),
            frozen: advert.frozen.is_some(),
            running_orders: advert.running,
            created_at: terms.created_at,
            taken_down: line.taken_down.as_ref().map(Into::into),
            removable: line.removable,
            version: line.version,
        }
    }
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct AdvertQuery {
    /// The ID of an advert, or the ID or a part of the nickname of its owner.
    query: String,
}

/// Finds an advert by its ID, or up to 50 open adverts by the ID or a part of the nickname of their owner, of at least two
/// characters.
#[utoipa::path(get, path = "/console/adverts", tag = "console", params(AdvertQuery),
    responses((status = 200, body = Envelope<Vec<AdvertItem>>)), security(("officer" = [])))]
pub(super) async fn find(
    State(state): State<ApiState>,
    Officer(acting): Officer,
    Query(asked): Query<AdvertQuery>,
) -> Answer<Vec<AdvertItem>> {
    let found = state.console.find_adverts(&acting.viewing(), &asked.query).await?;
    Ok(Done(found.into_iter().map(Into::into).collect()))
}

/// Takes an advert down: it takes no more orders, open orders continue, and the remaining escrow returns to its owner, who sees
/// the reason. Refused if the advert is not confirmed, is being revoked, or has ended.
#[utoipa::path(post, path = "/console/adverts/{id}/takedown", tag = "console", request_body = DecisionBody,
    params(("id" = Uuid, Path, description = "The ID of the advert"), CommandKey),
    responses((status = 200, body = Envelope<AdvertItem>)), security(("officer" = [])))]
pub(super) async fn take_down(
    State(state): State<ApiState>,
    Officer(acting): Officer,
    PathId(id): PathId<AdvertId>,
    Command { key, body }: Command<DecisionBody>,
) -> Answer<AdvertItem> {
    let decision = body.decision(&acting, &key)?;
    Ok(Done(state.console.take_down_advert(id, &decision).await?.into()))
}
