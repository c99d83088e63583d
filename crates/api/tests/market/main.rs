//! The hall, matches, statistics and prices over HTTP, with a real database.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects
)]

mod changes;
mod comparing;
mod hall;
mod prices;
mod rules;
#[path = "../server/mod.rs"]
mod server;
mod sizes;

use serde_json::Value;

const SELLERS: &str = "/c2c/advert/page?side=SELL&base=MEC&quote=USDT";

fn ids(page: &Value) -> Vec<String> {
    page["records"].as_array().unwrap().iter().map(|advert| advert["id"].as_str().unwrap().to_owned()).collect()
}
