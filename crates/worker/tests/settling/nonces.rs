//! The settler's nonces and gas prices: nonces that foreign transactions use, nonce gaps, and transactions that are not
//! mined.

use app::chain::settlement::{Attempt, Turn};
use chain::calls;
use chain::node::Node;
use chain::wallet::Wallet;
use domain::chain::{Address, Token};
use metrics_exporter_prometheus::PrometheusBuilder;
use serde_json::json;
use testkit::market::{CONFIRMATIONS, mec};
use worker::Next;

use crate::anvil::{CHAIN, amount, signer};
use crate::platform::{Platform, withdraw};
use crate::scripted::Scripted;

async fn open(platform: &Platform) -> Vec<Attempt> {
    let mut turn = Turn::begin(&platform.worker.context, CHAIN).await.unwrap().unwrap();
    let open = turn.open_attempts().await.unwrap();
    turn.pass().await.unwrap();
    open
}

/// Signs and sends the owed legs while the chain mines no blocks, then drops the transaction from the node.
async fn sent_and_lost(platform: &Platform) {
    platform.test_chain.anvil.raw("evm_setAutomine", json!([false])).await;
    assert_eq!(worker::payouts::step(&platform.worker).await.unwrap(), Next::Immediately);
    lose(platform).await;
}

async fn lose(platform: &Platform) {
    let newest = open(platform).await.remove(0);
    platform.test_chain.anvil.raw("anvil_dropTransaction", json!([newest.tx.to_string()])).await;
}

#[tokio::test]
async fn legs_whose_nonce_was_used_by_a_foreign_transaction_are_paid_with_the_next() {
    let platform = Platform::new().await;
    platform.deposit(1_000).await;
    platform.withdraw(platform.mec).await;
    sent_and_lost(&platform).await;
    let anvil = &platform.test_chain.anvil;
    let settler = Wallet::new(anvil.node.clone(), platform.test_chain.settler.clone(), CHAIN);
    let other = calls::transfer(Token::Native, settler.address(), Address([1; 20]), amount(1));
    settler.send(&other).await.unwrap();
    anvil.mine(1).await;
    anvil.raw("evm_setAutomine", json!([true])).await;
    platform.settle().await;
    assert_eq!(platform.received(Token::Native).await, 0, "the use of the nonce is not final yet");
    platform.finalise().await;
    assert_eq!(platform.received(Token::Native).await, 990);
    platform.finalise().await;
    assert_eq!(platform.in_flight(platform.mec).await, 0);
    assert_eq!(open(&platform).await, vec![]);
    platform.in_order().await;
}

#[tokio::test]
async fn a_reverted_attempt_that_leaves_the_chain_does_not_block_later_ones() {
    let platform = Platform::new().await;
    platform.deposit(1_000).await;
    let (anvil, escrow) = (&platform.test_chain.anvil, platform.test_chain.deployment.escrow);
    anvil.mine(20).await;
    platform.settle().await;
    let before = anvil.node.head().await.unwrap();
    platform.test_chain.as_admin(&calls::pause(escrow)).await;
    platform.withdraw(platform.mec).await;
    assert_eq!(worker::payouts::step(&platform.worker).await.unwrap(), Next::Immediately);
    platform.test_chain.as_admin(&calls::unpause(escrow)).await;
    assert_eq!(platform.received(Token::Native).await, 0, "it reverted");
    platform.finalise().await;
    assert_eq!(platform.received(Token::Native).await, 990, "paid with the next nonce");
    assert_eq!(open(&platform).await.iter().map(|attempt| attempt.nonce).collect::<Vec<_>>(), [1]);

    let depth = anvil.node.head().await.unwrap() - before;
    anvil.reorganise(depth).await;
    assert_eq!(platform.received(Token::Native).await, 0);
    platform.settle().await;
    platform.finalise().await;
    assert_eq!(platform.received(Token::Native).await, 990, "once");
    let attempts = platform.database.count("select count(*) from payout_attempts").await;
    assert_eq!(attempts, 2, "the removed transactions are sent again");
    platform.finalise().await;
    assert_eq!(platform.in_flight(platform.mec).await, 0);
    assert_eq!(open(&platform).await, vec![]);
    platform.in_order().await;
}

#[tokio::test]
async fn the_fee_rises_only_after_new_blocks_and_never_above_the_ceiling() {
    let recorder = PrometheusBuilder::new().build_recorder();
    let _recorded = metrics::set_default_local_recorder(&recorder);
    let fee_ceiling_reached =
        |is: u8| recorder.handle().render().contains(&format!("mec2c_payouts_fee_ceiling_reached {is}\n"));
    let mut platform = Platform::new().await;
    platform.deposit(1_000).await;
    platform.withdraw(platform.mec).await;
    platform.worker.settings.stuck_after = chrono::Duration::zero();
    platform.worker.settings.most_fee_gwei = 4;
    sent_and_lost(&platform).await;
    let first = open(&platform).await.remove(0);
    for _ in 0..3 {
        assert_eq!(worker::payouts::step(&platform.worker).await.unwrap(), Next::Rest);
    }
    assert_eq!(open(&platform).await.len(), 1, "without a new block, a higher fee does not help");

    lose(&platform).await;
    for _ in 0..20 {
        platform.test_chain.anvil.mine(1).await;
        while worker::watch::step(&platform.worker).await.unwrap() == Next::Immediately {}
        worker::payouts::step(&platform.worker).await.unwrap();
        lose(&platform).await;
    }
    let attempts = open(&platform).await;
    assert!((2..20).contains(&attempts.len()), "{attempts:?}");
    let most = platform.worker.settings.most_fee();
    assert!(attempts.iter().all(|attempt| attempt.nonce == first.nonce && attempt.max_fee <= most), "{attempts:?}");
    assert!(attempts[0].max_fee > first.max_fee, "{attempts:?}");
    assert!(fee_ceiling_reached(1), "{}", recorder.handle().render());

    platform.test_chain.anvil.raw("evm_setAutomine", json!([true])).await;
    platform.settle().await;
    platform.finalise().await;
    assert_eq!(platform.received(Token::Native).await, 990, "it was not given up");
    assert!(fee_ceiling_reached(0), "{}", recorder.handle().render());
    platform.in_order().await;
}

#[tokio::test]
async fn an_attempt_behind_a_nonce_gap_is_paid_once_with_the_missing_nonce() {
    let platform = Platform::new().await;
    platform.deposit(1_000).await;
    let anvil = &platform.test_chain.anvil;
    let settler = Wallet::new(anvil.node.clone(), platform.test_chain.settler.clone(), CHAIN);
    anvil.mine(3).await;
    platform.settle().await;
    platform.withdraw(platform.mec).await;
    settler.send(&calls::transfer(Token::Native, settler.address(), Address([1; 20]), amount(1))).await.unwrap();
    // The attempt's nonce follows that of the foreign transaction. It is not mined before the foreign transaction
    // leaves the chain.
    sent_and_lost(&platform).await;
    assert_eq!(open(&platform).await.iter().map(|attempt| attempt.nonce).collect::<Vec<_>>(), [1]);
    anvil.reorganise(1).await;
    anvil.raw("evm_setAutomine", json!([true])).await;

    platform.settle().await;
    platform.finalise().await;
    platform.finalise().await;
    assert_eq!(platform.received(Token::Native).await, 990, "once, although nothing else is owed");
    assert_eq!(platform.in_flight(platform.mec).await, 0);
    assert_eq!(open(&platform).await, vec![]);
    platform.in_order().await;
}

#[tokio::test]
async fn a_node_that_pruned_old_state_blocks_no_payout() {
    let mut stage = Scripted::with_nodes(1).await;
    stage.worker.signer = Some(signer(1));
    let (anna, ben) = (stage.market.trader().await, stage.market.trader().await);
    stage.sends(&anna, mec("5"));
    stage.sends(&ben, mec("5"));
    stage.reads().await.unwrap();
    let context = &stage.worker.context;
    withdraw(context, anna.id(), stage.market.mec, "once").await.unwrap();
    assert_eq!(worker::payouts::step(&stage.worker).await.unwrap(), Next::Immediately);
    stage.script.mine();
    // The first nonce is used, but only the state of an older block, which the node has pruned, would show whether its
    // use is final.
    stage.nodes[0].set_forgetful(true);
    assert_eq!(worker::payouts::step(&stage.worker).await.unwrap(), Next::Rest);
    withdraw(context, ben.id(), stage.market.mec, "once").await.unwrap();
    assert_eq!(
        worker::payouts::step(&stage.worker).await.unwrap(),
        Next::Immediately,
        "the next payout is sent anyway"
    );
    let attempts = "select count(*) from payout_attempts where done_at is null";
    assert_eq!(stage.market.count(attempts).await, 2);
    stage.nodes[0].set_forgetful(false);
    stage.mines(CONFIRMATIONS + 1);
    stage.reads().await.unwrap();
    assert_eq!(stage.market.count(attempts).await, 0);
}
