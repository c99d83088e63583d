//! `mec2c verify-log` verifies what the product has exported, without a configuration and without a network.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use std::path::Path;
use std::process::Command;

use app::order_record::{OrderRecords, RecordKeys};
use testkit::market::{Market, mec};

const SEED: &str = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

/// Returns whether the command succeeded, and what it printed.
fn runs(arguments: &[&str]) -> (bool, String) {
    let mut program = Command::new(env!("CARGO_BIN_EXE_mec2c"));
    let output = program.env_clear().args(arguments).output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8(text).unwrap())
}

fn verifies(file: &Path, more: &[&str]) -> (bool, String) {
    runs(&[&["verify-log", file.to_str().unwrap()], more].concat())
}

#[tokio::test]
async fn an_exported_record_is_verified_by_the_program() {
    let market = Market::open().await;
    let (anna, ben) = (market.trader().await, market.trader().await);
    let advert = anna.posts(anna.mec_for_krw("10", "1000")).await.unwrap();
    market.chain().await.brings(&anna, market.mec, mec("10")).await;
    let order = ben.orders(advert, "4").await.unwrap();
    anna.accepts(order).await.unwrap();
    ben.marks_paid(order).await.unwrap();
    let keys = RecordKeys::new(SEED, Vec::new()).unwrap();
    let key = keys.public().to_string();
    let records = OrderRecords::new(market.context.clone(), Some(keys));
    let record = records.export(anna.id(), order).await.unwrap();

    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(&record.name);
    std::fs::write(&file, &record.text).unwrap();
    let (genuine, shown) = verifies(&file, &["--key", &key]);
    assert!(genuine, "{shown}");
    for part in [order.to_string(), "MEC/KRW".to_owned(), key.clone(), "AWAITING_CONFIRMATION".to_owned()] {
        assert!(shown.contains(&part), "{part}: {shown}");
    }
    assert!(!shown.contains("--key"));
    let (genuine, shown) = verifies(&file, &[]);
    assert!(genuine && shown.contains("--key"), "{shown}");

    let (genuine, shown) = verifies(&file, &["--key", &"0".repeat(64)]);
    assert!(!genuine && shown.contains(&key), "{shown}");
    let (genuine, shown) = verifies(&file, &["--key", "x"]);
    assert!(!genuine && shown.contains("64 hexadecimal digits"), "{shown}");
    std::fs::write(&file, record.text.replacen("AWAITING_PAYMENT", "AWAITING_DEPOSIT", 1)).unwrap();
    let (genuine, shown) = verifies(&file, &["--key", &key]);
    assert!(!genuine && shown.contains("entry 2 "), "{shown}");
    std::fs::write(&file, &record.text[..record.text.len() - 1]).unwrap();
    let (genuine, shown) = verifies(&file, &[]);
    assert!(!genuine && shown.contains("the end of the record is missing"), "{shown}");
    assert!(!verifies(&folder.path().join("missing"), &[]).0);
}
