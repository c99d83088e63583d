//! Checks before an advert is posted or an order is placed. They run in a fixed order and stop at the first refusal.
//!
//! They return the terms to post or place, so no check can be skipped.

mod advert;
mod order;
mod remark;
#[cfg(test)]
mod tests;
mod user;

pub use advert::{AdvertFacts, AdvertRequest, MAX_ADVERTS, PAYMENT_WINDOW, advert};
pub use order::{MAX_OPEN_ORDERS, OrderFacts, OrderRequest, available, order, order_amounts, owner_available};
pub use remark::{MAX_REMARK, has_contact_information, public_text, unspeakable};
pub use user::{TradeRequirement, TraderFacts, hold};
