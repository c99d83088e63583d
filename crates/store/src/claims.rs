//! What waits for coins in a vault: at most one open claim for a person and an asset.

use domain::assets::AssetId;
use domain::chain::Address;
use domain::claims::{Claim, Holder};
use domain::clock::Moment;
use domain::ids::{AdvertId, OrderId, UserId};
use domain::ledger::VaultAsset;
use uuid::Uuid;

use crate::numeric::Units;
use crate::{Error, Result, Tx};

/// The constraint that refuses a second open claim for a person and asset.
pub const ONE_OPEN: &str = "claims_one_open";

struct Row {
    id: Uuid,
    user_id: Uuid,
    asset_id: i64,
    advert_id: Option<Uuid>,
    order_id: Option<Uuid>,
    need: Units,
    counted: Units,
    opened_at: Moment,
}

impl TryFrom<Row> for Claim {
    type Error = Error;

    fn try_from(row: Row) -> Result<Self> {
        let holder = match (row.advert_id, row.order_id) {
            (Some(advert), None) => Holder::Advert(AdvertId(advert)),
            (None, Some(order)) => Holder::Order(OrderId(order)),
            _ => return Err(Error::row("claims", row.id, "holder")),
        };
        Ok(Self {
            holder,
            vault_asset: VaultAsset { vault: UserId(row.user_id), asset: AssetId(row.asset_id) },
            need: row.need.into(),
            counted: row.counted.into(),
            opened_at: row.opened_at,
        })
    }
}

fn columns(holder: Holder) -> (Option<Uuid>, Option<Uuid>) {
    match holder {
        Holder::Advert(advert) => (Some(advert.0), None),
        Holder::Order(order) => (None, Some(order.0)),
    }
}

/// The open claims of some people, locked until the transaction ends.
pub async fn lock_open(tx: &mut Tx, users: &[UserId]) -> Result<Vec<Claim>> {
    let users: Vec<_> = users.iter().map(|user| user.0).collect();
    sqlx::query_as!(
        Row,
        "select id, user_id, asset_id, advert_id, order_id, need, counted, opened_at
         from claims where user_id = any($1) and state = 'open' order by id for no key update",
        &users
    )
    .fetch_all(tx.connection())
    .await?
    .into_iter()
    .map(Claim::try_from)
    .collect()
}

/// The open claims of some people, as they are.
pub async fn open_of(tx: &mut Tx, users: &[UserId]) -> Result<Vec<Claim>> {
    let users: Vec<_> = users.iter().map(|user| user.0).collect();
    sqlx::query_as!(
        Row,
        "select id, user_id, asset_id, advert_id, order_id, need, counted, opened_at
         from claims where user_id = any($1) and state = 'open' order by id",
        &users
    )
    .fetch_all(tx.connection())
    .await?
    .into_iter()
    .map(Claim::try_from)
    .collect()
}

/// Which adverts and orders of some people wait for coins, or miss some that a reorganisation took.
pub async fn holders_of(tx: &mut Tx, users: &[UserId]) -> Result<Vec<Holder>> {
    let users: Vec<_> = users.iter().map(|user| user.0).collect();
    let rows = sqlx::query!(
        "select advert_id, order_id from claims where user_id = any($1) and state = 'open'
         union
         select id, null from adverts where owner = any($1) and frozen is not null
         union
         select null, id from orders where (advertiser = any($1) or taker = any($1)) and overlay is not null",
        &users
    )
    .fetch_all(tx.connection())
    .await?;
    rows.into_iter()
        .map(|row| match (row.advert_id, row.order_id) {
            (Some(advert), None) => Ok(Holder::Advert(AdvertId(advert))),
            (None, Some(order)) => Ok(Holder::Order(OrderId(order))),
            _ => Err(Error::row("claims", "?", "holder")),
        })
        .collect()
}

/// Whose vaults wait for an asset, with their addresses.
pub async fn vaults_awaiting(tx: &mut Tx, asset: AssetId) -> Result<Vec<(UserId, Address)>> {
    let rows = sqlx::query!(
        "select u.id, u.vault_address from claims c join users u on u.id = c.user_id
         where c.asset_id = $1 and c.state = 'open' order by u.id",
        asset.0
    )
    .fetch_all(tx.connection())
    .await?;
    rows.into_iter()
        .map(|row| {
            let vault = Address::from_slice(&row.vault_address).ok_or_else(|| Error::row("users", row.id, "vault"))?;
            Ok((UserId(row.id), vault))
        })
        .collect()
}

/// Opens claims. Refused by [`ONE_OPEN`] if a person would have two open ones for an asset.
pub async fn open(tx: &mut Tx, claims: &[(Uuid, Claim)]) -> Result<()> {
    for (id, claim) in claims {
        let (advert, order) = columns(claim.holder);
        sqlx::query!(
            "insert into claims (id, user_id, asset_id, advert_id, order_id, need, counted, opened_at, state)
             values ($1, $2, $3, $4, $5, $6, $7, $8, 'open')",
            id,
            claim.vault_asset.vault.0,
            claim.vault_asset.asset.0,
            advert,
            order,
            Units(claim.need) as _,
            Units(claim.counted) as _,
            claim.opened_at
        )
        .execute(tx.connection())
        .await?;
    }
    Ok(())
}

/// Writes what counts towards open claims.
pub async fn update(tx: &mut Tx, claims: &[Claim]) -> Result<()> {
    for claim in claims {
        let (advert, order) = columns(claim.holder);
        sqlx::query!(
            "update claims set counted = $3 where state = 'open' and (advert_id = $1 or order_id = $2) and asset_id = $4",
            advert,
            order,
            Units(claim.counted) as _,
            claim.vault_asset.asset.0
        )
        .execute(tx.connection())
        .await?;
    }
    Ok(())
}

/// Closes the open claim of a holder: met, or given up.
pub async fn close(tx: &mut Tx, holder: Holder, met: bool) -> Result<()> {
    let (advert, order) = columns(holder);
    sqlx::query!(
        "update claims set state = $3 where state = 'open' and (advert_id = $1 or order_id = $2)",
        advert,
        order,
        if met { "met" } else { "ended" }
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}
