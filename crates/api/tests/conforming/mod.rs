//! Checks every response in the tests against the API document.

use std::collections::BTreeMap;
use std::sync::{LazyLock, Mutex};

use axum::http::Method;
use jsonschema::Validator;
use serde_json::{Map, Value, json};

/// The committed document, because building it takes longer than most tests. Another test checks that it is up to date, or
/// rewrites it while this one runs.
pub(crate) static DOCUMENT: LazyLock<Value> = LazyLock::new(|| {
    if std::env::var_os("UPDATE").is_some() {
        return serde_json::from_str(&api::openapi::document_text(&api::document())).unwrap();
    }
    serde_json::from_str(include_str!("../../../../docs/generated/openapi.json")).unwrap()
});

/// Fails if the document does not list the response's status and code for its operation, or if a successful response
/// does not match its schema. Skips requests that match no operation.
pub(crate) fn check(method: &Method, path: &str, status: u16, body: &Value) {
    let Some((name, operation)) = operation(method, path) else { return };
    let response = &operation["responses"][status.to_string()];
    let response = response["$ref"].as_str().map_or(response, |place| DOCUMENT.pointer(&place[1..]).unwrap());
    // Redirects and pages have no envelope.
    if body.is_null() {
        assert!(!response.is_null(), "{method} {name}: the document does not list {status}");
        return;
    }
    if body["code"] != "200" {
        let listed = &response[api::operations::CODES];
        let is_listed = listed.as_array().is_some_and(|codes| codes.contains(&body["code"]));
        assert!(is_listed, "{method} {name}: the document does not list {status} {}, only {listed}", body["code"]);
        return;
    }
    let schema = &response["content"]["application/json"]["schema"];
    assert!(!schema.is_null(), "{method} {name}: the document has no schema for the response");
    let validator = validator(schema);
    let wrong: Vec<_> =
        validator.iter_errors(body).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(wrong.is_empty(), "the response of {method} {name} does not match the document: {wrong:#?}\n{body}");
}

/// Returns the validator of a schema, and keeps it for the other responses of the test.
fn validator(schema: &'static Value) -> &'static Validator {
    static BUILT: Mutex<BTreeMap<String, &Validator>> = Mutex::new(BTreeMap::new());
    let mut built = BUILT.lock().unwrap();
    built.entry(schema.to_string()).or_insert_with(|| {
        let mut schemas = Map::new();
        add_referenced(schema, &mut schemas);
        let mut whole = schema.clone();
        // References are relative to the root of the document.
        whole["components"]["schemas"] = schemas.into();
        Box::leak(Box::new(jsonschema::draft202012::new(&whole).unwrap()))
    })
}

/// Adds the schemas to which a schema refers, directly or through others.
fn add_referenced(schema: &Value, found: &mut Map<String, Value>) {
    match schema {
        Value::Object(fields) => {
            for (field, value) in fields {
                let place = value.as_str().filter(|_| field == "$ref");
                let Some(name) = place.and_then(|place| place.strip_prefix("#/components/schemas/")) else {
                    add_referenced(value, found);
                    continue;
                };
                if !found.contains_key(name) {
                    let referenced = &DOCUMENT["components"]["schemas"][name];
                    found.insert(name.to_owned(), referenced.clone());
                    add_referenced(referenced, found);
                }
            }
        }
        Value::Array(parts) => parts.iter().for_each(|part| add_referenced(part, found)),
        _ => {}
    }
}

fn operation(method: &Method, path: &str) -> Option<(&'static str, &'static Value)> {
    let parts: Vec<_> = path.strip_prefix("/api")?.split('/').collect();
    let paths = DOCUMENT["paths"].as_object().unwrap();
    let fits = |template: &str| {
        let template: Vec<_> = template.split('/').collect();
        template.len() == parts.len()
            && template.iter().zip(&parts).all(|(is, asked)| is.starts_with('{') || is == asked)
    };
    // Literal paths take precedence over paths with parameters.
    let (name, item) = paths.iter().filter(|(name, _)| fits(name)).min_by_key(|(name, _)| name.matches('{').count())?;
    let operation = &item[method.as_str().to_lowercase()];
    (!operation.is_null()).then_some((name.as_str(), operation))
}

#[test]
fn a_response_that_the_document_does_not_list_is_detected() {
    let answer = |name: &str| json!({ "code": "200", "message": "Done.", "data": { name: 3 } });
    let seen = |status, body: Value| {
        std::panic::catch_unwind(|| check(&Method::GET, "/api/c2c/deal/order/cancel/times", status, &body))
    };
    assert!(seen(200, answer("other")).is_err());
    let refused = |code: &str| json!({ "code": code, "message": "No.", "data": null });
    assert!(seen(401, refused("401")).is_ok());
    assert!(seen(401, refused("5000")).is_err(), "the operation does not list this code");
    assert!(seen(409, refused("401")).is_err(), "the code belongs to another status");
}
