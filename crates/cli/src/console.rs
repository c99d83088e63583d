//! The console's key, what it knows about the chain, and `mec2c officer create`.

use std::sync::Arc;

use anyhow::{Context as _, bail};
use app::Context;
use app::console::{NewOfficer, PayoutChain, TotpSecrets, VoidCall, invite_officer};
use app::identity::ports::SystemRandom;
use async_trait::async_trait;
use chain::node::Node;
use clap::Args;
use domain::assets::AssetId;
use domain::chain::{Address, Reference};
use domain::console::Role;

use crate::config::{self, Config};
use crate::planned::Why;

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

#[derive(Debug, Args)]
pub(crate) struct Create {
    /// The email address, with which the administrator signs in
    email: String,
    /// The name of the administrator, of up to 100 characters
    #[arg(long)]
    name: String,
    #[command(flatten)]
    why: Why,
}

pub(crate) async fn create(context: &Context, config: &Config, create: Create) -> anyhow::Result<()> {
    let Some(secrets) = secrets(&config.console)? else {
        bail!("console.key_file is not set; mec2c.example.toml describes it");
    };
    let new = NewOfficer { name: create.name, email: create.email, role: Role::Administrator };
    let created = invite_officer(context, &secrets, &new, &create.why.officer, &create.why.reason).await;
    let created = created.map_err(|error| match error {
        app::Error::Refused(refusal) => anyhow::anyhow!("the administrator was not created: {refusal:?}"),
        other => other.into(),
    })?;
    let Some((officer, token)) = created else {
        bail!(
            "two administrators can sign in: one of them creates the officer in the console, and the other one approves it"
        );
    };
    let url = config.http.public_url.trim_end_matches('/');
    println!("{} is an administrator. The setup link works once and for 24 hours:\n", officer.email);
    println!("  {url}/console/setup#{token}");
    Ok(())
}
