//! Checks the invariants of a market, which hold after every commit.

use std::collections::BTreeMap;

use domain::adverts::Advert;
use domain::assets::AssetId;
use domain::ids::{AdvertId, OrderId, UserId};
use domain::ledger::{Account, AccountKind, VaultAsset};
use domain::money::Amount;
use domain::orders::Order;
use domain::trade::Leg;
use sqlx::postgres::PgRow;
use sqlx::{Connection as _, PgConnection, Row as _};
use uuid::Uuid;

use super::Market;

impl Market {
    pub async fn advert(&self, id: AdvertId) -> Advert {
        let mut tx = self.database.store.begin().await.expect("a transaction");
        store::adverts::read(&mut tx, &[id]).await.expect("adverts").pop().expect("the advert")
    }

    pub async fn order(&self, id: OrderId) -> Order {
        let mut tx = self.database.store.begin().await.expect("a transaction");
        store::orders::read(&mut tx, &[id]).await.expect("orders").pop().expect("the order")
    }

    pub async fn state(&self, id: OrderId) -> &'static str {
        self.order(id).await.state.into_str()
    }

    pub async fn advert_state(&self, id: AdvertId) -> &'static str {
        self.advert(id).await.state.into_str()
    }

    pub async fn balance(&self, account: Account) -> Amount {
        let mut tx = self.database.store.begin().await.expect("a transaction");
        store::ledger::balance(&mut tx, account).await.expect("a balance")
    }

    /// Asserts that [`Market::unsound`] finds nothing.
    pub async fn is_sound(&self) {
        if let Some(wrong) = self.unsound().await {
            panic!("{wrong}");
        }
    }

    /// Describes every inconsistency in the ledger, and every advert, order, funding request and fund record that
    /// disagrees with it.
    pub async fn unsound(&self) -> Option<String> {
        let mut inspector = PgConnection::connect(&self.database.url).await.expect("the test's database");
        let wrong = self.inspect(&mut inspector).await;
        inspector.close().await.expect("an open connection");
        wrong
    }

    /// The same as [`Market::unsound`], with an open connection.
    pub async fn inspect(&self, inspector: &mut PgConnection) -> Option<String> {
        let ids = async |inspector: &mut PgConnection, query: &'static str| -> Vec<Uuid> {
            sqlx::query_scalar(query).fetch_all(inspector).await.expect("ids")
        };
        let adverts: Vec<_> = ids(inspector, "select id from adverts").await.into_iter().map(AdvertId).collect();
        let orders: Vec<_> = ids(inspector, "select id from orders").await.into_iter().map(OrderId).collect();
        let users: Vec<_> = ids(inspector, "select id from users").await.into_iter().map(UserId).collect();
        let mut books = Books::read(inspector).await;
        let mut wrong: Vec<String> =
            sqlx::query_scalar(UNEXPLAINED).fetch_all(&mut *inspector).await.expect("the fund records");

        let mut tx = self.database.store.begin().await.expect("a transaction");
        wrong.extend(store::ledger::disagreements(&mut tx).await.expect("the ledger"));
        for advert in store::adverts::read(&mut tx, &adverts).await.expect("adverts") {
            let held = advert.terms.escrow().map_or(0, |(_, vault_asset, _)| books.take(vault_asset.advert(advert.id)));
            if held != advert.escrow.units() {
                wrong.push(format!("advert {} says {}, the ledger says {held}", advert.id, advert.escrow));
            }
            let prepaid = advert.terms.prepaid().map_or(0, |(paid, _)| books.take(paid.prepayment(advert.id)));
            if prepaid != advert.prepaid.units() {
                wrong.push(format!("advert {} has prepaid {}, the ledger says {prepaid}", advert.id, advert.prepaid));
            }
            wrong.extend(advert.misfit().map(|why| format!("advert {}: {why}: {advert:?}", advert.id)));
        }
        for order in store::orders::read(&mut tx, &orders).await.expect("orders") {
            for leg in [Leg::Base, Leg::Quote] {
                let held = books.take(order.terms.vault_asset(leg).order(order.id));
                if held != order.held(leg).units() {
                    wrong.push(format!(
                        "order {} holds {} of its {leg:?}, the ledger says {held}",
                        order.id,
                        order.held(leg)
                    ));
                }
            }
            wrong.extend(order.misfit().map(|why| format!("order {}: {why}: {order:?}", order.id)));
            wrong.extend(super::log_faults(&mut tx, &order).await);
        }
        for request in store::funding::open_of(&mut tx, &users).await.expect("funding requests") {
            let free = books.balance(request.vault_asset.temporary());
            if request.funded.units() > free {
                wrong.push(format!("only {free} is available for {request:?}"));
            }
        }
        tx.rollback().await.expect("an open transaction");
        wrong.extend(books.of_nobody());
        wrong.extend(books.debts_beside_balances());
        (!wrong.is_empty()).then(|| wrong.join("\n"))
    }
}

/// The users whose fund records do not add up to their balances minus debts, or have a record that cannot be read.
const UNEXPLAINED: &str = "
    select format('the fund records of %s for asset %s are off by %s', vault, asset_id, sum(units))
    from (select vault, asset_id, case when kind = 'reorganisation_loss' then -balance else balance end as units
          from ledger_accounts where kind in ('temporary', 'advert_escrow', 'order_escrow', 'prepayment', 'reorganisation_loss')
          union all select user_id, asset_id, -effect from fund_records) u
    group by vault, asset_id having sum(units) <> 0
    union all
    select format('the record %s of %s has the cost %s', id, user_id, cost) from fund_records where cost < 0";

/// All nonzero balances.
struct Books(BTreeMap<Account, i128>);

impl Books {
    async fn read(inspector: &mut PgConnection) -> Self {
        let query = "select kind, owner, vault, asset_id, balance::text from ledger_accounts where balance <> 0";
        let rows = sqlx::query(query).fetch_all(inspector).await.expect("the accounts");
        let account = |row: &PgRow| Account {
            kind: row.get::<&str, _>(0).parse().expect("a known kind"),
            owner: row.get(1),
            vault: UserId(row.get(2)),
            asset: AssetId(row.get(3)),
        };
        Self(rows.iter().map(|row| (account(row), row.get::<&str, _>(4).parse().expect("a number"))).collect())
    }

    fn balance(&self, account: Account) -> i128 {
        self.0.get(&account).copied().unwrap_or_default()
    }

    /// Returns a balance once.
    fn take(&mut self, account: Account) -> i128 {
        self.0.remove(&account).unwrap_or_default()
    }

    /// Escrow of adverts and orders that do not exist, or in another vault than theirs.
    fn of_nobody(&self) -> Vec<String> {
        let escrow =
            |kind| matches!(kind, AccountKind::AdvertEscrow | AccountKind::OrderEscrow | AccountKind::Prepayment);
        let left = self.0.iter().filter(|(account, _)| escrow(account.kind));
        left.map(|(account, balance)| format!("nothing owns the {balance} of {account:?}")).collect()
    }

    fn debts_beside_balances(&self) -> Vec<String> {
        let debts = self.0.iter().filter(|(account, _)| account.kind == AccountKind::ReorganisationLoss);
        debts
            .filter_map(|(account, owes)| {
                let vault_asset = VaultAsset { vault: account.vault, asset: account.asset };
                let has = self.balance(vault_asset.temporary());
                (has != 0).then(|| format!("{} owes {owes} but has a balance of {has}", account.vault))
            })
            .collect()
    }
}
