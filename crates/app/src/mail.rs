//! The mail server, as the use cases need it. A gateway implements it, and binaries pass the implementation to this
//! crate.

use async_trait::async_trait;

use crate::Result;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmailMessage {
    pub to: String,
    pub subject: String,
    /// The body, as plain text.
    pub text: String,
}

#[async_trait]
pub trait Mail: Send + Sync {
    /// Passes a message to the mail server. Fails with [`crate::Error::Unavailable`] if the server does not accept it.
    async fn send(&self, message: EmailMessage) -> Result<()>;
}
