//! The one table of codes: what clients act on.
//!
//! Each code has a key under which the web may have its own text, an HTTP status that says the same in HTTP's
//! words, and a message in every language of the product. [`of_refusal`] is the one match from refusals to codes.

mod page;
mod refusals;
mod table;
mod texts;

pub use page::{code_page, code_table};
pub use refusals::{of_refusal, too_many, unavailable};
pub use table::*;
pub use texts::{message, text};

/// One line of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Code {
    /// What the envelope carries.
    pub code: &'static str,
    /// The key of its text in catalogues.
    pub key: &'static str,
    /// The HTTP status that goes with it.
    pub status: u16,
}

/// A code with what its message and its `data` say.
#[derive(Debug, Clone, PartialEq)]
pub struct Coded {
    /// The line of the table.
    pub code: Code,
    /// Facts by name: each fills `{name}` in the message and stands in the answer's `data`.
    pub facts: Vec<(&'static str, serde_json::Value)>,
    /// Seconds to wait, for `Retry-After`.
    pub retry_after: Option<u64>,
}

impl From<Code> for Coded {
    fn from(code: Code) -> Self {
        Self { code, facts: Vec::new(), retry_after: None }
    }
}

impl Coded {
    /// Adds a fact.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<serde_json::Value>) -> Self {
        self.facts.push((name, value.into()));
        self
    }
}
