//! The watcher on a real Anvil.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

mod support;

use chain::calls;
use chain::holdings;
use chain::identity::{self, ChainCheck};
use chain::node::{At, Node};
use chain::settlements::{Failure, Outcome};
use chain::watch::{self, BlockFacts, Limits, RangeUpdate, Transfer, WatchError, Watched};
use domain::chain::{Address, BlockRef, Reference, Token};
use serde_json::json;
use support::{World, amount};

const BUYER: Address = Address([0xb1; 20]);
const ZERO: Address = Address([0; 20]);

fn watched(world: &World) -> Watched {
    Watched {
        accounts: (1..=3).map(|index| world.vault(index)).collect(),
        tokens: [world.usdt].into(),
        albums: [world.album].into(),
        escrow: world.deployment.escrow,
    }
}

async fn read(world: &World, known: &[BlockRef]) -> Option<RangeUpdate> {
    next(world, known).await.unwrap()
}

async fn next(world: &World, known: &[BlockRef]) -> Result<Option<RangeUpdate>, WatchError> {
    watch::next_range(world.anvil.node.as_ref(), &watched(world), Limits::default(), known, 0).await
}

/// What a reader remembers after an update: newest first.
fn remember(known: &mut Vec<BlockRef>, update: &RangeUpdate) {
    known.retain(|block| block.number < update.replace_from);
    for block in &update.blocks {
        known.insert(0, block.block);
    }
}

fn block_of(update: &RangeUpdate, number: u64) -> &BlockFacts {
    update.blocks.iter().find(|facts| facts.block.number == number).unwrap()
}

#[tokio::test]
async fn deposits_of_every_kind_are_seen_once_with_their_place() {
    let world = World::new().await;
    let person = world.person.address();
    let (vault, usdt) = (world.vault(1), Token::Erc20(world.usdt));
    let nft = Token::Erc721(world.album, [7; 32]);
    let native = world.deposit(1, 123).await;
    let minted = world.mint(vault, 456).await;
    let made = world.as_admin(&calls::mint_dev_nft(world.album, person, [7; 32], "ipfs://7")).await;
    let moved = world.as_person(&calls::transfer(nft, person, BUYER, amount(1))).await;
    // None of these matters: to a stranger, of nothing, and of a contract that is not configured.
    world.mint(BUYER, 5).await;
    world.deposit(1, 0).await;
    world.mint(person, 5).await;
    world.as_person(&calls::transfer(usdt, person, vault, amount(0))).await;
    let forged = world.as_admin(&calls::deploy_dev_usdt()).await.created.unwrap();
    world.as_admin(&calls::mint_dev_usdt(forged, vault, amount(9_999))).await;

    let update = read(&world, &[]).await.unwrap();
    let seen: Vec<_> =
        update.blocks.iter().flat_map(|facts| facts.transfers.iter().map(|t| (facts.block.number, t))).collect();
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
    assert_eq!(read(&world, &known).await, None, "nothing twice");
}

#[tokio::test]
async fn a_failed_transaction_moves_nothing() {
    let world = World::new().await;
    // A vault that is deployed refuses coins that come with data it does not know.
    world.deposit(1, 50).await;
    world.settle(vec![world.leg(1, 1, Token::Native, BUYER, 10)]).await;
    let transaction = chain::transaction::Unsigned {
        chain: support::CHAIN,
        nonce: world.anvil.node.nonce(world.person.address(), At::Latest).await.unwrap(),
        gas_limit: 100_000,
        fees: world.anvil.node.fees().await.unwrap(),
        to: Some(world.vault(1)),
        value: amount(77),
        data: b"hello".to_vec(),
    };
    let signed = transaction.sign(support::signer(2).as_ref()).await.unwrap();
    world.anvil.node.send(&signed.raw).await.unwrap();
    let receipt = world.mined(signed.hash).await;
    assert!(!receipt.succeeded);
    let update = read(&world, &[]).await.unwrap();
    assert_eq!(block_of(&update, receipt.block).transfers, []);
}

#[tokio::test]
async fn settlements_are_told_leg_by_leg() {
    let world = World::new().await;
    world.deposit(1, 50).await;
    let legs = vec![
        world.leg(1, 1, Token::Native, BUYER, 10),
        world.leg(2, 1, Token::Native, BUYER, 1_000),
        world.leg(5, 1, Token::Native, BUYER, 10),
    ];
    let settled = world.settle(legs).await;
    let voided = world.as_admin(&calls::void_reference(world.deployment.escrow, Reference(9))).await;
    let update = read(&world, &[]).await.unwrap();
    let mut told: Vec<_> =
        block_of(&update, settled.block).settlements.iter().map(|s| (s.tx, s.reference, s.outcome)).collect();
    told.sort_by_key(|(_, reference, _)| *reference);
    assert_eq!(
        told,
        [
            (settled.tx, Reference(1), Outcome::Paid),
            (settled.tx, Reference(2), Outcome::Failed(Failure::PaymentFailed)),
            (settled.tx, Reference(5), Outcome::Paid),
        ]
    );
    let told = &block_of(&update, voided.block).settlements;
    assert_eq!(told.iter().map(|s| (s.reference, s.outcome)).collect::<Vec<_>>(), [(Reference(9), Outcome::Voided)]);
}

#[tokio::test]
async fn a_reorganisation_replaces_from_the_common_ancestor_on() {
    let world = World::new().await;
    let mut known = Vec::new();
    remember(&mut known, &read(&world, &[]).await.unwrap());
    let before = known[0];
    let gone = world.deposit(1, 10).await;
    world.anvil.mine(2).await;
    let update = read(&world, &known).await.unwrap();
    assert_eq!(update.replace_from, before.number + 1);
    assert_eq!(block_of(&update, gone.block).transfers.len(), 1);
    remember(&mut known, &update);

    world.anvil.reorganise(3).await;
    let update = read(&world, &known).await.unwrap();
    assert_eq!(update.replace_from, before.number + 1, "all three blocks");
    assert_eq!(update.blocks.len(), 3);
    assert!(update.blocks.iter().all(|facts| facts.transfers.is_empty()), "the deposit is gone");
    assert_eq!(update.blocks[0].block.parent, before.hash);
    remember(&mut known, &update);

    let back = world.deposit(1, 10).await;
    let update = read(&world, &known).await.unwrap();
    assert_eq!(block_of(&update, back.block).transfers.len(), 1, "and comes again");
}

#[tokio::test]
async fn a_chain_that_became_shorter_is_news_once() {
    let world = World::new().await;
    let mut known = Vec::new();
    world.anvil.mine(5).await;
    remember(&mut known, &read(&world, &[]).await.unwrap());
    let newest = known[0].number;
    let identity = identity::read(world.anvil.node.as_ref(), world.deployment.escrow).await.unwrap();
    world.anvil.raw("anvil_rollback", json!([3])).await;

    let check = identity::check(world.anvil.node.as_ref(), world.deployment.escrow, identity, Some(newest)).await;
    assert_eq!(check, Ok(ChainCheck::Behind { head: newest - 3 }));
    let update = read(&world, &known).await.unwrap();
    assert_eq!((update.replace_from, update.blocks.len()), (newest - 2, 0));
    remember(&mut known, &update);
    assert_eq!(read(&world, &known).await, None);
}

#[tokio::test]
async fn a_reorganisation_below_all_that_is_known_asks_for_older_blocks() {
    let world = World::new().await;
    let mut known = Vec::new();
    world.anvil.mine(6).await;
    remember(&mut known, &read(&world, &[]).await.unwrap());
    world.anvil.reorganise(5).await;
    let oldest = known[2].number;
    assert_eq!(next(&world, &known[..3]).await, Err(WatchError::DeeperThan { oldest }));
    let update = next(&world, &known).await.unwrap().unwrap();
    assert_eq!(update.replace_from, known[0].number - 4);
}

#[tokio::test]
async fn another_chain_is_told_from_ours() {
    let ours = World::new().await;
    let other = World::new().await;
    let escrow = ours.deployment.escrow;
    let expected = identity::read(ours.anvil.node.as_ref(), escrow).await.unwrap();
    let same = identity::check(ours.anvil.node.as_ref(), escrow, expected, Some(1)).await;
    assert_eq!(same, Ok(ChainCheck::SameChain));

    let fresh = support::Anvil::start();
    let found = identity::check(fresh.node.as_ref(), escrow, expected, None).await.unwrap();
    assert!(matches!(found, ChainCheck::OtherChain { found, .. } if found.escrow_code.is_none()), "no Escrow there");
    // An Escrow at the same address and a genesis that differs only by its time.
    let found = identity::check(other.anvil.node.as_ref(), escrow, expected, None).await.unwrap();
    let genesis = other.anvil.node.header(0).await.unwrap().unwrap().place.hash;
    assert_eq!(matches!(found, ChainCheck::OtherChain { .. }), genesis != expected.genesis);
}

#[tokio::test]
async fn holdings_are_of_the_block_that_was_asked_about() {
    let world = World::new().await;
    let (vault, usdt) = (world.vault(1), Token::Erc20(world.usdt));
    let nft = Token::Erc721(world.album, [7; 32]);
    world.deposit(1, 10).await;
    world.mint(vault, 20).await;
    let first = world.as_admin(&calls::mint_dev_nft(world.album, vault, [7; 32], "")).await;
    world.deposit(1, 5).await;
    let second = world.settle(vec![world.leg(1, 1, nft, BUYER, 1)]).await;

    let holders = [
        (vault, Token::Native),
        (vault, usdt),
        (vault, nft),
        (BUYER, nft),
        (BUYER, usdt),
        (vault, Token::Erc721(world.album, [8; 32])),
    ];
    let node = world.anvil.node.as_ref();
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

/// A contract's internal transfer leaves no log: only the balance shows it.
#[tokio::test]
async fn what_the_escrow_pays_into_a_vault_is_a_transfer_though_nothing_else_tells_of_it() {
    let world = World::new().await;
    world.deposit(2, 40).await;
    // The payee is another vault: what it gets is no transaction's value, and leaves no log.
    let legs = vec![
        world.leg(1, 2, Token::Native, world.vault(1), 30),
        world.leg(2, 2, Token::Native, world.vault(1), 30),
        world.leg(4, 2, Token::Native, world.person.address(), 5),
    ];
    let receipt = world.settle(legs).await;
    let update = read(&world, &[]).await.unwrap();
    let transfer = Transfer {
        tx: receipt.tx,
        position: i64::MIN + 1,
        token: Token::Native,
        from: world.vault(2),
        to: world.vault(1),
        amount: amount(30),
    };
    assert_eq!(block_of(&update, receipt.block).transfers, [transfer], "what was paid, to those who are followed");
    let held =
        holdings::at_block(world.anvil.node.as_ref(), receipt.block_hash, &[(world.vault(1), Token::Native)]).await;
    assert_eq!(held, Ok(vec![Ok(amount(30))]));
    assert_eq!(world.anvil.node.code(world.vault(1), At::Latest).await, Ok(Vec::new()), "not deployed yet");
}
