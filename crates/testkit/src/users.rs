//! Users who may trade unless a test says otherwise.

use domain::chain::{Address, CustodyIndex};
use domain::clock::Timestamp;
use domain::ids::{IdSource, PaymentMethodId, UserId};
use domain::payment_methods::PaymentMethod;
use domain::reputation::MissedAcceptances;
use domain::users::{KycLevel, ReceivingAddress, User};
use sqlx::Connection;
use store::{Store, users};

use crate::{Ids, noon};

/// Returns a user who may trade everything, with unique addresses.
pub fn trader(index: u64) -> User {
    let address = |kind: u8| {
        let mut bytes = [kind; 20];
        bytes[12..].copy_from_slice(&index.to_be_bytes());
        Address(bytes)
    };
    User {
        id: UserId(Ids.fresh(noon())),
        custody_index: CustodyIndex(index),
        vault: address(0xaa),
        bound: Some(address(0xbb)),
        region: "KR".to_owned(),
        kyc: KycLevel::Advanced,
        nickname: Some(format!("Trader{index}")),
        automatic_reply: None,
        receiving: Some(ReceivingAddress { address: address(0xcc).to_string(), chain_type: "ERC20".to_owned() }),
        online: true,
        offline_cause: None,
        missed_acceptances: MissedAcceptances::default(),
        reputation: 100,
        certified: true,
        verified: false,
        forbidden: Vec::new(),
        held_until: None,
    }
}

pub async fn join(store: &Store, user: &User) {
    join_at(store, user, noon() - chrono::Duration::days(30)).await;
}

/// Does the same at a time of its own.
pub async fn join_at(store: &Store, user: &User, at: Timestamp) {
    let mut tx = store.begin().await.expect("a transaction");
    users::insert(&mut tx, user, at).await.expect("a new user");
    tx.commit().await.expect("a commit");
}

/// A bank account in KRW.
pub fn bank_account(id: PaymentMethodId, user: UserId, index: u64) -> PaymentMethod {
    let mut digest = [0; 32];
    digest[..8].copy_from_slice(&index.to_be_bytes());
    let fields = [
        ("name", format!("Person {index}")),
        ("account", format!("1234567890{index}")),
        ("bankName", "Bank".to_owned()),
    ];
    PaymentMethod {
        id,
        user,
        kind: "bankCard".to_owned(),
        currency: "KRW".to_owned(),
        fields: fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
        digest,
        version: 1,
    }
}

/// Makes one user block another, directly in the database, because the product has no such command yet.
pub async fn block(database: &crate::Database, blocker: UserId, blocked: UserId) {
    let mut connection = sqlx::PgConnection::connect(&database.url).await.expect("the test's database");
    sqlx::query("insert into blocks_between (blocker, blocked) values ($1, $2)")
        .bind(blocker.0)
        .bind(blocked.0)
        .execute(&mut connection)
        .await
        .expect("a block");
}
