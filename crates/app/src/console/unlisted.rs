//! NFTs of collections that are not configured: nobody owns them in the ledger, and only the Escrow's administrator can return them.

use std::collections::BTreeMap;

use domain::chain::{Address, BlockNumber, BlockRef, Token, Transfer, TxHash};
use domain::ids::UserId;
use domain::nfts::TokenId;
use domain::users::User;
use serde_json::json;
use store::console::audit::Subject;

use super::{By, Console};
use crate::{Context, Result};

/// The maximum number of NFTs that a search returns.
pub const UNLISTED_AT_ONCE: usize = 200;

/// An NFT in a vault, of a collection that is not configured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnlistedNft {
    /// The owner of the vault.
    pub user: UserId,
    pub vault: Address,
    pub collection: Address,
    pub token_id: TokenId,
    /// Where it came from. If it was minted into the vault, the bound address of the vault's owner.
    pub recipient: Address,
    /// The Escrow, and its encoded call that sends the NFT to the recipient. Only the Escrow's administrator can send it.
    pub call: (Address, Vec<u8>),
}

impl Console {
    /// Returns the NFTs of collections that are not configured that a final transaction has sent to vaults, and that are still there
    /// at the newest final block: at most [`UNLISTED_AT_ONCE`]. Leaves out those whose collection does not tell their owner.
    pub async fn unlisted_nfts(&self, by: &By, tx: TxHash) -> Result<Vec<UnlistedNft>> {
        let details = json!({"transaction": tx.to_string()});
        let (recorded, _) = self.view(by, "view_unlisted_nfts", Subject::Platform, details).await?;
        recorded.commit().await?;
        self.payout_chain.unlisted_nfts(tx).await
    }
}

/// Returns the transfers into vaults of NFTs that are not the product's, with the owners of the vaults: the last one of each NFT.
/// Also returns the newest final block; `None` if the block of the transfers is not final.
pub async fn into_vaults(
    context: &Context,
    block: BlockNumber,
    transfers: Vec<Transfer>,
) -> Result<Option<(BlockRef, Vec<(User, Transfer)>)>> {
    let (mut tx, _) = context.begin().await?;
    let Some(chain) = store::catalog::escrow_chain(&mut tx).await? else { return Ok(None) };
    let Some(confirmed) = chain.confirmed.filter(|confirmed| *confirmed >= block) else { return Ok(None) };
    let Some(newest_final) = store::blocks::at(&mut tx, chain.id, confirmed).await? else { return Ok(None) };
    let collection = |transfer: &Transfer| match transfer.token {
        Token::Erc721(collection, _) => Some(collection),
        Token::Native | Token::Erc20(_) => None,
    };
    let collections: Vec<_> = transfers.iter().filter_map(collection).collect();
    let ours = store::catalog::own_addresses(&mut tx, &collections).await?;
    let recipients: Vec<_> = transfers.iter().map(|transfer| transfer.to).collect();
    let owners: BTreeMap<_, _> = store::users::vault_owners(&mut tx, &recipients).await?.into_iter().collect();
    let ids: Vec<_> = owners.values().copied().collect();
    let users: BTreeMap<_, _> =
        store::users::read(&mut tx, &ids).await?.into_iter().map(|user| (user.id, user)).collect();
    let foreign = transfers.into_iter().filter(|one| collection(one).is_some_and(|contract| !ours.contains(&contract)));
    let mut found = BTreeMap::new();
    for transfer in foreign {
        if let Some(user) = owners.get(&transfer.to).and_then(|owner| users.get(owner)) {
            found.insert(transfer.token, (user.clone(), transfer));
        }
    }
    Ok(Some((newest_final, found.into_values().collect())))
}
