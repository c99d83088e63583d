//! Funding requests: at most one open request per user and asset.

use std::fmt::Display;

use domain::assets::AssetId;
use domain::chain::Address;
use domain::clock::Timestamp;
use domain::funding::{FundingRequest, FundingTarget};
use domain::ids::{AdvertId, OrderId, UserId};
use domain::ledger::VaultAsset;
use uuid::Uuid;

use crate::columns::{uuids, vault_address};
use crate::numeric::Units;
use crate::{Error, Result, Tx};

/// The constraint that refuses a second open funding request for a user and asset.
pub const ONE_OPEN: &str = "funding_requests_one_open";

struct Row {
    user_id: Uuid,
    asset_id: i64,
    advert_id: Option<Uuid>,
    order_id: Option<Uuid>,
    required: Units,
    funded: Units,
    opened_at: Timestamp,
}

impl TryFrom<Row> for FundingRequest {
    type Error = Error;

    fn try_from(row: Row) -> Result<Self> {
        Ok(Self {
            target: target(row.user_id, row.advert_id, row.order_id)?,
            vault_asset: VaultAsset { vault: UserId(row.user_id), asset: AssetId(row.asset_id) },
            required: row.required.into(),
            funded: row.funded.into(),
            opened_at: row.opened_at,
        })
    }
}

fn columns(target: FundingTarget) -> (Option<Uuid>, Option<Uuid>) {
    match target {
        FundingTarget::Advert(advert) => (Some(advert.0), None),
        FundingTarget::Order(order) => (None, Some(order.0)),
    }
}

fn target(row: impl Display, advert: Option<Uuid>, order: Option<Uuid>) -> Result<FundingTarget> {
    match (advert, order) {
        (Some(advert), None) => Ok(FundingTarget::Advert(AdvertId(advert))),
        (None, Some(order)) => Ok(FundingTarget::Order(OrderId(order))),
        _ => Err(Error::row("funding_requests", row, "target")),
    }
}

macro_rules! select {
    ($tx:expr, $rest:literal, $users:expr) => {
        sqlx::query_as!(
            Row,
            "select user_id, asset_id, advert_id, order_id, required, funded, opened_at
             from funding_requests where user_id = any($1) and state = 'open' "
                + $rest,
            &uuids($users)
        )
        .fetch_all($tx.connection())
        .await?
        .into_iter()
        .map(FundingRequest::try_from)
        .collect()
    };
}

/// Locks and returns the open funding requests of users.
pub async fn lock_open(tx: &mut Tx, users: &[UserId]) -> Result<Vec<FundingRequest>> {
    select!(tx, "order by id for no key update", users)
}

pub async fn open_of(tx: &mut Tx, users: &[UserId]) -> Result<Vec<FundingRequest>> {
    select!(tx, "order by id", users)
}

/// Returns the users' adverts and orders that wait for coins, or miss coins after a reorganization.
pub async fn holders_of(tx: &mut Tx, users: &[UserId]) -> Result<Vec<FundingTarget>> {
    let rows = sqlx::query!(
        "select advert_id, order_id from funding_requests where user_id = any($1) and state = 'open'
         union
         select id, null from adverts where owner = any($1) and frozen is not null
         union
         select null, id from orders where (advertiser = any($1) or taker = any($1)) and overlay is not null",
        &uuids(users)
    )
    .fetch_all(tx.connection())
    .await?;
    rows.into_iter().map(|row| target("?", row.advert_id, row.order_id)).collect()
}

/// Returns the vaults of the users who must deposit an asset.
pub async fn vaults_awaiting(tx: &mut Tx, asset: AssetId) -> Result<Vec<Address>> {
    let rows = sqlx::query!(
        "select u.id, u.vault_address from funding_requests c join users u on u.id = c.user_id
         where c.asset_id = $1 and c.state = 'open' order by u.id",
        asset.0
    )
    .fetch_all(tx.connection())
    .await?;
    rows.into_iter().map(|row| vault_address(&row.vault_address, row.id)).collect()
}

/// Inserts open funding requests. Fails with [`ONE_OPEN`] if a user would have two for the same asset.
pub async fn open(tx: &mut Tx, funding_requests: &[(Uuid, FundingRequest)]) -> Result<()> {
    for (id, request) in funding_requests {
        let (advert, order) = columns(request.target);
        sqlx::query!(
            "insert into funding_requests (id, user_id, asset_id, advert_id, order_id, required, funded, opened_at, state)
             values ($1, $2, $3, $4, $5, $6, $7, $8, 'open')",
            id,
            request.vault_asset.vault.0,
            request.vault_asset.asset.0,
            advert,
            order,
            Units(request.required) as _,
            Units(request.funded) as _,
            request.opened_at
        )
        .execute(tx.connection())
        .await?;
    }
    Ok(())
}

/// Updates the funded amounts of open funding requests.
pub async fn update(tx: &mut Tx, funding_requests: &[FundingRequest]) -> Result<()> {
    for request in funding_requests {
        let (advert, order) = columns(request.target);
        sqlx::query!(
            "update funding_requests set funded = $3 where state = 'open' and (advert_id = $1 or order_id = $2) and asset_id = $4",
            advert,
            order,
            Units(request.funded) as _,
            request.vault_asset.asset.0
        )
        .execute(tx.connection())
        .await?;
    }
    Ok(())
}

/// Closes the open funding request of a target.
pub async fn close(tx: &mut Tx, target: FundingTarget, fulfilled: bool) -> Result<()> {
    let (advert, order) = columns(target);
    sqlx::query!(
        "update funding_requests set state = $3 where state = 'open' and (advert_id = $1 or order_id = $2)",
        advert,
        order,
        if fulfilled { "fulfilled" } else { "closed" }
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}
