//! Public reference data.

use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::envelope::{Answer, Done, Envelope};
use crate::extract::{Body, Session};
use crate::state::ApiState;

pub(crate) fn calls() -> OpenApiRouter<ApiState> {
    OpenApiRouter::new().routes(routes!(countries)).routes(routes!(word_valid))
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Country {
    /// The country calling code.
    code: String,
    /// The ISO 3166-1 alpha-2 code.
    abb2: String,
    /// The name in English.
    name: String,
    /// The region ID, as in adverts and users.
    region_id: String,
    /// The code of the local fiat currency.
    currency: String,
    /// Whether people from this region can register.
    enabled: bool,
}

/// Lists the countries and regions by name.
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

/// A text to check.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct WordBody {
    word: String,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct WordValid {
    /// Whether strangers may read the text.
    valid: bool,
    /// Why they may not, as in the refusal of the call that would publish the text: `forbidden words` or `contact information`.
    reason: Option<&'static str>,
}

/// Checks whether a public text, such as a nickname or remark, contains forbidden words or contact information.
#[utoipa::path(post, path = "/common/word/valid", tag = "common", request_body = WordBody,
    responses((status = 200, body = Envelope<WordValid>)), security(("session" = [])))]
async fn word_valid(State(state): State<ApiState>, _: Session, Body(body): Body<WordBody>) -> Answer<WordValid> {
    let reason = state.identity.unspeakable(&body.word).await?;
    Ok(Done(WordValid { valid: reason.is_none(), reason }))
}
