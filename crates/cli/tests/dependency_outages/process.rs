//! The product's own program, running, and its answers.

use std::net::SocketAddr;
use std::process::Stdio;
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};

/// Longer than anything here may take, however busy the machine is.
const LONG: Duration = Duration::from_mins(2);

pub struct Process {
    // Killed with the test.
    child: Child,
    /// Where people ask; only of `serve`.
    api: Option<SocketAddr>,
    /// Where the operator asks.
    internal: SocketAddr,
}

/// An answer over HTTP.
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
    /// Starts a command of the program and waits until it says that it is at work.
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
        // Read on, or it stops when the pipe is full.
        tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
        Self { child, api, internal: internal.unwrap() }
    }

    /// Waits until it has ended by itself; says whether all was well.
    pub async fn ends(mut self) -> bool {
        tokio::time::timeout(LONG, self.child.wait()).await.expect("it never ends").unwrap().success()
    }

    /// Kills it (SIGKILL).
    pub async fn kill(mut self) {
        self.child.kill().await.unwrap();
    }

    pub async fn get(&self, path: &str, token: &str) -> Got {
        ask(self.api.unwrap(), "GET", path, &[("authorization", token)], "").await
    }

    /// A command under a key of its own or of the caller's choice.
    pub async fn post(&self, path: &str, token: &str, key: &str, body: &Value) -> Got {
        let headers = [("authorization", token), ("idempotency-key", key), ("content-type", "application/json")];
        ask(self.api.unwrap(), "POST", path, &headers, &body.to_string()).await
    }

    /// Whether it says that it is ready, and the parts that it says are not well.
    pub async fn ready(&self) -> (bool, Vec<String>) {
        let got = ask(self.internal, "GET", "/health/ready", &[], "").await;
        let parts = got.json();
        let unwell = parts.as_array().unwrap().iter().filter(|part| part["ready"] == false);
        (got.status == 200, unwell.map(|part| part["name"].as_str().unwrap().to_owned()).collect())
    }

    /// What it says is wrong with a part.
    pub async fn problem(&self, part: &str) -> Option<String> {
        let parts = ask(self.internal, "GET", "/health/ready", &[], "").await.json();
        let named = parts.as_array().unwrap().iter().find(|one| one["name"] == part);
        named.unwrap_or_else(|| panic!("{part} is not among {parts}"))["problem"].as_str().map(str::to_owned)
    }

    pub async fn lives(&self) -> bool {
        ask(self.internal, "GET", "/health/live", &[], "").await.status == 200
    }
}

/// Runs a command of the program to its end.
pub async fn carry_out(command: &str, environment: &[(&str, String)]) {
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

/// Asks again and again until it is so.
pub async fn until(what: &str, mut so: impl AsyncFnMut() -> bool) {
    let asking = async {
        let mut again = tokio::time::interval(Duration::from_millis(50));
        while !so().await {
            again.tick().await;
        }
    };
    tokio::time::timeout(LONG, asking).await.unwrap_or_else(|_| panic!("never: {what}"));
}
