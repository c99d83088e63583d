//! Log-in, log-out, registration and forgotten passwords.

use app::identity::{Login, Register, ResetByEmail, ResetByPass};
use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::envelope::{Answer, Done, Envelope, Null};
use crate::extract::{Command, From, Session};
use crate::identity::dto::{Nothing, SealedText, SessionData};
use crate::state::ApiState;

/// A log-in.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct LoginBody {
    /// The account's e-mail.
    email: String,
    /// The login password.
    password: SealedText,
    /// Earned by a slide check.
    slide_token: String,
}

/// Logs in with e-mail and password. 1004 when they do not belong together; 429 during a lock-out.
///
/// Sent again within a minute from the same network, it is answered with the same session; any other repetition is refused
/// with 1019. Wrong passwords lock out with back-off: from one network, and from all networks together from which the account
/// has never logged in.
#[utoipa::path(post, path = "/user/login", tag = "account", request_body = LoginBody,
    params(("Idempotency-Key" = String, Header, description = "Names the command")),
    responses((status = 200, body = Envelope<SessionData>)))]
pub(super) async fn login(
    State(state): State<ApiState>,
    From(device): From,
    Command { key, body }: Command<LoginBody>,
) -> Answer<SessionData> {
    let login = Login { email: body.email, password: body.password.into(), slide_token: body.slide_token, device };
    Ok(Done(state.identity.login(&key, &login).await?.into()))
}

/// Ends the session, and turns the person's switch off: their adverts go offline.
#[utoipa::path(post, path = "/logout", tag = "account", request_body = Nothing,
    params(("Idempotency-Key" = String, Header, description = "Names the command")),
    responses((status = 200, body = Envelope<Null>)), security(("session" = [])))]
pub(super) async fn logout(
    State(state): State<ApiState>,
    Session(who): Session,
    Command { .. }: Command<Nothing>,
) -> Answer<()> {
    Ok(Done(state.identity.logout(who.user, who.session).await?))
}

/// A registration.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct RegisterBody {
    /// From `/scan/result/{id}`: names what the pass stated.
    ticket: String,
    /// The e-mail, proved by the code.
    email: String,
    /// Six digits.
    email_code: String,
    /// The `id` that `/email/send` answered.
    email_code_id: String,
    /// The login password: 8 to 32 characters with upper case, lower case, a digit and a sign.
    password: SealedText,
    /// Where the person is paid in USDT.
    receiving_address: String,
    /// Its chain type, such as `ERC20`.
    chain_type: String,
    /// Must be true.
    terms_accepted: bool,
}

/// Opens an account and its first session. Repeated as a log-in is.
#[utoipa::path(post, path = "/user/register", tag = "account", request_body = RegisterBody,
    params(("Idempotency-Key" = String, Header, description = "Names the command")),
    responses((status = 200, body = Envelope<SessionData>)))]
pub(super) async fn register(
    State(state): State<ApiState>,
    From(device): From,
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

/// A new login password by a code to the mailbox.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct ResetPasswordBody {
    /// The account's e-mail.
    email: String,
    /// Six digits, sent for `reset`.
    email_code: String,
    /// The `id` that `/email/send` answered.
    email_code_id: String,
    /// The new login password.
    new_password: SealedText,
}

/// Sets a new login password by a code. All sessions end; withdrawals, adverts and orders wait for a day.
#[utoipa::path(post, path = "/user/resetPassword", tag = "account", request_body = ResetPasswordBody,
    params(("Idempotency-Key" = String, Header, description = "Names the command")),
    responses((status = 200, body = Envelope<Null>)))]
pub(super) async fn reset_password(
    State(state): State<ApiState>,
    Command { key, body }: Command<ResetPasswordBody>,
) -> Answer<()> {
    let ask = ResetByEmail {
        email: body.email,
        email_code: body.email_code,
        email_code_id: body.email_code_id,
        new_password: body.new_password.into(),
    };
    Ok(Done(state.identity.reset_by_email(&key, &ask).await?))
}

/// A new login password by the pass, for somebody whose mailbox is gone.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct ResetByPassBody {
    /// From `/scan/result/{id}` of a challenge made by `/scan/resetByEmail`.
    ticket: String,
    /// The new login password.
    new_password: SealedText,
}

/// Sets a new login password by the pass. All sessions end; withdrawals, adverts and orders wait for a day.
#[utoipa::path(post, path = "/user/unBindResetPassword", tag = "account", request_body = ResetByPassBody,
    params(("Idempotency-Key" = String, Header, description = "Names the command")),
    responses((status = 200, body = Envelope<Null>)))]
pub(super) async fn reset_password_by_pass(
    State(state): State<ApiState>,
    Command { key, body }: Command<ResetByPassBody>,
) -> Answer<()> {
    let ask = ResetByPass { ticket: body.ticket, new_password: body.new_password.into() };
    Ok(Done(state.identity.reset_by_pass(&key, &ask).await?))
}
