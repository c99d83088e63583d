//! The devices from which users have logged in, and the key that signs their cookies.

use domain::clock::Timestamp;
use domain::ids::UserId;

use crate::{Error, Result, Tx};

/// Returns whether a user has logged in from a device since a timestamp. `device` is the hash of the device's ID.
pub async fn is_known(tx: &mut Tx, user: UserId, device: &[u8; 32], since: Timestamp) -> Result<bool> {
    Ok(sqlx::query_scalar!(
        r#"select exists(select from login_devices where user_id = $1 and device = $2 and last_at > $3) as "known!""#,
        user.0,
        device.as_slice(),
        since
    )
    .fetch_one(tx.connection())
    .await?)
}

/// Records that a user has logged in from a device. Keeps the `most` devices that were used last. The caller must have locked the
/// user.
pub async fn remember(tx: &mut Tx, user: UserId, device: &[u8; 32], now: Timestamp, most: i64) -> Result<()> {
    sqlx::query!(
        "insert into login_devices as d (user_id, device, first_at, last_at) values ($1, $2, $3, $3)
         on conflict (user_id, device) do update set last_at = greatest(d.last_at, excluded.last_at)",
        user.0,
        device.as_slice(),
        now
    )
    .execute(tx.connection())
    .await?;
    sqlx::query!(
        "delete from login_devices where user_id = $1 and device in (
             select device from login_devices where user_id = $1 order by last_at desc, first_at desc, device offset $2)",
        user.0,
        most
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Deletes all devices of a user.
pub async fn forget_all(tx: &mut Tx, user: UserId) -> Result<()> {
    sqlx::query!("delete from login_devices where user_id = $1", user.0).execute(tx.connection()).await?;
    Ok(())
}

/// Deletes devices without a login since a timestamp. Returns the number of deleted rows.
pub async fn sweep(tx: &mut Tx, before: Timestamp) -> Result<u64> {
    let done = sqlx::query!("delete from login_devices where last_at <= $1", before).execute(tx.connection()).await?;
    Ok(done.rows_affected())
}

/// Returns the key that signs the cookies of devices, if there is one.
pub async fn key(tx: &mut Tx) -> Result<Option<[u8; 32]>> {
    let key = sqlx::query_scalar!("select key from device_keys").fetch_optional(tx.connection()).await?;
    key.map(|key| key.try_into().map_err(|_| Error::row("device_keys", "key", "length"))).transpose()
}

/// Stores the key that signs the cookies of devices, unless there is one.
pub async fn put_key(tx: &mut Tx, key: &[u8; 32]) -> Result<()> {
    sqlx::query!("insert into device_keys (key) values ($1) on conflict do nothing", key.as_slice())
        .execute(tx.connection())
        .await?;
    Ok(())
}
