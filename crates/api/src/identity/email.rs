//! E-mail codes.

use app::identity::{Holder, SendCode};
use axum::extract::State;
use chrono::{DateTime, Utc};
use domain::identity::email::CodePurpose;
use domain::refusal::Refusal;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::envelope::{Answer, ApiError, Done, Envelope};
use crate::extract::{Body, Command, From, MaybeSession, PathId, Query, Who};
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

impl std::convert::From<EmailPurpose> for CodePurpose {
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
    /// Goes with the code when it is used for `register` or `reset`: only who asked for a code can use it. With a session, for
    /// `security`, it is not needed.
    id: String,
}

/// Sends a code of six digits, good for ten minutes and five tries, to be used by whoever asked for it.
///
/// The answer does not tell whether the address has an account: for `register`, its owner is told by the letter. Each person
/// and each network may have 20 codes a day sent to an address, and all strangers to it together 40: 429 above that.
#[utoipa::path(post, path = "/email/send", tag = "account", request_body = SendBody,
    params(("Idempotency-Key" = String, Header, description = "Names the command")),
    responses((status = 200, body = Envelope<Sent>)))]
pub(super) async fn send(
    State(state): State<ApiState>,
    MaybeSession(who): MaybeSession,
    From(device): From,
    Command { key, body }: Command<SendBody>,
) -> Answer<Sent> {
    let ask = SendCode { email: body.email, purpose: body.purpose.into(), slide_token: body.slide_token, device };
    let sent = state.identity.send_code(&key, who.map(|who| who.user), &ask).await?;
    Ok(Done(Sent { resend_at: sent.resend_at, id: sent.id }))
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
    /// The `id` that `/email/send` answered; needed for `register` and `reset`.
    #[serde(default)]
    id: Option<String>,
}

/// Who types a code: for `security` the person of the session, else whoever knows the code's id.
fn holder(purpose: EmailPurpose, who: Option<Who>, id: Option<&str>) -> Result<Holder<'_>, ApiError> {
    match (purpose, who, id) {
        (EmailPurpose::Security, Some(who), _) => Ok(Holder::Person(who.user)),
        (EmailPurpose::Security, None, _) => Err(Refusal::SessionInvalid.into()),
        (EmailPurpose::Register | EmailPurpose::Reset, _, Some(id)) => Ok(Holder::Id(id)),
        (EmailPurpose::Register | EmailPurpose::Reset, _, None) => Err(ApiError::invalid("id", "missing")),
    }
}

/// Whether a code is right.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Valid {
    /// Always true: a wrong code is refused with 1013.
    valid: bool,
}

/// Tries a code without using it. A wrong one counts: 1013, with the tries that are left. For `security` it takes the session
/// that asked for the code.
#[utoipa::path(post, path = "/email/verify", tag = "account", request_body = VerifyBody,
    responses((status = 200, body = Envelope<Valid>)))]
pub(super) async fn verify(
    State(state): State<ApiState>,
    MaybeSession(who): MaybeSession,
    Body(body): Body<VerifyBody>,
) -> Answer<Valid> {
    let holder = holder(body.purpose, who, body.id.as_deref())?;
    state.identity.verify_code(Some(&body.email), body.purpose.into(), holder, &body.code).await?;
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
    /// The `id` that `/email/send` answered; needed for `register` and `reset`.
    #[serde(default)]
    id: Option<String>,
}

/// As `/email/verify`, by address.
#[utoipa::path(get, path = "/email/check/{code}", tag = "account",
    params(("code" = String, Path, description = "Six digits"), CheckQuery),
    responses((status = 200, body = Envelope<Valid>)))]
pub(super) async fn check(
    State(state): State<ApiState>,
    MaybeSession(who): MaybeSession,
    PathId(code): PathId<String>,
    Query(query): Query<CheckQuery>,
) -> Answer<Valid> {
    if query.email.is_none() && who.is_none() {
        return Err(ApiError::invalid("email", "missing"));
    }
    let holder = holder(query.purpose, who, query.id.as_deref())?;
    state.identity.verify_code(query.email.as_deref(), query.purpose.into(), holder, &code).await?;
    Ok(Done(Valid { valid: true }))
}
