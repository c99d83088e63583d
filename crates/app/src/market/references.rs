//! Reference prices: for each pair, the median of the trades of the last 24 hours, toward which the price moves within bounds.
//!
//! The worker keeps these trades in memory and reads only those that the change feed names: they were completed, or a
//! reorganization has revoked their completion. The feed also names the trades of transactions that commit late.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use domain::assets::PairId;
use domain::clock::Timestamp;
use domain::ids::OrderId;
use domain::market::{AnchoredPrice, Trade, reference};
use domain::money::Price;
use store::changes::{self, Position};
use store::{Tx, trades};
use uuid::Uuid;

use super::{day_before, end};
use crate::{Context, Result};

/// The maximum number of trades that are kept between two steps, about 200 bytes each. With more trades a day, each step
/// reads them all.
const MAX_KEPT: usize = 1_000_000;
/// The maximum number of new trades that are read one by one.
const MAX_NEW: i64 = 20_000;

/// Computes the reference prices of the pairs. Keeps the trades of the last day; clones share them.
#[derive(Debug, Clone, Default)]
pub struct ReferencePrices(Arc<Mutex<Option<Day>>>);

/// The trades since the start of a period of 24 hours, as of a position in the change feed.
#[derive(Debug)]
struct Day {
    from: Timestamp,
    position: Position,
    pairs: BTreeMap<PairId, PairTrades>,
    /// The pair and time of each trade.
    places: HashMap<OrderId, (PairId, Timestamp)>,
}

#[derive(Debug, Default)]
struct PairTrades {
    /// Sorted by time: of two trades at the same time, the median depends on the order of their IDs.
    trades: BTreeMap<(Timestamp, OrderId), Trade>,
    /// The median of the trades; `None` if they do not qualify.
    median: Option<Price>,
    /// Whether the trades have changed since the median was computed.
    changed: bool,
}

impl ReferencePrices {
    /// Moves the reference price of each pair whose trades of the last 24 hours qualify toward their median. Other pairs keep their stored
    /// price. Must be called periodically. Returns the number of qualifying pairs.
    pub async fn keep(&self, context: &Context) -> Result<usize> {
        let (mut tx, now) = context.begin().await?;
        let from = day_before(now);
        // If this step fails, the next one reads everything again.
        let kept = self.day().take();
        let updated = match kept.filter(|day| day.from <= from) {
            Some(day) => day.updated(&mut tx).await?,
            None => None,
        };
        let mut day = match updated {
            Some(day) => day,
            None => Day::read(&mut tx, from).await?,
        };
        day.begin_at(from);
        let medians = day.medians(end(now));
        let references = store::market::stored_references(&mut tx).await?;
        let mut stored = 0_usize;
        for (pair, median) in &medians {
            let earlier = references.get(pair);
            // A price that an officer has set holds until the trades after it qualify. Otherwise the trades that the officer has
            // judged would replace it at once.
            let median = match earlier.and_then(|earlier| earlier.decided_at).filter(|at| *at > from) {
                Some(at) => day.median_between(*pair, at, end(now)),
                None => Some(*median),
            };
            let Some(median) = median else { continue };
            let price = earlier.map_or(AnchoredPrice::at(median, now), |earlier| earlier.price.toward(median, now));
            store::market::keep_reference(&mut tx, *pair, &price, now).await?;
            stored = stored.saturating_add(1);
        }
        tx.commit().await?;
        if day.places.len() <= MAX_KEPT {
            *self.day() = Some(day);
        }
        Ok(stored)
    }

    fn day(&self) -> MutexGuard<'_, Option<Day>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Day {
    async fn read(tx: &mut Tx, from: Timestamp) -> Result<Self> {
        // Trades that are completed after the position is taken may be read twice, which does no harm.
        let position = changes::end(tx).await?;
        let mut day = Self { from, position, pairs: BTreeMap::new(), places: HashMap::new() };
        for (order, pair, trade) in trades::since(tx, from).await? {
            day.insert(order, pair, trade);
        }
        Ok(day)
    }

    /// Reads the trades that have changed. Returns `None` if it is unknown which have.
    async fn updated(mut self, tx: &mut Tx) -> Result<Option<Self>> {
        let (changed, position) = changes::trades_since(tx, &self.position, MAX_NEW).await?;
        let Some(changed) = changed else { return Ok(None) };
        self.position = position;
        if changed.is_empty() {
            return Ok(Some(self));
        }
        for order in &changed {
            self.remove(*order);
        }
        for (order, pair, trade) in trades::of(tx, &changed).await? {
            if trade.at >= self.from {
                self.insert(order, pair, trade);
            }
        }
        Ok(Some(self))
    }

    fn insert(&mut self, order: OrderId, pair: PairId, trade: Trade) {
        let place = self.pairs.entry(pair).or_default();
        place.trades.insert((trade.at, order), trade);
        place.changed = true;
        self.places.insert(order, (pair, trade.at));
    }

    fn remove(&mut self, order: OrderId) {
        let Some((pair, at)) = self.places.remove(&order) else { return };
        if let Some(place) = self.pairs.get_mut(&pair) {
            place.trades.remove(&(at, order));
            place.changed = true;
        }
    }

    /// Removes the trades before a time.
    fn begin_at(&mut self, from: Timestamp) {
        self.from = from;
        for pair in self.pairs.values_mut() {
            while let Some(oldest) = pair.trades.first_entry().filter(|oldest| oldest.key().0 < from) {
                self.places.remove(&oldest.key().1);
                oldest.remove();
                pair.changed = true;
            }
        }
    }

    /// Returns the median of a pair's trades in a period; `None` if they do not qualify.
    fn median_between(&self, pair: PairId, from: Timestamp, before: Timestamp) -> Option<Price> {
        // The clock may have been put back.
        if from >= before {
            return None;
        }
        let (from, before) = ((from, OrderId(Uuid::nil())), (before, OrderId(Uuid::nil())));
        let trades: Vec<_> = self.pairs.get(&pair)?.trades.range(from..before).map(|(_, trade)| *trade).collect();
        reference(&trades)
    }

    /// Returns the medians of the trades before a time. Omits pairs whose trades do not qualify.
    fn medians(&mut self, before: Timestamp) -> Vec<(PairId, Price)> {
        let end = (before, OrderId(Uuid::nil()));
        for pair in self.pairs.values_mut().filter(|pair| pair.changed) {
            let past: Vec<_> = pair.trades.range(..end).map(|(_, trade)| *trade).collect();
            pair.median = reference(&past);
            // Another process, whose clock is ahead, has completed the other trades. They count later.
            pair.changed = past.len() < pair.trades.len();
        }
        self.pairs.iter().filter_map(|(id, pair)| Some((*id, pair.median?))).collect()
    }
}
