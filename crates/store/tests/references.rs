#![allow(clippy::unwrap_used)]
//! Concurrent connections never get the same payout reference.

use std::time::Duration;

use domain::chain::Address;
use domain::ids::{IdSource, PayoutId};
use sqlx::{Connection, PgConnection};
use store::payouts::{self, NewLeg, NewPayout, Purpose};
use store::{Options, Store};
use testkit::market::{CHAIN, Market, Trader, mec};
use testkit::{Ids, noon, reservations};

/// The withdrawal of an amount, paid in `legs` legs.
fn payout(market: &Market, trader: &Trader, legs: usize) -> NewPayout {
    let vault_asset = domain::ledger::VaultAsset { vault: trader.id(), asset: market.mec };
    let leg = NewLeg {
        vault_asset,
        custody_index: trader.user.custody_index,
        recipient: Address([0xbb; 20]),
        amount: mec("1"),
        source: vault_asset.temporary(),
    };
    let id = Ids.fresh(noon());
    NewPayout { id: PayoutId(id), purpose: Purpose::Withdrawal, subject: id, legs: vec![leg; legs] }
}

/// Inserts a payout and returns the references of its legs, in order.
async fn insert(store: &Store, payout: NewPayout) -> store::Result<Vec<u64>> {
    let mut tx = store.begin().await?;
    payouts::insert(&mut tx, CHAIN, std::slice::from_ref(&payout), noon()).await?;
    let legs = payouts::legs_of(&mut tx, &[payout.id]).await?;
    tx.commit().await?;
    Ok(legs.iter().map(|leg| leg.reference.0).collect())
}

#[tokio::test]
async fn a_connection_that_stalls_while_it_reserves_references_keeps_them() {
    let market = Market::open().await;
    let trader = market.trader().await;
    let mut holder = PgConnection::connect(&market.database.url).await.unwrap();
    reservations::install(&mut holder).await;
    reservations::hold(&mut holder).await;
    let options = Options {
        url: reservations::stalling(&market.database.url),
        connections: 1,
        patience: Duration::from_secs(30),
        untested: Duration::ZERO,
    };
    let slow = Store::connect(&options).unwrap();
    let first = tokio::spawn({
        let payout = payout(&market, &trader, 3);
        async move { insert(&slow, payout).await }
    });
    market.somebody_waits().await;
    let second = tokio::spawn({
        let (store, payout) = (market.database.store.clone(), payout(&market, &trader, 2));
        async move { insert(&store, payout).await }
    });
    let waiting =
        "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    while !second.is_finished() && market.database.count(waiting).await < 2 {
        tokio::task::yield_now().await;
    }
    reservations::release(&mut holder).await;

    let (first, second) = (first.await.unwrap().unwrap(), second.await.unwrap().unwrap());
    assert_eq!((first, second), (vec![1, 2, 3], vec![4, 5]));
}
