//! Accounts: the e-mail, the passwords' hashes.

use domain::clock::Timestamp;
use domain::identity::nickname::skeleton;
use domain::ids::UserId;

use crate::{Result, Tx};

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
/// Refuses a second person with a nickname that looks the same.
pub const NICKNAME_SKELETON_UNIQUE: &str = "users_nickname_skeleton";

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
    /// When the nickname was last changed.
    pub nickname_changed_at: Option<Timestamp>,
    /// What the person says of themselves.
    pub remark: String,
}

struct Row {
    user_id: uuid::Uuid,
    email: String,
    me_id: String,
    password_hash: String,
    security_hash: Option<String>,
    nickname_changed_at: Option<Timestamp>,
    remark: String,
}

impl From<Row> for Account {
    fn from(row: Row) -> Self {
        Self {
            user: UserId(row.user_id),
            email: row.email,
            me_id: row.me_id,
            password_hash: row.password_hash,
            security_hash: row.security_hash,
            nickname_changed_at: row.nickname_changed_at,
            remark: row.remark,
        }
    }
}

/// The account of a person, locked until the transaction ends.
pub async fn lock(tx: &mut Tx, user: UserId) -> Result<Option<Account>> {
    let row = sqlx::query_as!(
        Row,
        "select user_id, email, me_id, password_hash, security_hash, nickname_changed_at, remark
         from accounts where user_id = $1 for update",
        user.0
    )
    .fetch_optional(tx.connection())
    .await?;
    Ok(row.map(Account::from))
}

/// The account of a person, as it is.
pub async fn read(tx: &mut Tx, user: UserId) -> Result<Option<Account>> {
    let row = sqlx::query_as!(
        Row,
        "select user_id, email, me_id, password_hash, security_hash, nickname_changed_at, remark
         from accounts where user_id = $1",
        user.0
    )
    .fetch_optional(tx.connection())
    .await?;
    Ok(row.map(Account::from))
}

/// Whose the e-mail is.
pub async fn by_email(tx: &mut Tx, email: &str) -> Result<Option<UserId>> {
    let id = sqlx::query_scalar!("select user_id from accounts where email = $1", email)
        .fetch_optional(tx.connection())
        .await?;
    Ok(id.map(UserId))
}

/// Whose the e-mail is, with the login password's hash.
pub async fn by_email_with_hash(tx: &mut Tx, email: &str) -> Result<Option<(UserId, String)>> {
    let row = sqlx::query!("select user_id, password_hash from accounts where email = $1", email)
        .fetch_optional(tx.connection())
        .await?;
    Ok(row.map(|row| (UserId(row.user_id), row.password_hash)))
}

/// Whose the e-mail is, and the language in which they last logged in, if that is known.
pub async fn by_email_with_language(tx: &mut Tx, email: &str) -> Result<Option<(UserId, Option<String>)>> {
    let row = sqlx::query!("select user_id, language from accounts where email = $1", email)
        .fetch_optional(tx.connection())
        .await?;
    Ok(row.map(|row| (UserId(row.user_id), row.language)))
}

/// Remembers the language in which a person logged in: letters that they did not ask for themselves are written in it.
pub async fn set_language(tx: &mut Tx, user: UserId, language: &str) -> Result<()> {
    sqlx::query!("update accounts set language = $2 where user_id = $1", user.0, language)
        .execute(tx.connection())
        .await?;
    Ok(())
}

/// Whose the pass's person is.
pub async fn by_me_id(tx: &mut Tx, me_id: &str) -> Result<Option<UserId>> {
    let id = sqlx::query_scalar!("select user_id from accounts where me_id = $1", me_id)
        .fetch_optional(tx.connection())
        .await?;
    Ok(id.map(UserId))
}

/// Writes a new account, next to its person.
pub async fn insert(tx: &mut Tx, account: &Account, terms_accepted_at: Timestamp) -> Result<()> {
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

/// Writes an account back. The caller holds its lock.
pub async fn update(tx: &mut Tx, account: &Account) -> Result<()> {
    sqlx::query!(
        "update accounts set email = $2, password_hash = $3, security_hash = $4, nickname_changed_at = $5, remark = $6
         where user_id = $1",
        account.user.0,
        account.email,
        account.password_hash,
        account.security_hash,
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
    held_until: Option<Timestamp>,
) -> Result<()> {
    sqlx::query!(
        "update users set nickname = $2, receiving_address = $3, receiving_chain_type = $4, held_until = $5,
             nickname_skeleton = case when nickname is distinct from $2 then $6 else nickname_skeleton end
         where id = $1",
        user.0,
        nickname,
        receiving.map(|(address, _)| address),
        receiving.map(|(_, chain_type)| chain_type),
        held_until,
        nickname.map(skeleton)
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Nicknames and the looks that are kept for them, the first by id after a person.
pub async fn nickname_skeletons(
    tx: &mut Tx,
    after: Option<UserId>,
    most: i64,
) -> Result<Vec<(UserId, String, Option<String>)>> {
    let rows = sqlx::query!(
        r#"select id, nickname as "nickname!", nickname_skeleton from users
           where nickname is not null and ($1::uuid is null or id > $1) order by id limit $2"#,
        after.map(|user| user.0),
        most
    )
    .fetch_all(tx.connection())
    .await?;
    Ok(rows.into_iter().map(|row| (UserId(row.id), row.nickname, row.nickname_skeleton)).collect())
}

/// Takes away the looks that are kept for some nicknames.
pub async fn clear_nickname_skeletons(tx: &mut Tx, users: &[UserId]) -> Result<()> {
    let users: Vec<_> = users.iter().map(|user| user.0).collect();
    sqlx::query!("update users set nickname_skeleton = null where id = any($1)", &users)
        .execute(tx.connection())
        .await?;
    Ok(())
}

/// Writes the look of somebody's nickname, if they still have it and nobody else has the look; says whether it is written.
pub async fn set_nickname_skeleton(tx: &mut Tx, user: UserId, nickname: &str, look: &str) -> Result<bool> {
    let done = sqlx::query!(
        "update users set nickname_skeleton = $3
         where id = $1 and nickname = $2 and not exists (select from users where nickname_skeleton = $3 and id <> $1)",
        user.0,
        nickname,
        look
    )
    .execute(tx.connection())
    .await?;
    Ok(done.rows_affected() > 0)
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
