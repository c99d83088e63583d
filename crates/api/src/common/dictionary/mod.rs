//! The dictionary: the names of the values that users choose from lists, in every supported language.

use axum::http::HeaderValue;
use axum::http::header::{CACHE_CONTROL, HeaderName, VARY};
use axum::response::{IntoResponse, Response};
use domain::orders::AppealReason;
use serde::{Deserialize, Serialize};
use strum::VariantArray;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::envelope::{ApiError, Done, Envelope};
use crate::extract::Query;
use crate::language::{Language, spoken};
use crate::state::ApiState;

mod texts;

/// For how long browsers and proxies keep the dictionary. It changes only with a new release.
const CACHE_POLICY: HeaderValue = HeaderValue::from_static("public, max-age=3600");
/// Without the parameter, the response depends on this header.
const BY_LANGUAGE: [(HeaderName, HeaderValue); 1] = [(VARY, HeaderValue::from_static("language"))];

pub(crate) fn calls() -> OpenApiRouter<ApiState> {
    OpenApiRouter::new().routes(routes!(dictionary))
}

#[derive(Debug, Clone, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct DictionaryQuery {
    /// The language of the names, such as `EN_US`, in any case. Defaults to the `language` header.
    #[serde(default)]
    #[param(required = false)]
    language: Option<String>,
}

/// The dictionary in one language.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Dictionary {
    /// The language of the names, such as `en_US`.
    language: &'static str,
    /// The reasons of appeals, those that users can choose first. An order contains the reasons that fit it.
    appeal_reasons: Vec<AppealReasonWord>,
}

/// The name of a reason of an appeal.
#[derive(Debug, Clone, Serialize, ToSchema)]
struct AppealReasonWord {
    value: AppealReason,
    name: &'static str,
}

/// Returns the names of the values that users choose from lists, in one language.
#[utoipa::path(get, path = "/common/dict", tag = "common", params(DictionaryQuery),
    responses((status = 200, body = Envelope<Dictionary>)))]
async fn dictionary(Query(query): Query<DictionaryQuery>) -> Result<Response, ApiError> {
    let language = match query.language {
        None => spoken(),
        Some(name) => {
            Language::named(&name).ok_or_else(|| ApiError::invalid("language", "not a supported language"))?
        }
    };
    let word = |reason: AppealReason| AppealReasonWord { value: reason, name: texts::reason(reason, language) };
    let appeal_reasons = AppealReason::VARIANTS.iter().copied().map(word).collect();
    let dictionary = Dictionary { language: language.as_str(), appeal_reasons };
    let mut response = Done(dictionary).into_response();
    response.headers_mut().insert(CACHE_CONTROL, CACHE_POLICY);
    response.headers_mut().extend(BY_LANGUAGE);
    Ok(response)
}
