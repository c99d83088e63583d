//! The console's key, and what it knows about the chain.

use std::sync::Arc;

use anyhow::Context as _;
use app::Context;
use app::console::{PayoutChain, TotpSecrets, VoidCall};
use app::identity::ports::SystemRandom;
use async_trait::async_trait;
use chain::node::Node;
use domain::assets::AssetId;
use domain::chain::{Address, Reference};

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

/// Compares the ledger with the chain, as the worker does.
pub(crate) struct Reconciliation {
    pub(crate) context: Context,
    pub(crate) node: Arc<dyn Node>,
    pub(crate) escrow: Address,
}

#[async_trait]
impl PayoutChain for Reconciliation {
    async fn differences(&self, asset: AssetId) -> app::Result<Vec<String>> {
        match worker::reconcile::shortages(&self.context, self.node.as_ref(), asset).await {
            Ok(differences) => Ok(differences),
            Err(worker::Error::App(error)) => Err(error),
            Err(error) => {
                tracing::warn!(%error, "cannot compare the ledger with the chain");
                Err(app::Error::Unavailable { what: "the node" })
            }
        }
    }

    fn void_call(&self, reference: Reference) -> app::Result<VoidCall> {
        let data = chain::calls::void_reference(self.escrow, reference).data;
        Ok(VoidCall { reference, escrow: self.escrow, data })
    }
}
