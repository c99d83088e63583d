//! Both legs of a pair are paid, or neither is: also while only one of them may be paid.

use chrono::Duration;
use domain::chain::{Address, Token};
use domain::ids::OrderId;
use domain::ledger::VaultAsset;
use domain::money::Amount;
use domain::trade::Leg;
use store::payouts::{self, PayoutLeg};
use store::vault_stops::{self, Cause};
use testkit::market::{CONFIRMATIONS, Trader, USDT_CONTRACT, mec, usdt};
use worker::Next;

use crate::scripted::Scripted;

struct Stage {
    chain: Scripted,
    anna: Trader,
    ben: Trader,
    order: OrderId,
}

impl Stage {
    /// Creates an automatic order in which Anna sells 4 MEC for 10 USDT and Ben's payment has arrived.
    async fn set() -> Self {
        let chain = Scripted::with_nodes(1).await.pays();
        let (anna, ben) = (chain.trader().await, chain.trader().await);
        let advert = anna.posts(anna.mec_for_usdt("10", "2.5").automatic()).await.unwrap();
        chain.sends(&anna, mec("10"));
        chain.reads().await.unwrap();
        let order = ben.orders(advert, "4").await.unwrap();
        chain.script.transfer(Token::Erc20(USDT_CONTRACT), Address([0; 20]), ben.user.vault, usdt("10"));
        chain.mines(CONFIRMATIONS);
        chain.reads().await.unwrap();
        assert_eq!(chain.market.state(order).await, "RELEASING");
        Self { chain, anna, ben, order }
    }

    async fn vault_asset(&self, leg: Leg) -> VaultAsset {
        self.chain.market.order(self.order).await.terms.vault_asset(leg)
    }

    async fn legs(&self) -> Vec<PayoutLeg> {
        let mut tx = self.chain.market.database.store.begin().await.unwrap();
        payouts::legs_about(&mut tx, self.order.0).await.unwrap()
    }

    /// What the parties have received on the chain: the MEC of the buyer and the USDT of the seller.
    fn received(&self) -> (Amount, Amount) {
        let receiving = self.anna.user.receiving.clone().unwrap().address.parse().unwrap();
        let held = |holder, token| self.chain.script.holding(holder, token).unwrap();
        (held(self.ben.user.bound.unwrap(), Token::Native), held(receiving, Token::Erc20(USDT_CONTRACT)))
    }

    async fn neither_is_paid(&self, because: &str) {
        assert_eq!(worker::payouts::step(&self.chain.worker).await.unwrap(), Next::Rest, "{because}");
        self.chain.mines(1);
        assert_eq!(self.received(), (mec("0"), usdt("0")), "{because}");
    }

    async fn both_are_paid(&self) {
        assert_eq!(worker::payouts::step(&self.chain.worker).await.unwrap(), Next::Immediately);
        self.chain.mines(1);
        assert_eq!(self.received(), (mec("3.996"), usdt("10")));
        self.chain.mines(CONFIRMATIONS);
        self.chain.reads().await.unwrap();
        assert_eq!(self.chain.market.state(self.order).await, "COMPLETED");
        self.chain.market.is_sound().await;
    }
}

#[tokio::test]
async fn neither_leg_of_a_pair_is_paid_while_the_coin_of_one_is_stopped() {
    let stage = Stage::set().await;
    let store = &stage.chain.market.database.store;
    for leg in [Leg::Base, Leg::Quote] {
        let asset = stage.vault_asset(leg).await.asset;
        app::chain::stop_payouts(&stage.chain.worker.context, asset, "a vault is short").await.unwrap();
        stage.neither_is_paid(&format!("the coin of {leg:?} is stopped")).await;
        let mut tx = store.begin().await.unwrap();
        for stop in store::stops::all(&mut tx).await.unwrap() {
            assert!(store::stops::resume(&mut tx, &stop).await.unwrap());
        }
        tx.commit().await.unwrap();
    }
    stage.both_are_paid().await;
}

#[tokio::test]
async fn neither_leg_of_a_pair_is_paid_while_the_vault_of_one_is_stopped() {
    let stage = Stage::set().await;
    let store = &stage.chain.market.database.store;
    for leg in [Leg::Base, Leg::Quote] {
        let vault_asset = stage.vault_asset(leg).await;
        for cause in [Cause::Debt, Cause::Refused] {
            let mut tx = store.begin().await.unwrap();
            vault_stops::stop(&mut tx, vault_asset, cause, "a test", testkit::noon()).await.unwrap();
            tx.commit().await.unwrap();
            stage.neither_is_paid(&format!("the vault of {leg:?} is stopped")).await;
            let mut tx = store.begin().await.unwrap();
            assert!(vault_stops::lift(&mut tx, vault_asset, cause).await.unwrap());
            tx.commit().await.unwrap();
        }
    }
    stage.both_are_paid().await;
}

#[tokio::test]
async fn neither_leg_of_a_pair_is_paid_while_one_waits_after_a_failure() {
    let stage = Stage::set().await;
    for leg in stage.legs().await {
        let now = stage.chain.worker.context.now().await.unwrap();
        let mut tx = stage.chain.market.database.store.begin().await.unwrap();
        payouts::put_off(&mut tx, leg.reference, now).await.unwrap();
        tx.commit().await.unwrap();
        stage.neither_is_paid(&format!("reference {} waits", leg.reference.0)).await;
        stage.chain.hands.pass(Duration::hours(1));
        // The worker has read the chain in the meantime, so that the hour is no outage.
        stage.chain.reads().await.unwrap();
    }
    stage.both_are_paid().await;
}
