//! What the database contains, kept in memory from the [journal], and the invariants of everything that has changed.
//!
//! Users also choose from the mirror what they do, so the simulator itself runs few queries.

mod books;
mod journal;
mod prepayments;

use std::collections::{BTreeMap, BTreeSet};

use domain::adverts::Advert;
use domain::assets::AssetId;
use domain::chain::{Address, Token};
use domain::checks::{MAX_ADVERTS, MAX_OPEN_ORDERS};
use domain::funding::FundingTarget;
use domain::ids::{AdvertId, OrderId, UserId};
use domain::ledger::VaultAsset;
use domain::money::Amount;
use domain::orders::Order;
use domain::trade::Leg;
use sqlx::PgConnection;
use store::Store;
use uuid::Uuid;

use crate::states::Table;
use books::Books;
pub(crate) use journal::install;
use journal::{Change, Fields};
use prepayments::Prepayments;

/// An open funding request.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Request {
    pub(crate) vault_asset: VaultAsset,
    pub(crate) target: FundingTarget,
    pub(crate) required: Amount,
    pub(crate) funded: Amount,
}

impl Request {
    pub(crate) fn shortfall(&self) -> Amount {
        self.required.saturating_sub(self.funded)
    }
}

/// The counted changes of a user.
#[derive(Default)]
struct Standing {
    reputation: i64,
    reputation_changes: i64,
    /// The number of the last event, as the user's row says.
    last_event: i64,
    /// The number of the last event.
    events: i64,
}

#[derive(Default)]
pub(crate) struct Mirror {
    pub(crate) books: Books,
    pub(crate) orders: BTreeMap<OrderId, Order>,
    pub(crate) adverts: BTreeMap<AdvertId, Advert>,
    /// The open funding requests, by ID.
    pub(crate) requests: BTreeMap<Uuid, Request>,
    /// The keys of all executed commands of users.
    pub(crate) keys: BTreeSet<(UserId, String)>,
    /// The coins whose payouts are stopped.
    pub(crate) stopped: BTreeSet<AssetId>,
    /// The NFTs that the platform has seen.
    pub(crate) nfts: BTreeMap<AssetId, Token>,
    /// The NFTs that their album has taken out of a vault.
    pub(crate) seized: BTreeSet<Token>,
    prepayments: Prepayments,
    open_orders: BTreeSet<OrderId>,
    open_adverts: BTreeSet<AdvertId>,
    orders_on: BTreeMap<AdvertId, Vec<OrderId>>,
    users: BTreeMap<UserId, Standing>,
}

/// What a step has changed.
#[derive(Default)]
pub(crate) struct Touched {
    pub(crate) orders: BTreeSet<OrderId>,
    pub(crate) adverts: BTreeSet<AdvertId>,
    pub(crate) users: BTreeSet<UserId>,
    vault_assets: BTreeSet<VaultAsset>,
    /// What a reorganization has removed although it was final.
    pub(crate) reverted: Vec<String>,
    /// The invariants that are broken.
    pub(crate) wrong: Vec<String>,
}

impl Mirror {
    pub(crate) fn open_orders(&self) -> Vec<&Order> {
        self.open_orders.iter().map(|id| &self.orders[id]).collect()
    }

    pub(crate) fn open_adverts(&self) -> Vec<&Advert> {
        self.open_adverts.iter().map(|id| &self.adverts[id]).collect()
    }

    /// Takes over what was committed since the last call, and checks it.
    pub(crate) async fn update(&mut self, inspector: &mut PgConnection, store: &Store) -> Touched {
        let changes = journal::take(inspector).await;
        let mut touched = Touched::default();
        if changes.is_empty() {
            return touched;
        }
        for change in changes.iter().filter(|change| change.before != change.after) {
            self.apply(change, &mut touched);
        }
        self.prepayments.follow(self.books.take_postings());
        self.read(store, &touched).await;
        self.prepayments.read(inspector, touched.adverts.iter().filter_map(|id| self.adverts.get(id))).await;
        self.check(&mut touched);
        touched
    }

    fn apply(&mut self, change: &Change, touched: &mut Touched) {
        let row = change.after.as_ref().or(change.before.as_ref()).expect("a row");
        match change.table.as_str() {
            "orders" => {
                touched.orders.insert(OrderId(row.id(0)));
                touched.wrong.extend(impossible(change, "Orders on", |row| row.text(3) == "AUTOMATIC"));
            }
            "adverts" => {
                touched.adverts.insert(AdvertId(row.id(0)));
                touched.wrong.extend(impossible(change, "", |row| row.text(3) == "true"));
            }
            "ledger_accounts" => {
                let account = self.books.set(row);
                touched.vault_assets.insert(VaultAsset { vault: account.vault, asset: account.asset });
                touched.users.insert(account.vault);
            }
            "ledger_entries" => self.books.enter(row),
            "users" => {
                let user = UserId(row.id(0));
                let standing = self.users.entry(user).or_default();
                (standing.reputation, standing.last_event) = (row.number(1), row.number(2));
                touched.users.insert(user);
            }
            "reputation_changes" => {
                let user = UserId(row.id(0));
                self.users.entry(user).or_default().reputation_changes += row.number::<i64>(1);
                touched.users.insert(user);
            }
            "outbox_events" if change.before.is_none() => {
                let user = UserId(row.id(0));
                let (standing, number) = (self.users.entry(user).or_default(), row.number(1));
                if number != standing.events + 1 {
                    touched.wrong.push(format!("event {number} of {user} follows {}", standing.events));
                }
                standing.events = number;
                touched.users.insert(user);
            }
            "funding_requests" => self.request(row, touched),
            "idempotency_keys" if change.before.is_none() => {
                self.keys.insert((UserId(row.id(0)), row.text(1).to_owned()));
            }
            "settlements" => touched.reverted.extend(removed_settlement(change)),
            "deposits" => {
                let nft = self.nfts.get(&AssetId(row.number(3)));
                if !nft.is_some_and(|nft| self.seized.contains(nft)) {
                    touched.reverted.extend(removed_deposit(change));
                }
            }
            "assets" => {
                self.nfts.insert(AssetId(row.number(0)), Token::Erc721(Address(row.bytes(1)), row.bytes(2)));
            }
            "payout_stops" => keep(&mut self.stopped, AssetId(row.number(0)), change.after.is_some()),
            // The platform forgets old keys and events.
            "idempotency_keys" | "outbox_events" => {}
            other => panic!("{other} is not recorded"),
        }
    }

    fn request(&mut self, row: &Fields, touched: &mut Touched) {
        let vault_asset = VaultAsset { vault: UserId(row.id(1)), asset: AssetId(row.number(2)) };
        touched.vault_assets.insert(vault_asset);
        if row.text(7) == "open" {
            let target = row.optional_id(3).map(|id| FundingTarget::Advert(AdvertId(id)));
            let target = target.unwrap_or_else(|| FundingTarget::Order(OrderId(row.id(4))));
            let amount = |column| Amount::new(row.number(column)).expect("an amount");
            self.requests.insert(row.id(0), Request { vault_asset, target, required: amount(5), funded: amount(6) });
        } else {
            self.requests.remove(&row.id(0));
        }
    }

    /// Reads the orders and adverts that have changed.
    async fn read(&mut self, store: &Store, touched: &Touched) {
        if touched.orders.is_empty() && touched.adverts.is_empty() {
            return;
        }
        let mut tx = store.begin().await.expect("a transaction");
        let ids: Vec<_> = touched.orders.iter().copied().collect();
        for order in store::orders::read(&mut tx, &ids).await.expect("orders") {
            keep(&mut self.open_orders, order.id, !order.state.ended());
            let (id, advert) = (order.id, order.terms.advert);
            if self.orders.insert(id, order).is_none() {
                self.orders_on.entry(advert).or_default().push(id);
            }
        }
        let ids: Vec<_> = touched.adverts.iter().copied().collect();
        for advert in store::adverts::read(&mut tx, &ids).await.expect("adverts") {
            keep(&mut self.open_adverts, advert.id, !advert.state.ended());
            self.adverts.insert(advert.id, advert);
        }
        tx.rollback().await.expect("an open transaction");
    }

    fn check(&mut self, touched: &mut Touched) {
        let mut wrong = self.books.check(&touched.vault_assets);
        for request in self.requests.values().filter(|request| touched.vault_assets.contains(&request.vault_asset)) {
            let free = self.books.balance(request.vault_asset.temporary());
            if request.funded.units() > free {
                wrong.push(format!("only {free} is available for {request:?}"));
            }
        }
        for asset in touched.vault_assets.iter().map(|vault_asset| vault_asset.asset) {
            let holders = self.books.in_custody(asset);
            // An NFT that its album has taken may come into another vault before the loss is booked, which at rest it is.
            if self.nfts.get(&asset).is_some_and(|nft| !self.seized.contains(nft)) && holders > 1 {
                wrong.push(format!("the NFT {asset:?} is in {holders} vaults"));
            }
        }
        for id in self.books.escrows(&touched.vault_assets) {
            if self.orders.contains_key(&OrderId(id)) {
                touched.orders.insert(OrderId(id));
            } else if self.adverts.contains_key(&AdvertId(id)) {
                touched.adverts.insert(AdvertId(id));
            } else {
                wrong.push(format!("the escrow of {id} belongs to nothing"));
            }
        }
        for id in &touched.orders {
            let Some(order) = self.orders.get(id) else { continue };
            touched.adverts.insert(order.terms.advert);
            wrong.extend(self.wrong_order(order));
        }
        for id in &touched.adverts {
            wrong.extend(self.adverts.get(id).into_iter().flat_map(|advert| self.wrong_advert(advert)));
        }
        for user in &touched.users {
            wrong.extend(self.users.get(user).and_then(|standing| standing.wrong(*user)));
        }
        wrong.extend(self.too_many(&touched.users));
        touched.wrong.append(&mut wrong);
    }

    fn wrong_order(&self, order: &Order) -> Vec<String> {
        let mut wrong: Vec<String> = order.misfit().into_iter().map(|why| format!("{why}: {order:?}")).collect();
        for leg in [Leg::Base, Leg::Quote] {
            let (says, held) = (order.held(leg), self.books.balance(order.terms.vault_asset(leg).order(order.id)));
            if held != says.units() {
                wrong.push(format!("order {} holds {says} of its {leg:?}, the ledger says {held}", order.id));
            }
        }
        wrong
    }

    fn wrong_advert(&self, advert: &Advert) -> Vec<String> {
        let mut wrong: Vec<String> = advert.misfit().into_iter().map(|why| format!("{why}: {advert:?}")).collect();
        let escrow = advert.terms.escrow();
        let held = escrow.map_or(0, |(_, vault_asset, _)| self.books.balance(vault_asset.advert(advert.id)));
        if held != advert.escrow.units() {
            wrong.push(format!("advert {} says {}, the ledger says {held}", advert.id, advert.escrow));
        }
        let orders = || self.orders_on.get(&advert.id).into_iter().flatten().map(|id| &self.orders[id]);
        wrong.extend(self.prepayments.wrong(advert, orders(), &self.books));
        let running = orders().filter(|order| order.progress.ended_at.is_none()).count();
        if usize::try_from(advert.running) != Ok(running) {
            wrong.push(format!("advert {} counts {} open orders of {running}", advert.id, advert.running));
        }
        let ordered = orders().map(|order| order.terms.quantity.units() - order.progress.given_back.units()).sum();
        if advert.ordered().units() != ordered {
            wrong.push(format!("advert {} counts {} as ordered, its orders {ordered}", advert.id, advert.ordered()));
        }
        wrong
    }

    /// Users who have more open adverts or orders than they may have.
    fn too_many(&self, users: &BTreeSet<UserId>) -> Vec<String> {
        let mut counts: BTreeMap<UserId, (u32, u32)> = BTreeMap::new();
        for advert in self.open_adverts().into_iter().filter(|advert| users.contains(&advert.terms.owner)) {
            counts.entry(advert.terms.owner).or_default().0 += 1;
        }
        for order in self.open_orders().into_iter().filter(|order| users.contains(&order.terms.taker)) {
            counts.entry(order.terms.taker).or_default().1 += 1;
        }
        let over =
            counts.into_iter().filter(|(_, (adverts, orders))| *adverts > MAX_ADVERTS || *orders > MAX_OPEN_ORDERS);
        over.map(|(user, (adverts, orders))| format!("{user} has {adverts} open adverts and {orders} open orders"))
            .collect()
    }
}

fn keep<T: Ord>(set: &mut BTreeSet<T>, item: T, keep: bool) {
    if keep {
        set.insert(item);
    } else {
        set.remove(&item);
    }
}

/// Describes a final settlement that has spent its reference and is removed.
fn removed_settlement(change: &Change) -> Option<String> {
    let before = change.before.as_ref().filter(|_| change.after.is_none())?;
    let (outcome, is_final) = (before.text(1), !before.text(2).is_empty());
    (is_final && ["paid", "voided"].contains(&outcome)).then(|| format!("reference {} {outcome}", before.text(0)))
}

/// Describes a credited deposit that is revoked because a reorganization has removed it in this step.
fn removed_deposit(change: &Change) -> Option<String> {
    let (before, after) = (change.before.as_ref()?, change.after.as_ref()?);
    // What the ledger refused to revoke at first was removed in an earlier step.
    let refused_at_first = before.text(2) == "true";
    let revoked = before.text(1).is_empty() && !after.text(1).is_empty() && !refused_at_first;
    revoked.then(|| format!("deposit {}", after.text(0)))
}

/// Describes a change of state that the generated table does not contain.
fn impossible(change: &Change, prefix: &str, automatic: impl Fn(&Fields) -> bool) -> Option<String> {
    let after = change.after.as_ref()?;
    let before = change.before.as_ref()?;
    let kind = if automatic(after) { "automatic" } else { "manual" };
    let heading = format!("{prefix} {kind} {} adverts", after.text(4).to_lowercase()).trim().to_lowercase();
    let (seen, version): (i64, i64) = (before.number(1), after.number(1));
    let (from, to) = (before.text(2), after.text(2));
    let possible = match version - seen {
        0 => from == to,
        1 => Table::of(&heading).allows(from, to),
        2.. => Table::of(&heading).leads(from, to),
        _ => false,
    };
    (!possible).then(|| format!("{heading}: {} went from version {seen} {from} to {version} {to}", after.text(0)))
}

impl Standing {
    fn wrong(&self, user: UserId) -> Option<String> {
        let Self { reputation, reputation_changes, last_event, events } = self;
        if reputation - 100 != *reputation_changes || !(0..=100).contains(reputation) {
            return Some(format!("{user} has {reputation} points after changes of {reputation_changes}"));
        }
        (last_event != events).then(|| format!("{user} has events up to {events}, not {last_event}"))
    }
}
