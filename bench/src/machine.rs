//! Describes the machine and the versions.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use tokio::process::Command;

use crate::process::output;

/// Returns the load average of the last minute.
pub(crate) fn load_average() -> f64 {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').next().and_then(|number| number.parse().ok()).unwrap_or_default()
}

/// Returns the commit, and whether the tree differs from it.
pub(crate) async fn commit(root: &Path) -> anyhow::Result<String> {
    let mut command = Command::new("git");
    let text =
        output("git", command.current_dir(root).args(["describe", "--always", "--dirty", "--exclude=*"])).await?;
    Ok(text.trim().to_owned())
}

pub(crate) async fn describe(postgres: &str, pgbench: &str) -> anyhow::Result<BTreeMap<String, String>> {
    let processor = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let named =
        |line: &str| line.strip_prefix("model name").map(|rest| rest.trim_start_matches([' ', '\t', ':']).to_owned());
    let model = processor.lines().find_map(named).unwrap_or_else(|| "unknown".to_owned());
    let cores = std::thread::available_parallelism()?;
    let memory = fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let kilobytes: u64 = memory.split_whitespace().nth(1).and_then(|number| number.parse().ok()).unwrap_or_default();
    let kernel = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let rust = output("rustc", Command::new("rustc").arg("--version")).await?;
    Ok([
        (
            "processor",
            format!("{model}, {cores} cores, shared by server, worker, PostgreSQL, Anvil and load generator"),
        ),
        ("memory", format!("{} GiB", kilobytes.div_ceil(1024 * 1024))),
        ("kernel", format!("Linux {}", kernel.trim())),
        ("PostgreSQL", postgres.to_owned()),
        ("pgbench", pgbench.to_owned()),
        ("Rust", rust.trim().to_owned()),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .into())
}
