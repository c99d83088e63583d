//! Keys and nonces for the encryption of passwords that browsers send.

use std::collections::{BTreeMap, BTreeSet};

use domain::clock::Timestamp;
use uuid::Uuid;

use crate::{Result, Tx};

#[derive(Clone, PartialEq, Eq)]
pub struct SecretKey {
    pub id: Uuid,
    /// The public key: `SubjectPublicKeyInfo` in DER.
    pub public: Vec<u8>,
    /// The private key: PKCS#8 in DER.
    pub private: Vec<u8>,
    /// When the key expires.
    pub expires_at: Timestamp,
}

impl std::fmt::Debug for SecretKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SecretKey").field("id", &self.id).finish_non_exhaustive()
    }
}

/// Returns the key of a UTC day, if there is one.
pub async fn of_day(tx: &mut Tx, now: Timestamp) -> Result<Option<SecretKey>> {
    Ok(sqlx::query_as!(
        SecretKey,
        r#"select id, public_key as "public", private_key as "private", expires_at from secret_keys where day = $1"#,
        now.date_naive()
    )
    .fetch_optional(tx.connection())
    .await?)
}

/// Stores the key of a UTC day, unless another process has already stored one.
pub async fn keep(tx: &mut Tx, key: &SecretKey, now: Timestamp) -> Result<()> {
    sqlx::query!(
        "insert into secret_keys (id, day, public_key, private_key, expires_at) values ($1, $2, $3, $4, $5)
         on conflict (day) do nothing",
        key.id,
        now.date_naive(),
        key.public,
        key.private,
        key.expires_at
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Returns the key with an ID, even if it has expired.
pub async fn key(tx: &mut Tx, id: Uuid) -> Result<Option<SecretKey>> {
    Ok(sqlx::query_as!(
        SecretKey,
        r#"select id, public_key as "public", private_key as "private", expires_at from secret_keys where id = $1"#,
        id
    )
    .fetch_optional(tx.connection())
    .await?)
}

pub async fn add_nonce(tx: &mut Tx, hash: &[u8; 32], expires_at: Timestamp) -> Result<()> {
    sqlx::query!("insert into secret_nonces (nonce_hash, expires_at) values ($1, $2)", hash.as_slice(), expires_at)
        .execute(tx.connection())
        .await?;
    Ok(())
}

/// Limits the repetition of a command: only from the network of its first request, and only if that came after `since`.
#[derive(Debug, Clone, Copy)]
pub struct Repeatable<'a> {
    pub network: &'a str,
    pub since: Timestamp,
}

/// A use of a nonce: the hashes of the nonce and of the command.
pub type NonceUse = ([u8; 32], [u8; 32]);

/// Uses nonces for commands. Returns the uses whose nonce is valid and was not used by another command. The same command
/// may use its nonce again, within `bounds` if given.
pub async fn use_nonces(
    tx: &mut Tx,
    uses: &[NonceUse],
    now: Timestamp,
    bounds: Option<Repeatable<'_>>,
) -> Result<BTreeSet<NonceUse>> {
    // The first command of the set that uses a nonce gets it.
    let mut first = BTreeMap::new();
    for (nonce, command) in uses {
        first.entry(*nonce).or_insert(*command);
    }
    let nonces: Vec<_> = first.keys().map(|nonce| nonce.to_vec()).collect();
    let commands: Vec<_> = first.values().map(|command| command.to_vec()).collect();
    let used = sqlx::query_scalar!(
        "with locked as (select nonce_hash from secret_nonces where nonce_hash = any($1::bytea[]) order by nonce_hash
                         for no key update)
         update secret_nonces s
         set used_by = u.command, used_at = coalesce(used_at, $3), used_from = coalesce(used_from, $4)
         from unnest($1::bytea[], $2::bytea[]) as u (nonce, command) join locked l on l.nonce_hash = u.nonce
         where s.nonce_hash = u.nonce and s.expires_at > $3
           and (s.used_by is null
                or s.used_by = u.command and ($4::text is null or s.used_from = $4 and s.used_at > $5))
         returning s.nonce_hash",
        &nonces,
        &commands,
        now,
        bounds.map(|bounds| bounds.network),
        bounds.map(|bounds| bounds.since)
    )
    .fetch_all(tx.connection())
    .await?;
    let used: BTreeSet<_> = used.into_iter().collect();
    Ok(first.into_iter().filter(|(nonce, _)| used.contains(nonce.as_slice())).collect())
}

/// Deletes expired nonces, keys, slide checks and unanswered challenges, and codes sent before `codes_before`, which no
/// longer count toward a daily limit.
pub async fn sweep(tx: &mut Tx, now: Timestamp, codes_before: Timestamp) -> Result<u64> {
    let nonces = sqlx::query!("delete from secret_nonces where expires_at <= $1", now).execute(tx.connection()).await?;
    let slides = sqlx::query!("delete from slide_checks where expires_at <= $1", now).execute(tx.connection()).await?;
    let keys = sqlx::query!("delete from secret_keys where expires_at <= $1", now).execute(tx.connection()).await?;
    // An answered challenge is kept, because the ID of its assertion must not be used again.
    let challenges = sqlx::query!("delete from pass_challenges where expires_at <= $1 and statement_id is null", now)
        .execute(tx.connection())
        .await?;
    let codes =
        sqlx::query!("delete from email_codes where sent_at < $1", codes_before).execute(tx.connection()).await?;
    let counts = [nonces, slides, keys, challenges, codes].map(|done| done.rows_affected());
    Ok(counts.into_iter().fold(0, u64::saturating_add))
}
