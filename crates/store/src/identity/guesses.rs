//! Counters of wrong guesses at secrets, and the networks from which accounts have logged in.

use domain::clock::Timestamp;
use domain::identity::password::Attempts;
use domain::ids::UserId;

use crate::{Error, Result, Tx};

/// The key of a counter. Both parts are hashes, so that counters of unknown accounts look like any other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counter {
    /// The secret that is guessed.
    pub subject: [u8; 32],
    /// The network, or group of networks, from which the guesses come.
    pub place: [u8; 32],
}

/// Locks and returns a counter. Creates it if it does not exist.
pub async fn lock(tx: &mut Tx, counter: Counter, now: Timestamp) -> Result<Attempts> {
    let row = sqlx::query!(
        "insert into guesses as g (subject, place, wrong, forgotten_at) values ($1, $2, 0, $3)
         on conflict (subject, place) do update set wrong = g.wrong
         returning wrong, locked_until, forgotten_at",
        counter.subject.as_slice(),
        counter.place.as_slice(),
        now
    )
    .fetch_one(tx.connection())
    .await?;
    if row.forgotten_at <= now {
        return Ok(Attempts::default());
    }
    let wrong = u32::try_from(row.wrong).map_err(|_| Error::row("guesses", hex::encode(counter.subject), "wrong"))?;
    Ok(Attempts { wrong, locked_until: row.locked_until })
}

/// Stores a counter that the caller has locked. The counter expires at `forgotten_at`.
pub async fn write(tx: &mut Tx, counter: Counter, attempts: Attempts, forgotten_at: Timestamp) -> Result<()> {
    sqlx::query!(
        "update guesses set wrong = $3, locked_until = $4, forgotten_at = $5 where subject = $1 and place = $2",
        counter.subject.as_slice(),
        counter.place.as_slice(),
        i32::try_from(attempts.wrong).unwrap_or(i32::MAX),
        attempts.locked_until,
        forgotten_at
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

pub async fn forget(tx: &mut Tx, counter: Counter) -> Result<()> {
    sqlx::query!(
        "delete from guesses where subject = $1 and place = $2",
        counter.subject.as_slice(),
        counter.place.as_slice()
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Deletes all counters of a secret that was replaced.
pub async fn forget_all(tx: &mut Tx, subject: &[u8; 32]) -> Result<()> {
    sqlx::query!("delete from guesses where subject = $1", subject.as_slice()).execute(tx.connection()).await?;
    Ok(())
}

/// Returns whether an account has logged in from a network.
pub async fn is_known(tx: &mut Tx, user: UserId, network: &str) -> Result<bool> {
    let known = sqlx::query_scalar!(
        r#"select exists (select from login_networks where user_id = $1 and network = $2) as "known!""#,
        user.0,
        network
    )
    .fetch_one(tx.connection())
    .await?;
    Ok(known)
}

/// Records that an account has logged in from a network. Adds at most `most` new networks per account since a
/// timestamp.
pub async fn remember(
    tx: &mut Tx,
    user: UserId,
    network: &str,
    now: Timestamp,
    since: Timestamp,
    most: i64,
) -> Result<()> {
    sqlx::query!(
        "insert into login_networks as n (user_id, network, first_at, last_at)
         select $1, $2, $3, $3
         where exists (select from login_networks where user_id = $1 and network = $2)
            or (select count(*) from login_networks where user_id = $1 and first_at > $4) < $5
         on conflict (user_id, network) do update set last_at = greatest(n.last_at, excluded.last_at)",
        user.0,
        network,
        now,
        since,
        most
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Deletes expired counters, and networks without a login since a timestamp. Returns the number of deleted rows.
pub async fn sweep(tx: &mut Tx, now: Timestamp, networks_before: Timestamp) -> Result<u64> {
    let guesses = sqlx::query!("delete from guesses where forgotten_at <= $1", now).execute(tx.connection()).await?;
    let networks =
        sqlx::query!("delete from login_networks where last_at < $1", networks_before).execute(tx.connection()).await?;
    Ok(guesses.rows_affected().saturating_add(networks.rows_affected()))
}
