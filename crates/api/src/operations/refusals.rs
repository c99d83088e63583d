//! The refusals of the use cases, by call. Those that many calls share are derived from the operation, see `codes_of`.

use crate::codes::{self as c, Code};

macro_rules! refusals {
    ($($($call:literal),+ => $($group:ident +)* [$($code:ident),*];)*) => {
        /// Calls as method and path, and their refusals.
        const REFUSALS: &[(&[&str], &[&[Code]])] = &[$((&[$($call),+], &[$($group,)* &[$(c::$code),*]])),*];
    };
}

/// The session of a call that works without one, too.
const OPTIONAL_SESSION: &[Code] = &[c::LOGIN_INVALID, c::RISK_LOGIN];
const SECURITY_PASSWORD: &[Code] = &[c::SECRET_UNREADABLE, c::SECURITY_PASSWORD_WRONG, c::SECURITY_PASSWORD_MISSING];
/// The statement of the pass about a challenge.
const STATEMENT: &[Code] = &[
    c::SIGNATURE_FAILED,
    c::SCAN_INVALID,
    c::SCAN_TIMEOUT,
    c::NO_KYC,
    c::REGION_EMPTY,
    c::AUTHORIZATION_ID,
    c::AUTHORIZATION_ADDRESS,
];
/// What the user has answered to a challenge of the pass.
const ANSWER: &[Code] = &[c::LOGIN_FAILED, c::NO_SCAN_RESULT, c::SCAN_INVALID, c::SCAN_TIMEOUT];
const EMAIL_CODE: &[Code] = &[c::CODE_FORMAT, c::EMAIL_CODE_WRONG];
/// A new password that may be none of the old ones.
const NEW_PASSWORD: &[Code] = &[c::SECRET_UNREADABLE, c::SAME_PASSWORD, c::SECURITY_EQUALS_LOGIN];
const NEW_RECEIVING_ADDRESS: &[Code] = &[c::ADDRESS_TYPE_MISMATCH, c::ADDRESS_UNPAYABLE, c::RECEIVING_ADDRESS_TAKEN];
/// What advertisers and takers need, and the size of what they trade.
const TRADE: &[Code] = &[
    c::MONEY_STOPPED,
    c::RISK_BUY,
    c::RISK_SELL,
    c::NO_KYC,
    c::ID_NOT_BOUND,
    c::NICKNAME_NOT_SET,
    c::RECEIVING_ADDRESS_UNBOUND,
    c::RECEIVING_ADDRESS_UNFIT,
    c::ADDRESS_UNPAYABLE,
    c::HELD,
    c::REGION_UNSUPPORTED,
    c::PAIR_UNSUPPORTED,
    c::AMOUNT_OUTSIDE_LIMIT,
    c::FEE_BELOW_GAS,
    c::PAYMENT_METHOD_MISSING,
    c::ADVERTS_BEING_CREATED,
];
const ADVERT: &[Code] = &[c::ADVERT_MISSING, c::STALE, c::ADVERT_STATE];
const ORDER: &[Code] = &[c::ORDER_MISSING, c::STALE, c::LOCKED_BY_APPEAL];
/// Temporary balance for an advert or order.
const FROM_BALANCE: &[Code] = &[c::STALE, c::RISK_WITHDRAWAL, c::HELD, c::BALANCE_SHORT, c::MONEY_STOPPED];
const CASE: &[Code] = &[c::APPEAL_MISSING, c::NOT_ON_CASE];
/// A change that an officer decides after having seen the former state.
const CHANGE: &[Code] = &[c::RECORD_MISSING, c::STALE];

refusals! {
    // Accounts.
    "post /user/login" => [SECRET_UNREADABLE, WRONG_CREDENTIALS, ENVIRONMENT_AT_RISK, VERIFICATION_FAILED, RISK_LOGIN, NO_KYC];
    "post /user/register" => ANSWER + EMAIL_CODE + NEW_RECEIVING_ADDRESS
        + [SECRET_UNREADABLE, REGION_UNSUPPORTED, ID_BOUND_ELSEWHERE, EMAIL_REGISTERED];
    "post /user/resetPassword" => EMAIL_CODE + NEW_PASSWORD + [];
    "post /user/unBindResetPassword" => ANSWER + NEW_PASSWORD + [ADDRESS_NOT_REGISTERED, BOUND_MISMATCH];
    "post /user/updateInfo" => SECURITY_PASSWORD + ANSWER + EMAIL_CODE + NEW_PASSWORD + NEW_RECEIVING_ADDRESS
        + [BOUND_MISMATCH, HELD, WRONG_CREDENTIALS, SECURITY_PASSWORD_FORMAT, EMAIL_REGISTERED,
           NICKNAME_INVALID, NICKNAME_EXISTS, CHANGED_THIS_WEEK, SENSITIVE_WORDS];
    "post /user/bind" => SECURITY_PASSWORD + ANSWER
        + [BOUND_MISMATCH, BINDING_FAILED, ID_BOUND_ELSEWHERE, ADDRESS_UNPAYABLE];
    "post /user/unbind" => SECURITY_PASSWORD + ANSWER + [BOUND_MISMATCH, BINDING_FAILED, ID_NOT_BOUND];
    "get /user/info/{id}", "get /user/isBind/{id}", "post /logout", "post /user/session/revoke/{id}" => [RECORD_MISSING];
    "post /user/certification" => [CERTIFICATION_UNMET, CERTIFICATION_TOO_SOON];
    "post /email/send" => OPTIONAL_SESSION + ANSWER
        + [VERIFICATION_FAILED, REGION_UNSUPPORTED, ID_BOUND_ELSEWHERE, ADDRESS_UNPAYABLE];
    "post /email/verify", "get /email/check/{code}" => OPTIONAL_SESSION + EMAIL_CODE + [];
    "post /slide/verify", "post /slide/work/verify" => [VERIFICATION_FAILED];
    // The pass.
    "get /scan/proof" => [ORDER_MISSING];
    "get /scan/challenge/{id}" => [SCAN_INVALID, SCAN_TIMEOUT];
    "get /scan/result/{id}" => ANSWER + [RISK_LOGIN, BOUND_MISMATCH];
    "get /scan/callBack" => STATEMENT + [];
    "post /user/authorizeLogin" => STATEMENT + ANSWER + [RISK_LOGIN, BOUND_MISMATCH, ADDRESS_NOT_REGISTERED];
    "post /user/authorizeRegister" => STATEMENT + ANSWER + [RISK_LOGIN, BOUND_MISMATCH];
    // The market.
    "get /c2c/advert/page", "post /c2c/advert/match" => OPTIONAL_SESSION + [PAIR_UNSUPPORTED];
    "get /market/stats", "get /market/nft/average", "get /order/price/thread/new/page", "get /c2c/advert/price",
    "get /c2c/advert/traits", "get /c2c/advert/prepayment", "get /c2c/advert/requirements" => [PAIR_UNSUPPORTED];
    // Adverts.
    "post /c2c/advert/create" => TRADE
        + [ADVANCED_KYC_NEEDED, CREDIT_TOO_LOW, NOT_CERTIFIED, PRICE_OUT_OF_RANGE, PRICE_FAR, NO_PAYMENT_METHOD, SENSITIVE_WORDS,
           ADVERT_LIMIT, ALBUM_MISSING, NFT_ONLY_IN_SELL_ADVERTS, NFT_MISSING, PREPAYMENT_SHORT, RISK_WITHDRAWAL];
    "get /c2c/advert/{id}" => [ADVERT_MISSING, ADVERT_STATE, ADVERTISER_OFFLINE, PAIR_UNSUPPORTED, QUANTITY_SHORT];
    "get /c2c/advert/{id}/preview" =>
        [ADVERT_MISSING, ADVERT_STATE, ADVERTISER_OFFLINE, PAIR_UNSUPPORTED, QUANTITY_SHORT, AMOUNT_OUTSIDE_LIMIT, FEE_BELOW_GAS];
    "post /c2c/advert/cancel/{id}" => ADVERT + [MONEY_STOPPED];
    "post /c2c/advert/deposit/{id}" => SECURITY_PASSWORD + FROM_BALANCE + [ADVERT_MISSING];
    "post /c2c/advert/switch/{id}" => ADVERT + [ADVERTISER_OFFLINE];
    "post /c2c/advert/delete/{id}" => ADVERT + [];
    "post /c2c/advert/online" => [HELD];
    "post /user/notification/preference" => [HELD];
    // Orders.
    "post /c2c/deal/order" => SECURITY_PASSWORD + TRADE
        + [ADVERT_MISSING, ADVERT_STATE, ADVERTISER_OFFLINE, OWN_ADVERT, BLOCKED, TAKER_REQUIREMENTS_UNMET, PRICE_CHANGED, FEE_CHANGED, QUANTITY_SHORT,
           NO_SHARED_PAYMENT_METHOD, ORDER_LIMIT, PREFUNDING_SHORT, RISK_WITHDRAWAL];
    "get /c2c/deal/order/{id}", "get /c2c/deal/order/record/{id}", "post /c2c/deal/order/updateRead" => [ORDER_MISSING];
    "post /c2c/deal/order/take/{id}" => ORDER + [ORDER_FROZEN, CANNOT_ACCEPT, HELD, ADVERTS_BEING_CREATED];
    "post /c2c/deal/order/cancel/{id}" => ORDER + SECURITY_PASSWORD
        + [ORDER_FROZEN, CANNOT_REJECT, CANNOT_CANCEL, SENSITIVE_WORDS, CANCELLATION_COST_RAISED, HELD, MONEY_STOPPED];
    "post /c2c/deal/order/askCancel/{id}" => ORDER + [ORDER_FROZEN, CANNOT_CANCEL];
    "post /c2c/deal/order/agreeCancel/{id}" => ORDER + [ORDER_FROZEN, CANNOT_CANCEL, HELD, MONEY_STOPPED];
    "post /c2c/deal/order/pay/{id}" => ORDER + [CANNOT_PAY, PAYMENT_METHOD_MISSING];
    "post /c2c/deal/order/confirm/{id}" => ORDER + SECURITY_PASSWORD + ANSWER
        + [ORDER_FROZEN, CANNOT_CONFIRM, BOUND_MISMATCH, MONEY_STOPPED];
    "post /c2c/deal/order/recover/{id}" => ORDER + [ORDER_FROZEN, CANNOT_RECOVER];
    "post /c2c/deal/order/deposit/{id}" => SECURITY_PASSWORD + FROM_BALANCE + [ORDER_MISSING, LOCKED_BY_APPEAL];
    "get /c2c/deal/order/feedback/{id}" => [ORDER_MISSING];
    "post /c2c/deal/order/feedback/{id}" => [ORDER_MISSING, FEEDBACK_TOO_EARLY, FEEDBACK_GIVEN, SENSITIVE_WORDS];
    // Other users.
    "get /user/trader/{id}", "get /user/trader/{id}/adverts", "get /user/trader/{id}/feedback" => [USER_MISSING];
    "post /user/trader/{id}/favorite", "post /user/trader/{id}/block" => [USER_MISSING, TRADER_LIST_FULL];
    // Appeals and conversations.
    "post /c2c/appeal" => ORDER + [ORDER_FROZEN, CANNOT_APPEAL];
    "get /c2c/appeal/{id}" => [APPEAL_MISSING];
    "post /c2c/appeal/{id}" => [APPEAL_MISSING, APPEAL_PROCESSED, STALE, CANNOT_APPEAL, MONEY_STOPPED];
    "post /c2c/appeal/evidence/{id}" => [APPEAL_MISSING, APPEAL_PROCESSED, STALE];
    "get /user/fiat/talk/{id}", "get /user/fiat/talk/read/{id}", "get /user/fiat/talk/updateRead/{id}",
    "get /user/fiat/talk/unRead/{id}" => [ORDER_MISSING];
    "post /user/fiat/talk/{id}" => [ORDER_MISSING, CONVERSATION_CLOSED, SENSITIVE_WORDS, UPLOAD_FAILED];
    "get /fiat/{address}" => OPTIONAL_SESSION + [FORBIDDEN];
    // Funds, payment methods and files.
    "post /balance/extract" => SECURITY_PASSWORD
        + [RECORD_MISSING, MONEY_STOPPED, RISK_WITHDRAWAL, HELD, BUSY_WITH_TRADES, ID_NOT_BOUND, BALANCE_SHORT, BELOW_GAS];
    "post /balance/extract/{id}" => SECURITY_PASSWORD
        + [NFT_MISSING, MONEY_STOPPED, RISK_WITHDRAWAL, HELD, BUSY_WITH_TRADES, ID_NOT_BOUND, GAS_SHORT];
    "get /balance/nft/list" => [ALBUM_MISSING];
    "get /nft/{id}" => OPTIONAL_SESSION + [NFT_MISSING];
    "get /nft/{id}/history" => [NFT_MISSING];
    "get /nft/{id}/picture/{size}" => [RECORD_MISSING, NFT_MISSING];
    "get /balance/record/{id}" => [RECORD_MISSING];
    "get /payment/method/{id}" => [PAYMENT_METHOD_MISSING];
    "post /payment/method" => [PAYMENT_METHOD_MISSING, PAYMENT_METHOD_EXISTS, PAYMENT_METHOD_LIMIT];
    "post /payment/method/{id}" => [PAYMENT_METHOD_MISSING, PAYMENT_METHOD_EXISTS, PAYMENT_METHOD_IN_USE];
    "post /payment/method/delete/{id}" => [PAYMENT_METHOD_MISSING, PAYMENT_METHOD_IN_USE];
    "post /file/uploadImage", "post /file/uploadFile" => [UPLOAD_FAILED, RECORD_MISSING];
    "get /file/{id}" => [FORBIDDEN, RECORD_MISSING];
    // The console.
    "post /console/sign-in" => [FORBIDDEN, OFFICER_SIGN_IN_WRONG, SECRET_UNREADABLE, NOT_AVAILABLE];
    "post /console/enrollment/begin" => [FORBIDDEN, OFFICER_LINK_INVALID, NOT_AVAILABLE];
    "post /console/enrollment" => [FORBIDDEN, OFFICER_LINK_INVALID, OFFICER_CODE_WRONG, SECRET_UNREADABLE, NOT_AVAILABLE, STALE];
    "get /console/users/{id}" => [RECORD_MISSING];
    "post /console/users/{id}/flags", "post /console/users/{id}/badges", "post /console/users/{id}/hold",
    "post /console/users/{id}/sessions/end", "post /console/maintenance/end", "post /console/pairs/{id}/reference",
    "post /console/payouts/legs/{id}/void" => CHANGE + [];
    "post /console/users/{id}/nickname" => CHANGE + [NICKNAME_EXISTS];
    "post /console/maintenance" => [STALE];
    "post /console/pairs/{id}" => CHANGE + [PAIR_UNUSABLE];
    "post /console/payouts/{id}/resume" => CHANGE + [PAYOUTS_DISAGREE];
    "post /console/certifications/{id}/decision" => CHANGE + [CERTIFICATION_UNMET];
    "post /console/officers" => [NOT_AVAILABLE, OFFICER_EXISTS];
    "post /console/officers/{id}", "post /console/officers/{id}/enrollment" => CHANGE + [NOT_AVAILABLE, LAST_ADMINISTRATOR];
    "post /console/officers/{id}/link" => CHANGE + [NOT_AVAILABLE, APPROVER_NOT_INDEPENDENT, SETUP_LINK_NOT_NEEDED];
    "post /console/adverts/{id}/takedown" => ADVERT + [];
    "get /console/appeals/{id}/summary" => [APPEAL_MISSING];
    "get /console/appeals/{id}", "get /console/appeals/{id}/talk", "post /console/appeals/{id}/leave" => CASE + [];
    "post /console/appeals/{id}/join", "post /console/appeals/{id}/notes", "post /console/appeals/{id}/talk",
    "post /console/appeals/{id}/evidence-requests" => CASE + [APPEAL_PROCESSED];
    "post /console/appeals/{id}/evidence-requests/close" => CASE + [APPEAL_PROCESSED, STALE];
    "post /console/appeals/{id}/assignee" => [APPEAL_MISSING, APPEAL_PROCESSED, STALE];
    "post /console/appeals/{id}/decision" => CASE
        + [APPEAL_PROCESSED, STALE, APPEAL_ABOVE_LIMIT, APPEAL_UNDECIDABLE, OFFICER_NOT_INDEPENDENT];
    "get /console/files/{id}" => [NOT_ON_CASE, RECORD_MISSING];
}

/// Returns the refusals of a call.
pub(super) fn of(call: &str) -> impl Iterator<Item = &'static Code> {
    let row = REFUSALS.iter().find(|(calls, _)| calls.contains(&call));
    row.into_iter().flat_map(|(_, lists)| lists.iter().copied().flatten())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_about_calls_of_the_document_which_have_no_other_row() {
        let document = serde_json::to_value(crate::document()).unwrap();
        let mut seen = std::collections::BTreeSet::new();
        for call in REFUSALS.iter().flat_map(|(calls, _)| *calls) {
            let (method, path) = call.split_once(' ').unwrap();
            assert!(document["paths"][path].get(method).is_some(), "{call}: no such call");
            assert!(seen.insert(call), "{call}: two rows");
        }
    }
}
