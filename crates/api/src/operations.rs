//! Adds to the document which codes each operation may return, by HTTP status.
//!
//! Refusals that many calls share are derived from the operation: whether it needs a session or an idempotency key, and
//! whether it has a body or parameters. `REFUSALS` lists the refusals of use cases. Tests compare all responses with
//! the document.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::codes::{self as c, Code, text};
use super::language::Language;
use super::middleware::is_public;

/// The name of the schema of refusals, and the start of the names of responses.
const REFUSAL: &str = "Refusal";
/// The extension in which a response lists its codes.
pub const CODES: &str = "x-codes";

/// The refusals of use cases: groups of operations, as prefixes of method and path, and their codes. A `$` ends the path.
const REFUSALS: &[(&[&str], &[Code])] = &[
    // Public calls refuse invalid tokens too.
    (
        &[
            "get /c2c/advert/hall",
            "get /c2c/advert/page",
            "post /c2c/advert/match",
            "get /market/",
            "get /order/price",
            "get /common/",
            "get /c2c/coin",
            "get /scan/",
            "post /user/authorize",
        ],
        &[c::LOGIN_INVALID, c::RISK_LOGIN],
    ),
    (
        &["get /c2c/advert/", "post /c2c/advert/match", "get /market/", "get /order/price", "get /c2c/coin"],
        &[c::PAIR_UNSUPPORTED, c::NO_PAIR_CONFIG, c::PARAMETERS, c::PARAMETER_EMPTY],
    ),
    (&["get /c2c/advert/hall", "get /c2c/advert/{id}"], &[c::ADVERT_MISSING, c::ADVERTISER_OFFLINE, c::ADVERT_STATE]),
    (&["get /c2c/advert/hall/"], &[c::QUANTITY_SHORT]),
    (&["get /c2c/advert/hall/{id}/preview"], &[c::AMOUNT_OUTSIDE_LIMIT, c::FEE_BELOW_GAS]),
    (&["get /c2c/deal/order/{id}", "get /c2c/deal/order/record/", "get /scan/proof"], &[c::ORDER_MISSING]),
    (
        &["post /c2c/deal/order/confirm"],
        &[c::SCAN_TIMEOUT, c::NO_SCAN_RESULT, c::SCAN_INVALID, c::LOGIN_FAILED, c::BOUND_MISMATCH],
    ),
    (&["get /balance/record/"], &[c::RECORD_MISSING]),
    // Trading and money.
    (
        &["post /c2c/", "post /balance/extract"],
        &[
            c::MONEY_STOPPED,
            c::STALE,
            c::RECORD_MISSING,
            c::NO_KYC,
            c::ADVANCED_KYC_NEEDED,
            c::NICKNAME_NOT_SET,
            c::RECEIVING_ADDRESS_UNBOUND,
            c::RECEIVING_ADDRESS_UNFIT,
            c::HELD,
            c::RISK_BUY,
            c::RISK_SELL,
            c::CREDIT_TOO_LOW,
            c::SECURITY_PASSWORD_MISSING,
        ],
    ),
    (
        &[
            "post /balance/extract",
            "post /c2c/deal/order$",
            "post /c2c/advert/deposit",
            "post /c2c/deal/order/deposit",
            "post /c2c/deal/order/confirm",
            "post /c2c/deal/order/cancel",
        ],
        &[c::SECRET_UNREADABLE, c::SECURITY_PASSWORD_WRONG, c::SECURITY_PASSWORD_MISSING],
    ),
    (&["post /balance/extract"], &[c::RISK_WITHDRAWAL, c::BUSY_WITH_TRADES, c::BALANCE_SHORT, c::BELOW_GAS]),
    (
        &["post /c2c/advert/", "post /c2c/deal/order"],
        &[c::ADVERT_MISSING, c::ADVERT_STATE, c::ADVERTISER_OFFLINE, c::DEPOSIT_SHORT, c::BALANCE_SHORT],
    ),
    (
        &["post /c2c/advert/create", "post /c2c/advert/match", "post /c2c/deal/order"],
        &[
            c::ADDRESS_UNPAYABLE,
            c::PAIR_UNSUPPORTED,
            c::REGION_UNSUPPORTED,
            c::NOT_CERTIFIED,
            c::PRICE_OUT_OF_RANGE,
            c::PRICE_FAR,
            c::PRICE_CHANGED,
            c::FEE_CHANGED,
            c::PREFUNDING_SHORT,
            c::AMOUNT_OUTSIDE_LIMIT,
            c::FEE_BELOW_GAS,
            c::BELOW_GAS,
            c::QUANTITY_SHORT,
            c::OWN_ADVERT,
            c::BLOCKED,
            c::NO_SHARED_PAYMENT_METHOD,
            c::NO_PAYMENT_METHOD,
            c::PAYMENT_METHOD_MISSING,
            c::ADVERTS_BEING_CREATED,
            c::ADVERT_LIMIT,
            c::ORDER_LIMIT,
            c::NOT_AVAILABLE,
            c::SENSITIVE_WORDS,
        ],
    ),
    (
        &["post /c2c/deal/order/"],
        &[
            c::ORDER_MISSING,
            c::CANNOT_ACCEPT,
            c::CANNOT_REJECT,
            c::CANNOT_CANCEL,
            c::CANNOT_PAY,
            c::CANNOT_CONFIRM,
            c::CANNOT_RECOVER,
            c::CANCELLATION_COST_RAISED,
            c::LOCKED_BY_APPEAL,
            c::ORDER_FROZEN,
            c::NOT_AVAILABLE,
            c::PRICE_CHANGED,
            c::FEE_CHANGED,
        ],
    ),
    (&["post /c2c/appeal"], &[c::ORDER_MISSING, c::CANNOT_APPEAL, c::LOCKED_BY_APPEAL, c::ORDER_FROZEN]),
    (&["get /c2c/appeal/{id}", "post /c2c/appeal/"], &[c::APPEAL_MISSING, c::APPEAL_PROCESSED]),
    (
        &[
            "get /user/fiat/talk/{id}",
            "get /user/fiat/talk/read/",
            "get /user/fiat/talk/updateRead/",
            "get /user/fiat/talk/unRead/",
        ],
        &[c::ORDER_MISSING],
    ),
    (&["post /user/fiat/talk/"], &[c::ORDER_MISSING, c::SENSITIVE_WORDS, c::CONVERSATION_CLOSED, c::UPLOAD_FAILED]),
    (
        &["get /payment/", "post /payment/"],
        &[
            c::PAYMENT_METHOD_MISSING,
            c::PAYMENT_METHOD_EXISTS,
            c::PAYMENT_METHOD_IN_USE,
            c::PAYMENT_METHOD_LIMIT,
            c::SENSITIVE_WORDS,
            c::NO_KYC,
            c::RECORD_MISSING,
        ],
    ),
    (&["post /file/"], &[c::UPLOAD_FAILED, c::TOO_LARGE, c::RECORD_MISSING]),
    (&["get /file/"], &[c::FORBIDDEN, c::RECORD_MISSING, c::LOGIN_INVALID]),
    (&["get /user/certification"], &[c::RECORD_MISSING]),
    (&["post /user/certification"], &[c::CERTIFICATION_UNMET, c::CERTIFICATION_TOO_SOON]),
    (&["post /common/word/valid"], &[c::SENSITIVE_WORDS, c::NICKNAME_INVALID, c::NICKNAME_EXISTS]),
    // Accounts.
    (
        &["post /email/", "get /email/", "post /user/", "post /logout"],
        &[
            c::CODE_FORMAT,
            c::EMAIL_CODE_WRONG,
            c::VERIFICATION_FAILED,
            c::EMAIL_REGISTERED,
            c::ADDRESS_NOT_REGISTERED,
            c::USER_MISSING,
            c::RECORD_MISSING,
            c::SECRET_UNREADABLE,
            c::LOGIN_INVALID,
            c::RISK_LOGIN,
            c::CONFLICT,
        ],
    ),
    (
        &[
            "post /user/login",
            "post /user/register",
            "post /user/resetPassword",
            "post /user/unBind",
            "post /user/authorize",
        ],
        &[
            c::WRONG_CREDENTIALS,
            c::LOGIN_FAILED,
            c::LOGIN_PROHIBITED,
            c::SAME_PASSWORD,
            c::NICKNAME_EXISTS,
            c::NICKNAME_INVALID,
            c::SENSITIVE_WORDS,
            c::NO_KYC,
        ],
    ),
    (&["post /user/login"], &[c::ENVIRONMENT_AT_RISK]),
    (
        &[
            "get /scan/",
            "post /user/authorize",
            "post /user/unBind",
            "post /user/register",
            "post /user/resetPassword",
            "post /user/updateInfo",
        ],
        &[
            c::SIGNATURE_FAILED,
            c::NO_KYC,
            c::SCAN_TIMEOUT,
            c::NO_SCAN_RESULT,
            c::SCAN_INVALID,
            c::LOGIN_FAILED,
            c::ADDRESS_NOT_REGISTERED,
            c::ID_BOUND_ELSEWHERE,
            c::BOUND_MISMATCH,
            c::ID_NOT_BOUND,
            c::REGION_EMPTY,
            c::RECORD_MISSING,
            c::VERIFICATION_FAILED,
            c::FORBIDDEN,
        ],
    ),
    (
        &["post /user/register", "post /user/authorizeRegister", "post /user/updateInfo"],
        &[c::ADDRESS_UNPAYABLE, c::ADDRESS_TYPE_MISMATCH, c::RECEIVING_ADDRESS_TAKEN],
    ),
    (&["post /user/register", "post /user/authorizeRegister"], &[c::REGION_UNSUPPORTED]),
    (&["post /user/resetPassword", "post /user/unBindResetPassword"], &[c::SECURITY_EQUALS_LOGIN]),
    (
        &["post /user/updateInfo"],
        &[
            c::NICKNAME_INVALID,
            c::NICKNAME_EXISTS,
            c::CHANGED_THIS_WEEK,
            c::SENSITIVE_WORDS,
            c::RECEIVING_ADDRESS_UNFIT,
            c::SAME_PASSWORD,
            c::SECURITY_PASSWORD_FORMAT,
            c::SECURITY_EQUALS_LOGIN,
            c::SECURITY_PASSWORD_WRONG,
            c::SECURITY_PASSWORD_MISSING,
            c::WRONG_CREDENTIALS,
            c::NO_KYC,
            c::BUSY_WITH_TRADES,
            c::HELD,
        ],
    ),
    (&["get /user/"], &[c::USER_MISSING, c::RECORD_MISSING, c::FORBIDDEN]),
    (&["post /slide", "get /slide"], &[c::VERIFICATION_FAILED]),
    // The console.
    (&["post /ops/sign-in", "post /ops/enrollment"], &[c::FORBIDDEN]),
    (&["post /ops/sign-in"], &[c::OFFICER_SIGN_IN_WRONG, c::SECRET_UNREADABLE, c::NOT_AVAILABLE]),
    (
        &["post /ops/enrollment"],
        &[c::OFFICER_LINK_INVALID, c::OFFICER_CODE_WRONG, c::SECRET_UNREADABLE, c::NOT_AVAILABLE, c::STALE],
    ),
    (
        &["post /ops/users", "post /ops/payouts", "post /ops/pairs", "post /ops/maintenance", "post /ops/officers"],
        &[c::STALE, c::RECORD_MISSING],
    ),
    (&["get /ops/users"], &[c::RECORD_MISSING]),
    (&["get /ops/appeals/{id}", "post /ops/appeals"], &[c::APPEAL_MISSING, c::NOT_ON_CASE]),
    (&["post /ops/appeals/{id}/join", "post /ops/appeals/{id}/notes"], &[c::APPEAL_PROCESSED]),
    (
        &["post /ops/appeals/{id}/decision"],
        &[c::STALE, c::APPEAL_PROCESSED, c::APPEAL_ABOVE_LIMIT, c::APPEAL_UNDECIDABLE, c::OFFICER_NOT_INDEPENDENT],
    ),
    (&["post /ops/appeals/{id}/assignee"], &[c::STALE, c::APPEAL_PROCESSED]),
    (&["post /ops/appeals/{id}/evidence-requests"], &[c::APPEAL_PROCESSED]),
    (&["post /ops/appeals/{id}/evidence-requests/close"], &[c::STALE]),
    (&["post /ops/appeals/{id}/talk"], &[c::SENSITIVE_WORDS, c::APPEAL_PROCESSED]),
    (&["get /ops/files/{id}"], &[c::NOT_ON_CASE, c::RECORD_MISSING]),
    (&["post /ops/certifications"], &[c::STALE, c::RECORD_MISSING, c::CERTIFICATION_UNMET]),
    (&["post /ops/adverts"], &[c::STALE, c::ADVERT_MISSING, c::ADVERT_STATE]),
    (&["post /ops/payouts"], &[c::PAYOUTS_DISAGREE]),
    (&["post /ops/pairs"], &[c::PAIR_UNUSABLE]),
    (&["post /ops/officers/{id}/link"], &[c::APPROVER_NOT_INDEPENDENT, c::SETUP_LINK_NOT_NEEDED]),
    (&["post /ops/officers"], &[c::LAST_ADMINISTRATOR, c::OFFICER_EXISTS, c::NOT_AVAILABLE]),
    (&["get /fiat/"], &[c::PARAMETERS, c::LOGIN_INVALID, c::RISK_LOGIN, c::FORBIDDEN]),
];

/// Returns the codes that an operation may return besides 200.
fn codes_of(method: &str, path: &str, operation: &Value) -> BTreeSet<&'static str> {
    let has_parameters = |of: &[&str]| {
        let parameters = operation.get("parameters").and_then(Value::as_array).into_iter().flatten();
        parameters.filter_map(|one| one.get("in").and_then(Value::as_str)).any(|place| of.contains(&place))
    };
    let is_for = |scheme: &str| {
        let schemes = operation.get("security").and_then(Value::as_array).into_iter().flatten();
        schemes.filter_map(Value::as_object).any(|schemes| schemes.contains_key(scheme))
    };
    let shared: [(bool, &[Code]); 6] = [
        (true, &[c::TOO_MANY, c::INTERNAL, c::UNAVAILABLE, c::TIMED_OUT]),
        (is_for("session"), &[c::LOGIN_INVALID, c::RISK_LOGIN]),
        (is_for("officer"), &[c::LOGIN_INVALID, c::FORBIDDEN]),
        (has_parameters(&["header"]), &[c::PARAMETERS, c::CONFLICT]),
        (has_parameters(&["query", "path"]), &[c::PARAMETERS, c::PARAMETER_EMPTY]),
        (operation.get("requestBody").is_some(), &[c::PARAMETERS, c::PARAMETER_EMPTY, c::TOO_SLOW, c::TOO_LARGE]),
    ];
    let name = format!("{method} {path}");
    let is_named = |named: &&str| named.strip_suffix('$').map_or(name.starts_with(*named), |whole| name == whole);
    let named = REFUSALS.iter().filter(|(names, _)| names.iter().any(is_named));
    let shared = shared.iter().filter(|(applies, _)| *applies).flat_map(|(_, codes)| *codes);
    shared.chain(named.flat_map(|(_, codes)| *codes)).map(|code| code.code).collect()
}

/// Adds the refusals of every operation to the document.
pub(crate) fn list_refusals(document: &mut Value) {
    let Some(paths) = document.get_mut("paths").and_then(Value::as_object_mut) else { return };
    let mut shared = Map::new();
    for (path, item) in paths {
        let Some(item) = item.as_object_mut() else { continue };
        for (method, operation) in item {
            let codes = codes_of(method, path, operation);
            let mut by_status: BTreeMap<u16, BTreeSet<&str>> = BTreeMap::new();
            for code in c::ALL.iter().filter(|code| codes.contains(code.code)) {
                by_status.entry(code.status).or_default().insert(code.code);
            }
            // See `IN_MAINTENANCE`.
            if !is_public(&format!("{}{path}", super::BASE)) {
                by_status.entry(503).or_default().insert(c::LOGIN_INVALID.code);
            }
            let Some(responses) = operation.get_mut("responses").and_then(Value::as_object_mut) else { continue };
            for (status, codes) in by_status {
                let listed: Vec<_> = codes.into_iter().collect();
                if let Some(success) = responses.get_mut("200").filter(|_| status == 200).and_then(Value::as_object_mut)
                {
                    success.insert(CODES.to_owned(), json!(listed));
                } else {
                    let name = format!("{REFUSAL}_{}", listed.join("_"));
                    responses.insert(status.to_string(), json!({ "$ref": format!("#/components/responses/{name}") }));
                    shared.entry(name).or_insert_with(|| refusing(status, &listed));
                }
            }
        }
    }
    if let Some(components) = document.get_mut("components").and_then(Value::as_object_mut) {
        components.insert("responses".to_owned(), shared.into());
    }
    if let Some(schemas) = document.pointer_mut("/components/schemas").and_then(Value::as_object_mut) {
        schemas.insert(REFUSAL.to_owned(), refused());
    }
}

/// Builds the response that refuses with one of `listed`. Operations share it under a name that lists the codes.
fn refusing(status: u16, listed: &[&str]) -> Value {
    let schema = json!({ "allOf": [
        { "$ref": format!("#/components/schemas/{REFUSAL}") },
        { "type": "object", "required": ["code"], "properties": { "code": { "enum": listed } } },
    ] });
    let content = json!({ "application/json": { "schema": schema } });
    json!({ "description": described(status, listed), "content": content, CODES: listed })
}

/// What code 401 means with HTTP status 503.
const IN_MAINTENANCE: &str = "The platform is closed for planned maintenance. The message is a JSON array of the start and the end (RFC 3339, UTC).";

fn described(status: u16, listed: &[&str]) -> String {
    let of = |code: &&str| c::ALL.iter().find(|known| known.code == *code);
    let lines = listed.iter().filter_map(of).map(|code| {
        let closed = status == 503 && code.code == c::LOGIN_INVALID.code;
        let meaning = if closed { IN_MAINTENANCE } else { text(*code, Language::EnUs) };
        format!("{}: {meaning}", code.code)
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn refused() -> Value {
    json!({
        "type": "object",
        "description": "A refusal. `GET /api/codes.json` lists all codes.",
        "required": ["code", "message", "data"],
        "properties": {
            "code": { "type": "string", "description": "A code of the code table." },
            "message": { "type": "string", "description": "The message of the code, in the language of the request." },
            "data": { "type": ["object", "null"], "description": "The facts of the refusal by name, such as `field`, `min`, `retryAfter`." },
        },
    })
}

/// The patterns of request fields, by the names of the fields.
const PATTERNS: &[(&[&str], &str)] = &[
    (&["price", "quantity", "orderMin", "orderMax", "total", "amount", "fromBalance"], r"^[0-9]+(\.[0-9]+)?$"),
    (&["receivingAddress"], "^0x[0-9a-fA-F]{40}$"),
    (&["email"], r"^[^\s@]+@[^\s@]+$"),
];

/// Adds the patterns of amounts, addresses and emails to request schemas.
pub(crate) fn add_patterns(schema: &mut Value) {
    let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) else { return };
    for (name, property) in properties {
        add_pattern(name, property);
    }
}

/// Adds the pattern of a field or parameter, if its name has one and its type is a string.
pub(crate) fn add_pattern(name: &str, schema: &mut Value) {
    let is_text = match schema.get("type") {
        Some(Value::String(kind)) => kind == "string",
        Some(Value::Array(kinds)) => kinds.iter().any(|kind| kind == "string"),
        _ => false,
    };
    let Some((_, pattern)) = PATTERNS.iter().find(|(names, _)| names.contains(&name)) else { return };
    if let Some(schema) = schema.as_object_mut().filter(|_| is_text) {
        schema.entry("pattern").or_insert_with(|| (*pattern).into());
    }
}
