//! Answers are as the document of the API says: looked at wherever a test gets one.

use std::sync::LazyLock;

use axum::http::Method;
use serde_json::{Value, json};

static DOCUMENT: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(&api::openapi::document_text(&api::document())).unwrap());

/// Fails where an answer does not fit the schema of its call. Refusals have one form, which other tests look at; what is no
/// call of the API is left alone.
pub(crate) fn check(method: &Method, path: &str, body: &Value) {
    let Some((name, operation)) = operation(method, path).filter(|_| body["code"] == "200") else { return };
    let schema = &operation["responses"]["200"]["content"]["application/json"]["schema"];
    assert!(!schema.is_null(), "{method} {name}: the document has no schema for its answer");
    let mut whole = schema.clone();
    // References are from the root of the document.
    whole["components"] = DOCUMENT["components"].clone();
    let validator = jsonschema::draft202012::new(&whole).unwrap();
    let wrong: Vec<_> =
        validator.iter_errors(body).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(wrong.is_empty(), "{method} {name} answers otherwise than its document says: {wrong:#?}\n{body}");
}

fn operation(method: &Method, path: &str) -> Option<(&'static str, &'static Value)> {
    let parts: Vec<_> = path.strip_prefix("/api")?.split('/').collect();
    let paths = DOCUMENT["paths"].as_object().unwrap();
    let fits = |template: &str| {
        let template: Vec<_> = template.split('/').collect();
        template.len() == parts.len()
            && template.iter().zip(&parts).all(|(is, asked)| is.starts_with('{') || is == asked)
    };
    // A path that is named in full goes before one with a place for anything.
    let (name, item) = paths.iter().filter(|(name, _)| fits(name)).min_by_key(|(name, _)| name.matches('{').count())?;
    let operation = &item[method.as_str().to_lowercase()];
    (!operation.is_null()).then_some((name.as_str(), operation))
}

#[test]
fn an_answer_of_another_form_is_noticed() {
    let answer = |name: &str| json!({ "code": "200", "message": "Done.", "data": { name: 3 } });
    let seen =
        |body: Value| std::panic::catch_unwind(|| check(&Method::GET, "/api/c2c/deal/order/cancel/times", &body));
    assert!(seen(answer("other")).is_err());
}
