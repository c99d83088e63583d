//! Kills the worker (SIGKILL) at each point and starts it again. Every payout is paid exactly once.
//!
//! The test starts itself as a child process, which kills itself at the given point.

use std::process::{Command, Stdio};
use std::time::Duration;

use chain::node::{At, Node};
use domain::chain::Token;
use testkit::market::usdt;
use worker::{Point, Points};

use crate::anvil::Anvil;
use crate::frozen::Stage;
use crate::platform::{CONFIRMATIONS, Platform, another, settle};

const AT: &str = "MEC2C_TEST_KILL_AT";
const DATABASE: &str = "MEC2C_TEST_DATABASE";
const NODE: &str = "MEC2C_TEST_NODE";

const POINTS: [(&str, Point); 6] = [
    ("chosen", Point::Chosen),
    ("signed", Point::Signed),
    ("written", Point::Written),
    ("sent", Point::Sent),
    ("read", Point::Read),
    ("applied", Point::Applied),
];

/// Runs the worker in the child process. Does nothing in a normal test run, where the child's environment variables are
/// not set.
#[tokio::test]
async fn child_process() {
    let (Ok(name), Ok(url), Ok(node)) = (std::env::var(AT), std::env::var(DATABASE), std::env::var(NODE)) else {
        return;
    };
    let point = POINTS.into_iter().find(|(known, _)| *known == name).unwrap().1;
    let options = store::Options {
        url: url.clone(),
        connections: 4,
        patience: Duration::from_secs(20),
        untested: Duration::ZERO,
    };
    let database = testkit::Database { store: store::Store::connect(&options).unwrap(), url };
    let mut worker = another(&database, &node);
    worker.points = Points::calling(move |reached| {
        if reached == point {
            let me = std::process::id().to_string();
            Command::new("kill").args(["-KILL", &me]).status().unwrap();
            // The signal may not have arrived yet.
            loop {
                std::thread::park();
            }
        }
    });
    settle(&worker).await;
    panic!("the point {name} was never reached");
}

/// Runs a worker in a child process and kills it at the named point.
pub fn kill_at(name: &str, database: &testkit::Database, anvil: &Anvil) {
    let status = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "crashes::child_process", "--nocapture"])
        .env(AT, name)
        .env(DATABASE, &database.url)
        .env(NODE, &anvil.address)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .unwrap();
    assert_eq!(std::os::unix::process::ExitStatusExt::signal(&status), Some(9), "{name}: {status}");
}

async fn killed_at(name: &str) {
    Box::pin(withdrawal_killed_at(name)).await;
    Box::pin(trade_killed_at(name)).await;
}

async fn withdrawal_killed_at(name: &str) {
    let platform = Platform::new().await;
    platform.deposit(1_000).await;
    platform.withdraw(platform.mec).await;
    // Mine a block, so that the worker reaches the points of chain reading.
    platform.test_chain.anvil.mine(1).await;
    kill_at(name, &platform.database, &platform.test_chain.anvil);
    platform.settle().await;
    platform.finalise().await;
    platform.finalise().await;
    assert_eq!(platform.received(Token::Native).await, 990, "killed at {name}");
    assert_eq!(platform.in_flight(platform.mec).await, 0, "killed at {name}");
    platform.in_order().await;
}

/// Kills the worker while it pays both coins of an automatic order in one batch.
async fn trade_killed_at(name: &str) {
    let stage = Stage::set().await;
    let (anna, ben, anvil) = (&stage.anna, &stage.ben, &stage.test_chain.anvil);
    let advert = anna.posts(anna.mec_for_usdt("10", "2.5").automatic()).await.unwrap();
    stage.brings("10").await;
    let order = ben.orders(advert, "4").await.unwrap();
    stage.test_chain.mint(ben.user.vault, usdt("10").units()).await;
    anvil.mine(CONFIRMATIONS).await;
    while worker::watch::step(&stage.worker).await.unwrap() == worker::Next::Immediately {}
    assert_eq!(stage.market.state(order).await, "RELEASING");
    anvil.mine(1).await;
    kill_at(name, &stage.market.database, anvil);
    for _ in 0..2 {
        stage.settles().await;
        anvil.mine(CONFIRMATIONS).await;
    }
    stage.settles().await;
    assert_eq!(stage.market.state(order).await, "COMPLETED", "killed at {name}");
    let legs = ben.sees(order).await.unwrap().payout.unwrap().legs;
    assert_eq!(legs.len(), 2);
    for leg in legs {
        let token = if leg.asset == stage.market.mec { Token::Native } else { Token::Erc20(stage.test_chain.usdt) };
        let held = anvil.node.holding(token, leg.recipient, At::Latest).await.unwrap();
        assert_eq!(i128::try_from(held).unwrap(), leg.amount.units(), "killed at {name}: once");
    }
    stage.market.is_sound().await;
}

#[tokio::test]
async fn killed_after_the_legs_were_chosen() {
    killed_at("chosen").await;
}

#[tokio::test]
async fn killed_after_the_batch_was_signed() {
    killed_at("signed").await;
}

#[tokio::test]
async fn killed_after_the_attempt_was_written() {
    killed_at("written").await;
}

#[tokio::test]
async fn killed_after_the_batch_was_sent() {
    killed_at("sent").await;
}

#[tokio::test]
async fn killed_after_a_range_was_read() {
    killed_at("read").await;
}

#[tokio::test]
async fn killed_after_a_range_was_applied() {
    killed_at("applied").await;
}
