//! The checks before an advert is posted or an order is placed. They run in a fixed order; the first refusal is
//! returned.
//!
//! The checks return the terms, so that nothing unchecked can be posted or placed.

mod advert;
mod order;
mod person;
mod remark;
#[cfg(test)]
mod tests;

pub use advert::{AdvertFacts, AdvertRequest, MAX_ADVERTS, PAYMENT_WINDOW, advert};
pub use order::{MAX_OPEN_ORDERS, OrderFacts, OrderRequest, available, order, order_amounts};
pub use remark::MAX_REMARK;
