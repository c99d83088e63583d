//! The blocks of the chain, their transactions, and the resulting balances.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use alloy::primitives::keccak256;
use domain::chain::{Address, BlockHash, BlockNumber, BlockRef, ChainId, Reference, Token, TxHash};
use domain::money::Amount;
use ruint::aliases::U256;

use super::escrow;
use super::node::ScriptedNode;
use super::pool::{Pool, Sent};
use super::signed::Countdown;
use crate::contracts::Token::Transfer as TransferEvent;
use crate::node::{Header, Log, NodeBlock, Receipt, Transaction};

/// Seconds between blocks.
const BLOCK_TIME: u64 = 12;
const ZERO: Address = Address([0; 20]);

/// The balance of each holder and token; 1 for an NFT.
type Holdings = HashMap<(Address, Token), U256>;

/// A log for a transaction to emit. It may be forged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wrote {
    pub contract: Address,
    /// The event's signature hash and its indexed parameters.
    pub topics: Vec<[u8; 32]>,
    /// The encoded parameters that are not indexed.
    pub data: Vec<u8>,
}

impl Wrote {
    /// The log of a transfer, which may not have happened.
    pub fn transfer(token: Token, from: Address, to: Address, amount: Amount) -> Self {
        transfer_log(token, from, to, U256::from(crate::convert::units(amount)))
    }
}

/// A change of a transaction that a reorganization can undo.
#[derive(Debug, Clone)]
pub(super) enum Change {
    Moved { token: Token, from: Address, to: Address, units: U256 },
    Spent(Reference),
    Nonce(Address),
}

/// A transaction before it is in a block.
#[derive(Debug, Clone, Default)]
pub(super) struct Done {
    pub(super) hash: [u8; 32],
    pub(super) from: Option<Address>,
    pub(super) to: Option<Address>,
    pub(super) value: U256,
    pub(super) failed: bool,
    pub(super) wrote: Vec<Wrote>,
    pub(super) changes: Vec<Change>,
    /// The signed transaction; `None` if the script created it.
    pub(super) sent: Option<Sent>,
}

#[derive(Debug, Clone)]
pub(super) struct Mined {
    pub(super) header: Header,
    pub(super) done: Vec<Done>,
}

pub(super) struct State {
    pub(super) chain: ChainId,
    pub(super) escrow: Address,
    pub(super) blocks: Vec<Mined>,
    /// Blocks that a reorganization removed. Nodes may still know them.
    pub(super) gone: HashMap<BlockHash, Header>,
    pub(super) pool: Pool,
    pub(super) holdings: Holdings,
    pub(super) spent: HashSet<Reference>,
    pub(super) nonces: HashMap<Address, u64>,
    /// Recipients that reject payments.
    pub(super) refusing: HashSet<Address>,
    pub(super) countdown: Countdown,
    next: Vec<Done>,
    /// A counter, which makes the hash of a block differ from that of its replacement.
    made: u64,
}

#[derive(Clone)]
pub struct Script(Arc<Mutex<State>>);

impl Script {
    /// Creates a chain with one block and an Escrow at this address.
    pub fn new(chain: ChainId, escrow: Address) -> Self {
        let mut state = State {
            chain,
            escrow,
            blocks: Vec::new(),
            gone: HashMap::new(),
            pool: Pool::default(),
            holdings: HashMap::new(),
            spent: HashSet::new(),
            nonces: HashMap::new(),
            refusing: HashSet::new(),
            countdown: None,
            next: Vec::new(),
            made: 0,
        };
        state.mine();
        Self(Arc::new(Mutex::new(state)))
    }

    /// Creates another node of this chain with its own faults.
    pub fn node(&self) -> ScriptedNode {
        ScriptedNode::new(self.clone())
    }

    /// Schedules a transfer in the next block. A transfer from the zero address creates the coins, or the NFT. The
    /// transaction fails if the balance is too low, or if the NFT exists already.
    pub fn transfer(&self, token: Token, from: Address, to: Address, amount: Amount) -> TxHash {
        self.lock().transfer(token, from, to, amount, false)
    }

    /// Schedules a transaction that fails, although it contains a transfer.
    pub fn failing_transfer(&self, token: Token, from: Address, to: Address, amount: Amount) -> TxHash {
        self.lock().transfer(token, from, to, amount, true)
    }

    /// Schedules a contract-internal transfer: the balance increases without a log or transaction value.
    pub fn silent_transfer(&self, to: Address, amount: Amount) -> TxHash {
        let mut state = self.lock();
        let units = U256::from(crate::convert::units(amount));
        let change = Change::Moved { token: Token::Native, from: ZERO, to, units };
        state.schedule(Done { changes: vec![change], ..Done::default() })
    }

    /// Schedules a transaction that emits a log, which may be false, and moves no coins.
    pub fn write(&self, wrote: Wrote) -> TxHash {
        self.lock().schedule(Done { wrote: vec![wrote], ..Done::default() })
    }

    pub fn void(&self, reference: Reference) -> TxHash {
        let mut state = self.lock();
        let done = escrow::void(&state, reference);
        state.schedule(done)
    }

    /// Makes a recipient reject payments, or accept them again.
    pub fn refuse(&self, recipient: Address, refuses: bool) {
        let mut state = self.lock();
        if refuses {
            state.refusing.insert(recipient);
        } else {
            state.refusing.remove(&recipient);
        }
    }

    /// Mines a block with the scheduled and the pending transactions.
    pub fn mine(&self) -> BlockRef {
        self.lock().mine()
    }

    /// Removes the newest `depth` blocks, but never the first block. Their scheduled transactions are lost. Their sent
    /// transactions become pending again, or are lost if `forget` is set.
    pub fn rewind(&self, depth: usize, forget: bool) {
        self.lock().rewind(depth, forget);
    }

    /// The transfers that were scheduled into the newest blocks, in base units: token, sender, recipient, amount.
    pub fn scheduled_in_newest(&self, depth: usize) -> Vec<(Token, Address, Address, Amount)> {
        let state = self.lock();
        let newest = state.blocks.iter().skip(1).rev().take(depth).flat_map(|mined| &mined.done);
        let scheduled = newest.filter(|done| done.sent.is_none()).flat_map(|done| &done.changes);
        scheduled
            .filter_map(|change| match change {
                Change::Moved { token, from, to, units } => Some((*token, *from, *to, amount_of(*units)?)),
                _ => None,
            })
            .collect()
    }

    /// The balance of an address at the newest block, in base units.
    pub fn holding(&self, holder: Address, token: Token) -> Option<Amount> {
        amount_of(self.lock().held(holder, token))
    }

    /// The NFTs that exist, and who has each of them.
    pub fn nfts(&self) -> BTreeMap<Token, Address> {
        let state = self.lock();
        let held =
            state.holdings.iter().filter(|(_, units)| !units.is_zero()).map(|((holder, token), _)| (*token, *holder));
        held.filter(|(token, holder)| matches!(token, Token::Erc721(..)) && *holder != ZERO).collect()
    }

    /// Replaces the newest `depth` blocks by the same number of new blocks. The scheduled transactions in the old
    /// blocks are lost.
    pub fn reorganise(&self, depth: usize) {
        let mut state = self.lock();
        let depth = depth.min(state.blocks.len().saturating_sub(1));
        state.rewind(depth, false);
        for _ in 0..depth {
            state.mine();
        }
    }

    /// Drops all sent transactions that are not mined, like nodes whose pools are full.
    pub fn forget_sent(&self) {
        self.lock().pool = Pool::default();
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        // Ignore poisoning: a test that panicked while holding the lock has already failed.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn amount_of(units: U256) -> Option<Amount> {
    Amount::new(i128::try_from(units).ok()?).ok()
}

impl State {
    pub(super) fn held(&self, holder: Address, token: Token) -> U256 {
        self.holdings.get(&(holder, token)).copied().unwrap_or_default()
    }

    pub(super) fn head(&self) -> BlockNumber {
        u64::try_from(self.blocks.len()).unwrap_or(u64::MAX).saturating_sub(1)
    }

    pub(super) fn at(&self, number: BlockNumber) -> Option<&Mined> {
        usize::try_from(number).ok().and_then(|number| self.blocks.get(number))
    }

    /// Returns the changes after a block; `None` if the block is not on the chain.
    fn changes_after(&self, block: BlockHash) -> Option<impl Iterator<Item = &Change>> {
        let place = self.blocks.iter().position(|mined| mined.header.place.hash == block)?;
        let later = self.blocks.iter().skip(place.saturating_add(1)).flat_map(|mined| &mined.done);
        Some(later.flat_map(|done| &done.changes))
    }

    /// Computes the balance after a block by undoing later changes; `None` if the block is not on the chain.
    pub(super) fn held_at(&self, holder: Address, token: Token, block: BlockHash) -> Option<U256> {
        let (mut came, mut left) = (U256::ZERO, U256::ZERO);
        for change in self.changes_after(block)? {
            if let Change::Moved { token: moved, from, to, units } = change
                && *moved == token
            {
                came = came.saturating_add(if *to == holder { *units } else { U256::ZERO });
                left = left.saturating_add(if *from == holder { *units } else { U256::ZERO });
            }
        }
        Some(self.held(holder, token).saturating_add(left).saturating_sub(came))
    }

    pub(super) fn spent_at(&self, reference: Reference, block: BlockHash) -> Option<bool> {
        let spent_later =
            self.changes_after(block)?.any(|change| matches!(change, Change::Spent(spent) if *spent == reference));
        Some(self.spent.contains(&reference) && !spent_later)
    }

    pub(super) fn nonce_at(&self, account: Address, block: BlockHash) -> Option<u64> {
        let used = self.changes_after(block)?.filter(|change| matches!(change, Change::Nonce(of) if *of == account));
        let now = self.nonces.get(&account).copied().unwrap_or_default();
        Some(now.saturating_sub(u64::try_from(used.count()).unwrap_or(u64::MAX)))
    }

    fn fresh_hash(&mut self) -> [u8; 32] {
        self.made = self.made.saturating_add(1);
        keccak256([b"tx".as_slice(), &self.made.to_be_bytes()].concat()).0
    }

    fn schedule(&mut self, done: Done) -> TxHash {
        let hash = self.fresh_hash();
        self.next.push(Done { hash, ..done });
        TxHash(hash)
    }

    fn transfer(&mut self, token: Token, from: Address, to: Address, amount: Amount, failed: bool) -> TxHash {
        let units = U256::from(crate::convert::units(amount));
        let change = Change::Moved { token, from, to, units };
        let native = matches!(token, Token::Native);
        let wrote = if native { Vec::new() } else { vec![transfer_log(token, from, to, units)] };
        let (called, value) = match token {
            Token::Native => (to, units),
            Token::Erc20(contract) | Token::Erc721(contract, _) => (contract, U256::ZERO),
        };
        self.schedule(Done {
            from: Some(from),
            to: Some(called),
            value,
            failed,
            wrote,
            changes: vec![change],
            ..Done::default()
        })
    }

    fn mine(&mut self) -> BlockRef {
        let scripted = std::mem::take(&mut self.next);
        let mut mined: Vec<Done> = scripted.into_iter().map(|done| self.execute(done)).collect();
        while let Some(sent) = self.pool.take_next(&self.nonces) {
            let done = escrow::execute(self, &sent);
            mined.push(self.execute(done));
        }
        let number = u64::try_from(self.blocks.len()).unwrap_or(u64::MAX);
        self.made = self.made.saturating_add(1);
        let parent = self.blocks.last().map_or(BlockHash([0; 32]), |newest| newest.header.place.hash);
        let seed = [parent.0.as_slice(), &number.to_be_bytes(), &self.made.to_be_bytes(), &self.chain.0.to_be_bytes()];
        let place = BlockRef { number, hash: BlockHash(keccak256(seed.concat()).0), parent };
        let timestamp = 1_700_000_000_u64.saturating_add(number.saturating_mul(BLOCK_TIME));
        self.blocks.push(Mined { header: Header { place, timestamp }, done: mined });
        place
    }

    /// Applies all changes of a transaction, or none.
    fn execute(&mut self, mut done: Done) -> Done {
        let affordable = done.changes.iter().all(|change| match change {
            Change::Moved { token, from: ZERO, units, .. } => self.can_create(*token, *units),
            Change::Moved { token, from, units, .. } => self.held(*from, *token) >= *units,
            _ => true,
        });
        if done.failed || !affordable {
            done.failed = true;
            done.wrote.clear();
            done.changes.retain(|change| matches!(change, Change::Nonce(_)));
        }
        for change in &done.changes {
            self.apply(change);
        }
        done
    }

    fn can_create(&self, token: Token, units: U256) -> bool {
        let exists = || {
            let mut held = self.holdings.iter().filter(|(_, units)| !units.is_zero());
            held.any(|((holder, of), _)| *of == token && *holder != ZERO)
        };
        !matches!(token, Token::Erc721(..)) || (units == U256::ONE && !exists())
    }

    pub(super) fn apply(&mut self, change: &Change) {
        match change {
            Change::Moved { token, from, to, units } => self.shift(*token, *from, *to, *units),
            Change::Spent(reference) => {
                self.spent.insert(*reference);
            }
            Change::Nonce(account) => {
                let nonce = self.nonces.entry(*account).or_default();
                *nonce = nonce.saturating_add(1);
            }
        }
    }

    pub(super) fn revert(&mut self, change: &Change) {
        match change {
            Change::Moved { token, from, to, units } => self.shift(*token, *to, *from, *units),
            Change::Spent(reference) => {
                self.spent.remove(reference);
            }
            Change::Nonce(account) => {
                let nonce = self.nonces.entry(*account).or_default();
                *nonce = nonce.saturating_sub(1);
            }
        }
    }

    fn shift(&mut self, token: Token, from: Address, to: Address, units: U256) {
        let source = self.holdings.entry((from, token)).or_default();
        *source = source.saturating_sub(units);
        let target = self.holdings.entry((to, token)).or_default();
        *target = target.saturating_add(units);
    }

    fn rewind(&mut self, depth: usize, forget: bool) {
        for _ in 0..depth.min(self.blocks.len().saturating_sub(1)) {
            let Some(mined) = self.blocks.pop() else { return };
            for done in mined.done.into_iter().rev() {
                for change in done.changes.iter().rev() {
                    self.revert(change);
                }
                if let Some(sent) = done.sent
                    && !forget
                {
                    self.pool.put_back(sent);
                }
            }
            self.gone.insert(mined.header.place.hash, mined.header);
        }
    }
}

impl Mined {
    pub(super) fn block(&self) -> NodeBlock {
        let transactions = (0..).zip(&self.done).map(|(index, done)| Transaction {
            hash: TxHash(done.hash),
            index,
            from: done.from.unwrap_or(ZERO),
            to: done.to,
            value: done.value,
            data: done.sent.as_ref().map(|sent| sent.data.clone()).unwrap_or_default(),
        });
        NodeBlock { header: self.header, transactions: transactions.collect() }
    }

    pub(super) fn logs(&self) -> Vec<Log> {
        let wrote = self.done.iter().flat_map(|done| done.wrote.iter().map(move |wrote| (done, wrote)));
        let place = self.header.place;
        (0..)
            .zip(wrote)
            .map(|(index, (done, wrote))| Log {
                contract: wrote.contract,
                topics: wrote.topics.clone(),
                data: wrote.data.clone(),
                block: place.number,
                block_hash: place.hash,
                tx: TxHash(done.hash),
                index,
            })
            .collect()
    }

    pub(super) fn receipt(&self, tx: TxHash) -> Option<Receipt> {
        let done = self.done.iter().find(|done| done.hash == tx.0)?;
        Some(Receipt {
            tx,
            block: self.header.place.number,
            block_hash: self.header.place.hash,
            succeeded: !done.failed,
            created: None,
            logs: self.logs().into_iter().filter(|log| log.tx == tx).collect(),
        })
    }
}

/// Creates the log that a token emits for a transfer.
pub(super) fn transfer_log(token: Token, from: Address, to: Address, units: U256) -> Wrote {
    use alloy::sol_types::SolEvent;

    let topic = |address: Address| {
        let mut topic = [0; 32];
        if let Some(low) = topic.last_chunk_mut() {
            *low = address.0;
        }
        topic
    };
    let mut topics = vec![TransferEvent::SIGNATURE_HASH.0, topic(from), topic(to)];
    let (contract, data) = match token {
        Token::Erc721(album, token_id) => {
            topics.push(token_id);
            (album, Vec::new())
        }
        Token::Erc20(contract) => (contract, units.to_be_bytes::<32>().to_vec()),
        Token::Native => (ZERO, Vec::new()),
    };
    Wrote { contract, topics, data }
}
