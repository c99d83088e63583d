//! Checks the path from a confirmed deposit to a paid withdrawal.

use app::Error;
use domain::chain::Token;
use domain::refusal::Refusal;

use crate::anvil::amount;
use crate::platform::{CONFIRMATIONS, Platform, another, settle, withdraw};

#[tokio::test]
async fn a_deposit_is_credited_when_final_and_withdrawn_once() {
    let platform = Platform::new().await;
    platform.test_chain.deposit(1, 1_000).await;
    platform.settle().await;
    assert_eq!(platform.free(platform.mec).await, 0, "unconfirmed");
    platform.test_chain.anvil.mine(CONFIRMATIONS - 2).await;
    platform.settle().await;
    assert_eq!(platform.free(platform.mec).await, 0, "one confirmation is missing");
    platform.test_chain.anvil.mine(1).await;
    platform.settle().await;
    assert_eq!(platform.free(platform.mec).await, 1_000);

    platform.withdraw(platform.mec).await;
    assert_eq!(platform.in_flight(platform.mec).await, 990);
    platform.settle().await;
    platform.receives(Token::Native, 990).await;
    platform.finalise().await;
    assert_eq!(platform.in_flight(platform.mec).await, 0);
    assert_eq!(platform.received(Token::Native).await, 990);
    platform.in_order().await;
}

#[tokio::test]
async fn a_token_whose_transfer_returns_nothing_is_supported() {
    let platform = Platform::new().await;
    platform.test_chain.mint(platform.anna.vault, 5_000_000).await;
    platform.finalise().await;
    assert_eq!(platform.free(platform.usdt).await, 5_000_000);
    platform.withdraw(platform.usdt).await;
    platform.settle().await;
    platform.finalise().await;
    assert_eq!(platform.received(Token::Erc20(platform.test_chain.usdt)).await, 4_999_990);
    platform.in_order().await;
}

#[tokio::test]
async fn the_same_withdrawal_sent_again_is_the_same_withdrawal() {
    let platform = Platform::new().await;
    platform.deposit(1_000).await;
    let context = &platform.worker.context;
    let first = withdraw(context, platform.anna.id, platform.mec, "the same key").await.unwrap();
    let again = withdraw(context, platform.anna.id, platform.mec, "the same key").await.unwrap();
    assert_eq!(first, again);
    let other = withdraw(context, platform.anna.id, platform.mec, "another key").await.unwrap_err();
    assert!(matches!(other, Error::Refused(Refusal::BalanceShort { .. })), "{other}");
    platform.settle().await;
    platform.finalise().await;
    assert_eq!(platform.received(Token::Native).await, 990);
    platform.in_order().await;
}

#[tokio::test]
async fn of_two_concurrent_withdrawals_one_succeeds() {
    let platform = Platform::new().await;
    platform.deposit(1_000).await;
    let context = &platform.worker.context;
    let (one, other) = tokio::join!(
        withdraw(context, platform.anna.id, platform.mec, "from the phone"),
        withdraw(context, platform.anna.id, platform.mec, "from the laptop"),
    );
    assert!(one.is_ok() != other.is_ok(), "{one:?} {other:?}");
    platform.settle().await;
    platform.finalise().await;
    assert_eq!(platform.received(Token::Native).await, 990);
    platform.in_order().await;
}

#[tokio::test]
async fn a_withdrawal_below_its_gas_cost_is_refused() {
    let platform = Platform::new().await;
    platform.deposit(10).await;
    let refused = withdraw(&platform.worker.context, platform.anna.id, platform.mec, "too small").await.unwrap_err();
    assert!(matches!(refused, Error::Refused(Refusal::BelowGas { .. })), "{refused}");
    assert_eq!(platform.free(platform.mec).await, 10);
}

#[tokio::test]
async fn two_workers_pay_once() {
    let platform = Platform::new().await;
    platform.deposit(1_000).await;
    platform.withdraw(platform.mec).await;
    let second = another(&platform.database, &platform.test_chain.anvil.address);
    tokio::join!(settle(&platform.worker), settle(&second));
    platform.test_chain.anvil.mine(CONFIRMATIONS).await;
    tokio::join!(settle(&platform.worker), settle(&second));
    assert_eq!(platform.received(Token::Native).await, 990);
    assert_eq!(platform.in_flight(platform.mec).await, 0);
    platform.in_order().await;
}

#[tokio::test]
async fn coins_sent_without_a_log_are_credited_once() {
    let platform = Platform::new().await;
    platform.deposit(50).await;
    // Set the balance without a transaction or log, as a contract-internal transfer does.
    let vault = platform.anna.vault.to_string();
    platform.test_chain.anvil.raw("anvil_setBalance", serde_json::json!([vault, "0x41a"])).await;
    platform.finalise().await;
    assert_eq!(platform.free(platform.mec).await, 50, "nothing waits for them, so only reconciliation finds them");
    let second = another(&platform.database, &platform.test_chain.anvil.address);
    let (one, other) = tokio::join!(worker::reconcile::step(&platform.worker), worker::reconcile::step(&second));
    assert!(one.is_ok() && other.is_ok(), "{one:?} {other:?}");
    assert_eq!(platform.free(platform.mec).await, 1_050);
    platform.finalise().await;
    worker::reconcile::step(&platform.worker).await.unwrap();
    assert_eq!(platform.free(platform.mec).await, 1_050);
    // The coins can be withdrawn like any others, and later deposits are credited correctly.
    platform.withdraw(platform.mec).await;
    platform.settle().await;
    worker::reconcile::step(&platform.worker).await.unwrap();
    assert_eq!(platform.free(platform.mec).await, 0, "a payout that is not final is neither surplus nor shortage");
    platform.finalise().await;
    platform.deposit(7).await;
    worker::reconcile::step(&platform.worker).await.unwrap();
    assert_eq!((platform.free(platform.mec).await, platform.received(Token::Native).await), (7, 1_040));
    platform.in_order().await;
}

#[tokio::test]
async fn a_token_balance_above_its_logs_is_not_credited() {
    let platform = Platform::new().await;
    platform.test_chain.mint(platform.anna.vault, 5_000_000).await;
    platform.finalise().await;
    // Simulates a deposit that the ledger reverted while the token still reports it.
    let (mut tx, vault_asset) = (
        platform.database.store.begin().await.unwrap(),
        domain::ledger::VaultAsset { vault: platform.anna.id, asset: platform.usdt },
    );
    let fresh = || domain::ids::IdSource::fresh(&testkit::Ids, testkit::noon());
    let (payout, away) = (domain::ids::PayoutId(fresh()), amount(2_000_000));
    let out = domain::ledger::withdrawal(payout, vault_asset, away, amount(0));
    let paid = domain::ledger::payout_confirmed(payout, 1, 1, vault_asset, away);
    let postings = [out, paid].map(|posting| (domain::ids::PostingId(fresh()), posting));
    store::ledger::post(&mut tx, &postings, testkit::noon()).await.unwrap();
    tx.commit().await.unwrap();
    worker::reconcile::step(&platform.worker).await.unwrap();
    assert_eq!(platform.free(platform.usdt).await, 3_000_000);
}

#[tokio::test]
async fn a_vault_that_holds_less_than_the_ledger_says_stops_the_payouts_of_its_asset() {
    let platform = Platform::new().await;
    platform.deposit(1_000).await;
    platform
        .test_chain
        .anvil
        .raw("anvil_setBalance", serde_json::json!([platform.anna.vault.to_string(), "0x1"]))
        .await;
    platform.finalise().await;
    worker::reconcile::step(&platform.worker).await.unwrap();
    let mut tx = platform.database.store.begin().await.unwrap();
    let stops = store::stops::all(&mut tx).await.unwrap();
    assert_eq!(stops.len(), 1);
    assert_eq!(stops[0].asset, platform.mec);
}
