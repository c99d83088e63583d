//! Extractors. Each reads its part of a request completely, or refuses the request with the name of the field.

mod body;
mod client;
mod command;
mod command_on;
mod cookie;
mod path;
mod query;
mod query_text;
mod session;

pub(crate) use body::Body;
pub(crate) use client::{Browser, Client};
pub use command::Command;
pub(crate) use command::CommandKey;
pub(crate) use command_on::CommandOn;
pub(crate) use cookie::single_cookie;
pub use path::PathId;
pub use query::{Page, PageOf, Query};
pub(crate) use session::{MaybeUser, token_of};
pub use session::{Session, SessionCheck, Who};

use crate::envelope::ApiError;

/// How the text of an error begins that names its field in backquotes: the first two by serde, the last one by this crate.
const NAMING: [&str; 3] = ["missing field", "unknown field", "invalid field"];

/// Converts a serde error to a refusal that names the field by its path, including missing and unknown fields.
pub(crate) fn field_error(at: &str, text: &str) -> ApiError {
    let quoted = text.split('`').nth(1);
    let at = if at == "." { "" } else { at };
    let named = NAMING.iter().any(|begin| text.starts_with(begin)).then_some(quoted).flatten();
    let field = match named {
        Some(name) if at.is_empty() => name.to_owned(),
        Some(name) if at == name || at.ends_with(&format!(".{name}")) => at.to_owned(),
        Some(name) => format!("{at}.{name}"),
        None if at.is_empty() => "body".to_owned(),
        None => at.to_owned(),
    };
    let reason = text.split(" at line ").next().unwrap_or(text);
    let reason =
        reason.strip_prefix("invalid field").and_then(|rest| rest.split_once("`: ")).map_or(reason, |(_, why)| why);
    ApiError::invalid(field, reason)
}
