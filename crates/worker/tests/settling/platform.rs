//! The platform on a test chain, with one user who has a vault. Tests call each step of its worker.

use std::sync::Arc;

use app::chain_ingest::Policy;
use app::console::By;
use app::engine::idempotency::IdempotencyKey;
use app::{Clock, Context, SystemTime};
use chain::node::Node;
use chain::rpc::RpcNode;
use chain::signer::{LocalSigner, Signer};
use domain::assets::{AssetId, Home};
use domain::chain::{Address, Token};
use domain::console::OfficerRefusal;
use domain::ids::{PayoutId, UserId};
use domain::money::Amount;
use domain::refusal::Refusal;
use domain::users::User;
use store::catalog::{self, Chain};
use testkit::market::chain_row;
use testkit::{Database, Ids, users};
use worker::payout_chain::NodePayoutChain;
use worker::{Next, Worker, WorkerSettings};

use crate::anvil::{CHAIN, TestChain, amount, signer};

pub const CONFIRMATIONS: u64 = 3;

pub struct Platform {
    pub test_chain: TestChain,
    pub database: Database,
    pub worker: Worker,
    pub anna: User,
    pub mec: AssetId,
    pub usdt: AssetId,
}

/// Lets an officer resume the payouts of a coin, if the ledger agrees with the chain.
pub async fn resume(worker: &Worker, asset: AssetId, reason: &str) -> Result<(), Refusal> {
    let Worker { context, node, .. } = worker;
    // The comparison does not use the Escrow.
    let chain = NodePayoutChain { context: context.clone(), node: Arc::clone(node), escrow: Address([0; 20]) };
    refused(app::console::resume(context, &chain, asset, None, &By::from("olga"), reason).await)
}

pub fn refused(done: app::Result<()>) -> Result<(), Refusal> {
    done.map_err(|error| match error {
        app::Error::Refused(refusal) => refusal,
        other => panic!("{other}"),
    })
}

/// Returns what an officer learns if the ledger and the chain disagree.
pub fn differences(refused: Result<(), Refusal>) -> String {
    match refused {
        Err(Refusal::Officer(OfficerRefusal::Disagreement { differences })) => differences,
        other => panic!("the ledger and the chain disagree: {other:?}"),
    }
}

impl Platform {
    pub async fn new() -> Self {
        let test_chain = TestChain::new().await;
        let database = Database::fresh().await;
        let anna = User { vault: test_chain.vault(1), bound: Some(Address([0xb0; 20])), ..users::trader(1) };
        users::join(&database.store, &anna).await;
        let found = chain::identity::read(test_chain.anvil.node.as_ref(), test_chain.deployment.escrow).await.unwrap();
        let mut tx = database.store.begin().await.unwrap();
        let row = Chain {
            genesis: Some(found.genesis),
            escrow: Some(test_chain.deployment.escrow),
            escrow_code: found.escrow_code,
            confirmations: CONFIRMATIONS,
            start: test_chain.anvil.node.head().await.unwrap(),
            ..chain_row(CHAIN)
        };
        catalog::put_chain(&mut tx, &row).await.unwrap();
        let coin = |token| Home::Chain { chain: CHAIN, token };
        let gas = amount(10);
        let mec = catalog::put_asset(&mut tx, "MEC", 18, coin(Token::Native), Amount::ZERO, gas).await.unwrap();
        let usdt = catalog::put_asset(&mut tx, "USDT", 6, coin(Token::Erc20(test_chain.usdt)), Amount::ZERO, gas)
            .await
            .unwrap();
        tx.commit().await.unwrap();
        let worker = worker(&database, test_chain.anvil.node.clone(), test_chain.settler.clone());
        let platform = Self { test_chain, database, worker, anna, mec, usdt };
        platform.settle().await;
        platform
    }

    /// Runs the worker until it has no work left.
    pub async fn settle(&self) {
        settle(&self.worker).await;
    }

    /// Mines enough blocks to make everything final and lets the worker process them.
    pub async fn finalise(&self) {
        self.test_chain.anvil.mine(CONFIRMATIONS).await;
        self.settle().await;
    }

    /// Sends native coins to the user's vault and finalizes the deposit.
    pub async fn deposit(&self, units: i128) {
        self.test_chain.deposit(1, units).await;
        self.finalise().await;
    }

    /// Returns the user's temporary balance.
    pub async fn free(&self, asset: AssetId) -> i128 {
        let balance = app::wallet::balance::balance(&self.worker.context, self.anna.id).await.unwrap();
        balance.lines.iter().find(|line| line.asset.id == asset).unwrap().temporary.units()
    }

    pub async fn in_flight(&self, asset: AssetId) -> i128 {
        let balance = app::wallet::balance::balance(&self.worker.context, self.anna.id).await.unwrap();
        balance.lines.iter().find(|line| line.asset.id == asset).unwrap().in_flight.units()
    }

    /// Withdraws the user's whole temporary balance of an asset.
    pub async fn withdraw(&self, asset: AssetId) {
        withdraw(&self.worker.context, self.anna.id, asset, "withdraw once").await.unwrap();
    }

    /// Returns the balance of the user's bound address on the chain.
    /// Waits until the user has received an amount: the node answers the worker before it mines a payout.
    pub async fn receives(&self, token: Token, amount: i128) {
        while self.received(token).await != amount {
            tokio::task::yield_now().await;
        }
    }

    pub async fn received(&self, token: Token) -> i128 {
        self.test_chain
            .anvil
            .node
            .holding(token, self.anna.bound.unwrap(), chain::node::At::Latest)
            .await
            .unwrap()
            .try_into()
            .unwrap()
    }

    /// Asserts that the ledger is consistent and agrees with the chain.
    pub async fn in_order(&self) {
        let mut tx = self.database.store.begin().await.unwrap();
        assert_eq!(store::ledger::disagreements(&mut tx).await.unwrap(), Vec::<String>::new());
        assert_eq!(store::stops::all(&mut tx).await.unwrap(), vec![]);
        let custody = store::ledger::custody_by_vault(&mut tx).await.unwrap();
        for (vault, asset, owed) in custody {
            let token = if asset == self.mec { Token::Native } else { Token::Erc20(self.test_chain.usdt) };
            let held: i128 = self
                .test_chain
                .anvil
                .node
                .holding(token, vault, chain::node::At::Latest)
                .await
                .unwrap()
                .try_into()
                .unwrap();
            assert!(held >= owed.units(), "{vault} holds {held} of {owed}");
        }
    }
}

pub fn worker(database: &Database, node: Arc<RpcNode>, signer: Arc<LocalSigner>) -> Worker {
    let context = Context::new(database.store.clone(), Clock::Shared(Arc::new(SystemTime)), Arc::new(Ids));
    let settings =
        WorkerSettings { policy: Policy { stop_on_deep_reorganisation: false }, ..WorkerSettings::default() };
    let signer: Arc<dyn Signer> = signer;
    Worker { signer: Some(signer), settings, ..Worker::new(context, node) }
}

/// Creates a second worker, as in another process.
pub fn another(database: &Database, address: &str) -> Worker {
    let node = Arc::new(RpcNode::new(address, std::time::Duration::from_secs(20)).unwrap());
    worker(database, node, signer(1))
}

pub async fn settle(worker: &Worker) {
    loop {
        let read = worker::watch::step(worker).await.unwrap();
        let paid = worker::payouts::step(worker).await.unwrap();
        if (read, paid) == (Next::Rest, Next::Rest) {
            return;
        }
    }
}

pub async fn withdraw(context: &Context, user: UserId, asset: AssetId, key: &str) -> app::Result<PayoutId> {
    app::wallet::withdrawals::withdraw(context, &IdempotencyKey::derived(&[key]), user, asset).await
}
