//! Values that must not be seen.

use std::fmt;
use std::fs;
use std::path::Path;

/// A password or key. Shown nowhere, neither in logs nor in errors.
#[derive(Clone, PartialEq, Eq, Default)]
pub(crate) struct Secret(String);

impl Secret {
    /// Wraps a value.
    pub(crate) fn new(value: String) -> Self {
        Self(value)
    }

    /// Reads a file that holds a secret and nothing else; the line break at its end does not count.
    pub(crate) fn read(path: &Path) -> std::io::Result<Self> {
        Ok(Self(fs::read_to_string(path)?.trim_end_matches(['\r', '\n']).to_owned()))
    }

    /// Whether there is none.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The value itself, for the one place that needs it.
    pub(crate) fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[redacted]")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_does_not_show() {
        assert_eq!(format!("{:?}", Secret::new("hunter2".to_owned())), "[redacted]");
    }
}
