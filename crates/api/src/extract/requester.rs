//! The browser that sends a request, as the pass shows it.

use std::sync::Arc;

use app::identity::Requester;
use axum::extract::{FromRef, FromRequestParts};
use axum::http::request::Parts;

use crate::envelope::ApiError;
use crate::middleware::{Middleware, told_by_proxy};

/// The browser that sends the request, and its region if a trusted proxy reports it.
#[derive(Debug, Clone)]
pub struct Asking(pub Requester);

impl<S> FromRequestParts<S> for Asking
where
    S: Send + Sync,
    Arc<Middleware>: FromRef<S>,
{
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let middleware = Arc::<Middleware>::from_ref(state);
        let region = middleware
            .region_header
            .as_ref()
            .and_then(|name| told_by_proxy(&parts.extensions, &parts.headers, &middleware.proxies, name));
        Ok(Self(Requester::new(super::user_agent(parts), region)))
    }
}
