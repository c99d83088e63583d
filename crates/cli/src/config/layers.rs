//! Merges the layers of the configuration: defaults, a file, environment variables. The defaults are read from the
//! documented example, so the documentation is always correct.

use std::collections::BTreeMap;
use std::path::Path;

use toml::{Table, Value};

/// All keys, with documentation and defaults.
const EXAMPLE: &str = include_str!("../../../../mec2c.example.toml");
/// The prefix of all environment variables.
const PREFIX: &str = "MEC2C_";
/// The environment variable that contains the path of the file.
pub(crate) const FILE_VARIABLE: &str = "MEC2C_CONFIG";

/// The problems of all layers, reported together.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Problems(pub(crate) Vec<String>);

impl std::fmt::Display for Problems {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the configuration is invalid:")?;
        self.0.iter().try_for_each(|problem| write!(f, "\n  - {problem}"))
    }
}

impl std::error::Error for Problems {}

/// Merges the layers. Secrets from environment variables are returned separately, by `section.key`.
pub(crate) fn merge(
    file: Option<(&Path, &str)>,
    environment: impl Iterator<Item = (String, String)>,
) -> Result<(Table, BTreeMap<String, String>), Problems> {
    let mut problems = Vec::new();
    let mut merged: Table = EXAMPLE.parse().map_err(|error| Problems(vec![format!("mec2c.example.toml: {error}")]))?;
    if let Some((path, text)) = file {
        match text.parse::<Table>() {
            Ok(table) => lay(&mut merged, table, &format!("{}: ", path.display()), "", &mut problems),
            Err(error) => problems.push(format!("{}: {error}", path.display())),
        }
    }
    let secrets = lay_environment(&mut merged, environment, &mut problems);
    if problems.is_empty() { Ok((merged, secrets)) } else { Err(Problems(problems)) }
}

fn lay(below: &mut Table, above: Table, source: &str, path: &str, problems: &mut Vec<String>) {
    for (key, value) in above {
        let name = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
        match (below.get_mut(&key), value) {
            (None, _) => problems.push(format!("{source}there is no key {name}")),
            (Some(Value::Table(below)), Value::Table(above)) => lay(below, above, source, &name, problems),
            (Some(old), new) if old.same_type(&new) => *old = new,
            (Some(old), new) => problems.push(format!("{source}{name} must be {}, not {}", kind(old), kind(&new))),
        }
    }
}

fn lay_environment(
    merged: &mut Table,
    environment: impl Iterator<Item = (String, String)>,
    problems: &mut Vec<String>,
) -> BTreeMap<String, String> {
    let mut secrets = BTreeMap::new();
    let mut variables: BTreeMap<String, String> =
        environment.filter(|(name, _)| name.starts_with(PREFIX) && name != FILE_VARIABLE).collect();
    for (section, table) in merged.iter_mut() {
        let Value::Table(table) = table else { continue };
        for (key, value) in table.iter_mut() {
            if let Some(text) = variables.remove(&variable(section, key)) {
                match parse(value, &text) {
                    Some(parsed) => *value = parsed,
                    // The message omits the value, because it may be a secret in the wrong variable.
                    None => problems.push(format!("{} must be {}", variable(section, key), kind(value))),
                }
            }
            if let Some(secret) = key.strip_suffix("_file")
                && let Some(text) = variables.remove(&variable(section, secret))
            {
                secrets.insert(format!("{section}.{secret}"), text);
            }
        }
    }
    problems.extend(variables.keys().map(|name| format!("there is no key for the variable {name}")));
    secrets
}

fn variable(section: &str, key: &str) -> String {
    format!("{PREFIX}{section}_{key}").to_uppercase()
}

/// Parses a variable as the type of the key's default.
fn parse(like: &Value, text: &str) -> Option<Value> {
    match like {
        Value::String(_) => Some(Value::String(text.to_owned())),
        Value::Integer(_) => text.parse().ok().map(Value::Integer),
        Value::Boolean(_) => text.parse().ok().map(Value::Boolean),
        Value::Array(_) => Some(Value::Array(
            text.split(',').map(str::trim).filter(|item| !item.is_empty()).map(|item| item.to_owned().into()).collect(),
        )),
        Value::Float(_) | Value::Datetime(_) | Value::Table(_) => None,
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::String(_) => "a text",
        Value::Integer(_) => "a whole number",
        Value::Float(_) => "a number",
        Value::Boolean(_) => "true or false",
        Value::Datetime(_) => "a date",
        Value::Array(_) => "a list",
        Value::Table(_) => "a section",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn merged(file: &str, environment: &[(&str, &str)]) -> Result<(Table, BTreeMap<String, String>), Problems> {
        let environment: Vec<(String, String)> =
            environment.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        merge(Some((Path::new("my.toml"), file)), environment.into_iter())
    }

    #[test]
    fn a_file_lies_over_the_defaults_and_the_environment_over_the_file() {
        let (table, _) = merged(
            "[http]\nlisten = \"1.2.3.4:1\"\ntimeout_seconds = 5",
            &[("MEC2C_HTTP_LISTEN", "5.6.7.8:2"), ("PATH", "/bin"), ("MEC2C_CHAIN_RPC", "http://a, http://b")],
        )
        .unwrap();
        assert_eq!(table["http"]["listen"].as_str(), Some("5.6.7.8:2"));
        assert_eq!(table["http"]["timeout_seconds"].as_integer(), Some(5));
        assert_eq!(table["http"]["web_folder"].as_str(), Some("web/dist"));
        assert_eq!(table["chain"]["rpc"].as_array().unwrap().len(), 2);
    }

    #[test]
    fn a_number_like_text_stays_a_text() {
        let (table, _) = merged("", &[("MEC2C_MAIL_USER", "12345")]).unwrap();
        assert_eq!(table["mail"]["user"].as_str(), Some("12345"));
    }

    #[test]
    fn a_secret_in_the_environment_is_kept_apart() {
        let (table, secrets) = merged("", &[("MEC2C_DATABASE_PASSWORD", "x")]).unwrap();
        assert_eq!(secrets["database.password"], "x");
        assert!(table["database"].get("password").is_none());
    }

    #[test]
    fn everything_wrong_is_named_at_once() {
        let Problems(problems) = merged(
            "nonsense = 1\n[http]\nlisten = 5\nport = 1\n[database]\npassword = \"x\"",
            &[("MEC2C_HTTP_TIMEOUT_SECONDS", "soon"), ("MEC2C_HTPP_LISTEN", "x")],
        )
        .unwrap_err();
        assert_eq!(
            problems,
            [
                "my.toml: there is no key database.password",
                "my.toml: http.listen must be a text, not a whole number",
                "my.toml: there is no key http.port",
                "my.toml: there is no key nonsense",
                "MEC2C_HTTP_TIMEOUT_SECONDS must be a whole number",
                "there is no key for the variable MEC2C_HTPP_LISTEN",
            ]
        );
    }

    #[test]
    fn a_file_that_is_not_toml_is_refused() {
        assert!(merged("[http", &[]).is_err());
    }
}
