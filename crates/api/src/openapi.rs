//! The API document, generated from the code, and the page that shows it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use axum::Router;
use axum::http::header;
use axum::response::IntoResponse;
use axum::routing::get;
use serde_json::{Value, json};
use utoipa::PartialSchema;
use utoipa::openapi::security::{ApiKey, ApiKeyValue, SecurityScheme};
use utoipa::openapi::{Components, InfoBuilder, OpenApi, OpenApiBuilder, Server};

use crate::codes::METHOD_NOT_ALLOWED;
use crate::envelope::ApiError;
use crate::operations::{add_pattern, add_patterns, list_refusals};
use crate::talk::TalkMessage;

/// Builds the document without the calls.
pub(crate) fn frame() -> OpenApi {
    let session = SecurityScheme::ApiKey(ApiKey::Header(ApiKeyValue::with_description(
        "authorization",
        "The token of the session, from the response to the login.",
    )));
    let mut components = Components::new();
    components.add_security_scheme("session", session);
    // No call returns it: it is the text of a websocket message.
    components.schemas.insert("TalkMessage".to_owned(), TalkMessage::schema());
    let officer = SecurityScheme::ApiKey(ApiKey::Cookie(ApiKeyValue::with_description(
        crate::console::COOKIE,
        "The session of an officer, from the sign-in to the console. The session of a user does not work for these calls, \
         and the session of an officer for no others.",
    )));
    components.add_security_scheme("officer", officer);
    let info = InfoBuilder::new()
        .title("MEC2C")
        .version(env!("CARGO_PKG_VERSION"))
        .description(Some(
            "Responses are `{code, message, data}`, where `code` is `200` or a code of the code table (`GET /api/codes.json`). \
             Commands require the header `Idempotency-Key` (8 to 128 printable ASCII characters). A request that is sent again \
             under its key runs once and gets the same response for seven days. It must have the same user, method, path, query \
             and JSON body; only `securityCode` may differ. Any other request under the key gets HTTP status 409 and code 409. \
             A request that was refused or got no response can be sent again under its key. \
             `password` is the login password and `securityCode` the security password; `newPassword` and `newSecurityCode` \
             replace them. \
             Amounts and prices are decimal strings, times are ISO 8601 in UTC, and IDs are opaque strings. \
             The header `language` (such as `en_US`; default `zh_CN`) selects the language of `message`.",
        ))
        .build();
    OpenApiBuilder::new().info(info).servers(Some([Server::new("/api")])).components(Some(components)).build()
}

/// Formats the document as it is committed: in a stable order, indented, with a newline at the end.
pub fn document_text(document: &OpenApi) -> String {
    // Every value in the document can be written as JSON.
    let mut document = serde_json::to_value(document).unwrap_or_default();
    name_operations(&mut document);
    require_answers(&mut document);
    refer_to_data(&mut document);
    list_refusals(&mut document);
    serde_json::to_string_pretty(&document).map(|text| text + "\n").unwrap_or_default()
}

/// Gives each operation a unique ID from its method and path, such as `postUserLogin`.
fn name_operations(document: &mut Value) {
    for (path, item) in members(document.get_mut("paths")) {
        let words = path.split(['/', '{', '}', '_', '-']).filter(|word| !word.is_empty()).map(capital);
        let words: String = words.collect();
        for (method, operation) in members(Some(item)) {
            if let Some(id) = operation.get_mut("operationId") {
                *id = Value::String(format!("{method}{words}"));
            }
        }
    }
}

/// Marks all fields of response schemas as required: responses contain `null` rather than omit a field.
fn require_answers(document: &mut Value) {
    let mut open = Vec::new();
    for (_, item) in members(document.get_mut("paths")) {
        for (_, operation) in members(Some(item)) {
            operation.get("requestBody").into_iter().for_each(|body| references(body, &mut open));
        }
    }
    let Some(schemas) = document.pointer_mut("/components/schemas") else { return };
    let mut sent = BTreeSet::new();
    while let Some(name) = open.pop() {
        if let Some(schema) = schemas.get(&name).filter(|_| sent.insert(name)) {
            references(schema, &mut open);
        }
    }
    for (name, schema) in members(Some(schemas)) {
        if sent.contains(name) {
            add_patterns(schema);
        } else {
            require_all(schema);
        }
    }
    for (_, item) in members(document.get_mut("paths")) {
        for (_, operation) in members(Some(item)) {
            let parameters = operation.get_mut("parameters").and_then(Value::as_array_mut);
            for parameter in parameters.into_iter().flatten() {
                let name = parameter.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
                if let Some(schema) = parameter.get_mut("schema") {
                    add_pattern(&name, schema);
                }
            }
        }
    }
}

fn require_all(schema: &mut Value) {
    if let Value::Array(parts) = schema {
        parts.iter_mut().for_each(require_all);
    }
    let names = schema.get("properties").and_then(Value::as_object).map(|fields| fields.keys().cloned().collect());
    if let (Some(names), Some(schema)) = (names, schema.as_object_mut()) {
        let names: Vec<String> = names;
        schema.insert("required".to_owned(), names.into());
    }
    for (_, part) in members(Some(schema)) {
        require_all(part);
    }
}

/// Lets envelopes refer to the schema of their data, which `utoipa` copies into them.
fn refer_to_data(document: &mut Value) {
    let Some(schemas) = document.pointer_mut("/components/schemas").and_then(Value::as_object_mut) else { return };
    let is_object = |schema: &Value| schema.get("properties").or(schema.get("allOf")).is_some();
    let named = schemas.iter().filter(|(name, schema)| !is_envelope(name) && is_object(schema));
    let names: BTreeMap<_, _> = named.map(|(name, schema)| (schema.to_string(), name.clone())).collect();
    for (_, envelope) in schemas.iter_mut().filter(|(name, _)| is_envelope(name)) {
        refer(envelope, &names);
    }
}

fn is_envelope(name: &str) -> bool {
    name.starts_with("Envelope_")
}

/// Replaces copies of the named schemas by references.
fn refer(part: &mut Value, names: &BTreeMap<String, String>) {
    if let Some(name) = names.get(&part.to_string()) {
        *part = json!({ "$ref": format!("#/components/schemas/{name}") });
    }
    members(Some(part)).for_each(|(_, inner)| refer(inner, names));
}

/// Collects the names of the schemas to which a part of the document refers.
fn references(part: &Value, into: &mut Vec<String>) {
    match part {
        Value::Object(fields) => {
            let name = fields.get("$ref").and_then(Value::as_str).and_then(|path| path.rsplit('/').next());
            into.extend(name.map(str::to_owned));
            fields.values().for_each(|value| references(value, into));
        }
        Value::Array(parts) => parts.iter().for_each(|value| references(value, into)),
        _ => {}
    }
}

fn members(value: Option<&mut Value>) -> impl Iterator<Item = (&String, &mut Value)> {
    value.and_then(Value::as_object_mut).into_iter().flat_map(|fields| fields.iter_mut())
}

fn capital(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(chars).collect()
}

/// Returns the routes `/api/openapi.json` and `/api/docs`.
pub(crate) fn pages(document: &OpenApi) -> Router {
    let text = LazyLock::new({
        let document = document.clone();
        move || document_text(&document)
    });
    let text: &'static LazyLock<String, _> = Box::leak(Box::new(text));
    let served = |kind: &'static str, text: &'static str| get(move || async move { of_kind(kind, text) });
    let codes: &'static str = Box::leak(crate::codes::code_table().into_boxed_str());
    Router::new()
        .route("/api/codes.json", served("application/json", codes))
        .route("/api/openapi.json", get(|| async { of_kind("application/json", text) }))
        .route("/api/docs", served("text/html; charset=utf-8", include_str!("../docs/page.html")))
        .route("/api/docs/page.js", served("text/javascript; charset=utf-8", include_str!("../docs/page.js")))
        .route("/api/docs/page.css", served("text/css; charset=utf-8", include_str!("../docs/page.css")))
        .method_not_allowed_fallback(|| async { ApiError::from(METHOD_NOT_ALLOWED) })
}

fn of_kind(kind: &'static str, text: &'static str) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "no-cache")], text)
}
