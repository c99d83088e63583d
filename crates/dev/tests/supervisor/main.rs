//! Runs the development environment as a program: starts it, uses it, kills it, and stops it.
//!
//! Requires what `scripts/setup run` installs and the product's executable (`cargo build --bins`).

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects
)]

mod demo;
mod restarts;
mod started;

use std::fs;
use std::process::Stdio;

use rustix::process::Signal;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::process::Command;

use started::{Started, all_gone, client, descendants, finished, get, kill, post, processes, until};

/// An account without coins.
const STRANGER: &str = "0x00000000000000000000000000000000deadbeef";

async fn send_mail(port: u16, to: &str, text: &str) {
    let mut stream = BufReader::new(TcpStream::connect(("127.0.0.1", port)).await.unwrap());
    let mut line = String::new();
    for (say, expect) in [
        (String::new(), "220"),
        ("HELO test\r\n".to_owned(), "250"),
        ("MAIL FROM:<no-reply@mec2c.test>\r\n".to_owned(), "250"),
        (format!("RCPT TO:<{to}>\r\n"), "250"),
        ("DATA\r\n".to_owned(), "354"),
        (format!("Subject: Your code\r\n\r\n{text}\r\n.\r\n"), "250"),
    ] {
        stream.get_mut().write_all(say.as_bytes()).await.unwrap();
        line.clear();
        stream.read_line(&mut line).await.unwrap();
        assert!(line.starts_with(expect), "{say:?} was answered {line:?}");
    }
}

#[tokio::test]
async fn an_environment_is_kept_between_starts() {
    let folder = tempfile::tempdir().unwrap();
    let environment = folder.path().join("environment");

    let first = Started::new(&environment).await;
    let sender = first.node("eth_accounts", json!([])).await[0].clone();
    let before = first.height().await;
    first.node("eth_sendTransaction", json!([{ "from": sender, "to": STRANGER, "value": "0x7" }])).await;
    until("the last transaction is confirmed without another one", async || first.height().await >= before + 3).await;
    let block = first.node("eth_getBlockByNumber", json!([format!("{:#x}", before + 1), false])).await["hash"].clone();
    let port = first.configuration()["mail"]["port"].as_integer().unwrap();
    send_mail(u16::try_from(port).unwrap(), "amina@example.test", "it is 123456").await;
    let family = descendants(first.pid());
    for name in ["postgres", "anvil", "node"] {
        assert!(family.iter().any(|(_, called)| called.contains(name)), "{name} is not among {family:?}");
    }
    first.signal(Signal::TERM);
    let (status, errors) = finished(first.child).await;
    assert!(status.success(), "{errors}");
    all_gone(&family).await;

    let second = Started::new(&environment).await;
    assert_eq!(second.node("eth_getBalance", json!([STRANGER, "latest"])).await, "0x7");
    let kept = second.node("eth_getBlockByNumber", json!([format!("{:#x}", before + 1), false])).await["hash"].clone();
    assert_eq!(kept, block);
    let mails: Value = client()
        .get(format!("{}/mails?to=Amina@example.test", second.address("Mails")))
        .send()
        .await
        .unwrap()
        .json()
        .await
        .unwrap();
    assert_eq!(mails[0]["subject"], "Your code");
    assert_eq!(mails[0]["text"].as_str().unwrap().trim(), "it is 123456");

    // After SIGKILL, no child process keeps running, and every mined block is kept.
    second.node("eth_sendTransaction", json!([{ "from": sender, "to": STRANGER, "value": "0x1" }])).await;
    let state = environment.join("chain/state.json");
    until("the transaction is on disk", async || {
        fs::read_to_string(&state).is_ok_and(|text| text.contains(r#""balance":"0x8""#))
    })
    .await;
    let family = descendants(second.pid());
    second.signal(Signal::KILL);
    finished(second.child).await;
    all_gone(&family).await;

    let third = Started::new(&environment).await;
    assert_eq!(third.node("eth_getBalance", json!([STRANGER, "latest"])).await, "0x8");
    third.signal(Signal::INT);
    assert!(finished(third.child).await.0.success());
}

#[tokio::test]
async fn people_send_coins_and_the_clock_can_be_moved() {
    let folder = tempfile::tempdir().unwrap();
    let environment = Started::new(folder.path()).await;

    // The product responds.
    let (status, document) = get(format!("{}/api/openapi.json", environment.address("MEC2C"))).await;
    assert_eq!((status, document["openapi"].as_str().map(|version| &version[..2])), (200, Some("3.")));
    let (status, answer) = get(format!("{}/api/no/such/call", environment.address("MEC2C"))).await;
    assert_eq!(status, 404, "{answer}");

    // A person sends both coins to an address, and the chain shows that they arrived.
    let wallets = environment.address("Wallets");
    let (_, people) = get(format!("{wallets}/people")).await;
    let amina = &people[0];
    assert_eq!(amina["name"], "Amina");
    assert_eq!(amina["holdings"][1], json!({ "coin": "USDT", "amount": "50000" }));
    let send = |from: &Value, coin: &str, amount: &str| {
        let body = json!({ "from": from, "to": STRANGER, "coin": coin, "amount": amount });
        post(format!("{wallets}/send"), body)
    };
    assert_eq!(send(&amina["address"], "MEC", "1.5").await.0, 200);
    assert_eq!(environment.node("eth_getBalance", json!([STRANGER, "latest"])).await, "0x14d1120d7b160000");
    assert_eq!(send(&amina["address"], "USDT", "2.25").await.0, 200);
    let (_, people) = get(format!("{wallets}/people")).await;
    assert_eq!(people[0]["holdings"][1]["amount"], "49997.75");

    // Invalid transfers are refused with a message.
    for (from, coin, amount, word) in [
        (&amina["address"], "USDT", "1000000", "has 49997.75"),
        (&amina["address"], "USDT", "0.0000001", "6 decimals"),
        (&amina["address"], "USDT", "0", "greater than 0"),
        (&amina["address"], "BTC", "1", "no coin BTC"),
        (&json!(STRANGER), "MEC", "1", "does not hold the key"),
        (&json!("0x12"), "MEC", "1", "hexadecimal digits"),
    ] {
        let (status, answer) = send(from, coin, amount).await;
        assert_eq!(status, 400, "{answer}");
        assert!(answer["error"].as_str().unwrap().contains(word), "{answer}");
    }
    assert_eq!(post(format!("{wallets}/faucet"), json!({ "to": amina["address"], "coin": "USDT" })).await.0, 200);
    let (_, people) = get(format!("{wallets}/people")).await;
    assert_eq!(people[0]["holdings"][1]["amount"], "50997.75");

    // The clock of the product and the chain stops, and moves only on request.
    let clock = environment.address("Clock");
    let (_, running) = get(clock.clone()).await;
    assert_eq!(running["stopped"], false);
    let (status, stopped) = post(clock.clone(), json!({ "stopAt": "2040-01-01T00:00:00Z" })).await;
    assert_eq!((status, &stopped["now"]), (200, &json!("2040-01-01T00:00:00Z")));
    assert_eq!(stopped["blockTime"], "2040-01-01T00:00:00Z");
    let (_, later) = post(clock.clone(), json!({ "advanceSeconds": 86_400 })).await;
    assert_eq!((&later["now"], &later["stopped"]), (&json!("2040-01-02T00:00:00Z"), &json!(true)));
    assert_eq!(later["blockTime"], "2040-01-02T00:00:00Z");
    let (_, back) = post(clock.clone(), json!({ "run": { "shiftSeconds": 0 } })).await;
    assert_eq!((&back["stopped"], &back["shiftSeconds"]), (&json!(false), &json!(0)));
    let (status, _) = post(clock, json!({ "advanceSeconds": i64::MAX })).await;
    assert_eq!(status, 400);

    environment.signal(Signal::TERM);
    assert!(finished(environment.child).await.0.success());
}

#[tokio::test]
async fn a_crashed_process_is_reported_by_name_and_everything_stops() {
    let folder = tempfile::tempdir().unwrap();
    for part in ["anvil", "postgres", "node", "mec2c"] {
        let started = Started::new(folder.path()).await;
        let family = descendants(started.pid());
        let own = started.pid();
        let all = processes();
        let (victim, ..) = all.iter().find(|(_, parent, name)| *parent == own && name.contains(part)).unwrap();
        kill(*victim, Signal::KILL);
        let (status, errors) = finished(started.child).await;
        let names: &[&str] = match part {
            "node" => &["mail"],
            "mec2c" => &["serve", "worker"],
            _ => &[part],
        };
        assert!(!status.success());
        let named = |name: &&str| {
            errors.contains(&format!("{name} stopped unexpectedly (signal 9)"))
                && errors.contains(&format!("log/{name}.log"))
        };
        assert!(names.iter().any(named), "{errors}");
        all_gone(&family).await;
    }
}

#[tokio::test]
async fn two_supervisors_cannot_share_an_environment() {
    let folder = tempfile::tempdir().unwrap();
    let started = Started::new(folder.path()).await;
    let mut second = Command::new(env!("CARGO_BIN_EXE_mec2c-dev"))
        .args(["run", "--any-ports", "--empty", "--data-dir"])
        .arg(folder.path())
        .stderr(Stdio::piped())
        .stdout(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let mut errors = String::new();
    second.stderr.take().unwrap().read_to_string(&mut errors).await.unwrap();
    assert!(!second.wait().await.unwrap().success());
    assert!(errors.contains("already running"), "{errors}");
    started.signal(Signal::TERM);
    assert!(finished(started.child).await.0.success());
}
