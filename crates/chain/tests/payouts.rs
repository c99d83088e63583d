//! Payouts on a real Anvil with the shipped contracts.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

mod support;

use chain::batch::{Batch, BatchLeg};
use chain::calls;
use chain::node::{At, Node, SendError};
use chain::payouts::raised;
use chain::settlements::{DecodedOutcome, Failure};
use domain::chain::{Address, Reference, Token};
use ruint::aliases::U256;
use serde_json::json;
use support::{TestChain, amount};

const BUYER: Address = Address([0xb1; 20]);
const OTHER: Address = Address([0xb2; 20]);

#[tokio::test]
async fn computed_vault_addresses_match_the_contract() {
    let test_chain = TestChain::new().await;
    for index in [0, 1, 77, u64::MAX] {
        // Only if the address is correct can the vault pay these coins.
        test_chain.mint(test_chain.vault(index), 5).await;
        let leg = test_chain.leg(index, index, Token::Erc20(test_chain.usdt), BUYER, 5);
        let receipt = test_chain.settle(vec![leg]).await;
        assert_eq!(test_chain.deployment.outcomes(&receipt), [(Reference(index), DecodedOutcome::Paid)]);
    }
}

#[tokio::test]
async fn a_batch_pays_every_kind_of_token_and_reports_each_leg() {
    let test_chain = TestChain::new().await;
    let nft = Token::Erc721(test_chain.album, [9; 32]);
    test_chain.deposit(1, 1_000).await;
    test_chain.mint(test_chain.vault(2), 500).await;
    test_chain.as_admin(&calls::mint_dev_nft(test_chain.album, test_chain.vault(3), [9; 32], "ipfs://nine")).await;

    let usdt = Token::Erc20(test_chain.usdt);
    let pair = BatchLeg { with_next: true, ..test_chain.leg(13, 1, Token::Native, BUYER, 100) };
    let receipt = test_chain
        .settle(vec![
            test_chain.leg(10, 1, Token::Native, BUYER, 700),
            test_chain.leg(11, 2, usdt, OTHER, 501),
            pair,
            test_chain.leg(14, 2, usdt, OTHER, 400),
            test_chain.leg(16, 3, nft, BUYER, 1),
        ])
        .await;

    let mut outcomes = test_chain.deployment.outcomes(&receipt);
    outcomes.sort_by_key(|(reference, _)| *reference);
    assert_eq!(
        outcomes,
        [
            (Reference(10), DecodedOutcome::Paid),
            (Reference(11), DecodedOutcome::Failed(Failure::PaymentFailed)),
            (Reference(13), DecodedOutcome::Paid),
            (Reference(14), DecodedOutcome::Paid),
            (Reference(16), DecodedOutcome::Paid),
        ]
    );
    let node = &test_chain.anvil.node;
    let at = At::Block(receipt.block_hash);
    for (token, holder, held) in [
        (Token::Native, BUYER, 800),
        (Token::Native, test_chain.vault(1), 200),
        (usdt, OTHER, 400),
        (nft, BUYER, 1),
        (nft, test_chain.vault(3), 0),
    ] {
        assert_eq!(node.holding(token, holder, at).await.unwrap(), U256::from(held), "{token:?} of {holder}");
    }
    for (reference, spent) in [(10, true), (11, false), (12, false), (13, true), (14, true), (15, false), (16, true)] {
        assert_eq!(test_chain.deployment.is_spent(node.as_ref(), Reference(reference), at).await.unwrap(), spent);
    }
}

#[tokio::test]
async fn a_reference_is_paid_once_and_never_after_a_void() {
    let test_chain = TestChain::new().await;
    test_chain.deposit(1, 1_000).await;
    let leg = || test_chain.leg(5, 1, Token::Native, BUYER, 10);
    assert_eq!(
        test_chain.deployment.outcomes(&test_chain.settle(vec![leg()]).await),
        [(Reference(5), DecodedOutcome::Paid)]
    );
    let again = DecodedOutcome::Failed(Failure::AlreadySpent);
    assert_eq!(test_chain.deployment.outcomes(&test_chain.settle(vec![leg()]).await), [(Reference(5), again)]);

    let voided = test_chain.as_admin(&calls::void_reference(test_chain.deployment.escrow, Reference(6))).await;
    assert_eq!(test_chain.deployment.outcomes(&voided), [(Reference(6), DecodedOutcome::Voided)]);
    let after = test_chain.settle(vec![test_chain.leg(6, 1, Token::Native, BUYER, 10)]).await;
    assert_eq!(test_chain.deployment.outcomes(&after), [(Reference(6), again)]);
    assert_eq!(test_chain.anvil.node.holding(Token::Native, BUYER, At::Latest).await.unwrap(), U256::from(10));
}

#[tokio::test]
async fn the_contract_enforces_the_day_limit() {
    let test_chain = TestChain::new().await;
    test_chain.deposit(1, 1_000).await;
    test_chain.as_admin(&calls::list_asset(test_chain.deployment.escrow, Token::Native, amount(15))).await;
    let legs = vec![test_chain.leg(1, 1, Token::Native, BUYER, 10), test_chain.leg(2, 1, Token::Native, BUYER, 6)];
    let mut outcomes = test_chain.deployment.outcomes(&test_chain.settle(legs).await);
    outcomes.sort_by_key(|(reference, _)| *reference);
    assert_eq!(
        outcomes,
        [(Reference(1), DecodedOutcome::Paid), (Reference(2), DecodedOutcome::Failed(Failure::OverDayLimit))]
    );
    let left =
        test_chain.deployment.left_today(test_chain.anvil.node.as_ref(), Token::Native, At::Latest).await.unwrap();
    assert_eq!(left, U256::from(5));
}

#[tokio::test]
async fn a_stuck_attempt_is_replaced_under_its_nonce_and_pays_once() {
    let test_chain = TestChain::new().await;
    test_chain.deposit(1, 1_000).await;
    test_chain.anvil.raw("evm_setAutomine", json!([false])).await;
    let node = &test_chain.anvil.node;
    let (nonce, fees) =
        (node.nonce(test_chain.settler_address(), At::Latest).await.unwrap(), node.fees().await.unwrap());
    let batch = Batch::new(vec![test_chain.leg(1, 1, Token::Native, BUYER, 10)]).unwrap();
    let sign = |fees| test_chain.deployment.sign(&batch, nonce, fees, test_chain.settler.as_ref());

    let first = sign(fees).await.unwrap();
    assert_eq!(sign(fees).await.unwrap(), first, "the same attempt has the same bytes");
    node.send(&first.raw).await.unwrap();
    assert_eq!(node.send(&first.raw).await, Err(SendError::AlreadyKnown));
    let cheaper = chain::node::Fees { max_fee: fees.max_fee, priority_fee: amount(1) };
    let refused = node.send(&sign(cheaper).await.unwrap().raw).await;
    assert!(matches!(refused, Err(SendError::Underpriced(_))), "{refused:?}");
    let second = sign(raised(fees, node.fees().await.unwrap(), amount(10_i128.pow(12))).unwrap()).await.unwrap();
    node.send(&second.raw).await.unwrap();

    test_chain.anvil.mine(1).await;
    assert_eq!(node.receipt(first.hash).await.unwrap(), None);
    let receipt = test_chain.mined(second.hash).await;
    assert_eq!(test_chain.deployment.outcomes(&receipt), [(Reference(1), DecodedOutcome::Paid)]);
    assert_eq!(node.send(&first.raw).await, Err(SendError::NonceTooLow));
    assert_eq!(node.holding(Token::Native, BUYER, At::Latest).await.unwrap(), U256::from(10));
}

#[tokio::test]
async fn a_release_that_a_reorganization_removes_is_paid_once_under_its_reference() {
    let test_chain = TestChain::new().await;
    test_chain.deposit(1, 1_000).await;
    let node = &test_chain.anvil.node;
    let (nonce, fees) =
        (node.nonce(test_chain.settler_address(), At::Latest).await.unwrap(), node.fees().await.unwrap());
    let batch = Batch::new(vec![test_chain.leg(1, 1, Token::Native, BUYER, 10)]).unwrap();
    let signed = test_chain.deployment.sign(&batch, nonce, fees, test_chain.settler.as_ref()).await.unwrap();
    node.send(&signed.raw).await.unwrap();
    let before = test_chain.mined(signed.hash).await;

    test_chain.anvil.reorganise(1).await;
    assert!(!test_chain.deployment.is_spent(node.as_ref(), Reference(1), At::Latest).await.unwrap(), "it was removed");
    // Anvil may keep the transaction for the next block or drop it. Sending the same bytes again is right in both
    // cases.
    let again = node.send(&signed.raw).await;
    assert!(matches!(again, Ok(_) | Err(SendError::AlreadyKnown)), "{again:?}");
    test_chain.anvil.mine(1).await;
    let after = test_chain.mined(signed.hash).await;
    assert_ne!(after.block_hash, before.block_hash);
    assert_eq!(test_chain.deployment.outcomes(&after), [(Reference(1), DecodedOutcome::Paid)]);
    assert_eq!(node.send(&signed.raw).await, Err(SendError::NonceTooLow));
    assert_eq!(node.holding(Token::Native, BUYER, At::Latest).await.unwrap(), U256::from(10));
}

#[tokio::test]
async fn an_account_without_coins_cannot_send() {
    let test_chain = TestChain::new().await;
    let poor = chain::signer::LocalSigner::development([7; 32]).unwrap();
    let batch = Batch::new(vec![test_chain.leg(1, 1, Token::Native, BUYER, 10)]).unwrap();
    let fees = test_chain.anvil.node.fees().await.unwrap();
    let signed = test_chain.deployment.sign(&batch, 0, fees, &poor).await.unwrap();
    let refused = test_chain.anvil.node.send(&signed.raw).await;
    assert!(matches!(refused, Err(SendError::InsufficientFunds(_))), "{refused:?}");
    assert!(matches!(test_chain.anvil.node.send(b"no transaction").await, Err(SendError::Refused(_))));
}
