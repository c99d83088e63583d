//! The pass, by QR and by redirect.

use app::identity::{Called, Device, NewChallenge, PassPurpose, PassResult, PendingChallenge, Requester};
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use chrono::{DateTime, Utc};
use domain::identity::{IdentityRefusal, address};
use domain::refusal::Refusal;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::enums::Kyc;
use crate::envelope::{Answer, ApiError, Done, Envelope, Null};
use crate::extract::{Asking, Command, From, PathId, Query};
use crate::identity::dto::SessionData;
use crate::middleware::{Ended, is_navigation, page_of};
use crate::state::ApiState;

/// The browser that asks. The page and the pass both show it, so that a person notices a request that is not theirs.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = PassRequester)]
#[serde(rename_all = "camelCase")]
pub(super) struct RequesterDto {
    /// Its name, such as `Firefox`; null when unknown.
    browser: Option<String>,
    /// The system on which it runs, such as `Android`; null when unknown.
    system: Option<String>,
    /// The region of its network address, two letters; null when unknown.
    region: Option<String>,
}

impl std::convert::From<Requester> for RequesterDto {
    fn from(Requester { browser, system, region }: Requester) -> Self {
        Self { browser, system, region }
    }
}

/// A challenge to the pass.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PassChallenge {
    /// Under which the result is asked for. A secret of the browser that made the challenge: it is not in the QR.
    id: String,
    /// The challenge's public name. The pass sends a browser back with it.
    challenge_id: Uuid,
    /// What the QR holds.
    qr_code_url: String,
    /// The same by redirect, on a phone that has the app.
    authorize_url: String,
    /// What the page shows beside the QR: the person picks it in the pass, which shows it among others.
    #[schema(minimum = 10, maximum = 99)]
    number: u8,
    /// The browser that asks, as the pass shows it.
    requester: RequesterDto,
    /// Until when it may be answered.
    expires_at: DateTime<Utc>,
}

impl std::convert::From<NewChallenge> for PassChallenge {
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

/// What a challenge is for.
#[derive(Debug, Clone, Copy, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) enum Purpose {
    /// Logging in.
    #[default]
    Login,
    /// Opening an account.
    Register,
}

/// How to go on after the pass.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct GenerateQuery {
    /// What the challenge is for; log-in when left out.
    #[serde(default)]
    #[param(required = false, inline)]
    purpose: Purpose,
    /// The path of this site to which the redirect leads back.
    #[serde(default)]
    return_to: Option<String>,
}

/// Makes a challenge. `id` is the device's own id; each call makes a fresh challenge, which is how a QR is refreshed.
#[utoipa::path(get, path = "/scan/genQrCodeUrl/{id}", tag = "pass",
    params(("id" = String, Path, description = "The device's id"), GenerateQuery),
    responses((status = 200, body = Envelope<PassChallenge>)))]
pub(super) async fn generate(
    State(state): State<ApiState>,
    PathId(device): PathId<String>,
    Asking(requester): Asking,
    Query(query): Query<GenerateQuery>,
) -> Answer<PassChallenge> {
    if device.is_empty() || device.len() > 128 {
        return Err(ApiError::invalid("id", "1 to 128 characters"));
    }
    let purpose = match query.purpose {
        Purpose::Login => PassPurpose::Login,
        Purpose::Register => PassPurpose::Register,
    };
    Ok(Done(state.identity.challenge(purpose, query.return_to, requester).await?.into()))
}

/// Whose password is forgotten.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct ResetQuery {
    /// The account's e-mail.
    email: String,
}

/// Makes a challenge by which the person of an account may set a new password without their mailbox. The answer is the
/// same for an address without an account.
#[utoipa::path(get, path = "/scan/resetByEmail", tag = "pass", params(ResetQuery),
    responses((status = 200, body = Envelope<PassChallenge>)))]
pub(super) async fn generate_for_reset(
    State(state): State<ApiState>,
    Asking(requester): Asking,
    Query(query): Query<ResetQuery>,
) -> Answer<PassChallenge> {
    Ok(Done(state.identity.challenge_for_reset(&query.email, requester).await?.into()))
}

/// A challenge as the pass shows it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PassRequest {
    /// What the challenge is for: `login`, `register` or `reset`.
    purpose: String,
    /// The browser that asks.
    requester: RequesterDto,
    /// Three numbers of two digits. After a scan the person picks the one that the asking page shows.
    #[schema(min_items = 3, max_items = 3)]
    numbers: Vec<u8>,
    /// Until when it may be answered.
    expires_at: DateTime<Utc>,
}

impl std::convert::From<PendingChallenge> for PassRequest {
    fn from(pending: PendingChallenge) -> Self {
        Self {
            purpose: pending.purpose,
            requester: pending.requester.into(),
            numbers: pending.choices,
            expires_at: pending.expires_at,
        }
    }
}

/// What the pass shows of a challenge before the person decides. The pass asks for it here: whatever a link or a QR says of
/// a challenge may have been changed by whoever passed it on. 803 when it has expired or been answered.
#[utoipa::path(get, path = "/scan/challenge/{id}", tag = "pass",
    params(("id" = Uuid, Path, description = "The challenge, as the QR names it")),
    responses((status = 200, body = Envelope<PassRequest>)))]
pub(super) async fn challenge(State(state): State<ApiState>, PathId(id): PathId<Uuid>) -> Answer<PassRequest> {
    Ok(Done(state.identity.pending_challenge(id).await?.into()))
}

/// What came of a challenge.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = PassResult)]
#[serde(rename_all = "camelCase")]
pub(super) struct PassResultDto {
    /// Whether the person has an account and is logged in now. If not, they register with `ticket`.
    registered: bool,
    /// The session of somebody with an account.
    session: Option<SessionData>,
    /// Names what the pass stated, for registration or a new password; used once, within half an hour.
    ticket: Option<String>,
    /// The person at the pass.
    me_id: String,
    /// The person's own address, to which all returns go.
    bound_address: String,
    /// The region that the pass states, two letters.
    region_id: String,
    /// How well the pass knows the person.
    kyc_level: Kyc,
}

fn data(result: PassResult, secret: String) -> PassResultDto {
    PassResultDto {
        registered: result.session.is_some(),
        ticket: result.session.is_none().then_some(secret),
        session: result.session.map(Into::into),
        bound_address: address::checksummed(result.proven.address),
        me_id: result.proven.me_id,
        region_id: result.proven.region,
        kyc_level: result.proven.kyc.into(),
    }
}

async fn result_of(state: &ApiState, secret: String, code: Option<&str>, device: &Device) -> Answer<PassResultDto> {
    match state.identity.scan_result(&secret, code, device).await {
        Ok(result) => Ok(Done(data(result, secret))),
        Err(error) => Err(error.into()),
    }
}

/// What the pass sent the browser back with.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct ResultQuery {
    /// The one-time code in the return address. An approval by redirect counts only with it.
    #[serde(default)]
    code: Option<String>,
}

/// What came of a challenge. 1009 `SCAN_NO_CALLBACK`: nobody answered this browser yet, ask again; 803: expired; 1005: the
/// person said no; 1010: the code or the number that was picked is wrong. Somebody with an account is logged in, whatever
/// the challenge was for.
#[utoipa::path(get, path = "/scan/result/{id}", tag = "pass",
    params(("id" = String, Path, description = "As `/scan/genQrCodeUrl/{id}` answered"), ResultQuery),
    responses((status = 200, body = Envelope<PassResultDto>)))]
pub(super) async fn result(
    State(state): State<ApiState>,
    From(device): From,
    PathId(secret): PathId<String>,
    Query(query): Query<ResultQuery>,
) -> Answer<PassResultDto> {
    result_of(&state, secret, query.code.as_deref(), &device).await
}

/// A statement that the pass handed to the page itself.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct AuthorizeBody {
    /// The challenge, as `/scan/genQrCodeUrl/{id}` answered.
    id: String,
    /// The pass's signed statement.
    statement: String,
}

async fn authorize(state: &ApiState, device: &Device, body: AuthorizeBody) -> Answer<PassResultDto> {
    state.identity.authorize(&body.id, &body.statement).await?;
    result_of(state, body.id, None, device).await
}

/// Logs in with a statement that the pass handed to the page. 806 when the person has no account.
#[utoipa::path(post, path = "/user/authorizeLogin", tag = "pass", request_body = AuthorizeBody,
    params(("Idempotency-Key" = String, Header, description = "Names the command")),
    responses((status = 200, body = Envelope<PassResultDto>)))]
pub(super) async fn authorize_login(
    State(state): State<ApiState>,
    From(device): From,
    Command { body, .. }: Command<AuthorizeBody>,
) -> Answer<PassResultDto> {
    let Done(result) = authorize(&state, &device, body).await?;
    if result.registered { Ok(Done(result)) } else { Err(Refusal::from(IdentityRefusal::NotRegistered).into()) }
}

/// Begins a registration with a statement that the pass handed to the page; somebody with an account is logged in.
#[utoipa::path(post, path = "/user/authorizeRegister", tag = "pass", request_body = AuthorizeBody,
    params(("Idempotency-Key" = String, Header, description = "Names the command")),
    responses((status = 200, body = Envelope<PassResultDto>)))]
pub(super) async fn authorize_register(
    State(state): State<ApiState>,
    From(device): From,
    Command { body, .. }: Command<AuthorizeBody>,
) -> Answer<PassResultDto> {
    authorize(&state, &device, body).await
}

/// The pass's answer.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct CallBackQuery {
    /// The signed statement. Its `decision` says whether the person approved or declined; its `number` is what they picked
    /// after a scan, and none by redirect.
    statement: String,
}

/// Takes the pass's answer. A browser that brings it is sent on to the page that asked, with `pass` saying how it ended
/// (`approved`, `declined`, `expired`, `failed`, `unavailable`), `challenge`, and after an approval by redirect the one-time
/// `code` for `/scan/result/{id}`.
#[utoipa::path(get, path = "/scan/callBack", tag = "pass", params(CallBackQuery),
    responses((status = 200, body = Envelope<Null>), (status = 303, description = "To the page that asked")))]
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
        // Made for a browser, whatever brings it.
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
