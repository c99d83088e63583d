//! What the console asks the chain: whether the ledger agrees with it, how to void a payout, and which NFTs to return.

use std::sync::Arc;

use app::Context;
use app::console::{PayoutChain, UnlistedNft, VoidCall, into_vaults};
use async_trait::async_trait;
use chain::node::{At, Node, NodeError};
use domain::assets::AssetId;
use domain::chain::{Address, Reference, Token, TxHash};
use domain::nfts::TokenId;

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
        let mut found = Vec::new();
        let moved = chain::nfts::transfers(&receipt);
        for (user, transfer) in into_vaults(&self.context, receipt.block, moved).await? {
            let Token::Erc721(collection, id) = transfer.token else { continue };
            let holder =
                chain::nfts::owner(node, collection, id, At::Latest).await.map_err(|error| unavailable(&error))?;
            let minted = transfer.from == Address([0; 20]);
            let recipient = if minted { user.bound } else { Some(transfer.from) };
            let Some(recipient) = recipient.filter(|_| holder == Some(user.vault)) else { continue };
            let call = chain::calls::return_unlisted(self.escrow, user.custody_index, collection, id, recipient);
            found.push(UnlistedNft {
                user: user.id,
                vault: user.vault,
                collection,
                token_id: TokenId(id),
                recipient,
                call: (self.escrow, call.data),
            });
        }
        Ok(found)
    }
}

fn unavailable(error: &NodeError) -> app::Error {
    tracing::warn!(%error, "the node does not answer the console");
    app::Error::Unavailable { what: "the node" }
}
