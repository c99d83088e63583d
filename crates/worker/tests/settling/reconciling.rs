//! Compares the ledger with the chain, page by page, with few and many vaults.

use chain::node::NodeError;
use chain::scripted::{Fault, Method};
use domain::assets::AssetId;
use domain::chain::{Address, Token};
use domain::ledger::VaultAsset;
use domain::money::Amount;
use store::reconciliations::{Reconciled, Reconciliation};
use store::vault_stops::{self, Cause};
use testkit::market::{CHAIN, CONFIRMATIONS, mec};
use testkit::users;
use worker::Next;
use worker::reconcile::{self, Round};

use crate::platform::{differences, resume};
use crate::scripted::Scripted;

/// Returns what the latest round has stored.
async fn stored(stage: &Scripted) -> Option<Reconciliation> {
    let mut tx = stage.market.database.store.begin().await.unwrap();
    store::reconciliations::latest(&mut tx, CHAIN).await.unwrap()
}

/// Returns what a round finds about an asset if it compares these vaults, and all of them hold what the ledger says.
fn agreed(asset: AssetId, amount: Amount, vaults: u32) -> Reconciled {
    Reconciled { asset, on_chain: amount, in_ledger: amount, vaults, short: 0, unknown: 0, left_out: 0 }
}

#[tokio::test]
async fn a_round_stores_what_it_found_about_each_asset() {
    let stage = Scripted::with_nodes(1).await;
    let (anna, ben, native) = (stage.market.trader().await, stage.market.trader().await, stage.market.mec);
    stage.sends(&anna, mec("5"));
    stage.sends(&ben, mec("3"));
    stage.reads().await.unwrap();
    assert_eq!(stored(&stage).await, None);
    reconcile::step(&stage.worker).await.unwrap();
    let first = stored(&stage).await.unwrap();
    assert_eq!(first.assets, [agreed(native, mec("8"), 2)]);
    let now = stage.worker.context.now().await.unwrap();
    assert_eq!((first.began_at, first.ended_at), (now, now));
    let confirmed = app::chain::known(&stage.worker.context).await.unwrap().unwrap().confirmed.unwrap();
    assert_eq!((first.first_block, first.last_block), (confirmed, confirmed));

    // 2 MEC leave a vault without a settlement.
    stage.script.transfer(Token::Native, ben.user.vault, Address([9; 20]), mec("2"));
    stage.mines(CONFIRMATIONS);
    stage.reads().await.unwrap();
    stage.hands.pass(chrono::Duration::minutes(1));
    reconcile::step(&stage.worker).await.unwrap();
    let second = stored(&stage).await.unwrap();
    assert_eq!(second.assets, [Reconciled { on_chain: mec("6"), short: 1, ..agreed(native, mec("8"), 2) }]);
    assert_eq!(second.ended_at, now + chrono::Duration::minutes(1));
    assert_eq!(second.last_block, confirmed + CONFIRMATIONS);

    // The ledger is known to be behind the chain there.
    let mut tx = stage.market.database.store.begin().await.unwrap();
    let vault_asset = VaultAsset { vault: ben.id(), asset: native };
    vault_stops::stop(&mut tx, vault_asset, Cause::Refused, "a test", now).await.unwrap();
    tx.commit().await.unwrap();
    reconcile::step(&stage.worker).await.unwrap();
    let third = stored(&stage).await.unwrap();
    assert_eq!(third.assets, [Reconciled { left_out: 1, ..agreed(native, mec("5"), 1) }]);
}

#[tokio::test]
async fn a_failed_search_for_unlogged_coins_is_repeated_without_a_new_block() {
    let stage = Scripted::with_nodes(1).await;
    let anna = stage.market.trader().await;
    let advert = anna.posts(anna.mec_for_krw("10", "1000")).await.unwrap();
    stage.script.silent_transfer(anna.user.vault, mec("10"));
    stage.mines(CONFIRMATIONS);
    stage.nodes[0].fail_next(Method::Holding, Fault::Fails(NodeError::Transient("busy".to_owned())));
    stage.reads().await.unwrap_err();
    assert_eq!(stage.market.advert_state(advert).await, "CREATING");
    stage.reads().await.unwrap();
    assert_eq!(stage.market.advert_state(advert).await, "ONLINE");
    let asked = stage.nodes[0].asked();
    stage.reads().await.unwrap();
    assert!(stage.nodes[0].asked() - asked < 8, "after a success, the node is not asked again");
    stage.market.is_sound().await;
}

#[tokio::test]
async fn coins_that_leave_a_vault_without_a_settlement_stop_payouts_at_that_block() {
    let stage = Scripted::with_nodes(1).await;
    let anna = stage.market.trader().await;
    stage.sends(&anna, mec("5"));
    stage.reads().await.unwrap();
    assert_eq!(app::console::stopped(&stage.worker.context).await.unwrap(), vec![]);
    stage.script.transfer(Token::Native, anna.user.vault, Address([9; 20]), mec("2"));
    stage.mines(CONFIRMATIONS);
    stage.reads().await.unwrap();
    let stopped = app::console::stopped(&stage.worker.context).await.unwrap();
    assert_eq!(stopped.len(), 1, "stopped by the watcher, before any round: {stopped:?}");
    assert_eq!(stopped[0].asset.id, stage.market.mec);
}

#[tokio::test]
async fn an_inconsistent_ledger_stops_the_payouts_of_the_asset() {
    let stage = Scripted::with_nodes(1).await;
    let anna = stage.market.trader().await;
    stage.sends(&anna, mec("5"));
    stage.reads().await.unwrap();
    reconcile::step(&stage.worker).await.unwrap();
    assert_eq!(app::console::stopped(&stage.worker.context).await.unwrap(), vec![]);
    let defect = "set session_replication_role = replica;
                  update ledger_accounts set balance = balance - 1 where kind = 'temporary' and balance > 0";
    stage.market.sql(defect).await;
    reconcile::step(&stage.worker).await.unwrap();
    let stopped = app::console::stopped(&stage.worker.context).await.unwrap();
    assert_eq!(stopped.len(), 1, "{stopped:?}");
    assert!(stopped[0].stop.because.contains("entries"), "{stopped:?}");
    assert_ne!(differences(resume(&stage.worker, stage.market.mec, "it looks fine").await), "");
}

#[tokio::test]
async fn unlogged_coins_are_found_in_the_last_of_many_vaults_and_a_failed_round_continues() {
    let stage = Scripted::with_nodes(1).await;
    for index in 1_000..1_250 {
        users::join(&stage.market.database.store, &users::trader(index)).await;
    }
    let last = users::trader(1_250);
    users::join(&stage.market.database.store, &last).await;
    stage.script.silent_transfer(last.vault, mec("3"));
    stage.mines(CONFIRMATIONS);
    stage.reads().await.unwrap();

    let round = Round::default();
    assert_eq!(reconcile::next(&stage.worker, &round).await.unwrap(), Next::Immediately);
    let deposits = "select count(*) from deposits where amount = 3000000000000000000";
    assert_eq!(stage.market.count(deposits).await, 0, "its page is not reached yet");
    stage.nodes[0].set_down(true);
    assert!(reconcile::next(&stage.worker, &round).await.is_err());
    stage.nodes[0].set_down(false);
    let asked = stage.nodes[0].asked();
    assert_eq!(reconcile::next(&stage.worker, &round).await.unwrap(), Next::Immediately);
    assert_eq!(stage.nodes[0].asked() - asked, 51, "the first page is not compared again");
    assert_eq!(stage.market.count(deposits).await, 1);
    assert_eq!(stored(&stage).await, None, "the round has not ended");
    assert_eq!(reconcile::next(&stage.worker, &round).await.unwrap(), Next::Rest);
    let found = stored(&stage).await.unwrap();
    let native = stage.market.mec;
    assert_eq!(
        found.assets,
        [Reconciled { in_ledger: Amount::ZERO, ..agreed(native, mec("3"), 251) }],
        "each vault once"
    );
    reconcile::step(&stage.worker).await.unwrap();
    assert_eq!(stored(&stage).await.unwrap().assets, [agreed(native, mec("3"), 251)]);
    assert_eq!(stage.market.count(deposits).await, 1, "once");
    stage.market.is_sound().await;
}

#[tokio::test]
async fn the_ledger_is_summed_once_a_minute_without_waiting_for_locks() {
    let stage = Scripted::with_nodes(1).await;
    let anna = stage.market.trader().await;
    stage.sends(&anna, mec("5"));
    stage.reads().await.unwrap();
    let round = Round::default();
    let goes_round = async || while reconcile::next(&stage.worker, &round).await.unwrap() == Next::Immediately {};
    let stopped = async || app::console::stopped(&stage.worker.context).await.unwrap().len();
    goes_round().await;
    let defect = "set session_replication_role = replica;
                  update ledger_accounts set balance = balance - 1 where kind = 'temporary' and balance > 0";
    stage.market.sql(defect).await;
    stage.hands.pass(chrono::Duration::seconds(59));
    goes_round().await;
    assert_eq!(stopped().await, 0, "the last sum is less than a minute old");
    stage.hands.pass(chrono::Duration::seconds(1));
    goes_round().await;
    assert_eq!(stopped().await, 1);

    // Simulate another transaction that is applying a range: the check does not wait for its lock.
    let mut tx = stage.market.database.store.begin().await.unwrap();
    store::blocks::lock_progress(&mut tx, testkit::market::CHAIN).await.unwrap();
    let last = anna.user.custody_index;
    let wrong = app::chain::disagreements(&stage.worker.context, None, last).await.unwrap();
    assert_eq!(wrong.len(), 2, "an account and its vault: {wrong:?}");
}
