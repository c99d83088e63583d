//! Chain reading and payouts on an in-memory chain: reorganizations of every depth, quorums, and nodes that lag, lie,
//! fail or lose responses.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

mod payouts;
mod quorum;
mod reading;

use std::collections::HashSet;

use chain::batch::{Batch, BatchLeg};
use chain::node::{Fees, Node};
use chain::payouts::Deployment;
use chain::scripted::{Script, ScriptedNode};
use chain::signer::LocalSigner;
use chain::vaults::Vaults;
use chain::watch::{self, RangeUpdate, WatchError, Watched};
use domain::chain::{Address, BlockRef, ChainId, CustodyIndex, Reference, Token};
use domain::money::Amount;

const CHAIN: ChainId = ChainId(77);
const ESCROW: Address = Address([0xe5; 20]);
const USDT: Address = Address([0xd0; 20]);
const PERSON: Address = Address([0xaa; 20]);
const BUYER: Address = Address([0xb1; 20]);
const ZERO: Address = Address([0; 20]);
const DEPLOYMENT: Deployment = Deployment { chain: CHAIN, escrow: ESCROW };

fn amount(units: i128) -> Amount {
    Amount::new(units).unwrap()
}

fn vault(index: u64) -> Address {
    Vaults::of(ESCROW).address(CustodyIndex(index))
}

fn script() -> (Script, ScriptedNode) {
    let script = Script::new(CHAIN, ESCROW);
    let node = script.node();
    (script, node)
}

fn watched() -> Watched {
    let mut watched = Watched::of(ESCROW);
    watched.tokens.insert(USDT);
    watched
}

async fn next(node: &dyn Node, known: &[BlockRef]) -> Result<Option<RangeUpdate>, WatchError> {
    watch::next_range(node, &watched(), &HashSet::from([vault(1)]), 500, known, 0).await
}

/// A reader that stores the blocks, newest first, and their contents.
#[derive(Default)]
struct Reader {
    known: Vec<BlockRef>,
    received: Vec<(u64, Token, Amount)>,
}

impl Reader {
    async fn catch_up(&mut self, node: &dyn Node) {
        while let Some(update) = next(node, &self.known).await.unwrap() {
            self.known.retain(|block| block.number < update.replace_from);
            self.received.retain(|(block, ..)| *block < update.replace_from);
            for facts in update.blocks {
                self.known.insert(0, facts.place);
                let incoming = facts.transfers.into_iter().filter(|transfer| transfer.to == vault(1));
                self.received.extend(incoming.map(|t| (facts.place.number, t.token, t.amount)));
            }
        }
    }

    fn sum(&self, token: Token) -> i128 {
        self.received.iter().filter(|(_, of, _)| *of == token).map(|(.., amount)| amount.units()).sum()
    }
}

fn topic(address: Address) -> [u8; 32] {
    let mut topic = [0; 32];
    topic[12..].copy_from_slice(&address.0);
    topic
}

/// Computes the topic of both standards' `Transfer` events from its definition.
fn transfer_topic() -> [u8; 32] {
    use sha3::Digest;
    sha3::Keccak256::digest(b"Transfer(address,address,uint256)").into()
}

fn signer() -> LocalSigner {
    LocalSigner::development([0x11; 32]).unwrap()
}

fn leg(reference: u64, units: i128) -> BatchLeg {
    BatchLeg {
        reference: Reference(reference),
        vault: CustodyIndex(1),
        token: Token::Native,
        to: BUYER,
        amount: amount(units),
        with_next: false,
        or_void: false,
    }
}

async fn signed(legs: Vec<BatchLeg>, nonce: u64, fees: Fees) -> chain::transaction::Signed {
    DEPLOYMENT.sign(&Batch::new(legs).unwrap(), nonce, fees, &signer()).await.unwrap()
}

fn fees(max_fee: i128) -> Fees {
    Fees { max_fee: amount(max_fee), priority_fee: amount(max_fee / 2) }
}
