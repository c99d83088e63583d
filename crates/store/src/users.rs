//! Users, as trading sees them. Credentials are stored in [`crate::identity`].

use std::collections::BTreeMap;

use domain::chain::{Address, CustodyIndex};
use domain::clock::Timestamp;
use domain::identity::nickname::skeleton;
use domain::ids::UserId;
use domain::refusal::RiskFlag;
use domain::reputation::{Cause, MissedAcceptances};
use domain::users::{OfflineCause, User};

use crate::columns::{column, count, uuids, vault_address};
use crate::trade::receiving;
use crate::{Error, Result, Tx};

#[expect(clippy::struct_excessive_bools, reason = "a column each")]
struct Row {
    id: uuid::Uuid,
    custody_index: i64,
    vault_address: Vec<u8>,
    bound_address: Option<Vec<u8>>,
    region: String,
    kyc_level: String,
    nickname: Option<String>,
    receiving_address: Option<String>,
    receiving_chain_type: Option<String>,
    automatic_reply: Option<String>,
    online: bool,
    offline_cause: Option<String>,
    missed_acceptances: serde_json::Value,
    reputation: i32,
    certified: bool,
    verified: bool,
    login_forbidden: bool,
    withdrawal_forbidden: bool,
    buy_forbidden: bool,
    sell_forbidden: bool,
    held_until: Option<Timestamp>,
}

impl TryFrom<Row> for User {
    type Error = Error;

    fn try_from(row: Row) -> Result<Self> {
        let wrong = |why| Error::row("users", row.id, why);
        let forbidden = [
            (row.login_forbidden, RiskFlag::Login),
            (row.withdrawal_forbidden, RiskFlag::Withdrawal),
            (row.buy_forbidden, RiskFlag::Buy),
            (row.sell_forbidden, RiskFlag::Sell),
        ];
        Ok(Self {
            id: UserId(row.id),
            custody_index: u64::try_from(row.custody_index).map(CustodyIndex).map_err(|_| wrong("custody index"))?,
            vault: vault_address(&row.vault_address, row.id)?,
            bound: row
                .bound_address
                .map(|bytes| Address::from_slice(&bytes).ok_or_else(|| wrong("bound address")))
                .transpose()?,
            kyc: row.kyc_level.parse().map_err(|_| wrong("KYC level"))?,
            region: row.region,
            nickname: row.nickname,
            receiving: receiving(row.receiving_address, row.receiving_chain_type),
            automatic_reply: row.automatic_reply,
            online: row.online,
            offline_cause: row
                .offline_cause
                .map(|cause| cause.parse().map_err(|_| wrong("offline cause")))
                .transpose()?,
            missed_acceptances: serde_json::from_value(row.missed_acceptances)
                .map_err(|_| wrong("missed acceptances"))?,
            reputation: row.reputation,
            certified: row.certified,
            verified: row.verified,
            forbidden: forbidden.into_iter().filter_map(|(set, flag)| set.then_some(flag)).collect(),
            held_until: row.held_until,
        })
    }
}

macro_rules! select {
    ($tx:expr, $rest:literal, $ids:expr) => {
        sqlx::query_as!(
            Row,
            "select id, custody_index, vault_address, bound_address, region, kyc_level, nickname, receiving_address,
                    receiving_chain_type, automatic_reply, online, offline_cause, missed_acceptances, reputation, certified,
                    verified, login_forbidden, withdrawal_forbidden, buy_forbidden, sell_forbidden, held_until
             from users where id = any($1) " + $rest,
            &uuids($ids)
        )
        .fetch_all($tx.connection())
        .await?
        .into_iter()
        .map(User::try_from)
        .collect()
    };
}

/// Locks and returns users in the order of their IDs.
pub async fn lock(tx: &mut Tx, ids: &[UserId]) -> Result<Vec<User>> {
    select!(tx, "order by id for no key update", ids)
}

/// Locks users without waiting. Returns whether all could be locked; those that could stay locked in any case.
pub async fn try_lock(tx: &mut Tx, ids: &[UserId]) -> Result<bool> {
    let locked = sqlx::query_scalar!(
        "select id from users where id = any($1) order by id for no key update skip locked",
        &uuids(ids)
    )
    .fetch_all(tx.connection())
    .await?;
    Ok(locked.len() == ids.len())
}

pub async fn read(tx: &mut Tx, ids: &[UserId]) -> Result<Vec<User>> {
    select!(tx, "order by id", ids)
}

/// Returns a new custody index, which is never reused.
pub async fn next_custody_index(tx: &mut Tx) -> Result<CustodyIndex> {
    let index =
        sqlx::query_scalar!(r#"select nextval('custody_indexes') as "index!""#).fetch_one(tx.connection()).await?;
    u64::try_from(index).map(CustodyIndex).map_err(|_| Error::row("custody_indexes", index, "negative"))
}

pub async fn insert(tx: &mut Tx, user: &User, at: Timestamp) -> Result<()> {
    let forbidden = |flag| user.forbidden.contains(&flag);
    sqlx::query!(
        "insert into users (id, created_at, custody_index, vault_address, bound_address, region, kyc_level, nickname,
                            receiving_address, receiving_chain_type, online, reputation, certified, verified,
                            login_forbidden, withdrawal_forbidden, buy_forbidden, sell_forbidden, held_until,
                            nickname_skeleton)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)",
        user.id.0,
        at,
        i64::try_from(user.custody_index.0).map_err(|_| Error::row("users", user.id, "custody index"))?,
        user.vault.as_slice(),
        user.bound.as_ref().map(Address::as_slice),
        user.region,
        user.kyc.into_str(),
        user.nickname,
        user.receiving.as_ref().map(|receiving| &receiving.address),
        user.receiving.as_ref().map(|receiving| &receiving.chain_type),
        user.online,
        user.reputation,
        user.certified,
        user.verified,
        forbidden(RiskFlag::Login),
        forbidden(RiskFlag::Withdrawal),
        forbidden(RiskFlag::Buy),
        forbidden(RiskFlag::Sell),
        user.held_until,
        user.nickname.as_deref().map(skeleton)
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Returns the owners of the vaults at these addresses. Omits other addresses.
pub async fn vault_owners(tx: &mut Tx, addresses: &[Address]) -> Result<Vec<(Address, UserId)>> {
    let addresses: Vec<_> = addresses.iter().map(|address| address.as_slice().to_vec()).collect();
    let rows = sqlx::query!("select vault_address, id from users where vault_address = any($1)", &addresses)
        .fetch_all(tx.connection())
        .await?;
    rows.into_iter().map(|row| Ok((vault_address(&row.vault_address, row.id)?, UserId(row.id)))).collect()
}

/// Locks a page of the users with less than full reputation, by ID. Returns their reputation and the sum of its changes
/// since a timestamp, which is negative.
pub async fn lock_charged(
    tx: &mut Tx,
    after: Option<UserId>,
    since: Timestamp,
    most: i64,
) -> Result<Vec<(UserId, i32, i32)>> {
    let locked = sqlx::query!(
        // The index of these users contains the number, so it cannot be a parameter.
        "select id, reputation from users where reputation < 100 and id > $1 order by id limit $2 for no key update",
        after.map_or(uuid::Uuid::nil(), |user| user.0),
        most
    )
    .fetch_all(tx.connection())
    .await?;
    let users: Vec<_> = locked.iter().map(|row| row.id).collect();
    // Must be a separate statement: a statement that waits for a lock reads other tables from a snapshot taken before
    // the wait, so it would miss the change it waited for.
    let charged: BTreeMap<_, _> = sqlx::query!(
        r#"select user_id, sum(change)::int as "sum!" from reputation_changes
           where user_id = any($1) and at >= $2 and order_id is not null group by user_id"#,
        &users,
        since
    )
    .fetch_all(tx.connection())
    .await?
    .into_iter()
    .map(|row| (row.user_id, row.sum))
    .collect();
    let charged = |id| charged.get(&id).copied().unwrap_or_default();
    Ok(locked.into_iter().map(|row| (UserId(row.id), row.reputation, charged(row.id))).collect())
}

/// Changes users' reputation, and records each change with its cause. Of several changes of a user, the last one
/// determines the reputation.
pub async fn change_reputation(tx: &mut Tx, changes: &[ReputationChange], at: Timestamp) -> Result<()> {
    if changes.is_empty() {
        return Ok(());
    }
    let latest: BTreeMap<_, _> = changes.iter().map(|change| (change.user.0, change.reputation)).collect();
    let (users, reputations): (Vec<_>, Vec<_>) = latest.into_iter().unzip();
    sqlx::query!(
        "update users u set reputation = n.reputation from unnest($1::uuid[], $2::int[]) as n (id, reputation)
         where u.id = n.id",
        &users,
        &reputations
    )
    .execute(tx.connection())
    .await?;
    sqlx::query!(
        "insert into reputation_changes (user_id, change, reputation, cause, order_id, appeal_id, at)
         select *, $7 from unnest($1::uuid[], $2::int[], $3::int[], $4::text[], $5::uuid[], $6::uuid[])",
        &column(changes, |change| change.user.0),
        &column(changes, |change| change.change),
        &column(changes, |change| change.reputation),
        &column(changes, |change| change.cause.to_owned()),
        &column(changes, |change| change.order.map(|order| order.0)) as _,
        &column(changes, |change| change.appeal.map(|appeal| appeal.0)) as _,
        at
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReputationChange {
    pub user: UserId,
    /// Negative for a deduction.
    pub change: i32,
    /// The reputation after the change.
    pub reputation: i32,
    pub cause: &'static str,
    pub order: Option<domain::ids::OrderId>,
    /// The appeal whose decision caused the change.
    pub appeal: Option<domain::ids::AppealId>,
}

impl ReputationChange {
    /// Returns how many of the day's cancellations the change is: 1, or 0 if an appeal caused it.
    pub fn cancellations(&self) -> u32 {
        u32::from(self.order.is_some() && self.appeal.is_none())
    }

    /// Returns how many lapses of the user the change is: 1 or 0.
    pub fn lapses(&self) -> u32 {
        u32::from(self.cause.parse().is_ok_and(Cause::is_lapse))
    }
}

/// A user who goes online or offline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Switch {
    pub user: UserId,
    pub online: bool,
    /// Why the platform takes the user offline, if it does.
    pub cause: Option<OfflineCause>,
}

/// Sets users online or offline. Each user may occur once.
pub async fn set_online(tx: &mut Tx, switches: &[Switch]) -> Result<()> {
    if switches.is_empty() {
        return Ok(());
    }
    sqlx::query!(
        "update users u set online = n.online, offline_cause = n.cause
         from unnest($1::uuid[], $2::boolean[], $3::text[]) as n (id, online, cause) where u.id = n.id",
        &column(switches, |switch| switch.user.0),
        &column(switches, |switch| switch.online),
        &column(switches, |switch| switch.cause.map(|cause| cause.into_str().to_owned())) as _
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Sets users' missed acceptances. Each user may occur once.
pub async fn set_missed_acceptances(tx: &mut Tx, missed: &[(UserId, MissedAcceptances)]) -> Result<()> {
    if missed.is_empty() {
        return Ok(());
    }
    let lists = missed
        .iter()
        .map(|(user, list)| serde_json::to_value(list).map_err(|_| Error::row("users", user, "missed acceptances")));
    sqlx::query!(
        "update users u set missed_acceptances = n.list from unnest($1::uuid[], $2::jsonb[]) as n (id, list) where u.id = n.id",
        &column(missed, |(user, _)| user.0),
        &lists.collect::<Result<Vec<_>>>()?
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Returns the number of cancellations that have counted against each user since a timestamp, including free ones.
pub async fn cancellations_since(tx: &mut Tx, users: &[UserId], since: Timestamp) -> Result<Vec<(UserId, u32)>> {
    if users.is_empty() {
        return Ok(Vec::new());
    }
    let rows = sqlx::query!(
        r#"select user_id, count(*) as "many!" from reputation_changes
           where user_id = any($1) and at >= $2 and order_id is not null and appeal_id is null group by user_id"#,
        &uuids(users),
        since
    )
    .fetch_all(tx.connection())
    .await?;
    rows.into_iter().map(|row| count("reputation_changes", row.user_id, row.many)).collect()
}

/// Returns those of the given pairs of users in which either has blocked the other.
pub async fn blocked(tx: &mut Tx, pairs: &[(UserId, UserId)]) -> Result<Vec<(UserId, UserId)>> {
    let one: Vec<_> = pairs.iter().map(|(one, _)| one.0).collect();
    let other: Vec<_> = pairs.iter().map(|(_, other)| other.0).collect();
    let rows = sqlx::query!(
        r#"select p.one as "one!", p.other as "other!" from unnest($1::uuid[], $2::uuid[]) as p (one, other)
           where exists (select from blocks_between b
                         where (b.blocker, b.blocked) in ((p.one, p.other), (p.other, p.one)))"#,
        &one,
        &other
    )
    .fetch_all(tx.connection())
    .await?;
    Ok(rows.into_iter().map(|row| (UserId(row.one), UserId(row.other))).collect())
}
