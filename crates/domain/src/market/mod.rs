//! The market: what price is sound, and which adverts come first.

mod average;
mod band;
mod order;

pub use average::average;
pub use band::Band;
pub use order::{Listing, Sort, Want, matching, sort};
