//! The table of response codes.
//!
//! Each code has a key under which the web app may have its own text, the HTTP status that matches it, and a message in
//! every supported language. [`of_refusal`] maps refusals to codes.

mod page;
mod refusals;
mod table;
mod texts;

pub use page::{code_page, code_table};
pub use refusals::{of_refusal, too_many, unavailable};
pub use table::*;
pub use texts::{message, text};

/// An entry of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Code {
    /// The code in the envelope.
    pub code: &'static str,
    /// The key of the code's text in the message catalogs.
    pub key: &'static str,
    pub status: u16,
}

/// A code, and the facts for its message and `data`.
#[derive(Debug, Clone, PartialEq)]
pub struct Coded {
    pub code: Code,
    /// Facts by name. Each replaces `{name}` in the message and is a member of the response's `data`.
    pub facts: Vec<(&'static str, serde_json::Value)>,
    /// The `Retry-After` header, in seconds.
    pub retry_after: Option<u64>,
}

impl From<Code> for Coded {
    fn from(code: Code) -> Self {
        Self { code, facts: Vec::new(), retry_after: None }
    }
}

impl Coded {
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<serde_json::Value>) -> Self {
        self.facts.push((name, value.into()));
        self
    }
}
