//! The market: reference prices, price bands, and sorting of adverts.

mod average;
mod band;
mod comparison;
mod misfit;
mod movement;
mod offer;
mod order;
mod reference;

pub use average::average;
pub use band::Band;
pub use comparison::{Comparison, Source, compare, cross_rate};
pub use misfit::Misfit;
pub use movement::AnchoredPrice;
pub use offer::Offer;
pub use order::{Rank, Sort};
pub use reference::{MIN_ACCOUNT_AGE, MIN_TRADES, Trade, reference};
