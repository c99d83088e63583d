//! The worker is killed (SIGKILL) at each point of its work and started again: paid once.
//!
//! The one to be killed is this test program itself, started again as a child that kills itself at the point.

use std::process::{Command, Stdio};

use domain::chain::Token;
use worker::{Point, Points};

use crate::platform::{Platform, another, settle};

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

/// Not a test of its own: what the child does. Without the child's environment there is nothing to do.
#[tokio::test]
async fn child_that_is_killed() {
    let (Ok(name), Ok(url), Ok(node)) = (std::env::var(AT), std::env::var(DATABASE), std::env::var(NODE)) else {
        return;
    };
    let point = POINTS.into_iter().find(|(known, _)| *known == name).unwrap().1;
    let options = store::Options { url: url.clone(), connections: 4, patience: std::time::Duration::from_secs(20) };
    let database = testkit::Database { store: store::Store::connect(&options).unwrap(), url };
    let mut worker = another(&database, &node);
    worker.points = Points::calling(move |reached| {
        if reached == point {
            let me = std::process::id().to_string();
            Command::new("kill").args(["-KILL", &me]).status().unwrap();
            // The signal is on its way.
            loop {
                std::thread::park();
            }
        }
    });
    settle(&worker).await;
    panic!("the point {name} was never reached");
}

async fn killed_at(name: &str) {
    let platform = Platform::new().await;
    platform.deposit(1_000).await;
    platform.withdraw(platform.mec).await;
    // News to be read, for the points of the watcher.
    platform.world.anvil.mine(1).await;

    let status = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "crashes::child_that_is_killed", "--nocapture"])
        .env(AT, name)
        .env(DATABASE, &platform.database.url)
        .env(NODE, &platform.world.anvil.address)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .unwrap();
    assert_eq!(std::os::unix::process::ExitStatusExt::signal(&status), Some(9), "{name}: {status}");

    platform.settle().await;
    platform.finalise().await;
    platform.finalise().await;
    assert_eq!(platform.received(Token::Native).await, 990, "killed at {name}");
    assert_eq!(platform.in_flight(platform.mec).await, 0, "killed at {name}");
    platform.in_order().await;
}

#[tokio::test]
async fn after_the_legs_were_chosen() {
    killed_at("chosen").await;
}

#[tokio::test]
async fn after_the_batch_was_signed() {
    killed_at("signed").await;
}

#[tokio::test]
async fn after_the_attempt_was_written() {
    killed_at("written").await;
}

#[tokio::test]
async fn after_the_batch_was_sent() {
    killed_at("sent").await;
}

#[tokio::test]
async fn after_a_range_was_read() {
    killed_at("read").await;
}

#[tokio::test]
async fn after_a_range_was_applied() {
    killed_at("applied").await;
}
