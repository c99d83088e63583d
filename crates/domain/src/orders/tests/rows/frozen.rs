//! Transitions that freeze and unfreeze orders, and those of frozen orders.

use super::*;

/// The rows of an open appeal, or of none, about an order that a reorganization freezes.
macro_rules! loses {
    ($kinds:ident, $state:literal, $appeal:literal) => {
        [
            always($kinds, concat!($state, $appeal), "chain: deposit revoked", concat!($state, ", frozen", $appeal)),
            always($kinds, concat!($state, ", frozen", $appeal), "chain: deposit returned", concat!($state, $appeal)),
            always(
                $kinds,
                concat!($state, ", frozen in part", $appeal),
                "chain: deposit revoked",
                concat!($state, ", frozen", $appeal),
            ),
            always(
                $kinds,
                concat!($state, ", frozen in part", $appeal),
                "chain: deposit returned",
                concat!($state, $appeal),
            ),
        ]
    };
}

/// Each situation in which a reorganization can remove coins of the order.
const LOSSES: &[[Row; 4]] = &[
    loses!(SELL, "AWAITING_ACCEPTANCE", ""),
    loses!(SELL, "AWAITING_ACCEPTANCE", ", under appeal"),
    loses!(SELL, "AWAITING_ACCEPTANCE", ", decided for the buyer"),
    loses!(SELL, "AWAITING_ACCEPTANCE", ", decided for the seller"),
    loses!(AUTO_BUY, "AWAITING_DEPOSIT", ""),
    loses!(AUTO_BUY, "AWAITING_DEPOSIT", ", under appeal"),
    loses!(AUTO_BUY, "AWAITING_DEPOSIT", ", appealed again by the buyer"),
    loses!(AUTO_BUY, "AWAITING_DEPOSIT", ", decided for the buyer"),
    loses!(AUTO_BUY, "AWAITING_DEPOSIT", ", decided for the seller"),
    loses!(PAID, "AWAITING_PAYMENT", ""),
    loses!(PAID, "AWAITING_PAYMENT", ", under appeal"),
    loses!(PAID, "AWAITING_PAYMENT", ", appealed again by the seller"),
    loses!(PAID, "AWAITING_PAYMENT", ", appealed again by the platform"),
    loses!(MANUAL, "AWAITING_PAYMENT", ", decided for the buyer"),
    loses!(PAID, "AWAITING_PAYMENT", ", decided for the seller"),
    loses!(MANUAL, "AWAITING_CONFIRMATION", ""),
    loses!(MANUAL, "AWAITING_CONFIRMATION", ", under appeal"),
    loses!(MANUAL, "AWAITING_CONFIRMATION", ", appealed again by the buyer"),
    loses!(MANUAL, "AWAITING_CONFIRMATION", ", appealed again by the seller"),
    loses!(MANUAL, "AWAITING_CONFIRMATION", ", appealed again by the platform"),
    loses!(MANUAL, "AWAITING_CONFIRMATION", ", decided for the buyer"),
    loses!(MANUAL, "AWAITING_CONFIRMATION", ", decided for the seller"),
    loses!(ALL, "RELEASING, voided", ", under appeal"),
    loses!(ALL, "RELEASING, voided", ", decided for the buyer"),
    loses!(ALL, "RELEASING, voided", ", decided for the seller"),
    loses!(REFUNDED, "REFUNDING, voided", ", under appeal"),
    loses!(BUY, "REFUNDING, voided", ", decided for the buyer"),
    loses!(REFUNDED, "REFUNDING, voided", ", decided for the seller"),
];

/// The rows of a frozen order: either party appeals after 24 hours, and the platform after seven days.
macro_rules! appealed {
    ($kinds:ident, $state:literal) => {
        [
            ($kinds, $state, "buyer: appeal", DAY_FROZEN, WHATEVER, concat!($state, ", under appeal")),
            ($kinds, $state, "seller: appeal", DAY_FROZEN, WHATEVER, concat!($state, ", under appeal")),
            ($kinds, $state, "clock: appeal due", WEEK_FROZEN, WHATEVER, concat!($state, ", under appeal")),
        ]
    };
}

const APPEALED: &[[Row; 3]] = &[
    appealed!(SELL, "AWAITING_ACCEPTANCE, frozen"),
    appealed!(SELL, "AWAITING_ACCEPTANCE, frozen in part"),
    appealed!(AUTO_BUY, "AWAITING_DEPOSIT, frozen"),
    appealed!(AUTO_BUY, "AWAITING_DEPOSIT, frozen in part"),
    appealed!(PAID, "AWAITING_PAYMENT, frozen"),
    appealed!(PAID, "AWAITING_PAYMENT, frozen in part"),
    appealed!(MANUAL, "AWAITING_CONFIRMATION, frozen"),
    appealed!(MANUAL, "AWAITING_CONFIRMATION, frozen in part"),
];

/// The rows of an appeal that an officer can decide for the seller, and that ends by withdrawal or rejection.
macro_rules! open {
    ($kinds:ident, $state:literal) => {
        [
            always($kinds, concat!($state, ", under appeal"), "buyer: withdraw the appeal", $state),
            always($kinds, concat!($state, ", under appeal"), "seller: withdraw the appeal", $state),
            always($kinds, concat!($state, ", under appeal"), "officer: reject the appeal", $state),
        ]
    };
}

const OPEN: &[[Row; 3]] = &[
    open!(SELL, "AWAITING_ACCEPTANCE"),
    open!(SELL, "AWAITING_ACCEPTANCE, frozen"),
    open!(SELL, "AWAITING_ACCEPTANCE, frozen in part"),
    open!(AUTO_BUY, "AWAITING_DEPOSIT, frozen"),
    open!(AUTO_BUY, "AWAITING_DEPOSIT, frozen in part"),
    open!(PAID, "AWAITING_PAYMENT, frozen"),
    open!(PAID, "AWAITING_PAYMENT, frozen in part"),
    open!(MANUAL, "AWAITING_CONFIRMATION, frozen"),
    open!(MANUAL, "AWAITING_CONFIRMATION, frozen in part"),
];

/// The rows of a verdict for this party, its revocation and its execution.
macro_rules! verdict {
    ($kinds:ident, $state:literal, $officer:literal, $decided:literal, $next:literal) => {
        [
            always($kinds, concat!($state, ", under appeal"), $officer, concat!($state, $decided)),
            always($kinds, concat!($state, $decided), "officer: reopen the appeal", concat!($state, ", under appeal")),
            ($kinds, concat!($state, $decided), "clock: verdict due", AT, WHATEVER, $next),
        ]
    };
    (buyer $kinds:ident, $state:literal, $next:literal) => {
        verdict!($kinds, $state, "officer: for the buyer", ", decided for the buyer", $next)
    };
    (seller $kinds:ident, $state:literal, $next:literal) => {
        verdict!($kinds, $state, "officer: for the seller", ", decided for the seller", $next)
    };
}

/// Coins left the escrow after the verdict. A release would move others than the officer decided about, so the appeal is reopened.
const VERDICTS: &[[Row; 3]] = &[
    verdict!(buyer SELL, "AWAITING_ACCEPTANCE", "CANCELLED"),
    verdict!(seller SELL, "AWAITING_ACCEPTANCE", "CANCELLED"),
    verdict!(buyer SELL, "AWAITING_ACCEPTANCE, frozen", "CANCELLED"),
    verdict!(seller SELL, "AWAITING_ACCEPTANCE, frozen", "CANCELLED"),
    verdict!(buyer SELL, "AWAITING_ACCEPTANCE, frozen in part", "CANCELLED"),
    verdict!(seller SELL, "AWAITING_ACCEPTANCE, frozen in part", "CANCELLED"),
    verdict!(buyer AUTO_BUY, "AWAITING_DEPOSIT, frozen", "CANCELLED"),
    verdict!(seller AUTO_BUY, "AWAITING_DEPOSIT, frozen", "CANCELLED"),
    verdict!(buyer AUTO_BUY, "AWAITING_DEPOSIT, frozen in part", "CANCELLED"),
    verdict!(seller AUTO_BUY, "AWAITING_DEPOSIT, frozen in part", "CANCELLED"),
    verdict!(buyer MANUAL, "AWAITING_PAYMENT, frozen in part", "AWAITING_PAYMENT, frozen in part, under appeal"),
    verdict!(buyer MANUAL, "AWAITING_CONFIRMATION, frozen in part", "AWAITING_CONFIRMATION, frozen in part, under appeal"),
    verdict!(seller SELLS, "AWAITING_PAYMENT, frozen", "CANCELLED"),
    verdict!(seller SELLS, "AWAITING_PAYMENT, frozen in part", "CANCELLED"),
    verdict!(seller SELL, "AWAITING_CONFIRMATION, frozen", "CANCELLED"),
    verdict!(seller SELL, "AWAITING_CONFIRMATION, frozen in part", "CANCELLED"),
    // Nothing is left to refund.
    verdict!(seller BUY, "AWAITING_PAYMENT, frozen", "CANCELLED"),
    verdict!(seller BUY, "AWAITING_CONFIRMATION, frozen", "CANCELLED"),
    verdict!(seller BUY, "AWAITING_PAYMENT, frozen in part", "REFUNDING"),
    verdict!(seller BUY, "AWAITING_CONFIRMATION, frozen in part", "REFUNDING"),
    verdict!(buyer MANUAL, "RELEASING, voided, frozen", "RELEASING, voided, frozen, under appeal"),
    verdict!(buyer MANUAL, "RELEASING, voided, frozen in part", "RELEASING, voided, frozen in part, under appeal"),
    verdict!(seller SELL, "RELEASING, voided, frozen", "CANCELLED"),
    verdict!(seller SELL, "RELEASING, voided, frozen in part", "CANCELLED"),
    verdict!(seller REFUNDED, "RELEASING, voided, frozen", "REFUNDING"),
    verdict!(seller REFUNDED, "RELEASING, voided, frozen in part", "REFUNDING"),
    verdict!(buyer BUY, "REFUNDING, voided, frozen in part", "REFUNDING, voided, frozen in part, under appeal"),
    verdict!(seller REFUNDED, "REFUNDING, voided, frozen", "CANCELLED"),
    verdict!(seller REFUNDED, "REFUNDING, voided, frozen in part", "REFUNDING"),
];

/// The rows of a verdict for the buyer whose coins a reorganization removed: an officer decides again.
macro_rules! reopens {
    ($kinds:ident, $state:literal) => {
        [
            (
                $kinds,
                concat!($state, ", decided for the buyer"),
                "clock: verdict due",
                AT,
                WHATEVER,
                concat!($state, ", under appeal"),
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

const REOPENED: &[[Row; 2]] = &[
    reopens!(MANUAL, "AWAITING_PAYMENT, frozen"),
    reopens!(MANUAL, "AWAITING_CONFIRMATION, frozen"),
    reopens!(AUTO, "RELEASING, voided, frozen"),
    reopens!(AUTO, "RELEASING, voided, frozen in part"),
    reopens!(BUY, "REFUNDING, voided, frozen"),
];

/// The rows of a voided payout that the chain makes valid again.
macro_rules! unvoided {
    ($kinds:ident, $state:literal, $appeal:literal) => {
        [
            always($kinds, concat!($state, ", voided, frozen", $appeal), "chain: void revoked", $state),
            always($kinds, concat!($state, ", voided, frozen in part", $appeal), "chain: void revoked", $state),
        ]
    };
}

const UNVOIDED: &[[Row; 2]] = &[
    unvoided!(ALL, "RELEASING", ", under appeal"),
    unvoided!(ALL, "RELEASING", ", decided for the buyer"),
    unvoided!(ALL, "RELEASING", ", decided for the seller"),
    unvoided!(REFUNDED, "REFUNDING", ", under appeal"),
    unvoided!(BUY, "REFUNDING", ", decided for the buyer"),
    unvoided!(REFUNDED, "REFUNDING", ", decided for the seller"),
];

/// The rows of a deposit that arrives while the order is frozen. It is held.
macro_rules! funded {
    ($kinds:ident, $state:literal, $funded:literal, $appeal:literal) => {
        [
            always(
                $kinds,
                concat!($state, ", frozen", $appeal),
                $funded,
                concat!($state, ", both coins held, frozen", $appeal),
            ),
            always(
                $kinds,
                concat!($state, ", frozen in part", $appeal),
                $funded,
                concat!($state, ", both coins held, frozen in part", $appeal),
            ),
        ]
    };
}

const FUNDED: &[[Row; 2]] = &[
    funded!(AUTO_BUY, "AWAITING_DEPOSIT", "chain: deposit funded", ""),
    funded!(AUTO_BUY, "AWAITING_DEPOSIT", "chain: deposit funded", ", under appeal"),
    funded!(AUTO_BUY, "AWAITING_DEPOSIT", "chain: deposit funded", ", appealed again by the buyer"),
    funded!(AUTO_BUY, "AWAITING_DEPOSIT", "chain: deposit funded", ", decided for the seller"),
    funded!(AUTO_SELL, "AWAITING_PAYMENT", "chain: payment funded", ""),
    funded!(AUTO_SELL, "AWAITING_PAYMENT", "chain: payment funded", ", under appeal"),
    funded!(AUTO_SELL, "AWAITING_PAYMENT", "chain: payment funded", ", appealed again by the seller"),
    funded!(AUTO_SELL, "AWAITING_PAYMENT", "chain: payment funded", ", appealed again by the platform"),
    funded!(AUTO_SELL, "AWAITING_PAYMENT", "chain: payment funded", ", decided for the seller"),
];

const OTHERS: &[Row] = &[
    // The verdict was made before the coins arrived, and does not release them.
    always(
        AUTO_BUY,
        "AWAITING_DEPOSIT, frozen, decided for the buyer",
        "chain: deposit funded",
        "AWAITING_DEPOSIT, frozen, decided for the buyer",
    ),
    always(
        AUTO_BUY,
        "AWAITING_DEPOSIT, frozen in part, decided for the buyer",
        "chain: deposit funded",
        "AWAITING_DEPOSIT, frozen in part, decided for the buyer",
    ),
    always(MANUAL, "AWAITING_PAYMENT, frozen", "buyer: mark paid", "AWAITING_CONFIRMATION, frozen"),
    always(MANUAL, "AWAITING_PAYMENT, frozen in part", "buyer: mark paid", "AWAITING_CONFIRMATION, frozen in part"),
    // A reorganization removes the other leg as well.
    always(
        AUTO,
        "RELEASING, voided, frozen, under appeal",
        "chain: deposit revoked",
        "RELEASING, voided, frozen, under appeal",
    ),
    always(
        AUTO,
        "RELEASING, voided, frozen, decided for the buyer",
        "chain: deposit revoked",
        "RELEASING, voided, frozen, decided for the buyer",
    ),
    always(
        AUTO,
        "RELEASING, voided, frozen, decided for the seller",
        "chain: deposit revoked",
        "RELEASING, voided, frozen, decided for the seller",
    ),
];

/// Returns all rows but those of evidence.
pub(super) fn rows() -> Vec<Row> {
    let threes = [APPEALED, OPEN, VERDICTS].into_iter().flatten().flatten();
    let twos = [REOPENED, UNVOIDED, FUNDED].into_iter().flatten().flatten();
    LOSSES.iter().flatten().chain(threes).chain(twos).chain(OTHERS).copied().collect()
}

/// The frozen orders with an open appeal. Both parties may add evidence, which changes no state.
pub(super) fn open() -> impl Iterator<Item = (&'static [Kind], &'static str)> {
    LOSSES
        .iter()
        .flatten()
        .filter(|row| row.1.contains(", frozen") && row.2 == "chain: deposit returned")
        .map(|row| (row.0, row.1))
        .filter(|(_, state)| ["appeal", "decided"].iter().any(|word| state.contains(word)))
}
