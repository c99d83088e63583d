//! Adds to the document which codes each operation may return, by HTTP status.
//!
//! Refusals that many calls share are derived from the operation: whether it needs a session or an idempotency key, and
//! whether it has a body or parameters. `refusals` lists those of use cases, by call. Tests compare all responses with
//! the document.

mod refusals;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::codes::{self as c, Code, text};
use super::language::Language;
use super::middleware::is_public;

/// The name of the schema of refusals, and the start of the names of responses.
const REFUSAL: &str = "Refusal";
/// The extension in which a response lists its codes.
pub const CODES: &str = "x-codes";

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
    let shared = shared.iter().filter(|(applies, _)| *applies).flat_map(|(_, codes)| *codes);
    shared.chain(refusals::of(&format!("{method} {path}"))).map(|code| code.code).collect()
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
