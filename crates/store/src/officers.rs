//! The actions of officers, and the record of them.

use domain::assets::{AssetId, PairId};
use domain::clock::Timestamp;
use domain::ids::{OrderId, UserId};
use uuid::Uuid;

use crate::{Result, Tx};

/// Sets whether a user is certified. Returns whether the value has changed.
pub async fn set_certified(tx: &mut Tx, user: UserId, certified: bool) -> Result<bool> {
    let changed = sqlx::query!("update users set certified = $2 where id = $1 and certified <> $2", user.0, certified)
        .execute(tx.connection())
        .await?;
    Ok(changed.rows_affected() > 0)
}

/// The user, asset or order that an action concerns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum About {
    Person(UserId),
    Asset(AssetId),
    Order(OrderId),
}

impl About {
    fn columns(self) -> (Option<Uuid>, Option<i64>, Option<Uuid>) {
        match self {
            Self::Person(user) => (Some(user.0), None, None),
            Self::Asset(asset) => (None, Some(asset.0), None),
            Self::Order(order) => (None, None, Some(order.0)),
        }
    }
}

/// Records an action. The table's constraint lists the allowed values of `act`.
pub async fn record(tx: &mut Tx, officer: &str, act: &str, about: About, reason: &str, at: Timestamp) -> Result<()> {
    let (user, asset, order) = about.columns();
    sqlx::query!(
        "insert into officer_acts (officer, act, user_id, asset_id, order_id, reason, at) values ($1, $2, $3, $4, $5, $6, $7)",
        officer,
        act,
        user,
        asset,
        order,
        reason,
        at
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Returns the actions of officers on a subject, oldest first: officer, action, reason and time.
pub async fn acts(tx: &mut Tx, about: About) -> Result<Vec<(String, String, String, Timestamp)>> {
    let (user, asset, order) = about.columns();
    let rows = sqlx::query!(
        "select officer, act, reason, at from officer_acts where user_id = $1 or asset_id = $2 or order_id = $3 order by id",
        user,
        asset,
        order
    )
    .fetch_all(tx.connection())
    .await?;
    Ok(rows.into_iter().map(|row| (row.officer, row.act, row.reason, row.at)).collect())
}

/// A change of a pair's setting by an officer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PairAct {
    pub setting: String,
    pub before: String,
    pub after: String,
    pub officer: String,
    pub reason: String,
    pub at: Timestamp,
}

pub async fn record_pair_act(tx: &mut Tx, pair: PairId, act: &PairAct) -> Result<()> {
    sqlx::query!(
        "insert into pair_acts (pair_id, setting, before, after, officer, reason, at) values ($1, $2, $3, $4, $5, $6, $7)",
        pair.0,
        act.setting,
        act.before,
        act.after,
        act.officer,
        act.reason,
        act.at
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Returns every change of a pair's settings, oldest first.
pub async fn pair_acts(tx: &mut Tx, pair: PairId) -> Result<Vec<PairAct>> {
    let acts = sqlx::query_as!(
        PairAct,
        "select setting, before, after, officer, reason, at from pair_acts where pair_id = $1 order by id",
        pair.0
    );
    Ok(acts.fetch_all(tx.connection()).await?)
}
