//! The clock, the chain and the worker of the demo world, which run only when the script steps them.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, bail};
use app::identity::ports::SystemRandom;
use app::{Clock, Context, SystemTime};
use chain::calls;
use chain::rpc::RpcNode;
use chain::signer::Signer;
use domain::chain::{Address, Token, TxHash};
use domain::clock::{Reading, Timestamp};
use domain::money::Amount;
use serde_json::{Value, json};
use store::Store;
use worker::{Next, Worker};

use crate::node::CONFIRMATIONS;
use crate::rpc::Node;

/// The time limit for one request to the node.
const NODE_TIMEOUT: Duration = Duration::from_secs(30);
/// The gas limit of transfers, which no transfer reaches. With a fixed limit, the node need not estimate transfers.
const TRANSFER_GAS: u64 = 120_000;

pub(super) struct Stage {
    pub(super) context: Context,
    node: Node,
    worker: Worker,
    now: Timestamp,
}

impl Stage {
    /// Stops the clock and automatic mining, and sets the clock to the beginning of the script.
    pub(super) async fn open(
        store: Store,
        node: Node,
        signer: Arc<dyn Signer>,
        beginning: Timestamp,
    ) -> anyhow::Result<Self> {
        let context = Context::new(store, Clock::Shared(Arc::new(SystemTime)), Arc::new(SystemRandom));
        let reader = Arc::new(RpcNode::new(node.url(), NODE_TIMEOUT)?);
        let worker = Worker { signer: Some(signer), ..Worker::new(context.clone(), reader) };
        node.call::<Value>("evm_setAutomine", json!([false])).await?;
        let mut stage = Self { context, node, worker, now: beginning };
        stage.at(beginning).await?;
        Ok(stage)
    }

    /// Sets the product's clock, which must not go back.
    pub(super) async fn at(&mut self, timestamp: Timestamp) -> anyhow::Result<()> {
        if timestamp < self.now {
            bail!("the clock cannot go back from {} to {timestamp}", self.now);
        }
        self.now = timestamp;
        self.set(Reading::Stopped { at: timestamp }).await
    }

    async fn set(&self, reading: Reading) -> anyhow::Result<()> {
        let mut tx = self.context.store.begin().await?;
        store::clock::set(&mut tx, reading).await?;
        Ok(tx.commit().await?)
    }

    /// Sends coins from an account whose key the node holds. The next block includes the transfer.
    pub(super) async fn send(
        &self,
        token: Token,
        from: Address,
        to: Address,
        amount: Amount,
    ) -> anyhow::Result<TxHash> {
        let call = calls::transfer(token, from, to, amount);
        let transaction = json!([{
            "from": from,
            "to": call.to,
            "value": format!("{:#x}", call.value.units()),
            "data": format!("0x{}", hex::encode(&call.data)),
            "gas": format!("{TRANSFER_GAS:#x}"),
        }]);
        self.node.call("eth_sendTransaction", transaction).await
    }

    /// Runs the worker: sends due payouts, mines and finalizes them, and acts on due deadlines.
    pub(super) async fn settle(&self) -> anyhow::Result<()> {
        while worker::payouts::step(&self.worker).await.context("cannot send payouts")? == Next::Immediately {}
        self.mine(self.now, CONFIRMATIONS).await?;
        while worker::watch::step(&self.worker).await.context("cannot read the chain")? == Next::Immediately {}
        app::deadlines::run(&self.context).await?;
        Ok(())
    }

    async fn mine(&self, at: Timestamp, blocks: u64) -> anyhow::Result<()> {
        self.node.call::<Value>("evm_setNextBlockTimestamp", json!([at.timestamp()])).await?;
        for _ in 0..blocks {
            self.node.mine().await?;
        }
        Ok(())
    }

    /// Checks that the ledger agrees with the chain, then lets the clock and the chain run on machine time.
    pub(super) async fn close(self, machine: Timestamp) -> anyhow::Result<()> {
        self.mine(machine, CONFIRMATIONS).await?;
        while worker::watch::step(&self.worker).await.context("cannot read the chain")? == Next::Immediately {}
        self.agree().await?;
        self.set(Reading::Running { shift: chrono::Duration::zero() }).await?;
        self.node.call::<Value>("evm_setAutomine", json!([true])).await?;
        Ok(())
    }

    /// Checks that every vault holds exactly the amounts in the ledger. The worker's own reconciliation runs
    /// afterwards, because it would credit a surplus as a deposit.
    async fn agree(&self) -> anyhow::Result<()> {
        let watch = app::chain::watch(&self.context, 1).await?.context("no chain is configured")?;
        let mut after = None;
        loop {
            let page = app::chain::custody(&self.context, watch.chain.id, after).await?;
            let page = page.context("no block is final yet")?;
            if page.last.is_none() {
                break;
            }
            after = page.last;
            let holders: Vec<_> = page.custody.iter().map(|custody| (custody.vault, custody.token)).collect();
            let held = chain::holdings::at_block(self.worker.node.as_ref(), page.block.hash, &holders).await?;
            let differs = page.custody.iter().zip(held).find(|(custody, held)| *held != Ok(custody.held));
            if let Some((custody, held)) = differs {
                bail!(
                    "vault {} holds {held:?} of {:?} instead of {} at block {}",
                    custody.vault,
                    custody.token,
                    custody.held,
                    page.block.number
                );
            }
        }
        worker::reconcile::step(&self.worker).await?;
        Ok(())
    }
}
