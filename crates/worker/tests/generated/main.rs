//! `docs/generated/trade-cost.md` is up to date: what the life of an order costs PostgreSQL. `UPDATE=1` rewrites it.

#![allow(
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::arithmetic_side_effects,
    clippy::large_futures
)]

#[path = "../../../chain/tests/support/mod.rs"]
mod anvil;
mod lives;
mod page;
#[path = "../settling/scripted.rs"]
#[allow(dead_code, reason = "each test program uses its own part")]
mod scripted;

use std::path::Path;

use testkit::meter::Server;

#[tokio::test]
async fn the_cost_of_a_trade_is_up_to_date() {
    let server = Server::start();
    let lives = [
        ("A sale for fiat", lives::for_fiat(&server).await),
        ("An automatic sale for a coin", lives::automatic(&server).await),
    ];
    let page = page::page(&lives);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/generated/trade-cost.md");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(committed == page, "{}", page::difference(&committed, &page));
}
