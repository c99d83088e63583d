//! Transitions of orders that are appealed a second time. Only the author can withdraw such an appeal.

use super::*;

macro_rules! rejected {
    ($kinds:ident, $state:literal, $author:literal) => {
        always($kinds, concat!($state, ", appealed again by the ", $author), "officer: reject the appeal", $state)
    };
}

macro_rules! decided {
    ($kinds:ident, $state:literal, $author:literal, $winner:literal) => {
        always(
            $kinds,
            concat!($state, ", appealed again by the ", $author),
            concat!("officer: for the ", $winner),
            concat!($state, ", decided for the ", $winner),
        )
    };
}

/// The rows of a repeated appeal with an author who can withdraw it.
macro_rules! by_party {
    ($kinds:ident, $state:literal, $party:literal) => {
        [
            always(
                $kinds,
                concat!($state, ", appealed again by the ", $party),
                concat!($party, ": withdraw the appeal"),
                $state,
            ),
            rejected!($kinds, $state, $party),
            decided!($kinds, $state, $party, "seller"),
        ]
    };
}

const BY_PARTIES: &[[Row; 3]] = &[
    by_party!(BUYS, "AWAITING_DEPOSIT", "buyer"),
    by_party!(AUTO_BUY, "AWAITING_DEPOSIT, frozen", "buyer"),
    by_party!(AUTO_BUY, "AWAITING_DEPOSIT, frozen in part", "buyer"),
    by_party!(PAID, "AWAITING_PAYMENT", "seller"),
    by_party!(PAID, "AWAITING_PAYMENT, frozen", "seller"),
    by_party!(PAID, "AWAITING_PAYMENT, frozen in part", "seller"),
    by_party!(MANUAL, "AWAITING_CONFIRMATION", "buyer"),
    by_party!(MANUAL, "AWAITING_CONFIRMATION, frozen", "buyer"),
    by_party!(MANUAL, "AWAITING_CONFIRMATION, frozen in part", "buyer"),
    by_party!(MANUAL, "AWAITING_CONFIRMATION", "seller"),
    by_party!(MANUAL, "AWAITING_CONFIRMATION, frozen", "seller"),
    by_party!(MANUAL, "AWAITING_CONFIRMATION, frozen in part", "seller"),
];

const OTHERS: &[Row] = &[
    rejected!(PAID, "AWAITING_PAYMENT", "platform"),
    rejected!(PAID, "AWAITING_PAYMENT, frozen", "platform"),
    rejected!(PAID, "AWAITING_PAYMENT, frozen in part", "platform"),
    rejected!(MANUAL, "AWAITING_CONFIRMATION", "platform"),
    rejected!(MANUAL, "AWAITING_CONFIRMATION, frozen", "platform"),
    rejected!(MANUAL, "AWAITING_CONFIRMATION, frozen in part", "platform"),
    decided!(PAID, "AWAITING_PAYMENT", "platform", "seller"),
    decided!(PAID, "AWAITING_PAYMENT, frozen", "platform", "seller"),
    decided!(PAID, "AWAITING_PAYMENT, frozen in part", "platform", "seller"),
    decided!(MANUAL, "AWAITING_CONFIRMATION", "platform", "seller"),
    decided!(MANUAL, "AWAITING_CONFIRMATION, frozen", "platform", "seller"),
    decided!(MANUAL, "AWAITING_CONFIRMATION, frozen in part", "platform", "seller"),
    // For the buyer only if there is something to release, or the buyer cannot have paid.
    decided!(BUYS, "AWAITING_DEPOSIT", "buyer", "buyer"),
    decided!(AUTO_BUY, "AWAITING_DEPOSIT, frozen", "buyer", "buyer"),
    decided!(AUTO_BUY, "AWAITING_DEPOSIT, frozen in part", "buyer", "buyer"),
    decided!(MANUAL, "AWAITING_PAYMENT", "seller", "buyer"),
    decided!(MANUAL, "AWAITING_PAYMENT, frozen in part", "seller", "buyer"),
    decided!(MANUAL, "AWAITING_PAYMENT", "platform", "buyer"),
    decided!(MANUAL, "AWAITING_PAYMENT, frozen in part", "platform", "buyer"),
    decided!(MANUAL, "AWAITING_CONFIRMATION", "buyer", "buyer"),
    decided!(MANUAL, "AWAITING_CONFIRMATION, frozen in part", "buyer", "buyer"),
    decided!(MANUAL, "AWAITING_CONFIRMATION", "seller", "buyer"),
    decided!(MANUAL, "AWAITING_CONFIRMATION, frozen in part", "seller", "buyer"),
    decided!(MANUAL, "AWAITING_CONFIRMATION", "platform", "buyer"),
    decided!(MANUAL, "AWAITING_CONFIRMATION, frozen in part", "platform", "buyer"),
    always(
        BUY,
        "AWAITING_DEPOSIT, appealed again by the buyer",
        "chain: deposit funded",
        "AWAITING_PAYMENT, appealed again by the buyer",
    ),
    always(
        AUTO_BUY,
        "AWAITING_DEPOSIT, appealed again by the buyer",
        "chain: deposit funded",
        "AWAITING_DEPOSIT, both coins held, appealed again by the buyer",
    ),
    always(
        AUTO_SELL,
        "AWAITING_PAYMENT, appealed again by the seller",
        "chain: payment funded",
        "AWAITING_PAYMENT, both coins held, appealed again by the seller",
    ),
    always(
        AUTO_SELL,
        "AWAITING_PAYMENT, appealed again by the platform",
        "chain: payment funded",
        "AWAITING_PAYMENT, both coins held, appealed again by the platform",
    ),
];

pub(super) fn rows() -> impl Iterator<Item = Row> {
    BY_PARTIES.iter().flatten().chain(OTHERS).copied()
}

/// The orders that are appealed again and not frozen. Both parties may add evidence, which changes no state.
pub(super) const OPEN: &[(&[Kind], &str)] = &[
    (BUYS, "AWAITING_DEPOSIT, appealed again by the buyer"),
    (PAID, "AWAITING_PAYMENT, appealed again by the seller"),
    (PAID, "AWAITING_PAYMENT, appealed again by the platform"),
    (MANUAL, "AWAITING_CONFIRMATION, appealed again by the buyer"),
    (MANUAL, "AWAITING_CONFIRMATION, appealed again by the seller"),
    (MANUAL, "AWAITING_CONFIRMATION, appealed again by the platform"),
];
