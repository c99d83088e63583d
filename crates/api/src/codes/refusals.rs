//! Maps refusals to codes with an exhaustive match: a new refusal without a code does not compile.

use domain::clock::Timestamp;
use domain::console::OfficerRefusal;
use domain::identity::IdentityRefusal;
use domain::identity::binding::BindingObstacle;
use domain::orders::{Action, Undecidable};
use domain::refusal::{Refusal, RiskFlag};

use super::{Coded, table as t};

/// Returns the code of a refusal, with its facts.
#[expect(clippy::too_many_lines, reason = "one line for each refusal")]
pub fn of_refusal(refusal: &Refusal) -> Coded {
    match refusal {
        Refusal::Invalid { field, reason: "empty" } => Coded::from(t::PARAMETER_EMPTY).with("field", *field),
        Refusal::Invalid { field, reason } => Coded::from(t::PARAMETERS).with("field", *field).with("reason", *reason),
        Refusal::InvalidField { field, reason: "empty" } => {
            Coded::from(t::PARAMETER_EMPTY).with("field", field.as_str())
        }
        Refusal::InvalidField { field, reason } => {
            Coded::from(t::PARAMETERS).with("field", field.as_str()).with("reason", *reason)
        }
        Refusal::Unspeakable { field, reason } => {
            Coded::from(t::SENSITIVE_WORDS).with("field", *field).with("reason", *reason)
        }
        Refusal::UploadFailed { reason } => Coded::from(t::UPLOAD_FAILED).with("field", "file").with("reason", *reason),
        Refusal::UploadTooLarge { limit } => Coded::from(t::TOO_LARGE).with("field", "file").with("limit", *limit),
        Refusal::NotFound => t::RECORD_MISSING.into(),
        Refusal::KeyReused => t::CONFLICT.into(),
        Refusal::Stale => t::STALE.into(),
        Refusal::NotAvailable => t::NOT_AVAILABLE.into(),
        Refusal::TooMany { retry_after } => too_many(*retry_after),

        Refusal::SessionInvalid => t::LOGIN_INVALID.into(),
        Refusal::Risk(flag) => risk(*flag).into(),
        Refusal::KycMissing => t::NO_KYC.into(),
        Refusal::UserMissing => t::USER_MISSING.into(),
        Refusal::TraderListFull { limit } => Coded::from(t::TRADER_LIST_FULL).with("limit", *limit),
        Refusal::FeedbackTooEarly => t::FEEDBACK_TOO_EARLY.into(),
        Refusal::FeedbackGiven => t::FEEDBACK_GIVEN.into(),
        Refusal::AdvancedKycMissing => t::ADVANCED_KYC_NEEDED.into(),
        Refusal::NicknameMissing => t::NICKNAME_NOT_SET.into(),
        Refusal::ReceivingAddressMissing => t::RECEIVING_ADDRESS_UNBOUND.into(),
        Refusal::ReceivingAddressUnfit => t::RECEIVING_ADDRESS_UNFIT.into(),
        Refusal::AddressUnpayable { field } => Coded::from(t::ADDRESS_UNPAYABLE).with("field", *field),
        Refusal::HeldUntil { until } => Coded::from(t::HELD).with("until", timestamp(*until)),
        Refusal::SecurityPasswordMissing => t::SECURITY_PASSWORD_MISSING.into(),
        Refusal::SecurityPasswordWrong { left } => Coded::from(t::SECURITY_PASSWORD_WRONG).with("left", *left),
        Refusal::ReputationTooLow { reputation, needed } => {
            Coded::from(t::CREDIT_TOO_LOW).with("reputation", *reputation).with("needed", *needed)
        }
        Refusal::NotCertified => t::NOT_CERTIFIED.into(),
        Refusal::CertificationUnmet { missing } => {
            let names: Vec<_> = missing.iter().map(domain::certification::CertificationRequirement::into_str).collect();
            Coded::from(t::CERTIFICATION_UNMET).with("missing", names)
        }
        Refusal::CertificationTooSoon { from } => Coded::from(t::CERTIFICATION_TOO_SOON).with("from", timestamp(*from)),
        Refusal::RegionUnsupported => t::REGION_UNSUPPORTED.into(),
        Refusal::Identity(refusal) => of_identity(refusal),
        Refusal::Officer(refusal) => of_officer(refusal),

        Refusal::PairUnsupported => t::PAIR_UNSUPPORTED.into(),
        Refusal::PriceOutOfBounds { min, max } => {
            Coded::from(t::PRICE_OUT_OF_RANGE).with("min", min.as_str()).with("max", max.as_str())
        }
        Refusal::PriceChanged { price } => Coded::from(t::PRICE_CHANGED).with("price", price.as_str()),
        Refusal::PrefundingShort { needed, shortfall } => {
            let coded = Coded::from(t::PREFUNDING_SHORT).with("needed", needed.to_string());
            coded.with("shortfall", shortfall.to_string())
        }
        Refusal::FeeChanged { fee } => Coded::from(t::FEE_CHANGED).with("fee", fee.to_string()),
        Refusal::CancellationCostRaised { points } => {
            Coded::from(t::CANCELLATION_COST_RAISED).with("points", points.to_string())
        }
        Refusal::AmountOutOfLimits { min, max } => {
            Coded::from(t::AMOUNT_OUTSIDE_LIMIT).with("min", min.to_string()).with("max", max.to_string())
        }
        Refusal::FeeBelowGas { floor } => Coded::from(t::FEE_BELOW_GAS).with("floor", floor.to_string()),
        Refusal::QuantityShort { left } => Coded::from(t::QUANTITY_SHORT).with("left", left.to_string()),
        Refusal::OwnAdvert => t::OWN_ADVERT.into(),
        Refusal::AdvertiserOffline => t::ADVERTISER_OFFLINE.into(),
        Refusal::Blocked => t::BLOCKED.into(),
        Refusal::TakerRequirementsUnmet { unmet, required } => {
            let names: Vec<_> = unmet.iter().map(domain::adverts::TakerRequirement::into_str).collect();
            let coded = Coded::from(t::TAKER_REQUIREMENTS_UNMET).with("unmet", names);
            let coded = coded.with("completedOrders", required.completed_orders);
            let coded = coded.with("advancedVerification", required.advanced_verification);
            coded.with("region", required.region.clone())
        }
        Refusal::NoSharedPaymentMethod => t::NO_SHARED_PAYMENT_METHOD.into(),
        Refusal::NoPaymentMethod => t::NO_PAYMENT_METHOD.into(),
        Refusal::PaymentMethodMissing => t::PAYMENT_METHOD_MISSING.into(),
        Refusal::PaymentMethodExists { existing } => {
            Coded::from(t::PAYMENT_METHOD_EXISTS).with("existing", existing.to_string())
        }
        Refusal::PaymentMethodInUse => t::PAYMENT_METHOD_IN_USE.into(),
        Refusal::PaymentMethodLimit { limit } => Coded::from(t::PAYMENT_METHOD_LIMIT).with("limit", *limit),

        Refusal::AdvertMissing => t::ADVERT_MISSING.into(),
        Refusal::FundingRequestOpen => t::ADVERTS_BEING_CREATED.into(),
        Refusal::AdvertLimit { limit } => Coded::from(t::ADVERT_LIMIT).with("limit", *limit),
        Refusal::AlbumMissing => t::ALBUM_MISSING.into(),
        Refusal::NftOnlySold => t::NFT_ONLY_IN_SELL_ADVERTS.into(),
        Refusal::NftMissing => t::NFT_MISSING.into(),
        Refusal::PrepaymentShort { needed, shortfall } => {
            let coded = Coded::from(t::PREPAYMENT_SHORT).with("needed", needed.to_string());
            coded.with("shortfall", shortfall.to_string())
        }
        Refusal::PriceFar { market } => Coded::from(t::PRICE_FAR).with("market", market.as_str()),
        Refusal::AdvertState => t::ADVERT_STATE.into(),
        Refusal::DepositShort { shortfall } => Coded::from(t::DEPOSIT_SHORT).with("shortfall", shortfall.to_string()),

        Refusal::OrderMissing => t::ORDER_MISSING.into(),
        Refusal::OrderLimit { limit } => Coded::from(t::ORDER_LIMIT).with("limit", *limit),
        Refusal::Forbidden(action) => cannot(*action).into(),
        Refusal::AppealMissing => t::APPEAL_MISSING.into(),
        Refusal::AppealProcessed => t::APPEAL_PROCESSED.into(),
        Refusal::LockedByAppeal => t::LOCKED_BY_APPEAL.into(),
        Refusal::Frozen => t::ORDER_FROZEN.into(),

        Refusal::ConversationClosed => t::CONVERSATION_CLOSED.into(),
        Refusal::MessageFlagged { warnings } => {
            let names: Vec<_> = warnings.iter().map(domain::talk::Warning::into_str).collect();
            Coded::from(t::SENSITIVE_WORDS).with("field", "text").with("warnings", names)
        }

        Refusal::BusyWithTrades => t::BUSY_WITH_TRADES.into(),
        Refusal::BalanceShort { available } => Coded::from(t::BALANCE_SHORT).with("available", available.to_string()),
        Refusal::GasShort { needed, shortfall } => {
            let coded = Coded::from(t::GAS_SHORT).with("needed", needed.to_string());
            coded.with("shortfall", shortfall.to_string())
        }
        Refusal::BelowGas { gas } => Coded::from(t::BELOW_GAS).with("gas", gas.to_string()),
        Refusal::MoneyStopped => t::MONEY_STOPPED.into(),
    }
}

fn of_identity(refusal: &IdentityRefusal) -> Coded {
    match refusal {
        IdentityRefusal::EmailRegistered => Coded::from(t::EMAIL_REGISTERED).with("field", "email"),
        IdentityRefusal::WrongCredentials => t::WRONG_CREDENTIALS.into(),
        IdentityRefusal::EmailCodeWrong { left } => {
            Coded::from(t::EMAIL_CODE_WRONG).with("field", "emailCode").with("left", *left)
        }
        IdentityRefusal::CodeFormat => Coded::from(t::CODE_FORMAT).with("field", "emailCode"),
        IdentityRefusal::MailUnavailable => unavailable(),
        IdentityRefusal::SlideFailed => t::VERIFICATION_FAILED.into(),
        IdentityRefusal::SlideNeeded => Coded::from(t::ENVIRONMENT_AT_RISK).with("field", "slideToken"),
        IdentityRefusal::SecretUnreadable => t::SECRET_UNREADABLE.into(),
        IdentityRefusal::SamePassword { field } => Coded::from(t::SAME_PASSWORD).with("field", *field),
        IdentityRefusal::SecurityPasswordFormat => {
            Coded::from(t::SECURITY_PASSWORD_FORMAT).with("field", "newSecurityCode")
        }
        IdentityRefusal::SecurityEqualsLogin { field } => Coded::from(t::SECURITY_EQUALS_LOGIN).with("field", *field),

        IdentityRefusal::ScanPending => t::NO_SCAN_RESULT.into(),
        IdentityRefusal::ScanExpired => t::SCAN_TIMEOUT.into(),
        IdentityRefusal::ScanInvalid => t::SCAN_INVALID.into(),
        IdentityRefusal::ScanDenied => t::LOGIN_FAILED.into(),
        IdentityRefusal::StatementInvalid => t::SIGNATURE_FAILED.into(),
        IdentityRefusal::NotRegistered => t::ADDRESS_NOT_REGISTERED.into(),
        IdentityRefusal::BoundElsewhere => t::ID_BOUND_ELSEWHERE.into(),
        IdentityRefusal::BoundMismatch => t::BOUND_MISMATCH.into(),
        IdentityRefusal::NotBound => t::ID_NOT_BOUND.into(),
        IdentityRefusal::BindingBlocked { obstacles } => {
            let names: Vec<&str> = obstacles.iter().map(BindingObstacle::into_str).collect();
            Coded::from(t::BINDING_FAILED).with("obstacles", names)
        }
        IdentityRefusal::RegionMissing => t::REGION_EMPTY.into(),
        IdentityRefusal::MeIdMissing => t::AUTHORIZATION_ID.into(),
        IdentityRefusal::StatedAddressMissing => t::AUTHORIZATION_ADDRESS.into(),

        IdentityRefusal::NicknameInvalid(fault) => {
            Coded::from(t::NICKNAME_INVALID).with("field", "nickname").with("reason", fault.as_str())
        }
        IdentityRefusal::NicknameTaken => Coded::from(t::NICKNAME_EXISTS).with("field", "nickname"),
        IdentityRefusal::NicknameTooSoon { until } => {
            Coded::from(t::CHANGED_THIS_WEEK).with("field", "nickname").with("until", timestamp(*until))
        }
        IdentityRefusal::AddressTypeMismatch => Coded::from(t::ADDRESS_TYPE_MISMATCH).with("field", "receivingAddress"),
        IdentityRefusal::ReceivingAddressTaken => {
            Coded::from(t::RECEIVING_ADDRESS_TAKEN).with("field", "receivingAddress")
        }
    }
}

fn of_officer(refusal: &OfficerRefusal) -> Coded {
    match refusal {
        OfficerRefusal::NotAllowed => t::FORBIDDEN.into(),
        OfficerRefusal::SignInWrong => t::OFFICER_SIGN_IN_WRONG.into(),
        OfficerRefusal::EnrollmentInvalid => t::OFFICER_LINK_INVALID.into(),
        OfficerRefusal::CodeWrong => Coded::from(t::OFFICER_CODE_WRONG).with("field", "code"),
        OfficerRefusal::EmailTaken => Coded::from(t::OFFICER_EXISTS).with("field", "email"),
        OfficerRefusal::LastAdministrator => t::LAST_ADMINISTRATOR.into(),
        OfficerRefusal::LinkNotNeeded => t::SETUP_LINK_NOT_NEEDED.into(),
        OfficerRefusal::ApproverNotIndependent => t::APPROVER_NOT_INDEPENDENT.into(),
        OfficerRefusal::Disagreement { differences } => {
            Coded::from(t::PAYOUTS_DISAGREE).with("differences", differences.as_str())
        }
        OfficerRefusal::NotOnCase => t::NOT_ON_CASE.into(),
        OfficerRefusal::Undecidable(Undecidable::AboveLimit) => t::APPEAL_ABOVE_LIMIT.into(),
        OfficerRefusal::Undecidable(Undecidable::NotIndependent) => t::OFFICER_NOT_INDEPENDENT.into(),
        OfficerRefusal::Undecidable(why) => Coded::from(t::APPEAL_UNDECIDABLE).with("reason", why.into_str()),
        OfficerRefusal::PairProblem { problem } => {
            Coded::from(t::PAIR_UNUSABLE).with("field", "settings").with("problem", *problem)
        }
    }
}

fn risk(flag: RiskFlag) -> super::Code {
    match flag {
        RiskFlag::Login => t::RISK_LOGIN,
        RiskFlag::Withdrawal => t::RISK_WITHDRAWAL,
        RiskFlag::Buy => t::RISK_BUY,
        RiskFlag::Sell => t::RISK_SELL,
    }
}

fn cannot(action: Action) -> super::Code {
    match action {
        Action::Accept => t::CANNOT_ACCEPT,
        Action::Reject => t::CANNOT_REJECT,
        Action::AskCancel | Action::AgreeCancel | Action::Cancel => t::CANNOT_CANCEL,
        // The deposit is a payment, too, but looking for it is never refused.
        Action::CheckDeposit | Action::MarkPaid => t::CANNOT_PAY,
        Action::Confirm => t::CANNOT_CONFIRM,
        Action::Recover => t::CANNOT_RECOVER,
        Action::Appeal | Action::AddEvidence | Action::WithdrawAppeal => t::CANNOT_APPEAL,
    }
}

/// Returns the refusal of an attempt that exceeds a limit. The wait is rounded up to whole seconds, at least one.
pub fn too_many(wait: chrono::Duration) -> Coded {
    let seconds = u64::try_from(wait.num_milliseconds()).unwrap_or(0).div_ceil(1000).max(1);
    Coded { retry_after: Some(seconds), ..Coded::from(t::TOO_MANY).with("retryAfter", seconds) }
}

/// The seconds after which a client may retry when a dependency is unavailable.
const RETRY_SECONDS: u64 = 5;

/// Returns the refusal for an unavailable dependency. Nothing was changed, and the client can retry.
pub fn unavailable() -> Coded {
    Coded { retry_after: Some(RETRY_SECONDS), ..Coded::from(t::UNAVAILABLE) }
}

fn timestamp(at: Timestamp) -> String {
    at.to_rfc3339_opts(chrono::SecondsFormat::Millis, true)
}
