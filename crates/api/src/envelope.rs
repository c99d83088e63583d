//! The envelope of every response: `{ "code", "message", "data" }`.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use domain::refusal::Refusal;
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::codes::{self, Code, Coded};
use crate::language::spoken;

/// The envelope of a response.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Envelope<T> {
    /// `200`, or a code of the code table.
    #[schema(example = "200")]
    pub code: String,
    /// The message of the code, in the language of the request.
    pub message: String,
    /// The result; for a refusal, its facts by name.
    pub data: T,
}

/// The `data` of a response without a result.
#[derive(Debug, Clone, Copy)]
pub struct Null;

impl PartialSchema for Null {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new().schema_type(Type::Null).into()
    }
}

impl ToSchema for Null {}

/// The return type of a handler.
pub type Answer<T> = Result<Done<T>, ApiError>;

/// Returns the JSON of a response with code 200, to keep it.
pub(crate) fn body_of<T: Serialize>(data: T) -> Result<Vec<u8>, ApiError> {
    let message = codes::text(codes::OK, spoken()).to_owned();
    let envelope = Envelope { code: codes::OK.code.to_owned(), message, data };
    serde_json::to_vec(&envelope).map_err(|error| ApiError::internal(&error))
}

/// A response with code 200.
#[derive(Debug)]
pub struct Done<T>(pub T);

impl<T: Serialize> IntoResponse for Done<T> {
    fn into_response(self) -> Response {
        let message = codes::text(codes::OK, spoken()).to_owned();
        Json(Envelope { code: codes::OK.code.to_owned(), message, data: self.0 }).into_response()
    }
}

/// A response with any other code.
#[derive(Debug, Clone, PartialEq)]
pub struct ApiError {
    coded: Coded,
    /// Replaces the code's text, where programs read the message: the maintenance window and the scan result.
    message: Option<String>,
    /// Replaces the facts, for example with the current order after a command with an outdated version.
    data: Option<Value>,
}

impl ApiError {
    /// Refuses a request with a missing or malformed field.
    pub fn invalid(field: impl Into<String>, reason: impl Into<String>) -> Self {
        Coded::from(codes::PARAMETERS).with("field", field.into()).with("reason", reason.into()).into()
    }

    /// Reports a failure of the server. The cause is logged and not shown to the client.
    pub fn internal(cause: &dyn std::fmt::Display) -> Self {
        tracing::error!(%cause, "the request failed");
        codes::INTERNAL.into()
    }

    /// Replaces the text with a message for programs.
    #[must_use]
    pub fn saying(mut self, message: impl Into<String>) -> Self {
        self.message = Some(message.into());
        self
    }

    pub fn is(&self, refusal: &Refusal) -> bool {
        self.coded.code == codes::of_refusal(refusal).code
    }

    /// Replaces the facts with the current state of the object of the command.
    #[must_use]
    pub fn showing(self, present: &impl Serialize) -> Self {
        Self { data: serde_json::to_value(present).ok(), ..self }
    }

    pub fn code(&self) -> Code {
        self.coded.code
    }
}

impl From<Code> for ApiError {
    fn from(code: Code) -> Self {
        Coded::from(code).into()
    }
}

impl From<Coded> for ApiError {
    fn from(coded: Coded) -> Self {
        Self { coded, message: None, data: None }
    }
}

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> Self {
        codes::of_refusal(&refusal).into()
    }
}

impl From<app::Error> for ApiError {
    fn from(error: app::Error) -> Self {
        match error {
            app::Error::Refused(refusal) => refusal.into(),
            app::Error::Unavailable { what } => {
                tracing::warn!(what, "a dependency is not available");
                codes::unavailable().into()
            }
            app::Error::Internal(cause) => Self::internal(&cause),
        }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let message = self.message.unwrap_or_else(|| codes::message(&self.coded, spoken()));
        let facts = || -> Map<String, Value> {
            self.coded.facts.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
        };
        let data = self.data.unwrap_or_else(|| match facts() {
            facts if facts.is_empty() => Value::Null,
            facts => Value::Object(facts),
        });
        let code = self.coded.code;
        let status = StatusCode::from_u16(code.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = (status, Json(Envelope { code: code.code.to_owned(), message, data })).into_response();
        if let Some(seconds) = self.coded.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response.extensions_mut().insert(code);
        response
    }
}
