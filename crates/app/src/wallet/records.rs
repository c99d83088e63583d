//! Shows users their fund records.

use domain::assets::Asset;
use domain::ids::UserId;
use domain::nfts::Nft;
use domain::refusal::Refusal;
use domain::users::User;
use store::Tx;
use uuid::Uuid;

use crate::engine::confirmations::Confirmations;
use crate::memory::assets::Assets;
use crate::memory::reference_data::Current;
use crate::{Context, Result};

pub use domain::wallet::{Direction, Kind, State};
pub use store::wallet::{Effect, FundRecord};

/// A fund record as its user sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Movement {
    pub record: FundRecord,
    pub asset: Asset,
    /// The NFT that moved; `None` for coins.
    pub nft: Option<Nft>,
    /// The other party of the order, if the coins moved between the parties.
    pub counterparty: Option<User>,
    /// The current and the required number of confirmations, once the transfer is in a block.
    pub confirmations: Option<(u64, u64)>,
    /// Whether the user's own address rejected the payout, which then goes to the user's vault and is credited as a
    /// deposit.
    pub redirected: bool,
}

/// Returns a page of a user's fund records, newest first, and their total number. Returns no records for an unknown
/// coin.
pub async fn page(
    context: &Context,
    user: UserId,
    kind: Option<Kind>,
    asset: Option<&str>,
    offset: i64,
    limit: i64,
) -> Result<(Vec<Movement>, i64)> {
    let (mut tx, _) = context.begin().await?;
    let current = context.reference_data(&mut tx).await?;
    let asset = match asset {
        None => None,
        Some(code) => match current.data.assets.values().find(|asset| asset.code == code) {
            Some(asset) => Some(asset.id),
            None => return Err(Refusal::Invalid { field: "asset", reason: "not a coin" }.into()),
        },
    };
    let (records, total) = store::wallet::page_of(&mut tx, user, kind, asset, offset, limit).await?;
    Ok((movements(&mut tx, user, records, &current).await?, total))
}

/// Returns a fund record to its user. To anyone else, reports that it does not exist.
pub async fn one(context: &Context, user: UserId, id: Uuid) -> Result<Movement> {
    let (mut tx, _) = context.begin().await?;
    let current = context.reference_data(&mut tx).await?;
    let record = store::wallet::one(&mut tx, user, id).await?.ok_or(Refusal::NotFound)?;
    Ok(movements(&mut tx, user, vec![record], &current).await?.pop().ok_or(Refusal::NotFound)?)
}

async fn movements(tx: &mut Tx, user: UserId, records: Vec<FundRecord>, current: &Current) -> Result<Vec<Movement>> {
    let user = store::users::read(tx, &[user]).await?.pop().ok_or(Refusal::SessionInvalid)?;
    let chain = Confirmations::of_chain(current);
    let mut others: Vec<_> = records.iter().filter_map(|record| record.counterparty).collect();
    others.sort_unstable();
    others.dedup();
    let others = store::users::read(tx, &others).await?;
    let assets = Assets::load(tx, &current.data, records.iter().map(|record| record.asset)).await?;
    records
        .into_iter()
        .map(|record| {
            // If the transfer's block was removed, counting confirmations from its height is meaningless.
            let block = record.block.filter(|_| record.state != State::Revoked);
            let seen = block.map(|block| (chain.of(block), chain.needed));
            let counterparty = others.iter().find(|other| Some(other.id) == record.counterparty).cloned();
            // Only a redirected payout goes to a vault: bound and receiving addresses never belong to the platform.
            let redirected = record.direction != Direction::In && record.recipient == Some(user.vault);
            Ok(Movement {
                asset: assets.named(record.asset)?,
                nft: assets.nft(record.asset).cloned(),
                counterparty,
                confirmations: seen,
                redirected,
                record,
            })
        })
        .collect()
}
