//! The hall: the adverts that take orders from a visitor.
//!
//! Each server keeps the hall in memory and answers pages from there ([`Hall`]). It follows the database with a delay of
//! milliseconds, which is harmless: the command that places an order reads the advert itself.
//!
//! The adverts of one side of a pair are a `book`. A `ranking` sorts a book in one order, in blocks of up to 1,024
//! adverts. Adverts that pass the same filters are a *class*: a page skips whole blocks by their number of adverts per
//! class, and the total is the sum of the matching classes. For a filter by total, each class keeps its sorted limits. What no
//! ranking knows (several books together, the range of prices, the traits of NFTs) is `search`ed among all adverts.

mod amounts;
mod book;
pub(crate) mod face;
mod following;
mod index;
mod loading;
mod matching;
mod ranking;
mod search;
mod takers;
#[cfg(test)]
mod tests;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use chrono::Duration;
use domain::adverts::Limits;
use domain::assets::{AssetId, Pair, PairId};
use domain::ids::{AdvertId, UserId};
use domain::market::{Offer, Sort};
use domain::money::{Amount, Price};
use domain::reputation::Record;
use domain::trade::Side;
use domain::users::Profile;
use tokio::sync::Notify;

use self::book::{ClassFilter, Entry};
use self::following::Pending;
use self::index::Index;
use self::search::Selected;
use crate::{Context, Error, Result};

pub use face::{Face, Prefunding, Preview, one, preview};
pub use index::Shelf;
pub use matching::{Amounts, Match, Matched, Matches, matching};
pub use search::{TraitValues, UnrankedFilter};
pub use takers::TakerFilter;

/// A filter of the hall.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filter {
    pub shelf: Shelf,
    /// The visitor. Excludes the visitor's own adverts and those of users blocked by or blocking the visitor.
    pub viewer: Option<UserId>,
    /// A total that must be within the advert's limits, in base units of the quote.
    pub total: Option<Amount>,
    /// Kinds of payment methods of which the advert must offer one; empty for any.
    pub kinds: Vec<String>,
    /// The region in which the owner must be.
    pub region: Option<String>,
    /// Whether to return only adverts of certified owners.
    pub certified: bool,
    /// Whether to return only adverts of fast owners.
    pub fast: bool,
    pub takers: TakerFilter,
    pub unranked: UnrankedFilter,
}

impl Filter {
    /// Returns a filter that every advert on the shelf passes.
    pub fn all(shelf: Shelf) -> Self {
        Self {
            shelf,
            viewer: None,
            total: None,
            kinds: Vec::new(),
            region: None,
            certified: false,
            fast: false,
            takers: TakerFilter::All,
            unranked: UnrankedFilter::default(),
        }
    }
}

/// Renders the rows of pages. Rows are rendered when they change, not when they are read.
pub trait Render: Send + Sync {
    /// Renders an advert without its owner.
    fn advert(&self, offer: &Offer, pair: &Pair, limits: Limits) -> Vec<u8>;
    /// Renders the owner of adverts.
    fn owner(&self, profile: &Profile, record: &Record) -> Vec<u8>;
}

/// A rendered advert and its rendered owner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    pub advert: Arc<[u8]>,
    pub owner: Arc<[u8]>,
}

/// A pair as queries name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NamedPair {
    pub id: PairId,
    pub base_decimals: u8,
    pub quote_decimals: u8,
    pub of_nfts: bool,
}

impl From<&Pair> for NamedPair {
    fn from(pair: &Pair) -> Self {
        let (base_decimals, quote_decimals) = (pair.base.decimals, pair.quote.decimals);
        Self { id: pair.id, base_decimals, quote_decimals, of_nfts: pair.of_nfts() }
    }
}

/// A page of the hall.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    pub rows: Vec<Row>,
    /// The number of adverts on all pages.
    pub total: usize,
    /// See [`Hall::version`].
    pub version: u64,
}

/// The place of a price among the adverts of a side of a pair, as a visitor sees them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PriceRank {
    /// The number of adverts.
    pub offers: usize,
    /// The number of adverts with a better price for takers.
    pub better: usize,
    /// The price of the advert in the middle; `None` if there are no adverts.
    pub middle: Option<Price>,
}

/// If the change feed was last read longer ago, the hall no longer answers: the database has not been available since.
const OUTDATED_AFTER: Duration = Duration::seconds(30);

/// The hall in memory.
pub struct Hall {
    context: Context,
    render: Arc<dyn Render>,
    /// `None` until the hall is loaded.
    index: RwLock<Option<Index>>,
    /// Held while rows are read and taken over, so that older rows never replace newer ones.
    updating: tokio::sync::Mutex<()>,
    pending: Mutex<Pending>,
    /// Notified when something was added to `pending`.
    noted: Notify,
    /// Notified when the hall was loaded.
    loaded: Notify,
}

impl Hall {
    /// Creates a hall. It must follow the change feed while [`Self::run`] runs, and answers once it is loaded.
    pub fn new(context: Context, render: Arc<dyn Render>) -> Self {
        Self {
            context,
            render,
            index: RwLock::default(),
            updating: tokio::sync::Mutex::default(),
            pending: Mutex::default(),
            noted: Notify::new(),
            loaded: Notify::new(),
        }
    }

    fn pending(&self) -> MutexGuard<'_, Pending> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn read(&self) -> RwLockReadGuard<'_, Option<Index>> {
        self.index.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Option<Index>> {
        self.index.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until the hall is loaded.
    pub async fn loaded(&self) {
        loop {
            let loaded = self.loaded.notified();
            tokio::pin!(loaded);
            loaded.as_mut().enable();
            if self.read().is_some() {
                return;
            }
            loaded.await;
        }
    }

    fn ask<T>(&self, answer: impl FnOnce(&Index) -> T) -> Result<T> {
        if self.context.feed_is_older_than(OUTDATED_AFTER) {
            return Err(Error::Unavailable { what: "the change feed" });
        }
        self.read().as_ref().map(answer).ok_or(Error::Unavailable { what: "the hall" })
    }

    /// Returns a pair by the codes of its assets; `None` if the hall does not know it.
    pub fn pair(&self, base: &str, quote: &str) -> Result<Option<NamedPair>> {
        self.ask(|index| index.pair_named(base, quote).map(NamedPair::from))
    }

    /// Returns the ID of an asset in which NFTs are paid, and its decimals, by its code. `None` if the hall knows no such asset.
    pub fn nft_quote(&self, code: &str) -> Result<Option<(AssetId, u8)>> {
        self.ask(|index| index.nft_quote(code).map(|asset| (asset.id, asset.decimals)))
    }

    /// Returns whether payment methods of a kind exist.
    pub fn has_method_kind(&self, kind: &str) -> Result<bool> {
        self.ask(|index| index.has_method_kind(kind))
    }

    /// Returns the version of a shelf's pages, as a visitor with this filter sees them. It changes with every change of a page.
    pub fn version(&self, shelf: Shelf, viewer: Option<UserId>, takers: &TakerFilter) -> Result<u64> {
        self.ask(|index| index.version(shelf, viewer, takers))
    }

    /// Returns a page of the hall.
    pub fn page(&self, filter: &Filter, sort: Sort, offset: usize, limit: usize) -> Result<Page> {
        self.ask(|index| {
            let version = index.version(filter.shelf, filter.viewer, &filter.takers);
            let books = selected(index, filter);
            let (entries, total) = match books.as_slice() {
                [(book, selection)] if filter.unranked.is_empty() => {
                    let total = book.count(selection);
                    let slots = if offset < total { book.page(selection, sort, offset, limit) } else { Vec::new() };
                    (slots.into_iter().filter_map(|slot| book.entry(slot)).collect(), total)
                }
                books => search::page(books, &filter.unranked, sort, offset, limit),
            };
            let rows = entries.into_iter().filter_map(|entry| row(index, entry)).collect();
            Page { rows, total, version }
        })
    }

    /// Returns the traits of the NFTs that a pair's adverts sell to a visitor, and their version as for [`Self::version`].
    pub fn traits(&self, pair: PairId, viewer: Option<UserId>) -> Result<(Vec<TraitValues>, u64)> {
        self.ask(|index| {
            let shelf = Shelf::Book(pair, Side::Sell);
            let books = selected(index, &Filter { viewer, ..Filter::all(shelf) });
            (books.first().map(search::traits).unwrap_or_default(), index.version(shelf, viewer, &TakerFilter::All))
        })
    }

    /// Returns the best advert of a side of a pair from which everybody can order, and the number of adverts.
    pub fn best(&self, pair: PairId, side: Side) -> Result<(Option<AdvertId>, usize)> {
        self.ask(|index| {
            let Some(book) = index.book((pair, side)) else { return (None, 0) };
            let all = book.select(&ClassFilter::default(), None, Vec::new());
            let open = ClassFilter { takers: TakerFilter::Unrestricted, ..ClassFilter::default() };
            let open = book.select(&open, None, Vec::new());
            let best = book.page(&open, Sort::best(side), 0, 1).pop();
            (best.and_then(|slot| book.entry(slot)).map(|entry| entry.rank.advert), book.count(&all))
        })
    }

    /// Returns the place of a price among the adverts of a book from which everybody can order, without those of the visitor.
    pub fn price_rank(&self, key: (PairId, Side), price: Price, viewer: UserId) -> Result<PriceRank> {
        self.ask(|index| {
            let hidden = index.hidden(key, Some(viewer));
            let Some(book) = index.book(key) else { return PriceRank { offers: 0, better: 0, middle: None } };
            let open = ClassFilter { takers: TakerFilter::Unrestricted, ..ClassFilter::default() };
            let all = book.select(&open, None, hidden);
            let offers = book.count(&all);
            let price_at = |place| {
                let slot = book.page(&all, Sort::best(key.1), place, 1).pop()?;
                Some(book.entry(slot)?.rank.price)
            };
            let is_better = |other: Price| match key.1 {
                Side::Sell => other < price,
                Side::Buy => other > price,
            };
            // The book is sorted by price, so a bisection finds the first advert that is not better.
            let (mut better, mut rest) = (0_usize, offers);
            while better < rest {
                let middle = better.midpoint(rest);
                if price_at(middle).is_some_and(is_better) {
                    better = middle.saturating_add(1);
                } else {
                    rest = middle;
                }
            }
            PriceRank { offers, better, middle: price_at(offers / 2) }
        })
    }
}

/// Returns the books of a filter's shelf that have adverts, with the adverts that pass.
fn selected<'a>(index: &'a Index, filter: &Filter) -> Vec<Selected<'a>> {
    let classes = ClassFilter {
        kinds: &filter.kinds,
        region: filter.region.as_deref(),
        certified: filter.certified,
        fast: filter.fast,
        takers: filter.takers.clone(),
    };
    let keys = index.books(filter.shelf).into_iter();
    let books = keys.filter_map(|key| {
        let book = index.book(key)?;
        Some((book, book.select(&classes, filter.total, index.hidden(key, filter.viewer))))
    });
    books.collect()
}

fn row(index: &Index, entry: &Entry) -> Option<Row> {
    Some(Row { advert: Arc::clone(&entry.row), owner: Arc::clone(index.owner_row(entry.owner)?) })
}
