//! Reading the chain: invalid logs, ranges that shrink or fail, and reorganizations.

use chain::node::{At, LogFilter, LogRange, NodeError};
use chain::scripted::{Fault, Method, Wrote};
use chain::settlements;
use domain::chain::{BlockHash, SettlementOutcome};
use proptest::prelude::*;
use ruint::aliases::U256;

use super::*;

#[tokio::test]
async fn the_same_script_gives_the_same_chain() {
    let play = || {
        let (script, _) = script();
        script.transfer(Token::Native, ZERO, PERSON, amount(5));
        script.mine();
        script.reorganise(1);
        script.mine()
    };
    assert_eq!(play(), play());
}

#[tokio::test]
async fn a_past_balance_does_not_depend_on_the_order_of_later_transfers() {
    let (script, node) = script();
    script.transfer(Token::Native, ZERO, PERSON, amount(5));
    let before = script.mine();
    script.transfer(Token::Native, ZERO, PERSON, amount(10));
    script.transfer(Token::Native, PERSON, BUYER, amount(12));
    script.mine();
    assert_eq!(node.holding(Token::Native, PERSON, At::Latest).await, Ok(U256::from(3)));
    assert_eq!(node.holding(Token::Native, PERSON, At::Block(before.hash)).await, Ok(U256::from(5)));
}

#[tokio::test]
async fn invalid_logs_are_ignored() {
    let (script, node) = script();
    let usdt = Token::Erc20(USDT);
    script.transfer(usdt, ZERO, vault(1), amount(10));
    script.transfer(usdt, PERSON, vault(1), amount(10));
    script.failing_transfer(Token::Native, ZERO, vault(1), amount(10));
    script.transfer(Token::Erc20(Address([0xff; 20])), ZERO, vault(1), amount(10));
    script.transfer(usdt, ZERO, vault(1), amount(0));
    // Invalid logs: an amount above the maximum, data that is too short, an address with a nonzero prefix, and an
    // ERC-20 log in the form of an ERC-721 log.
    let (transfer, to) = (transfer_topic(), topic(vault(1)));
    let data = |first: u8, length: usize| std::iter::once(first).chain(std::iter::repeat_n(0, length - 1)).collect();
    let mut odd = to;
    odd[0] = 1;
    for (topics, data) in [
        (vec![transfer, [0; 32], to], data(1, 32)),
        (vec![transfer, [0; 32], to], data(0, 31)),
        (vec![transfer, [0; 32], odd], vec![1; 32]),
        (vec![transfer, [0; 32], to, [1; 32]], Vec::new()),
        (vec![transfer], vec![1; 32]),
    ] {
        script.write(Wrote { contract: USDT, topics, data });
    }
    script.mine();
    let mut reader = Reader::default();
    reader.catch_up(&node).await;
    assert_eq!(reader.received, [(1, usdt, amount(10))], "only the first is reported");
}

#[tokio::test]
async fn ranges_shrink_while_the_node_refuses_them() {
    let (script, node) = script();
    for _ in 0..200 {
        script.transfer(Token::Erc20(USDT), ZERO, vault(1), Amount::ONE);
        script.mine();
    }
    node.set_most_blocks(Some(3));
    let mut reader = Reader::default();
    reader.catch_up(&node).await;
    assert_eq!(reader.sum(Token::Erc20(USDT)), 200);
}

#[tokio::test]
async fn a_failure_within_a_range_yields_no_partial_range() {
    let (script, node) = script();
    for _ in 0..100 {
        script.transfer(Token::Erc20(USDT), ZERO, vault(1), Amount::ONE);
        script.transfer(Token::Native, ZERO, vault(1), Amount::ONE);
        script.mine();
    }
    let gone = NodeError::Transient("gone".to_owned());
    for method in [Method::Head, Method::Block, Method::Logs, Method::Succeeded] {
        node.fail_next(method, Fault::Fails(gone.clone()));
        let error = next(&node, &[]).await.unwrap_err();
        assert!(error.is_transient(), "{method:?}: {error}");
    }
    node.set_down(true);
    assert!(next(&node, &[]).await.unwrap_err().is_transient());
    node.set_down(false);
    let mut reader = Reader::default();
    reader.catch_up(&node).await;
    assert_eq!((reader.sum(Token::Erc20(USDT)), reader.sum(Token::Native)), (100, 100));
}

#[tokio::test]
async fn logs_of_another_branch_are_rejected() {
    let (script, node) = script();
    script.transfer(Token::Erc20(USDT), ZERO, vault(1), amount(5));
    let block = script.mine();
    let mut forged = node
        .logs(LogRange::Block(block.hash), &LogFilter { contracts: vec![USDT], events: vec![transfer_topic()] })
        .await
        .unwrap();
    forged[0].block = 9;
    node.forge(forged);
    let error = next(&node, &[]).await.unwrap_err();
    assert!(matches!(error, WatchError::Inconsistent(_)), "{error}");
}

#[tokio::test]
async fn a_void_is_reported_and_a_second_one_fails() {
    let (script, node) = script();
    script.void(Reference(4));
    script.mine();
    script.void(Reference(4));
    script.mine();
    let update = next(&node, &[]).await.unwrap().unwrap();
    let told: Vec<_> = update.blocks.iter().flat_map(|b| &b.settlements).map(|s| (s.reference, s.outcome)).collect();
    assert_eq!(told, [(Reference(4), SettlementOutcome::Voided)]);
}

#[test]
fn events_have_distinct_topics() {
    let events: HashSet<_> = settlements::events().into_iter().collect();
    assert_eq!(events.len(), 3);
    assert!(!events.contains(&BlockHash([0; 32]).0));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Checks that after any reorganizations between two reads, the reader agrees exactly with the chain, and that each
    /// reference is paid at most once.
    #[test]
    fn a_reader_always_agrees_with_the_chain_after_catching_up(steps in prop::collection::vec((0_u8..5, 1_usize..70), 1..25)) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(async {
            let (script, node) = script();
            let mut reader = Reader::default();
            let attempt = signed(vec![leg(1, 1)], 0, fees(100)).await;
            for (kind, size) in steps {
                match kind {
                    0 => { script.transfer(Token::Native, ZERO, vault(1), amount(10)); }
                    1 => { script.transfer(Token::Erc20(USDT), ZERO, vault(1), amount(10)); }
                    2 => script.reorganise(size),
                    3 => script.rewind(size, size % 2 == 0),
                    _ => reader.catch_up(&node).await,
                }
                let _ = node.send(&attempt.raw).await;
                script.mine();
            }
            reader.catch_up(&node).await;
            let mut fresh = Reader::default();
            fresh.catch_up(&node).await;
            assert_eq!(reader.known, fresh.known);
            assert_eq!(reader.received, fresh.received);

            let paid = i128::from(DEPLOYMENT.is_spent(&node, Reference(1), At::Latest).await.unwrap());
            for token in [Token::Native, Token::Erc20(USDT)] {
                let held = node.holding(token, vault(1), At::Latest).await.unwrap();
                let left = if token == Token::Native { paid } else { 0 };
                assert_eq!(U256::from(u128::try_from(reader.sum(token) - left).unwrap()), held);
            }
            assert_eq!(node.holding(Token::Native, BUYER, At::Latest).await.unwrap(), U256::from(u128::try_from(paid).unwrap()));
        });
    }
}
