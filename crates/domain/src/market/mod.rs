//! The market: reference prices, price bands, and sorting of adverts.

mod average;
mod band;
mod order;
mod reference;

pub use average::average;
pub use band::Band;
pub use order::{Listing, Sort, Want, matching, sort};
pub use reference::{ENOUGH, Trade, reference};
