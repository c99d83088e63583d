//! Secret values.

use std::fmt;
use std::fs;
use std::path::Path;

/// A password or key. Neither logs nor errors show it.
#[derive(Clone, PartialEq, Eq, Default)]
pub(crate) struct Secret(String);

impl Secret {
    pub(crate) fn new(value: String) -> Self {
        Self(value)
    }

    /// Reads a file that contains only the secret. A newline at the end is removed.
    pub(crate) fn read(path: &Path) -> std::io::Result<Self> {
        Ok(Self(fs::read_to_string(path)?.trim_end_matches(['\r', '\n']).to_owned()))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the secret, for the one place that needs it.
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
