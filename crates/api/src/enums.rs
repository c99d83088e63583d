//! The words that stand for states, steps and acts, each named in the API's document.

use domain::people::KycLevel;
use domain::trade::{Party, Side};
use domain::{adverts, orders};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Where an order stands, as in `docs/generated/states.md`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum OrderState {
    /// The advertiser may accept or reject.
    AwaitingAcceptance,
    /// The seller has to deposit.
    AwaitingDeposit,
    /// The buyer has to pay.
    AwaitingPayment,
    /// The seller has to confirm that the payment came.
    AwaitingConfirmation,
    /// The release is on its way.
    Releasing,
    /// The release left the chain and is paid again.
    ReleaseRevoked,
    /// The refund is on its way.
    Refunding,
    /// The chain has confirmed the release.
    Completed,
    /// It came to nothing.
    Cancelled,
    /// The advertiser did not want it.
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

/// What holds up an order in whatever state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum OrderOverlay {
    /// A deposit is missing on the chain: do not pay.
    Frozen,
}

impl From<&orders::Overlay> for OrderOverlay {
    fn from(of: &orders::Overlay) -> Self {
        match of {
            orders::Overlay::Frozen { .. } => Self::Frozen,
        }
    }
}

/// One of the two people of an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum Role {
    /// Receives the base.
    Buyer,
    /// Gives the base.
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

/// One of the five steps of an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum StepName {
    /// The buyer, or whoever posted the advert, accepted.
    BuyerAccepted,
    /// The seller's base is in escrow.
    SellerDeposited,
    /// The buyer paid.
    BuyerPaid,
    /// The seller received the payment.
    SellerReceived,
    /// The chain confirmed the release.
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

/// Something that a person may do with an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) enum OrderAction {
    /// Accept it.
    Accept,
    /// Reject it.
    Reject,
    /// Say "I have sent".
    CheckDeposit,
    /// Mark it paid.
    Pay,
    /// Confirm receipt.
    Confirm,
    /// Ask the buyer to agree to a cancellation.
    AskCancel,
    /// Agree to it.
    AgreeCancel,
    /// Cancel it.
    Cancel,
    /// Hurry a release that left the chain.
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

/// Where the base of an order is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum FundsLocation {
    /// With the seller, who has not deposited it yet.
    Seller,
    /// In escrow.
    Escrow,
    /// On its way on the chain.
    InFlight,
    /// With the buyer.
    Buyer,
    /// Back where it came from.
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

/// Why an order was cancelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum CancelReason {
    /// The one who cancelled wanted to.
    Withdrawn,
    /// The seller asked and the buyer agreed.
    Agreed,
    /// The advertiser did not accept in time.
    AcceptanceOverdue,
    /// The seller did not deposit in time.
    DepositOverdue,
    /// The buyer did not pay in time.
    PaymentOverdue,
    /// The buyer cancelled, because the seller did not confirm in time.
    ConfirmationOverdue,
    /// Customer service decided for the seller.
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

/// Where an advert stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum AdvertState {
    /// Waits for its escrow.
    Creating,
    /// Takes orders.
    Online,
    /// Takes none, until its owner takes it online. Running orders go on.
    Offline,
    /// Takes none any more. Waits for running orders, then for the return of what remains.
    Revoking,
    /// Has ended.
    Cancelled,
    /// Has ended, and its owner does not want to see it any more.
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

/// Why an advert ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum EndReason {
    /// Its escrow did not come in time.
    Expired,
    /// Its owner cancelled it before its escrow was complete.
    OwnerCancelled,
    /// Something arrived that it did not ask for.
    WrongDeposit,
    /// Everything is sold.
    SoldOut,
    /// Its owner revoked it.
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

/// Something that an advert's owner may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) enum AdvertAction {
    /// Say "I have sent".
    CheckDeposit,
    /// Take it online.
    Online,
    /// Take it offline.
    Offline,
    /// Cancel it before its escrow is complete.
    Cancel,
    /// Revoke it: no new orders, and the return of what remains.
    Revoke,
    /// Hide it.
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

/// How well the pass knows a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Kyc {
    /// Not at all.
    None,
    /// Enough to register, log in and trade.
    Basic,
    /// Enough for fiat adverts and large withdrawals.
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

/// What an advertiser does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
pub(crate) enum AdvertSide {
    /// Gives the base: a visitor buys.
    Sell,
    /// Receives the base: a visitor sells.
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

/// Who accepts, pays and confirms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
pub(crate) enum AdvertKind {
    /// The two people.
    Manual,
    /// The system.
    Automatic,
}

impl AdvertKind {
    /// That of an advert.
    pub(crate) fn of(automatic: bool) -> Self {
        if automatic { Self::Automatic } else { Self::Manual }
    }
}
