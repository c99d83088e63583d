//! Implements [`Node`] over JSON-RPC.

mod error;
mod wire;

use std::time::Duration;

use alloy::eips::BlockId;
use alloy::primitives::{B256, Bytes, U64, U128, U256};
use alloy::rpc::client::{RpcClient, Waiter};
use alloy::rpc::json_rpc::{RpcRecv, RpcSend};
use alloy::rpc::types::{Filter, TransactionInput, TransactionRequest};
use alloy::sol_types::SolCall;
use alloy::transports::TransportError;
use alloy::transports::http::{Http, reqwest};
use async_trait::async_trait;
use domain::chain::{Address, BlockHash, BlockNumber, ChainId, Token, TxHash};

use crate::contracts::Token::{balanceOfCall, ownerOfCall};
use crate::convert::{amount, from_evm, to_evm, tx_hash};
use crate::node::{
    At, Fees, Header, Log, LogFilter, LogRange, Node, NodeBlock, NodeError, Question, Receipt, SendError, VIEW_GAS,
};

#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    #[error("not an HTTP URL")]
    Address,
    #[error("the HTTP client could not be created: {0}")]
    Client(String),
}

/// A node accessed over JSON-RPC. Each request has a timeout and is never repeated automatically.
#[derive(Debug, Clone)]
pub struct RpcNode {
    client: RpcClient,
}

impl RpcNode {
    /// Creates a client for a node at a URL such as `http://127.0.0.1:8545`, with a timeout per request.
    pub fn new(address: &str, limit: Duration) -> Result<Self, SetupError> {
        let url: reqwest::Url = address.parse().map_err(|_| SetupError::Address)?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(SetupError::Address);
        }
        let http = reqwest::Client::builder()
            .timeout(limit)
            .connect_timeout(limit)
            // Follow no redirects: their target is not the configured node.
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .map_err(|error| SetupError::Client(error.to_string()))?;
        Ok(Self { client: RpcClient::new(Http::with_client(http, url), false) })
    }

    /// Calls a method that [`Node`] does not cover, such as a method of development nodes.
    pub async fn raw(
        &self,
        method: &'static str,
        parameters: serde_json::Value,
    ) -> Result<serde_json::Value, NodeError> {
        self.request(method, parameters).await
    }

    async fn request<P: RpcSend, R: RpcRecv>(&self, method: &'static str, parameters: P) -> Result<R, NodeError> {
        self.client.request(method, parameters).await.map_err(error::of_read)
    }

    /// Reads the balances with a single HTTP request. Fails if the node does not answer the request as a whole.
    async fn batch(
        &self,
        holders: &[(Token, Address)],
        at: At,
    ) -> Result<Vec<Result<U256, NodeError>>, TransportError> {
        enum Asked {
            Balance(Waiter<U256>),
            Call(Waiter<Bytes>),
        }
        let mut batch = self.client.new_batch();
        let mut asked = Vec::with_capacity(holders.len());
        for (token, holder) in holders {
            asked.push(match holding_call(*token, *holder) {
                None => Asked::Balance(batch.add_call("eth_getBalance", &(to_evm(*holder), block_id(at)))?),
                Some(question) => Asked::Call(batch.add_call("eth_call", &(wire_call(&question), block_id(at)))?),
            });
        }
        batch.send().await?;
        let mut found = Vec::with_capacity(holders.len());
        for (asked, (token, holder)) in asked.into_iter().zip(holders) {
            found.push(match asked {
                Asked::Balance(answer) => answer.await.map_err(error::of_read),
                Asked::Call(answer) => held(*token, *holder, answer.await.map(Into::into).map_err(error::of_read)),
            });
        }
        Ok(found)
    }
}

/// Returns the call that asks a token for the balance of a holder; `None` for the native coin.
fn holding_call(token: Token, holder: Address) -> Option<Question> {
    let (contract, data) = match token {
        Token::Native => return None,
        Token::Erc20(contract) => (contract, balanceOfCall { holder: to_evm(holder) }.abi_encode()),
        Token::Erc721(album, token_id) => (album, ownerOfCall { tokenId: U256::from_be_bytes(token_id) }.abi_encode()),
    };
    let (from, value) = (Address([0; 20]), domain::money::Amount::ZERO);
    Some(Question { from, to: Some(contract), value, data, gas: Some(VIEW_GAS) })
}

/// Decodes a token's answer to [`holding_call`].
fn held(token: Token, holder: Address, answer: Result<Vec<u8>, NodeError>) -> Result<U256, NodeError> {
    match token {
        Token::Native => Err(NodeError::Fatal("the native coin is not a contract".to_owned())),
        Token::Erc20(contract) => balanceOfCall::abi_decode_returns(&answer?)
            .map_err(|error| NodeError::Contract(format!("balance of {holder} in {contract}: {error}"))),
        Token::Erc721(album, token_id) => {
            let token_id = U256::from_be_bytes(token_id);
            match answer {
                Ok(answer) => ownerOfCall::abi_decode_returns(&answer)
                    .map(|owner| U256::from(from_evm(owner) == holder))
                    .map_err(|error| NodeError::Contract(format!("owner of {token_id} in {album}: {error}"))),
                // The contract reverts if the NFT does not exist. In that case, nobody holds it.
                Err(NodeError::Contract(text)) if text.contains("revert") => Ok(U256::ZERO),
                Err(error) => Err(error),
            }
        }
    }
}

#[async_trait]
impl Node for RpcNode {
    async fn chain_id(&self) -> Result<ChainId, NodeError> {
        self.request("eth_chainId", ()).await.map(|id: U64| ChainId(id.to()))
    }

    async fn head(&self) -> Result<BlockNumber, NodeError> {
        self.request("eth_blockNumber", ()).await.map(|number: U64| number.to())
    }

    async fn header(&self, number: BlockNumber) -> Result<Option<Header>, NodeError> {
        let found: Option<wire::Header> = self.request("eth_getBlockByNumber", (U64::from(number), false)).await?;
        found.map(|header| expected(Header::from(header), |header| header.place.number, number)).transpose()
    }

    async fn header_of(&self, hash: BlockHash) -> Result<Option<Header>, NodeError> {
        let found: Option<wire::Header> = self.request("eth_getBlockByHash", (B256::from(hash.0), false)).await?;
        Ok(found.map(Into::into))
    }

    async fn block(&self, number: BlockNumber) -> Result<Option<NodeBlock>, NodeError> {
        let found: Option<wire::Block> = self.request("eth_getBlockByNumber", (U64::from(number), true)).await?;
        found.map(|block| expected(NodeBlock::from(block), |block| block.header.place.number, number)).transpose()
    }

    async fn succeeded(&self, block: BlockHash) -> Result<Vec<TxHash>, NodeError> {
        let receipts: Option<Vec<wire::Status>> = self.request("eth_getBlockReceipts", (B256::from(block.0),)).await?;
        let receipts = receipts.ok_or_else(|| NodeError::Transient(format!("no receipts of block {block} yet")))?;
        Ok(receipts
            .into_iter()
            .filter(|receipt| receipt.status == U64::from(1))
            .map(|receipt| tx_hash(receipt.transaction_hash))
            .collect())
    }

    async fn logs(&self, range: LogRange, filter: &LogFilter) -> Result<Vec<Log>, NodeError> {
        // In the JSON-RPC interface, an empty list would match everything.
        if filter.contracts.is_empty() || filter.events.is_empty() {
            return Ok(Vec::new());
        }
        let contracts: Vec<_> = filter.contracts.iter().copied().map(to_evm).collect();
        let events: Vec<_> = filter.events.iter().copied().map(B256::from).collect();
        let wire = Filter::new().address(contracts).event_signature(events);
        let wire = match range {
            LogRange::Block(hash) => wire.at_block_hash(hash.0),
            LogRange::Heights(from, to) => wire.from_block(from).to_block(to),
        };
        let found: Vec<wire::Log> = self.request("eth_getLogs", (wire,)).await?;
        let mut logs: Vec<Log> = found.into_iter().filter(|log| !log.removed).map(Into::into).collect();
        logs.sort_by_key(|log| (log.block, log.index));
        Ok(logs)
    }

    async fn holding(&self, token: Token, holder: Address, at: At) -> Result<U256, NodeError> {
        match holding_call(token, holder) {
            None => self.request("eth_getBalance", (to_evm(holder), block_id(at))).await,
            Some(question) => held(token, holder, self.ask(&question, at).await),
        }
    }

    async fn holdings(&self, holders: &[(Token, Address)], at: At) -> Vec<Result<U256, NodeError>> {
        let failure = match self.batch(holders, at).await {
            Ok(found) => return found,
            Err(failure) => error::of_read(failure),
        };
        if failure.is_transient() {
            return vec![Err(failure); holders.len()];
        }
        // Some nodes refuse batches.
        let mut found = Vec::with_capacity(holders.len());
        for (token, holder) in holders {
            found.push(self.holding(*token, *holder, at).await);
        }
        found
    }

    async fn code(&self, address: Address, at: At) -> Result<Vec<u8>, NodeError> {
        self.request("eth_getCode", (to_evm(address), block_id(at))).await.map(|code: Bytes| code.into())
    }

    async fn nonce(&self, account: Address, at: At) -> Result<u64, NodeError> {
        self.request("eth_getTransactionCount", (to_evm(account), block_id(at))).await.map(|nonce: U64| nonce.to())
    }

    async fn fees(&self) -> Result<Fees, NodeError> {
        let latest: Option<wire::BaseFee> = self.request("eth_getBlockByNumber", ("latest", false)).await?;
        let base = latest
            .ok_or_else(|| NodeError::Transient("the node has no newest block".to_owned()))?
            .base_fee_per_gas
            .ok_or_else(|| NodeError::Fatal("the chain has no base fee (EIP-1559)".to_owned()))?;
        let tip: U128 = self.request("eth_maxPriorityFeePerGas", ()).await?;
        // Twice the base fee covers its growth over six full blocks in a row.
        let most = U256::from(base).saturating_mul(U256::from(2)).saturating_add(U256::from(tip));
        let checked = |value| amount(value).map_err(|error| NodeError::Fatal(format!("fees: {error}")));
        Ok(Fees { max_fee: checked(most)?, priority_fee: checked(U256::from(tip))? })
    }

    async fn estimate(&self, question: &Question) -> Result<u64, NodeError> {
        self.request("eth_estimateGas", (wire_call(question),)).await.map(|gas: U64| gas.to())
    }

    async fn ask(&self, question: &Question, at: At) -> Result<Vec<u8>, NodeError> {
        self.request("eth_call", (wire_call(question), block_id(at))).await.map(|answer: Bytes| answer.into())
    }

    async fn send(&self, raw: &[u8]) -> Result<TxHash, SendError> {
        let expected = alloy::primitives::keccak256(raw);
        let hash: B256 = self
            .client
            .request("eth_sendRawTransaction", (Bytes::copy_from_slice(raw),))
            .await
            .map_err(error::of_send)?;
        if hash == expected {
            Ok(tx_hash(hash))
        } else {
            Err(SendError::Unknown(NodeError::Transient("the node returned another transaction hash".to_owned())))
        }
    }

    async fn receipt(&self, tx: TxHash) -> Result<Option<Receipt>, NodeError> {
        let found: Option<wire::Receipt> = self.request("eth_getTransactionReceipt", (B256::from(tx.0),)).await?;
        Ok(found.map(Into::into))
    }
}

/// Fails if the node returned a different block than requested.
fn expected<T>(found: T, number_of: impl Fn(&T) -> BlockNumber, number: BlockNumber) -> Result<T, NodeError> {
    if number_of(&found) == number {
        Ok(found)
    } else {
        Err(NodeError::Fatal(format!("the node returned another block than {number}")))
    }
}

/// Identifies a block by its hash (EIP-1898), so that a reorganization between two requests is noticed.
fn block_id(at: At) -> BlockId {
    match at {
        At::Block(hash) => BlockId::hash(hash.0.into()),
        At::Latest => BlockId::latest(),
    }
}

fn wire_call(question: &Question) -> TransactionRequest {
    let data = Some(question.data.clone().into());
    TransactionRequest {
        from: Some(to_evm(question.from)),
        to: question.to.map(|contract| to_evm(contract).into()),
        value: Some(U256::from(crate::convert::units(question.value))),
        gas: question.gas,
        // Nodes accept `data`; older ones do not know `input`.
        input: TransactionInput { input: None, data },
        ..TransactionRequest::default()
    }
}
