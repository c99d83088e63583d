//! Deposit confirmed → withdrawal paid.

use app::Error;
use domain::chain::Token;
use domain::refusal::Refusal;

use crate::anvil::amount;
use crate::platform::{CONFIRMATIONS, Platform, another, settle, withdraw};

#[tokio::test]
async fn coins_become_money_when_they_are_deep_enough_and_leave_once() {
    let platform = Platform::new().await;
    platform.test_chain.deposit(1, 1_000).await;
    platform.settle().await;
    assert_eq!(platform.free(platform.mec).await, 0, "seen is not money");
    platform.test_chain.anvil.mine(CONFIRMATIONS - 2).await;
    platform.settle().await;
    assert_eq!(platform.free(platform.mec).await, 0, "one confirmation is missing");
    platform.test_chain.anvil.mine(1).await;
    platform.settle().await;
    assert_eq!(platform.free(platform.mec).await, 1_000);

    platform.withdraw(platform.mec).await;
    assert_eq!(platform.in_flight(platform.mec).await, 990);
    platform.settle().await;
    assert_eq!(platform.received(Token::Native).await, 990);
    platform.finalise().await;
    assert_eq!(platform.in_flight(platform.mec).await, 0);
    assert_eq!(platform.received(Token::Native).await, 990);
    platform.in_order().await;
}

#[tokio::test]
async fn a_token_that_returns_nothing_is_money_too() {
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
async fn two_withdrawals_at_once_are_one() {
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
async fn what_does_not_pay_for_its_own_gas_stays() {
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
async fn coins_that_a_contract_sends_without_a_trace_are_found_once() {
    let platform = Platform::new().await;
    platform.deposit(50).await;
    // Put there without transaction or log, as a contract's internal transfer would.
    let vault = platform.anna.vault.to_string();
    platform.test_chain.anvil.raw("anvil_setBalance", serde_json::json!([vault, "0x41a"])).await;
    platform.finalise().await;
    assert_eq!(platform.free(platform.mec).await, 50, "nobody waits for it here: reconciliation finds it");
    let second = another(&platform.database, &platform.test_chain.anvil.address);
    let (one, other) = tokio::join!(worker::reconcile::step(&platform.worker), worker::reconcile::step(&second));
    assert!(one.is_ok() && other.is_ok(), "{one:?} {other:?}");
    assert_eq!(platform.free(platform.mec).await, 1_050);
    platform.finalise().await;
    worker::reconcile::step(&platform.worker).await.unwrap();
    assert_eq!(platform.free(platform.mec).await, 1_050);
    // It leaves like any other money, and what comes next counts from there.
    platform.withdraw(platform.mec).await;
    platform.settle().await;
    worker::reconcile::step(&platform.worker).await.unwrap();
    assert_eq!(platform.free(platform.mec).await, 0, "a payout that is not final yet is no surplus and no shortage");
    platform.finalise().await;
    platform.deposit(7).await;
    worker::reconcile::step(&platform.worker).await.unwrap();
    assert_eq!((platform.free(platform.mec).await, platform.received(Token::Native).await), (7, 1_040));
    platform.in_order().await;
}

#[tokio::test]
async fn a_token_that_claims_more_than_its_logs_is_not_believed() {
    let platform = Platform::new().await;
    platform.test_chain.mint(platform.anna.vault, 5_000_000).await;
    platform.finalise().await;
    // As a deposit that the books took back while the token still says that it is there.
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
async fn a_vault_that_holds_less_than_the_books_say_stops_the_payouts_of_its_coin() {
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
