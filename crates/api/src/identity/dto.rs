//! Shapes that several features share.

use app::identity::{Opened, Sealed};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// A password as browsers send it: RSA-OAEP with SHA-256 under the published key, over the JSON
/// `{"secret": "…", "nonce": "…"}`.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[schema(as = Sealed)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SealedText {
    /// The key, as published.
    pub key_id: Uuid,
    /// The ciphertext, base64.
    pub cipher: String,
}

impl From<SealedText> for Sealed {
    fn from(text: SealedText) -> Self {
        Self { key: text.key_id, cipher: text.cipher }
    }
}

/// A session that was opened.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SessionData {
    /// Goes in the `authorization` header, and in the `MEC2C-token` cookie of the websocket.
    token: String,
    /// Whose.
    user_id: Uuid,
    /// When it ends by itself.
    expires_at: DateTime<Utc>,
}

impl From<Opened> for SessionData {
    fn from(opened: Opened) -> Self {
        Self { token: opened.token, user_id: opened.user.0, expires_at: opened.expires_at }
    }
}

/// A command without content still sends an object.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Nothing {}
