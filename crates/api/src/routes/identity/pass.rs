//! The pass, by QR and by redirect.

use app::identity::{CallBack, Device, NewChallenge, PassPurpose, PassResult};
use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use chrono::{DateTime, Utc};
use domain::identity::{IdentityRefusal, address};
use domain::refusal::Refusal;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::codes;
use crate::envelope::{Answer, ApiError, Done, Envelope, Null};
use crate::extract::{At, Command, From, Query};
use crate::routes::shapes::SessionData;
use crate::state::ApiState;
use crate::words::Kyc;

/// A challenge to the pass.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PassChallenge {
    /// Under which the result is asked for. A secret of the browser that made the challenge: it is not in the QR.
    id: String,
    /// What the QR holds.
    qr_code_url: String,
    /// The same by redirect, on a phone that has the app.
    authorize_url: String,
    /// Until when it may be answered.
    expires_at: DateTime<Utc>,
}

impl std::convert::From<NewChallenge> for PassChallenge {
    fn from(made: NewChallenge) -> Self {
        Self {
            id: made.secret,
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
    At(device): At<String>,
    Query(query): Query<GenerateQuery>,
) -> Answer<PassChallenge> {
    if device.is_empty() || device.len() > 128 {
        return Err(ApiError::invalid("id", "1 to 128 characters"));
    }
    let purpose = match query.purpose {
        Purpose::Login => PassPurpose::Login,
        Purpose::Register => PassPurpose::Register,
    };
    Ok(Done(state.identity.challenge(purpose, query.return_to).await?.into()))
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
    Query(query): Query<ResetQuery>,
) -> Answer<PassChallenge> {
    Ok(Done(state.identity.challenge_for_reset(&query.email).await?.into()))
}

/// What came of a challenge.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = PassResult)]
#[serde(rename_all = "camelCase")]
pub(super) struct PassResultData {
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

fn data(result: PassResult, secret: String) -> PassResultData {
    PassResultData {
        registered: result.session.is_some(),
        ticket: result.session.is_none().then_some(secret),
        session: result.session.map(Into::into),
        bound_address: address::checksummed(result.proven.address),
        me_id: result.proven.me_id,
        region_id: result.proven.region,
        kyc_level: result.proven.kyc.into(),
    }
}

async fn result_of(state: &ApiState, secret: String, device: &Device) -> Answer<PassResultData> {
    match state.identity.scan_result(&secret, device).await {
        Ok(result) => Ok(Done(data(result, secret))),
        Err(error) => Err(error.into()),
    }
}

/// What came of a challenge. 1009 `SCAN_NO_CALLBACK`: nobody answered yet, ask again; 803: expired; 1005: the person said
/// no. Somebody with an account is logged in, whatever the challenge was for.
#[utoipa::path(get, path = "/scan/result/{id}", tag = "pass",
    params(("id" = String, Path, description = "As `/scan/genQrCodeUrl/{id}` answered")),
    responses((status = 200, body = Envelope<PassResultData>)))]
pub(super) async fn result(
    State(state): State<ApiState>,
    From(device): From,
    At(secret): At<String>,
) -> Answer<PassResultData> {
    result_of(&state, secret, &device).await
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

async fn authorize(state: &ApiState, device: &Device, body: AuthorizeBody) -> Answer<PassResultData> {
    state.identity.authorize(&body.id, &body.statement).await?;
    result_of(state, body.id, device).await
}

/// Logs in with a statement that the pass handed to the page. 806 when the person has no account.
#[utoipa::path(post, path = "/user/authorizeLogin", tag = "pass", request_body = AuthorizeBody,
    params(("Idempotency-Key" = String, Header, description = "Names the command")),
    responses((status = 200, body = Envelope<PassResultData>)))]
pub(super) async fn authorize_login(
    State(state): State<ApiState>,
    From(device): From,
    Command { body, .. }: Command<AuthorizeBody>,
) -> Answer<PassResultData> {
    let Done(result) = authorize(&state, &device, body).await?;
    if result.registered { Ok(Done(result)) } else { Err(Refusal::from(IdentityRefusal::NotRegistered).into()) }
}

/// Begins a registration with a statement that the pass handed to the page; somebody with an account is logged in.
#[utoipa::path(post, path = "/user/authorizeRegister", tag = "pass", request_body = AuthorizeBody,
    params(("Idempotency-Key" = String, Header, description = "Names the command")),
    responses((status = 200, body = Envelope<PassResultData>)))]
pub(super) async fn authorize_register(
    State(state): State<ApiState>,
    From(device): From,
    Command { body, .. }: Command<AuthorizeBody>,
) -> Answer<PassResultData> {
    authorize(&state, &device, body).await
}

/// The pass's answer.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct CallBackQuery {
    /// The signed statement, when the person agreed.
    #[serde(default)]
    statement: Option<String>,
    /// The challenge, when they did not.
    #[serde(default)]
    denied: Option<Uuid>,
    /// `redirect` when a browser brings the answer: it is sent back to the page that asked.
    #[serde(default)]
    mode: Option<String>,
}

/// Takes the pass's answer. By redirect the browser is sent on to the page that asked, which fetches the result itself.
#[utoipa::path(get, path = "/scan/callBack", tag = "pass", params(CallBackQuery),
    responses((status = 200, body = Envelope<Null>), (status = 303, description = "Back to the page that asked")))]
pub(super) async fn call_back(State(state): State<ApiState>, Query(query): Query<CallBackQuery>) -> Response {
    let call = match (query.statement, query.denied) {
        (Some(statement), None) => CallBack::Statement(statement),
        (None, Some(challenge)) => CallBack::Denied(challenge),
        _ => return ApiError::invalid("statement", "either statement or denied").into_response(),
    };
    match state.identity.call_back(call).await {
        Ok(answer) => match answer.return_to.filter(|_| query.mode.as_deref() == Some("redirect")) {
            Some(path) => back_to(&path),
            None => Done(()).into_response(),
        },
        Err(error) => ApiError::from(error).into_response(),
    }
}

/// The path was checked when the challenge was made: one of this site, of printable characters.
fn back_to(path: &str) -> Response {
    HeaderValue::from_str(path).map_or_else(
        |_| ApiError::from(codes::SCAN_INVALID).into_response(),
        |value| (StatusCode::SEE_OTHER, [(header::LOCATION, value)]).into_response(),
    )
}
