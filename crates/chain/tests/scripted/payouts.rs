//! Payouts: outcomes of batches, repeated and replaced transactions.

use chain::node::{At, NodeError, SendError};
use chain::payouts::raised;
use chain::scripted::{Fault, Method};
use chain::settlements::{DecodedOutcome, Failure};
use chain::signer::Signer;
use ruint::aliases::U256;

use super::*;

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
async fn the_settler_is_the_signer() {
    let (script, node) = script();
    script.transfer(Token::Native, ZERO, vault(1), amount(100));
    node.send(&signed(vec![leg(1, 10)], 0, fees(100)).await.raw).await.unwrap();
    script.mine();
    assert_eq!(node.nonce(signer().address(), At::Latest).await, Ok(1));
    assert_eq!(node.block(1).await.unwrap().unwrap().transactions[1].from, signer().address());
    assert!(matches!(node.send(b"nonsense").await, Err(SendError::Refused(_))));
}
