//! The emulator's key: made once for a world, so that statements stay believable across a restart.

use std::path::Path;

use anyhow::Context as _;
use gateways::fakes::{TestIssuer, new_es256_key};
use serde_json::Value;

use crate::environment::write_bytes;

/// The name under which the key is published.
const KEY_ID: &str = "development";

/// A signing key and its published half.
pub(super) struct Keys {
    issuer: TestIssuer,
    jwks: String,
}

impl Keys {
    /// Reads the key of a file, or makes one there.
    pub(super) fn open(path: &Path) -> anyhow::Result<Self> {
        let key = match std::fs::read(path) {
            Ok(key) => key,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                let key = new_es256_key().context("cannot make a key")?;
                write_bytes(path, &key, 0o600)?;
                key
            }
            Err(error) => return Err(error).with_context(|| format!("cannot read {}", path.display())),
        };
        let issuer = TestIssuer::of_key(KEY_ID, &key);
        let jwks = issuer.jwks();
        Ok(Self { issuer, jwks })
    }

    /// The published half, as a JWKS.
    pub(super) fn jwks(&self) -> String {
        self.jwks.clone()
    }

    /// A statement under the key.
    pub(super) fn sign(&self, claims: &Value) -> String {
        self.issuer.sign(claims)
    }
}
