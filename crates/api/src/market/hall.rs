//! The hall.

use std::collections::BTreeMap;

use app::Context;
use app::market::hall::{Filter, Hall, NamedPair, Shelf, TakerFilter, UnrankedFilter};
use axum::extract::State;
use axum::response::Response;
use domain::market::Sort;
use domain::money::{Amount, Price};
use domain::refusal::Refusal;
use domain::trade::Side;
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::dto::HallAdvert;
use super::pages::{KeptPage, PageRequest, body};
use crate::envelope::{ApiError, Envelope};
use crate::extract::{Page, PageOf, Query};
use crate::nfts::dto::NftTrait;
use crate::state::ApiState;

pub(super) fn calls() -> OpenApiRouter<ApiState> {
    OpenApiRouter::new().routes(routes!(page))
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
    /// Filter: adverts whose requirements of takers the user meets, so that an order is not refused with 5069. Without a session,
    /// those that require nothing.
    requirements_met: Option<bool>,
    /// The order of the list. Defaults to the best price for the taker.
    #[param(inline)]
    sort: Option<Sort>,
}

/// Parses an amount above zero. The error names the field.
pub(crate) fn positive(field: &'static str, text: &str, decimals: u8) -> Result<Amount, ApiError> {
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
        let of_taker = query.requirements_met.unwrap_or(false);
        let filter = Filter {
            shelf,
            viewer: *viewer,
            total: query.amount.as_deref().map(|text| positive("amount", text, quote)).transpose()?,
            unranked: unranked(&query)?,
            kinds: methods(hall, query.methods)?,
            region: query.region,
            certified: query.certified.unwrap_or(false),
            fast: query.fast.unwrap_or(false),
            takers: if of_taker { hall.takers(*viewer).await? } else { TakerFilter::All },
        };
        let sort = query.sort.unwrap_or_else(|| Sort::best(side));
        let cut = |number: i64| usize::try_from(number).unwrap_or(usize::MAX);
        let found = hall.page(&filter, sort, cut(page.offset()), cut(page.limit()))?;
        Ok(KeptPage { shelf, of_taker, version: found.version, body: body(page, &found) })
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
