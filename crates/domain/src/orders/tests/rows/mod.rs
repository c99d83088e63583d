//! The rows of the table of transitions, by subject.

mod again;
mod appeals;
mod frozen;
mod held_back;
mod trades;

use super::table::{Seen, When};
use super::{AUTOMATIC_BUY, AUTOMATIC_SELL, Kind, MANUAL_BUY, MANUAL_SELL};

/// A row of the table: kinds, state, command, times, coins seen on the chain, next state.
pub(super) type Row = (&'static [Kind], &'static str, &'static str, &'static [When], &'static [Seen], &'static str);

const SELL: &[Kind] = &[MANUAL_SELL];
const BUY: &[Kind] = &[MANUAL_BUY];
const MANUAL: &[Kind] = &[MANUAL_SELL, MANUAL_BUY];
const AUTO_SELL: &[Kind] = &[AUTOMATIC_SELL];
const AUTO_BUY: &[Kind] = &[AUTOMATIC_BUY];
const SELLS: &[Kind] = &[MANUAL_SELL, AUTOMATIC_SELL];
const AUTO: &[Kind] = &[AUTOMATIC_SELL, AUTOMATIC_BUY];
const BUYS: &[Kind] = &[MANUAL_BUY, AUTOMATIC_BUY];
const PAID: &[Kind] = &[MANUAL_SELL, MANUAL_BUY, AUTOMATIC_SELL];
/// The kinds whose taker has deposited coins by the time of the release.
const REFUNDED: &[Kind] = &[MANUAL_BUY, AUTOMATIC_SELL, AUTOMATIC_BUY];
const ALL: &[Kind] = &Kind::ALL;
const ANY: &[When] = &When::ALL;
const BEFORE: &[When] = &[When::InTime];
const AT: &[When] = &[When::Overdue];
const OVERDUE: &[When] = &[When::Overdue, When::InGrace, When::GraceOver, When::SevenDays];
const LATE: &[When] = &[When::GraceOver, When::SevenDays];
const WEEK: &[When] = &[When::SevenDays];
const DAY_FROZEN: &[When] = &[When::DayFrozen, When::WeekFrozen];
const WEEK_FROZEN: &[When] = &[When::WeekFrozen];
const WHATEVER: &[Seen] = &Seen::ALL;
const NOT_COVERED: &[Seen] = &[Seen::Nothing, Seen::Payment, Seen::Ambiguous];
const UNSEEN: &[Seen] = &[Seen::Nothing];
const COVERED: &[Seen] = &[Seen::Cover];
const SEEN: &[Seen] = &[Seen::Cover, Seen::Payment];
const MAYBE_SEEN: &[Seen] = &[Seen::Cover, Seen::Payment, Seen::Ambiguous];
const AMBIGUOUS: &[Seen] = &[Seen::Ambiguous];

/// Returns the complete table.
pub(super) fn table() -> Vec<Row> {
    let open = appeals::OPEN.iter().chain(again::OPEN).chain(held_back::OPEN).copied().chain(frozen::open());
    let evidence = open.flat_map(|(kinds, state)| {
        ["buyer: add evidence", "seller: add evidence"].map(|command| always(kinds, state, command, state))
    });
    let fixed = trades::ROWS.iter().chain(appeals::ROWS).copied();
    fixed.chain(frozen::rows()).chain(again::rows()).chain(held_back::rows()).chain(evidence).collect()
}

/// Returns the row of a transition that does not depend on the time, nor on the coins seen on the chain.
const fn always(kinds: &'static [Kind], state: &'static str, command: &'static str, next: &'static str) -> Row {
    (kinds, state, command, ANY, WHATEVER, next)
}
