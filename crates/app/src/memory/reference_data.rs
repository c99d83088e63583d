//! Reference data: rarely changed data that every command needs. Each process keeps it in memory and reads it again when
//! its version in the database has changed, so a change takes effect with the next transaction, as if it were read from
//! the tables.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};

use domain::assets::{Asset, AssetId, Pair, PairId};
use domain::chain::BlockNumber;
use domain::clock::Timestamp;
use domain::identity::words::ForbiddenWords;
use domain::money::Price;
use domain::payment_methods::MethodForm;
use domain::talk::WarningWords;
use domain::users::User;
use store::Tx;
use store::catalog::{Album, Chain};
use store::maintenance::Closing;
use store::outages::{Heartbeat, Outage};
use store::reference_data::Freshness;

#[derive(Debug)]
pub(crate) struct ReferenceData {
    version: i64,
    /// The escrow chain; `None` before it is configured. Its `head` and `confirmed` are out of date.
    pub(crate) chain: Option<Chain>,
    pub(crate) assets: BTreeMap<AssetId, Asset>,
    /// What albums have besides their assets.
    pub(crate) albums: BTreeMap<AssetId, Album>,
    pub(crate) pairs: BTreeMap<PairId, Pair>,
    pub(crate) reference_prices: BTreeMap<PairId, Price>,
    /// When an administrator last set a reference price in the console.
    pub(crate) references_decided_at: BTreeMap<PairId, Timestamp>,
    /// The currency of each region in which users can register, by the region's code.
    pub(crate) currencies: BTreeMap<String, String>,
    pub(crate) forms: Vec<MethodForm>,
    pub(crate) words: ForbiddenWords,
    pub(crate) warning_words: WarningWords,
    /// The outages by which not all deadlines have been moved yet.
    unmoved: Vec<Outage>,
    /// Maintenance that is not recorded as an outage yet.
    closings: Vec<Closing>,
}

/// The reference data, and what changes with every block.
#[derive(Debug, Clone)]
pub(crate) struct Current {
    pub(crate) data: Arc<ReferenceData>,
    pub(crate) heartbeat: Option<Heartbeat>,
    /// The newest block that ingestion has read.
    pub(crate) head: Option<BlockNumber>,
}

#[derive(Debug, Default)]
pub(crate) struct Cache(RwLock<Option<Arc<ReferenceData>>>);

impl Cache {
    /// Returns the reference data as of the transaction's current statement or later.
    pub(crate) async fn current(&self, tx: &mut Tx) -> store::Result<Current> {
        let Freshness { version, heartbeat, head } = store::reference_data::freshness(tx).await?;
        let kept = self.0.read().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(data) = kept.filter(|data| data.version == version) {
            return Ok(Current { data, heartbeat, head });
        }
        let data = Arc::new(ReferenceData::load(tx, version).await?);
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(&data));
        Ok(Current { data, heartbeat, head })
    }
}

impl ReferenceData {
    /// Reads the data after its version, so it is never older than the version.
    async fn load(tx: &mut Tx, version: i64) -> store::Result<Self> {
        let regions = store::identity::regions::all(tx).await?;
        let words = store::identity::accounts::forbidden_words(tx).await?;
        let warnings = store::identity::accounts::warning_words(tx).await?;
        let warnings: Vec<_> = warnings.iter().map(|(word, warning)| (word.as_str(), *warning)).collect();
        Ok(Self {
            version,
            chain: store::catalog::escrow_chain(tx).await?,
            assets: store::catalog::assets(tx).await?.into_iter().map(|asset| (asset.id, asset)).collect(),
            albums: store::catalog::albums(tx).await?.into_iter().map(|album| (album.asset, album)).collect(),
            pairs: store::catalog::pairs(tx).await?.into_iter().map(|pair| (pair.id, pair)).collect(),
            reference_prices: store::market::references(tx).await?.into_iter().collect(),
            references_decided_at: store::market::decided_at(tx).await?.into_iter().collect(),
            currencies: regions.into_iter().filter(|r| r.enabled).map(|r| (r.code, r.currency)).collect(),
            forms: store::payment_methods::forms(tx).await?,
            words: ForbiddenWords::new(words.iter().map(String::as_str)),
            warning_words: WarningWords::new(&warnings),
            unmoved: store::outages::unmoved(tx).await?,
            closings: store::maintenance::closings(tx).await?,
        })
    }

    /// Returns whether the chain is unavailable or is not the expected one, so that no money may move.
    pub(crate) fn money_stopped(&self) -> bool {
        self.chain.as_ref().is_none_or(|chain| chain.stopped_because.is_some())
    }

    /// Returns whether the pair is available in a user's region. Coins trade everywhere; a fiat currency trades only in its
    /// own regions.
    pub(crate) fn region_supported(&self, user: &User, pair: Option<&Pair>) -> bool {
        pair.is_none_or(|pair| !pair.is_fiat() || self.currencies.get(&user.region) == Some(&pair.quote.code))
    }

    /// Returns whether deadlines must wait: the product is closed, or some deadlines are not extended by a past outage
    /// yet.
    pub(crate) fn deadlines_wait(&self, now: Timestamp) -> bool {
        !self.unmoved.is_empty() || begun(&self.closings, now).next().is_some()
    }

    /// Returns when the next maintenance begins, if it is planned.
    pub(crate) fn next_closing(&self, now: Timestamp) -> Option<Timestamp> {
        self.closings.iter().map(|closing| closing.from).filter(|from| *from > now).min()
    }

    /// Returns the past outages that are not applied to all deadlines yet, and maintenance up to `now`.
    pub(crate) fn lost(&self, now: Timestamp) -> impl Iterator<Item = (Timestamp, Timestamp)> {
        let outages = self.unmoved.iter().map(|outage| (outage.from, outage.until));
        outages.chain(begun(&self.closings, now))
    }
}

/// Returns the periods before `now` in which these closings closed the product.
fn begun(closings: &[Closing], now: Timestamp) -> impl Iterator<Item = (Timestamp, Timestamp)> {
    let begun = closings.iter().filter(move |closing| closing.from <= now);
    begun.map(move |closing| (closing.from, closing.until.min(now)))
}
