//! Helpers that start the development environment and inspect it from outside.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

pub(crate) const LONG: Duration = Duration::from_mins(5);
const READY: &str = "Ctrl-C stops everything";

pub(crate) struct Started {
    pub(crate) child: Child,
    pub(crate) output: String,
    folder: PathBuf,
}

impl Started {
    /// Starts an environment without the demo environment.
    pub(crate) async fn new(folder: &Path) -> Self {
        Self::start(folder, &["--empty"], READY).await
    }

    /// Starts an environment with the demo environment.
    pub(crate) async fn with_demo(folder: &Path) -> Self {
        Self::start(folder, &[], READY).await
    }

    /// Starts an environment and waits until it prints a line that contains `until`.
    pub(crate) async fn start(folder: &Path, options: &[&str], until: &str) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_mec2c-dev"))
            .arg("run")
            .arg("--any-ports")
            .args(options)
            .arg("--root")
            .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
            .arg("--data-dir")
            .arg(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let mut output = String::new();
        let mut lines = BufReader::new(child.stdout.as_mut().unwrap()).lines();
        let ready = async {
            while let Some(line) = lines.next_line().await.unwrap() {
                output.push_str(&line);
                output.push('\n');
                if line.contains(until) {
                    return true;
                }
            }
            false
        };
        if !tokio::time::timeout(LONG, ready).await.expect("ready in time") {
            let (_, errors) = finished(child).await;
            panic!("it did not start:\n{output}\n{errors}");
        }
        Self { child, output, folder: folder.to_owned() }
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id().unwrap()
    }

    pub(crate) fn signal(&self, signal: Signal) {
        kill(self.pid(), signal);
    }

    /// Returns the URL in the line that begins with this word.
    pub(crate) fn address(&self, word: &str) -> String {
        let line =
            self.output.lines().find(|line| line.trim_start().starts_with(word)).unwrap_or_else(|| panic!("{word}"));
        line.split_whitespace().nth(1).unwrap().to_owned()
    }

    pub(crate) fn configuration(&self) -> toml::Table {
        fs::read_to_string(self.folder.join("mec2c.toml")).unwrap().parse().unwrap()
    }

    pub(crate) async fn node(&self, method: &str, parameters: Value) -> Value {
        let request = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": parameters });
        let answer: Value =
            client().post(self.address("Node")).json(&request).send().await.unwrap().json().await.unwrap();
        answer.get("result").unwrap_or_else(|| panic!("{method}: {answer}")).clone()
    }

    pub(crate) async fn height(&self) -> u64 {
        u64::from_str_radix(
            self.node("eth_blockNumber", json!([])).await.as_str().unwrap().trim_start_matches("0x"),
            16,
        )
        .unwrap()
    }
}

pub(crate) fn client() -> reqwest::Client {
    reqwest::Client::builder().no_proxy().timeout(Duration::from_secs(20)).build().unwrap()
}

pub(crate) fn kill(pid: u32, signal: Signal) {
    kill_process(Pid::from_raw(i32::try_from(pid).unwrap()).unwrap(), signal).unwrap();
}

pub(crate) async fn finished(child: Child) -> (ExitStatus, String) {
    let output = tokio::time::timeout(LONG, child.wait_with_output()).await.expect("an end in time").unwrap();
    (output.status, String::from_utf8_lossy(&output.stderr).into_owned())
}

/// Polls until the condition holds.
pub(crate) async fn until(what: &str, mut so: impl AsyncFnMut() -> bool) {
    let asking = async {
        let mut again = tokio::time::interval(Duration::from_millis(20));
        while !so().await {
            again.tick().await;
        }
    };
    tokio::time::timeout(LONG, asking).await.unwrap_or_else(|_| panic!("never: {what}"));
}

/// Returns all running processes, as (pid, parent's pid, name).
pub(crate) fn processes() -> Vec<(u32, u32, String)> {
    fs::read_dir("/proc")
        .unwrap()
        .filter_map(|entry| {
            let stat = fs::read_to_string(entry.ok()?.path().join("stat")).ok()?;
            let (head, tail) = stat.rsplit_once(')')?;
            let (pid, name) = head.split_once(" (")?;
            let mut tail = tail.split_whitespace();
            // Skip zombies, which no longer run.
            if tail.next()? == "Z" {
                return None;
            }
            Some((pid.parse().ok()?, tail.next()?.parse().ok()?, name.to_owned()))
        })
        .collect()
}

/// Returns all direct and indirect child processes, as (pid, name).
pub(crate) fn descendants(of: u32) -> Vec<(u32, String)> {
    let all = processes();
    let mut family = vec![of];
    let mut found = Vec::new();
    let mut next = 0;
    while let Some(parent) = family.get(next).copied() {
        for (pid, _, name) in all.iter().filter(|(_, their_parent, _)| *their_parent == parent) {
            family.push(*pid);
            found.push((*pid, name.clone()));
        }
        next += 1;
    }
    found
}

pub(crate) async fn all_gone(family: &[(u32, String)]) {
    until("everything that was started is gone", async || {
        let running = processes();
        // The pid may have been reused by another program, so compare the name as well.
        !running.iter().any(|(pid, _, name)| family.iter().any(|(theirs, called)| theirs == pid && called == name))
    })
    .await;
}

pub(crate) async fn post(url: String, body: Value) -> (u16, Value) {
    let answer = client().post(url).json(&body).send().await.unwrap();
    (answer.status().as_u16(), answer.json().await.unwrap())
}

pub(crate) async fn get(url: String) -> (u16, Value) {
    let answer = client().get(url).send().await.unwrap();
    (answer.status().as_u16(), answer.json().await.unwrap())
}
