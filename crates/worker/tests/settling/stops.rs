//! The circuit breaker, and how an officer lets payouts go on.

use app::chain_feed::Policy;
use app::officers::{self, Resumption};
use chrono::Duration;
use domain::chain::Token;
use domain::clock::Reading;
use serde_json::json;
use worker::stops::{Resumed, resume};

use crate::platform::{CONFIRMATIONS, Platform, settle};

fn decision(asset: &str) -> Resumption {
    Resumption { asset: asset.to_owned(), officer: "olga".to_owned(), reason: "the vault is whole again".to_owned() }
}

async fn decides(platform: &Platform, asset: &str) -> Resumed {
    resume(&platform.worker.context, platform.worker.node.as_ref(), &decision(asset)).await.unwrap()
}

async fn acts(platform: &Platform) -> Vec<String> {
    let mut tx = platform.database.store.begin().await.unwrap();
    let acts = store::officers::acts_on(&mut tx, platform.mec).await.unwrap();
    acts.into_iter().map(|(officer, act, reason, _)| format!("{officer} {act}: {reason}")).collect()
}

#[tokio::test]
async fn payouts_of_a_stopped_coin_wait_and_go_on_once_books_and_chain_agree_and_an_officer_says_so() {
    let platform = Platform::new().await;
    platform.deposit(1_000).await;
    platform.withdraw(platform.mec).await;
    let vault = platform.anna.vault.to_string();
    platform.world.anvil.raw("anvil_setBalance", json!([vault, "0x1"])).await;
    platform.world.anvil.mine(CONFIRMATIONS).await;
    while worker::watch::step(&platform.worker).await.unwrap() == worker::Pace::Again {}
    worker::reconcile::step(&platform.worker).await.unwrap();
    platform.finalise().await;
    assert_eq!(platform.received(Token::Native).await, 0, "stopped");
    assert_eq!(platform.in_flight(platform.mec).await, 990, "and owed");
    let Resumed::Disagree(differences) = decides(&platform, "MEC").await else { panic!("books and chain disagree") };
    assert_eq!(differences.len(), 1);
    assert!(differences[0].contains("holds 1 of what should be 1000"), "{differences:?}");
    assert_eq!(acts(&platform).await, Vec::<String>::new());

    platform.world.anvil.raw("anvil_setBalance", json!([vault, "0x3e8"])).await;
    platform.finalise().await;
    assert_eq!(platform.received(Token::Native).await, 0, "nothing goes on by itself");
    assert_eq!(decides(&platform, "USDT").await, Resumed::NotStopped);
    assert_eq!(decides(&platform, "MEC").await, Resumed::Done);
    platform.settle().await;
    platform.finalise().await;
    assert_eq!(platform.received(Token::Native).await, 990);
    assert_eq!(decides(&platform, "MEC").await, Resumed::NotStopped);
    assert_eq!(acts(&platform).await, ["olga resume: the vault is whole again"], "once");
    platform.in_order().await;
}

#[tokio::test]
async fn after_a_reorganisation_of_what_was_final_payouts_go_on_when_an_officer_says_so() {
    let platform = Platform::new().await;
    platform.deposit(1_000).await;
    let mut wary = platform.worker.clone();
    wary.settings.policy = Policy { stop_on_deep_reorganisation: true };
    platform.world.anvil.reorganise(CONFIRMATIONS + 1).await;
    settle(&wary).await;
    platform.deposit(700).await;
    let stopped = officers::stopped(&platform.worker.context).await.unwrap();
    assert_eq!(stopped.iter().map(|one| one.asset.code.as_str()).collect::<Vec<_>>(), ["MEC", "USDT"]);
    assert!(stopped[0].stop.because.contains("reorganisation"), "{stopped:?}");

    // A reason that came after the officer had read is not passed over.
    app::chain::stop_payouts(&platform.worker.context, platform.mec, "a vault is short").await.unwrap();
    assert!(!officers::resume(&platform.worker.context, &stopped[0], &decision("MEC")).await.unwrap());
    let again = officers::stopped(&platform.worker.context).await.unwrap()[0].stop.again.clone();
    assert_eq!(again.map(|(_, because)| because), Some("a vault is short".to_owned()));

    assert_eq!(decides(&platform, "MEC").await, Resumed::Done);
    assert_eq!(decides(&platform, "USDT").await, Resumed::Done);
    platform.withdraw(platform.mec).await;
    platform.settle().await;
    platform.finalise().await;
    assert_eq!(platform.received(Token::Native).await, 690);
    platform.in_order().await;
}

#[tokio::test]
async fn while_somebody_owes_for_a_reorganisation_payouts_stay_stopped_and_what_comes_pays_it() {
    let platform = Platform::new().await;
    platform.deposit(1_000).await;
    platform.withdraw(platform.mec).await;
    platform.settle().await;
    platform.finalise().await;
    assert_eq!(platform.received(Token::Native).await, 990);
    // The block of the deposit, that of the payment, and all behind them.
    platform.world.anvil.reorganise(2 * CONFIRMATIONS + 2).await;
    platform.settle().await;
    platform.finalise().await;
    assert_eq!((platform.received(Token::Native).await, platform.in_flight(platform.mec).await), (0, 990));
    let refused = async || match decides(&platform, "MEC").await {
        Resumed::Disagree(differences) => differences.concat(),
        other => panic!("the vault is short: {other:?}"),
    };
    assert!(refused().await.contains("holds 0 of what should be 1000"));
    platform.deposit(400).await;
    assert_eq!(platform.free(platform.mec).await, 0, "it pays the debt");
    assert!(refused().await.contains("owes 600"));
    platform.deposit(605).await;
    assert_eq!(platform.free(platform.mec).await, 5);
    assert_eq!(decides(&platform, "MEC").await, Resumed::Done);
    assert_eq!(decides(&platform, "USDT").await, Resumed::Done);
    // The Escrow could not pay out of the empty vault: it is tried again after a while.
    let mut tx = platform.database.store.begin().await.unwrap();
    store::clock::set(&mut tx, Reading::Running { shift: Duration::hours(1) }).await.unwrap();
    tx.commit().await.unwrap();
    platform.settle().await;
    platform.finalise().await;
    assert_eq!((platform.received(Token::Native).await, platform.in_flight(platform.mec).await), (990, 0));
    platform.in_order().await;
}
