//! The errors that use cases return.

use domain::identity::IdentityRefusal;
use domain::refusal::Refusal;

/// Why a use case failed. A failed use case has changed nothing, except that wrong passwords and codes are counted.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Error {
    /// The rules refuse the command.
    #[error("refused: {0:?}")]
    Refused(Refusal),
    /// A dependency is unavailable. A retry may succeed.
    #[error("{what} is not available")]
    Unavailable { what: &'static str },
    /// A bug in the product.
    #[error("internal: {0}")]
    Internal(String),
}

pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// Wraps an error of a library that only a bug can cause.
    pub(crate) fn internal(error: impl std::fmt::Display) -> Self {
        Self::Internal(error.to_string())
    }
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<IdentityRefusal> for Error {
    fn from(refusal: IdentityRefusal) -> Self {
        Self::Refused(refusal.into())
    }
}

impl From<store::Error> for Error {
    fn from(error: store::Error) -> Self {
        match error {
            store::Error::Unavailable(_) | store::Error::Conflict => Self::Unavailable { what: "the database" },
            other => Self::Internal(detailed(&other)),
        }
    }
}

/// Formats an error with its causes, for the log.
fn detailed(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(": ");
        text.push_str(&error.to_string());
        cause = error.source();
    }
    text
}
