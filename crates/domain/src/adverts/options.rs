//! What an advertiser may add to an advert.

use super::TakerRequirements;

/// Optional parts of an advert that change neither its amounts nor its states. Requests, terms and the hall share them, so a new
/// one is named only where it is checked, stored and shown.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options {
    /// A note to other traders, of at most 100 characters.
    pub remark: Option<String>,
    /// What the advertiser requires of takers.
    pub taker: TakerRequirements,
}

impl Options {
    pub fn with_remark(remark: Option<String>) -> Self {
        Self { remark, ..Self::default() }
    }
}
