//! Payout stops, and how an officer resumes payouts.

use app::Context;
use app::chain_ingest::Policy;
use app::console::{self, By, PayoutChain, UnlistedNft, VoidCall};
use async_trait::async_trait;
use chain::node::{At, Node};
use chrono::Duration;
use domain::assets::AssetId;
use domain::chain::{Address, Reference, Token, TxHash};
use domain::clock::Reading;
use domain::ledger::VaultAsset;
use domain::refusal::Refusal;
use domain::users::User;
use serde_json::json;
use store::console::audit::Subject;
use store::vault_stops::{self, Cause};
use testkit::users;

use crate::platform::{CONFIRMATIONS, Platform, differences, refused, resume, settle};

const REASON: &str = "the vault is whole again";

async fn decides(platform: &Platform, asset: AssetId) -> Result<(), Refusal> {
    resume(&platform.worker, asset, REASON).await
}

/// Finds no differences, but payouts stop once more during the comparison.
struct StopsMeanwhile(Context);

#[async_trait]
impl PayoutChain for StopsMeanwhile {
    async fn differences(&self, asset: AssetId) -> app::Result<Vec<String>> {
        app::chain::stop_payouts(&self.0, asset, "a vault is short").await?;
        Ok(Vec::new())
    }

    fn void_call(&self, _: Reference) -> app::Result<VoidCall> {
        unreachable!("nothing is voided")
    }

    async fn unlisted_nfts(&self, _: TxHash) -> app::Result<Vec<UnlistedNft>> {
        unreachable!("nothing is returned")
    }
}

async fn acts(platform: &Platform) -> Vec<String> {
    let mut tx = platform.database.store.begin().await.unwrap();
    testkit::market::officers::decisions_on(&mut tx, Subject::Asset(platform.mec)).await
}

#[tokio::test]
async fn payouts_of_a_stopped_asset_wait_for_agreement_with_the_chain_and_an_officer() {
    let platform = Platform::new().await;
    platform.deposit(1_000).await;
    platform.withdraw(platform.mec).await;
    let vault = platform.anna.vault.to_string();
    platform.test_chain.anvil.raw("anvil_setBalance", json!([vault, "0x1"])).await;
    platform.test_chain.anvil.mine(CONFIRMATIONS).await;
    while worker::watch::step(&platform.worker).await.unwrap() == worker::Next::Immediately {}
    worker::reconcile::step(&platform.worker).await.unwrap();
    platform.finalise().await;
    assert_eq!(platform.received(Token::Native).await, 0, "stopped");
    assert_eq!(platform.in_flight(platform.mec).await, 990, "still owed");
    let differences = differences(decides(&platform, platform.mec).await);
    assert!(differences.contains("holds 1 instead of 1000") && !differences.contains(';'), "{differences}");
    assert_eq!(acts(&platform).await, Vec::<String>::new());

    platform.test_chain.anvil.raw("anvil_setBalance", json!([vault, "0x3e8"])).await;
    platform.finalise().await;
    assert_eq!(platform.received(Token::Native).await, 0, "nothing resumes automatically");
    assert_eq!(decides(&platform, platform.usdt).await, Err(Refusal::NotFound));
    assert_eq!(decides(&platform, platform.mec).await, Ok(()));
    platform.settle().await;
    platform.finalise().await;
    assert_eq!(platform.received(Token::Native).await, 990);
    assert_eq!(decides(&platform, platform.mec).await, Err(Refusal::NotFound));
    assert_eq!(acts(&platform).await, ["olga resume: the vault is whole again"], "once");
    platform.in_order().await;
}

#[tokio::test]
async fn after_a_reorganization_of_final_blocks_an_officer_resumes_payouts() {
    let platform = Platform::new().await;
    platform.deposit(1_000).await;
    let mut wary = platform.worker.clone();
    wary.settings.policy = Policy { stop_on_deep_reorganisation: true };
    platform.test_chain.anvil.reorganise(CONFIRMATIONS + 1).await;
    settle(&wary).await;
    platform.deposit(700).await;
    let stopped = console::stopped(&platform.worker.context).await.unwrap();
    assert_eq!(stopped.iter().map(|one| one.asset.code.as_str()).collect::<Vec<_>>(), ["MEC", "USDT"]);
    assert!(stopped[0].stop.because.contains("reorganization"), "{stopped:?}");

    let context = &platform.worker.context;
    let by = &By::from("olga");
    let late = console::resume(context, &StopsMeanwhile(context.clone()), platform.mec, None, by, REASON).await;
    assert_eq!(refused(late), Err(Refusal::Stale));
    let again = console::stopped(&platform.worker.context).await.unwrap()[0].stop.again.clone();
    assert_eq!(again.map(|(_, because)| because), Some("a vault is short".to_owned()));

    assert_eq!(decides(&platform, platform.mec).await, Ok(()));
    assert_eq!(decides(&platform, platform.usdt).await, Ok(()));
    platform.withdraw(platform.mec).await;
    platform.settle().await;
    platform.finalise().await;
    assert_eq!(platform.received(Token::Native).await, 690);
    platform.in_order().await;
}

#[tokio::test]
async fn a_debt_after_a_reorganization_stops_only_its_vault_and_deposits_repay_it() {
    let platform = Platform::new().await;
    let ben = User { vault: platform.test_chain.vault(2), bound: Some(Address([0xb2; 20])), ..users::trader(2) };
    users::join(&platform.database.store, &ben).await;
    platform.deposit(1_000).await;
    platform.withdraw(platform.mec).await;
    platform.settle().await;
    platform.finalise().await;
    assert_eq!(platform.received(Token::Native).await, 990);
    // Remove the blocks of the deposit and of the payment, and all later blocks.
    platform.test_chain.anvil.reorganise(2 * CONFIRMATIONS + 2).await;
    platform.settle().await;
    platform.finalise().await;
    assert_eq!((platform.received(Token::Native).await, platform.in_flight(platform.mec).await), (0, 990));
    worker::reconcile::step(&platform.worker).await.unwrap();
    let stopped = async || {
        let coins = console::stopped(&platform.worker.context).await.unwrap().len();
        let vaults = console::stopped_vaults(&platform.worker.context).await.unwrap();
        (coins, vaults.into_iter().map(|one| (one.stop.address, one.stop.cause)).collect::<Vec<_>>())
    };
    let hers = (platform.anna.vault, Cause::Debt);
    assert_eq!(stopped().await, (2, vec![hers]), "the deep reorganization stops every asset first");

    // The ledger and the chain agree except for Anna's debt, so all other payouts can resume.
    assert_eq!(decides(&platform, platform.mec).await, Ok(()));
    assert_eq!(decides(&platform, platform.usdt).await, Ok(()));
    platform.test_chain.deposit(2, 500).await;
    platform.finalise().await;
    crate::platform::withdraw(&platform.worker.context, ben.id, platform.mec, "withdraw").await.unwrap();
    platform.settle().await;
    platform.finalise().await;
    let received = platform.test_chain.anvil.node.holding(Token::Native, ben.bound.unwrap(), At::Latest).await.unwrap();
    assert_eq!(i128::try_from(received).unwrap(), 490, "another vault");
    worker::reconcile::step(&platform.worker).await.unwrap();
    assert_eq!(stopped().await, (0, vec![hers]), "the asset is not stopped again");

    platform.deposit(400).await;
    assert_eq!(platform.free(platform.mec).await, 0, "it repays the debt");
    assert_eq!((platform.received(Token::Native).await, stopped().await), (0, (0, vec![hers])));
    platform.deposit(605).await;
    assert_eq!(platform.free(platform.mec).await, 5);
    assert_eq!(stopped().await, (0, vec![]), "a vault without debt resumes automatically");
    // The Escrow could not pay from the empty vault. After a backoff, the worker retries the leg.
    let mut tx = platform.database.store.begin().await.unwrap();
    store::clock::set(&mut tx, Reading::Running { shift: Duration::hours(1) }).await.unwrap();
    tx.commit().await.unwrap();
    platform.settle().await;
    platform.finalise().await;
    assert_eq!((platform.received(Token::Native).await, platform.in_flight(platform.mec).await), (990, 0));
    platform.in_order().await;
}

#[tokio::test]
async fn a_vault_stop_does_not_affect_the_payouts_of_other_vaults() {
    let platform = Platform::new().await;
    let ben = User { vault: platform.test_chain.vault(2), bound: Some(Address([0xb2; 20])), ..users::trader(2) };
    users::join(&platform.database.store, &ben).await;
    platform.test_chain.deposit(2, 500).await;
    platform.deposit(1_000).await;
    platform.withdraw(platform.mec).await;
    crate::platform::withdraw(&platform.worker.context, ben.id, platform.mec, "withdraw").await.unwrap();
    let vault_asset = VaultAsset { vault: platform.anna.id, asset: platform.mec };
    let mut tx = platform.database.store.begin().await.unwrap();
    let now = platform.worker.context.machine_now();
    vault_stops::stop(&mut tx, vault_asset, Cause::Debt, "she owes for a reorganisation", now).await.unwrap();
    tx.commit().await.unwrap();
    platform.settle().await;
    platform.finalise().await;
    let received = platform.test_chain.anvil.node.holding(Token::Native, ben.bound.unwrap(), At::Latest).await.unwrap();
    assert_eq!(i128::try_from(received).unwrap(), 490, "another vault");
    assert_eq!((platform.received(Token::Native).await, platform.in_flight(platform.mec).await), (0, 990));
    let stopped = console::stopped_vaults(&platform.worker.context).await.unwrap();
    assert_eq!(
        stopped.iter().map(|one| (one.stop.vault_asset, one.stop.address)).collect::<Vec<_>>(),
        [(vault_asset, platform.anna.vault)]
    );

    platform.deposit(100).await;
    let again = crate::platform::withdraw(&platform.worker.context, platform.anna.id, platform.mec, "more").await;
    assert!(matches!(again, Err(app::Error::Refused(domain::refusal::Refusal::MoneyStopped))), "{again:?}");
    let mut tx = platform.database.store.begin().await.unwrap();
    assert!(vault_stops::lift(&mut tx, vault_asset, Cause::Debt).await.unwrap());
    assert!(!vault_stops::lift(&mut tx, vault_asset, Cause::Debt).await.unwrap());
    tx.commit().await.unwrap();
    platform.finalise().await;
    assert_eq!(platform.received(Token::Native).await, 990);
}
