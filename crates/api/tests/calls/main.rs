//! Every call over HTTP, with the same router as in production, a real database, real sessions and security passwords,
//! and a simulated chain.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects
)]

mod appeals;
mod bad_input;
mod binding;
#[path = "../conforming/mod.rs"]
mod conforming;
mod dictionary;
mod document;
mod far_prices;
mod held;
mod history;
mod late;
mod nft_hall;
mod nfts;
mod notifications;
mod obstacles;
mod others;
mod own_adverts;
mod payers;
mod payments;
mod polls;
mod prefunding;
#[path = "../product/mod.rs"]
mod product;
mod receipts;
mod recharge;
mod records;
mod requirements;
mod samples;
mod slow_advertisers;
mod stage;
mod story;
mod takers;
mod talk;
mod talk_files;
mod traders;
mod twice;
mod upload_limits;
mod uploads;
mod viewed_adverts;
