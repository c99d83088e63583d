//! The emulator's key. It is stored, so that assertions remain valid across restarts.

use std::path::Path;

use anyhow::Context as _;
use gateways::fakes::{TestIssuer, new_es256_key};
use serde_json::Value;

use crate::environment::write_bytes;

/// The key ID in the JWKS.
const KEY_ID: &str = "development";

pub(super) struct Keys {
    issuer: TestIssuer,
    jwks: String,
}

impl Keys {
    /// Reads the key from a file, or creates it.
    pub(super) fn open(path: &Path) -> anyhow::Result<Self> {
        let key = match std::fs::read(path) {
            Ok(key) => key,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                let key = new_es256_key().context("cannot create a key")?;
                write_bytes(path, &key, 0o600)?;
                key
            }
            Err(error) => return Err(error).with_context(|| format!("cannot read {}", path.display())),
        };
        let issuer = TestIssuer::of_key(KEY_ID, &key);
        let jwks = issuer.jwks();
        Ok(Self { issuer, jwks })
    }

    /// Returns the public key as a JWKS.
    pub(super) fn jwks(&self) -> String {
        self.jwks.clone()
    }

    pub(super) fn sign(&self, claims: &Value) -> String {
        self.issuer.sign(claims)
    }
}
