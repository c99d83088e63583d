use std::sync::Arc;

use app::files::ports::FileStore;
use chrono::Duration;
use domain::clock::Timestamp;
use domain::ids::{IdSource, SessionId};
use gateways::ObjectFiles;
use store::idempotency::Record;
use store::identity::sessions;
use store::sessions::Session;
use testkit::{Ids, noon};
use uuid::Uuid;

use crate::scripted::Scripted;

#[tokio::test]
async fn sessions_are_deleted_a_day_after_their_end() {
    let stage = Scripted::with_nodes(1).await;
    let anna = stage.market.trader().await;
    let day = Duration::days(1);
    let mut ids = Vec::new();
    let mut tx = stage.market.database.store.begin().await.unwrap();
    for (number, expires_at) in [(1, noon() - day - Duration::seconds(1)), (2, noon() - day), (3, noon() + day)] {
        let session = session(anna.id(), number, expires_at);
        sessions::insert(&mut tx, &session).await.unwrap();
        ids.push(session.id);
    }
    for (number, ended_at) in [(4, noon() - day - Duration::seconds(1)), (5, noon())] {
        let session = session(anna.id(), number, noon() + day);
        sessions::insert(&mut tx, &session).await.unwrap();
        assert!(sessions::end(&mut tx, anna.id(), session.id, ended_at).await.unwrap());
    }
    tx.commit().await.unwrap();
    for _ in 0..2 {
        worker::sweep::step(&stage.worker).await.unwrap();
        assert_eq!(stage.market.count("select count(*) from sessions").await, 3);
    }
    let kept = format!("select count(*) from sessions where id = '{}'", ids[2]);
    assert_eq!(stage.market.count(&kept).await, 1);
}

#[tokio::test]
async fn answers_to_commands_are_kept_for_a_week() {
    let stage = Scripted::with_nodes(1).await;
    let anna = stage.market.trader().await;
    let before = stage.market.count("select count(*) from idempotency_keys").await;
    let week = app::engine::idempotency::RETENTION;
    let mut tx = stage.market.database.store.begin().await.unwrap();
    // More rows than one transaction deletes.
    for (age, count) in [(week + Duration::microseconds(1), 2_500), (week, 1), (Duration::zero(), 1)] {
        let records: Vec<_> = (0..count)
            .map(|number| Record {
                user: anna.id(),
                key: format!("command {number} of {age}"),
                request_hash: [0; 32],
                response: app::engine::idempotency::Response::default(),
            })
            .collect();
        store::idempotency::insert(&mut tx, &records, noon() - age).await.unwrap();
    }
    tx.commit().await.unwrap();
    for _ in 0..2 {
        worker::sweep::step(&stage.worker).await.unwrap();
        assert_eq!(stage.market.count("select count(*) from idempotency_keys").await, before + 2);
    }
}

#[tokio::test]
async fn objects_that_no_file_uses_are_deleted_after_a_day() {
    let mut stage = Scripted::with_nodes(1).await;
    let files = ObjectFiles::memory();
    stage.worker.files = Some(Arc::new(files.clone()));
    let day = Duration::days(1);
    // More objects than one transaction deletes.
    let old: Vec<Uuid> = (1..=250).map(Uuid::from_u128).collect();
    let new = Uuid::from_u128(1_000);
    let mut tx = stage.market.database.store.begin().await.unwrap();
    for (object, since) in
        old.iter().map(|old| (*old, noon() - day - Duration::microseconds(1))).chain([(new, noon() - day)])
    {
        files.put(object, b"bytes".to_vec()).await.unwrap();
        store::files::insert_loose_object(&mut tx, object, since).await.unwrap();
    }
    tx.commit().await.unwrap();
    for _ in 0..2 {
        worker::sweep::step(&stage.worker).await.unwrap();
        assert_eq!(stage.market.count("select count(*) from loose_objects").await, 1);
    }
    for object in old {
        assert!(files.read(object, 0..5).await.is_err(), "{object}");
    }
    assert_eq!(files.read(new, 0..5).await.unwrap(), b"bytes");
}

fn session(user: domain::ids::UserId, number: u8, expires_at: Timestamp) -> Session<domain::ids::UserId> {
    Session {
        id: SessionId(Ids.fresh(noon())),
        owner: user,
        token_hash: [number; 32],
        salt: [0; 32],
        opened_by: [number; 32],
        request_hash: [0; 32],
        opened_at: noon() - Duration::days(7),
        expires_at,
        agent: String::new(),
        address: String::new(),
    }
}
