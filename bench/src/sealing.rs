//! Encrypts the security password as a browser does.

use aws_lc_rs::rsa::{OAEP_SHA256_MGF1SHA256, OaepPublicEncryptingKey, PublicEncryptingKey};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use serde_json::json;

use crate::http::{Client, get};
use crate::world::PASSWORD;

#[derive(Debug, Deserialize)]
struct Published {
    data: Publication,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Publication {
    key_id: String,
    public_key: String,
    nonce: String,
}

/// The published key of the server.
pub(crate) struct Sealing {
    key_id: String,
    key: OaepPublicEncryptingKey,
}

impl Sealing {
    pub(crate) async fn fetch(client: &mut Client) -> anyhow::Result<Self> {
        let published = Self::published(client).await?;
        let der = STANDARD.decode(published.public_key)?;
        let unusable = |_| anyhow::anyhow!("the published key is unusable");
        let key = PublicEncryptingKey::from_der(&der).map_err(|_| anyhow::anyhow!("the published key is invalid"))?;
        let key = OaepPublicEncryptingKey::new(key).map_err(unusable)?;
        Ok(Self { key_id: published.key_id, key })
    }

    /// Fetches a nonce, as a browser does before each encryption.
    pub(crate) async fn nonce(client: &mut Client) -> anyhow::Result<String> {
        Ok(Self::published(client).await?.nonce)
    }

    async fn published(client: &mut Client) -> anyhow::Result<Publication> {
        let status = client.exchange(&get("/api/user/secretKey", "")).await?;
        anyhow::ensure!(status == 200, "/api/user/secretKey: {status}");
        Ok(serde_json::from_slice::<Published>(client.body())?.data)
    }

    /// Returns the member `securityCode` of a command.
    pub(crate) fn seal(&self, nonce: &str) -> anyhow::Result<String> {
        let plain = json!({ "secret": PASSWORD, "nonce": nonce }).to_string();
        let mut cipher = vec![0; self.key.ciphertext_size()];
        let cipher = self
            .key
            .encrypt(&OAEP_SHA256_MGF1SHA256, plain.as_bytes(), &mut cipher, None)
            .map_err(|_| anyhow::anyhow!("the password cannot be encrypted"))?;
        Ok(json!({ "keyId": self.key_id, "cipher": STANDARD.encode(cipher) }).to_string())
    }
}
