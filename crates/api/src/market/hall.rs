//! The hall and its best matches.

use std::sync::Arc;

use app::Context;
use app::hall::{self, Filter, Match};
use app::trading::Size;
use axum::extract::{FromRef, State};
use domain::ids::AdvertId;
use domain::market::Sort;
use domain::money::Amount;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::dto::HallAdvert;
use super::viewer::Viewer;
use crate::enums::AdvertSide;
use crate::envelope::{Answer, ApiError, Done, Envelope};
use crate::extract::{Body, Page, PageOf, PathId, Query};
use crate::middleware::Middleware;

pub(super) fn calls<S>() -> OpenApiRouter<S>
where
    S: Clone + Send + Sync + 'static,
    Context: FromRef<S>,
    Arc<Middleware>: FromRef<S>,
{
    OpenApiRouter::new().routes(routes!(page)).routes(routes!(one)).routes(routes!(preview)).routes(routes!(matching))
}

/// In which order. Equal ones follow by completion rate, then speed, then age.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
enum HallSort {
    /// The lowest price first.
    #[serde(rename = "price")]
    PriceUp,
    /// The highest price first.
    #[serde(rename = "-price")]
    PriceDown,
    /// The smallest remaining quantity first.
    #[serde(rename = "quantity")]
    QuantityUp,
    /// The largest remaining quantity first.
    #[serde(rename = "-quantity")]
    QuantityDown,
}

impl From<HallSort> for Sort {
    fn from(sort: HallSort) -> Self {
        match sort {
            HallSort::PriceUp => Self::PriceUp,
            HallSort::PriceDown => Self::PriceDown,
            HallSort::QuantityUp => Self::QuantityUp,
            HallSort::QuantityDown => Self::QuantityDown,
        }
    }
}

/// Which adverts.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct HallQuery {
    /// What the advertisers do.
    #[param(inline)]
    side: AdvertSide,
    /// The base's short name.
    base: String,
    /// The quote's short name.
    quote: String,
    /// A total in the quote, decimal: only adverts that take an order of it.
    amount: Option<String>,
    /// A type of payment method that the advert has.
    method: Option<String>,
    /// The advertiser's country, ISO 3166-1, two letters.
    region: Option<String>,
    /// Only certified traders.
    certified: Option<bool>,
    /// Only fast traders.
    fast: Option<bool>,
    /// The order; the best price for the visitor first, if not said.
    #[param(inline)]
    sort: Option<HallSort>,
}

/// An amount above zero, or the field's name.
fn positive(field: &'static str, text: &str, decimals: u8) -> Result<Amount, ApiError> {
    match Amount::parse(text, decimals) {
        Ok(amount) if amount.is_zero() => Err(ApiError::invalid(field, "above zero is needed")),
        Ok(amount) => Ok(amount),
        Err(error) => Err(ApiError::invalid(field, error.to_string())),
    }
}

/// The adverts that take orders now.
#[utoipa::path(get, path = "/c2c/advert/page", operation_id = "hallPage", tag = "market", params(Page, HallQuery),
    responses((status = 200, body = Envelope<PageOf<HallAdvert>>),
        (status = 400, description = "400: a field of the query"), (status = 401, description = "401: the session has ended"),
        (status = 422, description = "5028: no such pair")))]
async fn page(
    State(context): State<Context>,
    Viewer(viewer): Viewer,
    Query(page): Query<Page>,
    Query(query): Query<HallQuery>,
) -> Answer<PageOf<HallAdvert>> {
    let pair = hall::pair(&context, &query.base, &query.quote).await?;
    let filter = Filter {
        pair: pair.id,
        side: query.side.into(),
        viewer,
        total: query.amount.as_deref().map(|text| positive("amount", text, pair.quote.decimals)).transpose()?,
        kind: query.method,
        region: query.region,
        certified: query.certified.unwrap_or(false),
    };
    let sort = query.sort.map_or(Sort::Best, Sort::from);
    let cut = |number: i64| usize::try_from(number).unwrap_or(usize::MAX);
    let fast = query.fast.unwrap_or(false);
    let (faces, total) = hall::page(&context, &filter, fast, sort, cut(page.offset()), cut(page.limit())).await?;
    let total = i64::try_from(total).unwrap_or(i64::MAX);
    Ok(Done(page.of(faces.iter().map(HallAdvert::from).collect(), total)))
}

/// One advert as a visitor sees it.
#[utoipa::path(get, path = "/c2c/advert/hall/{id}", operation_id = "hallAdvert", tag = "market", params(("id" = String, Path, description = "The advert")),
    responses((status = 200, body = Envelope<HallAdvert>), (status = 404, description = "5000: it does not exist, is being created or revoked, or has ended"),
        (status = 409, description = "5008: what remains is too little for an order; 5010: its owner is offline; 5044: its escrow is not whole")))]
async fn one(
    State(context): State<Context>,
    Viewer(viewer): Viewer,
    PathId(id): PathId<AdvertId>,
) -> Answer<HallAdvert> {
    Ok(Done((&hall::one(&context, viewer, id).await?).into()))
}

/// The size of the order.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct PreviewQuery {
    /// How much of the base, decimal. Either this or `total`.
    quantity: Option<String>,
    /// How much of the quote, decimal. Either this or `quantity`.
    total: Option<String>,
}

/// What an order comes to.
#[derive(Debug, Clone, Serialize, ToSchema)]
struct OrderPreview {
    /// The advert's price now: the `price` to order at.
    price: String,
    /// How much of the base is ordered, decimal: the `quantity` to order.
    quantity: String,
    /// What the buyer pays, in the quote, decimal.
    total: String,
    /// What the platform keeps of the quantity, decimal.
    fee: String,
    /// What the buyer receives of the quantity, decimal.
    receives: String,
}

/// What an order of an advert comes to: its total, fee, and what the buyer receives. Refuses a size as the order itself
/// does. Changes nothing, and does not look at who asks: the order may still be refused to them.
#[utoipa::path(get, path = "/c2c/advert/hall/{id}/preview", tag = "market",
    params(("id" = String, Path, description = "The advert"), PreviewQuery),
    responses((status = 200, body = Envelope<OrderPreview>)))]
async fn preview(
    State(context): State<Context>,
    Viewer(viewer): Viewer,
    PathId(id): PathId<AdvertId>,
    Query(query): Query<PreviewQuery>,
) -> Answer<OrderPreview> {
    let (base, quote) = app::trading::decimals_of(&context, id).await?;
    let size = match (&query.quantity, &query.total) {
        (Some(quantity), None) => Size::Quantity(positive("quantity", quantity, base)?),
        (None, Some(total)) => Size::Total(positive("total", total, quote)?),
        _ => return Err(ApiError::invalid("quantity", "either quantity or total is needed")),
    };
    let preview = hall::preview(&context, viewer, id, size).await?;
    Ok(Done(OrderPreview {
        price: preview.price.to_string(),
        quantity: preview.quantity.format(base),
        total: preview.total.format(quote),
        fee: preview.fee.format(base),
        receives: preview.receives.format(base),
    }))
}

/// What somebody wants to trade at once: a quantity of the base, or an amount of the quote.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct MatchBody {
    /// What the advertisers do: `SELL`, for one who buys.
    side: AdvertSide,
    /// The base's short name.
    base: String,
    /// The quote's short name.
    quote: String,
    /// How much of the base, decimal. Either this or `amount`.
    quantity: Option<String>,
    /// How much of the quote, decimal. Either this or `quantity`.
    amount: Option<String>,
    /// A type of payment method; any, if not said.
    method: Option<String>,
}

/// An advert that can take all of it.
#[derive(Debug, Clone, Serialize, ToSchema)]
struct MatchedAdvert {
    /// The advert.
    advert: HallAdvert,
    /// How much of the base the order would be, decimal.
    quantity: String,
    /// What the buyer would pay, in the quote, decimal.
    total: String,
    /// What the platform would keep of the quantity, decimal.
    fee: String,
}

/// The adverts that can take all of it, the best first: price, then completion rate, then speed. At most 20. Changes
/// nothing.
#[utoipa::path(post, path = "/c2c/advert/match", operation_id = "matchAdverts", tag = "market", request_body = MatchBody,
    responses((status = 200, body = Envelope<Vec<MatchedAdvert>>), (status = 400, description = "400: a field of the body"),
        (status = 422, description = "5028: no such pair")))]
async fn matching(
    State(context): State<Context>,
    Viewer(viewer): Viewer,
    Body(body): Body<MatchBody>,
) -> Answer<Vec<MatchedAdvert>> {
    let pair = hall::pair(&context, &body.base, &body.quote).await?;
    let size = match (&body.quantity, &body.amount) {
        (Some(quantity), None) => Size::Quantity(positive("quantity", quantity, pair.base.decimals)?),
        (None, Some(amount)) => Size::Total(positive("amount", amount, pair.quote.decimals)?),
        _ => return Err(ApiError::invalid("quantity", "either quantity or amount is needed")),
    };
    let wanted = Match { pair: pair.id, side: body.side.into(), size, kind: body.method };
    let found = hall::matching(&context, viewer, &wanted).await?;
    Ok(Done(
        found
            .iter()
            .map(|matched| MatchedAdvert {
                advert: (&matched.face).into(),
                quantity: matched.quantity.format(pair.base.decimals),
                total: matched.total.format(pair.quote.decimals),
                fee: matched.fee.format(pair.base.decimals),
            })
            .collect(),
    ))
}
