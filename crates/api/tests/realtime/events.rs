//! Who receives which events, in which order, and after a lost connection.

use std::sync::Arc;
use std::time::Duration;

use api::realtime::{Hub, HubSettings, SocketMessage};
use app::engine::idempotency::IdempotencyKey;
use app::realtime::Tail;
use app::talk::{KEPT_OPEN, Outgoing, Talk};
use domain::trade::Side;
use serde_json::{Value, json};
use store::outbox::OutboxEvent;

use super::{Ask, Served, pong, run, served, status, told};

#[tokio::test]
async fn users_receive_only_their_own_events_in_order() {
    let served = served(HubSettings::default()).await;
    let (anna, ben) = (served.server.person(|_| ()).await, served.server.person(|_| ()).await);
    let (mut annas, mut bens) = (served.joined(&anna).await, served.joined(&ben).await);
    served.tell(&[status(&anna, "a1"), status(&ben, "b1"), status(&anna, "a2")]).await;
    served
        .tell(&[OutboxEvent {
            user: ben.id,
            kind: "NEW_ORDER",
            body: json!({ "orderId": "o", "notice": "NEW_ORDER" }),
            category: None,
        }])
        .await;
    served.tell(&[status(&anna, "a3")]).await;
    for (text, number) in [("a1", 1), ("a2", 2), ("a3", 3)] {
        assert_eq!(annas.hear().await, told(text, number));
    }
    assert_eq!(bens.hear().await, told("b1", 1));
    let order = SocketMessage { r#type: "NEW_ORDER".to_owned(), message: "o".to_owned(), number: Some(2) };
    assert_eq!(bens.hear().await, order);
    assert_eq!(bens.hear_until_pong().await, []);
    assert_eq!(annas.hear_until_pong().await, []);
}

#[tokio::test]
async fn two_nodes_send_events_to_the_same_user() {
    let served = served(HubSettings::default()).await;
    let anna = served.server.person(|_| ()).await;
    let token = served.server.sign_in(&anna).await;
    // Another node of the product, with its own hub and listener and the same database.
    let other = Arc::new(Hub::new(served.server.context.clone(), HubSettings::default()));
    run(&other);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let at = listener.local_addr().unwrap();
    let router = served.server.router_of(&other);
    tokio::spawn(async move { axum::serve(listener, router.into_make_service()).await });
    let mut here = served.again(&anna, &token).await;
    let request = Ask { origin: Some(format!("http://{at}")), ..served.right(&anna, &token) };
    let there = Served { server: served.server, at };
    let mut away = there.ask(&request).await.map_err(|refused| format!("{refused:?}")).unwrap();
    away.say("ping", "1").await;
    assert_eq!(away.hear().await, pong("1"));
    there.tell(&[status(&anna, "a1")]).await;
    assert_eq!(here.hear().await, told("a1", 1));
    assert_eq!(away.hear().await, told("a1", 1));
}

#[tokio::test]
async fn a_client_that_resumes_receives_missed_events() {
    let served = served(HubSettings::default()).await;
    let anna = served.server.person(|_| ()).await;
    let token = served.server.sign_in(&anna).await;
    let many: Vec<_> = (1..=3).map(|number| status(&anna, &format!("a{number}"))).collect();
    served.tell(&many).await;
    let ask = served.right(&anna, &token);
    let mut client = served.ask(&ask).await.map_err(|refused| format!("{refused:?}")).unwrap();
    client.say("resume", "1").await;
    served.tell(&[status(&anna, "a4")]).await;
    for number in 2..=4 {
        assert_eq!(client.hear().await, told(&format!("a{number}"), number));
    }
    // Without a number, only new events are sent. A number from another database does not prevent them.
    let mut fresh = served.again(&anna, &token).await;
    let mut ahead = served.ask(&ask).await.map_err(|refused| format!("{refused:?}")).unwrap();
    ahead.say("resume", "999").await;
    assert_eq!(ahead.hear_until_pong().await, []);
    served.tell(&[status(&anna, "a5")]).await;
    for client in [&mut client, &mut fresh, &mut ahead] {
        assert_eq!(client.hear().await, told("a5", 5));
    }
}

#[tokio::test]
async fn a_late_commit_is_neither_lost_nor_sent_out_of_order() {
    let served = served(HubSettings::default()).await;
    let (anna, ben) = (served.server.person(|_| ()).await, served.server.person(|_| ()).await);
    let mut client = served.joined(&anna).await;
    let context = &served.server.context;
    let (mut first, mut second) = (Tail::begin(context).await.unwrap(), Tail::begin(context).await.unwrap());
    let numbers = async |tail: &mut Tail| {
        let events = tail.next().await.unwrap();
        let mine = events.iter().filter(|event| event.user == anna.id);
        mine.map(|event| event.number).collect::<Vec<_>>()
    };
    let at = served.server.now();
    // This transaction takes a number early but commits its event for Anna after another event.
    let mut early = served.server.context.store.begin().await.unwrap();
    store::outbox::write(&mut early, &[status(&ben, "b1")], at).await.unwrap();
    served.tell(&[status(&anna, "a1")]).await;
    assert_eq!(numbers(&mut first).await, [1], "a running transaction does not delay the events of others");
    store::outbox::write(&mut early, &[status(&anna, "a2")], at).await.unwrap();
    early.commit().await.unwrap();
    assert_eq!(numbers(&mut first).await, [2]);
    assert_eq!(numbers(&mut second).await, [1, 2]);
    assert_eq!(client.hear().await, told("a1", 1));
    assert_eq!(client.hear().await, told("a2", 2));
    served.tell(&[status(&anna, "a3")]).await;
    assert_eq!(client.hear().await, told("a3", 3));
}

#[tokio::test]
async fn a_subscription_reports_changes_of_the_users_own_orders() {
    let served = served(HubSettings::default()).await;
    let server = &served.server;
    let (anna, ben, cleo) = (server.person(|_| ()).await, server.person(|_| ()).await, server.person(|_| ()).await);
    let advert = server.advert(&anna, Side::Sell, &server.usdt, "2", &[]).await;
    let order = server.traded(&advert, &ben, "1", "2", server.now(), chrono::Duration::minutes(1)).await;
    let (mut annas, mut cleos) = (served.joined(&anna).await, served.joined(&cleo).await);
    annas.say("subOrderAction", &order.to_string()).await;
    let state: Value = serde_json::from_str(&annas.hear().await.message).unwrap();
    assert_eq!(state, json!({ "orderId": order, "state": "COMPLETED", "version": 5 }));
    cleos.say("subOrderAction", &order.to_string()).await;
    let exception =
        |code: &str| SocketMessage { r#type: "EXCEPTION".to_owned(), message: code.to_owned(), number: None };
    assert_eq!(cleos.hear().await, exception("5007"));
    cleos.say("subOrderAction", "everything").await;
    assert_eq!(cleos.hear().await, exception("400"));
    // When Ben receives an event about the order, Anna's subscription is notified without its contents.
    let events = OutboxEvent {
        user: ben.id,
        kind: "ORDER_STATUS_CHANGE",
        body: json!({ "orderId": order, "notice": "X" }),
        category: None,
    };
    served.tell(std::slice::from_ref(&events)).await;
    let changed = SocketMessage {
        r#type: "ORDER_STATUS_CHANGE".to_owned(),
        message: json!({ "orderId": order }).to_string(),
        number: None,
    };
    assert_eq!(annas.hear().await, changed);
    annas.say("cancelSubAction", &order.to_string()).await;
    assert_eq!(annas.hear_until_pong().await, []);
    served.tell(&[events, status(&anna, "a1"), status(&cleo, "c1")]).await;
    assert_eq!(annas.hear().await, told("a1", 1));
    assert_eq!(cleos.hear().await, told("c1", 1));
}

#[tokio::test]
async fn a_slow_client_is_dropped_and_receives_the_rest_after_resuming() {
    // No events are sent while the client may still resume, so the queue of size one overflows.
    let settings = HubSettings { queue: 1, resume_wait: Duration::from_hours(1), ..HubSettings::default() };
    let served = served(settings).await;
    let (anna, ben) = (served.server.person(|_| ()).await, served.server.person(|_| ()).await);
    // Makes sure that the event reader is running.
    let mut bens = served.joined(&ben).await;
    served.tell(&[status(&ben, "b1")]).await;
    assert_eq!(bens.hear().await, told("b1", 1));
    let token = served.server.sign_in(&anna).await;
    let ask = served.right(&anna, &token);
    let mut slow = served.ask(&ask).await.map_err(|refused| format!("{refused:?}")).unwrap();
    while served.server.hub.open() < 2 {
        tokio::task::yield_now().await;
    }
    let many: Vec<_> = (1..=10).map(|number| status(&anna, &format!("a{number}"))).collect();
    served.tell(&many).await;
    assert_eq!(slow.closed().await, Some(1013));
    let mut back = served.ask(&ask).await.map_err(|refused| format!("{refused:?}")).unwrap();
    back.say("resume", "0").await;
    for number in 1..=10 {
        assert_eq!(back.hear().await, told(&format!("a{number}"), number));
    }
}

#[tokio::test]
async fn messages_reach_both_parties_and_nobody_else_also_after_a_lost_connection() {
    let served = served(HubSettings::default()).await;
    let server = &served.server;
    let (anna, ben, cleo) = (server.person(|_| ()).await, server.person(|_| ()).await, server.person(|_| ()).await);
    let advert = server.advert(&anna, Side::Sell, &server.usdt, "2", &[]).await;
    let order = server.traded(&advert, &ben, "1", "2", server.now(), chrono::Duration::minutes(1)).await;
    let token = server.sign_in(&anna).await;
    let mut annas = served.again(&anna, &token).await;
    let (mut bens, mut cleos) = (served.joined(&ben).await, served.joined(&cleo).await);
    let talk = Talk::new(server.context.clone(), KEPT_OPEN);
    let says = async |text: &str| {
        let message = Outgoing { text: text.to_owned(), files: Vec::new(), despite_warnings: false };
        talk.send(&IdempotencyKey::derived(&[text]), ben.id, order, &message).await.unwrap()
    };
    let heard = |message: SocketMessage| -> (Option<i64>, Value) {
        assert_eq!(message.r#type, "TALK");
        (message.number, serde_json::from_str(&message.message).unwrap())
    };
    says("one").await;
    let (number, own) = heard(bens.hear().await);
    assert_eq!((number, &own["key"], &own["orderId"]), (Some(1), &json!("one"), &json!(order)));
    let (number, theirs) = heard(annas.hear().await);
    assert_eq!((number, &theirs["key"], &theirs["entry"]), (Some(1), &Value::Null, &own["entry"]));
    assert_eq!((&own["entry"]["text"], &own["entry"]["author"]), (&json!("one"), &json!("BUYER")));

    drop(annas);
    says("two").await;
    says("three").await;
    let mut annas = served.ask(&served.right(&anna, &token)).await.map_err(|refused| format!("{refused:?}")).unwrap();
    annas.say("resume", "1").await;
    let missed = [heard(annas.hear().await), heard(annas.hear().await)];
    assert_eq!(missed.each_ref().map(|(number, _)| *number), [Some(2), Some(3)]);
    assert_eq!(missed.map(|(_, told)| told["entry"]["text"].clone()), [json!("two"), json!("three")]);
    talk.mark_read(anna.id, order, None).await.unwrap();
    let (_, told) = heard(annas.hear().await);
    assert_eq!((&told["marks"]["party"], &told["entry"]), (&json!("SELLER"), &Value::Null));
    assert_eq!(annas.hear_until_pong().await, []);
    assert_eq!(cleos.hear_until_pong().await, []);
}
