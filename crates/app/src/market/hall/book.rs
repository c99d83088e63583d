//! The adverts of one side of a pair, sorted and counted.

use std::collections::{BTreeMap, HashMap, HashSet, btree_map};
use std::sync::Arc;

use domain::adverts::{Limits, TakerRequirements};
use domain::ids::UserId;
use domain::market::{Rank, Sort};
use domain::money::Amount;

use super::amounts::Sorted;
use super::ranking::{ClassId, Item, Passing, Ranked, Ranking, Selection, Slot};
use super::takers::TakerFilter;

/// The properties by which adverts are filtered, apart from their limits.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Class {
    /// The kinds of payment methods, sorted.
    pub(super) kinds: Arc<[String]>,
    /// The owner's region.
    pub(super) region: Arc<str>,
    /// Whether the owner is certified.
    pub(super) certified: bool,
    /// Whether the owner is fast.
    pub(super) fast: bool,
    /// Whether the advertiser requires anything of takers.
    pub(super) restricted: bool,
}

/// An advert of the book.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) owner: UserId,
    pub(super) rank: Rank,
    pub(super) limits: Limits,
    /// Whether the platform accepts orders and confirms payments.
    pub(super) automatic: bool,
    /// The kinds of payment methods, sorted.
    pub(super) kinds: Arc<[String]>,
    /// The names and values of the traits of the NFT that is sold.
    pub(super) traits: Vec<(String, String)>,
    /// What the advertiser requires of takers.
    pub(super) required: TakerRequirements,
    /// The rendered advert, without its owner.
    pub(super) row: Arc<[u8]>,
    /// `None` while the advert is not listed, because its owner is offline or may not trade.
    class: Option<ClassId>,
}

impl Entry {
    /// Returns whether pages list the advert.
    pub(super) fn is_listed(&self) -> bool {
        self.class.is_some()
    }
}

/// An advert to add to a book. See [`Entry`].
#[derive(Debug)]
pub(super) struct NewEntry {
    pub(super) owner: UserId,
    pub(super) rank: Rank,
    pub(super) limits: Limits,
    pub(super) automatic: bool,
    pub(super) kinds: Vec<String>,
    pub(super) traits: Vec<(String, String)>,
    pub(super) required: TakerRequirements,
    pub(super) row: Arc<[u8]>,
}

/// The limits of a class, from which the adverts that accept a total are counted.
#[derive(Debug, Default)]
struct Tally {
    adverts: usize,
    minimums: Sorted,
    maximums: Sorted,
}

impl Tally {
    /// Returns the number of adverts, or of those whose limits contain a total. No minimum exceeds its maximum, so an
    /// advert whose maximum is below the total has a minimum below it too.
    fn count(&self, total: Option<Amount>) -> usize {
        match total {
            None => self.adverts,
            Some(total) => self.minimums.up_to(total).saturating_sub(self.maximums.below(total)),
        }
    }

    fn of(limits: &[Limits]) -> Self {
        Self {
            adverts: limits.len(),
            minimums: Sorted::of(limits.iter().map(|limits| limits.min).collect()),
            maximums: Sorted::of(limits.iter().map(|limits| limits.max).collect()),
        }
    }

    fn insert(&mut self, limits: Limits) {
        self.adverts = self.adverts.saturating_add(1);
        self.minimums.insert(limits.min);
        self.maximums.insert(limits.max);
    }

    fn remove(&mut self, limits: Limits) {
        self.adverts = self.adverts.saturating_sub(1);
        self.minimums.remove(limits.min);
        self.maximums.remove(limits.max);
    }
}

/// The adverts by slot.
#[derive(Debug, Default)]
struct Entries(Vec<Option<Entry>>);

impl Entries {
    fn get(&self, slot: Slot) -> Option<&Entry> {
        self.0.get(usize::try_from(slot.0).ok()?)?.as_ref()
    }

    fn place(&mut self, slot: Slot) -> Option<&mut Option<Entry>> {
        self.0.get_mut(usize::try_from(slot.0).ok()?)
    }
}

impl Ranked for Entries {
    fn rank(&self, slot: Slot) -> Option<&Rank> {
        self.get(slot).map(|entry| &entry.rank)
    }

    fn limits(&self, slot: Slot) -> Option<Limits> {
        self.get(slot).map(|entry| entry.limits)
    }

    fn required(&self, slot: Slot) -> Option<&TakerRequirements> {
        self.get(slot).map(|entry| &entry.required)
    }
}

/// A filter of adverts, apart from their limits.
#[derive(Debug, Clone, Default)]
pub(super) struct ClassFilter<'a> {
    /// Kinds of payment methods of which one is enough; empty for any.
    pub(super) kinds: &'a [String],
    pub(super) region: Option<&'a str>,
    pub(super) certified: bool,
    pub(super) fast: bool,
    pub(super) takers: TakerFilter,
}

impl ClassFilter<'_> {
    fn passing(&self, class: &Class) -> Passing {
        if !self.passes(class) {
            return Passing::None;
        }
        match self.takers {
            TakerFilter::Unrestricted if class.restricted => Passing::None,
            TakerFilter::MetBy(_) if class.restricted => Passing::ByRequirements,
            TakerFilter::All | TakerFilter::Unrestricted | TakerFilter::MetBy(_) => Passing::All,
        }
    }

    fn passes(&self, class: &Class) -> bool {
        (self.kinds.is_empty() || class.kinds.iter().any(|kind| self.kinds.contains(kind)))
            && self.region.is_none_or(|region| *class.region == *region)
            && (class.certified || !self.certified)
            && (class.fast || !self.fast)
    }
}

/// The adverts of one side of a pair.
#[derive(Debug)]
pub(super) struct Book {
    entries: Entries,
    free: Vec<Slot>,
    classes: Vec<Class>,
    numbers: HashMap<Class, ClassId>,
    tallies: Vec<Tally>,
    /// The tallies of the adverts of each class that require the same of takers, if they require anything. What is
    /// required is not part of a class, because every request looks at every class.
    restricted: BTreeMap<TakerRequirements, BTreeMap<ClassId, Tally>>,
    /// One for each order; empty while the book is filled.
    rankings: Vec<Ranking>,
    /// Equal lists of kinds share their memory.
    kinds: HashSet<Arc<[String]>>,
    /// Increases with every change of a page.
    version: u64,
}

impl Book {
    /// Returns an empty book to be filled. It has no rankings before [`Self::rank`].
    pub(super) fn filling() -> Self {
        Self {
            entries: Entries::default(),
            free: Vec::new(),
            classes: Vec::new(),
            numbers: HashMap::new(),
            tallies: Vec::new(),
            restricted: BTreeMap::new(),
            rankings: Vec::new(),
            kinds: HashSet::new(),
            version: 0,
        }
    }

    /// Returns an empty book.
    pub(super) fn empty() -> Self {
        let mut book = Self::filling();
        book.rank();
        book
    }

    /// Sorts and counts all listed adverts of a book that was filled.
    pub(super) fn rank(&mut self) {
        let slots = (0..).map(Slot);
        let listed = slots.zip(&self.entries.0).filter_map(|(slot, entry)| {
            let entry = entry.as_ref()?;
            Some((entry.class?, slot, entry))
        });
        let listed: Vec<_> = listed.collect();
        let mut limits: HashMap<ClassId, Vec<Limits>> = HashMap::new();
        let mut restricted: BTreeMap<&TakerRequirements, BTreeMap<ClassId, Vec<Limits>>> = BTreeMap::new();
        for (class, _, entry) in &listed {
            limits.entry(*class).or_default().push(entry.limits);
            if !entry.required.is_empty() {
                restricted.entry(&entry.required).or_default().entry(*class).or_default().push(entry.limits);
            }
        }
        let tallies =
            |of: BTreeMap<_, Vec<_>>| of.into_iter().map(|(class, limits)| (class, Tally::of(&limits))).collect();
        self.restricted = restricted.into_iter().map(|(required, of)| (required.clone(), tallies(of))).collect();
        self.tallies = (0..)
            .map(ClassId)
            .take(self.classes.len())
            .map(|class| Tally::of(&limits.remove(&class).unwrap_or_default()))
            .collect();
        let items: Vec<_> = listed.iter().map(|(class, slot, entry)| Item::new(*slot, *class, entry.limits)).collect();
        self.rankings = Sort::ALL.map(|sort| Ranking::of(sort, items.clone(), &self.entries)).into();
    }

    pub(super) fn version(&self) -> u64 {
        self.version
    }

    /// Notes that rows look different although no advert has changed.
    pub(super) fn touch(&mut self) {
        self.version = self.version.saturating_add(1);
    }

    /// Returns everything that some of the listed adverts require of takers.
    pub(super) fn required(&self) -> impl Iterator<Item = &TakerRequirements> {
        self.restricted.keys()
    }

    pub(super) fn entry(&self, slot: Slot) -> Option<&Entry> {
        self.entries.get(slot)
    }

    /// Adds an advert, which is not listed yet. Returns its slot; `None` if the book is full.
    pub(super) fn add(&mut self, new: NewEntry) -> Option<Slot> {
        let NewEntry { owner, rank, limits, automatic, kinds, traits, required, row } = new;
        let kept = self.kinds.get(kinds.as_slice()).cloned();
        let kinds = kept.unwrap_or_else(|| {
            let kinds: Arc<[String]> = kinds.into();
            self.kinds.insert(Arc::clone(&kinds));
            kinds
        });
        let entry = Some(Entry { owner, rank, limits, automatic, kinds, traits, required, row, class: None });
        if let Some(slot) = self.free.pop() {
            *self.entries.place(slot)? = entry;
            return Some(slot);
        }
        let slot = Slot(u32::try_from(self.entries.0.len()).ok()?);
        self.entries.0.push(entry);
        Some(slot)
    }

    /// Removes an advert.
    pub(super) fn remove(&mut self, slot: Slot) {
        self.unlist(slot);
        if let Some(entry) = self.entries.place(slot)
            && entry.take().is_some()
        {
            self.free.push(slot);
        }
    }

    /// Lists an advert with its owner's properties and statistics, or with `None` does not list it.
    pub(super) fn list(&mut self, slot: Slot, owner: Option<(&Arc<str>, bool, bool)>, rank: impl FnOnce(Rank) -> Rank) {
        let Some(entry) = self.entries.get(slot) else { return };
        let (kinds, restricted) = (Arc::clone(&entry.kinds), !entry.required.is_empty());
        let class = owner.map(|(region, certified, fast)| {
            self.class(Class { kinds, region: Arc::clone(region), certified, fast, restricted })
        });
        let Some(entry) = self.entries.get(slot) else { return };
        let rank = rank(entry.rank);
        if (entry.class, entry.rank) == (class, rank) {
            return;
        }
        self.unlist(slot);
        let Some(Some(entry)) = self.entries.place(slot) else { return };
        entry.rank = rank;
        let Some(class) = class else { return };
        entry.class = Some(class);
        let (limits, required) = (entry.limits, entry.required.clone());
        self.touch();
        for ranking in &mut self.rankings {
            ranking.insert(Item::new(slot, class, limits), &self.entries);
        }
        if let Some(tally) = self.tally(class) {
            tally.insert(limits);
            if !required.is_empty() {
                self.restricted.entry(required).or_default().entry(class).or_default().insert(limits);
            }
        }
    }

    fn unlist(&mut self, slot: Slot) {
        let Some(entry) = self.entries.get(slot) else { return };
        let Some(class) = entry.class else { return };
        let (limits, required) = (entry.limits, entry.required.clone());
        self.touch();
        for ranking in &mut self.rankings {
            ranking.remove(slot, &self.entries);
        }
        if let Some(tally) = self.tally(class) {
            tally.remove(limits);
        }
        if let btree_map::Entry::Occupied(mut classes) = self.restricted.entry(required) {
            if let Some(tally) = classes.get_mut().get_mut(&class) {
                tally.remove(limits);
            }
            // What was required by adverts that are gone is forgotten.
            classes.get_mut().retain(|_, tally| tally.adverts > 0);
            if classes.get().is_empty() {
                classes.remove();
            }
        }
        if let Some(Some(entry)) = self.entries.place(slot) {
            entry.class = None;
        }
    }

    /// Returns the tally of a class; `None` while the book is filled.
    fn tally(&mut self, class: ClassId) -> Option<&mut Tally> {
        if self.rankings.is_empty() {
            return None;
        }
        self.tallies.get_mut(usize::try_from(class.0).ok()?)
    }

    fn class(&mut self, class: Class) -> ClassId {
        if let Some(number) = self.numbers.get(&class) {
            return *number;
        }
        let number = ClassId(u32::try_from(self.classes.len()).unwrap_or(u32::MAX));
        self.classes.push(class.clone());
        self.tallies.push(Tally::default());
        self.numbers.insert(class, number);
        number
    }

    /// Returns the filter as rankings use it. `hidden` are adverts that the visitor does not see.
    pub(super) fn select(&self, filter: &ClassFilter<'_>, total: Option<Amount>, hidden: Vec<Slot>) -> Selection {
        let classes = self.classes.iter().map(|class| filter.passing(class)).collect();
        let mut selection = Selection { classes, takers: filter.takers.clone(), total, hidden };
        let mut hidden = std::mem::take(&mut selection.hidden);
        hidden.retain(|slot| self.passes(*slot, &selection));
        hidden.sort_unstable();
        hidden.dedup();
        selection.hidden = hidden;
        selection
    }

    fn passes(&self, slot: Slot, selection: &Selection) -> bool {
        self.entry(slot).is_some_and(|entry| {
            entry.class.is_some_and(|class| selection.admits(class, || Some(&entry.required)))
                && selection.total.is_none_or(|total| entry.limits.contains(total))
        })
    }

    /// Returns the adverts that pass, in no order.
    pub(super) fn selected(&self, selection: &Selection) -> impl Iterator<Item = &Entry> {
        let slots = (0..).map(Slot).zip(&self.entries.0);
        slots.filter_map(|(slot, entry)| {
            let entry = entry.as_ref()?;
            (self.passes(slot, selection) && selection.hidden.binary_search(&slot).is_err()).then_some(entry)
        })
    }

    /// Returns the number of adverts that pass.
    pub(super) fn count(&self, selection: &Selection) -> usize {
        let whole = self.tallies.iter().zip(&selection.classes).filter(|(_, passing)| **passing == Passing::All);
        let met = self.restricted.iter().filter(|(required, _)| selection.takers.passes(required));
        let parts = met
            .flat_map(|(_, classes)| classes)
            .filter(|(class, _)| selection.of_class(**class) == Passing::ByRequirements);
        let tallies = whole.map(|(tally, _)| tally).chain(parts.map(|(_, tally)| tally));
        let all = tallies.map(|tally| tally.count(selection.total)).fold(0, usize::saturating_add);
        all.saturating_sub(selection.hidden.len())
    }

    /// Returns the adverts on a page, best first.
    pub(super) fn page(&self, selection: &Selection, sort: Sort, offset: usize, limit: usize) -> Vec<Slot> {
        let found = Sort::ALL.into_iter().zip(&self.rankings).find(|(one, _)| *one == sort);
        found.map(|(_, ranking)| ranking.page(selection, offset, limit, &self.entries)).unwrap_or_default()
    }

    /// Visits the adverts that pass. See [`Ranking::visit`].
    pub(super) fn visit(
        &self,
        selection: &Selection,
        sort: Sort,
        totals: impl Fn(&Rank, &Rank) -> Limits,
        visit: impl FnMut(Slot) -> bool,
    ) {
        if let Some((_, ranking)) = Sort::ALL.into_iter().zip(&self.rankings).find(|(one, _)| *one == sort) {
            ranking.visit(selection, &self.entries, totals, visit);
        }
    }
}
