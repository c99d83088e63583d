//! The console's key.

use std::sync::Arc;

use anyhow::Context as _;
use app::console::TotpSecrets;
use app::identity::ports::SystemRandom;

use crate::config;

/// Returns the protection of the officers' second factors; `None` if no key is configured.
pub(crate) fn secrets(console: &config::Console) -> anyhow::Result<Option<TotpSecrets>> {
    if console.key.is_empty() {
        tracing::warn!("console.key_file is not set: no officer can sign in to the console");
        return Ok(None);
    }
    let secrets = TotpSecrets::new(console.key.expose(), Arc::new(SystemRandom));
    secrets.context("console.key must have 64 hexadecimal digits").map(Some)
}
