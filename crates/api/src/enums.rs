//! The enums of the API, such as states, steps and actions.

use domain::people::{self, KycLevel};
use domain::trade::{Party, Side};
use domain::{adverts, direct_payment, orders};
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

impl OrderState {
    /// Returns the state with a name of the domain.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "AWAITING_ACCEPTANCE" => Self::AwaitingAcceptance,
            "AWAITING_DEPOSIT" => Self::AwaitingDeposit,
            "AWAITING_PAYMENT" => Self::AwaitingPayment,
            "AWAITING_CONFIRMATION" => Self::AwaitingConfirmation,
            "RELEASING" => Self::Releasing,
            "RELEASE_REVOKED" => Self::ReleaseRevoked,
            "REFUNDING" => Self::Refunding,
            "COMPLETED" => Self::Completed,
            "CANCELLED" => Self::Cancelled,
            "REJECTED" => Self::Rejected,
            _ => return None,
        })
    }
}

/// A condition that suspends an order, in any state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum OrderOverlay {
    /// A reorganization removed a deposit. The buyer must not pay.
    Frozen,
    /// An officer decides the order. The buyer must not pay.
    UnderAppeal,
}

impl OrderOverlay {
    /// Returns the overlay that an order shows. An appeal locks more than a freeze.
    pub(crate) fn of(order: &orders::Order) -> Option<Self> {
        let frozen = order.overlay.as_ref().map(|_| Self::Frozen);
        order.open_appeal().map(|_| Self::UnderAppeal).or(frozen)
    }
}

/// The reason of an appeal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum AppealReason {
    /// The seller has not deposited the base.
    NotDeposited,
    /// The seller does not confirm the payment.
    NotReleased,
    /// The buyer neither pays nor cancels.
    NotPaid,
    /// The buyer marked the order as paid, but the payment has not arrived.
    PaymentNotReceived,
    /// The payment's amount or currency differs from the order's.
    WrongAmount,
    /// The payment came from an account that is not the buyer's.
    ThirdPartyPayment,
    /// The payment was or can be reversed, or the receipt is forged.
    Fraud,
    /// The other party does not respond.
    Unresponsive,
    /// A chain reorganization removed the deposit, and it has not returned.
    DepositLost,
    /// Anything else; requires `specificReason`.
    Other,
    /// The platform filed the appeal because a party was overdue for seven days.
    Overdue,
    /// The platform filed the appeal because the release or refund was voided on the chain.
    PayoutVoided,
}

same_variants!(
    orders::AppealReason => AppealReason:
    NotDeposited, NotReleased, NotPaid, PaymentNotReceived, WrongAmount, ThirdPartyPayment, Fraud, Unresponsive,
    DepositLost, Other, Overdue, PayoutVoided
);
same_variants!(
    AppealReason => orders::AppealReason:
    NotDeposited, NotReleased, NotPaid, PaymentNotReceived, WrongAmount, ThirdPartyPayment, Fraud, Unresponsive,
    DepositLost, Other, Overdue, PayoutVoided
);

/// What an officer asks a party of an appeal for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum EvidenceKind {
    /// A bank statement that shows the transfer or its absence.
    BankStatement,
    /// The bank's receipt of the transfer.
    TransferReceipt,
    /// Proof of who holds the account.
    AccountHolder,
    /// A recording of the bank's app.
    ScreenRecording,
    /// Messages between the parties outside the platform.
    Conversation,
    /// Anything else, which the details name.
    Other,
}

same_variants!(
    orders::EvidenceKind => EvidenceKind:
    BankStatement, TransferReceipt, AccountHolder, ScreenRecording, Conversation, Other
);
same_variants!(
    EvidenceKind => orders::EvidenceKind:
    BankStatement, TransferReceipt, AccountHolder, ScreenRecording, Conversation, Other
);

/// The status of an appeal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum AppealStatus {
    /// An officer must decide.
    Pending,
    /// An officer has decided. The verdict is executed at `executesAt`.
    Decided,
    /// A party withdrew the appeal, or its cause no longer exists.
    Withdrawn,
    /// An officer rejected the appeal. The order continued.
    Rejected,
    /// The verdict was executed.
    Executed,
}

same_variants!(&orders::AppealStatus => AppealStatus: Pending, Decided, Withdrawn, Rejected, Executed);

/// What a verdict does with the coins in escrow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum AppealOutcome {
    /// The base goes to the buyer.
    Release,
    /// The coins return to where they came from.
    Cancel,
}

same_variants!(orders::Outcome => AppealOutcome: Release, Cancel);

/// The party of an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum Role {
    /// Receives the base.
    Buyer,
    /// Sells the base.
    Seller,
}

same_variants!(Party => Role: Buyer, Seller);
same_variants!(Role => Party: Buyer, Seller);

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
    /// File an appeal. The `reputationCost` is the cost of losing it.
    Appeal,
    /// Add evidence to the open appeal.
    AddEvidence,
    WithdrawAppeal,
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
            orders::Action::Appeal => Self::Appeal,
            orders::Action::AddEvidence => Self::AddEvidence,
            orders::Action::WithdrawAppeal => Self::WithdrawAppeal,
        }
    }
}

/// What a command does with coins in escrow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum MovementKind {
    /// A payout to a party's address.
    Payout,
    /// The trading fee, which the platform keeps.
    Fee,
    /// The network fee of a refund, which the platform keeps.
    NetworkFee,
    /// Back into the escrow of the party's advert.
    BackToAdvert,
    /// Into the party's temporary balance, because a refund would not exceed its network fee.
    TemporaryBalance,
}

same_variants!(orders::MovementKind => MovementKind: Payout, Fee, NetworkFee, BackToAdvert, TemporaryBalance);

/// The location of the coins of one leg of an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum FundsLocation {
    /// With the seller: the base before its deposit, or the quote at the end.
    Seller,
    Escrow,
    /// In a payout.
    InFlight,
    /// With the buyer: the quote before its deposit, or the base at the end.
    Buyer,
    /// Returned to its source.
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

/// A group of a user's own adverts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum AdvertGroup {
    /// Takes orders.
    Online,
    /// Takes no orders now: awaits its escrow, is offline, or is being revoked.
    Offline,
    Ended,
}

same_variants!(AdvertGroup => adverts::Group: Online, Offline, Ended);

/// Whose address the sender of a direct payment has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum SenderProof {
    /// The buyer's bound address, which the pass has proved.
    Bound,
    /// The receiving address that the buyer has set. Others may use it, too, for example if it is that of an exchange.
    Receiving,
    /// Nobody's whom the platform knows.
    Unknown,
}

same_variants!(direct_payment::SenderProof => SenderProof: Bound, Receiving, Unknown);

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

/// Why the platform took a user offline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum OfflineCause {
    /// The user let the orders of three takers in a row pass.
    MissedAcceptances,
}

same_variants!(people::OfflineCause => OfflineCause: MissedAcceptances);

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
