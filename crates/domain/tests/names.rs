//! The names under which the database stores values and clients see them. Changing one needs a migration.

use chrono::DateTime;
use domain::chain::SettlementOutcome;
use domain::identity::email::CodePurpose;
use domain::ledger::AccountKind;
use domain::money::Amount;
use domain::orders::{FundsLocation, Overlay, StepName};
use domain::reputation::Cause;
use domain::trade::{Party, Side};

#[test]
fn money_is_stored_under_these_names() {
    assert_eq!(SettlementOutcome::ALL.map(SettlementOutcome::name), ["paid", "failed", "rejected", "voided"]);
    assert_eq!(
        AccountKind::ALL.map(AccountKind::name),
        ["custody", "temporary", "advert_escrow", "order_escrow", "in_flight", "fees", "gas", "reorganisation_loss"]
    );
}

#[test]
fn trades_are_stored_and_shown_under_these_names() {
    assert_eq!(Side::ALL.map(Side::name), ["SELL", "BUY"]);
    assert_eq!([Party::Buyer, Party::Seller].map(Party::name), ["BUYER", "SELLER"]);
    let steps = [
        StepName::BuyerAccepted,
        StepName::SellerDeposited,
        StepName::BuyerPaid,
        StepName::SellerReceived,
        StepName::ChainConfirmed,
    ];
    assert_eq!(
        steps.map(StepName::name),
        ["BUYER_ACCEPTED", "SELLER_DEPOSITED", "BUYER_PAID", "SELLER_RECEIVED", "CHAIN_CONFIRMED"]
    );
    let places = [
        FundsLocation::Seller,
        FundsLocation::Escrow,
        FundsLocation::InFlight,
        FundsLocation::Buyer,
        FundsLocation::Returned,
    ];
    assert_eq!(places.map(FundsLocation::name), ["SELLER", "ESCROW", "IN_FLIGHT", "BUYER", "RETURNED"]);
    let frozen = Overlay::Frozen { since: DateTime::UNIX_EPOCH, base: Amount::ONE, quote: Amount::ZERO };
    assert_eq!(frozen.name(), "FROZEN");
}

#[test]
fn people_are_stored_under_these_names() {
    assert_eq!(
        Cause::ALL.map(Cause::name),
        ["CANCELLED", "DEPOSIT_OVERDUE", "PAYMENT_OVERDUE", "APPEAL_LOST", "APPEAL_MALICIOUS", "MONTHLY_RESTORATION"]
    );
    let purposes = [CodePurpose::Register, CodePurpose::Reset, CodePurpose::Security];
    assert_eq!(purposes.map(CodePurpose::as_str), ["register", "reset", "security"]);
    assert_eq!(purposes.map(|purpose| purpose.as_str().parse()), purposes.map(Ok));
}
