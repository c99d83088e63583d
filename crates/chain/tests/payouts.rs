//! Payouts on a real Anvil, with the contracts as they are shipped.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

mod support;

use chain::batch::{Batch, Leg};
use chain::calls;
use chain::node::{At, Node, SendError};
use chain::payouts::raised;
use chain::settlements::{Failure, Outcome};
use domain::chain::{Address, Reference, Token};
use ruint::aliases::U256;
use serde_json::json;
use support::{World, amount};

const BUYER: Address = Address([0xb1; 20]);
const OTHER: Address = Address([0xb2; 20]);

#[tokio::test]
async fn vault_addresses_are_the_contracts_own() {
    let world = World::new().await;
    for index in [0, 1, 77, u64::MAX] {
        // Only the vault at the right address can pay what was sent there.
        world.mint(world.vault(index), 5).await;
        let leg = world.leg(index, index, Token::Erc20(world.usdt), BUYER, 5);
        let receipt = world.settle(vec![leg]).await;
        assert_eq!(world.deployment.outcomes(&receipt), [(Reference(index), Outcome::Paid)]);
    }
}

#[tokio::test]
async fn a_batch_pays_every_kind_and_says_what_became_of_each_leg() {
    let world = World::new().await;
    let nft = Token::Erc721(world.album, [9; 32]);
    world.deposit(1, 1_000).await;
    world.mint(world.vault(2), 500).await;
    world.as_admin(&calls::mint_dev_nft(world.album, world.vault(3), [9; 32], "ipfs://nine")).await;

    let usdt = Token::Erc20(world.usdt);
    let pair = Leg { with_next: true, ..world.leg(13, 1, Token::Native, BUYER, 100) };
    let receipt = world
        .settle(vec![
            world.leg(10, 1, Token::Native, BUYER, 700),
            world.leg(11, 2, usdt, OTHER, 501),
            pair,
            world.leg(14, 2, usdt, OTHER, 400),
            world.leg(16, 3, nft, BUYER, 1),
        ])
        .await;

    let mut outcomes = world.deployment.outcomes(&receipt);
    outcomes.sort_by_key(|(reference, _)| *reference);
    assert_eq!(
        outcomes,
        [
            (Reference(10), Outcome::Paid),
            (Reference(11), Outcome::Failed(Failure::PaymentFailed)),
            (Reference(13), Outcome::Paid),
            (Reference(14), Outcome::Paid),
            (Reference(16), Outcome::Paid),
        ]
    );
    let node = &world.anvil.node;
    let at = At::Block(receipt.block_hash);
    for (token, holder, held) in [
        (Token::Native, BUYER, 800),
        (Token::Native, world.vault(1), 200),
        (usdt, OTHER, 400),
        (nft, BUYER, 1),
        (nft, world.vault(3), 0),
    ] {
        assert_eq!(node.holding(token, holder, at).await.unwrap(), U256::from(held), "{token:?} of {holder}");
    }
    for (reference, spent) in [(10, true), (11, false), (12, false), (13, true), (14, true), (15, false), (16, true)] {
        assert_eq!(world.deployment.is_spent(node.as_ref(), Reference(reference), at).await.unwrap(), spent);
    }
}

#[tokio::test]
async fn a_reference_pays_once_and_never_after_a_void() {
    let world = World::new().await;
    world.deposit(1, 1_000).await;
    let leg = || world.leg(5, 1, Token::Native, BUYER, 10);
    assert_eq!(world.deployment.outcomes(&world.settle(vec![leg()]).await), [(Reference(5), Outcome::Paid)]);
    let again = Outcome::Failed(Failure::AlreadySpent);
    assert_eq!(world.deployment.outcomes(&world.settle(vec![leg()]).await), [(Reference(5), again)]);

    let voided = world.as_admin(&calls::void_reference(world.deployment.escrow, Reference(6))).await;
    assert_eq!(world.deployment.outcomes(&voided), [(Reference(6), Outcome::Voided)]);
    let after = world.settle(vec![world.leg(6, 1, Token::Native, BUYER, 10)]).await;
    assert_eq!(world.deployment.outcomes(&after), [(Reference(6), again)]);
    assert_eq!(world.anvil.node.holding(Token::Native, BUYER, At::Latest).await.unwrap(), U256::from(10));
}

#[tokio::test]
async fn the_day_limit_is_the_contracts() {
    let world = World::new().await;
    world.deposit(1, 1_000).await;
    world.as_admin(&calls::list_asset(world.deployment.escrow, Token::Native, amount(15))).await;
    let legs = vec![world.leg(1, 1, Token::Native, BUYER, 10), world.leg(2, 1, Token::Native, BUYER, 6)];
    let mut outcomes = world.deployment.outcomes(&world.settle(legs).await);
    outcomes.sort_by_key(|(reference, _)| *reference);
    assert_eq!(outcomes, [(Reference(1), Outcome::Paid), (Reference(2), Outcome::Failed(Failure::OverDayLimit))]);
    let left = world.deployment.left_today(world.anvil.node.as_ref(), Token::Native, At::Latest).await.unwrap();
    assert_eq!(left, U256::from(5));
}

#[tokio::test]
async fn a_stuck_attempt_is_replaced_under_its_nonce_and_pays_once() {
    let world = World::new().await;
    world.deposit(1, 1_000).await;
    world.anvil.raw("evm_setAutomine", json!([false])).await;
    let node = &world.anvil.node;
    let (nonce, fees) = (node.nonce(world.settler_address(), At::Latest).await.unwrap(), node.fees().await.unwrap());
    let batch = Batch::new(vec![world.leg(1, 1, Token::Native, BUYER, 10)]).unwrap();
    let sign = |fees| world.deployment.sign(&batch, nonce, fees, world.settler.as_ref());

    let first = sign(fees).await.unwrap();
    assert_eq!(sign(fees).await.unwrap(), first, "the same attempt has the same bytes");
    node.send(&first.raw).await.unwrap();
    assert_eq!(node.send(&first.raw).await, Err(SendError::AlreadyKnown));
    let cheaper = chain::node::Fees { max_fee: fees.max_fee, priority_fee: amount(1) };
    let refused = node.send(&sign(cheaper).await.unwrap().raw).await;
    assert!(matches!(refused, Err(SendError::Underpriced(_))), "{refused:?}");
    let second = sign(raised(fees, node.fees().await.unwrap(), amount(10_i128.pow(12))).unwrap()).await.unwrap();
    node.send(&second.raw).await.unwrap();

    world.anvil.mine(1).await;
    assert_eq!(node.receipt(first.hash).await.unwrap(), None);
    let receipt = world.mined(second.hash).await;
    assert_eq!(world.deployment.outcomes(&receipt), [(Reference(1), Outcome::Paid)]);
    assert_eq!(node.send(&first.raw).await, Err(SendError::NonceTooLow));
    assert_eq!(node.holding(Token::Native, BUYER, At::Latest).await.unwrap(), U256::from(10));
}

#[tokio::test]
async fn a_release_that_is_reorganised_away_is_paid_again_by_its_reference_once() {
    let world = World::new().await;
    world.deposit(1, 1_000).await;
    let node = &world.anvil.node;
    let (nonce, fees) = (node.nonce(world.settler_address(), At::Latest).await.unwrap(), node.fees().await.unwrap());
    let batch = Batch::new(vec![world.leg(1, 1, Token::Native, BUYER, 10)]).unwrap();
    let signed = world.deployment.sign(&batch, nonce, fees, world.settler.as_ref()).await.unwrap();
    node.send(&signed.raw).await.unwrap();
    let before = world.mined(signed.hash).await;

    world.anvil.reorganise(1).await;
    assert!(!world.deployment.is_spent(node.as_ref(), Reference(1), At::Latest).await.unwrap(), "taken away");
    // Anvil may keep it for the next block or forget it: the same bytes are right in both cases.
    let again = node.send(&signed.raw).await;
    assert!(matches!(again, Ok(_) | Err(SendError::AlreadyKnown)), "{again:?}");
    world.anvil.mine(1).await;
    let after = world.mined(signed.hash).await;
    assert_ne!(after.block_hash, before.block_hash);
    assert_eq!(world.deployment.outcomes(&after), [(Reference(1), Outcome::Paid)]);
    assert_eq!(node.send(&signed.raw).await, Err(SendError::NonceTooLow));
    assert_eq!(node.holding(Token::Native, BUYER, At::Latest).await.unwrap(), U256::from(10));
}

#[tokio::test]
async fn an_account_without_coins_cannot_send() {
    let world = World::new().await;
    let poor = chain::signer::LocalSigner::development([7; 32]).unwrap();
    let batch = Batch::new(vec![world.leg(1, 1, Token::Native, BUYER, 10)]).unwrap();
    let fees = world.anvil.node.fees().await.unwrap();
    let signed = world.deployment.sign(&batch, 0, fees, &poor).await.unwrap();
    let refused = world.anvil.node.send(&signed.raw).await;
    assert!(matches!(refused, Err(SendError::InsufficientFunds(_))), "{refused:?}");
    assert!(matches!(world.anvil.node.send(b"no transaction").await, Err(SendError::Refused(_))));
}
