//! Tokens whose logs do not match their transfers.

use app::console;
use chain::calls::{self, Call};
use chain::node::NodeError;
use chain::scripted::{Fault, Method, Wrote};
use domain::assets::{AssetId, Home};
use domain::chain::{Address, Token};
use domain::money::Amount;
use domain::wallet::State;
use store::catalog;
use testkit::market::{CONFIRMATIONS, USDT_CONTRACT, mec, usdt};

use crate::anvil::{CHAIN, amount};
use crate::platform::{Platform, resume};
use crate::scripted::Scripted;

/// Returns the call that deploys the contract of an artifact, which has no parameters.
pub fn deployment(artifact: &str) -> Call {
    let artifact: serde_json::Value = serde_json::from_str(artifact).unwrap();
    let code = artifact["bytecode"]["object"].as_str().unwrap().trim_start_matches("0x");
    Call { to: None, value: Amount::ZERO, data: hex::decode(code).unwrap() }
}

/// Deploys a token that keeps a tenth of each transfer but logs the whole amount.
pub async fn lying_token(platform: &Platform) -> (Address, AssetId) {
    let call = deployment(include_str!("../../../../contracts/artifacts/DevLyingUsdt.json"));
    let contract = platform.test_chain.as_admin(&call).await.created.unwrap();
    let (escrow, token) = (platform.test_chain.deployment.escrow, Token::Erc20(contract));
    platform.test_chain.as_admin(&calls::list_asset(escrow, token, amount(10_i128.pow(30)))).await;
    let mut tx = platform.database.store.begin().await.unwrap();
    let home = Home::Chain { chain: CHAIN, token };
    let asset = catalog::put_asset(&mut tx, "LUSDT", 6, home, Amount::ZERO, amount(10)).await.unwrap();
    tx.commit().await.unwrap();
    (contract, asset)
}

#[tokio::test]
async fn a_token_transfer_is_credited_only_if_the_vault_holds_it() {
    let platform = Platform::new().await;
    let (contract, asset) = lying_token(&platform).await;
    let test_chain = &platform.test_chain;
    test_chain.as_admin(&calls::mint_dev_usdt(contract, platform.anna.vault, amount(5_000))).await;
    platform.finalise().await;
    assert_eq!(platform.free(asset).await, 5_000, "the log was correct");

    // A payout and a deposit become final in the same block.
    platform.withdraw(asset).await;
    platform.settle().await;
    test_chain.as_admin(&calls::mint_dev_usdt(contract, platform.anna.vault, amount(700))).await;
    platform.finalise().await;
    assert_eq!((platform.free(asset).await, platform.in_flight(asset).await), (700, 0));

    test_chain.as_admin(&calls::mint_dev_usdt(contract, test_chain.person.address(), amount(1_000))).await;
    let (from, to) = (test_chain.person.address(), platform.anna.vault);
    test_chain.as_person(&calls::transfer(Token::Erc20(contract), from, to, amount(1_000))).await;
    test_chain.deposit(1, 300).await;
    platform.finalise().await;
    assert_eq!(platform.free(asset).await, 700, "900 arrived and 1000 were logged");
    assert_eq!(platform.free(platform.mec).await, 300, "other assets are unaffected");
    let context = &platform.worker.context;
    let (records, _) = app::wallet::records::page(context, platform.anna.id, None, Some("LUSDT"), 0, 10).await.unwrap();
    assert_eq!((records[0].record.state, records[0].record.amount), (State::Failed, amount(1_000)), "users see it");
    let stopped = console::stopped(context).await.unwrap();
    assert_eq!(stopped.iter().map(|one| one.asset.id).collect::<Vec<_>>(), [asset]);
    assert!(stopped[0].stop.because.contains("holds 1610 of what should be 1710"), "{stopped:?}");

    assert_eq!(resume(&platform.worker, asset, "the token's owner was told").await, Ok(()));
    worker::reconcile::step(&platform.worker).await.unwrap();
    let mut tx = platform.database.store.begin().await.unwrap();
    assert_eq!(store::stops::all(&mut tx).await.unwrap(), vec![]);
    assert_eq!(store::ledger::disagreements(&mut tx).await.unwrap(), Vec::<String>::new());
}

#[tokio::test]
async fn balances_are_read_only_to_credit_tokens_and_pruned_state_only_delays_it() {
    let mut stage = Scripted::with_nodes(1).await;
    let anna = stage.market.trader().await;
    let gone = || Fault::Fails(NodeError::Fatal("missing trie node".to_owned()));
    stage.nodes[0].fail_next(Method::Holding, gone());
    stage.mines(CONFIRMATIONS + 2);
    stage.reads().await.expect("no balance is read");

    // Read far behind the head: the first ranges are older than the state that the node keeps.
    stage.worker.settings.blocks_at_once = 4;
    stage.script.transfer(Token::Erc20(USDT_CONTRACT), Address([0; 20]), anna.user.vault, usdt("5"));
    stage.mines(CONFIRMATIONS + 8);
    worker::watch::step(&stage.worker).await.unwrap();
    assert_eq!(anna.has_free(stage.market.usdt).await, usdt("0"));
    stage.reads().await.unwrap();
    assert_eq!(anna.has_free(stage.market.usdt).await, usdt("5"));

    // At the newest block, a missing state is an error and the step is retried.
    stage.nodes[0].fail_next(Method::Holding, gone());
    stage.script.transfer(Token::Erc20(USDT_CONTRACT), Address([0; 20]), anna.user.vault, usdt("2"));
    stage.mines(CONFIRMATIONS);
    stage.reads().await.unwrap_err();
    stage.reads().await.unwrap();
    assert_eq!(anna.has_free(stage.market.usdt).await, usdt("7"));
    stage.market.is_sound().await;
}

#[tokio::test]
async fn logged_amounts_whose_sum_overflows_block_nobody() {
    let stage = Scripted::with_nodes(1).await;
    let anna = stage.market.trader().await;
    let advert = anna.posts(anna.mec_for_krw("10", "1000")).await.unwrap();
    let mut to = [0; 32];
    to[12..].copy_from_slice(anna.user.vault.as_slice());
    let transfer: [u8; 32] =
        hex::decode("ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef").unwrap().try_into().unwrap();
    let mut data = [0; 32];
    data[16..].copy_from_slice(&(9 * 10_u128.pow(37)).to_be_bytes());
    for _ in 0..2 {
        let topics = vec![transfer, [0; 32], to];
        stage.script.write(Wrote { contract: USDT_CONTRACT, topics, data: data.to_vec() });
    }
    stage.script.mine();
    stage.reads().await.unwrap();
    app::wallet::balance::balance(&stage.worker.context, anna.id()).await.unwrap();
    stage.sends(&anna, mec("10"));
    stage.reads().await.unwrap();
    assert_eq!(stage.market.advert_state(advert).await, "ONLINE");
    assert_eq!(anna.has_free(stage.market.usdt).await, usdt("0"));
    assert_eq!(console::uncredited(&stage.worker.context).await.unwrap().len(), 2);
    stage.market.is_sound().await;
}
