//! The mail server, which stores emails and shows them on a page instead of delivering them.

use std::path::Path;
use std::time::Duration;

use anyhow::bail;

use crate::environment::Environment;
use crate::process::{Process, Spec, Stop, find_program};

/// Starts the mail sink and waits until it listens.
pub(crate) async fn start(environment: &Environment, tools: &Path, smtp: u16, page: u16) -> anyhow::Result<Process> {
    let Some(node) = find_program("node") else { bail!("Node.js is not installed: run scripts/setup run") };
    let spec = Spec {
        name: "mail",
        program: node,
        arguments: vec![
            tools.join("mail/sink.mjs").display().to_string(),
            "--smtp".to_owned(),
            smtp.to_string(),
            "--page".to_owned(),
            page.to_string(),
            "--folder".to_owned(),
            environment.path("mail").display().to_string(),
        ],
        variables: Vec::new(),
        log: environment.log("mail"),
        stop: Stop::Terminate,
        through: Vec::new(),
    };
    let mut process = Process::start(&spec)?;
    process.says("mail sink ready", Duration::from_secs(30)).await?;
    Ok(process)
}
