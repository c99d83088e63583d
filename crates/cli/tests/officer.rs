//! What `mec2c officer` requires.

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
fn an_administrator_is_created_with_a_name_and_by_somebody() {
    let create = ["create", "ada@example.test", "--reason", "the first"];
    assert!(refused(&create).contains("--name"));
    let named = [&create[..], &["--name", "Ada"]].concat();
    assert!(refused(&named).contains("--officer"));
    let empty = refused(&[&named[..], &["--officer", " "]].concat());
    assert!(empty.contains("--officer") && empty.contains("may not be empty"), "{empty}");
    let complete = [&named[..], &["--officer", "root"]].concat();
    assert!(refused(&complete).contains("/nowhere/mec2c.toml"));
}

#[test]
fn officers_decide_in_the_console_only() {
    for act in ["certify", "resume", "reference", "set"] {
        assert!(refused(&[act]).contains("unrecognized subcommand"), "{act}");
    }
    assert!(refused(&["pair", "MECUSDT"]).contains("BASE/QUOTE"));
    assert!(refused(&["pair", "MEC/USDT"]).contains("/nowhere/mec2c.toml"));
}
