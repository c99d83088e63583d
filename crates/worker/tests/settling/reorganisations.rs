//! The chain changes its mind.

use domain::chain::Token;
use worker::chain_identity;

use crate::platform::{CONFIRMATIONS, Platform};

#[tokio::test]
async fn a_deposit_that_leaves_the_chain_before_it_counts_never_was() {
    let platform = Platform::new().await;
    platform.test_chain.deposit(1, 1_000).await;
    platform.settle().await;
    platform.test_chain.anvil.reorganise(1).await;
    platform.finalise().await;
    assert_eq!(platform.free(platform.mec).await, 0);
    platform.in_order().await;
}

#[tokio::test]
async fn a_deposit_that_leaves_the_chain_after_it_counted_is_taken_back() {
    let platform = Platform::new().await;
    platform.deposit(1_000).await;
    assert_eq!(platform.free(platform.mec).await, 1_000);
    platform.test_chain.anvil.reorganise(CONFIRMATIONS + 1).await;
    platform.settle().await;
    assert_eq!(platform.free(platform.mec).await, 0);
    platform.in_order().await;
    // The person sends again: that is another deposit.
    platform.deposit(700).await;
    assert_eq!(platform.free(platform.mec).await, 700);
    platform.in_order().await;
}

#[tokio::test]
async fn a_payout_that_leaves_the_chain_is_paid_again_by_the_same_bytes_and_once() {
    let platform = Platform::new().await;
    platform.deposit(1_000).await;
    platform.withdraw(platform.mec).await;
    platform.settle().await;
    assert_eq!(platform.received(Token::Native).await, 990);
    platform.test_chain.anvil.reorganise(1).await;
    platform.settle().await;
    platform.finalise().await;
    assert_eq!(platform.received(Token::Native).await, 990);
    assert_eq!(platform.in_flight(platform.mec).await, 0);
    platform.in_order().await;
}

#[tokio::test]
async fn a_payout_that_leaves_the_chain_after_it_was_final_is_owed_and_paid_again() {
    let platform = Platform::new().await;
    platform.deposit(1_000).await;
    platform.test_chain.anvil.mine(20).await;
    platform.settle().await;
    platform.withdraw(platform.mec).await;
    platform.settle().await;
    platform.finalise().await;
    assert_eq!(platform.in_flight(platform.mec).await, 0);
    platform.test_chain.anvil.reorganise(CONFIRMATIONS + 1).await;
    worker::watch::step(&platform.worker).await.unwrap();
    assert_eq!(platform.in_flight(platform.mec).await, 990, "owed again");
    platform.settle().await;
    platform.finalise().await;
    assert_eq!(platform.in_flight(platform.mec).await, 0);
    assert_eq!(platform.received(Token::Native).await, 990);
    platform.in_order().await;
}

#[tokio::test]
async fn a_chain_that_became_shorter_is_an_ordinary_reorganisation() {
    let platform = Platform::new().await;
    platform.deposit(1_000).await;
    platform.test_chain.anvil.raw("anvil_rollback", serde_json::json!([CONFIRMATIONS + 1])).await;
    platform.settle().await;
    assert_eq!(platform.free(platform.mec).await, 0);
    platform.in_order().await;
}

#[tokio::test]
async fn another_chain_moves_no_money_and_is_named() {
    let platform = Platform::new().await;
    platform.deposit(1_000).await;
    let other = Platform::new().await;
    let mut worker = platform.worker.clone();
    worker.node = other.worker.node.clone();
    other
        .test_chain
        .anvil
        .raw("anvil_setCode", serde_json::json!([other.test_chain.deployment.escrow.to_string(), "0x00"]))
        .await;
    let error = worker::watch::step(&worker).await.unwrap_err();
    assert!(matches!(error, worker::Error::OtherChain(_)), "{error}");
    let stopped = app::chain::progress(&worker.context).await.unwrap().unwrap().stopped_because.unwrap();
    assert!(stopped.contains("genesis"), "{stopped}");
    let refused =
        crate::platform::withdraw(&worker.context, platform.anna.id, platform.mec, "while it is another").await;
    assert!(matches!(refused, Err(app::Error::Refused(domain::refusal::Refusal::MoneyStopped))), "{refused:?}");
    // Ours again: it goes on by itself.
    let watch = app::chain::watch(&platform.worker.context, 1).await.unwrap().unwrap();
    chain_identity::pass(&platform.worker, &watch).await.unwrap();
    platform.withdraw(platform.mec).await;
    platform.settle().await;
    assert_eq!(platform.received(Token::Native).await, 990);
}
