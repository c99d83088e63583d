//! What a use case answers when it does not answer what was asked.

use domain::refusal::Refusal;

/// Why a use case did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The rules refuse it. Nothing was changed.
    #[error("refused: {0:?}")]
    Refused(Refusal),
    /// Something that the product needs cannot be reached. Nothing was changed; the same again may succeed.
    #[error("{what} is not available")]
    Unavailable {
        /// What cannot be reached.
        what: &'static str,
    },
    /// A defect of ours. Nothing was changed.
    #[error("internal: {0}")]
    Internal(String),
}

/// What a use case answers.
pub type Result<T> = std::result::Result<T, Error>;

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
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

/// An error with the causes behind it, for the log.
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
