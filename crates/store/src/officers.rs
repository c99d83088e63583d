//! The actions of officers, and their record.

use domain::assets::{AssetId, PairId};
use domain::clock::Timestamp;
use domain::ids::{OrderId, UserId};
use uuid::Uuid;

use crate::{Result, Tx};

/// Sets whether a user is certified. Returns whether that changed.
pub async fn set_certified(tx: &mut Tx, user: UserId, certified: bool) -> Result<bool> {
    let changed = sqlx::query!("update users set certified = $2 where id = $1 and certified <> $2", user.0, certified)
        .execute(tx.connection())
        .await?;
    Ok(changed.rows_affected() > 0)
}

/// The subject of an action.
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

/// Records an action. `act` is a name that the table allows.
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

/// The actions of officers on a subject: officer, action, reason and time, oldest first.
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

/// A setting of a pair that an officer changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PairAct {
    /// The name of the setting.
    pub setting: String,
    /// Its value before.
    pub before: String,
    /// Its value from then on.
    pub after: String,
    /// Who decided.
    pub officer: String,
    /// Why.
    pub reason: String,
    /// When.
    pub at: Timestamp,
}

/// Records that a setting of a pair was changed.
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

/// Every change of a pair's settings, oldest first.
pub async fn pair_acts(tx: &mut Tx, pair: PairId) -> Result<Vec<PairAct>> {
    let acts = sqlx::query_as!(
        PairAct,
        "select setting, before, after, officer, reason, at from pair_acts where pair_id = $1 order by id",
        pair.0
    );
    Ok(acts.fetch_all(tx.connection()).await?)
}
