//! Commands of officers require the name of the officer.

#![allow(clippy::unwrap_used)]

use std::process::Command;

/// Runs a command without `USER`, as in a container. A command that passes the check for a name then fails, because the
/// configuration file is missing.
fn refused(arguments: &[&str]) -> String {
    let mut program = Command::new(env!("CARGO_BIN_EXE_mec2c"));
    program.env_remove("USER").args(["--config", "/nowhere/mec2c.toml", "officer"]).args(arguments);
    let output = program.output().unwrap();
    assert!(!output.status.success());
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn a_decision_needs_a_name() {
    for act in [["certify", "anna@example.test"], ["decertify", "anna@example.test"], ["resume", "USDT"]] {
        let named = refused(&[&act[..], &["--reason", "seen in person"]].concat());
        assert!(named.contains("--officer"), "{named}");
        let empty = refused(&[&act[..], &["--reason", "seen in person", "--officer", " "]].concat());
        assert!(empty.contains("--officer") && empty.contains("may not be empty"), "{empty}");
        let complete = refused(&[&act[..], &["--reason", "seen in person", "--officer", "Olga"]].concat());
        assert!(complete.contains("/nowhere/mec2c.toml"), "{complete}");
    }
}

#[test]
fn an_administrator_is_created_with_a_name_and_by_somebody() {
    let create = ["create", "ada@example.test", "--reason", "the first"];
    assert!(refused(&create).contains("--name"));
    let named = [&create[..], &["--name", "Ada"]].concat();
    assert!(refused(&named).contains("--officer"));
    let complete = [&named[..], &["--officer", "root"]].concat();
    assert!(refused(&complete).contains("/nowhere/mec2c.toml"));
}
