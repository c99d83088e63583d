//! A reorganization removes the deposit behind an advert and its order, before and after the deposit was credited.

use std::sync::Arc;

use chain::node::{At, Node};
use domain::chain::Token;
use domain::refusal::Refusal;
use store::catalog::{self, Chain};
use testkit::market::{CHAIN, CONFIRMATIONS, Market, Trader, chain_row, mec};
use worker::Worker;

use crate::anvil::TestChain;
use crate::platform;

pub struct Stage {
    pub test_chain: TestChain,
    pub market: Market,
    pub worker: Worker,
    pub anna: Trader,
    pub ben: Trader,
}

/// Adds a user who owns a vault of the chain's Escrow.
pub async fn joins(market: &Market, test_chain: &TestChain) -> Trader {
    let trader = market.trader().await;
    let vault = test_chain.vaults.address(trader.user.custody_index);
    trader.with_vault(vault).await
}

impl Stage {
    /// Opens a market on a real chain. Anna and Ben own the first two vaults of its Escrow.
    pub async fn set() -> Self {
        let (test_chain, market) = (TestChain::new().await, Market::open().await);
        let node = Arc::clone(&test_chain.anvil.node);
        let met = chain::identity::read(node.as_ref(), test_chain.deployment.escrow).await.unwrap();
        let mut tx = market.database.store.begin().await.unwrap();
        let row = Chain {
            genesis: Some(met.genesis),
            escrow: Some(test_chain.deployment.escrow),
            escrow_code: met.escrow_code,
            ..chain_row(CHAIN)
        };
        catalog::put_chain(&mut tx, &row).await.unwrap();
        tx.commit().await.unwrap();
        let (anna, ben) = (joins(&market, &test_chain).await, joins(&market, &test_chain).await);
        let usdt = hex::encode(test_chain.usdt.as_slice());
        market.sql(&format!("update assets set contract = '\\x{usdt}' where code = 'USDT'")).await;
        let worker = platform::worker(&market.database, node, Arc::clone(&test_chain.settler));
        let stage = Self { test_chain, market, worker, anna, ben };
        stage.settles().await;
        stage
    }

    pub async fn settles(&self) {
        platform::settle(&self.worker).await;
    }

    pub async fn brings(&self, amount: &str) {
        self.test_chain.deposit(self.anna.user.custody_index.0, mec(amount).units()).await;
        self.test_chain.anvil.mine(CONFIRMATIONS).await;
        self.settles().await;
    }

    /// Removes the block of the newest deposit and all blocks after it.
    async fn loses(&self) {
        self.test_chain.anvil.reorganise(CONFIRMATIONS + 1).await;
        self.settles().await;
    }

    async fn payouts(&self) -> i64 {
        self.market.count("select count(*) from payouts").await
    }
}

#[tokio::test]
async fn a_removed_deposit_that_funds_an_order_freezes_it_until_it_is_sent_again() {
    let stage = Stage::set().await;
    let (anna, ben) = (&stage.anna, &stage.ben);
    let advert = anna.posts(anna.mec_for_krw("10", "1000")).await.unwrap();
    stage.brings("10").await;
    assert_eq!(stage.market.advert_state(advert).await, "ONLINE");
    let order = ben.orders(advert, "4").await.unwrap();
    anna.accepts(order).await.unwrap();
    ben.marks_paid(order).await.unwrap();

    stage.loses().await;
    assert!(stage.market.order(order).await.frozen.is_some(), "FROZEN");
    assert!(stage.market.advert(advert).await.frozen.is_some());
    let refused = anna.confirms(order).await.unwrap_err();
    assert!(matches!(refused, Refusal::Frozen), "{refused:?}");
    stage.test_chain.anvil.mine(CONFIRMATIONS).await;
    stage.settles().await;
    assert_eq!(stage.payouts().await, 0, "missing coins are not paid out");
    stage.market.is_sound().await;

    stage.brings("10").await;
    assert!(stage.market.order(order).await.frozen.is_none(), "unfrozen");
    assert!(stage.market.advert(advert).await.frozen.is_none());
    anna.confirms(order).await.unwrap();
    stage.settles().await;
    stage.test_chain.anvil.mine(CONFIRMATIONS).await;
    stage.settles().await;
    assert_eq!(stage.market.state(order).await, "COMPLETED");
    let bound = ben.user.bound.unwrap();
    let received = stage.test_chain.anvil.node.holding(Token::Native, bound, At::Latest).await.unwrap();
    assert_eq!(i128::try_from(received).unwrap(), mec("3.996").units(), "once, minus the fee");
    stage.market.is_sound().await;
}

#[tokio::test]
async fn a_removed_deposit_that_funded_nothing_freezes_nothing() {
    let stage = Stage::set().await;
    let anna = &stage.anna;
    let advert = anna.posts(anna.mec_for_krw("10", "1000")).await.unwrap();
    // The deposit counts toward the advert's funding request but does not complete it.
    stage.brings("6").await;
    assert_eq!(anna.has_free(stage.market.mec).await, mec("6"));
    stage.loses().await;
    assert_eq!(anna.has_free(stage.market.mec).await, mec("0"));
    assert_eq!(stage.market.advert_state(advert).await, "CREATING");
    // A deposit is ingested, and its block is removed before it is final.
    stage.test_chain.deposit(anna.user.custody_index.0, mec("10").units()).await;
    stage.settles().await;
    stage.test_chain.anvil.reorganise(1).await;
    stage.test_chain.anvil.mine(CONFIRMATIONS).await;
    stage.settles().await;
    assert_eq!(stage.market.advert_state(advert).await, "CREATING");
    stage.market.is_sound().await;

    stage.brings("10").await;
    assert_eq!(stage.market.advert_state(advert).await, "ONLINE");
    assert!(stage.market.advert(advert).await.frozen.is_none());
    assert_eq!(anna.has_free(stage.market.mec).await, mec("0"));
    assert_eq!(stage.payouts().await, 0);
    stage.market.is_sound().await;
}
