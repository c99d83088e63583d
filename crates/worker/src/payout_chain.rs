//! What the console asks the chain: whether the ledger agrees with it, and how to void a payout.

use std::sync::Arc;

use app::Context;
use app::console::{PayoutChain, VoidCall};
use async_trait::async_trait;
use chain::node::Node;
use domain::assets::AssetId;
use domain::chain::{Address, Reference};

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
}
