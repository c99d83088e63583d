use domain::chain::Token;
use worker::chain_identity;

use crate::platform::{CONFIRMATIONS, Platform};

#[tokio::test]
async fn an_unconfirmed_deposit_that_leaves_the_chain_is_removed() {
    let platform = Platform::new().await;
    platform.test_chain.deposit(1, 1_000).await;
    platform.settle().await;
    platform.test_chain.anvil.reorganise(1).await;
    platform.finalise().await;
    assert_eq!(platform.free(platform.mec).await, 0);
    platform.in_order().await;
}

#[tokio::test]
async fn a_credited_deposit_that_leaves_the_chain_is_reverted() {
    let platform = Platform::new().await;
    platform.deposit(1_000).await;
    assert_eq!(platform.free(platform.mec).await, 1_000);
    platform.test_chain.anvil.reorganise(CONFIRMATIONS + 1).await;
    platform.settle().await;
    assert_eq!(platform.free(platform.mec).await, 0);
    platform.in_order().await;
    // A new transfer is a separate deposit.
    platform.deposit(700).await;
    assert_eq!(platform.free(platform.mec).await, 700);
    platform.in_order().await;
}

#[tokio::test]
async fn a_payout_that_leaves_the_chain_is_paid_once_by_resending_the_same_bytes() {
    let platform = Platform::new().await;
    platform.deposit(1_000).await;
    platform.withdraw(platform.mec).await;
    platform.settle().await;
    platform.receives(Token::Native, 990).await;
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
async fn a_shorter_chain_is_an_ordinary_reorganization() {
    let platform = Platform::new().await;
    platform.deposit(1_000).await;
    platform.test_chain.anvil.raw("anvil_rollback", serde_json::json!([CONFIRMATIONS + 1])).await;
    platform.settle().await;
    assert_eq!(platform.free(platform.mec).await, 0);
    platform.in_order().await;
}

#[tokio::test]
async fn no_money_moves_on_another_chain_and_the_error_names_it() {
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
    let stopped = app::chain::known(&worker.context).await.unwrap().unwrap().stopped_because.unwrap();
    assert!(stopped.contains("genesis"), "{stopped}");
    let refused =
        crate::platform::withdraw(&worker.context, platform.anna.id, platform.mec, "while it is another").await;
    assert!(matches!(refused, Err(app::Error::Refused(domain::refusal::Refusal::MoneyStopped))), "{refused:?}");
    // The expected chain is back, so work resumes automatically.
    let watch = app::chain::watch(&platform.worker.context, 1).await.unwrap().unwrap();
    chain_identity::pass(&platform.worker, &watch).await.unwrap();
    platform.withdraw(platform.mec).await;
    platform.settle().await;
    platform.receives(Token::Native, 990).await;
}
