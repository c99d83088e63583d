//! Pages over several books, and filters that no ranking knows: the range of prices, and the traits of NFTs. They look at each
//! advert.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};

use domain::market::Sort;
use domain::money::Price;

use super::book::{Book, Entry};
use super::ranking::Selection;

/// A filter of adverts by what no ranking knows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UnrankedFilter {
    pub min_price: Option<Price>,
    pub max_price: Option<Price>,
    /// Names and values of traits. Of values with the same name, an NFT must have one; of each name, it must have a value.
    pub traits: BTreeMap<String, Vec<String>>,
}

impl UnrankedFilter {
    /// Returns whether all adverts pass.
    pub(super) fn is_empty(&self) -> bool {
        self.min_price.is_none() && self.max_price.is_none() && self.traits.is_empty()
    }

    fn passes(&self, entry: &Entry) -> bool {
        let has = |name: &str, values: &[String]| {
            entry.traits.iter().any(|(of, value)| of == name && values.iter().any(|one| one == value))
        };
        self.min_price.is_none_or(|min| entry.rank.price >= min)
            && self.max_price.is_none_or(|max| entry.rank.price <= max)
            && self.traits.iter().all(|(name, values)| has(name, values))
    }
}

/// The adverts of a book that pass a filter.
pub(super) type Selected<'a> = (&'a Book, Selection);

/// Returns the adverts on a page over all books, best first, and the number of adverts on all pages.
pub(super) fn page<'a>(
    books: &'a [Selected<'a>],
    filter: &UnrankedFilter,
    sort: Sort,
    offset: usize,
    limit: usize,
) -> (Vec<&'a Entry>, usize) {
    let all = books.iter().flat_map(|(book, selection)| book.selected(selection));
    let mut found: Vec<_> = all.filter(|entry| filter.passes(entry)).collect();
    let (total, end) = (found.len(), offset.saturating_add(limit));
    let best_first = |a: &&Entry, b: &&Entry| sort.compare(&a.rank, &b.rank);
    if end < total {
        found.select_nth_unstable_by(end, best_first);
        found.truncate(end);
    }
    found.sort_unstable_by(best_first);
    (found.into_iter().skip(offset).collect(), total)
}

/// The values of a trait among NFTs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TraitValues {
    /// Empty for values without a name.
    pub name: String,
    /// The values and how many of the NFTs have each, the most frequent first.
    pub values: Vec<(String, usize)>,
    /// How many more values there are.
    pub others: usize,
}

/// The maximum number of traits that are listed, and of the values of each. Strangers choose them.
const MAX_NAMES: usize = 40;
const MAX_VALUES: usize = 60;

/// Returns the traits of the NFTs that the adverts of a book sell, those that most NFTs have first.
pub(super) fn traits((book, selection): &Selected<'_>) -> Vec<TraitValues> {
    let mut counts: HashMap<&str, HashMap<&str, usize>> = HashMap::new();
    let mut once = HashSet::new();
    for entry in book.selected(selection) {
        once.clear();
        for (name, value) in &entry.traits {
            if once.insert((name, value)) {
                let count = counts.entry(name).or_default().entry(value).or_default();
                *count = count.saturating_add(1);
            }
        }
    }
    let mut names: Vec<_> = counts
        .into_iter()
        .map(|(name, values)| (values.values().copied().fold(0, usize::saturating_add), name, values))
        .collect();
    names.sort_unstable_by_key(|(count, name, _)| (Reverse(*count), *name));
    names.truncate(MAX_NAMES);
    let listed = names.into_iter().map(|(_, name, values)| {
        let mut values: Vec<_> = values.into_iter().collect();
        values.sort_unstable_by_key(|(value, count)| (Reverse(*count), *value));
        let others = values.len().saturating_sub(MAX_VALUES);
        values.truncate(MAX_VALUES);
        TraitValues {
            name: name.to_owned(),
            values: values.into_iter().map(|(value, count)| (value.to_owned(), count)).collect(),
            others,
        }
    });
    listed.collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::arithmetic_side_effects)]

    use std::sync::Arc;

    use domain::adverts::{Limits, TakerRequirements};
    use domain::ids::{AdvertId, UserId};
    use domain::market::Rank;
    use domain::money::Amount;
    use proptest::prelude::*;
    use uuid::Uuid;

    use super::super::book::{ClassFilter, NewEntry};
    use super::*;

    const NAMES: [&str; 2] = ["Sky", "Flower"];

    /// A price, and the value of each trait.
    type Drawn = (i128, [u8; 2]);

    fn owned(name: &str, value: u8) -> (String, String) {
        (name.to_owned(), value.to_string())
    }

    fn book(adverts: &[Drawn], first: u128) -> Book {
        let mut book = Book::empty();
        for ((price, traits), id) in adverts.iter().zip(first..) {
            let rank = Rank {
                advert: AdvertId(Uuid::from_u128(id)),
                price: Price::new(*price).unwrap(),
                remaining: Amount::ONE,
                completion_ppm: None,
                average_confirmation: None,
            };
            let traits = NAMES.iter().zip(traits).map(|(name, value)| owned(name, *value)).collect();
            let limits = Limits { min: Amount::ONE, max: Amount::ONE };
            let (owner, kinds, row) = (UserId(Uuid::nil()), Vec::new(), Arc::default());
            let entry = NewEntry {
                owner,
                rank,
                limits,
                automatic: false,
                kinds,
                traits,
                required: TakerRequirements::default(),
                row,
            };
            let slot = book.add(entry).unwrap();
            book.list(slot, Some((&Arc::from("CN"), true, true)), |rank| rank);
        }
        book
    }

    proptest! {
        #[test]
        fn a_page_over_all_books_is_that_of_a_filter_over_their_adverts(
            drawn in prop::collection::vec((1..9_i128, any::<[u8; 2]>().prop_map(|of| of.map(|value| value % 3))), 0..60),
            others in prop::collection::vec((1..9_i128, any::<[u8; 2]>().prop_map(|of| of.map(|value| value % 3))), 0..60),
            (min, max) in (prop::option::of(1..9_i128), prop::option::of(1..9_i128)),
            chosen in prop::collection::vec((0..2_usize, 0..3_u8), 0..4),
            sort in prop::sample::select(Sort::ALL.to_vec()),
        ) {
            let (one, two) = (book(&drawn, 1), book(&others, 1_000));
            let all = |book: &Book| book.select(&ClassFilter::default(), None, Vec::new());
            let books = [(&one, all(&one)), (&two, all(&two))];
            let mut wanted = UnrankedFilter { min_price: min.map(|min| Price::new(min).unwrap()), ..UnrankedFilter::default() };
            wanted.max_price = max.map(|max| Price::new(max).unwrap());
            for (name, value) in &chosen {
                wanted.traits.entry(NAMES[*name].to_owned()).or_default().push(value.to_string());
            }
            let passes = |(price, traits): &Drawn| {
                min.is_none_or(|min| *price >= min) && max.is_none_or(|max| *price <= max)
                    && (0..2).all(|name| {
                        let values: Vec<_> = chosen.iter().filter(|(of, _)| *of == name).collect();
                        values.is_empty() || values.iter().any(|(_, value)| *value == traits[name])
                    })
            };
            let numbered = drawn.iter().zip(1..).chain(others.iter().zip(1_000..));
            let mut expected: Vec<_> = numbered.filter(|(one, _)| passes(one)).map(|((price, _), id)| (*price, id)).collect();
            match sort {
                Sort::PriceUp => expected.sort_by_key(|(price, id)| (*price, *id)),
                Sort::PriceDown => expected.sort_by_key(|(price, id)| (Reverse(*price), *id)),
                Sort::Newest => expected.sort_by_key(|(_, id)| Reverse(*id)),
                Sort::QuantityUp | Sort::QuantityDown => expected.sort_by_key(|(_, id)| *id),
            }
            let expected: Vec<_> = expected.into_iter().map(|(_, id)| AdvertId(Uuid::from_u128(id))).collect();
            for offset in (0..=expected.len()).step_by(7) {
                let (entries, total) = page(&books, &wanted, sort, offset, 10);
                let found: Vec<_> = entries.iter().map(|entry| entry.rank.advert).collect();
                prop_assert_eq!((found, total), (expected.iter().skip(offset).take(10).copied().collect(), expected.len()));
            }
        }
    }

    #[test]
    fn traits_are_listed_by_frequency_and_only_so_many_of_them() {
        let adverts: Vec<_> = (0..=u8::try_from(MAX_VALUES).unwrap()).map(|value| (1, [value, value % 2])).collect();
        let one = book(&adverts, 1);
        let listed = traits(&(&one, one.select(&ClassFilter::default(), None, Vec::new())));
        let [flower, sky] = listed.as_slice() else { panic!("{listed:?}") };
        assert_eq!((flower.name.as_str(), flower.others), ("Flower", 0));
        assert_eq!(flower.values, [("0".to_owned(), 31), ("1".to_owned(), 30)]);
        assert_eq!((sky.name.as_str(), sky.values.len(), sky.others), ("Sky", MAX_VALUES, 1));
    }
}
