//! Accounts: email addresses and password hashes.

use domain::chain::Address;
use domain::clock::Timestamp;
use domain::identity::nickname::skeleton;
use domain::ids::UserId;
use domain::talk::Warning;
use domain::users::User;

use crate::columns::uuids;
use crate::{Error, Result, Tx};

/// The constraint that refuses a second account with the same email address.
pub const EMAIL_ONCE: &str = "accounts_email_key";
/// The constraint that refuses a second account with the same ID at the pass.
pub const ME_ID_ONCE: &str = "accounts_me_id_key";
/// The constraint that refuses a second user with the same bound address.
pub const BOUND_ONCE: &str = "users_bound_address_key";
/// The constraint that refuses a second user with the same receiving address.
pub const RECEIVING_ONCE: &str = "users_receiving_address";
/// The constraint that refuses a second user with the same nickname.
pub const NICKNAME_ONCE: &str = "users_nickname";
/// The constraint that refuses a second user with a lookalike nickname.
pub const NICKNAME_SKELETON_UNIQUE: &str = "users_nickname_skeleton";

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    pub user: UserId,
    /// In lowercase.
    pub email: String,
    /// The address that the account had when its hold began, if it has another one since.
    pub former_email: Option<String>,
    /// The user's ID at the pass.
    pub me_id: String,
    /// The hash in the text format that includes its parameters.
    pub password_hash: String,
    /// `None` until a security password is set.
    pub security_hash: Option<String>,
    pub nickname_changed_at: Option<Timestamp>,
    /// The user's description of themselves.
    pub remark: String,
}

struct Row {
    user_id: uuid::Uuid,
    email: String,
    former_email: Option<String>,
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
            former_email: row.former_email,
            me_id: row.me_id,
            password_hash: row.password_hash,
            security_hash: row.security_hash,
            nickname_changed_at: row.nickname_changed_at,
            remark: row.remark,
        }
    }
}

macro_rules! select {
    ($tx:expr, $user:expr, $lock:literal) => {
        Ok(sqlx::query_as!(
            Row,
            "select user_id, email, former_email, me_id, password_hash, security_hash, nickname_changed_at, remark
             from accounts where user_id = $1"
                + $lock,
            $user.0
        )
        .fetch_optional($tx.connection())
        .await?
        .map(Account::from))
    };
}

/// Locks and returns a user's account.
pub async fn lock(tx: &mut Tx, user: UserId) -> Result<Option<Account>> {
    select!(tx, user, " for update")
}

pub async fn read(tx: &mut Tx, user: UserId) -> Result<Option<Account>> {
    select!(tx, user, "")
}

/// Returns the hashes of users' security passwords; `None` for a user without one.
pub async fn security_hashes(tx: &mut Tx, users: &[UserId]) -> Result<Vec<(UserId, Option<String>)>> {
    let rows = sqlx::query!("select user_id, security_hash from accounts where user_id = any($1)", &uuids(users))
        .fetch_all(tx.connection())
        .await?;
    Ok(rows.into_iter().map(|row| (UserId(row.user_id), row.security_hash)).collect())
}

/// Returns the user with an email address.
pub async fn by_email(tx: &mut Tx, email: &str) -> Result<Option<UserId>> {
    let id = sqlx::query_scalar!("select user_id from accounts where email = $1", email)
        .fetch_optional(tx.connection())
        .await?;
    Ok(id.map(UserId))
}

/// Returns the user with an email address, and the hash of the login password.
pub async fn by_email_with_hash(tx: &mut Tx, email: &str) -> Result<Option<(UserId, String)>> {
    let row = sqlx::query!("select user_id, password_hash from accounts where email = $1", email)
        .fetch_optional(tx.connection())
        .await?;
    Ok(row.map(|row| (UserId(row.user_id), row.password_hash)))
}

/// Returns the user with an email address, and the language of the user's last login, if known.
pub async fn by_email_with_language(tx: &mut Tx, email: &str) -> Result<Option<(UserId, Option<String>)>> {
    let row = sqlx::query!("select user_id, language from accounts where email = $1", email)
        .fetch_optional(tx.connection())
        .await?;
    Ok(row.map(|row| (UserId(row.user_id), row.language)))
}

/// Returns the language of a user's last login, if known.
pub async fn language(tx: &mut Tx, user: UserId) -> Result<Option<String>> {
    let language = sqlx::query_scalar!("select language from accounts where user_id = $1", user.0);
    Ok(language.fetch_optional(tx.connection()).await?.flatten())
}

/// Stores the language of a user's login. It is used for messages that the user did not request.
pub async fn set_language(tx: &mut Tx, user: UserId, language: &str) -> Result<()> {
    sqlx::query!("update accounts set language = $2 where user_id = $1", user.0, language)
        .execute(tx.connection())
        .await?;
    Ok(())
}

/// Returns the user with an ID at the pass.
pub async fn by_me_id(tx: &mut Tx, me_id: &str) -> Result<Option<UserId>> {
    let id = sqlx::query_scalar!("select user_id from accounts where me_id = $1", me_id)
        .fetch_optional(tx.connection())
        .await?;
    Ok(id.map(UserId))
}

/// Inserts an account. The user must exist.
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

/// Updates an account, which the caller must have locked.
pub async fn update(tx: &mut Tx, account: &Account) -> Result<()> {
    sqlx::query!(
        "update accounts set email = $2, password_hash = $3, security_hash = $4, nickname_changed_at = $5, remark = $6,
             former_email = $7
         where user_id = $1",
        account.user.0,
        account.email,
        account.password_hash,
        account.security_hash,
        account.nickname_changed_at,
        account.remark,
        account.former_email
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Sets or removes the bound address of a user, whom the caller must have locked.
pub async fn set_bound(tx: &mut Tx, user: UserId, bound: Option<Address>) -> Result<()> {
    let bound = bound.as_ref().map(Address::as_slice);
    sqlx::query!("update users set bound_address = $2 where id = $1", user.0, bound).execute(tx.connection()).await?;
    Ok(())
}

/// Updates the columns of `users` that users can change themselves. The caller must have locked the user.
pub async fn update_profile(tx: &mut Tx, user: &User) -> Result<()> {
    let (nickname, receiving) = (user.nickname.as_deref(), user.receiving.as_ref());
    sqlx::query!(
        "update users set nickname = $2, receiving_address = $3, receiving_chain_type = $4, held_until = $5, automatic_reply = $7,
             nickname_skeleton = case when nickname is distinct from $2 then $6 else nickname_skeleton end
         where id = $1",
        user.id.0,
        nickname,
        receiving.map(|to| to.address.as_str()),
        receiving.map(|to| to.chain_type.as_str()),
        user.held_until,
        nickname.map(skeleton),
        user.automatic_reply
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Returns a page of nicknames and their stored skeletons, by user ID.
pub async fn nickname_skeletons(
    tx: &mut Tx,
    after: Option<UserId>,
    most: i64,
) -> Result<Vec<(UserId, String, Option<String>)>> {
    let rows = sqlx::query!(
        r#"select id, nickname as "nickname!", nickname_skeleton from users
           where nickname is not null and id > $1 order by id limit $2"#,
        after.map_or(uuid::Uuid::nil(), |user| user.0),
        most
    )
    .fetch_all(tx.connection())
    .await?;
    Ok(rows.into_iter().map(|row| (UserId(row.id), row.nickname, row.nickname_skeleton)).collect())
}

/// Deletes the skeletons of these users' nicknames.
pub async fn clear_nickname_skeletons(tx: &mut Tx, users: &[UserId]) -> Result<()> {
    sqlx::query!("update users set nickname_skeleton = null where id = any($1)", &uuids(users))
        .execute(tx.connection())
        .await?;
    Ok(())
}

/// Stores the skeleton of a nickname if the user still has the nickname and no other user has the skeleton. Returns
/// whether it was stored.
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

/// Updates the KYC level reported by the pass, which may rise or fall between two logins.
pub async fn update_kyc(tx: &mut Tx, user: UserId, kyc: domain::users::KycLevel) -> Result<()> {
    sqlx::query!("update users set kyc_level = $2 where id = $1", user.0, kyc.into_str())
        .execute(tx.connection())
        .await?;
    Ok(())
}

/// Returns the words of which the recipient of a message is warned.
pub async fn warning_words(tx: &mut Tx) -> Result<Vec<(String, Warning)>> {
    let rows = sqlx::query!("select word, warning from warning_words order by word").fetch_all(tx.connection()).await?;
    rows.into_iter()
        .map(|row| {
            let warning = row.warning.parse();
            Ok((row.word.clone(), warning.map_err(|_| Error::row("warning_words", row.word, "unknown warning"))?))
        })
        .collect()
}

/// Returns the words that public texts must not contain.
pub async fn forbidden_words(tx: &mut Tx) -> Result<Vec<String>> {
    Ok(sqlx::query_scalar!("select word from forbidden_words order by word").fetch_all(tx.connection()).await?)
}
