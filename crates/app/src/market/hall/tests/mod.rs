//! Pages of the index are those of a filter over all adverts, after any changes.

#![allow(clippy::arithmetic_side_effects)]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use chrono::Duration;
use domain::adverts::{Limits, Options, TakerRequirements};
use domain::assets::{Asset, AssetId, Home, Pair, PairId, Windows};
use domain::chain::{Address, CustodyIndex};
use domain::checks::owner_available;
use domain::ids::{AdvertId, PaymentMethodId, UserId};
use domain::market::{Offer, Rank, Sort};
use domain::money::{Amount, Price};
use domain::refusal::RiskFlag;
use domain::reputation::{MissedAcceptances, Record};
use domain::trade::{Method, Side};
use domain::users::{KycLevel, Profile, User};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use store::hall::Owner;
use uuid::Uuid;

use super::book::{Book, ClassFilter};
use super::index::{Index, Prepared};
use super::takers::TakerFilter;
use crate::market::requirements::TakerFacts;
use crate::orders::Size;

mod matching;

const PAIR: PairId = PairId(1);
const OWNERS: u128 = 6;
const KINDS: [&str; 3] = ["alipay", "bankCard", "kakaoPay"];
const REGIONS: [&str; 2] = ["CN", "KR"];

fn amount(units: i128) -> Amount {
    Amount::new(units).unwrap()
}

fn pair() -> Pair {
    let asset = |id, decimals| Asset {
        id: AssetId(id),
        code: format!("A{id}"),
        decimals,
        home: Home::Fiat,
        album: None,
        dust: Amount::ZERO,
        return_gas: Amount::ZERO,
    };
    Pair {
        prepayment: None,
        id: PAIR,
        base: asset(1, 4),
        quote: asset(2, 2),
        enabled: true,
        fee_rate_ppm: 1_000,
        fee_minimum: amount(1),
        min_total: amount(5),
        max_total: amount(1_000_000),
        price_band_ppm: 100_000,
        price_decimals: 2,
        windows: Windows::default(),
        chain_types: Vec::new(),
        automatic_chain_type: None,
    }
}

fn user(number: u128) -> UserId {
    UserId(Uuid::from_u128(number))
}

/// The hall without an index.
#[derive(Debug, Clone, Default)]
struct Naive {
    offers: BTreeMap<AdvertId, Offer>,
    owners: BTreeMap<UserId, (Owner, Record)>,
    blocks: BTreeSet<(UserId, UserId)>,
}

#[derive(Debug, Clone)]
struct Query {
    side: Side,
    viewer: Option<UserId>,
    total: Option<Amount>,
    kinds: Vec<String>,
    region: Option<&'static str>,
    certified: bool,
    fast: bool,
    takers: TakerFilter,
    sort: Sort,
}

impl Naive {
    /// Returns all adverts that pass, with their limits, best first.
    fn all(&self, query: &Query) -> Vec<(Rank, Limits)> {
        let hidden = |owner: UserId| {
            query.viewer.is_some_and(|viewer| {
                let blocks = [(viewer, owner), (owner, viewer)];
                viewer == owner || blocks.iter().any(|block| self.blocks.contains(block))
            })
        };
        let mut found = Vec::new();
        for offer in self.offers.values().filter(|offer| offer.side == query.side && !hidden(offer.owner)) {
            let (owner, record) = &self.owners[&offer.owner];
            let limits = offer.limits(&pair());
            let passes = owner_available(offer.side, owner.online, &owner.forbidden)
                && query.total.is_none_or(|total| limits.is_some_and(|limits| limits.contains(total)))
                && (query.kinds.is_empty() || offer.methods.iter().any(|method| query.kinds.contains(&method.kind)))
                && query.region.is_none_or(|region| owner.profile.region == region)
                && (!query.certified || owner.profile.certified)
                && (!query.fast || record.fast())
                && match &query.takers {
                    TakerFilter::All => true,
                    TakerFilter::Unrestricted => offer.options.taker == TakerRequirements::default(),
                    TakerFilter::MetBy(of) => offer.options.taker.check(&of.user, of.completed).is_ok(),
                };
            if let Some(limits) = limits.filter(|_| passes) {
                found.push((offer.rank(record), limits));
            }
        }
        found.sort_by(|(a, _), (b, _)| query.sort.compare(a, b));
        found
    }
}

#[derive(Debug, Clone)]
enum Change {
    /// Adds or replaces an advert: its number, price, quantity, limits, kinds (a bit each), side and requirements.
    Put(u128, i128, i128, (i128, i128), usize, Side, TakerRequirements),
    Remove(u128),
    Owner(u128, OwnerChange),
    Block(u128, u128, bool),
}

#[derive(Debug, Clone)]
struct OwnerChange {
    online: bool,
    forbidden: Option<RiskFlag>,
    region: usize,
    certified: bool,
    record: Record,
}

fn owner_change() -> impl Strategy<Value = OwnerChange> {
    let flags = prop_oneof![
        4 => Just(None), 1 => Just(Some(RiskFlag::Login)), 1 => Just(Some(RiskFlag::Buy)),
        1 => Just(Some(RiskFlag::Sell)), 1 => Just(Some(RiskFlag::Withdrawal))];
    let record = (0..20_u32, 0..3_u32, 0..20_u32, 0..3_600_i64).prop_map(|(completed, failed, confirmations, each)| {
        let confirming = Duration::seconds(each * i64::from(confirmations));
        Record { completed, failed, confirmations, confirming, ..Record::default() }
    });
    (prop::bool::weighted(0.8), flags, 0..REGIONS.len(), any::<bool>(), record).prop_map(
        |(online, forbidden, region, certified, record)| OwnerChange { online, forbidden, region, certified, record },
    )
}

fn side() -> impl Strategy<Value = Side> {
    prop_oneof![3 => Just(Side::Sell), 1 => Just(Side::Buy)]
}

fn change() -> impl Strategy<Value = Change> {
    let limits = (1..60_i128, 0..200_i128).prop_map(|(min, more)| (min * 10, min * 10 + more * 10));
    prop_oneof![
        20 => (0..3_000_u128, 1..20_i128, 0..100_i128, limits, 0..8_usize, side(), requirements()).prop_map(
            |(advert, price, quantity, limits, kinds, side, required)|
                Change::Put(advert, price * 100_000_000, quantity * 10_000, limits, kinds, side, required)),
        8 => (0..3_000_u128).prop_map(Change::Remove),
        1 => (0..OWNERS, owner_change()).prop_map(|(owner, change)| Change::Owner(owner, change)),
        1 => (0..OWNERS, 0..OWNERS, any::<bool>()).prop_map(|(a, b, blocks)| Change::Block(a, b, blocks)),
    ]
}

/// Requires nothing of most takers.
fn requirements() -> impl Strategy<Value = TakerRequirements> {
    let region = prop::option::weighted(0.3, prop::sample::select(REGIONS.to_vec()).prop_map(ToOwned::to_owned));
    let some = (prop::option::weighted(0.5, 1..4_u32), prop::bool::weighted(0.3), region).prop_map(
        |(completed_orders, advanced_verification, region)| TakerRequirements {
            completed_orders,
            advanced_verification,
            region,
        },
    );
    prop_oneof![2 => Just(TakerRequirements::default()), 1 => some]
}

fn taker(completed: u32, kyc: KycLevel, region: usize) -> TakerFacts {
    let user = User {
        id: user(OWNERS),
        custody_index: CustodyIndex(0),
        vault: Address([1; 20]),
        bound: None,
        region: REGIONS[region].to_owned(),
        kyc,
        nickname: None,
        receiving: None,
        automatic_reply: None,
        online: true,
        offline_cause: None,
        missed_acceptances: MissedAcceptances::default(),
        reputation: 100,
        certified: false,
        verified: false,
        forbidden: Vec::new(),
        held_until: None,
    };
    TakerFacts { user, completed }
}

fn takers() -> impl Strategy<Value = TakerFilter> {
    let levels = prop::sample::select(vec![KycLevel::Basic, KycLevel::Advanced]);
    let facts = (0..5_u32, levels, 0..REGIONS.len()).prop_map(|(completed, kyc, region)| taker(completed, kyc, region));
    prop_oneof![
        2 => Just(TakerFilter::All),
        1 => Just(TakerFilter::Unrestricted),
        3 => facts.prop_map(|facts| TakerFilter::MetBy(Arc::new(facts)))]
}

fn kinds() -> impl Strategy<Value = Vec<String>> {
    let some = prop::sample::subsequence(KINDS.to_vec(), 0..KINDS.len());
    some.prop_map(|kinds| kinds.into_iter().map(ToOwned::to_owned).collect())
}

fn query() -> impl Strategy<Value = Query> {
    let total = prop::option::of((1..2_000_i128).prop_map(amount));
    (
        side(),
        prop::option::of((0..=OWNERS).prop_map(user)),
        total,
        kinds(),
        prop::option::of(prop::sample::select(REGIONS.to_vec())),
        (prop::bool::weighted(0.3), prop::bool::weighted(0.2)),
        takers(),
        prop::sample::select(Sort::ALL.to_vec()),
    )
        .prop_map(|(side, viewer, total, kinds, region, (certified, fast), takers, sort)| Query {
            side,
            viewer,
            total,
            kinds,
            region,
            certified,
            fast,
            takers,
            sort,
        })
}

/// The index and its model.
struct Both {
    naive: Naive,
    index: Index,
}

impl Both {
    fn new() -> Self {
        let mut index = Index::filling(0, noon(), BTreeMap::from([(PAIR, pair())]));
        index.rank();
        Self { naive: Naive::default(), index }
    }

    fn put_owner(&mut self, number: u128, change: &OwnerChange) {
        let profile = Profile {
            id: user(number),
            nickname: None,
            region: REGIONS[change.region].to_owned(),
            certified: change.certified,
            verified: false,
        };
        let owner = Owner { profile, online: change.online, forbidden: change.forbidden.into_iter().collect() };
        self.naive.owners.insert(user(number), (owner.clone(), change.record));
        if self.index.has_owner(user(number)) {
            self.index.put_owner(owner, change.record, Arc::default());
        }
    }

    fn apply(&mut self, change: &Change) {
        match change {
            Change::Put(advert, price, quantity, (min, max), kinds, side, required) => {
                let offer = Offer {
                    base: AssetId(1),
                    nft: None,
                    advert: AdvertId(Uuid::from_u128(*advert)),
                    version: 1,
                    // An advert never changes its owner.
                    owner: user(*advert % OWNERS),
                    side: *side,
                    automatic: false,
                    pair: PAIR,
                    price: Price::new(*price).unwrap(),
                    remaining: amount(*quantity),
                    terms: Limits { min: amount(*min), max: amount(*max) },
                    methods: (0..KINDS.len())
                        .filter(|bit| kinds & (1 << bit) != 0)
                        .map(|bit| Method { id: PaymentMethodId(Uuid::nil()), kind: KINDS[bit].to_owned() })
                        .collect(),
                    chain_type: None,
                    options: Options { taker: required.clone(), ..Options::default() },
                    payment_window: Duration::minutes(15),
                    deposit_window: Duration::minutes(15),
                };
                self.naive.offers.insert(offer.advert, offer.clone());
                if !self.index.has_owner(offer.owner) {
                    let (owner, record) = self.naive.owners[&offer.owner].clone();
                    self.index.put_owner(owner, record, Arc::default());
                }
                let prepared = offer.limits(&pair()).map(|limits| Prepared {
                    limits,
                    traits: Vec::new(),
                    row: offer.advert.to_string().as_bytes().into(),
                    offer: offer.clone(),
                });
                let former = self.index.put_advert(offer.advert, prepared);
                self.index.forget_idle(former.as_slice());
                self.index.forget_idle(&[offer.owner]);
            }
            Change::Remove(advert) => {
                let id = AdvertId(Uuid::from_u128(*advert));
                self.naive.offers.remove(&id);
                let former = self.index.put_advert(id, None);
                self.index.forget_idle(former.as_slice());
            }
            Change::Owner(owner, change) => self.put_owner(*owner, change),
            Change::Block(a, b, blocks) => {
                let block = (user(*a), user(*b));
                if *blocks {
                    self.naive.blocks.insert(block);
                } else {
                    self.naive.blocks.remove(&block);
                }
                let users = [block.0, block.1];
                let concerned = self.naive.blocks.iter().copied();
                let concerned: Vec<_> = concerned.filter(|(a, b)| users.contains(a) || users.contains(b)).collect();
                self.index.put_blocks(&users, &concerned);
            }
        }
    }

    fn page(&self, query: &Query, offset: usize, limit: usize) -> (Vec<AdvertId>, usize) {
        let key = (PAIR, query.side);
        let Some(book) = self.index.book(key) else { return (Vec::new(), 0) };
        let filter = ClassFilter {
            kinds: &query.kinds,
            region: query.region,
            certified: query.certified,
            fast: query.fast,
            takers: query.takers.clone(),
        };
        let selection = book.select(&filter, query.total, self.index.hidden(key, query.viewer));
        let slots = book.page(&selection, query.sort, offset, limit);
        (slots.into_iter().map(|slot| id(book, slot)).collect(), book.count(&selection))
    }

    fn compare(&self, query: &Query) {
        let all: Vec<_> = self.naive.all(query).into_iter().map(|(rank, _)| rank.advert).collect();
        for limit in [1, 20, 100] {
            for offset in (0..=all.len()).step_by(all.len() / 7 + 1).chain([all.len().saturating_sub(1)]) {
                let (page, total) = self.page(query, offset, limit);
                let wanted = &all[offset..all.len().min(offset + limit)];
                assert_eq!((page.as_slice(), total), (wanted, all.len()), "{query:?} from {offset}");
            }
        }
    }
}

fn id(book: &Book, slot: super::ranking::Slot) -> AdvertId {
    book.entry(slot).unwrap().rank.advert
}

fn noon() -> domain::clock::Timestamp {
    chrono::DateTime::from_timestamp(1_800_000_000, 0).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, max_shrink_iters: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_page_is_that_of_a_filter_over_all_adverts(
        owners in prop::collection::vec(owner_change(), 6),
        filled in prop::collection::vec(change(), 0..3_000),
        changes in prop::collection::vec(change(), 0..600),
        queries in prop::collection::vec((query(), 1..5_000_i128, any::<bool>(), kinds()), 1..12),
    ) {
        let mut both = Both::new();
        for (number, owner) in (0..).zip(&owners) {
            both.put_owner(number, owner);
        }
        for change in &filled {
            both.apply(change);
        }
        for changes in changes.chunks(200) {
            for change in changes {
                both.apply(change);
            }
            for (query, size, by_total, own) in &queries {
                both.compare(query);
                let size = if *by_total { Size::Total(amount(*size)) } else { Size::Quantity(amount(*size * 100)) };
                both.compare_match(query, size, own);
            }
        }
    }
}

/// A filled index equals one to which the adverts were added one by one, also after changes.
#[test]
fn an_index_that_was_filled_at_once_changes_like_any_other() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut draw = |many: usize| prop::collection::vec(change(), many).new_tree(&mut runner).unwrap().current();
    let (start, later) = (draw(6_000), draw(3_000));
    let mut both = Both::new();
    let record = Record { completed: 1, ..Record::default() };
    for owner in 0..OWNERS {
        let change = OwnerChange { online: owner != 1, forbidden: None, region: 0, certified: owner % 2 == 0, record };
        both.put_owner(owner, &change);
    }
    both.index = Index::filling(1, noon(), BTreeMap::from([(PAIR, pair())]));
    let side = Query {
        side: Side::Sell,
        viewer: None,
        total: Some(amount(300)),
        kinds: vec![KINDS[0].to_owned()],
        region: None,
        certified: false,
        fast: false,
        takers: TakerFilter::MetBy(Arc::new(taker(2, KycLevel::Basic, 0))),
        sort: Sort::QuantityDown,
    };
    for change in &start {
        both.apply(change);
    }
    both.index.rank();
    for sort in Sort::ALL {
        both.compare(&Query { sort, ..side.clone() });
    }
    for change in &later {
        both.apply(change);
    }
    for sort in Sort::ALL {
        both.compare(&Query { sort, total: None, ..side.clone() });
        both.compare(&Query { sort, takers: TakerFilter::Unrestricted, ..side.clone() });
    }
}
