//! Checks the layer rules in manifests and sources: the dependencies between crates, and code that a layer forbids.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The crates of this workspace that each crate may use. Every crate must be listed.
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
    ("sim", &["domain", "store", "chain", "app", "worker", "testkit"]),
    ("testkit", &["domain", "schema", "store", "chain", "gateways", "app", "api", "worker"]),
];

/// The only crates that may use these libraries.
const ONLY_IN: &[(&str, &[&str])] = &[
    ("sqlx", &["store", "schema", "testkit", "sim"]),
    ("alloy", &["chain"]),
    ("axum", &["api", "dev"]),
    ("reqwest", &["gateways", "chain", "dev", "testkit"]),
    ("lettre", &["gateways"]),
    ("object_store", &["gateways"]),
    // Tests of the API make pictures.
    ("image", &["gateways", "api"]),
];

/// Crates that are never shipped.
const NOT_SHIPPED: &[&str] = &["dev", "testkit", "sim"];

/// `domain` is pure: no async code, I/O, clock or randomness.
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

/// Forbidden in queries: SQL gets the time and random values as parameters.
const NOT_IN_SQL: &[&str] = &[
    "now()",
    "current_timestamp",
    "clock_timestamp",
    "statement_timestamp",
    "localtimestamp",
    "current_date",
    "random()",
];

/// Modules of `app` that every other one uses: the crate's root, its errors, and the context, which holds what is in memory.
/// They are no part of the order of its modules.
const BASE_OF_APP: &[&str] = &["lib", "error", "context"];

/// The maximum length of a file, in lines. A longer file covers more than one subject.
const LONGEST_FILE: usize = 800;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// Returns every crate: the name of its folder and its manifest.
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
    found
}

fn dependencies(manifest: &toml::Table, sections: &[&str]) -> BTreeSet<String> {
    let own = sections.iter().filter_map(|section| manifest.get(*section)?.as_table());
    let of_targets = manifest.get("target").and_then(toml::Value::as_table).into_iter().flat_map(|targets| {
        targets.values().flat_map(|target| sections.iter().filter_map(|section| target.get(*section)?.as_table()))
    });
    own.chain(of_targets).flat_map(|table| table.keys().cloned()).collect()
}

/// Returns all files in a folder with one of the extensions: path and text.
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

/// Returns the modules that are compiled only for tests: `#[cfg(test)]`, and on the next line `mod name;`.
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

/// Returns numbered lines, without comments and without the tests at the end of the file.
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

fn violations(files: &[(String, String)], comment: &str, words: &[&str]) -> Vec<String> {
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
    let names: Vec<_> = all.iter().map(|(name, _)| name.as_str()).collect();
    let listed: BTreeSet<_> = MAY_USE.iter().map(|(name, _)| *name).collect();
    assert_eq!(listed, names.iter().copied().collect(), "MAY_USE must list exactly the existing crates");
    for (name, manifest) in &all {
        let (_, allowed) = MAY_USE.iter().find(|(known, _)| known == name).unwrap();
        for used in dependencies(manifest, &["dependencies", "build-dependencies"]) {
            assert!(
                !names.contains(&used.as_str()) || allowed.contains(&used.as_str()),
                "crates/{name} may not use {used}; it may use {allowed:?}"
            );
        }
    }
}

#[test]
fn a_library_is_used_only_by_its_crates() {
    let mut unused: BTreeSet<_> = ONLY_IN.iter().map(|(library, _)| *library).collect();
    for (name, manifest) in crates() {
        let used = dependencies(&manifest, &["dependencies", "build-dependencies", "dev-dependencies"]);
        for (library, allowed) in ONLY_IN {
            let is_it = |used: &String| used == library || used.starts_with(&format!("{library}-"));
            if used.iter().any(is_it) {
                assert!(allowed.contains(&name.as_str()), "crates/{name} may not use {library}; only {allowed:?} may");
                unused.remove(library);
            }
        }
    }
    assert!(unused.is_empty(), "no crate uses {unused:?}");
}

#[test]
fn nothing_shipped_depends_on_the_development_environment() {
    for (name, allowed) in MAY_USE {
        let shipped = !NOT_SHIPPED.contains(name);
        assert!(!shipped || !allowed.iter().any(|used| NOT_SHIPPED.contains(used)), "crates/{name}");
    }
}

#[test]
fn transactions_begin_only_in_app() {
    for (name, _) in crates() {
        // `store` implements `begin`.
        if !["app", "store"].contains(&name.as_str()) && !NOT_SHIPPED.contains(&name.as_str()) {
            let found = violations(&sources(&format!("crates/{name}/src"), &["rs"]), "//", &[".begin()"]);
            assert!(found.is_empty(), "move these use cases to app:\n{}", found.join("\n"));
        }
    }
}

fn first_word(text: &str) -> &str {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap()
}

/// Returns which modules each module of a crate uses, by the first part of their paths, with a line that does so.
fn uses_between_modules(folder: &str) -> BTreeMap<String, BTreeMap<String, String>> {
    let files = sources(folder, &["rs"]);
    let tests = test_modules(&files);
    let parts = |path: &str| -> Vec<String> {
        let inside = path.strip_prefix(folder).unwrap().trim_start_matches('/').trim_end_matches(".rs");
        inside.split('/').map(ToOwned::to_owned).collect()
    };
    let modules: BTreeSet<_> = files.iter().map(|(path, _)| parts(path)[0].clone()).collect();
    let mut uses: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    for (path, text) in files.iter().filter(|(path, _)| !parts(path).iter().any(|part| tests.contains(part))) {
        let module = &parts(path)[0];
        let lines: Vec<_> = code(text, "//").collect();
        for (index, (number, line)) in lines.iter().enumerate() {
            for after in line.split("crate::").skip(1) {
                // `crate::one::two`, or `use crate::{One, two::three};`, which may be several lines long.
                let rest = lines[index + 1..].iter().map(|(_, line)| *line).collect::<String>();
                let list = format!("{after}{rest}");
                let names = match list.strip_prefix('{') {
                    Some(list) => list.split(';').next().unwrap(),
                    None => after.split(',').next().unwrap(),
                };
                for name in names.split(',').map(|name| first_word(name.trim_start())) {
                    if modules.contains(name) && name != module {
                        let places = uses.entry(module.clone()).or_default();
                        places.entry(name.to_owned()).or_insert_with(|| format!("{path}:{number}"));
                    }
                }
            }
        }
    }
    uses
}

/// Returns a path of uses that begins and ends with the same module, each step with its line.
fn cycle(uses: &BTreeMap<String, BTreeMap<String, String>>) -> Option<Vec<String>> {
    fn visit<'a>(
        module: &'a str,
        uses: &'a BTreeMap<String, BTreeMap<String, String>>,
        way: &mut Vec<&'a str>,
        done: &mut BTreeSet<&'a str>,
    ) -> Option<Vec<String>> {
        if let Some(start) = way.iter().position(|earlier| *earlier == module) {
            let steps = way[start..].iter().zip(way[start + 1..].iter().chain([&module]));
            return Some(steps.map(|(user, used)| format!("{user} uses {used}: {}", uses[*user][*used])).collect());
        }
        if done.contains(module) {
            return None;
        }
        way.push(module);
        let found = uses.get(module).into_iter().flatten().find_map(|(used, _)| visit(used, uses, way, done));
        way.pop();
        done.insert(module);
        found
    }
    let mut done = BTreeSet::new();
    uses.keys().find_map(|module| visit(module, uses, &mut Vec::new(), &mut done))
}

#[test]
fn the_modules_of_app_do_not_use_each_other_in_circles() {
    let mut uses = uses_between_modules("crates/app/src");
    uses.retain(|module, _| !BASE_OF_APP.contains(&module.as_str()));
    for used in uses.values_mut() {
        used.retain(|module, _| !BASE_OF_APP.contains(&module.as_str()));
    }
    assert!(uses["commands"].contains_key("engine"), "the modules of app have another form");
    let found = cycle(&uses).unwrap_or_default();
    assert!(
        found.is_empty(),
        "these modules of crates/app/src use each other; move what both need to the lower one:\n{}",
        found.join("\n")
    );
}

#[test]
fn a_circle_is_found_and_named() {
    let use_of =
        |user: &str, used: &str| (user.to_owned(), BTreeMap::from([(used.to_owned(), format!("{user}.rs:1"))]));
    let mut uses = BTreeMap::from([use_of("commands", "orders"), use_of("orders", "engine")]);
    assert_eq!(cycle(&uses), None);
    uses.extend([use_of("engine", "orders")]);
    assert_eq!(cycle(&uses).unwrap(), ["orders uses engine: orders.rs:1", "engine uses orders: engine.rs:1"]);
}

#[test]
fn domain_has_no_io_clock_or_randomness() {
    let mut files = sources("crates/domain/src", &["rs"]);
    let tests = test_modules(&files);
    files.retain(|(path, _)| !path.split(['/', '.']).any(|part| tests.contains(part)));
    assert!(!files.is_empty());
    let found = violations(&files, "//", NOT_IN_DOMAIN);
    assert!(found.is_empty(), "pass these to domain as parameters:\n{}", found.join("\n"));
}

#[test]
fn sql_has_no_clock_or_randomness() {
    let mut found = violations(&sources("crates/store/src", &["rs"]), "//", NOT_IN_SQL);
    found.extend(violations(&sources("crates/schema/migrations", &["sql"]), "--", NOT_IN_SQL));
    assert!(found.is_empty(), "pass these to SQL as parameters:\n{}", found.join("\n"));
}

#[test]
fn no_file_is_too_long() {
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
fn violations_are_found_in_code_only() {
    let file = |text: &str| [("x.rs".to_owned(), text.to_owned())];
    assert_eq!(violations(&file("let now = Utc::now();"), "//", NOT_IN_DOMAIN), ["x.rs:1: Utc::now"]);
    assert_eq!(violations(&file("\nselect NOW()"), "//", NOT_IN_SQL), ["x.rs:2: now()"]);
    let tests = file("#[cfg(test)]\nmod page;\nUtc::now()");
    assert_eq!(violations(&tests, "//", NOT_IN_DOMAIN), ["x.rs:3: Utc::now"]);
    assert_eq!(test_modules(&tests), BTreeSet::from(["page".to_owned()]));
    assert!(violations(&file("// Utc::now() is not for us\n#[cfg(test)]\nUtc::now()"), "//", NOT_IN_DOMAIN).is_empty());
}

#[test]
fn every_path_of_the_glossary_exists() {
    let text = fs::read_to_string(root().join("docs/glossary.md")).unwrap();
    let rows = text.lines().filter(|line| line.starts_with("| **"));
    let cells = rows.map(|row| row.trim_end_matches(" |").rsplit('|').next().unwrap());
    let paths: Vec<_> =
        cells.flat_map(|cell| cell.split('`').skip(1).step_by(2)).filter(|path| !path.contains('*')).collect();
    assert!(paths.len() > 40, "the table has another form");
    for path in paths {
        assert!(root().join(path).exists() || root().join("crates").join(path).exists(), "docs/glossary.md: {path}");
    }
}
