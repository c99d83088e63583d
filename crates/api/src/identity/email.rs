//! The calls that send and check email codes.

use app::identity::{Holder, SendCode};
use axum::extract::State;
use axum::http::HeaderMap;
use chrono::{DateTime, Utc};
use domain::identity::email::CodePurpose;
use domain::ids::UserId;
use domain::refusal::Refusal;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::account::device_cookie;
use crate::envelope::{Answer, ApiError, Done, Envelope};
use crate::extract::{Body, Client, Command, CommandKey, MaybeUser, PathId, Query};
use crate::state::ApiState;

#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct SendCodeBody {
    /// The recipient. Optional with a session: the default is the address of the user's account.
    #[serde(default)]
    email: String,
    purpose: CodePurpose,
    /// The token of a solved slide check. Required without a session.
    #[serde(default)]
    slide_token: Option<String>,
    /// The ticket with which the client is about to register, from `/scan/result`. Only for `register`.
    #[serde(default)]
    ticket: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct SentCode {
    /// The time from which another code can be requested.
    resend_at: DateTime<Utc>,
    /// The ID of the code. It is required when the code is used for `register` or `reset`, so that only the client that
    /// requested a code can use it.
    id: String,
}

/// Sends a code of six digits by email.
///
/// The code is valid for ten minutes and five attempts, and only for the client that requested it. The response does
/// not reveal whether the address has an account: if `register` is requested for an existing account, the email tells
/// its owner.
///
/// Further requests get 429 once the requester has had 20 codes sent to the address on the same day for the same purpose, or once
/// all strangers together have had 40. The requester is the user of the session, the person of the ticket, a device that the account
/// knows, or a network. Strangers are networks that the account does not know, without a ticket, and for `register` and `reset` also
/// the users of other accounts. So no one can keep codes from a client that sends its ticket, or the cookie of a device that the
/// account knows; whoever has neither can reset the password through the pass.
#[utoipa::path(post, path = "/email/send", tag = "account", request_body = SendCodeBody,
    params(CommandKey), responses((status = 200, body = Envelope<SentCode>)))]
pub(super) async fn send(
    State(state): State<ApiState>,
    MaybeUser(user): MaybeUser,
    Client(device): Client,
    headers: HeaderMap,
    Command { key, body }: Command<SendCodeBody>,
) -> Answer<SentCode> {
    let ask = SendCode {
        email: body.email,
        purpose: body.purpose,
        slide_token: body.slide_token,
        ticket: body.ticket,
        device_cookie: device_cookie(&headers),
        device,
    };
    let sent = state.identity.send_code(&key, user, &ask).await?;
    Ok(Done(SentCode { resend_at: sent.resend_at, id: sent.id }))
}

/// The code to check.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct VerifyCodeBody {
    /// The address to which the code was sent.
    email: String,
    /// The purpose for which the code was sent.
    purpose: CodePurpose,
    /// The code of six digits.
    code: String,
    /// The `id` that `/email/send` returned. Required for `register` and `reset`.
    #[serde(default)]
    id: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct CodeValid {
    /// Always `true`: a wrong code is refused with 1013.
    valid: bool,
}

/// Checks a code without using it.
///
/// A wrong code is refused with 1013 and the number of attempts left. For `security`, the session that requested the
/// code is required.
#[utoipa::path(post, path = "/email/verify", tag = "account", request_body = VerifyCodeBody,
    responses((status = 200, body = Envelope<CodeValid>)))]
pub(super) async fn verify(
    State(state): State<ApiState>,
    MaybeUser(user): MaybeUser,
    Body(body): Body<VerifyCodeBody>,
) -> Answer<CodeValid> {
    verify_code(&state, user, Some(&body.email), body.purpose, body.id.as_deref(), &body.code).await
}

/// Checks a code for its holder. The holder of a `security` code is the user of the session; the holder of any other
/// code is the client that knows its ID.
async fn verify_code(
    state: &ApiState,
    user: Option<UserId>,
    email: Option<&str>,
    purpose: CodePurpose,
    id: Option<&str>,
    code: &str,
) -> Answer<CodeValid> {
    let holder = match (purpose, user, id) {
        (CodePurpose::Security, Some(user), _) => Holder::User(user),
        (CodePurpose::Security, None, _) => return Err(Refusal::SessionInvalid.into()),
        (CodePurpose::Register | CodePurpose::Reset, _, Some(id)) => Holder::Id(id),
        (CodePurpose::Register | CodePurpose::Reset, _, None) => return Err(ApiError::invalid("id", "missing")),
    };
    state.identity.verify_code(email, purpose, holder, code).await?;
    Ok(Done(CodeValid { valid: true }))
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct CheckQuery {
    /// The address to which the code was sent. Optional with a session.
    #[serde(default)]
    email: Option<String>,
    /// The purpose for which the code was sent.
    #[param(inline)]
    purpose: CodePurpose,
    /// The `id` that `/email/send` returned. Required for `register` and `reset`.
    #[serde(default)]
    id: Option<String>,
}

/// Checks a code like `/email/verify`, with the code in the path.
#[utoipa::path(get, path = "/email/check/{code}", tag = "account",
    params(("code" = String, Path, description = "The code of six digits"), CheckQuery),
    responses((status = 200, body = Envelope<CodeValid>)))]
pub(super) async fn check(
    State(state): State<ApiState>,
    MaybeUser(user): MaybeUser,
    PathId(code): PathId<String>,
    Query(query): Query<CheckQuery>,
) -> Answer<CodeValid> {
    if query.email.is_none() && user.is_none() {
        return Err(ApiError::invalid("email", "missing"));
    }
    verify_code(&state, user, query.email.as_deref(), query.purpose, query.id.as_deref(), &code).await
}
