//! Administrators find NFTs of collections that are not configured, with the calls of the Escrow that return them.

use app::console::UnlistedNft;
use axum::extract::State;
use domain::chain::TxHash;
use domain::identity::address::checksummed;
use domain::refusal::Refusal;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::officer::Officer;
use crate::envelope::{Answer, Done, Envelope};
use crate::extract::Query;
use crate::state::ApiState;

/// An NFT in a vault, of a collection that is not configured, and the call of the Escrow that returns it. Only the Escrow's
/// administrator can send the call.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ConsoleUnlistedNft)]
#[serde(rename_all = "camelCase")]
pub(super) struct UnlistedItem {
    /// The user who owns the vault.
    user_id: Uuid,
    vault: String,
    /// The address of the collection's contract.
    collection: String,
    /// The number within the collection, as a decimal string.
    nft_id: String,
    /// Where it came from. If it was minted into the vault, the bound address of the user.
    recipient: String,
    /// The address of the Escrow.
    to: String,
    /// The encoded call, in hexadecimal with the prefix `0x`.
    data: String,
}

impl From<UnlistedNft> for UnlistedItem {
    fn from(nft: UnlistedNft) -> Self {
        let (escrow, data) = nft.call;
        Self {
            user_id: nft.user.0,
            vault: checksummed(nft.vault),
            collection: checksummed(nft.collection),
            nft_id: nft.token_id.to_string(),
            recipient: checksummed(nft.recipient),
            to: checksummed(escrow),
            data: format!("0x{}", hex::encode(data)),
        }
    }
}

#[derive(Debug, Clone, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct UnlistedQuery {
    /// The hash of the transaction that sent the NFTs to vaults.
    transaction: String,
}

/// Returns the NFTs of collections that are not configured that a final transaction has sent to vaults, and that are still there.
///
/// At most 200, as of the newest final block. Leaves out NFTs whose collection does not tell their owner.
#[utoipa::path(get, path = "/console/unlisted-nfts", tag = "console", params(UnlistedQuery),
    responses((status = 200, body = Envelope<Vec<UnlistedItem>>)), security(("officer" = [])))]
pub(super) async fn get(
    State(state): State<ApiState>,
    Officer(acting): Officer,
    Query(asked): Query<UnlistedQuery>,
) -> Answer<Vec<UnlistedItem>> {
    let tx: TxHash = asked
        .transaction
        .to_lowercase()
        .parse()
        .map_err(|_| Refusal::Invalid { field: "transaction", reason: "not a hash (0x and 64 hexadecimal digits)" })?;
    let found = state.console.unlisted_nfts(&acting.viewing(), tx).await?;
    Ok(Done(found.into_iter().map(Into::into).collect()))
}
