//! Why a command is refused. One enum for the whole product, so that the table of codes can be one exhaustive match.
//!
//! A refusal says what would have been allowed, where it can. A refusal changes nothing.

use chrono::Duration;

use crate::clock::Timestamp;
use crate::money::Amount;

/// An amount with the decimals that it takes to show it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shown {
    /// The amount in base units.
    pub amount: Amount,
    /// The decimals of its asset.
    pub decimals: u8,
}

impl std::fmt::Display for Shown {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.amount.format(self.decimals))
    }
}

/// What somebody may be forbidden by a risk flag.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RiskFlag {
    /// Logging in.
    Login,
    /// Withdrawing.
    Withdrawal,
    /// Buying from other people.
    Buy,
    /// Selling to other people.
    Sell,
}

/// An action on an order, for refusals that name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OrderAction {
    /// The advertiser accepts.
    Accept,
    /// The advertiser rejects.
    Reject,
    /// Either side cancels.
    Cancel,
    /// The buyer says that the payment was made.
    MarkPaid,
    /// The seller confirms receipt.
    Confirm,
    /// Either side asks to hurry a release that left the chain.
    Recover,
    /// A party appeals.
    Appeal,
}

/// Why a command is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    // --- the request itself
    /// A field is missing or malformed; `field` is its name in the request, `reason` a word for developers.
    Invalid {
        /// The field's name in the request.
        field: &'static str,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// As [`Refusal::Invalid`], of a field whose name is data.
    InvalidField {
        /// The field's name in the request.
        field: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// A public text has forbidden words or contact information.
    Unspeakable {
        /// The field's name in the request.
        field: &'static str,
        /// Which of the two.
        reason: &'static str,
    },
    /// The record does not exist, or is not for this person to see: the answer is the same.
    NotFound,
    /// The same idempotency key came with another request.
    KeyReused,
    /// The state has moved on since the person saw it.
    Stale,
    /// A feature that is switched off or not built.
    NotAvailable,
    /// Too many attempts.
    TooMany {
        /// When to try again.
        retry_after: Duration,
    },

    // --- the person
    /// No session, or one that has ended.
    SessionInvalid,
    /// An officer has forbidden this to the person.
    Risk(RiskFlag),
    /// The pass has no basic identity verification.
    KycMissing,
    /// This needs the pass's advanced verification.
    AdvancedKycMissing,
    /// A nickname must be set first.
    NicknameMissing,
    /// A USDT receiving address must be set first.
    ReceivingAddressMissing,
    /// The receiving address is of a chain type that the pair does not take.
    ReceivingAddressUnfit,
    /// Nobody can be paid at an address: it is a token's contract, the Escrow, a custody address or a precompile.
    AddressUnpayable {
        /// Where the address comes from: the field's name in the request, or in the profile.
        field: &'static str,
    },
    /// Something that protects money was changed lately.
    HeldUntil {
        /// When the hold ends.
        until: Timestamp,
    },
    /// No security password has been set.
    SecurityPasswordMissing,
    /// The security password is wrong.
    SecurityPasswordWrong {
        /// How many attempts are left before a lock-out.
        left: u32,
    },
    /// Credit is below what posting adverts needs.
    ReputationTooLow {
        /// The person's credit.
        reputation: i32,
        /// What is needed.
        needed: i32,
    },
    /// Only certified traders may post fiat adverts.
    NotCertified,
    /// The pair's fiat is not supported in the person's region.
    RegionUnsupported,

    /// Something about accounts, the pass or log-in.
    Identity(crate::identity::IdentityRefusal),

    // --- the market
    /// No such pair, or it is switched off.
    PairUnsupported,
    /// The price lies outside the bounds.
    PriceOutOfBounds {
        /// The lowest price allowed.
        min: String,
        /// The highest price allowed.
        max: String,
    },
    /// The advert's price is not the one the person saw.
    PriceChanged {
        /// The present price.
        price: String,
    },
    /// The amount lies outside the limits.
    AmountOutOfLimits {
        /// The least allowed.
        min: Shown,
        /// The most allowed.
        max: Shown,
    },
    /// The fee would not cover the gas.
    FeeBelowGas {
        /// The least fee.
        floor: Shown,
    },
    /// The advert has not enough left.
    QuantityShort {
        /// What is left.
        left: Shown,
    },
    /// The advert belongs to the person who orders.
    OwnAdvert,
    /// The advertiser is offline, or the advert is.
    AdvertiserOffline,
    /// One of the two has blocked the other.
    Blocked,
    /// No payment method that both sides have.
    NoSharedPaymentMethod,
    /// The advert has no payment method.
    NoPaymentMethod,
    /// The payment method does not exist.
    PaymentMethodMissing,
    /// The same payment method exists already.
    PaymentMethodExists {
        /// The existing one, to be edited instead.
        existing: crate::ids::PaymentMethodId,
    },
    /// The payment method is used by an advert or an order.
    PaymentMethodInUse,
    /// No more payment methods.
    PaymentMethodLimit {
        /// How many are allowed.
        limit: u32,
    },

    // --- adverts
    /// The advert does not exist. To takers, one that is being created or revoked does not exist either.
    AdvertMissing,
    /// Another advert waits for its deposit, or another funding request for the same asset is open.
    FundingRequestOpen,
    /// No more adverts.
    AdvertLimit {
        /// How many are allowed.
        limit: u32,
    },
    /// The advert's state does not allow this.
    AdvertState,
    /// The escrow has not received enough yet.
    DepositShort {
        /// What is missing.
        shortfall: Shown,
    },

    // --- orders
    /// The order does not exist.
    OrderMissing,
    /// No more open orders.
    OrderLimit {
        /// How many are allowed.
        limit: u32,
    },
    /// The order's state or the person's side does not allow this.
    Forbidden(OrderAction),
    /// The order is locked by an appeal: do not pay.
    LockedByAppeal,
    /// The order is frozen, because its deposit left the chain: do not pay.
    Frozen,

    // --- money
    /// Adverts or orders still run.
    BusyWithTrades,
    /// Not enough balance.
    BalanceShort {
        /// What there is.
        available: Shown,
    },
    /// Too small to pay the gas of its own return.
    BelowGas {
        /// The least that can be withdrawn is above this.
        gas: Shown,
    },
    /// Money cannot move just now: payouts of the asset are stopped, or the chain is not ours.
    MoneyStopped,
}
