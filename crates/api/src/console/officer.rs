//! The officer of a request: the session from the cookie, and the permission for the call.

use app::console::Acting;
use axum::extract::{FromRequestParts, MatchedPath};
use axum::http::request::Parts;
use domain::console::{OfficerRefusal, may};
use domain::refusal::Refusal;

use crate::BASE;
use crate::codes;
use crate::envelope::ApiError;
use crate::extract::{Client, single_cookie};
use crate::origin::is_of_other_site;
use crate::state::ApiState;

/// The cookie with the token of an officer's session. Scripts cannot read it, and browsers send it only with requests of the
/// console's own pages.
pub const COOKIE: &str = "MEC2C-console";

/// Refuses requests of other sites. The cookie's `SameSite` and the JSON bodies keep them out as well; this check does not depend
/// on either.
#[derive(Debug)]
pub(super) struct OwnPage;

impl FromRequestParts<ApiState> for OwnPage {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &ApiState) -> Result<Self, ApiError> {
        let other = is_of_other_site(&parts.headers, &parts.uri, state.hub.trusted_origins());
        if other { Err(codes::FORBIDDEN.into()) } else { Ok(Self) }
    }
}

/// An officer whose role allows the call. Every call of the console except the sign-in must extract it first.
#[derive(Debug, Clone)]
pub(super) struct Officer(pub(super) Acting);

impl FromRequestParts<ApiState> for Officer {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &ApiState) -> Result<Self, ApiError> {
        OwnPage::from_request_parts(parts, state).await?;
        let token = single_cookie(&parts.headers, COOKIE).ok_or(Refusal::SessionInvalid)?.to_owned();
        let Client(device) = Client::from_request_parts(parts, state).await?;
        let acting = state.console.who(&token, &device.address).await?;
        state.middleware.limits.officer(acting.officer).map_err(codes::too_many)?;
        let path = parts.extensions.get::<MatchedPath>().map(MatchedPath::as_str).unwrap_or_default();
        let path = path.strip_prefix(BASE).unwrap_or(path);
        let call = format!("{} {path}", parts.method.as_str().to_ascii_lowercase());
        if may(acting.role, &call) { Ok(Self(acting)) } else { Err(Refusal::from(OfficerRefusal::NotAllowed).into()) }
    }
}
