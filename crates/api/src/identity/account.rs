//! Login, logout, registration and password reset.

use app::identity::{Login, Register, ResetByEmail, ResetByPass};
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use domain::identity::password::DEVICE_KEPT;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::BASE;
use crate::envelope::{Answer, ApiError, Done, Envelope, Null};
use crate::extract::{Client, Command, CommandKey, Session, single_cookie};
use crate::identity::dto::{EmptyBody, SealedText, SessionData};
use crate::state::ApiState;

#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct LoginBody {
    email: String,
    /// The login password.
    password: SealedText,
    /// The token of a solved slide check. Without it, the login is refused with 1042 unless the account knows the device.
    slide_token: Option<String>,
}

/// The cookie of a device. Scripts cannot read it, and browsers send it only with calls by one of the product's own pages.
const DEVICE_COOKIE: &str = "MEC2C-device";

/// Returns the cookie of the device, if the browser sent one.
pub(super) fn device_cookie(headers: &HeaderMap) -> Option<String> {
    single_cookie(headers, DEVICE_COOKIE).map(str::to_owned)
}

/// Sets the cookie of a device with an answer.
fn with_device_cookie(state: &ApiState, value: &str, answer: impl IntoResponse) -> Result<Response, ApiError> {
    let secure = if state.secure_cookies { "; Secure" } else { "" };
    let age = DEVICE_KEPT.num_seconds();
    let text = format!("{DEVICE_COOKIE}={value}; Path={BASE}; HttpOnly; SameSite=Strict{secure}; Max-Age={age}");
    let cookie = HeaderValue::from_str(&text).map_err(|error| ApiError::internal(&error))?;
    let mut response = answer.into_response();
    response.headers_mut().insert(header::SET_COOKIE, cookie);
    Ok(response)
}

/// Logs in with email and password, and makes the device known to the account for 180 days, with the cookie `MEC2C-device`.
///
/// Without `slideToken`, refused with 1042 if the account does not know the device, if there is no account, or after three wrong
/// passwords from the network. The password is not checked then. Solve a slide check and repeat the login with its token. All
/// devices of an account become unknown when its email address, a password or its receiving address changes, when its password is
/// reset, and when an officer puts it on hold or ends its sessions.
///
/// Refused with 1004 if email and password don't match, and with 429 during a lockout. A retry within a minute from the same
/// network gets the same session; any later replay is refused with 1019. Wrong passwords cause lockouts, each longer than the last:
/// of the network, and of all networks together from which the account has never logged in.
#[utoipa::path(post, path = "/user/login", tag = "account", request_body = LoginBody,
    params(CommandKey), responses((status = 200, body = Envelope<SessionData>)))]
pub(super) async fn login(
    State(state): State<ApiState>,
    Client(device): Client,
    headers: HeaderMap,
    Command { key, body }: Command<LoginBody>,
) -> Result<Response, ApiError> {
    let login = Login {
        email: body.email,
        password: body.password.into(),
        slide_token: body.slide_token,
        device_cookie: device_cookie(&headers),
        device,
    };
    let logged_in = state.identity.login(&key, &login).await?;
    with_device_cookie(&state, &logged_in.device_cookie, Done(SessionData::from(logged_in.session)))
}

/// Ends the session and takes the user offline, with all of their adverts.
#[utoipa::path(post, path = "/logout", tag = "account", request_body = EmptyBody,
    params(CommandKey), responses((status = 200, body = Envelope<Null>)), security(("session" = [])))]
pub(super) async fn logout(
    State(state): State<ApiState>,
    Session(who): Session,
    Command { .. }: Command<EmptyBody>,
) -> Answer<()> {
    Ok(Done(state.identity.logout(who.user, who.session).await?))
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct RegisterBody {
    /// The ticket from `/scan/result/{id}`. It identifies the result of the pass.
    ticket: String,
    /// The email address to which the code was sent.
    email: String,
    /// The code of six digits.
    email_code: String,
    /// The `id` that `/email/send` returned.
    email_code_id: String,
    /// The login password: 8 to 32 characters, with an uppercase letter, a lowercase letter, a digit and a symbol.
    password: SealedText,
    /// The address at which the user is paid in USDT.
    receiving_address: String,
    /// The chain type of `receivingAddress`, such as `ERC20`.
    chain_type: String,
    /// Must be `true`.
    terms_accepted: bool,
}

/// Creates an account and its first session. Retries work as for the login.
#[utoipa::path(post, path = "/user/register", tag = "account", request_body = RegisterBody,
    params(CommandKey), responses((status = 200, body = Envelope<SessionData>)))]
pub(super) async fn register(
    State(state): State<ApiState>,
    Client(device): Client,
    Command { key, body }: Command<RegisterBody>,
) -> Answer<SessionData> {
    let register = Register {
        ticket: body.ticket,
        email: body.email,
        email_code: body.email_code,
        email_code_id: body.email_code_id,
        password: body.password.into(),
        receiving_address: body.receiving_address,
        chain_type: body.chain_type,
        terms_accepted: body.terms_accepted,
        device,
    };
    Ok(Done(state.identity.register(&key, &register).await?.into()))
}

/// A new login password, authorized by an email code.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct ResetPasswordBody {
    email: String,
    /// The code of six digits that was sent for `reset`.
    email_code: String,
    /// The `id` that `/email/send` returned.
    email_code_id: String,
    new_password: SealedText,
}

/// Sets a new login password with an email code. All sessions end, and the account is on hold for a day: the user
/// can't withdraw, post adverts, go online, or place or accept orders, and needs the pass to confirm an order.
#[utoipa::path(post, path = "/user/resetPassword", tag = "account", request_body = ResetPasswordBody,
    params(CommandKey), responses((status = 200, body = Envelope<Null>)))]
pub(super) async fn reset_password(
    State(state): State<ApiState>,
    Client(device): Client,
    Command { key, body }: Command<ResetPasswordBody>,
) -> Answer<()> {
    let ask = ResetByEmail {
        email: body.email,
        email_code: body.email_code,
        email_code_id: body.email_code_id,
        new_password: body.new_password.into(),
        device,
    };
    Ok(Done(state.identity.reset_by_email(&key, &ask).await?))
}

/// A new login password, authorized by the pass, for a user without access to their mailbox.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct ResetByPassBody {
    /// The ticket from `/scan/result/{id}`, for a challenge from `/scan/resetByEmail`.
    ticket: String,
    new_password: SealedText,
}

/// Sets a new login password with the pass. All sessions end, and the account is on hold for a day, as after
/// `/user/resetPassword`.
#[utoipa::path(post, path = "/user/unBindResetPassword", tag = "account", request_body = ResetByPassBody,
    params(CommandKey), responses((status = 200, body = Envelope<Null>)))]
pub(super) async fn reset_password_by_pass(
    State(state): State<ApiState>,
    Client(device): Client,
    Command { key, body }: Command<ResetByPassBody>,
) -> Answer<()> {
    let ask = ResetByPass { ticket: body.ticket, new_password: body.new_password.into(), device };
    Ok(Done(state.identity.reset_by_pass(&key, &ask).await?))
}
