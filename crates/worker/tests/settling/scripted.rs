//! A market on a real PostgreSQL with a scripted in-memory chain and a clock that the test sets.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use app::{Clock, Context, MachineTime};
use chain::node::Node;
use chain::quorum::QuorumNode;
use chain::scripted::{Script, ScriptedNode};
use chain::signer::Signer;
use chain::vaults::Vaults;
use chrono::{DateTime, Duration};
use domain::chain::{Address, Token};
use domain::clock::Timestamp;
use domain::ids::IdSource;
use domain::money::Amount;
use store::catalog::{self, Chain};
use testkit::market::{CHAIN, CONFIRMATIONS, Market, Trader, chain_row};
use testkit::{Ids, noon};
use worker::{Next, Worker};

use crate::anvil::signer;

pub const ESCROW: Address = Address([0xe5; 20]);

#[derive(Clone)]
pub struct Hands(Arc<AtomicI64>);

impl MachineTime for Hands {
    fn now(&self) -> Timestamp {
        DateTime::from_timestamp_micros(self.0.load(Ordering::SeqCst)).unwrap()
    }
}

impl Hands {
    pub fn pass(&self, span: Duration) {
        self.0.fetch_add(span.num_microseconds().unwrap(), Ordering::SeqCst);
    }
}

pub struct Scripted {
    pub market: Market,
    pub script: Script,
    pub nodes: Vec<ScriptedNode>,
    pub worker: Worker,
    pub hands: Hands,
    ids: Arc<dyn IdSource>,
}

impl Scripted {
    /// Creates `count` nodes, of which more than half must agree.
    pub async fn with_nodes(count: usize) -> Self {
        Self::on(Market::open().await, Arc::new(Ids), count).await
    }

    /// Does the same on an existing market, with IDs of this source.
    pub async fn on(mut market: Market, ids: Arc<dyn IdSource>, count: usize) -> Self {
        let hands = Hands(Arc::new(AtomicI64::new(noon().timestamp_micros())));
        let clock = Clock::Machine(Arc::new(hands.clone()));
        market.context = Context::new(market.database.store.clone(), clock, Arc::clone(&ids));
        let script = Script::new(CHAIN, ESCROW);
        let nodes: Vec<_> = (0..count).map(|_| script.node()).collect();
        let met = chain::identity::read(&nodes[0], ESCROW).await.unwrap();
        let mut tx = market.database.store.begin().await.unwrap();
        let row = Chain {
            genesis: Some(met.genesis),
            escrow: Some(ESCROW),
            escrow_code: met.escrow_code,
            ..chain_row(CHAIN)
        };
        catalog::put_chain(&mut tx, &row).await.unwrap();
        tx.commit().await.unwrap();
        let mut all: Vec<Arc<dyn Node>> = Vec::new();
        for node in &nodes {
            all.push(Arc::new(node.clone()));
        }
        let quorum = Arc::new(QuorumNode::new(all, count / 2 + 1).unwrap());
        let worker = Worker::new(market.context.clone(), quorum);
        Self { market, script, nodes, worker, hands, ids }
    }

    /// Lets the worker send payouts.
    pub fn pays(mut self) -> Self {
        let settler: Arc<dyn Signer> = signer(1);
        self.worker.signer = Some(settler);
        self
    }

    /// Adds a user whose vault belongs to the Escrow, so that it can pay from it.
    pub async fn trader(&self) -> Trader {
        let trader = self.market.trader_with(self.ids.as_ref()).await;
        let vault = Vaults::of(ESCROW).address(trader.user.custody_index);
        trader.with_vault(vault).await
    }

    pub fn mines(&self, blocks: u64) {
        for _ in 0..blocks {
            self.script.mine();
        }
    }

    /// Sends native coins to a user's vault and makes the transfer final.
    pub fn sends(&self, to: &Trader, amount: Amount) {
        self.script.transfer(Token::Native, Address([0; 20]), to.user.vault, amount);
        self.mines(CONFIRMATIONS);
    }

    /// Reads the chain up to its head.
    pub async fn reads(&self) -> worker::Result<()> {
        while worker::watch::step(&self.worker).await? == Next::Immediately {}
        Ok(())
    }
}
