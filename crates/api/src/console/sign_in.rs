//! Officers set up their account, sign in and sign out.

use app::console::{Enroll, SignIn};
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use chrono::{DateTime, Utc};
use domain::console::{CALLS, Role};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::appeals::ValueItem;
use super::officer::{COOKIE, Officer, OwnPage};
use crate::BASE;
use crate::envelope::{Answer, ApiError, Done, Envelope, Null};
use crate::extract::{Body, Client, Command, CommandKey};
use crate::identity::{EmptyBody, SealedText};
use crate::state::ApiState;

#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct SignInBody {
    email: String,
    /// The password, encrypted like a user's.
    password: SealedText,
    /// The six digits that the authenticator app shows.
    code: String,
}

/// A new session. Its token is in a cookie.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct SignedIn {
    /// The time at which the session ends. It ends earlier if it is not used for 30 minutes.
    expires_at: DateTime<Utc>,
}

/// Sets the cookie of a session with an answer; an empty token deletes it.
fn with_cookie(state: &ApiState, token: &str, answer: impl IntoResponse) -> Result<Response, ApiError> {
    let secure = if state.secure_cookies { "; Secure" } else { "" };
    let age = if token.is_empty() { "; Max-Age=0" } else { "" };
    let text = format!("{COOKIE}={token}; Path={BASE}/console; HttpOnly; SameSite=Strict{secure}{age}");
    let cookie = HeaderValue::from_str(&text).map_err(|error| ApiError::internal(&error))?;
    let mut response = answer.into_response();
    response.headers_mut().insert(header::SET_COOKIE, cookie);
    Ok(response)
}

/// Signs an officer in with password and code, and sets the cookie of the session.
///
/// Refused with 6001 if email, password or code is wrong, and with 429 during a lockout. A code can be used once. A retry
/// within a minute from the same network gets the same session.
#[utoipa::path(post, path = "/console/sign-in", tag = "console", request_body = SignInBody,
    params(CommandKey), responses((status = 200, body = Envelope<SignedIn>)))]
pub(super) async fn sign_in(
    State(state): State<ApiState>,
    _: OwnPage,
    Client(device): Client,
    Command { key, body }: Command<SignInBody>,
) -> Result<Response, ApiError> {
    let SignInBody { email, password, code } = body;
    let opened = state.console.sign_in(&key, &SignIn { email, password: password.into(), code, device }).await?;
    with_cookie(&state, &opened.token, Done(SignedIn { expires_at: opened.expires_at }))
}

/// Ends the session.
#[utoipa::path(post, path = "/console/sign-out", tag = "console", request_body = EmptyBody,
    params(CommandKey), responses((status = 200, body = Envelope<Null>)), security(("officer" = [])))]
pub(super) async fn sign_out(
    State(state): State<ApiState>,
    Officer(acting): Officer,
    Command { .. }: Command<EmptyBody>,
) -> Result<Response, ApiError> {
    state.console.sign_out(&acting).await?;
    with_cookie(&state, "", Done(()))
}

/// The settings of appeals.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct AppealRules {
    /// The value of an order up to which customer service decides.
    customer_service: ValueItem,
    /// The value of an order up to which one appeal officer decides alone.
    one_officer: ValueItem,
    /// The hours within which officers should decide an appeal.
    decide_within_hours: i64,
}

impl From<&app::appeals::Rules> for AppealRules {
    fn from(rules: &app::appeals::Rules) -> Self {
        let value = |amount: &str| ValueItem { amount: amount.to_owned(), unit: rules.unit.clone() };
        Self {
            customer_service: value(&rules.customer_service),
            one_officer: value(&rules.one_officer),
            decide_within_hours: rules.decide_within.num_hours(),
        }
    }
}

/// The officer of the session.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct OwnOfficer {
    id: Uuid,
    name: String,
    role: Role,
    /// The time at which the session ends. It ends earlier if it is not used for 30 minutes.
    expires_at: DateTime<Utc>,
    /// The calls of the console that the role may make, such as `get /console/users`.
    calls: Vec<String>,
    /// The settings of appeals; null for administrators, who decide none.
    appeal_rules: Option<AppealRules>,
    /// The server's time.
    server_time: DateTime<Utc>,
}

/// Returns the officer of the session and what the officer may do.
#[utoipa::path(get, path = "/console/me", tag = "console",
    responses((status = 200, body = Envelope<OwnOfficer>)), security(("officer" = [])))]
pub(super) async fn me(State(state): State<ApiState>, Officer(acting): Officer) -> Answer<OwnOfficer> {
    let calls = CALLS.iter().filter(|(_, roles)| roles.contains(&acting.role)).map(|(name, _)| (*name).to_owned());
    Ok(Done(OwnOfficer {
        id: acting.officer.0,
        name: acting.name,
        role: acting.role,
        expires_at: acting.expires_at,
        calls: calls.collect(),
        appeal_rules: acting.role.authority().map(|_| state.console.rules().into()),
        server_time: state.context.now().await?,
    }))
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct EnrollmentToken {
    /// The token in the setup link.
    token: String,
}

/// What a setup link shows.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct EnrollmentInfo {
    name: String,
    email: String,
    role: Role,
    /// The secret for the authenticator app, in base32.
    secret: String,
    /// The same as an `otpauth` URI, for a QR code.
    uri: String,
}

/// Returns what a setup link shows: the officer, and the secret for the authenticator app. Refused with 6002 if the link was
/// used or has expired.
#[utoipa::path(post, path = "/console/enrollment/begin", tag = "console", request_body = EnrollmentToken,
    responses((status = 200, body = Envelope<EnrollmentInfo>)))]
pub(super) async fn begin_enrollment(
    State(state): State<ApiState>,
    _: OwnPage,
    Body(body): Body<EnrollmentToken>,
) -> Answer<EnrollmentInfo> {
    let shown = state.console.enrollment(&body.token).await?;
    let officer = shown.officer;
    Ok(Done(EnrollmentInfo {
        name: officer.name,
        email: officer.email,
        role: officer.role,
        secret: shown.secret,
        uri: shown.uri,
    }))
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct EnrollmentBody {
    /// The token in the setup link.
    token: String,
    /// The new password: 8 to 32 characters, with an uppercase letter, a lowercase letter, a digit and a symbol.
    new_password: SealedText,
    /// The six digits that the authenticator app shows.
    code: String,
}

/// Sets the officer's password and second factor, and uses up the setup link. The officer can then sign in with the next
/// code. Refused with 6003 if the code is wrong.
#[utoipa::path(post, path = "/console/enrollment", tag = "console", request_body = EnrollmentBody,
    params(CommandKey), responses((status = 200, body = Envelope<Null>)))]
pub(super) async fn enroll(
    State(state): State<ApiState>,
    _: OwnPage,
    Client(device): Client,
    Command { key, body }: Command<EnrollmentBody>,
) -> Answer<()> {
    let EnrollmentBody { token, new_password, code } = body;
    Ok(Done(state.console.enroll(&key, &Enroll { token, password: new_password.into(), code, device }).await?))
}
