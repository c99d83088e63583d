//! The committed documents match the code. `UPDATE=1` rewrites them.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects
)]

use std::path::PathBuf;

fn check(name: &str, now: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/generated").join(name);
    if std::env::var_os("UPDATE").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, now).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(committed == now, "{name} is stale: run `UPDATE=1 cargo test -p api --test generated`");
}

#[test]
fn the_openapi_document_is_committed() {
    check("openapi.json", &api::openapi::document_text(&api::document()));
}

#[test]
fn the_code_table_is_committed() {
    check("codes.json", &api::codes::code_table());
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
            for (status, response) in responses.iter().filter(|(status, _)| status.as_str() >= "400") {
                let codes =
                    response[api::operations::CODES].as_array().unwrap_or_else(|| panic!("{method} {path}: {status}"));
                assert!(!codes.is_empty(), "{method} {path}: {status}");
            }
        }
    }
}

#[test]
fn the_code_page_is_committed() {
    check("codes.md", &api::codes::code_page());
}

#[test]
fn operation_names_are_unique() {
    let document: serde_json::Value = serde_json::from_str(&api::openapi::document_text(&api::document())).unwrap();
    let paths = document["paths"].as_object().unwrap().values();
    let names: Vec<_> =
        paths.flat_map(|item| item.as_object().unwrap().values()).map(|call| &call["operationId"]).collect();
    let distinct: std::collections::BTreeSet<_> = names.iter().map(|name| name.as_str().unwrap()).collect();
    assert_eq!(names.len(), distinct.len());
}
