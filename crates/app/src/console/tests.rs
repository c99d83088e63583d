//! A command of an officer is executed once, however often it is sent.

#![allow(clippy::unwrap_used)]

use domain::console::Role;
use serde_json::json;
use store::console::audit::Subject;
use testkit::market::Market;
use testkit::noon;

use super::*;

fn command(officer: OfficerId, key: &str, request: u8) -> By {
    let command = CommandId { key: key.to_owned(), request_hash: [request; 32], session: None };
    By { officer: Some(officer), command: Some(command), ..By::from("an officer") }
}

async fn executes(tx: &mut Tx, by: &By) {
    assert_eq!(executed(tx, by).await.unwrap(), None, "a new command");
    let entry = Entry { action: "resume", subject: Subject::Platform, details: json!({}), reason: Some("a test") };
    audit::record(tx, by, entry, noon()).await.unwrap();
}

#[tokio::test]
async fn a_command_that_is_sent_again_is_not_executed_again() {
    let market = Market::open().await;
    let (olga, otto) =
        (market.officer("olga", Role::AppealOfficer).await.id, market.officer("otto", Role::AppealOfficer).await.id);
    let store = &market.database.store;
    let mut tx = store.begin().await.unwrap();
    executes(&mut tx, &command(olga, "key", 1)).await;
    tx.rollback().await.unwrap();
    let mut tx = store.begin().await.unwrap();
    executes(&mut tx, &command(olga, "key", 1)).await;
    tx.commit().await.unwrap();

    let mut tx = store.begin().await.unwrap();
    let again = executed(&mut tx, &command(olga, "key", 1)).await.unwrap();
    assert_eq!(again, Some(Subject::Platform.id()), "the same command");
    let other = executed(&mut tx, &command(olga, "key", 2)).await;
    assert!(matches!(other, Err(Error::Refused(Refusal::KeyReused))), "{other:?}");
    executes(&mut tx, &command(olga, "another key", 1)).await;
    executes(&mut tx, &command(otto, "key", 1)).await;
    let nobody = executed(&mut tx, &By::from("the shell")).await;
    assert!(matches!(nobody, Err(Error::Internal(_))), "{nobody:?}");
}

#[tokio::test]
async fn of_the_same_command_twice_at_once_the_second_waits_for_the_first() {
    let market = Market::open().await;
    let olga = market.officer("olga", Role::AppealOfficer).await.id;
    let mut first = market.database.store.begin().await.unwrap();
    executes(&mut first, &command(olga, "key", 1)).await;
    let second = tokio::spawn({
        let store = market.database.store.clone();
        async move { executed(&mut store.begin().await.unwrap(), &command(olga, "key", 1)).await }
    });
    let waiting =
        "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    while !second.is_finished() && market.database.count(waiting).await == 0 {
        tokio::task::yield_now().await;
    }
    first.commit().await.unwrap();
    assert_eq!(second.await.unwrap().unwrap(), Some(Subject::Platform.id()));
}

#[tokio::test]
async fn a_command_of_a_session_that_has_ended_is_refused() {
    let market = Market::open().await;
    let olga = market.officer("olga", Role::AppealOfficer).await.id;
    let by = command(olga, "key", 1);
    let command = CommandId { session: Some(SessionId(olga.0)), ..by.command.clone().unwrap() };
    let by = By { command: Some(command), ..by };
    let session = store::sessions::Session {
        id: SessionId(olga.0),
        owner: olga,
        token_hash: [1; 32],
        salt: [2; 32],
        opened_by: [3; 32],
        request_hash: [4; 32],
        opened_at: noon(),
        expires_at: noon() + Duration::hours(8),
        agent: String::new(),
        address: String::new(),
    };
    let mut tx = market.database.store.begin().await.unwrap();
    sessions::insert(&mut tx, &session).await.unwrap();
    assert_eq!(executed(&mut tx, &by).await.unwrap(), None);
    sessions::end(&mut tx, session.id, noon()).await.unwrap();
    let ended = executed(&mut tx, &by).await;
    assert!(matches!(ended, Err(Error::Refused(Refusal::SessionInvalid))), "{ended:?}");
}
