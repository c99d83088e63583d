//! Accounts: the e-mail, the passwords' hashes, the wrong attempts.

use domain::clock::Moment;
use domain::identity::password::Attempts;
use domain::ids::UserId;

use crate::{Error, Result, Tx};

/// Refuses a second account with the e-mail.
pub const EMAIL_ONCE: &str = "accounts_email_key";
/// Refuses a second account of the pass's person.
pub const ME_ID_ONCE: &str = "accounts_me_id_key";
/// Refuses a second person with the bound address.
pub const BOUND_ONCE: &str = "users_bound_address_key";
/// Refuses a second person with the receiving address.
pub const RECEIVING_ONCE: &str = "users_receiving_address";
/// Refuses a second person with the nickname.
pub const NICKNAME_ONCE: &str = "users_nickname";

/// An account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// Whose.
    pub user: UserId,
    /// In lower case.
    pub email: String,
    /// The person at the pass.
    pub me_id: String,
    /// The login password's hash, in its own text form.
    pub password_hash: String,
    /// The security password's hash, once there is one.
    pub security_hash: Option<String>,
    /// Wrong login passwords.
    pub password_attempts: Attempts,
    /// Wrong security passwords.
    pub security_attempts: Attempts,
    /// When the nickname was last changed.
    pub nickname_changed_at: Option<Moment>,
    /// What the person says of themselves.
    pub remark: String,
}

struct Row {
    user_id: uuid::Uuid,
    email: String,
    me_id: String,
    password_hash: String,
    security_hash: Option<String>,
    password_wrong: i32,
    password_locked_until: Option<Moment>,
    security_wrong: i32,
    security_locked_until: Option<Moment>,
    nickname_changed_at: Option<Moment>,
    remark: String,
}

impl TryFrom<Row> for Account {
    type Error = Error;

    fn try_from(row: Row) -> Result<Self> {
        let attempts = |wrong: i32, locked_until| {
            let wrong = u32::try_from(wrong).map_err(|_| Error::row("accounts", row.user_id, "attempts"))?;
            Ok::<_, Error>(Attempts { wrong, locked_until })
        };
        Ok(Self {
            user: UserId(row.user_id),
            password_attempts: attempts(row.password_wrong, row.password_locked_until)?,
            security_attempts: attempts(row.security_wrong, row.security_locked_until)?,
            email: row.email,
            me_id: row.me_id,
            password_hash: row.password_hash,
            security_hash: row.security_hash,
            nickname_changed_at: row.nickname_changed_at,
            remark: row.remark,
        })
    }
}

/// The account of a person, locked until the transaction ends.
pub async fn lock(tx: &mut Tx, user: UserId) -> Result<Option<Account>> {
    sqlx::query_as!(
        Row,
        "select user_id, email, me_id, password_hash, security_hash, password_wrong, password_locked_until,
                security_wrong, security_locked_until, nickname_changed_at, remark
         from accounts where user_id = $1 for update",
        user.0
    )
    .fetch_optional(tx.connection())
    .await?
    .map(Account::try_from)
    .transpose()
}

/// The account of a person, as it is.
pub async fn read(tx: &mut Tx, user: UserId) -> Result<Option<Account>> {
    sqlx::query_as!(
        Row,
        "select user_id, email, me_id, password_hash, security_hash, password_wrong, password_locked_until,
                security_wrong, security_locked_until, nickname_changed_at, remark
         from accounts where user_id = $1",
        user.0
    )
    .fetch_optional(tx.connection())
    .await?
    .map(Account::try_from)
    .transpose()
}

/// Whose the e-mail is.
pub async fn by_email(tx: &mut Tx, email: &str) -> Result<Option<UserId>> {
    let id = sqlx::query_scalar!("select user_id from accounts where email = $1", email)
        .fetch_optional(tx.connection())
        .await?;
    Ok(id.map(UserId))
}

/// Whose the pass's person is.
pub async fn by_me_id(tx: &mut Tx, me_id: &str) -> Result<Option<UserId>> {
    let id = sqlx::query_scalar!("select user_id from accounts where me_id = $1", me_id)
        .fetch_optional(tx.connection())
        .await?;
    Ok(id.map(UserId))
}

/// Writes a new account, next to its person.
pub async fn insert(tx: &mut Tx, account: &Account, terms_accepted_at: Moment) -> Result<()> {
    sqlx::query!(
        "insert into accounts (user_id, email, me_id, password_hash, security_hash, nickname_changed_at, remark,
                               terms_accepted_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8)",
        account.user.0,
        account.email,
        account.me_id,
        account.password_hash,
        account.security_hash,
        account.nickname_changed_at,
        account.remark,
        terms_accepted_at
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

fn signed(attempts: Attempts) -> i32 {
    i32::try_from(attempts.wrong).unwrap_or(i32::MAX)
}

/// Writes an account back. The caller holds its lock.
pub async fn update(tx: &mut Tx, account: &Account) -> Result<()> {
    sqlx::query!(
        "update accounts set email = $2, password_hash = $3, security_hash = $4, password_wrong = $5,
             password_locked_until = $6, security_wrong = $7, security_locked_until = $8, nickname_changed_at = $9,
             remark = $10
         where user_id = $1",
        account.user.0,
        account.email,
        account.password_hash,
        account.security_hash,
        signed(account.password_attempts),
        account.password_attempts.locked_until,
        signed(account.security_attempts),
        account.security_attempts.locked_until,
        account.nickname_changed_at,
        account.remark
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Writes what a person may change of themselves as trading sees it. The caller holds the lock on the person.
pub async fn update_person(
    tx: &mut Tx,
    user: UserId,
    nickname: Option<&str>,
    receiving: Option<(&str, &str)>,
    held_until: Option<Moment>,
) -> Result<()> {
    sqlx::query!(
        "update users set nickname = $2, receiving_address = $3, receiving_chain_type = $4, held_until = $5
         where id = $1",
        user.0,
        nickname,
        receiving.map(|(address, _)| address),
        receiving.map(|(_, chain_type)| chain_type),
        held_until
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Writes what the pass says now of a person: it may rise or fall between two log-ins.
pub async fn update_kyc(tx: &mut Tx, user: UserId, kyc: domain::people::KycLevel) -> Result<()> {
    sqlx::query!("update users set kyc_level = $2 where id = $1", user.0, kyc.name()).execute(tx.connection()).await?;
    Ok(())
}

/// The words that no public text may have.
pub async fn forbidden_words(tx: &mut Tx) -> Result<Vec<String>> {
    Ok(sqlx::query_scalar!("select word from forbidden_words order by word").fetch_all(tx.connection()).await?)
}
