//! A trade on an advert that buys, on a real chain: what its users do, and what the chain and the ledger then say.

use chain::node::{At, Node};
use domain::chain::Token;
use domain::ids::{AdvertId, OrderId};
use domain::money::Amount;
use serde_json::json;
use store::stops::Stop;
use testkit::market::{CONFIRMATIONS, Trader, mec, usdt};
use worker::Next;

use crate::crashes::kill_at;
use crate::frozen::Stage;
use crate::platform::{another, resume};

/// What a user does at the beginning of a step. Anna has the advert and buys; Ben sells.
pub enum Act {
    PostManual,
    PostAutomatic,
    OrderAndAccept,
    Order,
    PayAndConfirm,
    Cancel,
    Revoke,
}

/// What one party holds on the chain, each in MEC and in USDT.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Holdings {
    pub bound: [Amount; 2],
    pub receiving: [Amount; 2],
    pub vault: [Amount; 2],
}

pub struct Life {
    pub stage: Stage,
    advert: Option<AdvertId>,
    order: Option<OrderId>,
    /// The newest deposit, and the block before it.
    pub deposit: Option<(u64, Token, &'static str)>,
}

impl Life {
    pub async fn begin() -> Self {
        Self { stage: Stage::set().await, advert: None, order: None, deposit: None }
    }

    pub async fn act(&mut self, act: &Act) {
        let (anna, ben) = (&self.stage.anna, &self.stage.ben);
        let order = self.order;
        match act {
            Act::PostManual => {
                self.advert = Some(anna.posts(anna.mec_for_krw("10", "1000").buying()).await.unwrap());
            }
            Act::PostAutomatic => {
                let offer = anna.mec_for_usdt("10", "2.5").automatic().buying();
                self.advert = Some(anna.posts(offer).await.unwrap());
            }
            Act::Order => self.order = Some(ben.orders(self.advert.unwrap(), "4").await.unwrap()),
            Act::OrderAndAccept => {
                let order = ben.orders(self.advert.unwrap(), "4").await.unwrap();
                anna.accepts(order).await.unwrap();
                self.order = Some(order);
            }
            Act::PayAndConfirm => {
                anna.marks_paid(order.unwrap()).await.unwrap();
                ben.confirms(order.unwrap()).await.unwrap();
            }
            Act::Cancel => drop(anna.cancels(order.unwrap()).await.unwrap()),
            Act::Revoke => drop(anna.ends(self.advert.unwrap()).await.unwrap()),
        }
    }

    /// Asserts the states of the advert and the order, and that the ledger agrees.
    pub async fn is(&self, expected: &str, when: &str) {
        let market = &self.stage.market;
        let said = |state: &str, frozen: bool| format!("{state}{}", if frozen { " frozen" } else { "" });
        let mut states = Vec::new();
        if let Some(id) = self.advert {
            let advert = market.advert(id).await;
            states.push(said(advert.state.into_str(), advert.frozen.is_some()));
        }
        if let Some(id) = self.order {
            let order = market.order(id).await;
            states.push(said(order.state.into_str(), order.frozen.is_some()));
        }
        if !self.stops().await.is_empty() {
            states.push("payouts stopped".to_owned());
        }
        assert_eq!(states.join(", "), expected, "{when}");
        market.is_sound().await;
    }

    async fn stops(&self) -> Vec<Stop> {
        let mut tx = self.stage.market.database.store.begin().await.unwrap();
        store::stops::all(&mut tx).await.unwrap()
    }

    pub async fn head(&self) -> u64 {
        self.stage.test_chain.anvil.node.head().await.unwrap()
    }

    pub async fn mines(&self, blocks: u64) {
        self.stage.test_chain.anvil.mine(blocks).await;
    }

    /// Replaces all blocks after this one by empty ones. Whoever has sent something has to send it again.
    pub async fn loses_since(&self, block: u64) {
        self.stage.test_chain.anvil.raw("anvil_dropAllTransactions", json!([])).await;
        self.stage.test_chain.anvil.reorganise(self.head().await - block).await;
        self.reads().await;
    }

    pub async fn reads(&self) {
        while worker::watch::step(&self.stage.worker).await.unwrap() == Next::Immediately {}
    }

    pub async fn finalises(&self) {
        for _ in 0..2 {
            self.stage.settles().await;
            self.mines(CONFIRMATIONS).await;
        }
        self.reads().await;
    }

    /// Kills a worker at a point, and starts another.
    pub fn killed_at(&mut self, point: &str) {
        let anvil = &self.stage.test_chain.anvil;
        kill_at(point, &self.stage.market.database, anvil);
        self.stage.worker = another(&self.stage.market.database, &anvil.address);
    }

    pub async fn sends(&self, token: Token, amount: &str) {
        let (chain, stage) = (&self.stage.test_chain, &self.stage);
        match token {
            Token::Native => chain.deposit(stage.ben.user.custody_index.0, mec(amount).units()).await,
            _ => chain.mint(stage.anna.user.vault, usdt(amount).units()).await,
        };
    }

    /// Sends the newest deposit again. An officer resumes what was stopped because it was missing.
    pub async fn returns_deposit(&self) {
        let (_, token, amount) = self.deposit.unwrap();
        self.sends(token, amount).await;
        self.mines(CONFIRMATIONS).await;
        self.stage.settles().await;
        for stop in self.stops().await {
            resume(&self.stage.worker, stop.asset, "the deposit is back").await.unwrap();
        }
    }

    pub async fn automines(&self, on: bool) {
        self.stage.test_chain.anvil.raw("evm_setAutomine", json!([on])).await;
    }

    pub async fn holdings(&self, of: &Trader) -> Holdings {
        let usdt = Token::Erc20(self.stage.test_chain.usdt);
        let both = async |holder| {
            let held = async |token| {
                let held = self.stage.test_chain.anvil.node.holding(token, holder, At::Latest).await.unwrap();
                Amount::new(held.try_into().unwrap()).unwrap()
            };
            [held(Token::Native).await, held(usdt).await]
        };
        let receiving = of.user.receiving.as_ref().unwrap().address.parse().unwrap();
        Holdings {
            bound: both(of.user.bound.unwrap()).await,
            receiving: both(receiving).await,
            vault: both(of.user.vault).await,
        }
    }
}
