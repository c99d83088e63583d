//! Reference data that everybody may read.

use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::envelope::{Answer, Done, Envelope};
use crate::extract::{Body, Session};
use crate::state::ApiState;

/// The calls of reference data.
pub(crate) fn calls() -> OpenApiRouter<ApiState> {
    OpenApiRouter::new().routes(routes!(countries)).routes(routes!(word_valid))
}

/// A country or region.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Country {
    /// The telephone's country code.
    code: String,
    /// ISO 3166-1, two letters.
    abb2: String,
    /// Its name in English.
    name: String,
    /// As adverts and people name it.
    region_id: String,
    /// The fiat currency that is used there.
    currency: String,
    /// Whether people there may register.
    enabled: bool,
}

/// The countries and regions, by name.
#[utoipa::path(get, path = "/common/country/all", tag = "common",
    responses((status = 200, body = Envelope<Vec<Country>>)))]
async fn countries(State(state): State<ApiState>) -> Answer<Vec<Country>> {
    let regions = state.identity.regions().await?.into_iter();
    Ok(Done(
        regions
            .map(|region| Country {
                code: region.dial,
                region_id: region.code.clone(),
                abb2: region.code,
                name: region.name,
                currency: region.currency,
                enabled: region.enabled,
            })
            .collect(),
    ))
}

/// A text that may become public.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct WordBody {
    /// The text.
    word: String,
}

/// Whether a text may be public.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct WordValid {
    /// Whether it has no forbidden word.
    valid: bool,
}

/// Whether a text may be public: a nickname, a remark.
#[utoipa::path(post, path = "/common/word/valid", tag = "common", request_body = WordBody,
    responses((status = 200, body = Envelope<WordValid>)), security(("session" = [])))]
async fn word_valid(State(state): State<ApiState>, _: Session, Body(body): Body<WordBody>) -> Answer<WordValid> {
    Ok(Done(WordValid { valid: state.identity.words_valid(&body.word).await? }))
}
