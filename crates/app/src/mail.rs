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

/// What the mail server says to a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delivery {
    Accepted,
    /// The server refuses it for good, for example because the mailbox does not exist.
    Refused,
}

#[async_trait]
pub trait Mail: Send + Sync {
    /// Passes a message to the mail server. Fails with [`crate::Error::Unavailable`] if the server may accept it later.
    async fn send(&self, message: EmailMessage) -> Result<Delivery>;
}
