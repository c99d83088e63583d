//! What the console asks the chain: whether the ledger agrees with it, how to void a payout, and which NFTs to return.

use std::sync::Arc;

use app::Context;
use app::console::{PayoutChain, UNLISTED_AT_ONCE, UnlistedNft, VoidCall, into_vaults};
use async_trait::async_trait;
use chain::node::{Node, NodeError};
use domain::assets::AssetId;
use domain::chain::{Address, Reference, Token, Transfer, TxHash};
use domain::money::Amount;
use domain::nfts::TokenId;
use domain::users::User;

use crate::{Error, reconcile};

/// The chain behind a node.
pub struct NodePayoutChain {
    pub context: Context,
    pub node: Arc<dyn Node>,
    pub escrow: Address,
}

#[async_trait]
impl PayoutChain for NodePayoutChain {
    async fn differences(&self, asset: AssetId) -> app::Result<Vec<String>> {
        match reconcile::shortages(&self.context, self.node.as_ref(), asset).await {
            Ok(differences) => Ok(differences),
            Err(Error::App(error)) => Err(error),
            Err(error) => {
                tracing::warn!(%error, "cannot compare the ledger with the chain");
                Err(app::Error::Unavailable { what: "the node" })
            }
        }
    }

    fn void_call(&self, reference: Reference) -> app::Result<VoidCall> {
        let data = chain::calls::void_reference(self.escrow, reference).data;
        Ok(VoidCall { reference, escrow: self.escrow, data })
    }

    async fn unlisted_nfts(&self, tx: TxHash) -> app::Result<Vec<UnlistedNft>> {
        let node = self.node.as_ref();
        let Some(receipt) = node.receipt(tx).await.map_err(|error| unavailable(&error))? else { return Ok(Vec::new()) };
        let moved = chain::nfts::transfers(&receipt);
        let Some((block, moved)) = into_vaults(&self.context, receipt.block, moved).await? else {
            return Ok(Vec::new());
        };
        let holders: Vec<_> = moved.iter().map(|(user, transfer)| (user.vault, transfer.token)).collect();
        let held = chain::holdings::at_block(node, block.hash, &holders).await.map_err(|error| unavailable(&error))?;
        let there = moved.iter().zip(held).filter(|(_, held)| *held == Ok(Amount::ONE)).map(|(moved, _)| moved);
        Ok(there.filter_map(|(user, transfer)| self.unlisted(user, transfer)).take(UNLISTED_AT_ONCE).collect())
    }
}

impl NodePayoutChain {
    /// Returns the NFT that this transfer has sent to a user's vault; `None` if there is no address to which to return it.
    fn unlisted(&self, user: &User, transfer: &Transfer) -> Option<UnlistedNft> {
        let Token::Erc721(collection, id) = transfer.token else { return None };
        let minted = transfer.from == Address([0; 20]);
        let recipient = if minted { user.bound? } else { transfer.from };
        let call = chain::calls::return_unlisted(self.escrow, user.custody_index, collection, id, recipient);
        Some(UnlistedNft {
            user: user.id,
            vault: user.vault,
            collection,
            token_id: TokenId(id),
            recipient,
            call: (self.escrow, call.data),
        })
    }
}

fn unavailable(error: &NodeError) -> app::Error {
    tracing::warn!(%error, "the node does not answer the console");
    app::Error::Unavailable { what: "the node" }
}
