//! Counters of wrong guesses at secrets, and the networks from which accounts have logged in.

use domain::clock::Timestamp;
use domain::identity::password::Attempts;
use domain::ids::UserId;

use crate::columns::column;
use crate::{Error, Result, Tx};

/// The key of a counter. Both parts are hashes, so that counters of unknown accounts look like any other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Counter {
    /// The secret that is guessed.
    pub subject: [u8; 32],
    /// The network, or group of networks, from which the guesses come.
    pub place: [u8; 32],
}

/// Locks and returns counters. Creates those that do not exist.
pub async fn lock(tx: &mut Tx, counters: &[Counter], now: Timestamp) -> Result<Vec<(Counter, Attempts)>> {
    let (subjects, places) = columns(counters);
    let rows = sqlx::query!(
        "insert into guesses as g (subject, place, wrong, forgotten_at)
         select subject, place, 0, $3 from unnest($1::bytea[], $2::bytea[]) as c (subject, place) order by subject, place
         on conflict (subject, place) do update set wrong = g.wrong
         returning subject, place, wrong, locked_until, forgotten_at",
        &subjects,
        &places,
        now
    )
    .fetch_all(tx.connection())
    .await?;
    rows.into_iter()
        .map(|row| {
            let wrong = |why| Error::row("guesses", hex::encode(&row.subject), why);
            let hash = |bytes: &[u8]| <[u8; 32]>::try_from(bytes).map_err(|_| wrong("key"));
            let counter = Counter { subject: hash(&row.subject)?, place: hash(&row.place)? };
            if row.forgotten_at <= now {
                return Ok((counter, Attempts::default()));
            }
            let count = u32::try_from(row.wrong).map_err(|_| wrong("wrong"))?;
            Ok((counter, Attempts { wrong: count, locked_until: row.locked_until }))
        })
        .collect()
}

/// Stores counters that the caller has locked.
pub async fn write(tx: &mut Tx, counters: &[(Counter, Attempts)], now: Timestamp) -> Result<()> {
    if counters.is_empty() {
        return Ok(());
    }
    let (subjects, places) = columns(&column(counters, |(counter, _)| *counter));
    let wrong: Vec<_> = column(counters, |(_, attempts)| i32::try_from(attempts.wrong).unwrap_or(i32::MAX));
    let locked: Vec<_> = column(counters, |(_, attempts)| attempts.locked_until);
    let forgotten: Vec<_> = column(counters, |(_, attempts)| attempts.forgotten_at(now));
    sqlx::query!(
        "update guesses g set wrong = c.wrong, locked_until = c.locked_until, forgotten_at = c.forgotten_at
         from unnest($1::bytea[], $2::bytea[], $3::int[], $4::timestamptz[], $5::timestamptz[])
              as c (subject, place, wrong, locked_until, forgotten_at)
         where (g.subject, g.place) = (c.subject, c.place)",
        &subjects,
        &places,
        &wrong,
        &locked as _,
        &forgotten
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Deletes counters that the caller has locked.
pub async fn forget(tx: &mut Tx, counters: &[Counter]) -> Result<()> {
    let (subjects, places) = columns(counters);
    sqlx::query!(
        "delete from guesses where (subject, place) in (select * from unnest($1::bytea[], $2::bytea[]))",
        &subjects,
        &places
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

fn columns(counters: &[Counter]) -> (Vec<Vec<u8>>, Vec<Vec<u8>>) {
    counters.iter().map(|counter| (counter.subject.to_vec(), counter.place.to_vec())).unzip()
}

/// Deletes all counters of a secret that was replaced.
pub async fn forget_all(tx: &mut Tx, subject: &[u8; 32]) -> Result<()> {
    sqlx::query!("delete from guesses where subject = $1", subject.as_slice()).execute(tx.connection()).await?;
    Ok(())
}

/// Returns those of the given networks from which the accounts have logged in.
pub async fn known(tx: &mut Tx, networks: &[(UserId, &str)]) -> Result<Vec<(UserId, String)>> {
    let rows = sqlx::query!(
        "select user_id, network from login_networks
         where (user_id, network) in (select * from unnest($1::uuid[], $2::text[]))",
        &column(networks, |(user, _)| user.0),
        &column(networks, |(_, network)| (*network).to_owned())
    )
    .fetch_all(tx.connection())
    .await?;
    Ok(rows.into_iter().map(|row| (UserId(row.user_id), row.network)).collect())
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
