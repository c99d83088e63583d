//! The response codes and their HTTP status.
//!
//! The specification fixes most numbers. Where it gives only a range, the codes are numbered in the order of its list.
//! Codes that the specification does not name use the free numbers of the range.

use super::Code;

macro_rules! codes {
    ($($name:ident = $code:literal, $status:literal $(, $key:literal)?;)*) => {
        $(
            #[doc = concat!("Code ", $code, ".")]
            pub const $name: Code = Code { code: $code, key: codes!(@key $code $(, $key)?), status: $status };
        )*
        /// Every code, in the order of the page.
        pub const ALL: &[Code] = &[$($name),*];
    };
    (@key $code:literal) => { concat!("me_", $code) };
    (@key $code:literal, $key:literal) => { $key };
}

codes! {
    OK = "200", 200;
    // Requests and transport.
    PARAMETERS = "400", 400;
    LOGIN_INVALID = "401", 401;
    FORBIDDEN = "403", 403;
    NO_SUCH_CALL = "404", 404;
    METHOD_NOT_ALLOWED = "405", 405;
    CONFLICT = "409", 409;
    TOO_LARGE = "413", 413;
    TOO_MANY = "429", 429;
    INTERNAL = "500", 500, "me_177";
    UNAVAILABLE = "503", 503;
    PARAMETER_EMPTY = "999", 400;

    // The pass.
    SIGNATURE_FAILED = "800", 422;
    NO_KYC = "801", 403;
    SCAN_TIMEOUT = "803", 409;
    AUTHORIZATION_ID = "804", 422;
    AUTHORIZATION_ADDRESS = "805", 422;
    ADDRESS_NOT_REGISTERED = "806", 409;
    ADVANCED_VERIFICATION = "807", 403;

    // Accounts.
    EMAIL_REGISTERED = "1000", 409;
    USER_MISSING = "1001", 404;
    ID_NOT_BOUND = "1002", 409;
    LOGIN_PROHIBITED = "1003", 403;
    WRONG_CREDENTIALS = "1004", 422;
    LOGIN_FAILED = "1005", 422;
    LOGIN_EXPIRED = "1006", 401;
    TIMED_OUT = "1007", 503;
    ID_BOUND_ELSEWHERE = "1008", 409;
    // A scan that has no result yet is not an error, so it does not show up in monitoring.
    NO_SCAN_RESULT = "1009", 200;
    SCAN_INVALID = "1010", 422;
    BINDING_FAILED = "1011", 422;
    BOUND_MISMATCH = "1012", 409;
    EMAIL_CODE_WRONG = "1013", 422;
    UPLOAD_FAILED = "1014", 422;
    ADDRESS_TYPE_MISMATCH = "1015", 422;
    RECORD_MISSING = "1016", 404;
    REGION_EMPTY = "1017", 422;
    TOKEN_NAME_EXISTS = "1018", 409;
    SECRET_UNREADABLE = "1019", 422;
    SENSITIVE_WORDS = "1030", 422;
    CHANGED_THIS_WEEK = "1031", 409;
    SAME_PASSWORD = "1032", 422;
    RECEIVING_ADDRESS_TAKEN = "1033", 409;
    NICKNAME_EXISTS = "1037", 409;
    NICKNAME_INVALID = "1038", 422;
    NICKNAME_NOT_SET = "1039", 409;
    ENVIRONMENT_AT_RISK = "1042", 403, "me_633";

    // Invitations: only the codes and texts exist.
    INVITATION_MISSING = "3000", 404;
    INVITATION_CODE_INVALID = "3001", 422;
    INVITATION_CODE_USED = "3002", 409;
    INVITATION_OWN = "3003", 422;
    INVITATION_BOUND = "3004", 409;
    INVITATION_LOOP = "3005", 422;
    INVITATION_CLOSED = "3006", 409;
    INVITATION_LIMIT = "3007", 409;
    LEVEL_MISSING = "3008", 404;
    LEVEL_EXISTS = "3009", 409;
    LEVEL_TOO_LOW = "3010", 403;
    LEVEL_IN_USE = "3011", 409;
    TASK_MISSING = "3012", 404;
    TASK_CLOSED = "3013", 409;
    TASK_NOT_STARTED = "3014", 409;
    TASK_UNFINISHED = "3015", 409;
    TASK_FINISHED = "3016", 409;
    TASK_LIMIT = "3017", 409;
    REWARD_MISSING = "3018", 404;
    REWARD_TAKEN = "3019", 409;
    REWARD_EXPIRED = "3020", 409;
    REWARD_UNDER_REVIEW = "3021", 409;
    REWARD_POOL_EMPTY = "3022", 409;
    REWARD_WITHDRAWAL_CLOSED = "3023", 409;
    REWARD_WITHDRAWAL_BELOW_MIN = "3024", 422;
    REWARD_WITHDRAWAL_ABOVE_MAX = "3025", 422;
    REWARD_WITHDRAWAL_PENDING = "3026", 409;

    ADDRESS_GENERATION_FAILED = "4000", 503;
    ADVANCED_KYC_NEEDED = "4001", 403;

    // Adverts, orders, appeals.
    ADVERT_MISSING = "5000", 404;
    APPEAL_MISSING = "5001", 404;
    APPEAL_PROCESSED = "5002", 409;
    NO_PAIR_CONFIG = "5003", 422;
    ADVERTS_BEING_CREATED = "5004", 409;
    OUTSTANDING_ORDERS = "5005", 409;
    CREDIT_TOO_LOW = "5006", 403;
    ORDER_MISSING = "5007", 404;
    QUANTITY_SHORT = "5008", 409;
    AMOUNT_OUTSIDE_LIMIT = "5009", 422;
    ADVERTISER_OFFLINE = "5010", 409;
    C2C_PROHIBITED = "5011", 403;
    CANNOT_ACCEPT = "5012", 409;
    CANNOT_PAY = "5013", 409;
    CANNOT_CONFIRM = "5014", 409;
    CANNOT_CANCEL = "5015", 409;
    CANNOT_APPEAL = "5016", 409;
    ADVERT_LIMIT = "5017", 409;
    ORDER_LIMIT = "5018", 409;
    BUSY_WITH_TRADES = "5019", 409;
    OWN_ADVERT = "5020", 409;
    FEE_BELOW_GAS = "5021", 422;
    PRICE_OUT_OF_RANGE = "5022", 422;
    RECEIVING_ADDRESS_UNBOUND = "5023", 409;
    PAYMENT_METHOD_EXISTS = "5024", 409;
    PAYMENT_METHOD_MISSING = "5025", 404;
    NO_PAYMENT_METHOD = "5026", 409;
    NOT_CERTIFIED = "5027", 403;
    PAIR_UNSUPPORTED = "5028", 422;
    ALBUM_MISSING = "5029", 422;
    NFT_ONLY_IN_SELL_ADVERTS = "5030", 422;
    NFT_MISSING = "5031", 404;
    NOT_AVAILABLE = "5032", 409;
    LOCKED_BY_APPEAL = "5033", 409;
    ORDER_FROZEN = "5034", 409;
    DEPOSIT_SHORT = "5035", 409;
    HELD = "5036", 409;
    BLOCKED = "5037", 403;
    NO_SHARED_PAYMENT_METHOD = "5038", 409;
    PAYMENT_METHOD_IN_USE = "5039", 409;
    PAYMENT_METHOD_LIMIT = "5040", 409;
    SECURITY_PASSWORD_MISSING = "5041", 409;
    REGION_UNSUPPORTED = "5042", 403;
    PRICE_CHANGED = "5043", 409, "me_544";
    ADVERT_STATE = "5044", 409;
    CANNOT_REJECT = "5045", 409;
    CANNOT_RECOVER = "5046", 409;
    BELOW_GAS = "5047", 422;
    MONEY_STOPPED = "5048", 503;
    RECEIVING_ADDRESS_UNFIT = "5049", 409;
    STALE = "5050", 409;
    ADDRESS_UNPAYABLE = "5060", 422;

    // Accounts of the ledger.
    ACCOUNT_MISSING = "AC2001", 404;
    ACCOUNT_EXISTS = "AC2002", 409;
    ACCOUNT_CLOSED = "AC2003", 409;
    ACCOUNT_LOCKED = "AC2004", 409;
    ACCOUNT_FOREIGN = "AC2005", 403;
    ACCOUNT_KIND = "AC2006", 422;
    ACCOUNT_ASSET = "AC2007", 422;
    ACCOUNT_STALE = "AC2008", 409;
    BALANCE_SHORT = "AC3001", 409;
    BALANCE_OUT_OF_RANGE = "AC3002", 422;
    BALANCE_AMOUNT_INVALID = "AC3003", 422;
    BALANCE_UNCONFIRMED = "AC3004", 409;
    FREEZE_MISSING = "AC3501", 404;
    FREEZE_SHORT = "AC3502", 409;
    FREEZE_ENDED = "AC3503", 409;
    SETTLED_TWICE = "AC4000", 409;
    SELF_TRANSFER = "AC4001", 422;

    // Risk flags.
    RISK_LOGIN = "RISK5001", 403;
    RISK_WITHDRAWAL = "RISK5002", 403;
    RISK_BUY = "RISK5003", 403;
    RISK_SELL = "RISK5004", 403;

    // Passwords and codes.
    SECURITY_PASSWORD_FORMAT = "USER3003", 422;
    SECURITY_EQUALS_LOGIN = "USER3008", 422;
    SECURITY_PASSWORD_WRONG = "USER3011", 422;
    CODE_FORMAT = "USER4000", 422;
    VERIFICATION_FAILED = "SDK1003", 422;
}
