//! Identification with the pass, by QR code or redirect.

use app::identity::{Called, Device, NewChallenge, PassPurpose, PassResult, PendingChallenge, Requester};
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use chrono::{DateTime, Utc};
use domain::identity::{IdentityRefusal, address};
use domain::ids::OrderId;
use domain::refusal::Refusal;
use domain::users::KycLevel;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::envelope::{Answer, ApiError, Done, Envelope, Null};
use crate::extract::{Browser, Client, Command, CommandKey, PathId, Query, Session};
use crate::identity::dto::SessionData;
use crate::middleware::{Ended, is_navigation, page_of};
use crate::state::ApiState;

/// The browser that made the request. Both the page and the pass show it, so that users notice requests that they did
/// not make.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = PassRequester)]
#[serde(rename_all = "camelCase")]
pub(super) struct RequesterDto {
    /// The browser's name, such as `Firefox`; null if unknown.
    browser: Option<String>,
    /// The operating system, such as `Android`; null if unknown.
    system: Option<String>,
    /// The region of the network address, as two letters; null if unknown.
    region: Option<String>,
}

impl From<Requester> for RequesterDto {
    fn from(Requester { browser, system, region }: Requester) -> Self {
        Self { browser, system, region }
    }
}

/// A challenge for the pass.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PassChallenge {
    /// The ID with which the result is requested. Keep it secret: it is not in the QR code, so only the browser that
    /// made the challenge knows it.
    id: String,
    /// The public ID of the challenge. The pass returns the browser with it.
    challenge_id: Uuid,
    /// The content of the QR code.
    qr_code_url: String,
    /// The URL for a redirect to the pass, on a phone that has its app.
    authorize_url: String,
    /// The number to show next to the QR code. The pass shows it among others, and the user picks it.
    #[schema(minimum = 10, maximum = 99)]
    number: u8,
    /// The browser that made the request, as the pass shows it.
    requester: RequesterDto,
    /// The time at which the challenge expires.
    expires_at: DateTime<Utc>,
}

impl From<NewChallenge> for PassChallenge {
    fn from(made: NewChallenge) -> Self {
        Self {
            id: made.secret,
            challenge_id: made.id,
            number: made.number,
            requester: made.requester.into(),
            qr_code_url: made.invitation.qr,
            authorize_url: made.invitation.redirect,
            expires_at: made.expires_at,
        }
    }
}

/// The purpose of a challenge.
#[derive(Debug, Clone, Copy, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) enum Purpose {
    #[default]
    Login,
    Register,
}

impl From<Purpose> for PassPurpose {
    fn from(purpose: Purpose) -> Self {
        match purpose {
            Purpose::Login => Self::Login,
            Purpose::Register => Self::Register,
        }
    }
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct GenerateQuery {
    /// The purpose of the challenge. Defaults to `login`.
    #[serde(default)]
    #[param(required = false, inline)]
    purpose: Purpose,
    /// The path of this site to which the redirect returns.
    #[serde(default)]
    return_to: Option<String>,
}

/// Creates a challenge.
///
/// `id` is an ID that the client chose for its device. Every call creates a new challenge; call it again to refresh a
/// QR code.
#[utoipa::path(get, path = "/scan/genQrCodeUrl/{id}", tag = "pass",
    params(("id" = String, Path, description = "The ID that the client chose for its device"), GenerateQuery),
    responses((status = 200, body = Envelope<PassChallenge>)))]
pub(super) async fn generate(
    State(state): State<ApiState>,
    PathId(device): PathId<String>,
    Browser(requester): Browser,
    Query(query): Query<GenerateQuery>,
) -> Answer<PassChallenge> {
    if device.is_empty() || device.len() > 128 {
        return Err(ApiError::invalid("id", "1 to 128 characters"));
    }
    Ok(Done(state.identity.challenge(query.purpose.into(), query.return_to, requester).await?.into()))
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct ResetQuery {
    email: String,
    /// The path of this site to which the redirect returns.
    #[serde(default)]
    return_to: Option<String>,
}

/// Creates a challenge with which a user can reset their password without access to their mailbox.
///
/// The response does not reveal whether the address has an account.
#[utoipa::path(get, path = "/scan/resetByEmail", tag = "pass", params(ResetQuery),
    responses((status = 200, body = Envelope<PassChallenge>)))]
pub(super) async fn generate_for_reset(
    State(state): State<ApiState>,
    Browser(requester): Browser,
    Query(query): Query<ResetQuery>,
) -> Answer<PassChallenge> {
    Ok(Done(state.identity.challenge_for_reset(&query.email, query.return_to, requester).await?.into()))
}

/// What a user proves with the pass.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) enum ProofPurpose {
    /// A change of the receiving address or the security password.
    Security,
    /// `/user/bind`.
    Bind,
    /// `/user/unbind`.
    Unbind,
    /// The confirmation of an order during a hold on the account.
    Confirm,
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct ProofQuery {
    #[param(inline)]
    purpose: ProofPurpose,
    /// The order to confirm. Required for `confirm`.
    #[serde(default)]
    #[param(value_type = Option<String>)]
    order_id: Option<OrderId>,
    /// The path of this site to which the redirect returns.
    #[serde(default)]
    return_to: Option<String>,
}

/// Creates a challenge with which the user proves a command.
///
/// Only this user can approve it. Once approved, `/scan/result/{id}` returns the `ticket` to send with the command.
#[utoipa::path(get, path = "/scan/proof", tag = "pass", params(ProofQuery), security(("session" = [])),
    responses((status = 200, body = Envelope<PassChallenge>)))]
pub(super) async fn generate_for_proof(
    State(state): State<ApiState>,
    Session(who): Session,
    Browser(requester): Browser,
    Query(query): Query<ProofQuery>,
) -> Answer<PassChallenge> {
    let purpose = match (query.purpose, query.order_id) {
        (ProofPurpose::Security, None) => PassPurpose::Security,
        (ProofPurpose::Bind, None) => PassPurpose::Bind,
        (ProofPurpose::Unbind, None) => PassPurpose::Unbind,
        (ProofPurpose::Confirm, Some(order)) => PassPurpose::Confirm(order),
        (ProofPurpose::Security | ProofPurpose::Bind | ProofPurpose::Unbind, Some(_)) => {
            return Err(ApiError::invalid("orderId", "only for confirm"));
        }
        (ProofPurpose::Confirm, None) => return Err(ApiError::invalid("orderId", "missing")),
    };
    let made = state.identity.challenge_for_proof(who.user, purpose, query.return_to, requester).await?;
    Ok(Done(made.into()))
}

/// A challenge, as the pass shows it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PassRequest {
    /// The purpose of the challenge: `login`, `register`, `reset`, `security`, `bind`, `unbind` or `confirm`.
    purpose: String,
    /// The order to confirm.
    #[schema(value_type = Option<String>)]
    order_id: Option<OrderId>,
    /// The browser that made the request.
    requester: RequesterDto,
    /// Three numbers of two digits. After a scan, the user picks the one that the page shows.
    #[schema(min_items = 3, max_items = 3)]
    numbers: Vec<u8>,
    /// The time at which the challenge expires.
    expires_at: DateTime<Utc>,
}

impl From<PendingChallenge> for PassRequest {
    fn from(pending: PendingChallenge) -> Self {
        Self {
            purpose: pending.purpose,
            order_id: pending.order,
            requester: pending.requester.into(),
            numbers: pending.choices,
            expires_at: pending.expires_at,
        }
    }
}

/// Returns a challenge for the pass to show before the user decides.
///
/// The pass reads the challenge here, because an attacker may have altered the link or QR code. An expired or answered
/// challenge is refused with 803.
#[utoipa::path(get, path = "/scan/challenge/{id}", tag = "pass",
    params(("id" = Uuid, Path, description = "The public ID of the challenge, from the QR code")),
    responses((status = 200, body = Envelope<PassRequest>)))]
pub(super) async fn challenge(State(state): State<ApiState>, PathId(id): PathId<Uuid>) -> Answer<PassRequest> {
    Ok(Done(state.identity.pending_challenge(id).await?.into()))
}

/// The result of a challenge.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = PassResult)]
#[serde(rename_all = "camelCase")]
pub(super) struct PassResultDto {
    /// Whether the user has an account and is now logged in. If not, they can register with `ticket`.
    registered: bool,
    /// The new session, if the user has an account.
    session: Option<SessionData>,
    /// The ticket for a registration, a password reset or a proof. It can be used once, within half an hour.
    ticket: Option<String>,
    /// The user's ID at the pass.
    me_id: String,
    /// The user's bound address, to which returns are paid.
    bound_address: String,
    /// The region that the pass reports, as two letters.
    region_id: String,
    /// The user's level of identity verification.
    kyc_level: KycLevel,
}

async fn result_of(state: &ApiState, secret: String, code: Option<&str>, device: &Device) -> Answer<PassResultDto> {
    let PassResult { session, proven } = state.identity.scan_result(&secret, code, device).await?;
    Ok(Done(PassResultDto {
        registered: session.is_some(),
        ticket: session.is_none().then_some(secret),
        session: session.map(Into::into),
        bound_address: address::checksummed(proven.address),
        me_id: proven.me_id,
        region_id: proven.region,
        kyc_level: proven.kyc,
    }))
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct ResultQuery {
    /// The one-time code in the return URL. Required for an approval by redirect.
    #[serde(default)]
    code: Option<String>,
}

/// Returns the result of a challenge.
///
/// 1009 `SCAN_NO_CALLBACK`: no result for this browser yet, retry; 803: expired; 1005: the user declined; 1010: the
/// code or the picked number is wrong. A challenge for `login` or `register` logs in a user with an account.
#[utoipa::path(get, path = "/scan/result/{id}", tag = "pass",
    params(("id" = String, Path, description = "The ID from `/scan/genQrCodeUrl/{id}`"), ResultQuery),
    responses((status = 200, body = Envelope<PassResultDto>)))]
pub(super) async fn result(
    State(state): State<ApiState>,
    Client(device): Client,
    PathId(secret): PathId<String>,
    Query(query): Query<ResultQuery>,
) -> Answer<PassResultDto> {
    result_of(&state, secret, query.code.as_deref(), &device).await
}

/// An assertion that the pass handed to the page.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct AuthorizeBody {
    /// The ID of the challenge, from `/scan/genQrCodeUrl/{id}`.
    id: String,
    /// The assertion signed by the pass.
    statement: String,
}

async fn authorize(state: &ApiState, device: &Device, body: AuthorizeBody) -> Answer<PassResultDto> {
    state.identity.authorize(&body.id, &body.statement).await?;
    result_of(state, body.id, None, device).await
}

/// Logs in with an assertion that the pass handed to the page. A user without an account is refused with 806.
#[utoipa::path(post, path = "/user/authorizeLogin", tag = "pass", request_body = AuthorizeBody,
    params(CommandKey), responses((status = 200, body = Envelope<PassResultDto>)))]
pub(super) async fn authorize_login(
    State(state): State<ApiState>,
    Client(device): Client,
    Command { body, .. }: Command<AuthorizeBody>,
) -> Answer<PassResultDto> {
    let Done(result) = authorize(&state, &device, body).await?;
    if result.registered { Ok(Done(result)) } else { Err(Refusal::from(IdentityRefusal::NotRegistered).into()) }
}

/// Starts a registration with an assertion that the pass handed to the page. A user with an account is logged in.
#[utoipa::path(post, path = "/user/authorizeRegister", tag = "pass", request_body = AuthorizeBody,
    params(CommandKey), responses((status = 200, body = Envelope<PassResultDto>)))]
pub(super) async fn authorize_register(
    State(state): State<ApiState>,
    Client(device): Client,
    Command { body, .. }: Command<AuthorizeBody>,
) -> Answer<PassResultDto> {
    authorize(&state, &device, body).await
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct CallBackQuery {
    /// The signed assertion. Its `decision` states whether the user approved or declined. Its `number` is the one
    /// picked after a scan; an answer by redirect has none.
    statement: String,
}

/// Receives the answer of the pass.
///
/// A browser is redirected to the page that made the request, with these query parameters: `pass` is the result
/// (`approved`, `declined`, `expired`, `failed`, `unavailable`), `challenge` the ID, and after an approval by redirect,
/// `code` the one-time code for `/scan/result/{id}`.
#[utoipa::path(get, path = "/scan/callBack", tag = "pass", params(CallBackQuery),
    responses((status = 200, body = Envelope<Null>), (status = 303, description = "A redirect to the page that made the request")))]
pub(super) async fn call_back(
    State(state): State<ApiState>,
    headers: HeaderMap,
    Query(query): Query<CallBackQuery>,
) -> Response {
    let back = match state.identity.call_back(&query.statement).await {
        Ok(back) => back,
        Err(error) => return ApiError::from(error).into_response(),
    };
    let challenge = back.challenge.to_string();
    let page = |ended, more: &[(&str, &str)]| {
        let all: Vec<_> = std::iter::once(("challenge", challenge.as_str())).chain(more.iter().copied()).collect();
        page_of(&back.return_to, ended, &all)
    };
    let (ended, refusal) = match &back.called {
        // Only a browser can use the code, so redirect every client, even if the request does not look like navigation.
        Called::Approved { code: Some(code) } => return page(Ended::Approved, &[("code", code)]),
        Called::Approved { code: None } => (Ended::Approved, None),
        Called::Declined => (Ended::Declined, None),
        Called::WrongNumber => (Ended::Failed, Some(IdentityRefusal::ScanInvalid)),
        Called::Expired => (Ended::Expired, Some(IdentityRefusal::ScanExpired)),
    };
    match refusal {
        _ if is_navigation(&headers) => page(ended, &[]),
        None => Done(()).into_response(),
        Some(refusal) => ApiError::from(Refusal::from(refusal)).into_response(),
    }
}
