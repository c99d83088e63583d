//! The hall, and matching adverts for a quantity.

use app::Context;
use app::market::hall::{self, Filter, Match};
use app::orders::Size;
use app::trading::Executor;
use axum::extract::State;
use domain::ids::AdvertId;
use domain::market::Sort;
use domain::money::Amount;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::dto::HallAdvert;
use crate::enums::{AdvertSide, same_variants};
use crate::envelope::{Answer, ApiError, Done, Envelope};
use crate::extract::{Body, MaybeUser, Page, PageOf, PathId, Query};
use crate::state::ApiState;

pub(super) fn calls() -> OpenApiRouter<ApiState> {
    OpenApiRouter::new().routes(routes!(page)).routes(routes!(one)).routes(routes!(preview)).routes(routes!(matching))
}

/// The order of the list. Ties are sorted by completion rate, then speed, then age.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
enum HallSort {
    /// Lowest price first.
    #[serde(rename = "price")]
    PriceUp,
    /// Highest price first.
    #[serde(rename = "-price")]
    PriceDown,
    /// Smallest remaining quantity first.
    #[serde(rename = "quantity")]
    QuantityUp,
    /// Largest remaining quantity first.
    #[serde(rename = "-quantity")]
    QuantityDown,
}

same_variants!(HallSort => Sort: PriceUp, PriceDown, QuantityUp, QuantityDown);

#[derive(Debug, Clone, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct HallQuery {
    /// Whether the advertisers sell or buy the base.
    #[param(inline)]
    side: AdvertSide,
    /// The code of the base.
    base: String,
    /// The code of the quote.
    quote: String,
    /// Filter: adverts that take an order with this total, in the quote, as a decimal string.
    amount: Option<String>,
    /// Filter: adverts that offer this type of payment method.
    method: Option<String>,
    /// Filter: the advertiser's country, as its ISO 3166-1 alpha-2 code.
    region: Option<String>,
    /// Filter: adverts of certified traders.
    certified: Option<bool>,
    /// Filter: adverts of fast traders.
    fast: Option<bool>,
    /// The order of the list. Defaults to the best price for the taker.
    #[param(inline)]
    sort: Option<HallSort>,
}

/// Parses an amount above zero. The error names the field.
fn positive(field: &'static str, text: &str, decimals: u8) -> Result<Amount, ApiError> {
    match Amount::parse(text, decimals) {
        Ok(amount) if amount.is_zero() => Err(ApiError::invalid(field, "above zero is needed")),
        Ok(amount) => Ok(amount),
        Err(error) => Err(ApiError::invalid(field, error.to_string())),
    }
}

/// Lists the adverts that take orders now.
#[utoipa::path(get, path = "/c2c/advert/page", tag = "market", params(Page, HallQuery),
    responses((status = 200, body = Envelope<PageOf<HallAdvert>>)))]
async fn page(
    State(context): State<Context>,
    MaybeUser(user): MaybeUser,
    Query(page): Query<Page>,
    Query(query): Query<HallQuery>,
) -> Answer<PageOf<HallAdvert>> {
    let pair = app::market::pair(&context, &query.base, &query.quote).await?;
    let filter = Filter {
        pair: pair.id,
        side: query.side.into(),
        viewer: user,
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

/// Returns an advert of the hall.
#[utoipa::path(get, path = "/c2c/advert/hall/{id}", tag = "market",
    params(("id" = String, Path, description = "The ID of the advert")), responses((status = 200, body = Envelope<HallAdvert>)))]
async fn one(
    State(context): State<Context>,
    MaybeUser(user): MaybeUser,
    PathId(id): PathId<AdvertId>,
) -> Answer<HallAdvert> {
    Ok(Done((&hall::one(&context, user, id).await?).into()))
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
}

/// Previews an order: its total, its fee, and what the buyer receives.
///
/// An invalid size is refused as when placing the order. The preview does not depend on the user, so the order itself
/// may still be refused.
#[utoipa::path(get, path = "/c2c/advert/hall/{id}/preview", tag = "market",
    params(("id" = String, Path, description = "The ID of the advert"), PreviewQuery),
    responses((status = 200, body = Envelope<OrderPreview>)))]
async fn preview(
    State(context): State<Context>,
    State(executor): State<Executor>,
    MaybeUser(user): MaybeUser,
    PathId(id): PathId<AdvertId>,
    Query(query): Query<PreviewQuery>,
) -> Answer<OrderPreview> {
    let (base, quote) = executor.decimals_of(id).await?;
    let size = match (&query.quantity, &query.total) {
        (Some(quantity), None) => Size::Quantity(positive("quantity", quantity, base)?),
        (None, Some(total)) => Size::Total(positive("total", total, quote)?),
        _ => return Err(ApiError::invalid("quantity", "either quantity or total is needed")),
    };
    let preview = hall::preview(&context, user, id, size).await?;
    Ok(Done(OrderPreview {
        price: preview.price.to_string(),
        quantity: preview.quantity.format(base),
        total: preview.total.format(quote),
        fee: preview.fee.format(base),
        receives: preview.receives.format(base),
    }))
}

/// The trade for which to find adverts.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct MatchBody {
    /// Whether the advertisers sell or buy the base: `SELL` for a user who wants to buy.
    side: AdvertSide,
    /// The code of the base.
    base: String,
    /// The code of the quote.
    quote: String,
    /// The quantity of the base, as a decimal string. Provide either this or `amount`.
    quantity: Option<String>,
    /// The amount of the quote, as a decimal string. Provide either this or `quantity`.
    amount: Option<String>,
    /// The type of payment method. Defaults to any.
    method: Option<String>,
}

/// An advert that can fill the whole trade.
#[derive(Debug, Clone, Serialize, ToSchema)]
struct MatchedAdvert {
    advert: HallAdvert,
    /// The quantity of the base that the order would have, as a decimal string.
    quantity: String,
    /// The amount that the buyer would pay, in the quote, as a decimal string.
    total: String,
    /// The fee, in the base, as a decimal string. It would be deducted from the quantity.
    fee: String,
}

/// Lists up to 20 adverts that can fill the whole trade.
///
/// The best adverts come first: by price, then completion rate, then speed.
#[utoipa::path(post, path = "/c2c/advert/match", tag = "market", request_body = MatchBody,
    responses((status = 200, body = Envelope<Vec<MatchedAdvert>>)))]
async fn matching(
    State(context): State<Context>,
    MaybeUser(user): MaybeUser,
    Body(body): Body<MatchBody>,
) -> Answer<Vec<MatchedAdvert>> {
    let pair = app::market::pair(&context, &body.base, &body.quote).await?;
    let size = match (&body.quantity, &body.amount) {
        (Some(quantity), None) => Size::Quantity(positive("quantity", quantity, pair.base.decimals)?),
        (None, Some(amount)) => Size::Total(positive("amount", amount, pair.quote.decimals)?),
        _ => return Err(ApiError::invalid("quantity", "either quantity or amount is needed")),
    };
    let wanted = Match { pair: pair.id, side: body.side.into(), size, kind: body.method };
    let found = hall::matching(&context, user, &wanted).await?;
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
