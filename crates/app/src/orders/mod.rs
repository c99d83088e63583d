//! Places orders, and shows them to their parties.

mod csv;
mod history;
mod place;
mod view;

pub use history::{Export, MAX_EXPORTED, Wanted, export, history};
pub use place::{PlaceOrder, Size};
pub use store::payments::Repeated;
pub use view::{OrderView, mark_read, one, open_page, order, page};

pub(crate) use place::{place, taker_sends};
pub(crate) use view::OrderViews;
