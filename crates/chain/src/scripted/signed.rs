//! What became of signed transactions, and the death of the process that sends them.

use domain::chain::{BlockHash, BlockRef, Reference, SettlementOutcome, TxHash};

use super::blocks::Script;
use super::node::Method;
use crate::settlements;

/// A signed transaction in a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedTransaction {
    pub hash: TxHash,
    /// The references that the Escrow has paid in it.
    pub paid: Vec<Reference>,
}

/// The payload of the panic with which a process [dies](Script::kill_at).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Death;

/// Until a process dies: the kind of request, or any kind, and how many of them come before.
pub(super) type Countdown = Option<(Option<Method>, u32)>;

impl Script {
    /// Returns the signed transactions that are not in a block yet.
    pub fn pending(&self) -> Vec<TxHash> {
        self.lock().pool.hashes()
    }

    /// Returns the newest blocks down to the first that the caller knows, with their signed transactions; newest first.
    pub fn signed_since(&self, known: impl Fn(BlockHash) -> bool) -> Vec<(BlockRef, Vec<SignedTransaction>)> {
        let state = self.lock();
        let new = state.blocks.iter().rev().take_while(|mined| !known(mined.header.place.hash));
        let read = new.map(|mined| {
            let logs = mined.logs();
            let signed = mined.done.iter().filter(|done| done.sent.is_some()).map(|done| {
                let hash = TxHash(done.hash);
                let outcomes = logs.iter().filter(|log| log.tx == hash).flat_map(settlements::read);
                let paid = outcomes.filter(|(_, outcome)| SettlementOutcome::from(*outcome) == SettlementOutcome::Paid);
                SignedTransaction { hash, paid: paid.map(|(reference, _)| reference).collect() }
            });
            (mined.header.place, signed.collect())
        });
        read.collect()
    }

    /// Kills the process that makes a request to a node of this chain: the node handles the request, and instead of an
    /// answer, the process panics with [`Death`]. The request is the one after the next `after` of its kind, or of any kind.
    pub fn kill_at(&self, method: Option<Method>, after: u32) {
        self.lock().countdown = Some((method, after));
    }

    /// Lets processes live. Returns whether one has died.
    pub fn spare(&self) -> bool {
        self.lock().countdown.take().is_none()
    }

    /// Counts a request that a node has handled.
    pub(super) fn handled(&self, method: Method) {
        let mut state = self.lock();
        let due = match &mut state.countdown {
            Some((wanted, left)) if wanted.is_none_or(|wanted| wanted == method) => {
                let due = *left == 0;
                *left = left.saturating_sub(1);
                due
            }
            _ => false,
        };
        if due {
            state.countdown = None;
            drop(state);
            std::panic::resume_unwind(Box::new(Death));
        }
    }
}
