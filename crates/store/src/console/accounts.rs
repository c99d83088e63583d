//! The accounts of officers.

use domain::clock::Timestamp;
use domain::console::Officer;
use domain::ids::OfficerId;
use uuid::Uuid;

use crate::{Error, Result, Tx};

/// The constraint that refuses a second officer with the same email address.
pub const EMAIL_ONCE: &str = "officers_email_key";

/// An officer with the credentials.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    pub officer: Officer,
    /// `None` until the officer has enrolled.
    pub password_hash: Option<String>,
    /// Encrypted.
    pub totp_secret: Vec<u8>,
    /// The step of the newest code that was accepted.
    pub totp_step: Option<i64>,
    /// The hash of the setup link's token. Kept after the link was used, so that the same command can be sent again.
    pub enrollment_hash: Option<[u8; 32]>,
}

struct Row {
    id: Uuid,
    name: String,
    email: String,
    role: String,
    password_hash: Option<String>,
    totp_secret: Vec<u8>,
    totp_step: Option<i64>,
    enrollment_hash: Option<Vec<u8>>,
    enrollment_expires_at: Option<Timestamp>,
    appointed_by: Option<Uuid>,
    approved_at: Option<Timestamp>,
    enrolled_at: Option<Timestamp>,
    disabled_at: Option<Timestamp>,
    created_at: Timestamp,
    version: i64,
}

impl TryFrom<Row> for Account {
    type Error = Error;

    fn try_from(row: Row) -> Result<Self> {
        let wrong = |why| Error::row("officers", row.id, why);
        let bytes = |bytes: Vec<u8>| <[u8; 32]>::try_from(bytes).map_err(|_| wrong("32 bytes"));
        let enrollment_hash = row.enrollment_hash.map(bytes).transpose()?;
        let officer = Officer {
            id: OfficerId(row.id),
            role: row.role.parse().map_err(|_| wrong("role"))?,
            name: row.name,
            email: row.email,
            appointed_by: row.appointed_by.map(OfficerId),
            approved_at: row.approved_at,
            enrolled_at: row.enrolled_at,
            enrollment_expires_at: row.enrollment_expires_at,
            disabled_at: row.disabled_at,
            created_at: row.created_at,
            version: row.version,
        };
        let (password_hash, totp_secret, totp_step) = (row.password_hash, row.totp_secret, row.totp_step);
        Ok(Self { officer, password_hash, totp_secret, totp_step, enrollment_hash })
    }
}

macro_rules! select {
    ($rest:literal $(, $argument:expr)*) => {
        sqlx::query_as!(
            Row,
            "select id, name, email, role, password_hash, totp_secret, totp_step, enrollment_hash,
                    enrollment_expires_at, appointed_by, approved_at, enrolled_at, disabled_at, created_at, version
             from officers " + $rest
            $(, $argument)*
        )
    };
}

/// Locks all officers until the transaction ends, so that decisions about them are made one after another.
pub async fn lock_all(tx: &mut Tx) -> Result<()> {
    sqlx::query!("select from officers order by id for no key update").execute(tx.connection()).await?;
    Ok(())
}

/// Returns all officers in the order of their names.
pub async fn all(tx: &mut Tx) -> Result<Vec<Account>> {
    select!("order by lower(name), id").fetch_all(tx.connection()).await?.into_iter().map(Account::try_from).collect()
}

/// Locks an officer until the transaction ends, so that the officer's commands run one after another.
pub async fn lock(tx: &mut Tx, id: OfficerId) -> Result<Option<Account>> {
    select!("where id = $1 for no key update", id.0)
        .fetch_optional(tx.connection())
        .await?
        .map(Account::try_from)
        .transpose()
}

pub async fn by_id(tx: &mut Tx, id: OfficerId) -> Result<Option<Account>> {
    select!("where id = $1", id.0).fetch_optional(tx.connection()).await?.map(Account::try_from).transpose()
}

pub async fn by_email(tx: &mut Tx, email: &str) -> Result<Option<Account>> {
    select!("where email = $1", email).fetch_optional(tx.connection()).await?.map(Account::try_from).transpose()
}

/// Returns the officer whose setup link has a token with this hash, even if the link was used or has expired.
pub async fn by_enrollment(tx: &mut Tx, hash: &[u8; 32]) -> Result<Option<Account>> {
    select!("where enrollment_hash = $1", hash.as_slice())
        .fetch_optional(tx.connection())
        .await?
        .map(Account::try_from)
        .transpose()
}

pub async fn insert(tx: &mut Tx, account: &Account) -> Result<()> {
    let officer = &account.officer;
    sqlx::query!(
        "insert into officers (id, name, email, role, password_hash, totp_secret, totp_step, enrollment_hash,
                               enrollment_expires_at, appointed_by, approved_at, enrolled_at, disabled_at, created_at, version)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)",
        officer.id.0,
        officer.name,
        officer.email,
        officer.role.into_str(),
        account.password_hash,
        account.totp_secret,
        account.totp_step,
        account.enrollment_hash.as_ref().map(<[u8; 32]>::as_slice),
        officer.enrollment_expires_at,
        officer.appointed_by.map(|by| by.0),
        officer.approved_at,
        officer.enrolled_at,
        officer.disabled_at,
        officer.created_at,
        officer.version
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Updates an officer if the stored version is `account.officer.version`, which is then counted up. Returns whether it was
/// updated.
pub async fn update(tx: &mut Tx, account: &Account) -> Result<bool> {
    let officer = &account.officer;
    let done = sqlx::query!(
        "update officers set name = $3, role = $4, password_hash = $5, totp_secret = $6, totp_step = $7, enrollment_hash = $8,
                             enrollment_expires_at = $9, appointed_by = $10, approved_at = $11, enrolled_at = $12,
                             disabled_at = $13, version = version + 1
         where id = $1 and version = $2",
        officer.id.0,
        officer.version,
        officer.name,
        officer.role.into_str(),
        account.password_hash,
        account.totp_secret,
        account.totp_step,
        account.enrollment_hash.as_ref().map(<[u8; 32]>::as_slice),
        officer.enrollment_expires_at,
        officer.appointed_by.map(|by| by.0),
        officer.approved_at,
        officer.enrolled_at,
        officer.disabled_at
    )
    .execute(tx.connection())
    .await?;
    Ok(done.rows_affected() > 0)
}

/// Uses up the code of a step, and all older ones. Returns `false` if a code of this step or a later one was used before.
pub async fn use_code(tx: &mut Tx, id: OfficerId, step: i64) -> Result<bool> {
    let done = sqlx::query!(
        "update officers set totp_step = $2 where id = $1 and (totp_step is null or totp_step < $2)",
        id.0,
        step
    )
    .execute(tx.connection())
    .await?;
    Ok(done.rows_affected() > 0)
}
