//! DTOs that several account calls share.

use app::identity::{Opened, Sealed};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// An encrypted password: RSA-OAEP with SHA-256 under the published key, over the JSON `{"secret": "…", "nonce": "…"}`.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[schema(as = Sealed)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SealedText {
    /// The ID of the published key.
    pub key_id: Uuid,
    /// The ciphertext in base64.
    pub cipher: String,
}

impl From<SealedText> for Sealed {
    fn from(text: SealedText) -> Self {
        Self { key: text.key_id, cipher: text.cipher }
    }
}

/// A new session.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SessionData {
    /// The token for the `authorization` header, and for the `MEC2C-token` cookie of the websocket.
    token: String,
    user_id: Uuid,
    /// The time at which the session expires.
    expires_at: DateTime<Utc>,
}

impl From<Opened> for SessionData {
    fn from(opened: Opened) -> Self {
        Self { token: opened.token, user_id: opened.user.0, expires_at: opened.expires_at }
    }
}

/// The body of a command without parameters: an empty object.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct EmptyBody {}
