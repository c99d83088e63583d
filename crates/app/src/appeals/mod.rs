//! Appeals: officers decide orders that the parties, the clock and the chain cannot end.

mod decide;
mod view;

pub use decide::{Decided, Decision, Officer, Rules, Ruling, decide};
pub use view::{AppealView, one, order_of, page};
