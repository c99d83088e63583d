//! The reasons why commands are refused. One enum for the whole product, so that the table of codes is one exhaustive
//! match.
//!
//! A refused command changes nothing. Where possible, the refusal contains the allowed values.

use chrono::Duration;
use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

use crate::clock::Timestamp;
use crate::money::Amount;

/// An amount with the number of decimals needed to display it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shown {
    pub amount: Amount,
    pub decimals: u8,
}

impl std::fmt::Display for Shown {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.amount.format(self.decimals))
    }
}

/// A restriction of a user by an officer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, IntoStaticStr)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = UserFlag))]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE", const_into_str)]
pub enum RiskFlag {
    Login,
    Withdrawal,
    /// Buying from other users.
    Buy,
    /// Selling to other users.
    Sell,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    // --- the request
    Invalid {
        /// The field's name in the request.
        field: &'static str,
        /// The cause, for developers.
        reason: &'static str,
    },
    /// Like [`Refusal::Invalid`], for a field whose name is only known at run time.
    InvalidField {
        /// The field's name in the request.
        field: String,
        /// The cause, for developers.
        reason: &'static str,
    },
    /// A public text contains forbidden words or contact information, or was rejected before.
    Unspeakable {
        /// The field's name in the request.
        field: &'static str,
        /// Which of them, for developers.
        reason: &'static str,
    },
    /// An uploaded file is not acceptable.
    UploadFailed {
        /// The cause, which clients show in their own words.
        reason: &'static str,
    },
    /// An uploaded file is larger than allowed.
    UploadTooLarge {
        /// In bytes.
        limit: u64,
    },
    /// The record does not exist, or the user may not see it.
    NotFound,
    /// The idempotency key was already used for a different request.
    KeyReused,
    /// The state has changed since the client read it.
    Stale,
    NotAvailable,
    TooMany {
        retry_after: Duration,
    },

    // --- the user
    SessionInvalid,
    Risk(RiskFlag),
    /// The pass reports no basic identity verification.
    KycMissing,
    AdvancedKycMissing,
    NicknameMissing,
    ReceivingAddressMissing,
    /// The pair does not accept the chain type of the receiving address.
    ReceivingAddressUnfit,
    /// Payments to the address would be lost, because it belongs to a token contract, the Escrow, a vault or a
    /// precompile.
    AddressUnpayable {
        /// The field of the request or profile that contains the address.
        field: &'static str,
    },
    HeldUntil {
        until: Timestamp,
    },
    SecurityPasswordMissing,
    SecurityPasswordWrong {
        /// Attempts left before a lockout.
        left: u32,
    },
    ReputationTooLow {
        reputation: i32,
        needed: i32,
    },
    NotCertified,
    /// The user does not meet the requirements of certification.
    CertificationUnmet {
        /// At least one.
        missing: Vec<crate::certification::CertificationRequirement>,
    },
    /// The user's last application for certification was rejected.
    CertificationTooSoon {
        from: Timestamp,
    },
    /// The user's region does not support the pair's fiat currency.
    RegionUnsupported,

    // --- other users
    /// No user with this ID is visible to others.
    UserMissing,
    /// The user has too many favorites, or has blocked too many users.
    TraderListFull {
        limit: i64,
    },
    FeedbackTooEarly,
    FeedbackGiven,

    Identity(crate::identity::IdentityRefusal),
    Officer(crate::console::OfficerRefusal),

    // --- the market
    PairUnsupported,
    PriceOutOfBounds {
        min: String,
        max: String,
    },
    /// The advert's price differs from the price that the user saw.
    PriceChanged {
        price: String,
    },
    /// The fee differs from the fee that the user saw.
    FeeChanged {
        fee: Shown,
    },
    /// The cancellation costs more reputation points than the user accepted.
    CancellationCostRaised {
        points: i32,
    },
    AmountOutOfLimits {
        min: Shown,
        max: Shown,
    },
    FeeBelowGas {
        floor: Shown,
    },
    QuantityShort {
        left: Shown,
    },
    /// The user placed an order on their own advert.
    OwnAdvert,
    AdvertiserOffline,
    /// One of the two users has blocked the other.
    Blocked,
    /// The taker does not meet what the advertiser requires of takers.
    TakerRequirementsUnmet {
        /// At least one.
        unmet: Vec<crate::adverts::TakerRequirement>,
        /// All that the advertiser requires.
        required: crate::adverts::TakerRequirements,
    },
    /// The two users have no payment method in common.
    NoSharedPaymentMethod,
    NoPaymentMethod,
    PaymentMethodMissing,
    PaymentMethodExists {
        /// The existing payment method, to be edited instead.
        existing: crate::ids::PaymentMethodId,
    },
    PaymentMethodInUse,
    PaymentMethodLimit {
        limit: u32,
    },

    // --- adverts
    /// The advert does not exist, or it is being created or revoked and the user is not its owner.
    AdvertMissing,
    /// The user has another advert in creation, or another funding request for the same asset.
    FundingRequestOpen,
    AdvertLimit {
        limit: u32,
    },
    /// The album of the advert is not offered.
    AlbumMissing,
    /// An NFT in an advert that buys.
    NftOnlySold,
    /// No NFT of the album has this token ID, or the user does not own it.
    NftMissing,
    /// The temporary balance does not cover the fee and the network fee that the seller of an NFT prepays.
    PrepaymentShort {
        needed: Shown,
        shortfall: Shown,
    },
    /// The price is far from that of the market, and the user has not confirmed it.
    PriceFar {
        market: String,
    },
    AdvertState,
    DepositShort {
        shortfall: Shown,
    },

    // --- orders
    OrderMissing,
    /// The taker must have the coins for an automatic order in temporary balance before ordering.
    PrefundingShort {
        needed: Shown,
        shortfall: Shown,
    },
    OrderLimit {
        limit: u32,
    },
    /// The order's state or the user's side does not allow this.
    Forbidden(crate::orders::Action),
    /// The order has no appeal.
    AppealMissing,
    /// The appeal has been decided or withdrawn.
    AppealProcessed,
    /// An appeal locks the order, so the buyer must not pay.
    LockedByAppeal,
    /// The order is frozen because a reorganization removed its deposit, so the buyer must not pay.
    Frozen,

    // --- the conversation of an order
    /// The order ended too long ago.
    ConversationClosed,
    /// The message would be delivered with warnings, and the sender has not agreed to that.
    MessageFlagged {
        /// At least one.
        warnings: Vec<crate::talk::Warning>,
    },

    // --- money
    BusyWithTrades,
    BalanceShort {
        available: Shown,
    },
    /// The temporary balance does not cover the network fee of a withdrawal that is paid in another coin.
    GasShort {
        needed: Shown,
        shortfall: Shown,
    },
    /// The amount does not exceed the gas of the withdrawal.
    BelowGas {
        /// A withdrawal must exceed this amount.
        gas: Shown,
    },
    /// Payouts of the asset are stopped, or the chain identity does not match.
    MoneyStopped,
}
