//! Two complete lives of orders on the product below the API: the executor that serves the API's calls, and the worker with a
//! scripted chain.

use std::sync::Arc;

use app::commands::{CommandKind, Executor};
use app::engine::idempotency::IdempotencyKey;
use app::talk::{KEPT_OPEN, Outgoing, Talk};
use domain::chain::{Address, Token};
use domain::ids::{AdvertId, IdSource, OrderId};
use domain::orders::{OrderCommand, Proofs};
use testkit::market::{CONFIRMATIONS, Market, Trader, USDT_CONTRACT, mec, paid, usdt};
use testkit::meter::{Cost, Meter, Server};
use testkit::{CountedIds, Database, noon};
use worker::Next;

use crate::scripted::Scripted;

/// The steps of a life, and what each costs.
pub type Life = Vec<(&'static str, Cost)>;

struct Stage {
    chain: Scripted,
    executor: Executor,
    anna: Trader,
    ben: Trader,
    ids: Arc<CountedIds>,
    meter: Meter,
    life: Life,
}

impl Stage {
    async fn set(server: &Server) -> Self {
        let database = Database::fresh_on(&server.url).await;
        let ids = Arc::new(CountedIds::default());
        let chain = Scripted::on(Market::on(database.clone()).await, ids.clone(), 1).await.pays();
        let (anna, ben) = (chain.trader().await, chain.trader().await);
        let executor = Executor::new(chain.market.context.clone());
        let meter = Meter::of(&database).await;
        Self { chain, executor, anna, ben, ids, meter, life: Life::new() }
    }

    fn key(&self) -> String {
        self.ids.fresh(noon()).to_string()
    }

    /// Executes a command like the API, and counts.
    async fn command(&mut self, name: &'static str, of: &Trader, what: CommandKind) -> OrderId {
        let command = of.command(&self.key(), what);
        let (outcome, cost) = self.meter.counts(self.executor.execute(command)).await;
        self.life.push((name, cost));
        assert!(outcome.view.is_some());
        OrderId(outcome.reply.unwrap().id.unwrap())
    }

    async fn place(&mut self, name: &'static str, advert: AdvertId) -> OrderId {
        let taker = self.ben.clone();
        let order = taker.order_for(advert, mec("4")).await;
        self.command(name, &taker, CommandKind::PlaceOrder(order)).await
    }

    async fn act(&mut self, name: &'static str, of: &Trader, id: OrderId, act: OrderCommand) {
        let seen = self.chain.market.order(id).await.version;
        let proofs = Proofs { security_password: matches!(act, OrderCommand::Confirm), pass: false };
        self.command(name, of, CommandKind::order(id, seen, act, proofs)).await;
    }

    /// Mines blocks and lets the watcher read them as one range.
    async fn watch(&mut self, name: &'static str, blocks: u64) {
        self.chain.mines(blocks);
        let (next, cost) = self.meter.counts(worker::watch::step(&self.chain.worker)).await;
        assert_eq!(next.unwrap(), Next::Rest);
        self.life.push((name, cost));
    }

    async fn pay_out(&mut self, name: &'static str) {
        let (next, cost) = self.meter.counts(worker::payouts::step(&self.chain.worker)).await;
        assert_eq!(next.unwrap(), Next::Immediately);
        self.life.push((name, cost));
    }

    /// Sends the payout and reads it until it is final.
    async fn settle(&mut self, order: OrderId) {
        self.pay_out("send the payout").await;
        self.watch("see the payout", 1).await;
        self.watch("finalize the payout", CONFIRMATIONS - 1).await;
        assert_eq!(self.chain.market.state(order).await, "COMPLETED");
    }

    /// Lives twice, and returns the costs of the second life: the first one fills what is kept in memory and creates the rows that
    /// later orders only count up.
    async fn second(mut self, mut live: impl AsyncFnMut(&mut Self)) -> Life {
        live(&mut self).await;
        self.life.clear();
        live(&mut self).await;
        self.chain.market.is_sound().await;
        std::mem::take(&mut self.life)
    }
}

/// Anna sells MEC for KRW.
pub async fn for_fiat(server: &Server) -> Life {
    let stage = Stage::set(server).await;
    let (anna, ben) = (stage.anna.clone(), stage.ben.clone());
    let advert = anna.posts(anna.mec_for_krw("10", "1000")).await.unwrap();
    stage.chain.sends(&anna, mec("10"));
    stage.chain.reads().await.unwrap();
    stage
        .second(async |stage| {
            let order = stage.place("place", advert).await;
            stage.act("accept", &anna, order, OrderCommand::Accept).await;
            let talk = Talk::new(stage.chain.market.context.clone(), KEPT_OPEN);
            let key = IdempotencyKey::derived(&[&stage.key()]);
            let message = Outgoing { text: "Hello".to_owned(), files: Vec::new(), despite_warnings: false };
            let (sent, cost) = stage.meter.counts(talk.send(&key, ben.id(), order, &message)).await;
            sent.unwrap();
            stage.life.push(("send a message", cost));
            let (read, cost) = stage.meter.counts(talk.mark_read(anna.id(), order, None)).await;
            read.unwrap();
            stage.life.push(("read it", cost));
            stage.act("mark as paid", &ben, order, paid()).await;
            stage.act("confirm", &anna, order, OrderCommand::Confirm).await;
            stage.settle(order).await;
        })
        .await
}

/// Anna sells MEC for USDT automatically.
pub async fn automatic(server: &Server) -> Life {
    let stage = Stage::set(server).await;
    let (anna, ben) = (stage.anna.clone(), stage.ben.clone());
    let advert = anna.posts(anna.mec_for_usdt("10", "2.5").automatic()).await.unwrap();
    stage.chain.sends(&anna, mec("10"));
    stage.chain.reads().await.unwrap();
    stage
        .second(async |stage| {
            let order = stage.place("place", advert).await;
            let vault = ben.user.vault;
            stage.chain.script.transfer(Token::Erc20(USDT_CONTRACT), Address([0; 20]), vault, usdt("10"));
            stage.watch("see the deposit", 1).await;
            stage.watch("finalize the deposit", CONFIRMATIONS - 1).await;
            stage.settle(order).await;
        })
        .await
}
