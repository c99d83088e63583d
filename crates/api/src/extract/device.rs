//! The device that sends a request.

use std::sync::Arc;

use app::identity::Device;
use axum::extract::{FromRef, FromRequestParts};
use axum::http::request::Parts;

use crate::envelope::ApiError;
use crate::middleware::Middleware;

/// The user agent, network address and language of the client.
#[derive(Debug, Clone)]
pub struct From(pub Device);

impl<S> FromRequestParts<S> for From
where
    S: Send + Sync,
    Arc<Middleware>: FromRef<S>,
{
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let middleware = Arc::<Middleware>::from_ref(state);
        let address = crate::middleware::client(&parts.extensions, &parts.headers, &middleware.proxies);
        let address = address.map(|address| address.to_string()).unwrap_or_default();
        Ok(Self(Device::new(super::user_agent(parts), &address, crate::language::spoken().as_str())))
    }
}
