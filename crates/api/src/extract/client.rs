//! The client that sends a request.

use app::identity::{Device, Requester};
use axum::extract::FromRequestParts;
use axum::http::header;
use axum::http::request::Parts;

use crate::envelope::ApiError;
use crate::language::spoken;
use crate::middleware::{client, told_by_proxy};
use crate::state::ApiState;

/// The user agent, network address and language of the client.
#[derive(Debug, Clone)]
pub(crate) struct Client(pub(crate) Device);

impl FromRequestParts<ApiState> for Client {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &ApiState) -> Result<Self, ApiError> {
        let address = client(&parts.extensions, &parts.headers, &state.middleware.proxies);
        let address = address.map(|address| address.to_string()).unwrap_or_default();
        Ok(Self(Device::new(user_agent(parts), &address, spoken().as_str())))
    }
}

/// The browser that sends the request, as the pass displays it, and its region if a trusted proxy reports one.
#[derive(Debug, Clone)]
pub(crate) struct Browser(pub(crate) Requester);

impl FromRequestParts<ApiState> for Browser {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &ApiState) -> Result<Self, ApiError> {
        let middleware = &state.middleware;
        let region = middleware
            .region_header
            .as_ref()
            .and_then(|name| told_by_proxy(&parts.extensions, &parts.headers, &middleware.proxies, name));
        Ok(Self(Requester::new(user_agent(parts), region)))
    }
}

fn user_agent(parts: &Parts) -> &str {
    parts.headers.get(header::USER_AGENT).and_then(|value| value.to_str().ok()).unwrap_or_default()
}
