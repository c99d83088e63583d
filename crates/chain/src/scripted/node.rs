//! One node's view of a scripted chain, with configurable faults.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use alloy::sol_types::SolCall;
use async_trait::async_trait;
use domain::chain::{Address, BlockHash, BlockNumber, ChainId, Reference, Token, TxHash};
use domain::money::Amount;
use ruint::aliases::U256;

use super::blocks::{Mined, Script};
use super::pool::Sent;
use crate::contracts::Escrow;
use crate::node::{
    At, Fees, Header, Log, LogFilter, LogRange, Node, NodeBlock, NodeError, Question, Receipt, SendError,
};

/// A request that can be made to fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Method {
    ChainId,
    Head,
    /// [`Node::header`] and [`Node::header_of`].
    Header,
    Block,
    Succeeded,
    Logs,
    Holding,
    Code,
    Nonce,
    /// [`Node::fees`] and [`Node::estimate`].
    Fees,
    Ask,
    Send,
    Receipt,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// The node returns an error without handling the request.
    Fails(NodeError),
    /// The node handles the request, but its response is lost.
    LosesAnswer,
    Refuses(SendError),
}

#[derive(Default)]
struct Faults {
    queued: HashMap<Method, VecDeque<Fault>>,
    down: bool,
    lag: u64,
    forged: Vec<Log>,
    blind: bool,
    most_blocks: Option<u64>,
    forgetful: bool,
    asked: u64,
}

#[derive(Clone)]
pub struct ScriptedNode {
    script: Script,
    faults: Arc<Mutex<Faults>>,
}

impl ScriptedNode {
    pub(super) fn new(script: Script) -> Self {
        Self { script, faults: Arc::default() }
    }

    /// Makes the next request of a kind fail. Several faults are queued.
    pub fn fail_next(&self, method: Method, fault: Fault) {
        self.faults().queued.entry(method).or_default().push_back(fault);
    }

    /// Makes the node unreachable, or reachable again.
    pub fn set_down(&self, down: bool) {
        self.faults().down = down;
    }

    /// Makes the node lag by this number of blocks.
    pub fn set_lag(&self, blocks: u64) {
        self.faults().lag = blocks;
    }

    /// Makes the node report logs that no contract emitted.
    pub fn forge(&self, logs: Vec<Log>) {
        self.faults().forged = logs;
    }

    /// Makes the node report no logs, like a node that has not indexed them.
    pub fn set_blind(&self, blind: bool) {
        self.faults().blind = blind;
    }

    /// Limits the number of blocks per request for logs.
    pub fn set_most_blocks(&self, blocks: Option<u64>) {
        self.faults().most_blocks = blocks;
    }

    /// Makes the node prune the state of all blocks but the newest, or restores that state.
    pub fn set_forgetful(&self, forgetful: bool) {
        self.faults().forgetful = forgetful;
    }

    pub fn asked(&self) -> u64 {
        self.faults().asked
    }

    fn faults(&self) -> MutexGuard<'_, Faults> {
        self.faults.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn next_fault(&self, method: Method) -> Option<Fault> {
        let mut faults = self.faults();
        faults.asked = faults.asked.saturating_add(1);
        if faults.down {
            return Some(Fault::Fails(NodeError::Transient("connection refused".to_owned())));
        }
        faults.queued.get_mut(&method).and_then(VecDeque::pop_front)
    }

    /// Answers a request from the part of the chain that this node knows.
    fn read<T>(&self, method: Method, answer: impl FnOnce(&View<'_>) -> Result<T, NodeError>) -> Result<T, NodeError> {
        match self.next_fault(method) {
            Some(Fault::Fails(error)) => return Err(error),
            Some(Fault::LosesAnswer | Fault::Refuses(_)) => return Err(lost()),
            None => {}
        }
        let (lag, forgetful) = {
            let faults = self.faults();
            (faults.lag, faults.forgetful)
        };
        let answered = {
            let state = self.script.lock();
            let head = state.head().saturating_sub(lag);
            answer(&View { state: &state, head, forgetful })
        };
        self.script.handled(method);
        answered
    }
}

fn lost() -> NodeError {
    NodeError::Transient("the response was lost".to_owned())
}

fn unknown_block() -> NodeError {
    NodeError::Transient("unknown block".to_owned())
}

struct View<'a> {
    state: &'a super::blocks::State,
    head: BlockNumber,
    forgetful: bool,
}

impl View<'_> {
    fn at(&self, number: BlockNumber) -> Option<&Mined> {
        if number > self.head { None } else { self.state.at(number) }
    }

    fn of(&self, hash: BlockHash) -> Option<&Mined> {
        self.blocks().find(|mined| mined.header.place.hash == hash)
    }

    fn blocks(&self) -> impl Iterator<Item = &Mined> {
        self.state.blocks.iter().filter(|mined| mined.header.place.number <= self.head)
    }

    fn hash(&self, at: At) -> Result<BlockHash, NodeError> {
        let found = match at {
            At::Block(hash) => self.of(hash),
            At::Latest => self.at(self.head),
        };
        let place = found.map(|mined| mined.header.place).ok_or_else(unknown_block)?;
        if self.forgetful && place.number < self.head {
            return Err(NodeError::Fatal("missing trie node".to_owned()));
        }
        Ok(place.hash)
    }
}

#[async_trait]
impl Node for ScriptedNode {
    async fn chain_id(&self) -> Result<ChainId, NodeError> {
        self.read(Method::ChainId, |view| Ok(view.state.chain))
    }

    async fn head(&self) -> Result<BlockNumber, NodeError> {
        self.read(Method::Head, |view| Ok(view.head))
    }

    async fn header(&self, number: BlockNumber) -> Result<Option<Header>, NodeError> {
        self.read(Method::Header, |view| Ok(view.at(number).map(|mined| mined.header)))
    }

    async fn header_of(&self, hash: BlockHash) -> Result<Option<Header>, NodeError> {
        self.read(Method::Header, |view| {
            let gone = view.state.gone.get(&hash).copied();
            Ok(view.of(hash).map(|mined| mined.header).or(gone))
        })
    }

    async fn block(&self, number: BlockNumber) -> Result<Option<NodeBlock>, NodeError> {
        self.read(Method::Block, |view| Ok(view.at(number).map(Mined::block)))
    }

    async fn succeeded(&self, block: BlockHash) -> Result<Vec<TxHash>, NodeError> {
        self.read(Method::Succeeded, |view| {
            let mined = view.of(block).ok_or_else(unknown_block)?;
            Ok(mined.done.iter().filter(|done| !done.failed).map(|done| TxHash(done.hash)).collect())
        })
    }

    async fn logs(&self, range: LogRange, filter: &LogFilter) -> Result<Vec<Log>, NodeError> {
        let (forged, blind, most) = {
            let faults = self.faults();
            (faults.forged.clone(), faults.blind, faults.most_blocks)
        };
        self.read(Method::Logs, |view| {
            if blind {
                return Ok(Vec::new());
            }
            let blocks: Vec<&Mined> = match range {
                LogRange::Block(hash) => {
                    vec![view.of(hash).ok_or_else(unknown_block)?]
                }
                LogRange::Heights(from, to) => {
                    if most.is_some_and(|most| to.saturating_sub(from) >= most) {
                        return Err(NodeError::TooMuch("block range is too wide".to_owned()));
                    }
                    view.blocks().filter(|mined| (from..=to).contains(&mined.header.place.number)).collect()
                }
            };
            let fits = |log: &Log| {
                filter.contracts.contains(&log.contract)
                    && log.topics.first().is_some_and(|event| filter.events.contains(event))
            };
            let written = blocks.iter().flat_map(|mined| mined.logs()).filter(fits);
            // Forged logs are not filtered further: they only have to belong to a requested block.
            let told = forged.into_iter().filter(|log| blocks.iter().any(|m| m.header.place.hash == log.block_hash));
            Ok(written.chain(told).collect())
        })
    }

    async fn holding(&self, token: Token, holder: Address, at: At) -> Result<U256, NodeError> {
        self.read(Method::Holding, |view| {
            let block = view.hash(at)?;
            view.state.held_at(holder, token, block).ok_or_else(unknown_block)
        })
    }

    async fn code(&self, address: Address, at: At) -> Result<Vec<u8>, NodeError> {
        self.read(Method::Code, |view| {
            view.hash(at)?;
            Ok(if address == view.state.escrow { b"escrow".to_vec() } else { Vec::new() })
        })
    }

    async fn nonce(&self, account: Address, at: At) -> Result<u64, NodeError> {
        self.read(Method::Nonce, |view| {
            let block = match at {
                At::Latest => return Ok(view.state.nonces.get(&account).copied().unwrap_or_default()),
                At::Block(_) => view.hash(at)?,
            };
            view.state.nonce_at(account, block).ok_or_else(unknown_block)
        })
    }

    async fn fees(&self) -> Result<Fees, NodeError> {
        let fee = |units| Amount::new(units).map_err(|error| NodeError::Fatal(error.to_string()));
        self.read(Method::Fees, |_| Ok(Fees { max_fee: fee(2_000_000_000)?, priority_fee: fee(1_000_000_000)? }))
    }

    async fn estimate(&self, _question: &Question) -> Result<u64, NodeError> {
        self.read(Method::Fees, |_| Ok(100_000))
    }

    /// Supports the Escrow's `isSpent` and `leftToday`. The model has no day limit.
    async fn ask(&self, question: &Question, at: At) -> Result<Vec<u8>, NodeError> {
        self.read(Method::Ask, |view| {
            let block = view.hash(at)?;
            if question.to != Some(view.state.escrow) {
                return Err(NodeError::Contract("execution reverted".to_owned()));
            }
            if let Ok(call) = Escrow::isSpentCall::abi_decode(&question.data) {
                let spent = view.state.spent_at(Reference(call.legReference), block).unwrap_or_default();
                return Ok(Escrow::isSpentCall::abi_encode_returns(&spent));
            }
            if Escrow::leftTodayCall::abi_decode(&question.data).is_ok() {
                return Ok(Escrow::leftTodayCall::abi_encode_returns(&U256::from(u128::MAX)));
            }
            Err(NodeError::Contract("execution reverted".to_owned()))
        })
    }

    async fn send(&self, raw: &[u8]) -> Result<TxHash, SendError> {
        let fault = self.next_fault(Method::Send);
        match fault {
            Some(Fault::Fails(error)) => return Err(error.into()),
            Some(Fault::Refuses(error)) => return Err(error),
            Some(Fault::LosesAnswer) | None => {}
        }
        let taken = {
            let mut state = self.script.lock();
            let sent = Sent::read(raw, state.chain)?;
            let nonces = state.nonces.clone();
            state.pool.take(sent, &nonces)
        };
        self.script.handled(Method::Send);
        if fault.is_some() { Err(lost().into()) } else { taken }
    }

    async fn receipt(&self, tx: TxHash) -> Result<Option<Receipt>, NodeError> {
        self.read(Method::Receipt, |view| Ok(view.blocks().find_map(|mined| mined.receipt(tx))))
    }
}
