//! Child processes: Postgres, Anvil, the product and pgbench.

use std::fs::File;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use rustix::process::{Pid, Signal, kill_process};
use tokio::process::{Child, Command};

/// How long a process may take to start or stop.
const PATIENCE: Duration = Duration::from_mins(1);
/// The interval between looks at a starting process.
const PAUSE: Duration = Duration::from_millis(5);

/// A process, which is killed when this value is dropped.
pub(crate) struct Process {
    name: &'static str,
    child: Child,
    log: std::path::PathBuf,
}

impl Process {
    /// Starts a program whose output is appended to a log file.
    pub(crate) fn start(name: &'static str, command: &mut Command, log: &Path) -> anyhow::Result<Self> {
        let file = File::options().create(true).append(true).open(log)?;
        let child = command
            .stdin(Stdio::null())
            .stdout(file.try_clone()?)
            .stderr(file)
            .kill_on_drop(true)
            .spawn()
            .with_context(|| format!("cannot start {name}"))?;
        Ok(Self { name, child, log: log.to_owned() })
    }

    pub(crate) fn pid(&self) -> anyhow::Result<u32> {
        self.child.id().with_context(|| format!("{} has ended", self.name))
    }

    /// Waits until the condition holds. Fails if the process ends first.
    pub(crate) async fn ready(&mut self, mut condition: impl AsyncFnMut() -> bool) -> anyhow::Result<Duration> {
        let began = Instant::now();
        while !condition().await {
            if let Some(status) = self.child.try_wait()? {
                bail!("{} ended ({status}); see {}", self.name, self.log.display());
            }
            if began.elapsed() > PATIENCE {
                bail!("{} is not ready after {PATIENCE:?}; see {}", self.name, self.log.display());
            }
            tokio::time::sleep(PAUSE).await;
        }
        Ok(began.elapsed())
    }

    /// Stops the process with a signal and waits until it has ended.
    pub(crate) async fn stop(mut self, signal: Signal) -> anyhow::Result<()> {
        if let Some(pid) = self.child.id().and_then(|pid| i32::try_from(pid).ok()).and_then(Pid::from_raw) {
            kill_process(pid, signal)?;
        }
        tokio::time::timeout(PATIENCE, self.child.wait())
            .await
            .with_context(|| format!("{} does not stop; see {}", self.name, self.log.display()))??;
        Ok(())
    }
}

/// Runs a program to its end and returns its standard output.
pub(crate) async fn output(name: &str, command: &mut Command) -> anyhow::Result<String> {
    let output = command
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .output()
        .await
        .with_context(|| format!("cannot start {name}"))?;
    if !output.status.success() {
        bail!("{name} failed ({}): {}", output.status, String::from_utf8_lossy(&output.stderr));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Returns a free port on the loopback address.
pub(crate) fn free_port() -> anyhow::Result<u16> {
    Ok(std::net::TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}
