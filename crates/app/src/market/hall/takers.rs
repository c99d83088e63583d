//! The filter of adverts by what their advertisers require of takers.

use std::sync::Arc;

use domain::adverts::TakerRequirements;
use domain::ids::UserId;

use super::Hall;
use super::book::Book;
use crate::Result;
use crate::market::requirements::TakerFacts;

/// Which adverts pass by what is required of takers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum TakerFilter {
    #[default]
    All,
    /// Those that require nothing, so that everybody can order from them.
    Unrestricted,
    /// Those whose requirements this user meets.
    MetBy(Arc<TakerFacts>),
}

impl TakerFilter {
    pub(super) fn passes(&self, required: &TakerRequirements) -> bool {
        match self {
            Self::All => true,
            Self::Unrestricted => required.is_empty(),
            Self::MetBy(facts) => facts.meet(required),
        }
    }

    /// Returns whether adverts of a book pass, for everything that some of them require. Unless it changes, no advert begins
    /// or ceases to pass before the book changes.
    pub(super) fn outcome(&self, book: &Book) -> Vec<bool> {
        match self {
            Self::All => Vec::new(),
            Self::Unrestricted | Self::MetBy(_) => book.required().map(|required| self.passes(required)).collect(),
        }
    }
}

impl Hall {
    /// Returns the filter for a visitor who wants only adverts whose requirements the visitor meets. As nothing is known of
    /// guests, they meet none.
    pub async fn takers(&self, viewer: Option<UserId>) -> Result<TakerFilter> {
        let Some(viewer) = viewer else { return Ok(TakerFilter::Unrestricted) };
        let (mut tx, now) = self.context.begin().await?;
        Ok(TakerFilter::MetBy(Arc::new(TakerFacts::read(&mut tx, now, viewer).await?)))
    }
}
