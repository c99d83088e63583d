//! The enums of the API, such as states, steps and actions.

use domain::people::KycLevel;
use domain::trade::{Party, Side};
use domain::{adverts, orders};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Converts an enum to another one with the same variants. A variant without a counterpart does not compile.
macro_rules! same_variants {
    (@ $by:ty, $from:ty => $to:ty: $($variant:ident),+) => {
        impl From<$by> for $to {
            fn from(of: $by) -> Self {
                type Of = $from;
                match of { $(Of::$variant { .. } => Self::$variant,)+ }
            }
        }
    };
    (& $from:ty => $($rest:tt)+) => { same_variants!(@ &$from, $from => $($rest)+); };
    ($from:ty => $($rest:tt)+) => { same_variants!(@ $from, $from => $($rest)+); };
}
pub(crate) use same_variants;

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

same_variants!(
    &orders::State => OrderState:
    AwaitingAcceptance, AwaitingDeposit, AwaitingPayment, AwaitingConfirmation, Releasing, ReleaseRevoked, Refunding,
    Completed, Cancelled, Rejected
);

/// A condition that suspends an order, in any state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum OrderOverlay {
    /// A reorganization removed a deposit. The buyer must not pay.
    Frozen,
}

same_variants!(&orders::Overlay => OrderOverlay: Frozen);

/// The party of an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum Role {
    /// Receives the base.
    Buyer,
    /// Sells the base.
    Seller,
}

same_variants!(Party => Role: Buyer, Seller);

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

same_variants!(orders::StepName => StepName: BuyerAccepted, SellerDeposited, BuyerPaid, SellerReceived, ChainConfirmed);

/// A command that a user may send about an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) enum OrderAction {
    Accept,
    Reject,
    /// Check for the deposit, after "I have sent".
    CheckDeposit,
    /// Mark the order as paid.
    Pay,
    /// Confirm that the payment was received.
    Confirm,
    /// Ask the buyer to agree to a cancellation.
    AskCancel,
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

same_variants!(orders::FundsLocation => FundsLocation: Seller, Escrow, InFlight, Buyer, Returned);

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

same_variants!(
    orders::CancelReason => CancelReason:
    Withdrawn, Agreed, AcceptanceOverdue, DepositOverdue, PaymentOverdue, ConfirmationOverdue, Decided
);

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

same_variants!(&adverts::State => AdvertState: Creating, Online, Offline, Revoking, Cancelled, Deleted);

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

same_variants!(adverts::EndReason => EndReason: Expired, OwnerCancelled, WrongDeposit, SoldOut, Revoked);

/// A command that the owner may send about an advert.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) enum AdvertAction {
    /// Check for the deposit, after "I have sent".
    CheckDeposit,
    Online,
    Offline,
    /// Cancel the advert before its deposit is complete.
    Cancel,
    /// Revoke the advert: it takes no more orders, and the remaining escrow is returned.
    Revoke,
    /// Hide the advert.
    Delete,
}

same_variants!(adverts::Action => AdvertAction: CheckDeposit, Online, Offline, Cancel, Revoke, Delete);

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

same_variants!(KycLevel => Kyc: None, Basic, Advanced);

/// Whether the advertiser sells or buys the base.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
pub(crate) enum AdvertSide {
    /// The advertiser sells the base; the taker buys it.
    Sell,
    /// The advertiser buys the base; the taker sells it.
    Buy,
}

same_variants!(AdvertSide => Side: Sell, Buy);

same_variants!(Side => AdvertSide: Sell, Buy);

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
