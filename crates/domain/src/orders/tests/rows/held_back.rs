//! Transitions of automatic orders whose second coin arrived while they were suspended. The end of the suspension releases
//! both coins.

use super::*;

/// The rows of an appeal, and of its verdicts, about an order that is not frozen.
macro_rules! under_appeal {
    ($kinds:ident, $state:literal) => {
        [
            always($kinds, concat!($state, ", under appeal"), "buyer: withdraw the appeal", "RELEASING"),
            always($kinds, concat!($state, ", under appeal"), "seller: withdraw the appeal", "RELEASING"),
            always($kinds, concat!($state, ", under appeal"), "officer: reject the appeal", "RELEASING"),
            ($kinds, concat!($state, ", decided for the buyer"), "clock: verdict due", AT, WHATEVER, "RELEASING"),
            always(
                $kinds,
                concat!($state, ", under appeal"),
                "officer: for the buyer",
                concat!($state, ", decided for the buyer"),
            ),
            always(
                $kinds,
                concat!($state, ", decided for the buyer"),
                "officer: reopen the appeal",
                concat!($state, ", under appeal"),
            ),
        ]
    };
}

const UNDER_APPEAL: &[[Row; 6]] = &[
    under_appeal!(AUTO_BUY, "AWAITING_DEPOSIT, both coins held"),
    under_appeal!(AUTO_SELL, "AWAITING_PAYMENT, both coins held"),
];

/// The rows of a frozen order, and of an appeal about it. Not even a rejection releases the coins.
macro_rules! frozen {
    ($kinds:ident, $state:literal) => {
        [
            always($kinds, $state, "chain: deposit returned", "RELEASING"),
            ($kinds, $state, "buyer: appeal", DAY_FROZEN, WHATEVER, concat!($state, ", under appeal")),
            ($kinds, $state, "seller: appeal", DAY_FROZEN, WHATEVER, concat!($state, ", under appeal")),
            ($kinds, $state, "clock: appeal due", WEEK_FROZEN, WHATEVER, concat!($state, ", under appeal")),
            always($kinds, concat!($state, ", under appeal"), "buyer: withdraw the appeal", $state),
            always($kinds, concat!($state, ", under appeal"), "seller: withdraw the appeal", $state),
            always($kinds, concat!($state, ", under appeal"), "officer: reject the appeal", $state),
        ]
    };
}

const FROZEN: &[[Row; 7]] = &[
    frozen!(AUTO_BUY, "AWAITING_DEPOSIT, both coins held, frozen"),
    frozen!(AUTO_BUY, "AWAITING_DEPOSIT, both coins held, frozen in part"),
    frozen!(AUTO_SELL, "AWAITING_PAYMENT, both coins held, frozen"),
    frozen!(AUTO_SELL, "AWAITING_PAYMENT, both coins held, frozen in part"),
];

/// The rows of a verdict for the seller, which returns each coin to its source, and of the revocation of verdicts.
macro_rules! decided {
    ($kinds:ident, $state:literal) => {
        [
            always(
                $kinds,
                concat!($state, ", under appeal"),
                "officer: for the seller",
                concat!($state, ", decided for the seller"),
            ),
            ($kinds, concat!($state, ", decided for the seller"), "clock: verdict due", AT, WHATEVER, "REFUNDING"),
            always(
                $kinds,
                concat!($state, ", decided for the seller"),
                "officer: reopen the appeal",
                concat!($state, ", under appeal"),
            ),
        ]
    };
}

const DECIDED: &[[Row; 3]] = &[
    decided!(AUTO_BUY, "AWAITING_DEPOSIT, both coins held"),
    decided!(AUTO_BUY, "AWAITING_DEPOSIT, both coins held, frozen"),
    decided!(AUTO_BUY, "AWAITING_DEPOSIT, both coins held, frozen in part"),
    decided!(AUTO_SELL, "AWAITING_PAYMENT, both coins held"),
    decided!(AUTO_SELL, "AWAITING_PAYMENT, both coins held, frozen"),
    decided!(AUTO_SELL, "AWAITING_PAYMENT, both coins held, frozen in part"),
];

macro_rules! lost {
    ($kinds:ident, $state:literal, $before:literal, $after:literal, $appeal:literal) => {
        always($kinds, concat!($state, $before, $appeal), "chain: deposit revoked", concat!($state, $after, $appeal))
    };
}

/// The rows of chain events that freeze and unfreeze an order with an open appeal.
macro_rules! loses {
    ($kinds:ident, $state:literal, $first:literal, $rest:literal, $appeal:literal) => {
        [
            always($kinds, concat!($state, $appeal), "chain: deposit revoked", concat!($state, $first, $appeal)),
            always($kinds, concat!($state, ", frozen", $appeal), "chain: deposit returned", concat!($state, $appeal)),
            always(
                $kinds,
                concat!($state, ", frozen in part", $appeal),
                "chain: deposit returned",
                concat!($state, $appeal),
            ),
            lost!($kinds, $state, ", frozen", ", frozen", $appeal),
            lost!($kinds, $state, ", frozen in part", $rest, $appeal),
        ]
    };
}

const LOSSES: &[[Row; 5]] = &[
    loses!(AUTO_BUY, "AWAITING_DEPOSIT, both coins held", ", frozen", ", frozen in part", ", under appeal"),
    loses!(AUTO_BUY, "AWAITING_DEPOSIT, both coins held", ", frozen", ", frozen in part", ", decided for the seller"),
    loses!(AUTO_SELL, "AWAITING_PAYMENT, both coins held", ", frozen", ", frozen", ", under appeal"),
    loses!(AUTO_SELL, "AWAITING_PAYMENT, both coins held", ", frozen", ", frozen", ", decided for the seller"),
];

const OTHERS: &[Row] = &[
    lost!(AUTO_BUY, "AWAITING_DEPOSIT, both coins held", ", frozen", ", frozen", ""),
    lost!(AUTO_BUY, "AWAITING_DEPOSIT, both coins held", ", frozen in part", ", frozen in part", ""),
    lost!(AUTO_SELL, "AWAITING_PAYMENT, both coins held", ", frozen", ", frozen", ""),
    lost!(AUTO_SELL, "AWAITING_PAYMENT, both coins held", ", frozen in part", ", frozen", ""),
    lost!(AUTO_BUY, "AWAITING_DEPOSIT, both coins held", "", ", frozen", ", decided for the buyer"),
    lost!(AUTO_SELL, "AWAITING_PAYMENT, both coins held", "", ", frozen", ", decided for the buyer"),
];

/// The orders with an open appeal. Both parties may add evidence, which changes no state.
pub(super) const OPEN: &[(&[Kind], &str)] = &[
    (AUTO_BUY, "AWAITING_DEPOSIT, both coins held, under appeal"),
    (AUTO_BUY, "AWAITING_DEPOSIT, both coins held, decided for the buyer"),
    (AUTO_BUY, "AWAITING_DEPOSIT, both coins held, decided for the seller"),
    (AUTO_BUY, "AWAITING_DEPOSIT, both coins held, frozen, under appeal"),
    (AUTO_BUY, "AWAITING_DEPOSIT, both coins held, frozen, decided for the seller"),
    (AUTO_BUY, "AWAITING_DEPOSIT, both coins held, frozen in part, under appeal"),
    (AUTO_BUY, "AWAITING_DEPOSIT, both coins held, frozen in part, decided for the seller"),
    (AUTO_SELL, "AWAITING_PAYMENT, both coins held, under appeal"),
    (AUTO_SELL, "AWAITING_PAYMENT, both coins held, decided for the buyer"),
    (AUTO_SELL, "AWAITING_PAYMENT, both coins held, decided for the seller"),
    (AUTO_SELL, "AWAITING_PAYMENT, both coins held, frozen, under appeal"),
    (AUTO_SELL, "AWAITING_PAYMENT, both coins held, frozen, decided for the seller"),
    (AUTO_SELL, "AWAITING_PAYMENT, both coins held, frozen in part, under appeal"),
    (AUTO_SELL, "AWAITING_PAYMENT, both coins held, frozen in part, decided for the seller"),
];

pub(super) fn rows() -> impl Iterator<Item = Row> {
    let decided = DECIDED.iter().flatten().chain(LOSSES.iter().flatten()).chain(OTHERS);
    UNDER_APPEAL.iter().flatten().chain(FROZEN.iter().flatten()).chain(decided).copied()
}
