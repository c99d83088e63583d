//! Chain reading on a real Anvil.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

mod support;

use std::collections::HashSet;

use chain::calls;
use chain::holdings;
use chain::identity::{self, ChainCheck};
use chain::node::{At, Node};
use chain::watch::{self, RangeUpdate, WatchError, Watched};
use domain::chain::{Address, Block, BlockRef, Reference, SettlementOutcome, Token, Transfer};
use serde_json::json;
use support::{TestChain, amount};

const BUYER: Address = Address([0xb1; 20]);
const ZERO: Address = Address([0; 20]);

fn watched(test_chain: &TestChain) -> Watched {
    Watched {
        tokens: [test_chain.usdt].into(),
        albums: [test_chain.album].into(),
        escrow: test_chain.deployment.escrow,
    }
}

async fn read(test_chain: &TestChain, known: &[BlockRef]) -> Option<RangeUpdate> {
    next(test_chain, known).await.unwrap()
}

async fn next(test_chain: &TestChain, known: &[BlockRef]) -> Result<Option<RangeUpdate>, WatchError> {
    let vaults: HashSet<_> = (1..=3).map(|index| test_chain.vault(index)).collect();
    watch::next_range(test_chain.anvil.node.as_ref(), &watched(test_chain), &vaults, 500, known, 0).await
}

/// Updates the reader's known blocks, newest first.
fn remember(known: &mut Vec<BlockRef>, update: &RangeUpdate) {
    known.retain(|block| block.number < update.replace_from);
    for block in &update.blocks {
        known.insert(0, block.place);
    }
}

fn block_of(update: &RangeUpdate, number: u64) -> &Block {
    update.blocks.iter().find(|facts| facts.place.number == number).unwrap()
}

#[tokio::test]
async fn deposits_of_every_token_kind_are_reported_once_with_their_position() {
    let test_chain = TestChain::new().await;
    let person = test_chain.person.address();
    let (vault, usdt) = (test_chain.vault(1), Token::Erc20(test_chain.usdt));
    let nft = Token::Erc721(test_chain.album, [7; 32]);
    let native = test_chain.deposit(1, 123).await;
    let minted = test_chain.mint(vault, 456).await;
    let made = test_chain.as_admin(&calls::mint_dev_nft(test_chain.album, person, [7; 32], "ipfs://7")).await;
    let moved = test_chain.as_person(&calls::transfer(nft, person, BUYER, amount(1))).await;
    // The reader does not report transfers to other addresses, of zero, or of a contract that is not configured.
    test_chain.mint(BUYER, 5).await;
    test_chain.deposit(1, 0).await;
    test_chain.mint(person, 5).await;
    test_chain.as_person(&calls::transfer(usdt, person, vault, amount(0))).await;
    let forged = test_chain.as_admin(&calls::deploy_dev_usdt()).await.created.unwrap();
    test_chain.as_admin(&calls::mint_dev_usdt(forged, vault, amount(9_999))).await;

    let update = read(&test_chain, &[]).await.unwrap();
    let seen: Vec<_> =
        update.blocks.iter().flat_map(|facts| facts.transfers.iter().map(|t| (facts.place.number, t))).collect();
    let expected = [
        (
            native.block,
            Transfer {
                tx: native.tx,
                position: -1,
                token: Token::Native,
                from: person,
                to: vault,
                amount: amount(123),
            },
        ),
        (
            minted.block,
            Transfer { tx: minted.tx, position: 0, token: usdt, from: ZERO, to: vault, amount: amount(456) },
        ),
        (made.block, Transfer { tx: made.tx, position: 0, token: nft, from: ZERO, to: person, amount: amount(1) }),
        (moved.block, Transfer { tx: moved.tx, position: 0, token: nft, from: person, to: BUYER, amount: amount(1) }),
    ];
    assert_eq!(seen, expected.iter().map(|(block, t)| (*block, t)).collect::<Vec<_>>());

    let mut known = Vec::new();
    remember(&mut known, &update);
    assert_eq!(read(&test_chain, &known).await, None, "nothing is reported twice");
}

#[tokio::test]
async fn a_failed_transaction_moves_nothing() {
    let test_chain = TestChain::new().await;
    // A deployed vault rejects coins that come with unknown calldata.
    test_chain.deposit(1, 50).await;
    test_chain.settle(vec![test_chain.leg(1, 1, Token::Native, BUYER, 10)]).await;
    let transaction = chain::transaction::Unsigned {
        chain: support::CHAIN,
        nonce: test_chain.anvil.node.nonce(test_chain.person.address(), At::Latest).await.unwrap(),
        gas_limit: 100_000,
        fees: test_chain.anvil.node.fees().await.unwrap(),
        to: Some(test_chain.vault(1)),
        value: amount(77),
        data: b"hello".to_vec(),
    };
    let signed = transaction.sign(support::signer(2).as_ref()).await.unwrap();
    test_chain.anvil.node.send(&signed.raw).await.unwrap();
    let receipt = test_chain.mined(signed.hash).await;
    assert!(!receipt.succeeded);
    let update = read(&test_chain, &[]).await.unwrap();
    assert_eq!(block_of(&update, receipt.block).transfers, []);
}

#[tokio::test]
async fn settlements_are_reported_per_leg() {
    let test_chain = TestChain::new().await;
    test_chain.deposit(1, 50).await;
    let legs = vec![
        test_chain.leg(1, 1, Token::Native, BUYER, 10),
        test_chain.leg(2, 1, Token::Native, BUYER, 1_000),
        test_chain.leg(5, 1, Token::Native, BUYER, 10),
    ];
    let settled = test_chain.settle(legs).await;
    let voided = test_chain.as_admin(&calls::void_reference(test_chain.deployment.escrow, Reference(9))).await;
    let update = read(&test_chain, &[]).await.unwrap();
    let mut told: Vec<_> =
        block_of(&update, settled.block).settlements.iter().map(|s| (s.tx, s.reference, s.outcome)).collect();
    told.sort_by_key(|(_, reference, _)| *reference);
    assert_eq!(
        told,
        [
            (settled.tx, Reference(1), SettlementOutcome::Paid),
            (settled.tx, Reference(2), SettlementOutcome::Rejected),
            (settled.tx, Reference(5), SettlementOutcome::Paid),
        ]
    );
    let told = &block_of(&update, voided.block).settlements;
    assert_eq!(
        told.iter().map(|s| (s.reference, s.outcome)).collect::<Vec<_>>(),
        [(Reference(9), SettlementOutcome::Voided)]
    );
}

#[tokio::test]
async fn a_reorganization_replaces_blocks_from_the_common_ancestor() {
    let test_chain = TestChain::new().await;
    let mut known = Vec::new();
    remember(&mut known, &read(&test_chain, &[]).await.unwrap());
    let before = known[0];
    let gone = test_chain.deposit(1, 10).await;
    test_chain.anvil.mine(2).await;
    let update = read(&test_chain, &known).await.unwrap();
    assert_eq!(update.replace_from, before.number + 1);
    assert_eq!(block_of(&update, gone.block).transfers.len(), 1);
    remember(&mut known, &update);

    test_chain.anvil.reorganise(3).await;
    let update = read(&test_chain, &known).await.unwrap();
    assert_eq!(update.replace_from, before.number + 1, "all three blocks are replaced");
    assert_eq!(update.blocks.len(), 3);
    assert!(update.blocks.iter().all(|facts| facts.transfers.is_empty()), "the deposit is gone");
    assert_eq!(update.blocks[0].place.parent, before.hash);
    remember(&mut known, &update);

    let back = test_chain.deposit(1, 10).await;
    let update = read(&test_chain, &known).await.unwrap();
    assert_eq!(block_of(&update, back.block).transfers.len(), 1, "the deposit is mined again");
}

#[tokio::test]
async fn a_chain_that_became_shorter_is_reported_once() {
    let test_chain = TestChain::new().await;
    let mut known = Vec::new();
    test_chain.anvil.mine(5).await;
    remember(&mut known, &read(&test_chain, &[]).await.unwrap());
    let newest = known[0].number;
    let identity = identity::read(test_chain.anvil.node.as_ref(), test_chain.deployment.escrow).await.unwrap();
    test_chain.anvil.raw("anvil_rollback", json!([3])).await;

    let check =
        identity::check(test_chain.anvil.node.as_ref(), test_chain.deployment.escrow, identity, Some(newest)).await;
    assert_eq!(check, Ok(ChainCheck::Behind { head: newest - 3 }));
    let update = read(&test_chain, &known).await.unwrap();
    assert_eq!((update.replace_from, update.blocks.len()), (newest - 2, 0));
    remember(&mut known, &update);
    assert_eq!(read(&test_chain, &known).await, None);
}

#[tokio::test]
async fn a_reorganization_below_all_known_blocks_requires_older_ones() {
    let test_chain = TestChain::new().await;
    let mut known = Vec::new();
    test_chain.anvil.mine(6).await;
    remember(&mut known, &read(&test_chain, &[]).await.unwrap());
    test_chain.anvil.reorganise(5).await;
    let oldest = known[2].number;
    assert_eq!(next(&test_chain, &known[..3]).await, Err(WatchError::DeeperThan { oldest }));
    let update = next(&test_chain, &known).await.unwrap().unwrap();
    assert_eq!(update.replace_from, known[0].number - 4);
}

#[tokio::test]
async fn another_chain_is_detected() {
    let ours = TestChain::new().await;
    let other = TestChain::new().await;
    let escrow = ours.deployment.escrow;
    let expected = identity::read(ours.anvil.node.as_ref(), escrow).await.unwrap();
    let same = identity::check(ours.anvil.node.as_ref(), escrow, expected, Some(1)).await;
    assert_eq!(same, Ok(ChainCheck::SameChain));

    let fresh = support::Anvil::start();
    let found = identity::check(fresh.node.as_ref(), escrow, expected, None).await.unwrap();
    assert!(matches!(found, ChainCheck::OtherChain { found, .. } if found.escrow_code.is_none()), "no Escrow");
    // The other chain has an Escrow at the same address, and a genesis block that differs only in its timestamp.
    let found = identity::check(other.anvil.node.as_ref(), escrow, expected, None).await.unwrap();
    let genesis = other.anvil.node.header(0).await.unwrap().unwrap().place.hash;
    assert_eq!(matches!(found, ChainCheck::OtherChain { .. }), genesis != expected.genesis);
}

#[tokio::test]
async fn holdings_are_those_of_the_requested_block() {
    let test_chain = TestChain::new().await;
    let (vault, usdt) = (test_chain.vault(1), Token::Erc20(test_chain.usdt));
    let nft = Token::Erc721(test_chain.album, [7; 32]);
    test_chain.deposit(1, 10).await;
    test_chain.mint(vault, 20).await;
    let first = test_chain.as_admin(&calls::mint_dev_nft(test_chain.album, vault, [7; 32], "")).await;
    test_chain.deposit(1, 5).await;
    let second = test_chain.settle(vec![test_chain.leg(1, 1, nft, BUYER, 1)]).await;

    let holders = [
        (vault, Token::Native),
        (vault, usdt),
        (vault, nft),
        (BUYER, nft),
        (BUYER, usdt),
        (vault, Token::Erc721(test_chain.album, [8; 32])),
    ];
    let node = test_chain.anvil.node.as_ref();
    let at = async |block| {
        holdings::at_block(node, block, &holders)
            .await
            .unwrap()
            .into_iter()
            .map(|a| a.unwrap().units())
            .collect::<Vec<_>>()
    };
    assert_eq!(at(first.block_hash).await, [10, 20, 1, 0, 0, 0]);
    assert_eq!(at(second.block_hash).await, [15, 20, 0, 1, 0, 0]);
}

#[tokio::test]
async fn no_token_gets_more_gas_for_a_balance_than_another_node_would_give_it() {
    let anvil = support::Anvil::start();
    let token = Address([0x70; 20]);
    // Returns how much gas is left.
    anvil.raw("anvil_setCode", json!([token.to_string(), "0x5a5f5260205ff3"])).await;
    let asked = (BUYER, Token::Erc20(token));
    let block = anvil.node.header(0).await.unwrap().unwrap().place.hash;
    let (alone, together) = (
        anvil.node.holding(asked.1, BUYER, At::Latest).await.unwrap(),
        holdings::at_block(anvil.node.as_ref(), block, &[asked, asked]).await.unwrap(),
    );
    assert!((200_000..300_000).contains(&i128::try_from(alone).unwrap()), "{alone}");
    assert!(together.iter().all(|held| held.as_ref().is_ok_and(|held| held.units() < 300_000)), "{together:?}");
}

/// Checks that the balance shows a contract-internal transfer, which leaves no log.
#[tokio::test]
async fn native_payments_of_the_escrow_into_a_vault_are_reported() {
    let test_chain = TestChain::new().await;
    test_chain.deposit(2, 40).await;
    // The recipient is another vault. The payment is neither a transaction's value nor in a log.
    let legs = vec![
        test_chain.leg(1, 2, Token::Native, test_chain.vault(1), 30),
        test_chain.leg(2, 2, Token::Native, test_chain.vault(1), 30),
        test_chain.leg(4, 2, Token::Native, test_chain.person.address(), 5),
    ];
    let receipt = test_chain.settle(legs).await;
    let update = read(&test_chain, &[]).await.unwrap();
    let transfer = Transfer {
        tx: receipt.tx,
        position: i64::MIN + 1,
        token: Token::Native,
        from: test_chain.vault(2),
        to: test_chain.vault(1),
        amount: amount(30),
    };
    assert_eq!(block_of(&update, receipt.block).transfers, [transfer], "only payments to followed addresses");
    let held =
        holdings::at_block(test_chain.anvil.node.as_ref(), receipt.block_hash, &[(test_chain.vault(1), Token::Native)])
            .await;
    assert_eq!(held, Ok(vec![Ok(amount(30))]));
    assert_eq!(test_chain.anvil.node.code(test_chain.vault(1), At::Latest).await, Ok(Vec::new()), "not deployed yet");
}
