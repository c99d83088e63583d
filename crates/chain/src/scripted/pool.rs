//! Pending transactions, with the acceptance rules of nodes.

use std::collections::{BTreeMap, HashMap};

use alloy::consensus::transaction::SignerRecoverable;
use alloy::consensus::{Transaction as _, TxEnvelope};
use alloy::eips::eip2718::Decodable2718;
use domain::chain::{Address, ChainId, TxHash};

use crate::convert::{from_evm, tx_hash};
use crate::node::SendError;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sent {
    pub(super) hash: TxHash,
    pub(super) from: Address,
    pub(super) nonce: u64,
    pub(super) to: Option<Address>,
    pub(super) data: Vec<u8>,
    max_fee: u128,
    tip: u128,
}

impl Sent {
    pub(super) fn read(raw: &[u8], chain: ChainId) -> Result<Self, SendError> {
        let refused = |why: &str| SendError::Refused(why.to_owned());
        let envelope = TxEnvelope::decode_2718(&mut &*raw).map_err(|_| refused("not a transaction"))?;
        if envelope.chain_id() != Some(chain.0) {
            return Err(refused("for another chain"));
        }
        let from = envelope.recover_signer().map_err(|_| refused("bad signature"))?;
        Ok(Self {
            hash: tx_hash(*envelope.tx_hash()),
            from: from_evm(from),
            nonce: envelope.nonce(),
            to: envelope.to().map(from_evm),
            data: envelope.input().to_vec(),
            max_fee: envelope.max_fee_per_gas(),
            tip: envelope.max_priority_fee_per_gas().unwrap_or_default(),
        })
    }
}

#[derive(Default)]
pub(super) struct Pool(BTreeMap<(Address, u64), Sent>);

impl Pool {
    /// Accepts a transaction by the rules of nodes: its nonce must not be mined yet, it must not be a duplicate, and a
    /// replacement must raise both fees by a tenth.
    pub(super) fn take(&mut self, sent: Sent, nonces: &HashMap<Address, u64>) -> Result<TxHash, SendError> {
        if sent.nonce < nonces.get(&sent.from).copied().unwrap_or_default() {
            return Err(SendError::NonceTooLow);
        }
        if let Some(known) = self.0.get(&(sent.from, sent.nonce)) {
            if known.hash == sent.hash {
                return Err(SendError::AlreadyKnown);
            }
            let enough = |old: u128, new: u128| new >= old.saturating_add(old.div_ceil(10));
            if !enough(known.max_fee, sent.max_fee) || !enough(known.tip, sent.tip) {
                return Err(SendError::Underpriced("replacement transaction underpriced".to_owned()));
            }
        }
        let hash = sent.hash;
        self.0.insert((sent.from, sent.nonce), sent);
        Ok(hash)
    }

    pub(super) fn hashes(&self) -> Vec<TxHash> {
        self.0.values().map(|sent| sent.hash).collect()
    }

    /// Makes a transaction pending again after a reorganization, unless it was replaced.
    pub(super) fn put_back(&mut self, sent: Sent) {
        self.0.entry((sent.from, sent.nonce)).or_insert(sent);
    }

    /// Removes a transaction that can be mined, because it has its sender's next nonce.
    pub(super) fn take_next(&mut self, nonces: &HashMap<Address, u64>) -> Option<Sent> {
        let turn = |account: &Address| nonces.get(account).copied().unwrap_or_default();
        let next = self.0.keys().find(|(from, nonce)| *nonce == turn(from)).copied()?;
        self.0.remove(&next)
    }
}
