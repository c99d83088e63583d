//! The signals that end a process in good order.

use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

/// A token that is cancelled by SIGTERM or SIGINT. The second signal ends the process as if nothing had listened.
pub(crate) fn on_signal() -> std::io::Result<CancellationToken> {
    let (mut terminate, mut interrupt) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    let stop = CancellationToken::new();
    let cancelled = stop.clone();
    tokio::spawn(async move {
        for count in 0.. {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = interrupt.recv() => {}
            }
            if count > 0 {
                std::process::exit(1);
            }
            tracing::info!("ending");
            cancelled.cancel();
        }
    });
    Ok(stop)
}
