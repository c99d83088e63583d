//! `mec2c worker`: background tasks.

use std::sync::Arc;

use anyhow::Context as _;
use chain::signer::{LocalSigner, Signer};
use store::Store;
use tokio_util::sync::CancellationToken;
use worker::{Worker, WorkerSettings};

use crate::config::{Config, Payouts};
use crate::{accounts, bootstrap, config_check, database, internal};

/// Runs the background tasks until `stop` is cancelled.
pub(crate) async fn run(config: &Config, stop: CancellationToken) -> anyhow::Result<()> {
    let store = database::connect(&config.database)?;
    let work = work(config, store.clone(), stop.clone());
    config_check::guard(&store, config, &stop, work).await
}

async fn work(config: &Config, store: Store, stop: CancellationToken) -> anyhow::Result<()> {
    config.escrow()?;
    let node = bootstrap::node(&config.chain)?;
    let context = bootstrap::context(store.clone(), config);
    let checks: Vec<Arc<dyn api::middleware::Check>> = vec![
        Arc::new(internal::Postgres(store.clone())),
        Arc::new(internal::ChainNode { node: Arc::clone(&node), needed: true }),
        Arc::new(internal::OurChain { context: context.clone(), node: Arc::clone(&node), needed: true }),
        Arc::new(internal::Payouts(context.clone())),
    ];
    let worker = Worker {
        signer: signer(&config.payouts).await?,
        files: Some(Arc::new(bootstrap::file_store(&config.files)?)),
        metadata: Some(Arc::new(bootstrap::metadata_source(&config.nft)?)),
        mail: Some(Arc::new(accounts::mail(&config.mail)?)),
        public_url: config.http.public_url.clone(),
        settings: WorkerSettings {
            most_fee_gwei: config.payouts.max_fee_gwei,
            vaults_per_second: config.reconciliation.vaults_per_second,
            ..WorkerSettings::default()
        },
        ..Worker::new(context, node)
    };
    // Start this last, so that the process is ready only once the key is open, which takes a while.
    let internal = internal::start(config.http.internal_listen, checks, stop.clone()).await?;
    tracing::info!(pays = worker.signer.is_some(), "working");
    Box::pin(worker::run(worker, stop)).await;
    if let Some(internal) = internal {
        internal.await??;
    }
    store.close().await;
    Ok(())
}

async fn signer(payouts: &Payouts) -> anyhow::Result<Option<Arc<dyn Signer>>> {
    if payouts.keystore_file.as_os_str().is_empty() {
        tracing::warn!("payouts.keystore_file is not set: this worker pays nothing");
        return Ok(None);
    }
    let (path, password) = (payouts.keystore_file.clone(), payouts.password.clone());
    // Opening the key takes about a second of computation, which would block an async thread.
    let signer = tokio::task::spawn_blocking(move || LocalSigner::from_keystore(&path, password.expose()))
        .await?
        .with_context(|| format!("payouts.keystore_file: {}", payouts.keystore_file.display()))?;
    tracing::info!(settler = %signer.address(), "settler's key opened");
    Ok(Some(Arc::new(signer)))
}
