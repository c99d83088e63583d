//! The index of the hall: all books, the owners of adverts, and blocks between users.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use domain::adverts::Limits;
use domain::assets::{Asset, AssetId, Pair, PairId};
use domain::checks::owner_available;
use domain::clock::Timestamp;
use domain::ids::{AdvertId, UserId};
use domain::market::{Offer, Rank};
use domain::reputation::Record;
use domain::trade::Side;
use store::hall::{Blocked, Owner};

use super::book::{Book, NewEntry};
use super::ranking::Slot;
use super::takers::TakerFilter;

/// An advert that is ready to be listed.
#[derive(Debug, Clone)]
pub(super) struct Prepared {
    pub(super) offer: Offer,
    /// The limits of an order placed now.
    pub(super) limits: Limits,
    /// The names and values of the traits of the NFT that is sold.
    pub(super) traits: Vec<(String, String)>,
    /// The rendered advert, without its owner.
    pub(super) row: Arc<[u8]>,
}

/// An owner of adverts in the index.
#[derive(Debug)]
struct Listed {
    owner: Owner,
    region: Arc<str>,
    record: Record,
    /// The rendered owner.
    row: Arc<[u8]>,
    adverts: Vec<AdvertId>,
}

impl Listed {
    /// Returns the properties by which an advert is filtered, if it is listed.
    fn class(&self, side: Side) -> Option<(&Arc<str>, bool, bool)> {
        owner_available(side, self.owner.online, &self.owner.forbidden)
            .then(|| (&self.region, self.owner.profile.certified, self.record.fast()))
    }

    fn rank(&self, rank: Rank) -> Rank {
        let record = &self.record;
        Rank { completion_ppm: record.completion_ppm(), average_confirmation: record.average_confirmation(), ..rank }
    }
}

/// The adverts of one side of a pair.
pub(super) type BookKey = (PairId, Side);

/// The books among whose adverts a visitor chooses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shelf {
    /// One book.
    Book(PairId, Side),
    /// The NFTs of all albums that are paid in this asset. They are only sold.
    Nfts { quote: AssetId },
}

#[derive(Debug)]
pub(super) struct Index {
    /// Differs from that of every other index.
    stamp: u64,
    /// The UTC day for which the owners' statistics were read last.
    pub(super) day: Timestamp,
    pairs: BTreeMap<PairId, Pair>,
    /// The kinds of payment methods that exist.
    method_kinds: HashSet<String>,
    /// The pairs by the codes of their base and quote.
    codes: HashMap<String, HashMap<String, PairId>>,
    books: HashMap<BookKey, Book>,
    adverts: HashMap<AdvertId, (BookKey, Slot)>,
    /// Only users who have adverts in the index.
    owners: HashMap<UserId, Listed>,
    /// The users on the other side of each user's blocks.
    blocks: HashMap<UserId, Vec<UserId>>,
    /// Whether the rankings are built once all adverts are added.
    filling: bool,
}

impl Index {
    /// Returns an index to be filled. It answers only after [`Self::rank`].
    pub(super) fn filling(stamp: u64, day: Timestamp, pairs: BTreeMap<PairId, Pair>) -> Self {
        let mut index = Self {
            stamp,
            day,
            pairs: BTreeMap::new(),
            method_kinds: HashSet::new(),
            codes: HashMap::new(),
            books: HashMap::new(),
            adverts: HashMap::new(),
            owners: HashMap::new(),
            blocks: HashMap::new(),
            filling: true,
        };
        index.set_pairs(pairs);
        index
    }

    /// Sorts all adverts after the index was filled.
    pub(super) fn rank(&mut self) {
        self.filling = false;
        self.books.values_mut().for_each(Book::rank);
    }

    pub(super) fn pairs(&self) -> &BTreeMap<PairId, Pair> {
        &self.pairs
    }

    /// Replaces the pairs. The settings of pairs that have adverts must be the same.
    pub(super) fn set_pairs(&mut self, pairs: BTreeMap<PairId, Pair>) {
        self.codes.clear();
        for pair in pairs.values() {
            self.codes.entry(pair.base.code.clone()).or_default().insert(pair.quote.code.clone(), pair.id);
        }
        self.pairs = pairs;
    }

    pub(super) fn set_method_kinds(&mut self, kinds: impl IntoIterator<Item = String>) {
        self.method_kinds = kinds.into_iter().collect();
    }

    pub(super) fn has_method_kind(&self, kind: &str) -> bool {
        self.method_kinds.contains(kind)
    }

    pub(super) fn pair_named(&self, base: &str, quote: &str) -> Option<&Pair> {
        self.pairs.get(self.codes.get(base)?.get(quote)?)
    }

    /// Returns the asset with this code if NFTs are paid in it.
    pub(super) fn nft_quote(&self, code: &str) -> Option<&Asset> {
        self.pairs.values().find(|pair| pair.of_nfts() && pair.quote.code == code).map(|pair| &pair.quote)
    }

    /// Returns the books of a shelf, those without adverts too.
    pub(super) fn books(&self, shelf: Shelf) -> Vec<BookKey> {
        match shelf {
            Shelf::Book(pair, side) => vec![(pair, side)],
            Shelf::Nfts { quote } => {
                let pairs = self.pairs.values().filter(|pair| pair.of_nfts() && pair.quote.id == quote);
                pairs.map(|pair| (pair.id, Side::Sell)).collect()
            }
        }
    }

    pub(super) fn book(&self, key: BookKey) -> Option<&Book> {
        self.books.get(&key)
    }

    pub(super) fn owner_row(&self, owner: UserId) -> Option<&Arc<[u8]>> {
        self.owners.get(&owner).map(|listed| &listed.row)
    }

    pub(super) fn has_owner(&self, owner: UserId) -> bool {
        self.owners.contains_key(&owner)
    }

    pub(super) fn owners(&self) -> Vec<UserId> {
        self.owners.keys().copied().collect()
    }

    pub(super) fn adverts(&self) -> usize {
        self.adverts.len()
    }

    /// Returns the adverts of a book that a visitor does not see: the visitor's own, and those of users on the other side
    /// of a block.
    pub(super) fn hidden(&self, key: BookKey, viewer: Option<UserId>) -> Vec<Slot> {
        let Some(viewer) = viewer else { return Vec::new() };
        let others = self.blocks.get(&viewer).into_iter().flatten();
        self.slots(key, others.chain([&viewer]))
    }

    /// Returns the adverts of users in a book.
    pub(super) fn slots<'a>(&self, key: BookKey, owners: impl IntoIterator<Item = &'a UserId>) -> Vec<Slot> {
        owners
            .into_iter()
            .filter_map(|owner| self.owners.get(owner))
            .flat_map(|listed| &listed.adverts)
            .filter_map(|advert| self.adverts.get(advert))
            .filter_map(|(of, slot)| (*of == key).then_some(*slot))
            .collect()
    }

    /// Returns the slot of an advert, if it is in this book.
    pub(super) fn slot(&self, key: BookKey, advert: AdvertId) -> Option<Slot> {
        self.adverts.get(&advert).filter(|(of, _)| *of == key).map(|(_, slot)| *slot)
    }

    /// Returns a value that changes with every change of a shelf's pages, as a visitor with this filter sees them.
    pub(super) fn version(&self, shelf: Shelf, viewer: Option<UserId>, takers: &TakerFilter) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.stamp.hash(&mut hasher);
        for key in self.books(shelf) {
            let book = self.books.get(&key).map(|book| (book.version(), takers.outcome(book)));
            (key, book, self.hidden(key, viewer)).hash(&mut hasher);
        }
        hasher.finish()
    }

    /// Adds an owner, or replaces an owner and lists the owner's adverts accordingly.
    pub(super) fn put_owner(&mut self, owner: Owner, record: Record, row: Arc<[u8]>) {
        let id = owner.profile.id;
        let region: Arc<str> = owner.profile.region.as_str().into();
        let (adverts, changed) = match self.owners.remove(&id) {
            Some(listed) => (listed.adverts, listed.row != row),
            None => (Vec::new(), true),
        };
        let listed = Listed { owner, region, record, row, adverts };
        for advert in &listed.adverts {
            let Some((key, slot)) = self.adverts.get(advert).copied() else { continue };
            let Some(book) = self.books.get_mut(&key) else { continue };
            book.list(slot, listed.class(key.1), |rank| listed.rank(rank));
            if changed {
                book.touch();
            }
        }
        self.owners.insert(id, listed);
    }

    /// Adds or replaces an advert, or removes it. Its owner must be in the index. Returns the owner if the index contained
    /// the advert.
    pub(super) fn put_advert(&mut self, id: AdvertId, prepared: Option<Prepared>) -> Option<UserId> {
        let former = self.adverts.remove(&id).and_then(|(key, slot)| {
            let book = self.books.get_mut(&key)?;
            let owner = book.entry(slot)?.owner;
            book.remove(slot);
            let listed = self.owners.get_mut(&owner)?;
            listed.adverts.retain(|advert| *advert != id);
            Some(owner)
        });
        if let Some(Prepared { offer, limits, traits, row }) = prepared
            && let Some(listed) = self.owners.get_mut(&offer.owner)
        {
            let key = (offer.pair, offer.side);
            let filling = self.filling;
            let new = || if filling { Book::filling() } else { Book::empty() };
            let book = self.books.entry(key).or_insert_with(new);
            let (owner, rank, kinds) = (offer.owner, offer.rank(&listed.record), offer.kinds());
            let required = offer.options.taker;
            let entry = NewEntry { owner, rank, limits, automatic: offer.automatic, kinds, traits, required, row };
            if let Some(slot) = book.add(entry) {
                book.list(slot, listed.class(offer.side), |rank| rank);
                listed.adverts.push(id);
                self.adverts.insert(id, (key, slot));
            }
        }
        former
    }

    /// Removes those of the owners who have no adverts.
    pub(super) fn forget_idle(&mut self, owners: &[UserId]) {
        for owner in owners {
            if self.owners.get(owner).is_some_and(|listed| listed.adverts.is_empty()) {
                self.owners.remove(owner);
            }
        }
    }

    /// Replaces the blocks of users. `blocks` are all blocks by or against them.
    pub(super) fn put_blocks(&mut self, users: &[UserId], blocks: &[Blocked]) {
        for user in users {
            let mut others: Vec<_> = blocks
                .iter()
                .filter_map(|(a, b)| match *user {
                    user if user == *a => Some(*b),
                    user if user == *b => Some(*a),
                    _ => None,
                })
                .collect();
            others.sort_unstable();
            others.dedup();
            if others.is_empty() {
                self.blocks.remove(user);
            } else {
                self.blocks.insert(*user, others);
            }
        }
    }

    /// Adds blocks while the index is filled.
    pub(super) fn add_blocks(&mut self, blocks: &[Blocked]) {
        for (a, b) in blocks {
            for (user, other) in [(a, b), (b, a)] {
                let others = self.blocks.entry(*user).or_default();
                if !others.contains(other) {
                    others.push(*other);
                }
            }
        }
    }
}
