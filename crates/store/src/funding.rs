//! Funding requests: at most one open request per user and asset.

use std::fmt::Display;

use domain::assets::AssetId;
use domain::chain::Address;
use domain::clock::Timestamp;
use domain::funding::{FundingRequest, FundingTarget};
use domain::ids::{AdvertId, OrderId, UserId};
use domain::ledger::VaultAsset;
use uuid::Uuid;

use crate::columns::{column, uuids, vault_address};
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

/// Returns all funding requests for an order, open or not, oldest first.
pub async fn of_order(tx: &mut Tx, order: OrderId) -> Result<Vec<FundingRequest>> {
    sqlx::query_as!(
        Row,
        "select user_id, asset_id, advert_id, order_id, required, funded, opened_at
         from funding_requests where order_id = $1 order by opened_at",
        order.0
    )
    .fetch_all(tx.connection())
    .await?
    .into_iter()
    .map(FundingRequest::try_from)
    .collect()
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
         select null, id from orders where advertiser = any($1) and frozen is not null
         union
         select null, id from orders where taker = any($1) and frozen is not null",
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

/// The state of a funding request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestState {
    Open,
    /// The coins have arrived.
    Fulfilled,
    /// The coins are no longer needed.
    Closed,
}

impl RequestState {
    fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Fulfilled => "fulfilled",
            Self::Closed => "closed",
        }
    }
}

/// Inserts funding requests. Fails with [`ONE_OPEN`] if a user would have two open requests for the same asset.
pub async fn insert(tx: &mut Tx, requests: &[(Uuid, FundingRequest, RequestState)]) -> Result<()> {
    if requests.is_empty() {
        return Ok(());
    }
    let targets: Vec<_> = requests.iter().map(|(_, request, _)| columns(request.target)).collect();
    sqlx::query!(
        "insert into funding_requests (id, user_id, asset_id, advert_id, order_id, required, funded, opened_at, state)
         select * from unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::uuid[], $5::uuid[], $6::numeric[], $7::numeric[],
                              $8::timestamptz[], $9::text[])",
        &column(requests, |(id, ..)| *id),
        &column(requests, |(_, request, _)| request.vault_asset.vault.0),
        &column(requests, |(_, request, _)| request.vault_asset.asset.0),
        &column(&targets, |(advert, _)| *advert) as _,
        &column(&targets, |(_, order)| *order) as _,
        &column(requests, |(_, request, _)| Units(request.required)) as _,
        &column(requests, |(_, request, _)| Units(request.funded)) as _,
        &column(requests, |(_, request, _)| request.opened_at),
        &column(requests, |(.., state)| state.name().to_owned())
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Updates the funded amounts and states of open funding requests.
pub async fn update(tx: &mut Tx, requests: &[(FundingRequest, RequestState)]) -> Result<()> {
    if requests.is_empty() {
        return Ok(());
    }
    sqlx::query!(
        "update funding_requests f set funded = n.funded, state = n.state
         from unnest($1::uuid[], $2::bigint[], $3::numeric[], $4::text[]) as n (user_id, asset_id, funded, state)
         where f.user_id = n.user_id and f.asset_id = n.asset_id and f.state = 'open'",
        &column(requests, |(request, _)| request.vault_asset.vault.0),
        &column(requests, |(request, _)| request.vault_asset.asset.0),
        &column(requests, |(request, _)| Units(request.funded)) as _,
        &column(requests, |(_, state)| state.name().to_owned())
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}
