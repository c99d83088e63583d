//! Logging: as JSON in production, as text in development.

use tracing_subscriber::EnvFilter;

use crate::config::{Log, LogFormat};

/// Starts logging to standard output. Call this once per process.
pub(crate) fn start(log: &Log) -> anyhow::Result<()> {
    let filter = EnvFilter::try_new(&log.level)?;
    let begun = match log.format {
        LogFormat::Json => tracing_subscriber::fmt()
            .json()
            .flatten_event(true)
            .with_current_span(true)
            .with_span_list(false)
            .with_env_filter(filter)
            .try_init(),
        LogFormat::Pretty => tracing_subscriber::fmt().with_env_filter(filter).with_ansi(false).try_init(),
    };
    begun.map_err(|error| anyhow::anyhow!(error))
}
