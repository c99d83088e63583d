//! The enums of the API, such as states, steps and actions.

use domain::people::KycLevel;
use domain::trade::{Party, Side};
use domain::{adverts, orders};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The state of an order, as in `docs/generated/states.md`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum OrderState {
    /// The advertiser has to accept or reject the order.
    AwaitingAcceptance,
    /// The seller has to deposit.
    AwaitingDeposit,
    /// The buyer has to pay.
    AwaitingPayment,
    /// The seller has to confirm that the payment was received.
    AwaitingConfirmation,
    /// The release is being paid out.
    Releasing,
    /// A reorganization removed the release, which is being paid again.
    ReleaseRevoked,
    /// The refund is being paid out.
    Refunding,
    /// The release is final.
    Completed,
    /// The order was cancelled.
    Cancelled,
    /// The advertiser rejected the order.
    Rejected,
}

impl From<&orders::State> for OrderState {
    fn from(of: &orders::State) -> Self {
        match of {
            orders::State::AwaitingAcceptance { .. } => Self::AwaitingAcceptance,
            orders::State::AwaitingDeposit { .. } => Self::AwaitingDeposit,
            orders::State::AwaitingPayment { .. } => Self::AwaitingPayment,
            orders::State::AwaitingConfirmation { .. } => Self::AwaitingConfirmation,
            orders::State::Releasing { .. } => Self::Releasing,
            orders::State::ReleaseRevoked { .. } => Self::ReleaseRevoked,
            orders::State::Refunding { .. } => Self::Refunding,
            orders::State::Completed { .. } => Self::Completed,
            orders::State::Cancelled { .. } => Self::Cancelled,
            orders::State::Rejected { .. } => Self::Rejected,
        }
    }
}

/// A condition that suspends an order, in any state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum OrderOverlay {
    /// A reorganization removed a deposit. The buyer must not pay.
    Frozen,
}

impl From<&orders::Overlay> for OrderOverlay {
    fn from(of: &orders::Overlay) -> Self {
        match of {
            orders::Overlay::Frozen { .. } => Self::Frozen,
        }
    }
}

/// The party of an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum Role {
    /// Receives the base.
    Buyer,
    /// Sells the base.
    Seller,
}

impl From<Party> for Role {
    fn from(of: Party) -> Self {
        match of {
            Party::Buyer => Self::Buyer,
            Party::Seller => Self::Seller,
        }
    }
}

/// A step of an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum StepName {
    /// The order was accepted, by the advertiser or automatically.
    BuyerAccepted,
    /// The base is in escrow.
    SellerDeposited,
    BuyerPaid,
    /// The seller confirmed the payment.
    SellerReceived,
    /// The release is final.
    ChainConfirmed,
}

impl From<orders::StepName> for StepName {
    fn from(of: orders::StepName) -> Self {
        match of {
            orders::StepName::BuyerAccepted => Self::BuyerAccepted,
            orders::StepName::SellerDeposited => Self::SellerDeposited,
            orders::StepName::BuyerPaid => Self::BuyerPaid,
            orders::StepName::SellerReceived => Self::SellerReceived,
            orders::StepName::ChainConfirmed => Self::ChainConfirmed,
        }
    }
}

/// A command that a user may send about an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) enum OrderAction {
    /// Accept the order.
    Accept,
    /// Reject the order.
    Reject,
    /// Check for the deposit, after "I have sent".
    CheckDeposit,
    /// Mark the order as paid.
    Pay,
    /// Confirm that the payment was received.
    Confirm,
    /// Ask the buyer to agree to a cancellation.
    AskCancel,
    /// Agree to the cancellation.
    AgreeCancel,
    /// Cancel the order.
    Cancel,
    /// Speed up a release that a reorganization removed.
    Recover,
}

impl From<orders::Action> for OrderAction {
    fn from(of: orders::Action) -> Self {
        match of {
            orders::Action::Accept => Self::Accept,
            orders::Action::Reject => Self::Reject,
            orders::Action::CheckDeposit => Self::CheckDeposit,
            orders::Action::MarkPaid => Self::Pay,
            orders::Action::Confirm => Self::Confirm,
            orders::Action::AskCancel => Self::AskCancel,
            orders::Action::AgreeCancel => Self::AgreeCancel,
            orders::Action::Cancel => Self::Cancel,
            orders::Action::Recover => Self::Recover,
        }
    }
}

/// The location of an order's base.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum FundsLocation {
    /// With the seller, not yet deposited.
    Seller,
    Escrow,
    /// In a payout.
    InFlight,
    /// With the buyer.
    Buyer,
    /// Returned to the seller.
    Returned,
}

impl From<orders::FundsLocation> for FundsLocation {
    fn from(of: orders::FundsLocation) -> Self {
        match of {
            orders::FundsLocation::Seller => Self::Seller,
            orders::FundsLocation::Escrow => Self::Escrow,
            orders::FundsLocation::InFlight => Self::InFlight,
            orders::FundsLocation::Buyer => Self::Buyer,
            orders::FundsLocation::Returned => Self::Returned,
        }
    }
}

/// The reason why an order was cancelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum CancelReason {
    /// A party cancelled it.
    Withdrawn,
    /// The seller asked for it and the buyer agreed.
    Agreed,
    /// The advertiser did not accept in time.
    AcceptanceOverdue,
    /// The seller did not deposit in time.
    DepositOverdue,
    /// The buyer did not pay in time.
    PaymentOverdue,
    /// The buyer cancelled because the seller did not confirm in time.
    ConfirmationOverdue,
    /// An officer decided for the seller.
    Decided,
}

impl From<orders::CancelReason> for CancelReason {
    fn from(of: orders::CancelReason) -> Self {
        match of {
            orders::CancelReason::Withdrawn => Self::Withdrawn,
            orders::CancelReason::Agreed => Self::Agreed,
            orders::CancelReason::AcceptanceOverdue => Self::AcceptanceOverdue,
            orders::CancelReason::DepositOverdue => Self::DepositOverdue,
            orders::CancelReason::PaymentOverdue => Self::PaymentOverdue,
            orders::CancelReason::ConfirmationOverdue => Self::ConfirmationOverdue,
            orders::CancelReason::Decided => Self::Decided,
        }
    }
}

/// The state of an advert.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum AdvertState {
    /// The advert waits for its deposit.
    Creating,
    /// The advert takes orders.
    Online,
    /// The advert takes no orders until its owner takes it online. Open orders continue.
    Offline,
    /// The advert takes no more orders. It waits for open orders to end, then for the return of the remaining escrow.
    Revoking,
    /// The advert has ended.
    Cancelled,
    /// The advert has ended and its owner has hidden it.
    Deleted,
}

impl From<&adverts::State> for AdvertState {
    fn from(of: &adverts::State) -> Self {
        match of {
            adverts::State::Creating { .. } => Self::Creating,
            adverts::State::Online => Self::Online,
            adverts::State::Offline => Self::Offline,
            adverts::State::Revoking { .. } => Self::Revoking,
            adverts::State::Cancelled { .. } => Self::Cancelled,
            adverts::State::Deleted { .. } => Self::Deleted,
        }
    }
}

/// The reason why an advert ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum EndReason {
    /// The deposit did not arrive in time.
    Expired,
    /// The owner cancelled it before the deposit was complete.
    OwnerCancelled,
    /// The deposit was not what the advert asked for.
    WrongDeposit,
    /// Everything was sold.
    SoldOut,
    /// The owner revoked it.
    Revoked,
}

impl From<adverts::EndReason> for EndReason {
    fn from(of: adverts::EndReason) -> Self {
        match of {
            adverts::EndReason::Expired => Self::Expired,
            adverts::EndReason::OwnerCancelled => Self::OwnerCancelled,
            adverts::EndReason::WrongDeposit => Self::WrongDeposit,
            adverts::EndReason::SoldOut => Self::SoldOut,
            adverts::EndReason::Revoked => Self::Revoked,
        }
    }
}

/// A command that the owner may send about an advert.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) enum AdvertAction {
    /// Check for the deposit, after "I have sent".
    CheckDeposit,
    /// Take the advert online.
    Online,
    /// Take the advert offline.
    Offline,
    /// Cancel the advert before its deposit is complete.
    Cancel,
    /// Revoke the advert: it takes no more orders, and the remaining escrow is returned.
    Revoke,
    /// Hide the advert.
    Delete,
}

impl From<adverts::Action> for AdvertAction {
    fn from(of: adverts::Action) -> Self {
        match of {
            adverts::Action::CheckDeposit => Self::CheckDeposit,
            adverts::Action::Online => Self::Online,
            adverts::Action::Offline => Self::Offline,
            adverts::Action::Cancel => Self::Cancel,
            adverts::Action::Revoke => Self::Revoke,
            adverts::Action::Delete => Self::Delete,
        }
    }
}

/// The level of identity verification at the pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Kyc {
    /// Not verified.
    None,
    /// Can register, log in and trade.
    Basic,
    /// Can also post adverts against fiat and make large withdrawals.
    Advanced,
}

impl From<KycLevel> for Kyc {
    fn from(of: KycLevel) -> Self {
        match of {
            KycLevel::None => Self::None,
            KycLevel::Basic => Self::Basic,
            KycLevel::Advanced => Self::Advanced,
        }
    }
}

/// Whether the advertiser sells or buys the base.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
pub(crate) enum AdvertSide {
    /// The advertiser sells the base; the taker buys it.
    Sell,
    /// The advertiser buys the base; the taker sells it.
    Buy,
}

impl From<AdvertSide> for Side {
    fn from(side: AdvertSide) -> Self {
        match side {
            AdvertSide::Sell => Self::Sell,
            AdvertSide::Buy => Self::Buy,
        }
    }
}

impl From<Side> for AdvertSide {
    fn from(side: Side) -> Self {
        match side {
            Side::Sell => Self::Sell,
            Side::Buy => Self::Buy,
        }
    }
}

/// How the payment is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
pub(crate) enum AdvertKind {
    /// The buyer pays outside escrow and the seller confirms the payment.
    Manual,
    /// Both coins are escrowed and swapped in one transaction.
    Automatic,
}

impl AdvertKind {
    pub(crate) fn of(automatic: bool) -> Self {
        if automatic { Self::Automatic } else { Self::Manual }
    }
}
