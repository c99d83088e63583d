//! Accounts and sessions of users.

use chrono::Duration;
use domain::ids::{IdSource, SessionId, UserId};
use sha2::{Digest, Sha256};
use store::Store;
use store::identity::accounts::{self, Account};
use store::identity::sessions;
use store::sessions::Session;

use crate::{Ids, noon};

/// Creates an account and a session of a user, and returns the token of the session. `name` must be unique and without
/// spaces. With the hash `-`, no log-in password fits.
pub async fn sign_in(store: &Store, user: UserId, name: &str, password_hash: &str) -> String {
    let token = format!("token-of-{name}");
    let account = Account {
        user,
        email: format!("{name}@example.org"),
        former_email: None,
        me_id: format!("ME-{name}"),
        password_hash: password_hash.to_owned(),
        security_hash: None,
        nickname_changed_at: None,
        remark: String::new(),
    };
    let session = Session {
        id: SessionId(Ids.fresh(noon())),
        owner: user,
        token_hash: digest(&token),
        salt: digest("salt"),
        opened_by: digest(&format!("opened {token}")),
        request_hash: digest("login"),
        opened_at: noon(),
        expires_at: noon() + Duration::days(7),
        agent: String::new(),
        address: String::new(),
    };
    let mut tx = store.begin().await.expect("a transaction");
    accounts::insert(&mut tx, &account, noon()).await.expect("a new account");
    sessions::insert(&mut tx, &session).await.expect("a new session");
    tx.commit().await.expect("a commit");
    token
}

fn digest(text: &str) -> [u8; 32] {
    Sha256::digest(text).into()
}
