//! Challenges to the pass, and the statements that answered them.

use domain::chain::Address;
use domain::clock::Moment;
use domain::identity::person::Proven;
use domain::ids::UserId;
use domain::people::KycLevel;
use uuid::Uuid;

use crate::{Error, Result, Tx};

/// Refuses a statement that was used for another challenge.
pub const STATEMENT_ONCE: &str = "pass_challenges_statement_id_key";

/// A challenge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Challenge {
    /// What the pass is shown.
    pub id: Uuid,
    /// The hash of what only the asking browser has.
    pub secret_hash: [u8; 32],
    /// What it is for: `login`, `register`, `reset` or `bind`.
    pub purpose: String,
    /// Whose account it is about, where that is known beforehand.
    pub user: Option<UserId>,
    /// The page to which the redirect leads back.
    pub return_to: Option<String>,
    /// When it was made.
    pub created_at: Moment,
    /// Until when it may be answered, and then until when the answer may be used.
    pub expires_at: Moment,
    /// What came of it.
    pub outcome: Outcome,
}

/// What came of a challenge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// Nobody answered yet.
    Waiting,
    /// The person said no.
    Denied,
    /// The pass stated who it is.
    Proven(Proven),
    /// The answer was used.
    Spent(Proven),
}

struct Row {
    id: Uuid,
    secret_hash: Vec<u8>,
    purpose: String,
    user_id: Option<Uuid>,
    return_to: Option<String>,
    created_at: Moment,
    expires_at: Moment,
    denied: bool,
    me_id: Option<String>,
    address: Option<Vec<u8>>,
    region: Option<String>,
    kyc_level: Option<String>,
    spent_at: Option<Moment>,
}

impl TryFrom<Row> for Challenge {
    type Error = Error;

    fn try_from(row: Row) -> Result<Self> {
        let id = row.id;
        let wrong = |why| Error::row("pass_challenges", id, why);
        let outcome = match (row.denied, row.me_id, row.address, row.region, row.kyc_level) {
            (true, None, None, None, None) => Outcome::Denied,
            (false, None, None, None, None) => Outcome::Waiting,
            (false, Some(me_id), Some(address), Some(region), Some(kyc)) => {
                let address = Address::from_slice(&address).ok_or_else(|| wrong("address"))?;
                let kyc = KycLevel::of_name(&kyc).ok_or_else(|| wrong("KYC level"))?;
                let proven = Proven { me_id, address, region, kyc };
                if row.spent_at.is_some() { Outcome::Spent(proven) } else { Outcome::Proven(proven) }
            }
            _ => return Err(wrong("half an answer")),
        };
        Ok(Self {
            id,
            secret_hash: row.secret_hash.try_into().map_err(|_| wrong("secret hash"))?,
            purpose: row.purpose,
            user: row.user_id.map(UserId),
            return_to: row.return_to,
            created_at: row.created_at,
            expires_at: row.expires_at,
            outcome,
        })
    }
}

/// Writes a new challenge.
pub async fn insert(tx: &mut Tx, challenge: &Challenge) -> Result<()> {
    sqlx::query!(
        "insert into pass_challenges (id, secret_hash, purpose, user_id, return_to, created_at, expires_at)
         values ($1, $2, $3, $4, $5, $6, $7)",
        challenge.id,
        &challenge.secret_hash,
        challenge.purpose,
        challenge.user.map(|user| user.0),
        challenge.return_to,
        challenge.created_at,
        challenge.expires_at
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// A challenge by its name, locked until the transaction ends.
pub async fn lock(tx: &mut Tx, id: Uuid) -> Result<Option<Challenge>> {
    sqlx::query_as!(
        Row,
        "select id, secret_hash, purpose, user_id, return_to, created_at, expires_at, denied, me_id, address, region,
                kyc_level, spent_at
         from pass_challenges where id = $1 for update",
        id
    )
    .fetch_optional(tx.connection())
    .await?
    .map(Challenge::try_from)
    .transpose()
}

/// A challenge by the asking browser's secret, locked until the transaction ends.
pub async fn lock_by_secret(tx: &mut Tx, secret_hash: &[u8; 32]) -> Result<Option<Challenge>> {
    sqlx::query_as!(
        Row,
        "select id, secret_hash, purpose, user_id, return_to, created_at, expires_at, denied, me_id, address, region,
                kyc_level, spent_at
         from pass_challenges where secret_hash = $1 for update",
        secret_hash.as_slice()
    )
    .fetch_optional(tx.connection())
    .await?
    .map(Challenge::try_from)
    .transpose()
}

/// Writes the statement that answers a challenge, and until when it may be used.
pub async fn answer(
    tx: &mut Tx,
    id: Uuid,
    statement: &str,
    proven: &Proven,
    now: Moment,
    expires_at: Moment,
) -> Result<()> {
    sqlx::query!(
        "update pass_challenges set statement_id = $2, me_id = $3, address = $4, region = $5, kyc_level = $6,
             answered_at = $7, expires_at = $8
         where id = $1",
        id,
        statement,
        proven.me_id,
        proven.address.as_slice(),
        proven.region,
        proven.kyc.name(),
        now,
        expires_at
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Writes that the person said no.
pub async fn deny(tx: &mut Tx, id: Uuid, now: Moment) -> Result<()> {
    sqlx::query!("update pass_challenges set denied = true, answered_at = $2 where id = $1", id, now)
        .execute(tx.connection())
        .await?;
    Ok(())
}

/// Writes that the answer was used.
pub async fn spend(tx: &mut Tx, id: Uuid, now: Moment) -> Result<()> {
    sqlx::query!("update pass_challenges set spent_at = $2 where id = $1", id, now).execute(tx.connection()).await?;
    Ok(())
}
