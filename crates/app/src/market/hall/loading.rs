//! Reads the hall from the database, as a whole or what has changed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use domain::adverts::Advert;
use domain::assets::{Pair, PairId};
use domain::clock::Timestamp;
use domain::ids::{AdvertId, UserId};
use domain::market::Offer;
use domain::reputation::{Record, day_start};
use store::Tx;
use store::hall::Owner;

use super::Hall;
use super::index::{Index, Prepared};
use crate::Result;
use crate::reputation::records_at;

/// The number of rows per statement while the hall is loaded.
const PAGE: i64 = 5_000;
/// The number of owners whose statistics one statement reads.
const OWNERS_AT_ONCE: usize = 500;
/// The number of adverts that are replaced at once. Pages wait meanwhile.
const REPLACED_AT_ONCE: usize = 16;

/// What was read of an advert: what the hall shows, and the names and values of the traits of the NFT that is sold.
type ReadOffer = (Offer, Vec<(String, String)>);

/// Returns what the hall shows of adverts, with the NFTs that they sell.
async fn offers(tx: &mut Tx, pairs: &BTreeMap<PairId, Pair>, adverts: &[Advert]) -> Result<Vec<ReadOffer>> {
    let mut offers: Vec<_> = adverts.iter().map(Offer::from).collect();
    let of_nft = |offer: &&Offer| pairs.get(&offer.pair).is_some_and(Pair::of_nfts);
    let nfts: Vec<_> = offers.iter().filter(of_nft).map(|offer| offer.base).collect();
    let mut traits = store::nft_metadata::traits(tx, &nfts).await?;
    let nfts: BTreeMap<_, _> =
        store::nfts::by_ids(tx, &nfts).await?.into_iter().map(|nft| (nft.asset.id, nft)).collect();
    for offer in &mut offers {
        offer.nft = nfts.get(&offer.base).cloned();
    }
    let with_traits = offers.into_iter().map(|offer| {
        let traits = traits.remove(&offer.base).unwrap_or_default();
        (offer, traits)
    });
    Ok(with_traits.collect())
}

/// What has changed in the database.
#[derive(Debug, Default)]
pub(super) struct Changed {
    pub(super) adverts: BTreeSet<AdvertId>,
    /// Users of whom something changed that others see, or whose blocks changed.
    pub(super) users: BTreeSet<UserId>,
    pub(super) reference_data: bool,
}

impl Changed {
    pub(super) fn is_empty(&self) -> bool {
        self.adverts.is_empty() && self.users.is_empty() && !self.reference_data
    }

    pub(super) fn add(&mut self, other: Self) {
        self.adverts.extend(other.adverts);
        self.users.extend(other.users);
        self.reference_data |= other.reference_data;
    }
}

/// An owner with statistics, as rendered.
type ReadOwner = (Owner, Record, Arc<[u8]>);

impl Hall {
    /// Reads the whole hall. Pages show the former state until it is complete. Changes that are committed meanwhile must
    /// be passed to [`Self::update`] afterwards.
    pub(super) async fn load(&self) -> Result<()> {
        let _one = self.updating.lock().await;
        self.load_locked().await
    }

    async fn load_locked(&self) -> Result<()> {
        let (mut tx, now) = self.context.alone().await?;
        let data = self.context.reference_data(&mut tx).await?.data;
        let pairs = &data.pairs;
        let mut index = Index::filling(self.context.fresh(now).as_u64_pair().1, day_start(now), pairs.clone());
        index.set_method_kinds(data.forms.iter().map(|form| form.kind.clone()));
        let mut after = None;
        loop {
            let adverts = store::adverts::orderable_after(&mut tx, after, PAGE).await?;
            let offers = offers(&mut tx, pairs, &adverts).await?;
            let Some((last, _)) = offers.last() else { break };
            after = Some(last.advert);
            let owners: BTreeSet<_> = offers.iter().map(|(offer, _)| offer.owner).collect();
            let unknown: Vec<_> = owners.into_iter().filter(|owner| !index.has_owner(*owner)).collect();
            for (owner, record, row) in self.read_owners(&mut tx, &unknown, now).await? {
                index.put_owner(owner, record, row);
            }
            for prepared in self.prepare(pairs, offers) {
                index.put_advert(prepared.offer.advert, Some(prepared));
            }
        }
        let mut after = None;
        loop {
            let blocks = store::hall::blocks_after(&mut tx, after, PAGE).await?;
            let Some(last) = blocks.last() else { break };
            after = Some(*last);
            index.add_blocks(&blocks);
        }
        index.rank();
        tracing::info!(adverts = index.adverts(), "the hall is loaded");
        // Dropping a large index takes long, so it is not dropped while pages wait for the lock.
        let former = self.write().replace(index);
        self.loaded.notify_waiters();
        drop(former);
        Ok(())
    }

    /// Reads again what has changed. Does nothing before [`Self::load`].
    pub(super) async fn update(&self, changed: &Changed) -> Result<()> {
        let _one = self.updating.lock().await;
        if self.read().is_none() || changed.is_empty() {
            return Ok(());
        }
        let (mut tx, now) = self.context.alone().await?;
        if changed.reference_data && !self.keep_pairs(&mut tx).await? {
            drop(tx);
            return self.load_locked().await;
        }
        self.update_users(&mut tx, &changed.users, now).await?;
        self.update_adverts(&mut tx, &changed.adverts, now).await
    }

    /// Takes over new pairs. Returns false if an existing pair has changed, so that the limits of its adverts must be
    /// computed again.
    async fn keep_pairs(&self, tx: &mut Tx) -> Result<bool> {
        let data = self.context.reference_data(tx).await?.data;
        let pairs = &data.pairs;
        let mut guard = self.write();
        let Some(index) = guard.as_mut() else { return Ok(false) };
        index.set_method_kinds(data.forms.iter().map(|form| form.kind.clone()));
        if index.pairs() == pairs {
            return Ok(true);
        }
        let same = index.pairs().iter().all(|(id, pair)| pairs.get(id) == Some(pair));
        if same {
            index.set_pairs(pairs.clone());
        }
        Ok(same)
    }

    async fn update_users(&self, tx: &mut Tx, users: &BTreeSet<UserId>, now: Timestamp) -> Result<()> {
        let users: Vec<_> = users.iter().copied().collect();
        if users.is_empty() {
            return Ok(());
        }
        let blocks = store::hall::blocks_of(tx, &users).await?;
        if let Some(index) = self.write().as_mut() {
            index.put_blocks(&users, &blocks);
        }
        self.update_owners(tx, &users, now).await
    }

    async fn update_owners(&self, tx: &mut Tx, users: &[UserId], now: Timestamp) -> Result<()> {
        let owners: Vec<_> = {
            let guard = self.read();
            let Some(index) = guard.as_ref() else { return Ok(()) };
            users.iter().copied().filter(|user| index.has_owner(*user)).collect()
        };
        for (owner, record, row) in self.read_owners(tx, &owners, now).await? {
            if let Some(index) = self.write().as_mut() {
                index.put_owner(owner, record, row);
            }
        }
        Ok(())
    }

    async fn update_adverts(&self, tx: &mut Tx, adverts: &BTreeSet<AdvertId>, now: Timestamp) -> Result<()> {
        let ids: Vec<_> = adverts.iter().copied().collect();
        if ids.is_empty() {
            return Ok(());
        }
        let adverts = store::adverts::orderable(tx, &ids).await?;
        let pairs = self.context.reference_data(tx).await?.data;
        let offers = offers(tx, &pairs.pairs, &adverts).await?;
        let owners: BTreeSet<_> = offers.iter().map(|(offer, _)| offer.owner).collect();
        let (unknown, mut prepared) = {
            let guard = self.read();
            let Some(index) = guard.as_ref() else { return Ok(()) };
            let unknown: Vec<_> = owners.into_iter().filter(|owner| !index.has_owner(*owner)).collect();
            let prepared = self.prepare(index.pairs(), offers);
            (unknown, prepared.map(|one| (one.offer.advert, one)).collect::<BTreeMap<_, _>>())
        };
        let owners = self.read_owners(tx, &unknown, now).await?;
        if let Some(index) = self.write().as_mut() {
            for (owner, record, row) in owners {
                index.put_owner(owner, record, row);
            }
        }
        let mut former_owners = Vec::new();
        for ids in ids.chunks(REPLACED_AT_ONCE) {
            if let Some(index) = self.write().as_mut() {
                former_owners.extend(ids.iter().filter_map(|id| index.put_advert(*id, prepared.remove(id))));
            }
        }
        if let Some(index) = self.write().as_mut() {
            index.forget_idle(&former_owners);
        }
        Ok(())
    }

    /// Reads and renders owners with their statistics.
    async fn read_owners(&self, tx: &mut Tx, ids: &[UserId], now: Timestamp) -> Result<Vec<ReadOwner>> {
        let mut read = Vec::with_capacity(ids.len());
        for ids in ids.chunks(OWNERS_AT_ONCE) {
            let mut records: BTreeMap<_, _> = records_at(tx, ids, now).await?.into_iter().collect();
            for owner in store::hall::owners(tx, ids).await? {
                let Some(record) = records.remove(&owner.profile.id) else { continue };
                let row = self.render.owner(&owner.profile, &record).into();
                read.push((owner, record, row));
            }
        }
        Ok(read)
    }

    /// Reads the statistics of all owners again on the first call of a UTC day: orders that ended 30 days ago no longer
    /// count. Must be called periodically.
    pub async fn start_day(&self) -> Result<()> {
        let today = day_start(self.context.now().await?);
        let owners = match self.read().as_ref() {
            Some(index) if index.day != today => index.owners(),
            _ => return Ok(()),
        };
        for owners in owners.chunks(OWNERS_AT_ONCE) {
            let _one = self.updating.lock().await;
            let (mut tx, now) = self.context.alone().await?;
            self.update_owners(&mut tx, owners, now).await?;
        }
        if let Some(index) = self.write().as_mut() {
            index.day = today;
        }
        Ok(())
    }

    /// Renders adverts. Omits those whose remaining quantity is too small for any order.
    fn prepare<'a>(
        &'a self,
        pairs: &'a BTreeMap<PairId, Pair>,
        offers: Vec<ReadOffer>,
    ) -> impl Iterator<Item = Prepared> + use<'a> {
        offers.into_iter().filter_map(|(offer, traits)| {
            let pair = pairs.get(&offer.pair)?;
            let limits = offer.limits(pair)?;
            let row = self.render.advert(&offer, pair, limits).into();
            Some(Prepared { offer, limits, traits, row })
        })
    }
}
