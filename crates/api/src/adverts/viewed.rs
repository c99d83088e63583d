//! Single adverts, as their owners and as other users see them, and previews of orders on them.

use app::Context;
use app::commands::Executor;
use app::market::hall;
use app::orders::Size;
use axum::extract::State;
use domain::identity::address::checksummed;
use domain::ids::AdvertId;
use domain::money::Amount;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::dto::AdvertDto;
use crate::envelope::{Answer, ApiError, Done, Envelope};
use crate::extract::{PathId, Query, Session};
use crate::market::{OrderableAdvert, positive};
use crate::state::ApiState;

pub(super) fn calls() -> OpenApiRouter<ApiState> {
    OpenApiRouter::new().routes(routes!(one)).routes(routes!(preview))
}

/// An advert, as the user sees it.
#[derive(Debug, Clone, Serialize, ToSchema)]
struct ViewedAdvert {
    #[serde(flatten)]
    advert: OrderableAdvert,
    /// What only the owner of the advert sees; null for others.
    own: Option<AdvertDto>,
}

impl From<&app::adverts::ViewedAdvert> for ViewedAdvert {
    fn from(viewed: &app::adverts::ViewedAdvert) -> Self {
        Self { advert: (&viewed.face).into(), own: viewed.own.as_ref().map(AdvertDto::from) }
    }
}

/// Returns an advert, and what the user lacks to order from it.
///
/// The owner always sees the advert. Others see what the hall shows, and only while the advert takes orders: an advert that
/// awaits its escrow, is being revoked, or has ended does not exist for them, nor does one between whose owner and the user there
/// is a block.
#[utoipa::path(get, path = "/c2c/advert/{id}", tag = "adverts", security(("session" = [])),
    params(("id" = String, Path, description = "The ID of the advert")),
    responses((status = 200, body = Envelope<ViewedAdvert>)))]
async fn one(
    State(context): State<Context>,
    Session(who): Session,
    PathId(id): PathId<AdvertId>,
) -> Answer<ViewedAdvert> {
    Ok(Done((&app::adverts::viewed(&context, who.user, id).await?).into()))
}

/// The size of the order.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct PreviewQuery {
    /// The quantity of the base, as a decimal string. Provide either this or `total`.
    quantity: Option<String>,
    /// The total in the quote, as a decimal string. Provide either this or `quantity`.
    total: Option<String>,
}

/// The amounts of an order.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct OrderPreview {
    /// The advert's current price. Place the order with it.
    price: String,
    /// The quantity of the base, as a decimal string. Place the order with it.
    quantity: String,
    /// The amount that the buyer pays, in the quote, as a decimal string.
    total: String,
    /// The fee, in the base, as a decimal string. It is deducted from the quantity.
    fee: String,
    /// The quantity that the buyer receives after the fee, as a decimal string.
    receives: String,
    /// Whether the price is far from the market: outside the price band for new ads.
    outside_price_band: bool,
    /// The temporary balance that the user needs to place the order, which takes it at once; null if the user can deposit
    /// after ordering.
    prefunding: Option<PrefundingDto>,
}

/// Temporary balance that an order on an automatic ad takes at once, because the user has often let such orders lapse or has
/// lost reputation.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = Prefunding)]
struct PrefundingDto {
    /// The code of the coin.
    asset: String,
    /// As a decimal string.
    needed: String,
    /// The temporary balance that can be used, as a decimal string.
    available: String,
    /// The missing amount, as a decimal string.
    shortfall: String,
    /// The user's custody address, to which missing coins can be sent. They become temporary balance.
    address: String,
}

/// Previews an order: its total, its fee, and what the buyer receives.
///
/// An invalid size is refused as when placing the order. Of what depends on the user, the preview contains only the
/// prefunding, so the order itself may still be refused.
#[utoipa::path(get, path = "/c2c/advert/{id}/preview", tag = "adverts", security(("session" = [])),
    params(("id" = String, Path, description = "The ID of the advert"), PreviewQuery),
    responses((status = 200, body = Envelope<OrderPreview>)))]
async fn preview(
    State(context): State<Context>,
    State(executor): State<Executor>,
    Session(who): Session,
    PathId(id): PathId<AdvertId>,
    Query(query): Query<PreviewQuery>,
) -> Answer<OrderPreview> {
    let (base, quote) = executor.decimals_of(id).await?;
    let size = match (&query.quantity, &query.total) {
        (Some(quantity), None) => Size::Quantity(positive("quantity", quantity, base)?),
        (None, Some(total)) => Size::Total(positive("total", total, quote)?),
        _ => return Err(ApiError::invalid("quantity", "either quantity or total is needed")),
    };
    let preview = hall::preview(&context, Some(who.user), id, size).await?;
    Ok(Done(OrderPreview {
        price: preview.price.to_string(),
        quantity: preview.quantity.format(base),
        total: preview.total.format(quote),
        fee: preview.fee.format(base),
        receives: preview.receives.format(base),
        outside_price_band: preview.outside_band,
        prefunding: preview.prefunding.as_ref().map(|needs| {
            let shown = |amount: Amount| amount.format(needs.asset.decimals);
            PrefundingDto {
                asset: needs.asset.code.clone(),
                needed: shown(needs.needed),
                available: shown(needs.available),
                shortfall: shown(needs.needed.saturating_sub(needs.available)),
                address: checksummed(needs.vault),
            }
        }),
    }))
}
