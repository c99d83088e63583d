//! Compares the ledger with the chain, page by page, with few and many vaults.

use chain::node::NodeError;
use chain::scripted::{Fault, Method};
use domain::chain::{Address, Token};
use testkit::market::{CONFIRMATIONS, mec};
use testkit::people;
use worker::reconcile::{self, Round};
use worker::{Next, stops};

use crate::scripted::Scripted;

#[tokio::test]
async fn a_failed_search_for_unlogged_coins_is_repeated_without_a_new_block() {
    let stage = Scripted::with_nodes(1).await;
    let anna = stage.market.trader().await;
    let advert = anna.posts(anna.mec_for_krw("10", "1000")).await.unwrap();
    stage.script.silent_transfer(anna.person.vault, mec("10"));
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
    assert_eq!(app::officers::stopped(&stage.worker.context).await.unwrap(), vec![]);
    stage.script.transfer(Token::Native, anna.person.vault, Address([9; 20]), mec("2"));
    stage.mines(CONFIRMATIONS);
    stage.reads().await.unwrap();
    let stopped = app::officers::stopped(&stage.worker.context).await.unwrap();
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
    assert_eq!(app::officers::stopped(&stage.worker.context).await.unwrap(), vec![]);
    let defect = "set session_replication_role = replica;
                  update ledger_accounts set balance = balance - 1 where kind = 'temporary' and balance > 0";
    stage.market.sql(defect).await;
    reconcile::step(&stage.worker).await.unwrap();
    let stopped = app::officers::stopped(&stage.worker.context).await.unwrap();
    assert_eq!(stopped.len(), 1, "{stopped:?}");
    assert!(stopped[0].stop.because.contains("entries"), "{stopped:?}");
    let resumption = app::officers::Resumption {
        asset: "MEC".to_owned(),
        officer: "olga".into(),
        reason: "it looks fine".to_owned(),
    };
    let refused = stops::resume(&stage.worker.context, stage.worker.node.as_ref(), &resumption).await.unwrap();
    assert!(matches!(refused, stops::Resumed::Disagree(_)), "{refused:?}");
}

#[tokio::test]
async fn unlogged_coins_are_found_in_the_last_of_many_vaults_and_a_failed_round_continues() {
    let stage = Scripted::with_nodes(1).await;
    for index in 1_000..1_250 {
        people::join(&stage.market.database.store, &people::trader(index)).await;
    }
    let last = people::trader(1_250);
    people::join(&stage.market.database.store, &last).await;
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
    assert_eq!(reconcile::next(&stage.worker, &round).await.unwrap(), Next::Rest);
    reconcile::step(&stage.worker).await.unwrap();
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
    let stopped = async || app::officers::stopped(&stage.worker.context).await.unwrap().len();
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
    let last = anna.person.custody_index;
    let wrong = app::chain::disagreements(&stage.worker.context, None, last).await.unwrap();
    assert_eq!(wrong.len(), 2, "an account and its vault: {wrong:?}");
}
