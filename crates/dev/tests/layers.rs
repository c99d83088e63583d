//! Checks the layers in manifests and sources: which crate may depend on which, and what each layer must not use.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects
)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The workspace crates that each crate may use. Crates that are not listed may use none and must not be used.
const MAY_USE: &[(&str, &[&str])] = &[
    ("domain", &[]),
    ("schema", &[]),
    ("store", &["domain", "schema"]),
    ("chain", &["domain"]),
    ("app", &["domain", "store"]),
    ("gateways", &["domain", "app"]),
    ("api", &["domain", "app"]),
    ("worker", &["domain", "app", "chain"]),
    ("cli", &["domain", "store", "chain", "gateways", "app", "api", "worker"]),
    ("dev", &["domain", "store", "chain", "gateways", "app", "api", "worker", "testkit"]),
    ("testkit", &["domain", "schema", "store", "chain", "gateways", "app", "api", "worker"]),
    ("sim", &["domain", "store", "chain", "gateways", "app", "api", "worker", "testkit"]),
];

/// Libraries that only the named crates may use.
const ONLY_IN: &[(&str, &[&str])] = &[
    ("sqlx", &["store", "schema", "testkit"]),
    ("alloy", &["chain"]),
    ("axum", &["api", "dev"]),
    ("reqwest", &["gateways", "chain", "dev", "testkit"]),
    ("lettre", &["gateways"]),
    ("object_store", &["gateways"]),
];

/// What `domain` must not contain: async code, input and output, clocks, randomness.
const NOT_IN_DOMAIN: &[&str] = &[
    "async fn",
    "async move",
    ".await",
    "tokio",
    "std::fs",
    "std::net",
    "std::io",
    "std::process",
    "std::thread",
    "std::env",
    "SystemTime",
    "Instant::now",
    "Utc::now",
    "Local::now",
    "rand::rng",
    "rand::random",
    "Uuid::now_v7",
    "Uuid::new_v4",
    "println!",
];

/// The database's own clock. Statements take the time as a parameter.
const NOT_IN_SQL: &[&str] = &[
    "now()",
    "current_timestamp",
    "clock_timestamp",
    "statement_timestamp",
    "localtimestamp",
    "current_date",
    "random()",
];

/// The maximum number of lines. A longer file covers more than one subject.
const LONGEST_FILE: usize = 800;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// All crates, by folder name, with their manifests.
fn crates() -> Vec<(String, toml::Table)> {
    let mut found: Vec<_> = fs::read_dir(root().join("crates"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|folder| folder.join("Cargo.toml").exists())
        .map(|folder| {
            let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
            (folder.file_name().unwrap().to_str().unwrap().to_owned(), manifest.parse().unwrap())
        })
        .collect();
    found.sort_by(|one, other| one.0.cmp(&other.0));
    assert!(found.len() > 5, "the test does not find the crates");
    found
}

fn dependencies(manifest: &toml::Table, sections: &[&str]) -> BTreeSet<String> {
    let own = sections.iter().filter_map(|section| manifest.get(*section)?.as_table());
    let of_targets = manifest.get("target").and_then(toml::Value::as_table).into_iter().flat_map(|targets| {
        targets.values().flat_map(|target| sections.iter().filter_map(|section| target.get(*section)?.as_table()))
    });
    own.chain(of_targets).flat_map(|table| table.keys().cloned()).collect()
}

/// All files with one of the extensions in a folder, as path from the root and text.
fn sources(folder: &str, endings: &[&str]) -> Vec<(String, String)> {
    fn walk(folder: &Path, endings: &[&str], found: &mut Vec<PathBuf>) {
        let Ok(entries) = fs::read_dir(folder) else { return };
        for path in entries.map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                let name = path.file_name().unwrap();
                if name != "node_modules" && name != "dist" && name != "out" && name != "cache" {
                    walk(&path, endings, found);
                }
            } else if path.extension().is_some_and(|ending| endings.iter().any(|wanted| ending == *wanted)) {
                found.push(path);
            }
        }
    }
    let root = root();
    let mut paths = Vec::new();
    walk(&root.join(folder), endings, &mut paths);
    paths
        .into_iter()
        .map(|path| (path.strip_prefix(&root).unwrap().display().to_string(), fs::read_to_string(&path).unwrap()))
        .collect()
}

/// The names of modules that are compiled only for tests: `#[cfg(test)]`, followed by `mod name;` on the next line.
fn test_modules(files: &[(String, String)]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (_, text) in files {
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        for pair in lines.windows(2).filter(|pair| pair[0] == "#[cfg(test)]") {
            if let Some(name) = pair[1].strip_prefix("mod ").and_then(|rest| rest.strip_suffix(';')) {
                found.insert(name.to_owned());
            }
        }
    }
    found
}

/// The numbered lines of code, without comments and without the tests at the end of a file.
fn code<'a>(text: &'a str, comment: &'a str) -> impl Iterator<Item = (usize, &'a str)> {
    let lines: Vec<&str> = text.lines().collect();
    let tests = lines
        .windows(2)
        .position(|pair| pair[0].trim() == "#[cfg(test)]" && !pair[1].trim_end().ends_with(';'))
        .unwrap_or(lines.len());
    lines
        .into_iter()
        .take(tests)
        .enumerate()
        .map(|(index, line)| (index + 1, line))
        .filter(move |(_, line)| !line.trim_start().starts_with(comment))
}

fn offences(files: &[(String, String)], comment: &str, words: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for (path, text) in files {
        for (number, line) in code(text, comment) {
            let lower = line.to_lowercase();
            for word in words.iter().filter(|word| lower.contains(&word.to_lowercase())) {
                found.push(format!("{path}:{number}: {word}"));
            }
        }
    }
    found
}

#[test]
fn a_crate_uses_only_lower_layers() {
    let all = crates();
    let ours: BTreeSet<&str> = all.iter().map(|(name, _)| name.as_str()).collect();
    for (name, manifest) in &all {
        let Some((_, allowed)) = MAY_USE.iter().find(|(known, _)| known == name) else {
            panic!("crates/{name} is not listed in this test; add it");
        };
        for used in dependencies(manifest, &["dependencies", "build-dependencies"]) {
            assert!(
                !ours.contains(used.as_str()) || allowed.contains(&used.as_str()),
                "crates/{name} may not use {used}; it may use {allowed:?}"
            );
        }
    }
}

#[test]
fn a_library_is_used_only_in_its_layer() {
    for (name, manifest) in crates() {
        let used = dependencies(&manifest, &["dependencies", "build-dependencies", "dev-dependencies"]);
        for (library, allowed) in ONLY_IN {
            let is_it = |used: &String| used == library || used.starts_with(&format!("{library}-"));
            assert!(
                allowed.contains(&name.as_str()) || !used.iter().any(is_it),
                "crates/{name} may not use {library}; only {allowed:?} may"
            );
        }
    }
}

#[test]
fn nothing_shipped_depends_on_the_development_environment() {
    for (name, manifest) in crates() {
        let used = dependencies(&manifest, &["dependencies", "build-dependencies"]);
        let is_tool = ["dev", "testkit", "sim"].contains(&name.as_str());
        assert!(
            is_tool || !(used.contains("dev") || used.contains("testkit") || used.contains("sim")),
            "crates/{name}"
        );
    }
}

#[test]
fn the_domain_has_no_async_code_clock_or_randomness() {
    let mut files = sources("crates/domain/src", &["rs"]);
    let tests = test_modules(&files);
    files.retain(|(path, _)| !path.split(['/', '.']).any(|part| tests.contains(part)));
    assert!(!files.is_empty());
    let found = offences(&files, "//", NOT_IN_DOMAIN);
    assert!(found.is_empty(), "clock, randomness and I/O must be parameters:\n{}", found.join("\n"));
}

#[test]
fn sql_does_not_read_the_clock() {
    let mut found = offences(&sources("crates/store/src", &["rs"]), "//", NOT_IN_SQL);
    found.extend(offences(&sources("crates/schema/migrations", &["sql"]), "--", NOT_IN_SQL));
    assert!(found.is_empty(), "SQL must not read the clock:\n{}", found.join("\n"));
}

#[test]
fn files_are_not_too_long() {
    let mut files = sources("crates", &["rs", "sql"]);
    files.extend(sources("contracts/src", &["sol"]));
    files.extend(sources("web/src", &["ts", "tsx", "css"]));
    let generated = |path: &str| path.starts_with("web/src/api/") || path.starts_with("web/src/i18n/");
    let found: Vec<String> = files
        .iter()
        .filter(|(path, _)| !generated(path))
        .map(|(path, text)| (path, text.lines().count()))
        .filter(|(_, lines)| *lines > LONGEST_FILE)
        .map(|(path, lines)| format!("{path}: {lines} lines"))
        .collect();
    assert!(found.is_empty(), "split these:\n{}", found.join("\n"));
}

#[test]
fn the_checks_find_violations() {
    let file = |text: &str| [("x.rs".to_owned(), text.to_owned())];
    assert_eq!(offences(&file("let now = Utc::now();"), "//", NOT_IN_DOMAIN), ["x.rs:1: Utc::now"]);
    assert_eq!(offences(&file("\nselect NOW()"), "//", NOT_IN_SQL), ["x.rs:2: now()"]);
    let tests = file("#[cfg(test)]\nmod page;\nUtc::now()");
    assert_eq!(offences(&tests, "//", NOT_IN_DOMAIN), ["x.rs:3: Utc::now"]);
    assert_eq!(test_modules(&tests), BTreeSet::from(["page".to_owned()]));
    assert!(offences(&file("// Utc::now() is forbidden\n#[cfg(test)]\nUtc::now()"), "//", NOT_IN_DOMAIN).is_empty());
}
