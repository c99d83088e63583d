//! An account that sends transactions immediately, for administrators and the development environment. Payouts do not
//! use it, because each payout must be stored before it is sent.

use std::sync::Arc;
use std::time::Duration;

use domain::chain::{Address, ChainId, TxHash};

use crate::calls::Call;
use crate::node::{At, Node, NodeError, Question, Receipt, SendError};
use crate::signer::{SignError, Signer};
use crate::transaction::Unsigned;

const BETWEEN_QUESTIONS: Duration = Duration::from_millis(20);

#[derive(Debug, thiserror::Error)]
pub enum WalletError {
    /// The node did not answer, or the call would revert.
    #[error(transparent)]
    Node(#[from] NodeError),
    #[error(transparent)]
    Sign(#[from] SignError),
    #[error(transparent)]
    Send(#[from] SendError),
    #[error("transaction {0} reverted")]
    Reverted(TxHash),
    /// The transaction was not mined within the time limit. It may still be mined.
    #[error("transaction {0} was not mined in time")]
    NotMined(TxHash),
}

#[derive(Clone)]
pub struct Wallet {
    node: Arc<dyn Node>,
    signer: Arc<dyn Signer>,
    chain: ChainId,
}

impl Wallet {
    pub fn new(node: Arc<dyn Node>, signer: Arc<dyn Signer>, chain: ChainId) -> Self {
        Self { node, signer, chain }
    }

    pub fn address(&self) -> Address {
        self.signer.address()
    }

    /// Sends a call with the account's next nonce. A call that would revert fails before it costs gas.
    pub async fn send(&self, call: &Call) -> Result<TxHash, WalletError> {
        let (from, data) = (self.address(), call.data.clone());
        let question = Question { from, to: call.to, value: call.value, data, gas: None };
        let gas = self.node.estimate(&question).await?;
        let transaction = Unsigned {
            chain: self.chain,
            nonce: self.node.nonce(self.address(), At::Latest).await?,
            // Add a quarter, because the state may change before the transaction is mined.
            gas_limit: gas.saturating_add(gas.checked_div(4).unwrap_or_default()),
            fees: self.node.fees().await?,
            to: call.to,
            value: call.value,
            data: call.data.clone(),
        };
        let signed = transaction.sign(self.signer.as_ref()).await?;
        match self.node.send(&signed.raw).await {
            Ok(_) | Err(SendError::AlreadyKnown) => Ok(signed.hash),
            Err(error) => Err(error.into()),
        }
    }

    /// Sends a call and waits until it is mined, at most for `limit`.
    pub async fn send_and_wait(&self, call: &Call, limit: Duration) -> Result<Receipt, WalletError> {
        let tx = self.send(call).await?;
        let receipt = mined(self.node.as_ref(), tx, limit).await?;
        if receipt.succeeded { Ok(receipt) } else { Err(WalletError::Reverted(tx)) }
    }
}

/// Waits until a transaction is mined, at most for `limit`.
pub async fn mined(node: &dyn Node, tx: TxHash, limit: Duration) -> Result<Receipt, WalletError> {
    let asking = async {
        loop {
            if let Some(receipt) = node.receipt(tx).await? {
                return Ok(receipt);
            }
            tokio::time::sleep(BETWEEN_QUESTIONS).await;
        }
    };
    tokio::time::timeout(limit, asking).await.map_err(|_| WalletError::NotMined(tx))?
}
