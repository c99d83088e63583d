//! The market: what price is sound, and which adverts come first.

mod band;
mod order;

pub use band::Band;
pub use order::{Listing, Sort, Want, matching, sort};
