//! The hall.

use std::collections::BTreeMap;

use app::Context;
use app::commands::Executor;
use app::market::hall::{self, Filter, Hall, NamedPair, Shelf, UnrankedFilter};
use app::orders::Size;
use axum::extract::State;
use axum::response::Response;
use domain::identity::address::checksummed;
use domain::ids::AdvertId;
use domain::market::Sort;
use domain::money::{Amount, Price};
use domain::refusal::Refusal;
use domain::trade::Side;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::dto::{HallAdvert, OrderableAdvert};
use super::pages::{KeptPage, PageRequest, body};
use crate::envelope::{Answer, ApiError, Done, Envelope};
use crate::extract::{MaybeUser, Page, PageOf, PathId, Query};
use crate::nfts::dto::NftTrait;
use crate::state::ApiState;

pub(super) fn calls() -> OpenApiRouter<ApiState> {
    OpenApiRouter::new().routes(routes!(page)).routes(routes!(one)).routes(routes!(preview))
}

#[derive(Debug, Clone, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
struct HallQuery {
    /// Whether the advertisers sell or buy the base.
    #[param(inline)]
    side: Side,
    /// The code of the base. Without it, the list contains the NFTs of all albums that are paid in the quote.
    base: Option<String>,
    /// The code of the quote.
    quote: String,
    /// Filter of NFTs: the lowest price, in the quote, as a decimal string.
    price_min: Option<String>,
    /// Filter of NFTs: the highest price.
    price_max: Option<String>,
    /// Filter: NFTs of the album with these traits, at most 30, as `traits[0].name=…&traits[0].value=…`. Of values with the same
    /// name, an NFT has one.
    #[serde(default)]
    #[param(max_items = 30)]
    traits: Vec<NftTrait>,
    /// Filter: adverts that take an order with this total, in the quote, as a decimal string.
    amount: Option<String>,
    /// Filter: adverts that offer one of these types of payment methods, at most 20, as `methods[0]=…&methods[1]=…`.
    #[serde(default)]
    #[param(max_items = 20)]
    methods: Vec<String>,
    /// Filter: the advertiser's country, as its ISO 3166-1 alpha-2 code.
    region: Option<String>,
    /// Filter: adverts of certified traders.
    certified: Option<bool>,
    /// Filter: adverts of fast traders.
    fast: Option<bool>,
    /// The order of the list. Defaults to the best price for the taker.
    #[param(inline)]
    sort: Option<Sort>,
}

/// Parses an amount above zero. The error names the field.
pub(super) fn positive(field: &'static str, text: &str, decimals: u8) -> Result<Amount, ApiError> {
    match Amount::parse(text, decimals) {
        Ok(amount) if amount.is_zero() => Err(ApiError::invalid(field, "above zero is needed")),
        Ok(amount) => Ok(amount),
        Err(error) => Err(ApiError::invalid(field, error.to_string())),
    }
}

/// Lists the adverts that take orders now.
///
/// The response has an `ETag`. A request that repeats it as `If-None-Match` is answered with 304 and without a body if
/// the page has not changed.
#[utoipa::path(get, path = "/c2c/advert/page", tag = "market", params(Page, HallQuery),
    responses((status = 200, body = Envelope<PageOf<HallAdvert>>),
              (status = 304, description = "The page has not changed since the response with this `ETag`.")))]
async fn page(State(context): State<Context>, request: PageRequest) -> Result<Response, ApiError> {
    let PageRequest { hall, viewer, query, .. } = &request;
    let read = async {
        let (Query(page), Query(query)) = (Query::<Page>::parse(query)?, Query::<HallQuery>::parse(query)?);
        let side = query.side;
        let (shelf, quote) = shelf(&context, hall, &query).await?;
        let filter = Filter {
            shelf,
            viewer: *viewer,
            total: query.amount.as_deref().map(|text| positive("amount", text, quote)).transpose()?,
            unranked: unranked(&query)?,
            kinds: methods(hall, query.methods)?,
            region: query.region,
            certified: query.certified.unwrap_or(false),
            fast: query.fast.unwrap_or(false),
        };
        let sort = query.sort.unwrap_or_else(|| Sort::best(side));
        let cut = |number: i64| usize::try_from(number).unwrap_or(usize::MAX);
        let found = hall.page(&filter, sort, cut(page.offset()), cut(page.limit()))?;
        Ok(KeptPage { shelf, version: found.version, body: body(page, &found) })
    };
    request.respond("page", read).await
}

/// Returns the books that a query is about, and the decimals of the quote.
async fn shelf(context: &Context, hall: &Hall, query: &HallQuery) -> Result<(Shelf, u8), ApiError> {
    if let Some(base) = &query.base {
        let pair = pair(context, hall, base, &query.quote).await?;
        // Only the books of NFTs are short enough to be searched by what they are not sorted by.
        let unsearchable = [
            ("priceMin", query.price_min.is_some()),
            ("priceMax", query.price_max.is_some()),
            ("traits", !query.traits.is_empty()),
        ];
        if let Some((field, _)) = unsearchable.into_iter().find(|(_, asked)| *asked && !pair.of_nfts) {
            return Err(ApiError::invalid(field, "only for NFTs"));
        }
        return Ok((Shelf::Book(pair.id, query.side), pair.quote_decimals));
    }
    if query.side == Side::Buy {
        return Err(ApiError::invalid("base", "needed for `BUY`, because NFTs are only sold"));
    }
    if !query.traits.is_empty() {
        return Err(ApiError::invalid("base", "needed for traits, which belong to an album"));
    }
    let (quote, decimals) = hall.nft_quote(&query.quote)?.ok_or(Refusal::PairUnsupported)?;
    Ok((Shelf::Nfts { quote }, decimals))
}

/// The maximum number of types of payment methods in a query.
const MAX_METHODS: usize = 20;

/// Checks types of payment methods, of which an advert must offer one. The error names the field.
pub(super) fn methods(hall: &Hall, methods: Vec<String>) -> Result<Vec<String>, ApiError> {
    if methods.len() > MAX_METHODS {
        return Err(ApiError::invalid("methods", "at most 20"));
    }
    for (number, method) in methods.iter().enumerate() {
        let refuse = |reason| ApiError::invalid(format!("methods[{number}]"), reason);
        if !hall.has_method_kind(method)? {
            return Err(refuse("no type of payment method"));
        }
        if methods.iter().take(number).any(|former| former == method) {
            return Err(refuse("stands twice"));
        }
    }
    Ok(methods)
}

/// The maximum number of traits in a query.
const MAX_TRAITS: usize = 30;

/// Returns the filter by price and traits. The error names the field.
fn unranked(query: &HallQuery) -> Result<UnrankedFilter, ApiError> {
    let price = |field, text: &Option<String>| {
        let read = text.as_deref().map(Price::parse).transpose();
        read.map_err(|error| ApiError::invalid(field, error.to_string()))
    };
    let (min_price, max_price) = (price("priceMin", &query.price_min)?, price("priceMax", &query.price_max)?);
    if min_price.zip(max_price).is_some_and(|(min, max)| min > max) {
        return Err(ApiError::invalid("priceMax", "below `priceMin`"));
    }
    if query.traits.len() > MAX_TRAITS {
        return Err(ApiError::invalid("traits", "at most 30"));
    }
    let mut traits: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for NftTrait { name, value } in &query.traits {
        traits.entry(name.clone()).or_default().push(value.clone());
    }
    Ok(UnrankedFilter { min_price, max_price, traits })
}

/// Finds a pair by the codes of its assets. Asks the database only if the hall does not know the pair.
pub(super) async fn pair(context: &Context, hall: &Hall, base: &str, quote: &str) -> Result<NamedPair, ApiError> {
    match hall.pair(base, quote)? {
        Some(pair) => Ok(pair),
        None => Ok(NamedPair::from(&app::market::pair(context, base, quote).await?)),
    }
}

/// Returns an advert of the hall, and what the user lacks to order from it.
#[utoipa::path(get, path = "/c2c/advert/hall/{id}", tag = "market",
    params(("id" = String, Path, description = "The ID of the advert")),
    responses((status = 200, body = Envelope<OrderableAdvert>)))]
async fn one(
    State(context): State<Context>,
    MaybeUser(user): MaybeUser,
    PathId(id): PathId<AdvertId>,
) -> Answer<OrderableAdvert> {
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
