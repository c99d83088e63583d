//! The traits of the NFTs that are for sale.

use app::Context;
use app::market::hall::{Shelf, TraitValues};
use axum::extract::State;
use axum::response::Response;
use domain::trade::Side;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::dto::PairQuery;
use super::hall::pair;
use super::pages::{KeptPage, PageRequest};
use crate::envelope::{ApiError, Envelope, body_of};
use crate::extract::Query;
use crate::state::ApiState;

pub(super) fn calls() -> OpenApiRouter<ApiState> {
    OpenApiRouter::new().routes(routes!(traits))
}

/// A value of a trait.
#[derive(Debug, Clone, Serialize, ToSchema)]
struct TraitValue {
    value: String,
    /// The number of NFTs with this value.
    count: usize,
}

/// The values of a trait among the NFTs of an album that are for sale. Strangers chose the texts.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = AlbumTrait)]
struct AlbumTraitDto {
    /// The name of the trait; empty for values without a name.
    name: String,
    /// Up to 60 values, the most frequent first.
    values: Vec<TraitValue>,
    /// The number of further values.
    others: usize,
}

impl From<&TraitValues> for AlbumTraitDto {
    fn from(listed: &TraitValues) -> Self {
        let values = listed.values.iter().map(|(value, count)| TraitValue { value: value.clone(), count: *count });
        Self { name: listed.name.clone(), values: values.collect(), others: listed.others }
    }
}

/// Lists the traits of an album's NFTs that are for sale: up to 40, those that most NFTs have first.
///
/// The response has an `ETag`, as that of `/c2c/advert/page`.
#[utoipa::path(get, path = "/c2c/advert/traits", tag = "market", params(PairQuery),
    responses((status = 200, body = Envelope<Vec<AlbumTraitDto>>),
              (status = 304, description = "The traits have not changed since the response with this `ETag`.")))]
async fn traits(State(context): State<Context>, request: PageRequest) -> Result<Response, ApiError> {
    let PageRequest { hall, viewer, query, .. } = &request;
    let read = async {
        let Query(query) = Query::<PairQuery>::parse(query)?;
        let pair = pair(&context, hall, &query.base, &query.quote).await?;
        let (traits, version) = hall.traits(pair.id, *viewer)?;
        let traits: Vec<_> = traits.iter().map(AlbumTraitDto::from).collect();
        let shelf = Shelf::Book(pair.id, Side::Sell);
        Ok(KeptPage { shelf, of_taker: false, version, body: body_of(traits)?.into() })
    };
    request.respond("traits", read).await
}
