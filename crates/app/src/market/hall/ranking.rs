//! The adverts of a book in one order, in blocks that know which adverts they contain.

use std::cmp::Ordering;

use domain::adverts::{Limits, TakerRequirements};
use domain::market::{Rank, Sort};
use domain::money::Amount;

use super::amounts::Code;
use super::takers::TakerFilter;

/// The maximum number of adverts in a block. A page skips whole blocks; a change moves the adverts of one block.
const BLOCK_SIZE: usize = 1_024;

/// The place of an advert in its book.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Slot(pub(super) u32);

/// The number of a class of adverts: those that pass the same filters, apart from the filter by total.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct ClassId(pub(super) u32);

/// An advert in a ranking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Item {
    pub(super) slot: Slot,
    pub(super) class: ClassId,
    min: Code,
    max: Code,
}

impl Item {
    pub(super) fn new(slot: Slot, class: ClassId, limits: Limits) -> Self {
        Self { slot, class, min: Code::of(limits.min), max: Code::of(limits.max) }
    }

    /// Returns whether a total is within the limits; `None` if only the exact limits tell.
    fn contains(&self, total: Code) -> Option<bool> {
        match (self.min.cmp(&total), total.cmp(&self.max)) {
            (Ordering::Less, Ordering::Less) => Some(true),
            (Ordering::Greater, _) | (_, Ordering::Greater) => Some(false),
            _ => None,
        }
    }
}

/// The values by which rankings sort and filter adverts.
pub(super) trait Ranked {
    fn rank(&self, slot: Slot) -> Option<&Rank>;
    fn limits(&self, slot: Slot) -> Option<Limits>;
    fn required(&self, slot: Slot) -> Option<&TakerRequirements>;
}

/// Which adverts of a class pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Passing {
    None,
    /// Those that pass [`Selection::takers`].
    ByRequirements,
    All,
}

/// A filter of one request.
#[derive(Debug)]
pub(super) struct Selection {
    /// By the number of the class.
    pub(super) classes: Vec<Passing>,
    pub(super) takers: TakerFilter,
    pub(super) total: Option<Amount>,
    /// The adverts that the visitor does not see although they pass, sorted.
    pub(super) hidden: Vec<Slot>,
}

impl Selection {
    pub(super) fn of_class(&self, class: ClassId) -> Passing {
        let found = usize::try_from(class.0).ok().and_then(|class| self.classes.get(class));
        found.copied().unwrap_or(Passing::None)
    }

    /// Returns whether an advert of a class passes that requires this of takers, apart from its limits.
    pub(super) fn admits<'a>(&self, class: ClassId, required: impl FnOnce() -> Option<&'a TakerRequirements>) -> bool {
        match self.of_class(class) {
            Passing::None => false,
            Passing::ByRequirements => required().is_some_and(|required| self.takers.passes(required)),
            Passing::All => true,
        }
    }

    fn passes(&self, item: &Item, total: Option<Code>, ranked: &impl Ranked) -> bool {
        if !self.admits(item.class, || ranked.required(item.slot)) {
            return false;
        }
        let within = match total {
            None => true,
            Some(code) => item.contains(code).unwrap_or_else(|| {
                let limits = ranked.limits(item.slot);
                limits.zip(self.total).is_some_and(|(limits, total)| limits.contains(total))
            }),
        };
        within && self.hidden.binary_search(&item.slot).is_err()
    }
}

/// The smallest and largest code of a block's minimum limits, or of its maximum limits.
#[derive(Debug, Clone, Copy)]
struct Span {
    least: Code,
    most: Code,
}

impl Span {
    fn of(code: Code) -> Self {
        Self { least: code, most: code }
    }

    fn with(self, code: Code) -> Self {
        Self { least: self.least.min(code), most: self.most.max(code) }
    }

    fn ends_with(self, code: Code) -> bool {
        self.least == code || self.most == code
    }
}

#[derive(Debug, Default)]
struct Block {
    /// Sorted. Never empty.
    items: Vec<Item>,
    /// The number of adverts of each class that occurs.
    counts: Vec<(ClassId, usize)>,
    /// The range of the minimum limits, and of the maximum limits.
    spans: Option<(Span, Span)>,
}

impl Block {
    fn of(items: Vec<Item>) -> Self {
        let mut block = Self::default();
        for item in &items {
            block.count(item);
        }
        block.items = items;
        block
    }

    /// Takes an inserted advert into account.
    fn count(&mut self, item: &Item) {
        match self.counts.iter_mut().find(|(class, _)| *class == item.class) {
            Some((_, count)) => *count = count.saturating_add(1),
            None => self.counts.push((item.class, 1)),
        }
        self.widen(item);
    }

    fn widen(&mut self, item: &Item) {
        self.spans = Some(match self.spans {
            Some((min, max)) => (min.with(item.min), max.with(item.max)),
            None => (Span::of(item.min), Span::of(item.max)),
        });
    }

    /// Takes a removed advert into account.
    fn discount(&mut self, item: &Item) {
        if let Some((_, count)) = self.counts.iter_mut().find(|(class, _)| *class == item.class) {
            *count = count.saturating_sub(1);
        }
        self.counts.retain(|(_, count)| *count > 0);
        if self.spans.is_some_and(|(min, max)| min.ends_with(item.min) || max.ends_with(item.max)) {
            self.spans = None;
            let items = std::mem::take(&mut self.items);
            for item in &items {
                self.widen(item);
            }
            self.items = items;
        }
    }

    /// Returns the number of adverts that pass, apart from hidden ones; `None` if only the adverts themselves tell.
    fn passing(&self, selection: &Selection, total: Option<Code>) -> Option<usize> {
        if let Some((code, (min, max))) = total.zip(self.spans) {
            if min.least > code || max.most < code {
                return Some(0);
            }
            if min.most >= code || max.least <= code {
                return None;
            }
        }
        self.counts.iter().try_fold(0_usize, |passing, (class, count)| match selection.of_class(*class) {
            Passing::None => Some(passing),
            Passing::ByRequirements => None,
            Passing::All => Some(passing.saturating_add(*count)),
        })
    }
}

/// The adverts of a book, sorted.
#[derive(Debug)]
pub(super) struct Ranking {
    sort: Sort,
    blocks: Vec<Block>,
}

impl Ranking {
    pub(super) fn of(sort: Sort, mut items: Vec<Item>, ranked: &impl Ranked) -> Self {
        items.sort_unstable_by(|a, b| compare(sort, ranked.rank(a.slot), ranked.rank(b.slot)));
        // Leave room in each block, so that the first insertions do not split them all.
        let blocks = items.chunks(BLOCK_SIZE.saturating_mul(3) / 4).map(|part| Block::of(part.to_vec())).collect();
        Self { sort, blocks }
    }

    /// Inserts an advert that is not in the ranking.
    pub(super) fn insert(&mut self, item: Item, ranked: &impl Ranked) {
        let rank = ranked.rank(item.slot);
        let place = self.block_of(rank, ranked);
        let sort = self.sort;
        let Some(block) = self.blocks.get_mut(place) else {
            self.blocks.push(Block::of(vec![item]));
            return;
        };
        let at = block.items.partition_point(|one| compare(sort, ranked.rank(one.slot), rank) == Ordering::Less);
        block.items.insert(at, item);
        block.count(&item);
        if block.items.len() > BLOCK_SIZE {
            let rest = block.items.split_off(BLOCK_SIZE / 2);
            *block = Block::of(std::mem::take(&mut block.items));
            self.blocks.insert(place.saturating_add(1), Block::of(rest));
        }
    }

    /// Removes an advert whose rank and limits have not changed since it was inserted.
    pub(super) fn remove(&mut self, slot: Slot, ranked: &impl Ranked) {
        let rank = ranked.rank(slot);
        let place = self.block_of(rank, ranked);
        let sort = self.sort;
        let Some(block) = self.blocks.get_mut(place) else { return };
        let at = block.items.partition_point(|one| compare(sort, ranked.rank(one.slot), rank) == Ordering::Less);
        if block.items.get(at).is_none_or(|item| item.slot != slot) {
            return;
        }
        let item = block.items.remove(at);
        block.discount(&item);
        self.merge(place);
    }

    /// Removes the block if it is empty, or joins it with the next block if both are small.
    fn merge(&mut self, place: usize) {
        let next = place.saturating_add(1);
        let len = |place: usize| self.blocks.get(place).map(|block| block.items.len());
        match (len(place), len(next)) {
            (Some(0), _) => {
                self.blocks.remove(place);
            }
            (Some(own), Some(others)) if own.saturating_add(others) <= BLOCK_SIZE / 2 => {
                let rest = self.blocks.remove(next).items;
                if let Some(block) = self.blocks.get_mut(place) {
                    let mut items = std::mem::take(&mut block.items);
                    items.extend(rest);
                    *block = Block::of(items);
                }
            }
            _ => {}
        }
    }

    /// Returns the place of the block in which an advert with this rank is, or belongs.
    fn block_of(&self, rank: Option<&Rank>, ranked: &impl Ranked) -> usize {
        let first = |block: &Block| block.items.first().and_then(|item| ranked.rank(item.slot));
        let after = self.blocks.partition_point(|block| compare(self.sort, first(block), rank) != Ordering::Greater);
        after.saturating_sub(1)
    }

    /// Returns the adverts on a page, best first.
    pub(super) fn page(&self, selection: &Selection, offset: usize, limit: usize, ranked: &impl Ranked) -> Vec<Slot> {
        let total = selection.total.map(Code::of);
        let mut hidden: Vec<_> =
            selection.hidden.iter().map(|slot| self.block_of(ranked.rank(*slot), ranked)).collect();
        hidden.sort_unstable();
        let (mut skip, mut page) = (offset, Vec::with_capacity(limit));
        for (place, block) in self.blocks.iter().enumerate() {
            let passing = block.passing(selection, total).filter(|_| hidden.binary_search(&place).is_err());
            if let Some(passing) = passing
                && passing <= skip
            {
                skip = skip.saturating_sub(passing);
                continue;
            }
            let items = block.items.iter().filter(|item| selection.passes(item, total, ranked));
            for item in items {
                if skip > 0 {
                    skip = skip.saturating_sub(1);
                } else if page.len() < limit {
                    page.push(item.slot);
                } else {
                    return page;
                }
            }
            if page.len() == limit {
                return page;
            }
        }
        page
    }

    /// Visits the adverts that pass, best first, until `visit` returns false. `totals` returns the range of totals that are
    /// sought between the ranks of a block's first and last advert. Adverts whose limits contain none of them are left out
    /// where that is quick to tell.
    pub(super) fn visit(
        &self,
        selection: &Selection,
        ranked: &impl Ranked,
        totals: impl Fn(&Rank, &Rank) -> Limits,
        mut visit: impl FnMut(Slot) -> bool,
    ) {
        for block in &self.blocks {
            let rank = |item: Option<&Item>| ranked.rank(item?.slot);
            let Some((first, last)) = rank(block.items.first()).zip(rank(block.items.last())) else { continue };
            let Some((min, max)) = block.spans else { continue };
            let Limits { min: least, max: most } = totals(first, last);
            let (least, most) = (Code::of(least), Code::of(most));
            if min.least > most || max.most < least {
                continue;
            }
            let possible = block.items.iter().filter(|item| item.min <= most && item.max >= least);
            for item in possible.filter(|item| selection.passes(item, None, ranked)) {
                if !visit(item.slot) {
                    return;
                }
            }
        }
    }
}

fn compare(sort: Sort, a: Option<&Rank>, b: Option<&Rank>) -> Ordering {
    a.zip(b).map_or(Ordering::Equal, |(a, b)| sort.compare(a, b))
}
