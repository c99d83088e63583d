//! The generated documents are up to date. `UPDATE=1` rewrites them.

// In tests, a panic is the intended way to fail.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::large_futures
)]

// The stage of the console's own tests, on which the examples of cases are played.
#[path = "../console/cases.rs"]
#[allow(dead_code, reason = "each test program uses its own part")]
mod cases;
#[path = "../conforming/mod.rs"]
mod conforming;
#[path = "../console/desk.rs"]
#[allow(dead_code, reason = "each test program uses its own part")]
mod desk;
mod examples;
#[path = "../product/mod.rs"]
mod product;
#[path = "../calls/samples.rs"]
#[allow(dead_code, reason = "each test program uses its own part")]
mod samples;

use std::path::PathBuf;

#[test]
fn the_generated_documents_are_up_to_date() {
    for (name, text) in [
        ("openapi.json", api::openapi::document_text(&api::document())),
        ("codes.json", api::codes::code_table()),
        ("codes.md", api::codes::code_page()),
    ] {
        is_up_to_date(name, &text);
    }
}

fn is_up_to_date(name: &str, text: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/generated").join(name);
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, text).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(committed == text, "docs/generated/{name} is out of date: run make generate");
}

#[test]
fn every_operation_lists_its_refusals() {
    let document: serde_json::Value = serde_json::from_str(&api::openapi::document_text(&api::document())).unwrap();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let responses = operation["responses"].as_object().unwrap();
            for status in ["429", "500", "503"] {
                assert!(responses.contains_key(status), "{method} {path}: {status}");
            }
        }
    }
    for (name, response) in document["components"]["responses"].as_object().unwrap() {
        assert_ne!(response[api::operations::CODES], serde_json::json!([]), "{name}");
    }
}

#[test]
fn every_operation_has_a_name_of_its_own() {
    let document: serde_json::Value = serde_json::from_str(&api::openapi::document_text(&api::document())).unwrap();
    let paths = document["paths"].as_object().unwrap().values();
    let names: Vec<_> =
        paths.flat_map(|item| item.as_object().unwrap().values()).map(|call| &call["operationId"]).collect();
    let distinct: std::collections::BTreeSet<_> = names.iter().map(|name| name.as_str().unwrap()).collect();
    assert_eq!(names.len(), distinct.len());
}
