//! The form of every answer: `{ "code", "message", "data" }`.

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

/// An answer.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Envelope<T> {
    /// `200`, or a line of the code table.
    #[schema(example = "200")]
    pub code: String,
    /// The code in the words of the request's language.
    pub message: String,
    /// What was asked for; of a refusal, its facts by name.
    pub data: T,
}

/// No data. Stands in documents for what a call without an answer carries.
#[derive(Debug, Clone, Copy)]
pub struct Null;

impl PartialSchema for Null {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new().schema_type(Type::Null).into()
    }
}

impl ToSchema for Null {}

/// What a call returns.
pub type Answer<T> = Result<Done<T>, ApiError>;

/// Code 200 with data.
#[derive(Debug)]
pub struct Done<T>(pub T);

impl<T: Serialize> IntoResponse for Done<T> {
    fn into_response(self) -> Response {
        let message = codes::text(codes::OK, spoken()).to_owned();
        Json(Envelope { code: codes::OK.code.to_owned(), message, data: self.0 }).into_response()
    }
}

/// Anything but code 200.
#[derive(Debug, Clone, PartialEq)]
pub struct ApiError {
    coded: Coded,
    /// Takes the place of the text: the maintenance window and the scan's word are read by programs.
    message: Option<String>,
    /// Takes the place of the facts, as the order that a stale command meant.
    data: Option<Value>,
}

impl ApiError {
    /// A refusal with more to show than its facts, such as the present state of what it is about.
    pub fn with_data(refusal: &Refusal, data: Value) -> Self {
        Self { data: Some(data), ..Self::from(codes::of_refusal(refusal)) }
    }

    /// A field of the request is missing or malformed.
    pub fn invalid(field: impl Into<String>, reason: impl Into<String>) -> Self {
        Coded::from(codes::PARAMETERS).with("field", field.into()).with("reason", reason.into()).into()
    }

    /// A failure on our side. The cause goes to the log; nothing of it to the client.
    pub fn internal(cause: &dyn std::fmt::Display) -> Self {
        tracing::error!(%cause, "the request failed");
        codes::INTERNAL.into()
    }

    /// A message for programs in the place of the text.
    #[must_use]
    pub fn saying(mut self, message: impl Into<String>) -> Self {
        self.message = Some(message.into());
        self
    }

    /// Whether this is the answer to a refusal.
    pub fn is(&self, refusal: &Refusal) -> bool {
        self.coded.code == codes::of_refusal(refusal).code
    }

    /// With the present state of what the command is about in the place of the facts.
    #[must_use]
    pub fn showing(self, present: &impl Serialize) -> Self {
        Self { data: serde_json::to_value(present).ok(), ..self }
    }

    /// The code.
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
                tracing::warn!(what, "a part of the system does not answer");
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
