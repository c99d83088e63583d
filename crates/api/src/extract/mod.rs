//! Extractors. Each reads its part of a request completely, or refuses the request with the name of the field.

mod asked;
mod body;
mod command;
mod device;
mod path;
mod query;
mod query_text;
mod requester;
mod session;

pub use asked::Asked;
pub use body::Body;
pub use command::{Command, CommandKey};
pub use device::From;
pub use path::PathId;
pub use query::{Page, PageOf, Query};
pub use requester::Asking;
pub use session::{MaybeSession, Session, SessionCheck, Who, token_of};

use axum::http::header;
use axum::http::request::Parts;

use crate::envelope::ApiError;

fn user_agent(parts: &Parts) -> &str {
    parts.headers.get(header::USER_AGENT).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

/// Builds the error for a field from an error of serde: its path, and the name of the missing or unknown field.
pub(crate) fn field_error(at: &str, text: &str) -> ApiError {
    let quoted = text.split('`').nth(1);
    let at = if at == "." { "" } else { at };
    let named = (text.starts_with("missing field") || text.starts_with("unknown field")).then_some(quoted).flatten();
    let field = match named {
        Some(name) if at.is_empty() || at == name || at.ends_with(&format!(".{name}")) => {
            if at.is_empty() {
                name.to_owned()
            } else {
                at.to_owned()
            }
        }
        Some(name) => format!("{at}.{name}"),
        None if at.is_empty() => "body".to_owned(),
        None => at.to_owned(),
    };
    let reason = text.split(" at line ").next().unwrap_or(text);
    ApiError::invalid(field, reason)
}
