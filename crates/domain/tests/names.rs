//! The names under which the database stores values and clients see them. Changing one needs a migration.

use domain::chain::SettlementOutcome;
use domain::console::Role;
use domain::identity::email::CodePurpose;
use domain::ledger::AccountKind;
use domain::orders::{FundsLocation, StepName};
use domain::reputation::Cause;
use domain::talk::Warning;
use domain::trade::{Party, Side};
use domain::users::KycLevel;
use serde::Serialize;
use strum::VariantArray;

/// Returns the names, which are the same in JSON.
fn names<T: Copy + Serialize + Into<&'static str>, const N: usize>(all: [T; N]) -> [&'static str; N] {
    all.map(|one| {
        let name = one.into();
        assert_eq!(serde_json::to_value(one).ok(), Some(name.into()));
        name
    })
}

#[test]
fn money_is_stored_under_these_names() {
    let outcomes =
        [SettlementOutcome::Paid, SettlementOutcome::Failed, SettlementOutcome::Rejected, SettlementOutcome::Voided];
    assert_eq!(outcomes.map(<&str>::from), ["paid", "failed", "rejected", "voided"]);
    assert_eq!(
        [
            AccountKind::Custody,
            AccountKind::Temporary,
            AccountKind::AdvertEscrow,
            AccountKind::OrderEscrow,
            AccountKind::InFlight,
            AccountKind::Fees,
            AccountKind::Gas,
            AccountKind::ReorganisationLoss,
        ]
        .map(<&str>::from),
        ["custody", "temporary", "advert_escrow", "order_escrow", "in_flight", "fees", "gas", "reorganisation_loss"]
    );
}

#[test]
fn trades_are_stored_and_shown_under_these_names() {
    assert_eq!(names([Side::Sell, Side::Buy]), ["SELL", "BUY"]);
    assert_eq!(names(Party::ALL), ["BUYER", "SELLER"]);
    let steps = [
        StepName::BuyerAccepted,
        StepName::SellerDeposited,
        StepName::BuyerPaid,
        StepName::SellerReceived,
        StepName::ChainConfirmed,
    ];
    assert_eq!(
        names(steps),
        ["BUYER_ACCEPTED", "SELLER_DEPOSITED", "BUYER_PAID", "SELLER_RECEIVED", "CHAIN_CONFIRMED"]
    );
    let places = [
        FundsLocation::Seller,
        FundsLocation::Escrow,
        FundsLocation::InFlight,
        FundsLocation::Buyer,
        FundsLocation::Returned,
    ];
    assert_eq!(names(places), ["SELLER", "ESCROW", "IN_FLIGHT", "BUYER", "RETURNED"]);
}

#[test]
fn people_are_stored_under_these_names() {
    assert_eq!(
        Cause::VARIANTS.iter().map(Cause::into_str).collect::<Vec<_>>(),
        ["CANCELLED", "DEPOSIT_OVERDUE", "PAYMENT_OVERDUE", "APPEAL_LOST", "APPEAL_MALICIOUS", "MONTHLY_RESTORATION"]
    );
    assert_eq!(names([KycLevel::None, KycLevel::Basic, KycLevel::Advanced]), ["none", "basic", "advanced"]);
    let purposes = [CodePurpose::Register, CodePurpose::Reset, CodePurpose::Security];
    assert_eq!(names(purposes), ["register", "reset", "security"]);
    assert_eq!(purposes.map(|purpose| purpose.into_str().parse()), purposes.map(Ok));
    assert_eq!("other".parse::<CodePurpose>().ok(), None);
    assert_eq!(names([Warning::OffPlatform, Warning::EarlyRelease]), ["OFF_PLATFORM", "EARLY_RELEASE"]);
    let roles = [Role::CustomerService, Role::AppealOfficer, Role::Administrator];
    assert_eq!(names(roles), ["CUSTOMER_SERVICE", "APPEAL_OFFICER", "ADMINISTRATOR"]);
}
