//! Checks the invariants of a market, which hold after every commit.

use std::collections::BTreeMap;

use domain::adverts::Advert;
use domain::ids::{AdvertId, OrderId, UserId};
use domain::ledger::{Account, AccountKind, VaultAsset};
use domain::money::Amount;
use domain::orders::Order;
use domain::trade::Leg;

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
        self.order(id).await.state.name()
    }

    pub async fn advert_state(&self, id: AdvertId) -> &'static str {
        self.advert(id).await.state.name()
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
        let pool = self.pool().await;
        let adverts: Vec<uuid::Uuid> =
            sqlx::query_scalar("select id from adverts").fetch_all(&pool).await.expect("ids");
        let orders: Vec<uuid::Uuid> = sqlx::query_scalar("select id from orders").fetch_all(&pool).await.expect("ids");
        let people: Vec<uuid::Uuid> = sqlx::query_scalar("select id from users").fetch_all(&pool).await.expect("ids");
        pool.close().await;
        let mut tx = self.database.store.begin().await.expect("a transaction");
        let mut wrong = store::ledger::disagreements(&mut tx).await.expect("the ledger");
        let adverts: Vec<_> = adverts.into_iter().map(AdvertId).collect();
        for advert in store::adverts::read(&mut tx, &adverts).await.expect("adverts") {
            let held = held(&mut tx, advert.id.0, AccountKind::AdvertEscrow).await;
            if held != advert.escrow {
                wrong.push(format!("advert {} says {}, the ledger says {held}", advert.id, advert.escrow));
            }
            wrong.extend(advert.misfit().map(|why| format!("advert {}: {why}: {advert:?}", advert.id)));
        }
        let orders: Vec<_> = orders.into_iter().map(OrderId).collect();
        for order in store::orders::read(&mut tx, &orders).await.expect("orders") {
            for leg in [Leg::Base, Leg::Quote] {
                let held = store::ledger::balance(&mut tx, order.terms.vault_asset(leg).order(order.id))
                    .await
                    .expect("a balance");
                if held != order.held(leg) {
                    wrong.push(format!(
                        "order {} holds {} of its {leg:?}, the ledger says {held}",
                        order.id,
                        order.held(leg)
                    ));
                }
            }
            wrong.extend(order.misfit().map(|why| format!("order {}: {why}: {order:?}", order.id)));
        }
        let people: Vec<_> = people.into_iter().map(UserId).collect();
        for request in store::funding::open_of(&mut tx, &people).await.expect("funding_requests") {
            let free = store::ledger::balance(&mut tx, request.vault_asset.temporary()).await.expect("a balance");
            if request.funded > free {
                wrong.push(format!("only {free} is available for {request:?}"));
            }
        }
        for person in &people {
            wrong.extend(unexplained(&mut tx, *person).await);
        }
        for person in people {
            for asset in [self.mec, self.usdt] {
                let vault_asset = VaultAsset { vault: person, asset };
                let owes = store::ledger::balance(&mut tx, vault_asset.reorganisation_loss()).await.expect("a balance");
                let has = store::ledger::balance(&mut tx, vault_asset.temporary()).await.expect("a balance");
                if !owes.is_zero() && !has.is_zero() {
                    wrong.push(format!("{person} owes {owes} but has a balance of {has}"));
                }
            }
        }
        (!wrong.is_empty()).then(|| wrong.join("\n"))
    }
}

/// Describes how a user's fund records differ from the user's balances minus debts.
async fn unexplained(tx: &mut store::Tx, person: UserId) -> Vec<String> {
    let mut has: BTreeMap<_, i128> = BTreeMap::new();
    for (account, amount) in store::ledger::holdings_in(tx, person).await.expect("holdings") {
        let sign = match account.kind {
            AccountKind::Temporary | AccountKind::AdvertEscrow | AccountKind::OrderEscrow => 1,
            AccountKind::ReorganisationLoss => -1,
            _ => continue,
        };
        *has.entry(account.asset).or_default() += sign * amount.units();
    }
    for (asset, gained, spent) in store::funds::effects(tx, person).await.expect("effects") {
        *has.entry(asset).or_default() -= gained.units() - spent.units();
    }
    let differs = has.into_iter().filter(|(_, difference)| *difference != 0);
    differs.map(|(asset, by)| format!("{person}'s fund records of {asset:?} are off by {by}")).collect()
}

async fn held(tx: &mut store::Tx, owner: uuid::Uuid, kind: AccountKind) -> Amount {
    let holdings = store::ledger::holdings_of(tx, owner).await.expect("holdings");
    let of_kind = holdings.into_iter().filter(|(account, _)| account.kind == kind);
    of_kind.map(|(_, amount)| amount).fold(Amount::ZERO, |sum, amount| sum.add(amount).expect("a sum"))
}
