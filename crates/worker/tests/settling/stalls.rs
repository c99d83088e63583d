//! Two readers of one chain: one reader stalls, at each point in turn, while the other continues.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use app::Context;
use async_trait::async_trait;
use chain::node::{
    At, Fees, Header, Log, LogFilter, LogRange, Node, NodeBlock, NodeError, Question, Receipt, SendError,
};
use domain::chain::{Address, BlockHash, BlockNumber, ChainId, Token, TxHash};
use domain::ids::{AdvertId, OrderId};
use ruint::aliases::U256;
use store::{Options, Store};
use testkit::market::{CONFIRMATIONS, Trader, USDT_CONTRACT, mec, usdt};
use worker::watch::ScanState;
use worker::{Next, Points, Worker};

use crate::scripted::Scripted;

/// Stalls the slow reader after `left` points, until it receives a message from `go`.
struct Stall {
    left: Mutex<Option<u32>>,
    reached: Mutex<Sender<bool>>,
    go: Mutex<Receiver<()>>,
}

impl Stall {
    fn point(&self) {
        let mut left = self.left.lock().unwrap();
        *left = match *left {
            Some(0) => {
                self.reached.lock().unwrap().send(true).unwrap();
                self.go.lock().unwrap().recv().unwrap();
                None
            }
            more => more.map(|more| more - 1),
        };
    }
}

/// A node that may stall before each answer.
struct Slow {
    node: Arc<dyn Node>,
    stall: Arc<Stall>,
}

macro_rules! slowly {
    ($self:ident, $question:expr) => {{
        $self.stall.point();
        $question.await
    }};
}

#[async_trait]
impl Node for Slow {
    async fn chain_id(&self) -> Result<ChainId, NodeError> {
        self.node.chain_id().await
    }
    async fn head(&self) -> Result<BlockNumber, NodeError> {
        slowly!(self, self.node.head())
    }
    async fn header(&self, number: BlockNumber) -> Result<Option<Header>, NodeError> {
        slowly!(self, self.node.header(number))
    }
    async fn header_of(&self, hash: BlockHash) -> Result<Option<Header>, NodeError> {
        slowly!(self, self.node.header_of(hash))
    }
    async fn block(&self, number: BlockNumber) -> Result<Option<NodeBlock>, NodeError> {
        slowly!(self, self.node.block(number))
    }
    async fn succeeded(&self, block: BlockHash) -> Result<Vec<TxHash>, NodeError> {
        slowly!(self, self.node.succeeded(block))
    }
    async fn logs(&self, range: LogRange, filter: &LogFilter) -> Result<Vec<Log>, NodeError> {
        slowly!(self, self.node.logs(range, filter))
    }
    async fn holding(&self, token: Token, holder: Address, at: At) -> Result<U256, NodeError> {
        slowly!(self, self.node.holding(token, holder, at))
    }
    async fn code(&self, address: Address, at: At) -> Result<Vec<u8>, NodeError> {
        self.node.code(address, at).await
    }
    async fn nonce(&self, account: Address, at: At) -> Result<u64, NodeError> {
        self.node.nonce(account, at).await
    }
    async fn fees(&self) -> Result<Fees, NodeError> {
        self.node.fees().await
    }
    async fn estimate(&self, question: &Question) -> Result<u64, NodeError> {
        self.node.estimate(question).await
    }
    async fn ask(&self, question: &Question, at: At) -> Result<Vec<u8>, NodeError> {
        self.node.ask(question, at).await
    }
    async fn send(&self, raw: &[u8]) -> Result<TxHash, SendError> {
        self.node.send(raw).await
    }
    async fn receipt(&self, tx: TxHash) -> Result<Option<Receipt>, NodeError> {
        self.node.receipt(tx).await
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Meanwhile {
    /// The other reader sees the release in a block that is not final.
    OneBlock,
    /// The release becomes final, and so does a deposit after it.
    Final,
    /// The newest block is replaced, and the other reader reads the replacement.
    Reorganised,
    /// The newest block is replaced, and no other reader reads the replacement.
    ReorganisedUnread,
}

/// A market with an online advert and an order whose release is owed.
struct Stage {
    chain: Scripted,
    anna: Trader,
    ben: Trader,
    advert: AdvertId,
    order: OrderId,
}

impl Stage {
    async fn set() -> Self {
        let chain = Scripted::with_nodes(1).await.pays();
        let (anna, ben) = (chain.trader().await, chain.trader().await);
        let advert = anna.posts(anna.mec_for_krw("10", "1000")).await.unwrap();
        chain.sends(&anna, mec("10"));
        chain.reads().await.unwrap();
        let order = ben.orders(advert, "4").await.unwrap();
        anna.accepts(order).await.unwrap();
        ben.marks_paid(order).await.unwrap();
        anna.confirms(order).await.unwrap();
        Self { chain, anna, ben, advert, order }
    }

    /// Sends tokens to Ben. To credit tokens, the reader also requests balances, which it does not do for native coins.
    fn sends_usdt(&self, amount: &str) {
        self.chain.script.transfer(Token::Erc20(USDT_CONTRACT), Address([0; 20]), self.ben.user.vault, usdt(amount));
    }

    async fn pays(&self) {
        assert_eq!(worker::payouts::step(&self.chain.worker).await.unwrap(), Next::Immediately);
        self.chain.mines(1);
    }

    /// Asserts that the stored blocks are exactly those of the chain.
    async fn stored_whole(&self) {
        let watch = app::chain::watch(&self.chain.market.context, 1_000).await.unwrap().unwrap();
        let node = &self.chain.nodes[0];
        let head = node.head().await.unwrap();
        assert_eq!(watch.recent.first().map(|newest| newest.number), Some(head));
        assert_eq!(u64::try_from(watch.recent.len()).unwrap(), head + 1, "without a gap");
        for stored in watch.recent {
            assert_eq!(node.header(stored.number).await.unwrap().unwrap().place, stored);
        }
    }

    /// Starts the slow reader as if in another process: with its own thread, runtime and connections.
    fn slow_reader(&self, points: u32) -> (Receiver<bool>, Sender<()>, std::thread::JoinHandle<worker::Result<()>>) {
        let ((reached, at), (go, wait)) = (channel(), channel());
        let end = reached.clone();
        let stall =
            Arc::new(Stall { left: Mutex::new(Some(points)), reached: Mutex::new(reached), go: Mutex::new(wait) });
        let (url, worker) = (self.chain.market.database.url.clone(), self.chain.worker.clone());
        let hands = self.chain.hands.clone();
        let thread = std::thread::spawn(move || {
            // Only the reader's task blocks at a point. The worker thread keeps running other tasks, such as rollbacks.
            let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
            let done = runtime.block_on(async {
                let store = Store::connect(&Options {
                    url,
                    connections: 4,
                    patience: Duration::from_secs(30),
                    untested: Duration::ZERO,
                })
                .unwrap();
                let clock = app::Clock::Machine(Arc::new(hands));
                let context = Context::new(store, clock, Arc::new(testkit::Ids));
                let here = Arc::clone(&stall);
                let points = Points::calling(move |_| here.point());
                let node: Arc<dyn Node> = Arc::new(Slow { node: Arc::clone(&worker.node), stall });
                let slow = Worker { context, node, points, scan_state: ScanState::default(), ..worker };
                while worker::watch::step(&slow).await? == Next::Immediately {}
                Ok(())
            });
            end.send(false).unwrap();
            done
        });
        (at, go, thread)
    }

    async fn meanwhile(&self, what: Meanwhile) {
        match what {
            Meanwhile::OneBlock => {
                self.chain.reads().await.unwrap();
                self.pays().await;
                self.chain.reads().await.unwrap();
            }
            Meanwhile::Final => {
                self.chain.reads().await.unwrap();
                self.pays().await;
                self.sends_usdt("7");
                self.chain.mines(CONFIRMATIONS + 1);
                self.chain.reads().await.unwrap();
                assert_eq!(self.chain.market.state(self.order).await, "COMPLETED");
            }
            Meanwhile::Reorganised => {
                self.chain.script.reorganise(1);
                self.chain.reads().await.unwrap();
            }
            Meanwhile::ReorganisedUnread => self.chain.script.reorganise(1),
        }
    }

    /// Asserts that the slow reader reverted nothing when it continued.
    async fn is_undisturbed(&self, stalled_at: u32) {
        let told: Vec<_> = self.anna.was_told().await.into_iter().chain(self.ben.was_told().await).collect();
        let disturbed = told.iter().any(|notice| notice.contains("REVOKED") || notice.contains("FROZEN"));
        assert!(!disturbed, "stalled at point {stalled_at}: {told:?}");
        assert_eq!(self.chain.market.count("select count(*) from payout_stops").await, 0, "at point {stalled_at}");
        assert_eq!(self.chain.market.count("select count(*) from vault_stops").await, 0, "at point {stalled_at}");
        assert!(self.chain.market.advert(self.advert).await.frozen.is_none());
        self.chain.market.is_sound().await;
    }
}

/// Runs the scenario once for each point at which the slow reader can stall. The other reader acts during the stall;
/// then both continue.
async fn stalls_everywhere(what: Meanwhile) {
    let mut points = 0;
    loop {
        let stage = Stage::set().await;
        // Give the slow reader a deposit to credit.
        stage.sends_usdt("5");
        stage.chain.mines(CONFIRMATIONS);
        let (at, go, thread) = stage.slow_reader(points);
        let stalled = at.recv().unwrap();
        if stalled {
            stage.meanwhile(what).await;
            go.send(()).unwrap();
        }
        match (thread.join().unwrap(), what) {
            // The reader saw blocks of two chains in one step. The error is transient, so the next step retries.
            (Err(worker::Error::Watch(error)), Meanwhile::Reorganised | Meanwhile::ReorganisedUnread) => {
                assert!(error.is_transient(), "{error}");
            }
            (done, _) => done.unwrap(),
        }
        if what == Meanwhile::ReorganisedUnread {
            // Blocks that arrived after the slow reader's last request have not been read yet.
            stage.chain.reads().await.unwrap();
        }
        stage.stored_whole().await;
        stage.is_undisturbed(points).await;
        if !stalled {
            assert!(points > 5, "points at which it stalled: {points}");
            return;
        }

        stage.chain.reads().await.unwrap();
        while worker::payouts::step(&stage.chain.worker).await.unwrap() == Next::Immediately {}
        stage.chain.mines(CONFIRMATIONS + 1);
        stage.chain.reads().await.unwrap();
        stage.stored_whole().await;
        stage.is_undisturbed(points).await;
        assert_eq!(stage.chain.market.state(stage.order).await, "COMPLETED", "at point {points}");
        let brought = usdt(if what == Meanwhile::Final { "12" } else { "5" });
        assert_eq!(stage.ben.has_free(stage.chain.market.usdt).await, brought, "at point {points}");
        points += 1;
    }
}

#[tokio::test]
async fn a_reader_that_stalls_during_one_block_disturbs_nothing() {
    stalls_everywhere(Meanwhile::OneBlock).await;
}

#[tokio::test]
async fn a_reader_that_stalls_while_blocks_become_final_disturbs_nothing() {
    stalls_everywhere(Meanwhile::Final).await;
}

#[tokio::test]
async fn a_stalled_reader_follows_a_reorganization_that_another_has_read() {
    stalls_everywhere(Meanwhile::Reorganised).await;
}

#[tokio::test]
async fn a_stalled_reader_follows_a_reorganization_that_nobody_has_read() {
    stalls_everywhere(Meanwhile::ReorganisedUnread).await;
}
