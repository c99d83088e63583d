//! Rules that hold for every call in the API document. New calls are tested automatically.

use axum::body::Body;
use axum::http::{Request, header};
use domain::console::may;
use serde_json::{Map, Value, json};

use crate::conforming::DOCUMENT;
use crate::stage::{Got, Stage};

/// The calls that need no session.
const OPEN: &[&str] = &[
    "get /user/secretKey",
    "get /slide",
    "post /slide/verify",
    "get /slide/work",
    "post /slide/work/verify",
    "post /user/login",
    "post /user/register",
    "post /user/resetPassword",
    "post /user/unBindResetPassword",
    "post /user/authorizeLogin",
    "post /user/authorizeRegister",
    "get /scan/genQrCodeUrl/{id}",
    "get /scan/resetByEmail",
    "get /scan/challenge/{id}",
    "get /scan/result/{id}",
    "get /scan/callBack",
    "post /email/send",
    "post /email/verify",
    "get /email/check/{code}",
    "get /common/country/all",
    "get /common/coin",
    "get /common/appeal-figures",
    "get /common/dict",
    "get /common/log-keys",
    "get /common/credit/setting",
    "get /c2c/coin/config",
    "get /common/class/config",
    "get /c2c/advert/page",
    "get /c2c/advert/traits",
    "post /c2c/advert/match",
    "get /market/nft/average",
    "get /market/stats",
    "get /nft/{id}",
    "get /nft/{id}/history",
    "get /nft/{id}/picture/{size}",
    "get /market/overview",
    "get /order/price/thread/new/page",
    "post /console/sign-in",
    "post /console/enrollment/begin",
    "post /console/enrollment",
    // Authenticates with a cookie; tested with real sockets.
    "get /fiat/{address}",
];

/// The calls that have a body but need no idempotency key: they change nothing, or their body can be used only once.
const KEYLESS: &[&str] = &[
    "post /c2c/advert/match",
    "post /common/word/valid",
    "post /email/verify",
    "post /console/enrollment/begin",
    "post /slide/verify",
    "post /slide/work/verify",
    // They set what the body says, so repeating them changes nothing.
    "post /user/notification/preference",
    "post /user/notification/read",
];

struct Call<'d> {
    /// Method and path, as in the lists above.
    name: String,
    method: String,
    path: &'d str,
    operation: &'d Value,
}

fn calls(document: &Value) -> Vec<Call<'_>> {
    let paths = document["paths"].as_object().unwrap();
    let calls = paths.iter().flat_map(|(path, item)| {
        item.as_object().unwrap().iter().map(move |(method, operation)| Call {
            name: format!("{method} {path}"),
            method: method.to_uppercase(),
            path,
            operation,
        })
    });
    calls.collect()
}

impl Call<'_> {
    /// Returns the path with every parameter replaced by `id`.
    fn at(&self, id: &str) -> String {
        let filled: Vec<_> = self.path.split('/').map(|part| if part.starts_with('{') { id } else { part }).collect();
        format!("/api{}", filled.join("/"))
    }

    /// Builds a request with the session of Anna, or of the officer for a call of the console.
    fn by_insider(&self, stage: &Stage, key: Option<&str>, body: String) -> Request<Body> {
        let mut request = self.request(Some(&stage.anna.token), key, body);
        if self.path.starts_with("/console/") {
            let officer = stage.officers.iter().find(|(role, _)| may(*role, &self.name));
            let cookie = format!("{}={}", api::console::COOKIE, officer.map_or("", |(_, token)| token));
            request.headers_mut().insert(header::COOKIE, cookie.parse().unwrap());
        }
        request
    }

    fn request(&self, token: Option<&str>, key: Option<&str>, body: String) -> Request<Body> {
        let parameters = self.operation["parameters"].as_array().into_iter().flatten();
        let has_number = parameters.into_iter().any(|one| one["in"] == "path" && one["schema"]["type"] == "integer");
        let nobody = if has_number { "4000000".to_owned() } else { uuid::Uuid::nil().to_string() };
        let mut request = Request::builder()
            .method(self.method.as_str())
            .uri(self.at(&nobody))
            .header(header::CONTENT_TYPE, "application/json");
        for (name, value) in [("authorization", token), ("idempotency-key", key)] {
            if let Some(value) = value {
                request = request.header(name, value);
            }
        }
        request.body(Body::from(body)).unwrap()
    }

    fn has_key(&self) -> bool {
        let parameters = self.operation["parameters"].as_array();
        parameters.is_some_and(|all| all.iter().any(|parameter| parameter["name"] == "Idempotency-Key"))
    }
}

fn field(got: &Got) -> &str {
    got.body["data"]["field"].as_str().unwrap_or_default()
}

#[tokio::test]
async fn only_public_calls_work_without_a_session() {
    let stage = Stage::empty().await;
    let calls = calls(&DOCUMENT);
    for open in OPEN {
        assert!(calls.iter().any(|call| call.name == *open), "{open}: no such call");
    }
    for call in &calls {
        let asks = call.operation["security"].as_array().is_some_and(|list| !list.is_empty());
        assert_eq!(asks, !OPEN.contains(&call.name.as_str()), "{}: needs a session, or is missing in OPEN", call.name);
        if !asks {
            continue;
        }
        for token in [None, Some("wrong"), Some("")] {
            let got = stage.send(call.request(token, Some("0123456789"), "{}".to_owned())).await;
            assert_eq!((got.status, &got.body["code"]), (401, &json!("401")), "{} with {token:?}", call.name);
            assert_eq!(got.body["data"], Value::Null, "{}", call.name);
        }
    }
}

#[tokio::test]
async fn every_command_needs_an_idempotency_key() {
    let stage = Stage::empty().await;
    for call in calls(&DOCUMENT).iter().filter(|call| call.method == "POST") {
        assert_eq!(
            call.has_key(),
            !KEYLESS.contains(&call.name.as_str()),
            "{}: needs a key, or is missing in KEYLESS",
            call.name
        );
        if !call.has_key() {
            continue;
        }
        let long = "k".repeat(129);
        for key in [None, Some("short"), Some("with a space"), Some(long.as_str())] {
            let got = stage.send(call.by_insider(&stage, key, "{}".to_owned())).await;
            assert_eq!((got.status, &got.body["code"]), (400, &json!("400")), "{} with {key:?}", call.name);
            assert_eq!(field(&got), "Idempotency-Key", "{} with {key:?}", call.name);
        }
    }
}

#[tokio::test]
async fn every_body_that_violates_its_schema_is_refused_with_the_name_of_the_field() {
    let stage = Stage::empty().await;
    let before = stage.print().await;
    let mut tried = 0;
    for call in &calls(&DOCUMENT) {
        let schema = &call.operation["requestBody"]["content"]["application/json"]["schema"];
        if schema.is_null() {
            continue;
        }
        let schemas = Schemas(&DOCUMENT);
        for (body, wrong) in schemas.faults(schema) {
            let got = stage.send(call.by_insider(&stage, Some("0123456789"), body.to_string())).await;
            assert_eq!(
                (got.status, &got.body["code"], field(&got)),
                (400, &json!("400"), wrong.as_str()),
                "{} with {body}: {}",
                call.name,
                got.body
            );
            tried += 1;
        }
        if let Some((body, wrong)) = schemas.nul(schema) {
            let got = stage.send(call.by_insider(&stage, Some("0123456789"), body.to_string())).await;
            assert_eq!((got.status, field(&got)), (400, wrong.as_str()), "{} with {body}: {}", call.name, got.body);
        }
        for body in ["", "{", "[]", "\"text\"", "null", "{} {}"] {
            let got = stage.send(call.by_insider(&stage, Some("0123456789"), body.to_owned())).await;
            assert_eq!((got.status, &got.body["code"]), (400, &json!("400")), "{} with {body:?}", call.name);
            assert!(!field(&got).is_empty(), "{} with {body:?}: {}", call.name, got.body);
        }
        let endless = format!("\"{}\"", "a".repeat(api::middleware::BODY_LIMIT));
        let got = stage.send(call.by_insider(&stage, Some("0123456789"), endless)).await;
        assert_eq!((got.status, &got.body["code"]), (413, &json!("413")), "{}", call.name);
    }
    assert!(tried > 100, "{tried}");
    assert_eq!(stage.print().await, before);
}

#[test]
fn secrets_have_the_same_name_in_every_call() {
    let mut sealed = std::collections::BTreeSet::new();
    for call in &calls(&DOCUMENT) {
        let schema = &call.operation["requestBody"]["content"]["application/json"]["schema"];
        if schema.is_null() {
            continue;
        }
        for (name, part) in Schemas::properties(Schemas(&DOCUMENT).plain(schema)) {
            let text = part.to_string();
            if text.contains("#/components/schemas/Sealed") {
                sealed.insert(name.clone());
            } else {
                assert!(!name.to_lowercase().contains("password"), "{}: {name} is not encrypted", call.name);
            }
        }
    }
    let names: Vec<_> = sealed.iter().map(String::as_str).collect();
    assert_eq!(names, ["newPassword", "newSecurityCode", "password", "securityCode"]);
}

#[tokio::test]
async fn an_unknown_id_in_a_path_is_refused_with_a_code() {
    let stage = Stage::empty().await;
    let before = stage.print().await;
    for call in calls(&DOCUMENT).iter().filter(|call| call.path.contains('{')) {
        let schema = &call.operation["requestBody"]["content"]["application/json"]["schema"];
        let body = if schema.is_null() { json!({}) } else { Schemas(&DOCUMENT).sample(schema) };
        for id in ["x", "%00", "%27%3B--", "%F0%9F%98%80", "00000000-0000-0000-0000-000000000000"] {
            let mut request = call.by_insider(&stage, Some("0123456789"), body.to_string());
            *request.uri_mut() = call.at(id).parse().unwrap();
            let got = stage.send(request).await;
            assert!(got.status < 500, "{} at {id}: {}", call.name, got.body);
            assert!(got.body["code"].is_string(), "{} at {id}: {}", call.name, got.body);
        }
    }
    assert_eq!(stage.print().await, before);
}

/// The schemas of the document, from which bodies are generated.
struct Schemas<'d>(&'d Value);

impl<'d> Schemas<'d> {
    /// Resolves references and removes the null alternative of nullable schemas.
    fn plain(&self, schema: &'d Value) -> &'d Value {
        if let Some(name) = schema["$ref"].as_str() {
            return self.plain(self.0.pointer(name.trim_start_matches('#')).unwrap());
        }
        match schema["oneOf"].as_array() {
            Some(ways) => self.plain(ways.iter().find(|way| way["type"] != "null").unwrap()),
            None => schema,
        }
    }

    fn kind(schema: &Value) -> &str {
        let kind = &schema["type"];
        let first = || kind.as_array().and_then(|all| all.iter().filter_map(Value::as_str).find(|one| *one != "null"));
        kind.as_str().or_else(first).unwrap_or_default()
    }

    fn may_be_null(schema: &Value) -> bool {
        let null = |kind: &Value| kind == "null";
        schema["type"].as_array().is_some_and(|all| all.iter().any(null))
            || schema["oneOf"].as_array().is_some_and(|ways| ways.iter().any(|way| way["type"] == "null"))
    }

    fn properties(schema: &Value) -> Vec<(&String, &Value)> {
        schema["properties"].as_object().map(|all| all.iter().collect()).unwrap_or_default()
    }

    /// Returns a valid value.
    fn sample(&self, schema: &'d Value) -> Value {
        let schema = self.plain(schema);
        match Self::kind(schema) {
            "object" => {
                let fields = Self::properties(schema).into_iter();
                Value::Object(fields.map(|(name, part)| (name.clone(), self.sample(part))).collect())
            }
            "array" => json!([self.sample(&schema["items"])]),
            "integer" | "number" => json!(1),
            "boolean" => json!(true),
            "string" => {
                let one = schema.get("example").or_else(|| schema.pointer("/enum/0"));
                // Without an example, use a UUID, which is valid as an identifier and as a text.
                one.cloned().unwrap_or_else(|| json!(uuid::Uuid::nil()))
            }
            other => panic!("unexpected type {other:?}: {schema}"),
        }
    }

    /// Returns invalid bodies, each with the name of its invalid field.
    fn faults(&self, schema: &'d Value) -> Vec<(Value, String)> {
        let schema = self.plain(schema);
        let whole = self.sample(schema);
        let mut faults = Vec::new();
        match Self::kind(schema) {
            "object" => {
                let with = |name: &str, value: Option<Value>| {
                    let mut fields: Map<String, Value> = whole.as_object().unwrap().clone();
                    match value {
                        Some(value) => fields.insert(name.to_owned(), value),
                        None => fields.remove(name),
                    };
                    Value::Object(fields)
                };
                let required =
                    |name: &str| schema["required"].as_array().is_some_and(|all| all.iter().any(|one| one == name));
                for (name, part) in Self::properties(schema) {
                    if required(name) {
                        faults.push((with(name, None), name.clone()));
                        if !Self::may_be_null(part) {
                            faults.push((with(name, Some(Value::Null)), name.clone()));
                        }
                    }
                    faults.push((with(name, Some(self.misfit(part))), name.clone()));
                    for (inner, wrong) in self.faults(part) {
                        let dot = if wrong.starts_with('[') { "" } else { "." };
                        faults.push((with(name, Some(inner)), format!("{name}{dot}{wrong}")));
                    }
                }
                if schema.get("additionalProperties").is_none_or(|more| *more == json!(false)) {
                    faults.push((with("unheardOf", Some(json!(1))), "unheardOf".to_owned()));
                }
            }
            "array" => {
                let items = &schema["items"];
                faults.push((json!([self.misfit(items)]), "[0]".to_owned()));
                for (inner, wrong) in self.faults(items) {
                    let dot = if wrong.starts_with('[') { "" } else { "." };
                    faults.push((json!([inner]), format!("[0]{dot}{wrong}")));
                }
            }
            _ => {}
        }
        faults
    }

    /// Returns a body with a NUL in a text, which the database cannot store.
    fn nul(&self, schema: &'d Value) -> Option<(Value, String)> {
        let schema = self.plain(schema);
        let free = |part: &Value| Self::kind(part) == "string" && part["format"].is_null() && part["enum"].is_null();
        let (name, _) = Self::properties(schema).into_iter().find(|(name, part)| {
            let part = self.plain(part);
            free(part) && !name.ends_with("Id") && part["example"].is_null()
        })?;
        let mut body = self.sample(schema);
        body[name] = json!("a\u{0}b");
        Some((body, name.clone()))
    }

    /// Returns a value of a wrong type.
    fn misfit(&self, schema: &'d Value) -> Value {
        match Self::kind(self.plain(schema)) {
            "string" | "object" => json!(17),
            _ => json!("text"),
        }
    }
}
