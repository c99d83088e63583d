//! A running `mec2c` process and its responses.

use std::net::SocketAddr;
use std::process::Stdio;
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};

/// A timeout that no step should reach, even on a busy machine.
const LONG: Duration = Duration::from_mins(2);

pub struct Process {
    // Killed when the test ends.
    child: Child,
    /// The address of the API, for `serve` only.
    api: Option<SocketAddr>,
    /// The address of the internal listener.
    internal: SocketAddr,
}

/// An HTTP response.
#[derive(Debug)]
pub struct Got {
    pub status: u16,
    pub head: String,
    pub text: String,
}

impl Got {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|_| panic!("{self:?}"))
    }

    pub fn code(&self) -> String {
        self.json()["code"].as_str().unwrap_or_else(|| panic!("{self:?}")).to_owned()
    }
}

impl Process {
    /// Starts a command and waits until it logs that it is running.
    pub async fn start(command: &str, environment: &[(&str, String)]) -> Self {
        let mut child = program(command, environment).stdout(Stdio::piped()).kill_on_drop(true).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let (mut api, mut internal) = (None, None);
        let at_work = async {
            loop {
                let line = lines.next_line().await.unwrap().unwrap_or_else(|| panic!("{command} ended"));
                let said: Value = serde_json::from_str(&line).unwrap();
                let address = || Some(said["address"].as_str()?.parse().unwrap());
                match said["message"].as_str().unwrap() {
                    "metrics and health" => internal = address(),
                    "serving" => api = address(),
                    "working" => {}
                    _ => continue,
                }
                if internal.is_some() && (api.is_some() || command == "worker") {
                    return;
                }
            }
        };
        tokio::time::timeout(LONG, at_work).await.unwrap();
        // Keep reading: the process would block on a full pipe.
        tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
        Self { child, api, internal: internal.unwrap() }
    }

    /// Waits until the process ends. Returns whether it succeeded.
    pub async fn ends(mut self) -> bool {
        tokio::time::timeout(LONG, self.child.wait()).await.expect("it never ends").unwrap().success()
    }

    /// Kills the process with SIGKILL.
    pub async fn kill(mut self) {
        self.child.kill().await.unwrap();
    }

    pub async fn get(&self, path: &str, token: &str) -> Got {
        ask(self.api.unwrap(), "GET", path, &[("authorization", token)], "").await
    }

    /// Sends a command, with a new idempotency key unless one is given.
    pub async fn post(&self, path: &str, token: &str, key: &str, body: &Value) -> Got {
        let headers = [("authorization", token), ("idempotency-key", key), ("content-type", "application/json")];
        ask(self.api.unwrap(), "POST", path, &headers, &body.to_string()).await
    }

    /// Returns whether the process is ready, and the names of the failed checks.
    pub async fn ready(&self) -> (bool, Vec<String>) {
        let got = ask(self.internal, "GET", "/health/ready", &[], "").await;
        let parts = got.json();
        let unwell = parts.as_array().unwrap().iter().filter(|part| part["ready"] == false);
        (got.status == 200, unwell.map(|part| part["name"].as_str().unwrap().to_owned()).collect())
    }

    /// Returns the problem that a check reports.
    pub async fn problem(&self, part: &str) -> Option<String> {
        let parts = ask(self.internal, "GET", "/health/ready", &[], "").await.json();
        let named = parts.as_array().unwrap().iter().find(|one| one["name"] == part);
        named.unwrap_or_else(|| panic!("{part} is not among {parts}"))["problem"].as_str().map(str::to_owned)
    }

    pub async fn lives(&self) -> bool {
        ask(self.internal, "GET", "/health/live", &[], "").await.status == 200
    }
}

/// Runs a command to completion.
pub async fn run(command: &str, environment: &[(&str, String)]) {
    let output = program(command, environment).output().await.unwrap();
    assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
}

fn program(command: &str, environment: &[(&str, String)]) -> Command {
    let mut program = Command::new(env!("CARGO_BIN_EXE_mec2c"));
    program.arg(command).stdin(Stdio::null());
    for (name, value) in environment {
        program.env(format!("MEC2C_{name}"), value);
    }
    program
}

async fn ask(at: SocketAddr, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Got {
    let headers: String = headers
        .iter()
        .filter(|(_, value)| !value.is_empty())
        .flat_map(|(name, value)| [name, ": ", value, "\r\n"])
        .collect();
    let request = format!(
        "{method} {path} HTTP/1.1\r\nhost: {at}\r\nconnection: close\r\nlanguage: en_US\r\n{headers}content-length: {}\r\n\r\n{body}",
        body.len()
    );
    let mut answer = String::new();
    let asking = async {
        let mut stream = TcpStream::connect(at).await.unwrap();
        stream.write_all(request.as_bytes()).await.unwrap();
        stream.read_to_string(&mut answer).await.unwrap();
    };
    tokio::time::timeout(LONG, asking).await.unwrap_or_else(|_| panic!("{method} {path} is never answered"));
    let (head, text) = answer.split_once("\r\n\r\n").unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    Got { status, head: head.to_lowercase(), text: text.to_owned() }
}

/// Polls until the condition is true.
pub async fn until(what: &str, mut so: impl AsyncFnMut() -> bool) {
    let asking = async {
        let mut again = tokio::time::interval(Duration::from_millis(50));
        while !so().await {
            again.tick().await;
        }
    };
    tokio::time::timeout(LONG, asking).await.unwrap_or_else(|_| panic!("never: {what}"));
}
