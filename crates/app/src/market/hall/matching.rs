//! Adverts for a trade: those that can take the whole trade of a visitor, and why others cannot.

use std::collections::BTreeSet;
use std::sync::Arc;

use domain::adverts::Limits;
use domain::assets::{Pair, PairId};
use domain::checks::TradeRequirement;
use domain::clock::Timestamp;
use domain::ids::{AdvertId, UserId};
use domain::market::{Band, Misfit, Rank, Sort};
use domain::money::Amount;
use domain::refusal::Refusal;
use domain::trade::Side;
use store::Tx;

use super::book::{Book, ClassFilter, Entry};
use super::index::{BookKey, Index};
use super::ranking::Slot;
use super::takers::TakerFilter;
use super::{Hall, Row, row};
use crate::market::requirements::{self, Intent, TakerFacts};
use crate::orders::Size;
use crate::{Context, Result};

/// The maximum number of adverts that can take a trade in an answer.
pub(super) const MAX_FITTING: usize = 20;
/// The maximum number of other adverts in an answer.
pub(super) const MAX_OTHERS: usize = 10;
/// The maximum number of adverts among which the others are searched, the best first.
const MAX_LOOKED_AT: usize = 1_000;

/// A visitor's search for adverts that can take a trade.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Match {
    pub pair: PairId,
    /// The side of the adverts: `SELL` if the visitor buys.
    pub side: Side,
    pub size: Size,
    /// The kinds of payment methods of which the advert must offer one; empty for any.
    pub kinds: Vec<String>,
    /// An advert that is among the answers even if it cannot take the trade.
    pub advert: Option<AdvertId>,
}

/// An advert, and whether it can take a whole trade.
#[derive(Debug, Clone)]
pub struct Matched {
    pub row: Row,
    /// Whether the visitor owns the advert.
    pub mine: bool,
    /// The amounts of the order; `None` if the trade is too small or too large for the price.
    pub amounts: Option<Amounts>,
    /// Whether the price is outside the pair's price band.
    pub outside_band: bool,
    /// Why the advert cannot take the trade; empty if it can.
    pub misfits: Vec<Misfit>,
}

/// The amounts of an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Amounts {
    /// In base units of the base.
    pub quantity: Amount,
    /// In base units of the quote.
    pub total: Amount,
    /// The fee that is taken from the quantity.
    pub fee: Amount,
    /// The quantity minus the fee, which the buyer receives.
    pub receives: Amount,
}

/// The answer to a [`Match`].
#[derive(Debug, Clone, Default)]
pub struct Matches {
    /// The adverts that can take the whole trade, best first, and then others, also best first.
    pub adverts: Vec<Matched>,
    /// What the visitor lacks to order from any advert of the book.
    pub missing: Vec<(TradeRequirement, Refusal)>,
    /// Whether the visitor has no payment method in the currency of the pair, without which nobody can order.
    pub needs_method: bool,
}

/// Adverts that pay sellers on another chain than that of the visitor's receiving address.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Unpayable {
    pub(super) manual: bool,
    pub(super) automatic: bool,
}

/// What the database says about a visitor who wants to trade. Guests have nothing, and lack nothing yet.
#[derive(Debug, Default)]
pub(super) struct Visitor {
    pub(super) id: Option<UserId>,
    /// The kinds of the visitor's payment methods in the quote; empty without any and if the quote is a coin.
    pub(super) kinds: BTreeSet<String>,
    /// The users whom the visitor has blocked.
    pub(super) blocked: Vec<UserId>,
    /// The users who have blocked the visitor, who learns nothing of their adverts.
    pub(super) blocked_by: Vec<UserId>,
    /// The kinds of adverts, manual or automatic, that could not pay the visitor, if there are others.
    pub(super) unpayable: Unpayable,
    pub(super) missing: Vec<(TradeRequirement, Refusal)>,
    pub(super) needs_method: bool,
    /// What the requirements of advertisers depend on; `None` without a session.
    pub(super) taker: Option<Arc<TakerFacts>>,
}

impl Visitor {
    async fn read(context: &Context, tx: &mut Tx, now: Timestamp, id: UserId, pair: &Pair, side: Side) -> Result<Self> {
        let as_ = side.advertiser().other();
        let intent = |automatic| Intent { pair: Some(pair), as_, automatic, posts: false };
        let mut missing = requirements::missing(context, tx, now, id, intent(false)).await?;
        let lacks_chain = |missing: &[(TradeRequirement, Refusal)]| {
            missing.iter().any(|(requirement, _)| *requirement == TradeRequirement::ChainType)
        };
        let manual = lacks_chain(&missing);
        let automatic = match pair.automatic_chain_type {
            Some(_) => lacks_chain(&requirements::missing(context, tx, now, id, intent(true)).await?),
            None => manual,
        };
        let unpayable = if manual && automatic {
            Unpayable::default()
        } else {
            missing.retain(|(requirement, _)| *requirement != TradeRequirement::ChainType);
            Unpayable { manual, automatic }
        };
        let methods = if pair.is_fiat() { store::payment_methods::of_user(tx, id).await? } else { Vec::new() };
        let kinds = methods.into_iter().filter(|one| one.currency == pair.quote.code).map(|one| one.kind);
        let kinds: BTreeSet<_> = kinds.collect();
        let blocks = store::hall::blocks_of(tx, &[id]).await?;
        let blocked_by: Vec<_> = blocks.iter().filter(|(_, blocked)| *blocked == id).map(|(by, _)| *by).collect();
        let blocked = blocks.iter().filter(|(by, _)| *by == id).map(|(_, blocked)| *blocked);
        Ok(Self {
            id: Some(id),
            blocked: blocked.filter(|user| !blocked_by.contains(user)).collect(),
            blocked_by,
            unpayable,
            needs_method: pair.is_fiat() && kinds.is_empty(),
            kinds,
            missing,
            taker: Some(Arc::new(TakerFacts::read(tx, now, id).await?)),
        })
    }
}

/// Returns the adverts that can take a trade, and the best of those that cannot.
pub async fn matching(context: &Context, hall: &Hall, viewer: Option<UserId>, wanted: &Match) -> Result<Matches> {
    let (mut tx, now) = context.begin().await?;
    let data = context.reference_data(&mut tx).await?.data;
    let pair = data.pairs.get(&wanted.pair).ok_or(Refusal::PairUnsupported)?;
    let visitor = match viewer {
        Some(id) => Visitor::read(context, &mut tx, now, id, pair, wanted.side).await?,
        None => Visitor::default(),
    };
    drop(tx);
    let band = pair.band(data.reference_prices.get(&pair.id).copied());
    let adverts = hall.ask(|index| Search { index, pair, band, visitor: &visitor, wanted }.adverts())?;
    Ok(Matches { adverts, missing: visitor.missing, needs_method: visitor.needs_method })
}

/// A search in the index.
pub(super) struct Search<'a> {
    pub(super) index: &'a Index,
    pub(super) pair: &'a Pair,
    pub(super) band: Option<Band>,
    pub(super) visitor: &'a Visitor,
    pub(super) wanted: &'a Match,
}

impl Search<'_> {
    fn key(&self) -> BookKey {
        (self.wanted.pair, self.wanted.side)
    }

    pub(super) fn adverts(&self) -> Vec<Matched> {
        let Some(book) = self.index.book(self.key()) else { return Vec::new() };
        let mut found = self.fitting(book);
        let listed: BTreeSet<_> = found.iter().map(|(advert, _)| *advert).collect();
        let mut others = self.others(book);
        if let Some(advert) = self.wanted.advert
            && !listed.contains(&advert)
            && !others.iter().any(|(other, _)| *other == advert)
        {
            others.splice(0..0, self.named(book, advert).map(|matched| (advert, matched)));
        }
        found.extend(others);
        found.into_iter().map(|(_, matched)| matched).collect()
    }

    /// Returns the adverts that can take the trade, best first.
    fn fitting(&self, book: &Book) -> Vec<(AdvertId, Matched)> {
        let Some(kinds) = self.usable_kinds() else { return Vec::new() };
        let takers = self.visitor.taker.clone().map_or(TakerFilter::All, TakerFilter::MetBy);
        let filter = ClassFilter { kinds: &kinds, takers, ..ClassFilter::default() };
        let selection = book.select(&filter, None, self.index.hidden(self.key(), self.visitor.id));
        let mut found = Vec::new();
        book.visit(
            &selection,
            Sort::best(self.wanted.side),
            |first, last| self.totals(first, last),
            |slot| {
                found.extend(self.matched(book, slot).filter(|(_, matched)| matched.misfits.is_empty()));
                found.len() < MAX_FITTING
            },
        );
        found
    }

    /// Returns the kinds of payment methods of which an advert must offer one, empty for any; `None` if no advert can be paid.
    fn usable_kinds(&self) -> Option<Vec<String>> {
        let (own, wanted) = (&self.visitor.kinds, &self.wanted.kinds);
        if own.is_empty() {
            return Some(wanted.clone());
        }
        let both: Vec<_> = own.iter().filter(|kind| wanted.is_empty() || wanted.contains(*kind)).cloned().collect();
        if both.is_empty() { None } else { Some(both) }
    }

    /// Returns the best of the adverts that cannot take the trade.
    fn others(&self, book: &Book) -> Vec<(AdvertId, Matched)> {
        let hidden = self.index.slots(self.key(), &self.visitor.blocked_by);
        let selection = book.select(&ClassFilter::default(), None, hidden);
        let (mut found, mut looked_at) = (Vec::new(), 0_usize);
        book.visit(
            &selection,
            Sort::best(self.wanted.side),
            |_, _| Limits { min: Amount::ZERO, max: most() },
            |slot| {
                found.extend(self.matched(book, slot).filter(|(_, matched)| !matched.misfits.is_empty()));
                looked_at = looked_at.saturating_add(1);
                found.len() < MAX_OTHERS && looked_at < MAX_LOOKED_AT
            },
        );
        found
    }

    /// Returns the advert that the visitor names, also one that the hall does not list because its owner is offline.
    fn named(&self, book: &Book, advert: AdvertId) -> Option<Matched> {
        let slot = self.index.slot(self.key(), advert)?;
        let hidden = self.visitor.blocked_by.contains(&book.entry(slot)?.owner);
        if hidden { None } else { Some(self.matched(book, slot)?.1) }
    }

    fn matched(&self, book: &Book, slot: Slot) -> Option<(AdvertId, Matched)> {
        let entry = book.entry(slot)?;
        let amounts = self.amounts(entry);
        let matched = Matched {
            row: row(self.index, entry)?,
            mine: self.visitor.id == Some(entry.owner),
            amounts,
            outside_band: self.band.is_some_and(|band| band.check(entry.rank.price).is_err()),
            misfits: self.misfits(entry, amounts),
        };
        Some((entry.rank.advert, matched))
    }

    fn amounts(&self, entry: &Entry) -> Option<Amounts> {
        let (pair, price) = (self.pair, entry.rank.price);
        let quantity = self.wanted.size.quantity(price, pair.base.decimals, pair.quote.decimals).ok()?;
        let (total, fee) = (pair.total(quantity, price).ok()?, pair.fee(quantity).ok()?);
        Some(Amounts { quantity, total, fee, receives: quantity.saturating_sub(fee) })
    }

    /// Returns whether the visitor meets what the advertiser requires of takers. Guests are told when they have logged in.
    fn meets(&self, entry: &Entry) -> bool {
        self.visitor.taker.as_ref().is_none_or(|facts| facts.meet(&entry.required))
    }

    fn misfits(&self, entry: &Entry, amounts: Option<Amounts>) -> Vec<Misfit> {
        let (visitor, limits) = (self.visitor, entry.limits);
        let below = amounts.is_none_or(|of| of.total < limits.min);
        let above = amounts.is_some_and(|of| !below && !entry.rank.fills(limits, of.quantity, of.total));
        let has = |kinds: &dyn Fn(&String) -> bool| entry.kinds.iter().any(kinds);
        let method = self.wanted.kinds.is_empty() || has(&|kind| self.wanted.kinds.contains(kind));
        let shared = visitor.kinds.is_empty()
            || has(&|kind| {
                visitor.kinds.contains(kind) && (self.wanted.kinds.is_empty() || self.wanted.kinds.contains(kind))
            });
        let unpayable = if entry.automatic { visitor.unpayable.automatic } else { visitor.unpayable.manual };
        let misfits = [
            (Misfit::Own, visitor.id == Some(entry.owner)),
            (Misfit::Blocked, visitor.blocked.contains(&entry.owner)),
            (Misfit::Offline, !entry.is_listed()),
            (Misfit::BelowMinimum, below),
            (Misfit::AboveMaximum, above),
            (Misfit::Method, !method),
            (Misfit::NoSharedMethod, method && !shared),
            (Misfit::TakerRequirements, visitor.id != Some(entry.owner) && !self.meets(entry)),
            (Misfit::ChainType, unpayable),
        ];
        misfits.into_iter().filter_map(|(misfit, applies)| applies.then_some(misfit)).collect()
    }

    /// Returns the range of totals that the trade can have between the prices of two adverts.
    fn totals(&self, first: &Rank, last: &Rank) -> Limits {
        let (pair, low, high) = (self.pair, first.price.min(last.price), first.price.max(last.price));
        match self.wanted.size {
            Size::Quantity(quantity) => {
                let total = |price| pair.total(quantity, price).ok();
                Limits { min: total(low).unwrap_or(most()), max: total(high).unwrap_or(most()) }
            }
            // The quantity that a total buys is rounded down by less than one step.
            Size::Total(total) => {
                let step = pair.step().and_then(|step| pair.total(Amount::new(step).ok()?, high).ok());
                let least = step.and_then(|step| step.add(Amount::ONE).ok()).map(|step| total.saturating_sub(step));
                Limits { min: least.unwrap_or(Amount::ZERO), max: total }
            }
        }
    }
}

fn most() -> Amount {
    Amount::new(domain::money::MAX_UNITS).unwrap_or(Amount::ZERO)
}
