//! Appeals: officers decide orders that the parties, the clock and the chain cannot end.

mod decide;
mod figures;
mod value;
mod view;

pub use decide::{AppealRuling, Decided, Officer, Rules, Ruling, decide};
pub use figures::{AppealFigures, DAYS, Figures, MIN_DECIDED};
pub use store::appeals::Proposal;

pub(crate) use decide::{are_independent, decide_in, load, proposes};
pub(crate) use value::Valuation;
pub(crate) use view::requests_to;
pub use view::{AppealView, one, order_of, page};
