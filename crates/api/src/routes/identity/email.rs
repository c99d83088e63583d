//! E-mail codes.

use app::identity::SendCode;
use axum::extract::State;
use chrono::{DateTime, Utc};
use domain::identity::email::CodePurpose;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::envelope::{Answer, ApiError, Done, Envelope};
use crate::extract::{At, Body, Command, MaybeSession, Query};
use crate::language::spoken;
use crate::state::ApiState;

/// What a code is for.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) enum EmailPurpose {
    /// Opening an account.
    Register,
    /// A new login password.
    Reset,
    /// A change to what protects money.
    Security,
}

impl From<EmailPurpose> for CodePurpose {
    fn from(purpose: EmailPurpose) -> Self {
        match purpose {
            EmailPurpose::Register => Self::Register,
            EmailPurpose::Reset => Self::Reset,
            EmailPurpose::Security => Self::Security,
        }
    }
}

/// A code to be sent.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct SendBody {
    /// To whom. With a session it may be left out: then the code goes to one's own address.
    #[serde(default)]
    email: String,
    /// What for.
    purpose: EmailPurpose,
    /// Earned by a slide check; needed without a session.
    #[serde(default)]
    slide_token: Option<String>,
}

/// A code is on its way.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Sent {
    /// When another one may be asked for.
    resend_at: DateTime<Utc>,
}

/// Sends a code of six digits, good for ten minutes and five tries.
#[utoipa::path(post, path = "/email/send", tag = "account", request_body = SendBody,
    params(("Idempotency-Key" = String, Header, description = "Names the command")),
    responses((status = 200, body = Envelope<Sent>)))]
pub(super) async fn send(
    State(state): State<ApiState>,
    MaybeSession(who): MaybeSession,
    Command { once, body }: Command<SendBody>,
) -> Answer<Sent> {
    let language = spoken().as_str().to_owned();
    let ask = SendCode { email: body.email, purpose: body.purpose.into(), slide_token: body.slide_token, language };
    let resend_at = state.identity.send_code(&once, who.map(|who| who.user), &ask).await?;
    Ok(Done(Sent { resend_at }))
}

/// A code as typed.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct VerifyBody {
    /// To whom it was sent.
    email: String,
    /// What it was sent for.
    purpose: EmailPurpose,
    /// Six digits.
    code: String,
}

/// Whether a code is right.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Valid {
    /// Always true: a wrong code is refused with 1013.
    valid: bool,
}

/// Tries a code without using it. A wrong one counts: 1013, with the tries that are left.
#[utoipa::path(post, path = "/email/verify", tag = "account", request_body = VerifyBody,
    responses((status = 200, body = Envelope<Valid>)))]
pub(super) async fn verify(State(state): State<ApiState>, Body(body): Body<VerifyBody>) -> Answer<Valid> {
    state.identity.verify_code(&body.email, body.purpose.into(), &body.code).await?;
    Ok(Done(Valid { valid: true }))
}

/// Whose code.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct CheckQuery {
    /// To whom it was sent. With a session it may be left out.
    #[serde(default)]
    email: Option<String>,
    /// What it was sent for.
    #[param(inline)]
    purpose: EmailPurpose,
}

/// As `/email/verify`, by address.
#[utoipa::path(get, path = "/email/check/{code}", tag = "account",
    params(("code" = String, Path, description = "Six digits"), CheckQuery),
    responses((status = 200, body = Envelope<Valid>)))]
pub(super) async fn check(
    State(state): State<ApiState>,
    MaybeSession(who): MaybeSession,
    At(code): At<String>,
    Query(query): Query<CheckQuery>,
) -> Answer<Valid> {
    match (query.email, who) {
        (Some(email), _) => state.identity.verify_code(&email, query.purpose.into(), &code).await?,
        (None, Some(who)) => state.identity.verify_own_code(who.user, query.purpose.into(), &code).await?,
        (None, None) => return Err(ApiError::invalid("email", "missing")),
    }
    Ok(Done(Valid { valid: true }))
}
