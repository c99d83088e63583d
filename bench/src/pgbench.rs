//! Yardsticks that pgbench measures on the same PostgreSQL: TPC-B, and single statements.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, bail};
use tokio::process::Command;

use crate::postgres::Postgres;
use crate::process::output;

/// The scale factor of TPC-B: 100,000 accounts each.
pub(crate) const SCALE: u32 = 50;
pub(crate) const CLIENTS: u32 = 32;
const DATABASE: &str = "tpcb";

pub(crate) struct Pgbench {
    program: PathBuf,
}

impl Pgbench {
    /// Finds pgbench in `PATH`, to which `scripts/bench` adds it if it is not installed.
    pub(crate) fn find() -> anyhow::Result<Self> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let program =
            std::env::split_paths(&path).map(|folder| folder.join("pgbench")).find(|program| program.is_file());
        Ok(Self { program: program.context("pgbench is not installed: run scripts/bench")? })
    }

    pub(crate) async fn version(&self) -> anyhow::Result<String> {
        Ok(output("pgbench", Command::new(&self.program).arg("--version")).await?.trim().to_owned())
    }

    /// Fills the tables of TPC-B.
    pub(crate) async fn fill(&self, postgres: &Postgres) -> anyhow::Result<()> {
        postgres.create_database(DATABASE, None).await?;
        let mut command = self.command(postgres, DATABASE);
        output("pgbench", command.args(["-i", "-q", "-s", &SCALE.to_string()])).await?;
        Ok(())
    }

    /// Returns the transactions per second of TPC-B.
    pub(crate) async fn tpcb(&self, postgres: &Postgres, time: Duration) -> anyhow::Result<f64> {
        let mut command = self.command(postgres, DATABASE);
        // Without `-n`, it would vacuum first.
        command.args(["-n", "-c", &CLIENTS.to_string(), "-j", "2", "-T", &time.as_secs().max(1).to_string()]);
        transactions_per_second(&output("pgbench", &mut command).await?)
    }

    /// Returns how often per second a script runs, with prepared statements.
    pub(crate) async fn script(
        &self,
        postgres: &Postgres,
        database: &str,
        script: &Path,
        clients: u32,
        time: Duration,
    ) -> anyhow::Result<f64> {
        let mut command = self.command(postgres, database);
        command.args(["-n", "-M", "prepared", "-c", &clients.to_string(), "-j", "2"]);
        command.args(["-T", &time.as_secs().max(1).to_string(), "-f"]).arg(script);
        transactions_per_second(&output("pgbench", &mut command).await?)
    }

    fn command(&self, postgres: &Postgres, database: &str) -> Command {
        let mut command = Command::new(&self.program);
        command.env("PGHOST", "127.0.0.1").env("PGPORT", postgres.port.to_string());
        command.env("PGUSER", "postgres").env("PGDATABASE", database);
        command
    }
}

fn transactions_per_second(text: &str) -> anyhow::Result<f64> {
    let line = text.lines().find_map(|line| line.strip_prefix("tps = "));
    let Some(number) = line.and_then(|line| line.split(' ').next()) else { bail!("pgbench printed no result: {text}") };
    Ok(number.parse()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_result_is_read_from_its_line() {
        let text =
            "number of clients: 32\nlatency average = 28.1 ms\ntps = 1138.720301 (without initial connection time)\n";
        assert!((transactions_per_second(text).unwrap() - 1_138.720_301).abs() < 1e-9);
        assert!(transactions_per_second("nothing").is_err());
    }
}
