//! Several nodes, of which some lag, lie or fail.

use std::sync::Arc;

use chain::holdings;
use chain::node::{NodeError, SendError};
use chain::quorum::QuorumNode;
use chain::scripted::{Fault, Method};
use domain::chain::TxHash;
use ruint::aliases::U256;

use super::*;

fn shared(node: &ScriptedNode) -> Arc<dyn Node> {
    Arc::new(node.clone())
}

fn three(script: &Script, needed: usize) -> (Vec<ScriptedNode>, QuorumNode) {
    let nodes: Vec<_> = (0..3).map(|_| script.node()).collect();
    let all = nodes.iter().map(|node| shared(node)).collect();
    (nodes, QuorumNode::new(all, needed).unwrap())
}

#[tokio::test]
async fn an_impossible_quorum_is_refused() {
    let (_, node) = script();
    for needed in [0, 2] {
        assert!(QuorumNode::new(vec![Arc::new(node.clone())], needed).is_err());
    }
}

#[tokio::test]
async fn a_quorum_tolerates_one_node_that_lies_lags_or_is_down() {
    let (script, _) = script();
    for _ in 0..5 {
        script.transfer(Token::Erc20(USDT), ZERO, vault(1), Amount::ONE);
        script.mine();
    }
    let spoil: [fn(&ScriptedNode); 3] =
        [|node| node.set_down(true), |node| node.set_lag(3), |node| node.set_blind(true)];
    for spoil in spoil {
        let (nodes, quorum) = three(&script, 2);
        spoil(&nodes[0]);
        let mut reader = Reader::default();
        reader.catch_up(&quorum).await;
        assert_eq!((reader.known[0].number, reader.sum(Token::Erc20(USDT))), (5, 5));
    }
}

#[tokio::test]
async fn the_answer_of_a_single_node_is_not_used() {
    let (script, _) = script();
    let block = script.mine();
    let (nodes, quorum) = three(&script, 2);
    let forged = chain::node::Log {
        contract: USDT,
        topics: vec![transfer_topic(), [0; 32], topic(vault(1))],
        data: U256::from(1_000_000).to_be_bytes::<32>().to_vec(),
        block: block.number,
        block_hash: block.hash,
        tx: TxHash([9; 32]),
        index: 0,
    };
    nodes[0].forge(vec![forged.clone()]);
    let mut alone = Reader::default();
    alone.catch_up(&nodes[0]).await;
    assert_eq!(alone.sum(Token::Erc20(USDT)), 1_000_000, "a single node would have been believed");
    let mut reader = Reader::default();
    reader.catch_up(&quorum).await;
    assert_eq!(reader.received, []);
    // With another node down, the lying and the honest node disagree, so the quorum has no answer.
    nodes[1].set_down(true);
    assert_eq!(next(&quorum, &[]).await, Err(WatchError::Node(NodeError::Disagreement("logs"))));
    nodes[2].set_down(true);
    assert!(next(&quorum, &[]).await.unwrap_err().is_transient());
}

#[tokio::test]
async fn a_failing_token_needs_a_quorum_and_its_message_is_truncated() {
    let (script, _) = script();
    let (nodes, quorum) = three(&script, 2);
    let token = Token::Erc20(USDT);
    script.transfer(token, Address([0; 20]), vault(1), amount(7));
    let block = script.mine().hash;
    let mute = || Fault::Fails(NodeError::Contract(format!("revert\0{}", "!".repeat(5_000))));
    let held = async || holdings::at_block(&quorum, block, &[(vault(1), token), (vault(2), Token::Native)]).await;

    nodes[0].fail_next(Method::Holding, mute());
    assert_eq!(held().await, Ok(vec![Ok(amount(7)), Ok(amount(0))]), "only one node reports it");
    for node in &nodes[..2] {
        node.fail_next(Method::Holding, mute());
    }
    let both = held().await.unwrap();
    let Err(why) = &both[0] else { panic!("{both:?}") };
    assert!(why.0.starts_with("revert!!") && why.0.len() == 200, "{why}");
    assert_eq!(both[1], Ok(amount(0)), "other balances are known");

    // With one of the three nodes down, a single report is not enough.
    nodes[0].fail_next(Method::Holding, mute());
    nodes[1].set_down(true);
    assert!(held().await.unwrap_err().is_transient());
}

#[tokio::test]
async fn a_balance_that_does_not_fit_into_an_answer_with_others_is_asked_for_alone() {
    let (script, _) = script();
    let node = script.node();
    let token = Token::Erc20(USDT);
    script.transfer(token, Address([0; 20]), vault(1), amount(7));
    let block = script.mine().hash;
    let held = async || holdings::at_block(&node, block, &[(vault(1), token), (vault(2), token)]).await;
    let too_much = NodeError::TooMuch("response too large".to_owned());
    node.fail_next(Method::Holding, Fault::Fails(too_much.clone()));
    assert_eq!(held().await, Ok(vec![Ok(amount(7)), Ok(amount(0))]));
    for _ in 0..3 {
        node.fail_next(Method::Holding, Fault::Fails(too_much.clone()));
    }
    assert_eq!(held().await, Err(too_much), "it does not fit alone either");
}

#[tokio::test]
async fn the_head_is_what_enough_nodes_have_reached() {
    let (script, _) = script();
    for _ in 0..10 {
        script.mine();
    }
    let (nodes, quorum) = three(&script, 2);
    nodes[0].set_lag(7);
    nodes[1].set_lag(2);
    assert_eq!(quorum.head().await, Ok(8));
    nodes[2].set_down(true);
    assert_eq!(quorum.head().await, Ok(3));
    nodes[1].set_down(true);
    assert!(quorum.head().await.unwrap_err().is_transient());
}

#[tokio::test]
async fn a_range_that_one_node_refuses_shrinks_for_all_nodes() {
    let (script, _) = script();
    for _ in 0..100 {
        script.transfer(Token::Erc20(USDT), ZERO, vault(1), Amount::ONE);
        script.mine();
    }
    let (nodes, quorum) = three(&script, 3);
    nodes[1].set_most_blocks(Some(4));
    let mut reader = Reader::default();
    reader.catch_up(&quorum).await;
    assert_eq!(reader.sum(Token::Erc20(USDT)), 100);
}

#[tokio::test]
async fn responses_of_several_nodes_to_a_send_are_ranked() {
    let (script, _) = script();
    let (nodes, quorum) = three(&script, 2);
    let attempt = signed(vec![leg(1, 10)], 0, fees(100)).await;
    let refuse = |error: SendError| {
        nodes.iter().take(2).for_each(|node| node.fail_next(Method::Send, Fault::Refuses(error.clone())));
    };
    refuse(SendError::Refused("no".to_owned()));
    assert_eq!(quorum.send(&attempt.raw).await, Ok(attempt.hash), "one node that accepts it is enough");
    refuse(SendError::NonceTooLow);
    assert_eq!(quorum.send(&attempt.raw).await, Err(SendError::AlreadyKnown));
    refuse(SendError::NonceTooLow);
    nodes[2].fail_next(Method::Send, Fault::LosesAnswer);
    let unknown = quorum.send(&attempt.raw).await;
    assert!(matches!(unknown, Err(SendError::Unknown(_))), "a node may have accepted it: {unknown:?}");
}
