//! The unit of work of a set of commands: loads and locks the rows once, changes them in memory, and writes them once.
//!
//! Rows are always locked in the same order: users, adverts, orders, heads of order logs, funding requests, files, each by ID.
//! Accounts come last: the ledger's trigger locks them. Because of this lock order, sets can wait for one another but never deadlock.

mod write;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use domain::adverts::{self, Advert};
use domain::assets::{Asset, AssetId};
use domain::clock::Timestamp;
use domain::direct_payment::{SenderProof, hash_key};
use domain::files::{FileKind, StoredFile};
use domain::funding::{FundingRequest, FundingTarget};
use domain::ids::{AdvertId, AppealId, FileId, OrderId, PaymentMethodId, PayoutId, UserId};
use domain::ledger::{Account, VaultAsset};
use domain::money::Amount;
use domain::order_log::{self, FileReference, Hash, Head};
use domain::orders::{self, Order, PaymentEvidence, State};
use domain::payment_methods::PaymentMethod;
use domain::refusal::Refusal;
use domain::reputation::{self, ReputationStanding};
use domain::users::User;
use store::Tx;
use store::payments::Payment;

use crate::Context;
use crate::engine::changes::CommandChanges;
use crate::engine::confirmations::Confirmations;
use crate::engine::funding_requests::FundingRequests;
use crate::memory::assets::Assets;
use crate::memory::feed::Change;
use crate::memory::outages;
use crate::memory::reference_data::ReferenceData;

/// The keys of the rows that a set of commands needs.
#[derive(Debug, Default)]
pub(crate) struct Keys {
    pub(crate) users: BTreeSet<UserId>,
    pub(crate) adverts: BTreeSet<AdvertId>,
    pub(crate) orders: BTreeSet<OrderId>,
    /// Files to attach.
    pub(crate) files: BTreeSet<FileId>,
    /// Whether the users' open adverts must be counted.
    pub(crate) advert_counts: bool,
    /// Whether the users' open orders must be counted.
    pub(crate) order_counts: bool,
}

impl Keys {
    /// Adds the keys of related rows: an order's advert and both parties, an advert's owner.
    pub(crate) async fn complete(&mut self, tx: &mut Tx) -> store::Result<()> {
        // An order's advertiser owns its advert.
        let adverts: Vec<_> = self.adverts.iter().copied().collect();
        if !adverts.is_empty() {
            self.users.extend(store::adverts::owners(tx, &adverts).await?.into_iter().map(|(_, owner)| owner));
        }
        let orders: Vec<_> = self.orders.iter().copied().collect();
        if !orders.is_empty() {
            for parties in store::orders::parties(tx, &orders).await? {
                self.adverts.insert(parties.advert);
                self.users.extend([parties.advertiser, parties.taker]);
            }
        }
        Ok(())
    }
}

/// The rows that a set of commands needs, with its changes so far.
pub(crate) struct UnitOfWork {
    pub(crate) context: Context,
    pub(crate) now: Timestamp,
    pub(crate) reference_data: Arc<ReferenceData>,
    /// The assets of the adverts, orders and funding requests.
    pub(crate) assets: Assets,
    pub(crate) users: BTreeMap<UserId, User>,
    pub(crate) adverts: BTreeMap<AdvertId, Advert>,
    pub(crate) orders: BTreeMap<OrderId, Order>,
    /// The files to attach that exist.
    files: BTreeMap<FileId, StoredFile>,
    pub(crate) funding_requests: FundingRequests,
    pub(crate) unconfirmed: BTreeMap<VaultAsset, Amount>,
    pub(crate) open_adverts: BTreeMap<UserId, u32>,
    pub(crate) running_orders: BTreeMap<UserId, u32>,
    /// The lapses of the users in the time over which they count, if orders are placed.
    lapses: BTreeMap<UserId, u32>,
    cancelled_today: BTreeMap<UserId, u32>,
    pending_outages: Vec<(Timestamp, Timestamp)>,
    pub(crate) confirmations: Confirmations,
    payments: BTreeMap<OrderId, Vec<Payment>>,
    /// The NFTs of the orders whose payouts are stopped.
    stopped: Vec<AssetId>,
    /// The payment methods of orders that can be accepted, if the rows are locked.
    methods: BTreeMap<PaymentMethodId, PaymentMethod>,
    /// The heads of the orders' logs, if the rows are locked. New logs have no head.
    heads: BTreeMap<OrderId, Head>,
    // The versions of the rows as they were read. New rows have no version.
    advert_versions: BTreeMap<AdvertId, i64>,
    order_versions: BTreeMap<OrderId, i64>,
    /// The accepted changes, except those of adverts and orders, which are in the fields above.
    written: CommandChanges,
}

impl UnitOfWork {
    /// Loads and locks the rows of the keys and their related rows ([`Keys::complete`]).
    pub(crate) async fn load(context: &Context, tx: &mut Tx, now: Timestamp, keys: Keys) -> store::Result<Self> {
        Self::gather(context, tx, now, keys, true).await
    }

    /// Loads the same rows as [`Self::load`], without locking them.
    pub(crate) async fn read(context: &Context, tx: &mut Tx, now: Timestamp, keys: Keys) -> store::Result<Self> {
        Self::gather(context, tx, now, keys, false).await
    }

    async fn gather(context: &Context, tx: &mut Tx, now: Timestamp, mut keys: Keys, lock: bool) -> store::Result<Self> {
        keys.complete(tx).await?;
        let orders: Vec<_> = keys.orders.into_iter().collect();
        let adverts: Vec<_> = keys.adverts.into_iter().collect();
        let users: Vec<_> = keys.users.into_iter().collect();

        let (rows, adverts, orders, heads, funding_requests) = if lock {
            (
                store::users::lock(tx, &users).await?,
                store::adverts::lock(tx, &adverts).await?,
                store::orders::lock(tx, &orders).await?,
                store::order_log::lock_heads(tx, &orders).await?,
                store::funding::lock_open(tx, &users).await?,
            )
        } else {
            (
                store::users::read(tx, &users).await?,
                store::adverts::read(tx, &adverts).await?,
                store::orders::read(tx, &orders).await?,
                Vec::new(),
                store::funding::open_of(tx, &users).await?,
            )
        };
        let files: Vec<_> = keys.files.into_iter().collect();
        let files = if lock { store::files::lock(tx, &files).await? } else { Vec::new() };
        // Read after locking, like all data on which a decision depends.
        let current = context.reference_data(tx).await?;
        let funding_requests = FundingRequests::new(funding_requests);
        let unconfirmed = store::blocks::unconfirmed_incoming(tx, &funding_requests.vault_assets()).await?;
        let ids: Vec<_> = orders.iter().map(|order| order.id).collect();
        let mut payments: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for payment in store::payments::of_orders(tx, &ids).await? {
            payments.entry(payment.order).or_default().push(payment);
        }
        let traded = adverts.iter().map(|advert| advert.terms.base.asset);
        let traded = traded.chain(orders.iter().map(|order| order.terms.base.asset));
        let asked_for = funding_requests.iter().map(|request| request.vault_asset.asset);
        let assets = Assets::load(tx, &current.data, traded.chain(asked_for).collect::<Vec<_>>()).await?;
        let bases = orders.iter().map(|order| order.terms.base.asset);
        let nfts: Vec<_> = bases.filter(|base| assets.nft(*base).is_some()).collect();
        let stopped = store::stops::among(tx, &nfts).await?;
        let methods = if lock { methods_awaiting_acceptance(tx, &orders).await? } else { Vec::new() };
        let open_adverts = if keys.advert_counts { store::adverts::count_open(tx, &users).await? } else { Vec::new() };
        let since = now.checked_sub_signed(reputation::LAPSES_OVER).unwrap_or(now);
        let standings = if keys.order_counts { store::orders::standings(tx, &users, since).await? } else { Vec::new() };
        let parties: Vec<_> = orders.iter().flat_map(|order| [order.terms.advertiser, order.terms.taker]).collect();
        let cancelled_today = store::users::cancellations_since(tx, &parties, reputation::day_start(now)).await?;
        Ok(Self {
            pending_outages: outages::pending(context, &current, now),
            confirmations: Confirmations::of_chain(&current),
            reference_data: current.data,
            assets,
            payments,
            stopped,
            methods: methods.into_iter().map(|method| (method.id, method)).collect(),
            heads: heads.into_iter().collect(),
            context: context.clone(),
            now,
            users: rows.into_iter().map(|user| (user.id, user)).collect(),
            advert_versions: adverts.iter().map(|advert| (advert.id, advert.version)).collect(),
            order_versions: orders.iter().map(|order| (order.id, order.version)).collect(),
            adverts: adverts.into_iter().map(|advert| (advert.id, advert)).collect(),
            orders: orders.into_iter().map(|order| (order.id, order)).collect(),
            files: files.into_iter().map(|file| (file.id, file)).collect(),
            funding_requests,
            unconfirmed: unconfirmed.into_iter().collect(),
            open_adverts: open_adverts.into_iter().collect(),
            running_orders: standings.iter().map(|(user, standing)| (*user, standing.open)).collect(),
            lapses: standings.into_iter().map(|(user, standing)| (user, standing.lapses)).collect(),
            cancelled_today: cancelled_today.into_iter().collect(),
            written: CommandChanges::default(),
        })
    }

    pub(crate) fn user(&self, id: UserId) -> Result<&User, Refusal> {
        self.users.get(&id).ok_or(Refusal::NotFound)
    }

    pub(crate) fn asset(&self, id: AssetId) -> crate::Result<Asset> {
        self.assets.named(id)
    }

    /// Returns the user's reputation and cancellations today, including the changes of the set so far.
    pub(crate) fn standing(&self, user: UserId) -> Result<ReputationStanding, Refusal> {
        let cancelled_today = self.cancelled_today.get(&user).copied().unwrap_or(0);
        Ok(ReputationStanding { reputation: self.user(user)?.reputation, cancelled_today })
    }

    /// Returns whether a taker can order on automatic adverts only with coins that are in custody already.
    pub(crate) fn must_prefund(&self, user: UserId) -> Result<bool, Refusal> {
        let lapses = self.lapses.get(&user).copied().unwrap_or(0);
        Ok(reputation::must_prefund(self.user(user)?.reputation, lapses))
    }

    /// Moves the order's deadline by outages that have not been applied yet, so that no user misses a deadline because
    /// of an outage.
    pub(crate) fn extended_by_outages(&self, order: Order) -> Order {
        self.pending_outages
            .iter()
            .fold(order, |order, (from, until)| order.extended_by(*from, *until).unwrap_or(order))
    }

    /// Returns whether an outage or maintenance has moved deadlines, also if only until now.
    pub(crate) fn has_pending_outages(&self) -> bool {
        !self.pending_outages.is_empty()
    }

    /// Returns whether deadlines must not take effect: the product is closed, or an outage has not been applied to them
    /// yet.
    pub(crate) fn deadlines_wait(&self) -> bool {
        self.reference_data.deadlines_wait(self.now)
    }

    /// Creates an ID.
    pub(crate) fn fresh(&self) -> uuid::Uuid {
        self.context.fresh(self.now)
    }

    /// Returns the transfers that may be the payment of a manual order, those that say most about it first.
    pub(crate) fn payments(&self, order: OrderId) -> &[Payment] {
        self.payments.get(&order).map_or(&[], Vec::as_slice)
    }

    /// Returns the transfer that is most likely the payment of a manual order, and whether its buyer has reported it.
    pub(crate) fn payment(&self, order: &Order) -> Option<(&Payment, bool)> {
        let paid = order.progress.paid.as_ref();
        let reported = paid.and_then(|paid| hash_key(paid.hash.as_deref()?));
        let payments = self.payments(order.id).iter();
        let with_report =
            payments.map(|one| (one, reported.is_some() && hash_key(&one.transfer.tx.to_string()) == reported));
        // `min_by_key` returns the first of several equal ones.
        with_report
            .min_by_key(|(one, reported)| (one.sender != SenderProof::Bound, one.ambiguous(), !reported, one.sender))
    }

    /// Returns the hash of where the buyer of an order is told to pay, once the order is accepted.
    pub(crate) fn pay_to(&self, order: &Order) -> Option<Hash> {
        let method = match &order.terms.payment {
            domain::trade::Payment::Method(method) => self.methods.get(&method.id),
            _ => None,
        };
        order_log::pay_to_hash(order.id, &order.terms.payment, method)
    }

    /// Returns what the chain shows of the payment of a manual order. The platform does not watch other chains, so there is
    /// nothing to see of payments there.
    fn payment_evidence(&self, order: &Order) -> PaymentEvidence {
        match self.payment(order) {
            None => PaymentEvidence::Nothing,
            Some((payment, _)) if payment.ambiguous() => PaymentEvidence::Ambiguous,
            Some(_) => PaymentEvidence::Seen,
        }
    }

    /// Returns the total of unconfirmed deposits into a vault, which are in blocks that are not final yet.
    pub(crate) fn unconfirmed(&self, vault_asset: VaultAsset) -> Amount {
        self.unconfirmed.get(&vault_asset).copied().unwrap_or(Amount::ZERO)
    }

    /// Adds to the unconfirmed deposits.
    pub(crate) fn add_unconfirmed(&mut self, vault_asset: VaultAsset, amount: Amount) {
        let seen = self.unconfirmed.entry(vault_asset).or_insert(Amount::ZERO);
        *seen = seen.add(amount).unwrap_or(*seen);
    }

    /// Subtracts from the unconfirmed deposits.
    pub(crate) fn subtract_unconfirmed(&mut self, vault_asset: VaultAsset, amount: Amount) {
        let seen = self.unconfirmed.entry(vault_asset).or_insert(Amount::ZERO);
        *seen = seen.saturating_sub(amount);
    }

    pub(crate) fn request(&self, target: FundingTarget) -> Option<&FundingRequest> {
        self.funding_requests.get(target)
    }

    /// Returns the amount that the set has taken out of an account so far, less the amount that it has added.
    pub(crate) fn taken(&self, account: Account) -> Amount {
        let entries = self.written.postings.iter().flat_map(|posting| &posting.entries);
        let sum = |debit: bool| {
            let mine = entries.clone().filter(|entry| entry.account == account && entry.debit == debit);
            mine.fold(Amount::ZERO, |sum, entry| sum.add(entry.amount).unwrap_or(sum))
        };
        sum(!account.kind.debit_normal()).saturating_sub(sum(account.kind.debit_normal()))
    }

    /// Returns whom and what the set may have changed.
    pub(crate) fn changes(&self) -> Vec<Change> {
        let users = self.users.keys().flat_map(|user| [Change::User(*user), Change::Profile(*user)]);
        users.chain(self.adverts.keys().map(|advert| Change::Advert(*advert))).collect()
    }

    /// Checks that a user may attach files, after the changes of the set so far.
    pub(crate) fn check_files(
        &self,
        user: UserId,
        files: &[FileId],
        kind: FileKind,
        field: &'static str,
    ) -> Result<(), Refusal> {
        files.iter().try_for_each(|id| StoredFile::check_attachable(self.files.get(id), user, kind, field))
    }

    /// Returns the hashes of files. Omits unknown files.
    pub(crate) fn file_references(&self, files: &[FileId]) -> impl Iterator<Item = FileReference> {
        let files = files.iter().filter_map(|id| self.files.get(id));
        files.map(|file| FileReference { id: file.id, sha256: Hash(file.sha256) })
    }

    fn covered(&self, target: FundingTarget) -> bool {
        self.request(target).is_some_and(|request| request.covered(self.unconfirmed(request.vault_asset)))
    }

    pub(crate) fn advert_inputs(&self, advert: &Advert) -> adverts::AdvertInputs {
        let owner = self.users.get(&advert.terms.owner);
        adverts::AdvertInputs {
            now: self.now,
            payout: PayoutId(self.fresh()),
            covered: self.covered(FundingTarget::Advert(advert.id)),
            owner_online: owner.is_some_and(|owner| owner.online),
            owner_may_withdraw: owner.is_some_and(|owner| owner.may_withdraw(self.now)),
        }
    }

    pub(crate) fn order_inputs(&self, order: &Order) -> orders::OrderInputs {
        let seller = order.terms.vault_asset(domain::trade::Leg::Base);
        orders::OrderInputs {
            now: self.now,
            payout: PayoutId(self.fresh()),
            appeal: AppealId(self.fresh()),
            covered: self.covered(FundingTarget::Order(order.id)),
            payment: self.payment_evidence(order),
            seller_has_funding_request: self
                .funding_requests
                .of(seller)
                .any(|request| request.target != FundingTarget::Order(order.id)),
            paused: self.stopped.contains(&order.terms.base.asset),
        }
    }
}

/// Returns the payment methods of orders that wait for their acceptance. A method does not change while an order uses it.
async fn methods_awaiting_acceptance(tx: &mut Tx, orders: &[Order]) -> store::Result<Vec<PaymentMethod>> {
    let waiting = orders.iter().filter(|order| matches!(order.state, State::AwaitingAcceptance { .. }));
    let methods = waiting.filter_map(|order| match &order.terms.payment {
        domain::trade::Payment::Method(method) => Some(method.id),
        _ => None,
    });
    store::payment_methods::by_ids(tx, &methods.collect::<Vec<_>>()).await
}
