//! Chain reading and payouts on an in-memory chain: reorganizations of every depth, quorums, and nodes that lag, lie,
//! fail or lose responses.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use std::collections::HashSet;
use std::sync::Arc;

use chain::batch::{Batch, BatchLeg};
use chain::holdings;
use chain::node::{At, Fees, LogFilter, LogRange, Node, NodeError, SendError};
use chain::payouts::{Deployment, raised};
use chain::quorum::QuorumNode;
use chain::scripted::{Fault, Method, Script, ScriptedNode, Wrote};
use chain::settlements::{self, DecodedOutcome, Failure};
use chain::signer::{LocalSigner, Signer};
use chain::vaults::Vaults;
use chain::watch::{self, RangeUpdate, WatchError, Watched};
use domain::chain::{Address, BlockHash, BlockRef, ChainId, CustodyIndex, Reference, SettlementOutcome, Token, TxHash};
use domain::money::Amount;
use proptest::prelude::*;
use ruint::aliases::U256;

const CHAIN: ChainId = ChainId(77);
const ESCROW: Address = Address([0xe5; 20]);
const USDT: Address = Address([0xd0; 20]);
const PERSON: Address = Address([0xaa; 20]);
const BUYER: Address = Address([0xb1; 20]);
const ZERO: Address = Address([0; 20]);
const DEPLOYMENT: Deployment = Deployment { chain: CHAIN, escrow: ESCROW };

fn amount(units: i128) -> Amount {
    Amount::new(units).unwrap()
}

fn vault(index: u64) -> Address {
    Vaults::of(ESCROW).address(CustodyIndex(index))
}

fn script() -> (Script, ScriptedNode) {
    let script = Script::new(CHAIN, ESCROW);
    let node = script.node();
    (script, node)
}

fn watched() -> Watched {
    let mut watched = Watched::of(ESCROW);
    watched.tokens.insert(USDT);
    watched
}

async fn next(node: &dyn Node, known: &[BlockRef]) -> Result<Option<RangeUpdate>, WatchError> {
    watch::next_range(node, &watched(), &HashSet::from([vault(1)]), 500, known, 0).await
}

/// A reader that stores the blocks, newest first, and their contents.
#[derive(Default)]
struct Reader {
    known: Vec<BlockRef>,
    received: Vec<(u64, Token, Amount)>,
}

impl Reader {
    async fn catch_up(&mut self, node: &dyn Node) {
        while let Some(update) = next(node, &self.known).await.unwrap() {
            self.known.retain(|block| block.number < update.replace_from);
            self.received.retain(|(block, ..)| *block < update.replace_from);
            for facts in update.blocks {
                self.known.insert(0, facts.place);
                let incoming = facts.transfers.into_iter().filter(|transfer| transfer.to == vault(1));
                self.received.extend(incoming.map(|t| (facts.place.number, t.token, t.amount)));
            }
        }
    }

    fn sum(&self, token: Token) -> i128 {
        self.received.iter().filter(|(_, of, _)| *of == token).map(|(.., amount)| amount.units()).sum()
    }
}

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

fn topic(address: Address) -> [u8; 32] {
    let mut topic = [0; 32];
    topic[12..].copy_from_slice(&address.0);
    topic
}

/// Computes the topic of both standards' `Transfer` events from its definition.
fn transfer_topic() -> [u8; 32] {
    use sha3::Digest;
    sha3::Keccak256::digest(b"Transfer(address,address,uint256)").into()
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

// --- several nodes

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

// --- payouts

fn signer() -> LocalSigner {
    LocalSigner::development([0x11; 32]).unwrap()
}

fn leg(reference: u64, units: i128) -> BatchLeg {
    BatchLeg {
        reference: Reference(reference),
        vault: CustodyIndex(1),
        token: Token::Native,
        to: BUYER,
        amount: amount(units),
        with_next: false,
        or_void: false,
    }
}

async fn signed(legs: Vec<BatchLeg>, nonce: u64, fees: Fees) -> chain::transaction::Signed {
    DEPLOYMENT.sign(&Batch::new(legs).unwrap(), nonce, fees, &signer()).await.unwrap()
}

fn fees(max_fee: i128) -> Fees {
    Fees { max_fee: amount(max_fee), priority_fee: amount(max_fee / 2) }
}

#[tokio::test]
async fn the_model_behaves_like_the_contract() {
    let (script, node) = script();
    script.transfer(Token::Native, ZERO, vault(1), amount(100));
    script.refuse(PERSON, true);
    script.mine();
    let legs = vec![
        leg(1, 10),
        leg(2, 1_000),
        BatchLeg { with_next: true, ..leg(4, 10) },
        BatchLeg { to: PERSON, ..leg(5, 10) },
        BatchLeg { with_next: true, ..leg(7, 20) },
        leg(8, 20),
        BatchLeg { to: PERSON, or_void: true, ..leg(11, 10) },
        BatchLeg { or_void: true, ..leg(12, 1) },
    ];
    let more = vec![leg(1, 10), BatchLeg { with_next: true, ..leg(8, 1) }, leg(9, 1)];
    let transactions = [signed(legs, 0, fees(100)).await, signed(more, 1, fees(100)).await];
    for transaction in &transactions {
        node.send(&transaction.raw).await.unwrap();
    }
    script.mine();
    let mut told = Vec::new();
    for transaction in &transactions {
        told.extend(DEPLOYMENT.outcomes(&node.receipt(transaction.hash).await.unwrap().unwrap()));
    }
    let update = next(&node, &[]).await.unwrap().unwrap();
    let read: Vec<_> = update.blocks[2].settlements.iter().map(|s| (s.reference, s.outcome)).collect();
    assert_eq!(read, told.iter().map(|(reference, outcome)| (*reference, (*outcome).into())).collect::<Vec<_>>());
    let mut told: Vec<_> = told.into_iter().map(|(reference, outcome)| (reference.0, outcome)).collect();
    told.sort_by_key(|(reference, _)| *reference);
    let failed = DecodedOutcome::Failed;
    assert_eq!(
        told,
        [
            (1, DecodedOutcome::Paid),
            (1, failed(Failure::AlreadySpent)),
            (2, failed(Failure::PaymentFailed)),
            (4, failed(Failure::PartnerFailed)),
            (5, failed(Failure::PaymentFailed)),
            (7, DecodedOutcome::Paid),
            (8, DecodedOutcome::Paid),
            (8, failed(Failure::AlreadySpent)),
            (9, failed(Failure::PartnerFailed)),
            (11, DecodedOutcome::Voided),
            (12, DecodedOutcome::Paid),
        ]
    );
    assert_eq!(node.holding(Token::Native, BUYER, At::Latest).await, Ok(U256::from(51)));
    assert_eq!(node.holding(Token::Native, vault(1), At::Latest).await, Ok(U256::from(49)));
    assert_eq!(DEPLOYMENT.is_spent(&node, Reference(11), At::Latest).await, Ok(true));
    assert_eq!(DEPLOYMENT.is_spent(&node, Reference(7), At::Latest).await, Ok(true));
    assert_eq!(DEPLOYMENT.is_spent(&node, Reference(2), At::Latest).await, Ok(false));
    let before = update.blocks[1].place.hash;
    assert_eq!(DEPLOYMENT.is_spent(&node, Reference(7), At::Block(before)).await, Ok(false));
    assert_eq!(node.holding(Token::Native, vault(1), At::Block(before)).await, Ok(U256::from(100)));
}

/// Sends the same bytes again after any response. The leg is paid once.
#[tokio::test]
async fn lost_late_and_wrong_responses_to_sends_never_pay_twice() {
    let unreachable = NodeError::Transient("timeout".to_owned());
    let faults = [
        Fault::Fails(unreachable),
        Fault::LosesAnswer,
        Fault::Refuses(SendError::AlreadyKnown),
        Fault::Refuses(SendError::NonceTooLow),
        Fault::Refuses(SendError::Underpriced("fee too low".to_owned())),
    ];
    for (first, second) in faults.iter().flat_map(|first| faults.iter().map(move |second| (first, second))) {
        let (script, node) = script();
        script.transfer(Token::Native, ZERO, vault(1), amount(100));
        script.mine();
        node.fail_next(Method::Send, first.clone());
        node.fail_next(Method::Send, second.clone());
        let attempt = signed(vec![leg(1, 10)], 0, fees(100)).await;
        for _ in 0..3 {
            // Ignore the response.
            let _ = node.send(&attempt.raw).await;
            script.mine();
        }
        assert_eq!(DEPLOYMENT.is_spent(&node, Reference(1), At::Latest).await, Ok(true), "{first:?}, {second:?}");
        assert_eq!(node.send(&attempt.raw).await, Err(SendError::NonceTooLow));
        script.mine();
        assert_eq!(node.holding(Token::Native, BUYER, At::Latest).await, Ok(U256::from(10)));
        let receipt = node.receipt(attempt.hash).await.unwrap().unwrap();
        assert_eq!(DEPLOYMENT.outcomes(&receipt), [(Reference(1), DecodedOutcome::Paid)]);
    }
}

#[tokio::test]
async fn only_one_of_an_attempt_and_its_replacement_is_mined() {
    let (script, node) = script();
    script.transfer(Token::Native, ZERO, vault(1), amount(100));
    script.mine();
    let first = signed(vec![leg(1, 10)], 0, fees(100)).await;
    node.send(&first.raw).await.unwrap();
    let same = signed(vec![leg(1, 10)], 0, fees(105)).await;
    assert!(matches!(node.send(&same.raw).await, Err(SendError::Underpriced(_))));
    let second = signed(vec![leg(1, 10)], 0, raised(fees(100), fees(100), amount(10_i128.pow(12))).unwrap()).await;
    node.send(&second.raw).await.unwrap();
    script.mine();
    assert_eq!(node.receipt(first.hash).await, Ok(None));
    assert!(node.receipt(second.hash).await.unwrap().unwrap().succeeded);
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

#[test]
fn events_have_distinct_topics() {
    let events: std::collections::HashSet<_> = settlements::events().into_iter().collect();
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

#[tokio::test]
async fn the_settler_is_the_signer() {
    let (script, node) = script();
    script.transfer(Token::Native, ZERO, vault(1), amount(100));
    node.send(&signed(vec![leg(1, 10)], 0, fees(100)).await.raw).await.unwrap();
    script.mine();
    assert_eq!(node.nonce(signer().address(), At::Latest).await, Ok(1));
    assert_eq!(node.block(1).await.unwrap().unwrap().transactions[1].from, signer().address());
    assert!(matches!(node.send(b"nonsense").await, Err(SendError::Refused(_))));
}
