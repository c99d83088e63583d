//! A quorum of two out of three nodes.

use chain::node::Log;
use chain::scripted::ScriptedNode;
use domain::chain::{BlockRef, TxHash};
use testkit::market::{CONFIRMATIONS, USDT_CONTRACT, mec, usdt};

use crate::scripted::Scripted;

fn word(bytes: &[u8]) -> [u8; 32] {
    let mut word = [0; 32];
    word[32 - bytes.len()..].copy_from_slice(bytes);
    word
}

#[tokio::test]
async fn a_transfer_that_only_one_node_reports_is_not_credited() {
    let stage = Scripted::with_nodes(3).await;
    let anna = stage.market.trader().await;
    let advert = anna.posts(anna.mec_for_krw("10", "1000")).await.unwrap();
    let block = stage.script.mine();
    let transfer: [u8; 32] =
        hex::decode("ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef").unwrap().try_into().unwrap();
    let lie = |block: BlockRef| Log {
        contract: USDT_CONTRACT,
        topics: vec![transfer, [0; 32], word(anna.user.vault.as_slice())],
        data: word(&1_000_000_u64.to_be_bytes()).to_vec(),
        block: block.number,
        block_hash: block.hash,
        tx: TxHash([9; 32]),
        index: 0,
    };
    stage.nodes[1].forge(vec![lie(block)]);
    stage.sends(&anna, mec("10"));
    stage.reads().await.unwrap();
    assert_eq!(stage.market.advert_state(advert).await, "ONLINE", "two nodes agree");
    assert_eq!(anna.has_free(stage.market.usdt).await, usdt("0"), "only one node reports it");

    // With one node down, one lying node disagrees with one honest node. Nothing is credited, and nothing is lost.
    stage.nodes[0].set_down(true);
    stage.nodes[1].forge(vec![lie(stage.script.mine())]);
    stage.sends(&anna, mec("3"));
    assert!(stage.reads().await.is_err());
    assert_eq!(anna.has_free(stage.market.mec).await, mec("0"));
    stage.nodes[0].set_down(false);
    stage.reads().await.unwrap();
    assert_eq!(anna.has_free(stage.market.mec).await, mec("3"));
    assert_eq!(anna.has_free(stage.market.usdt).await, usdt("0"));
    stage.market.is_sound().await;
}

#[tokio::test]
async fn one_bad_node_blocks_nothing_and_with_two_nothing_is_credited() {
    let spoils: [fn(&ScriptedNode, bool); 2] =
        [|node, on| node.set_lag(if on { 5 } else { 0 }), |node, on| node.set_down(on)];
    for spoil in spoils {
        let stage = Scripted::with_nodes(3).await;
        let anna = stage.market.trader().await;
        stage.mines(6);
        stage.reads().await.unwrap();
        spoil(&stage.nodes[2], true);
        stage.sends(&anna, mec("1"));
        stage.reads().await.unwrap();
        assert_eq!(anna.has_free(stage.market.mec).await, mec("1"));
        spoil(&stage.nodes[1], true);
        stage.sends(&anna, mec("1"));
        // Ignore whether this succeeds: a lagging node answers, but a node that is down does not. In both cases,
        // nothing is credited.
        let _ = stage.reads().await;
        assert_eq!(anna.has_free(stage.market.mec).await, mec("1"), "only one node reports it");
        spoil(&stage.nodes[1], false);
        stage.mines(CONFIRMATIONS);
        stage.reads().await.unwrap();
        assert_eq!(anna.has_free(stage.market.mec).await, mec("2"));
        stage.market.is_sound().await;
    }
}
