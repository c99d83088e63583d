//! Outbox events over a real websocket, from a real database.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects
)]

mod server;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use api::realtime::{Hub, Settings, SocketMessage};
use app::idempotency::IdempotencyKey;
use app::realtime::Tail;
use app::talk::{KEPT_OPEN, Outgoing, Talk};
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use domain::people::Person;
use domain::trade::Side;
use futures::{SinkExt, StreamExt};
use serde_json::{Value, json};
use server::TestServer;
use store::outbox::OutboxEvent;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

/// Longer than any successful operation takes. A test that waits this long has failed.
const PATIENCE: Duration = Duration::from_mins(1);

struct Served {
    server: TestServer,
    at: SocketAddr,
}

struct Client(WebSocketStream<MaybeTlsStream<TcpStream>>);

/// The parameters of a websocket request.
struct Ask {
    address: String,
    cookie: Option<String>,
    origin: Option<String>,
}

async fn served(settings: Settings) -> Served {
    let server = TestServer::with(settings).await;
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let at = listener.local_addr().unwrap();
    let service = server.router.clone().into_make_service_with_connect_info::<SocketAddr>();
    tokio::spawn(async move { axum::serve(listener, service).await });
    run(&server.hub);
    Served { server, at }
}

fn run(hub: &Arc<Hub>) {
    let hub = Arc::clone(hub);
    tokio::spawn(async move { hub.run().await });
}

fn address(person: &Person) -> String {
    let json = json!({ "userId": person.id, "way": "WEB", "unique": "d?>~1" });
    URL_SAFE_NO_PAD.encode(json.to_string())
}

impl Served {
    async fn ask(&self, ask: &Ask) -> Result<Client, (u16, String)> {
        let mut request = format!("ws://{}/api/fiat/{}", self.at, ask.address).into_client_request().unwrap();
        if let Some(token) = &ask.cookie {
            request.headers_mut().insert("cookie", format!("me_lang=en; MEC2C-token={token}").parse().unwrap());
        }
        if let Some(origin) = &ask.origin {
            request.headers_mut().insert("origin", origin.parse().unwrap());
        }
        match connect_async(request).await {
            Ok((socket, _)) => Ok(Client(socket)),
            Err(Error::Http(response)) => {
                let body: Value = serde_json::from_slice(response.body().as_deref().unwrap_or_default()).unwrap();
                Err((response.status().as_u16(), body["code"].as_str().unwrap().to_owned()))
            }
            Err(error) => panic!("{error}"),
        }
    }

    fn right(&self, person: &Person, token: &str) -> Ask {
        Ask { address: address(person), cookie: Some(token.to_owned()), origin: Some(format!("http://{}", self.at)) }
    }

    /// Connects a websocket and waits until it has answered a ping, after which it receives events.
    async fn joined(&self, person: &Person) -> Client {
        let token = self.server.sign_in(person).await;
        self.again(person, &token).await
    }

    async fn again(&self, person: &Person, token: &str) -> Client {
        let mut client = self.ask(&self.right(person, token)).await.map_err(|refused| format!("{refused:?}")).unwrap();
        client.say("ping", "1").await;
        assert_eq!(client.hear().await, pong("1"));
        client
    }

    async fn tell(&self, events: &[OutboxEvent]) {
        let mut tx = self.server.context.store.begin().await.unwrap();
        store::outbox::write(&mut tx, events, self.server.now()).await.unwrap();
        tx.commit().await.unwrap();
    }
}

impl Client {
    async fn say(&mut self, kind: &str, message: &str) {
        let text = json!({ "type": kind, "message": message }).to_string();
        self.0.send(Message::text(text)).await.unwrap();
    }

    async fn frame(&mut self) -> Option<Message> {
        let frame = tokio::time::timeout(PATIENCE, self.0.next()).await.expect("a message");
        frame.and_then(Result::ok)
    }

    async fn hear(&mut self) -> SocketMessage {
        match self.frame().await {
            Some(Message::Text(text)) => serde_json::from_str(&text).unwrap(),
            other => panic!("{other:?}"),
        }
    }

    /// Returns all messages that were sent before the response to a ping.
    async fn hear_until_pong(&mut self) -> Vec<SocketMessage> {
        self.say("ping", "end").await;
        let mut heard = Vec::new();
        loop {
            match self.hear().await {
                last if last == pong("end") => return heard,
                message => heard.push(message),
            }
        }
    }

    /// Returns the close code, or `None` if the connection ended without one.
    async fn closed(&mut self) -> Option<u16> {
        loop {
            match self.frame().await {
                Some(Message::Close(frame)) => return frame.map(|frame| frame.code.into()),
                Some(_) => {}
                None => return None,
            }
        }
    }
}

fn pong(echo: &str) -> SocketMessage {
    SocketMessage { r#type: "pong".to_owned(), message: echo.to_owned(), number: None }
}

fn status(person: &Person, text: &str) -> OutboxEvent {
    OutboxEvent { user: person.id, kind: "ORDER_STATUS_CHANGE", body: json!(text) }
}

fn told(text: &str, number: i64) -> SocketMessage {
    SocketMessage { r#type: "ORDER_STATUS_CHANGE".to_owned(), message: text.to_owned(), number: Some(number) }
}

#[tokio::test]
async fn users_receive_only_their_own_events_in_order() {
    let served = served(Settings::default()).await;
    let (anna, ben) = (served.server.person(|_| ()).await, served.server.person(|_| ()).await);
    let (mut annas, mut bens) = (served.joined(&anna).await, served.joined(&ben).await);
    served.tell(&[status(&anna, "a1"), status(&ben, "b1"), status(&anna, "a2")]).await;
    served
        .tell(&[OutboxEvent {
            user: ben.id,
            kind: "NEW_ORDER",
            body: json!({ "orderId": "o", "notice": "NEW_ORDER" }),
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
    let served = served(Settings::default()).await;
    let anna = served.server.person(|_| ()).await;
    let token = served.server.sign_in(&anna).await;
    // Another node of the product, with its own hub and listener and the same database.
    let other = Arc::new(Hub::new(served.server.context.clone(), Settings::default()));
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
    let served = served(Settings::default()).await;
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
    let served = served(Settings::default()).await;
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
async fn invalid_sessions_origins_and_addresses_are_refused() {
    let served = served(Settings::default()).await;
    let (anna, ben) = (served.server.person(|_| ()).await, served.server.person(|_| ()).await);
    let token = served.server.sign_in(&anna).await;
    let right = || served.right(&anna, &token);
    let refused = async |ask: Ask| served.ask(&ask).await.map(|_| ()).unwrap_err();
    assert_eq!(refused(Ask { cookie: None, ..right() }).await, (401, "401".to_owned()));
    assert_eq!(refused(Ask { cookie: Some("nobody".to_owned()), ..right() }).await, (401, "401".to_owned()));
    assert_eq!(refused(Ask { origin: None, ..right() }).await, (403, "403".to_owned()));
    for origin in ["https://evil.example", "null", "http://127.0.0.1:1"] {
        assert_eq!(refused(Ask { origin: Some(origin.to_owned()), ..right() }).await, (403, "403".to_owned()));
    }
    assert_eq!(refused(Ask { address: address(&ben), ..right() }).await, (403, "403".to_owned()));
    assert_eq!(refused(Ask { address: "e30".to_owned(), ..right() }).await, (400, "400".to_owned()));
    // Not a websocket request.
    let plain = axum::http::Request::get(format!("/api/fiat/{}", address(&anna)))
        .header("cookie", format!("MEC2C-token={token}"))
        .header("host", "a.example")
        .header("origin", "https://a.example")
        .body(axum::body::Body::empty())
        .unwrap();
    let answer = tower::ServiceExt::oneshot(served.server.router.clone(), plain).await.unwrap();
    assert_eq!(answer.status(), 400);
    // Standard base64 may contain slashes.
    let json = json!({ "userId": anna.id, "way": "WEB", "unique": "???" }).to_string();
    let slashes = STANDARD.encode(json);
    assert!(slashes.contains('/'), "{slashes}");
    assert!(served.ask(&Ask { address: slashes, ..right() }).await.is_ok());
}

#[tokio::test]
async fn a_subscription_reports_changes_of_the_users_own_orders() {
    let served = served(Settings::default()).await;
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
    let events =
        OutboxEvent { user: ben.id, kind: "ORDER_STATUS_CHANGE", body: json!({ "orderId": order, "notice": "X" }) };
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
async fn the_end_of_a_session_closes_its_socket() {
    let settings = Settings { recheck: Duration::from_millis(20), ..Settings::default() };
    let served = served(settings).await;
    let anna = served.server.person(|_| ()).await;
    let mut client = served.joined(&anna).await;
    served.server.sign_out(&anna).await;
    assert_eq!(client.closed().await, Some(1008));
}

#[tokio::test]
async fn one_socket_too_many_replaces_the_oldest() {
    let served = served(Settings { per_person: 2, ..Settings::default() }).await;
    let anna = served.server.person(|_| ()).await;
    let token = served.server.sign_in(&anna).await;
    let mut first = served.again(&anna, &token).await;
    let mut second = served.again(&anna, &token).await;
    let mut third = served.again(&anna, &token).await;
    assert_eq!(first.closed().await, Some(api::realtime::REPLACED));
    served.tell(&[status(&anna, "a1")]).await;
    assert_eq!(second.hear().await, told("a1", 1));
    assert_eq!(third.hear().await, told("a1", 1));
}

#[tokio::test]
async fn sockets_per_network_address_are_limited() {
    let served = served(Settings { per_address: 2, ..Settings::default() }).await;
    let (anna, ben) = (served.server.person(|_| ()).await, served.server.person(|_| ()).await);
    let (first, mut second) = (served.joined(&anna).await, served.joined(&ben).await);
    let cleo = served.server.person(|_| ()).await;
    let token = served.server.sign_in(&cleo).await;
    let ask = served.right(&cleo, &token);
    assert_eq!(served.ask(&ask).await.map(|_| ()).unwrap_err(), (429, "429".to_owned()));
    second.say("ping", "2").await;
    assert_eq!(second.hear().await, pong("2"), "existing sockets stay open");
    drop(first);
    let again = async { while served.ask(&ask).await.is_err() {} };
    tokio::time::timeout(PATIENCE, again).await.expect("a free place");
}

#[tokio::test]
async fn a_slow_client_is_dropped_and_receives_the_rest_after_resuming() {
    // No events are sent while the client may still resume, so the queue of size one overflows.
    let settings = Settings { queue: 1, resume_wait: Duration::from_hours(1), ..Settings::default() };
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
async fn a_node_that_stops_closes_its_sockets_and_waits_for_them() {
    let served = served(Settings::default()).await;
    let anna = served.server.person(|_| ()).await;
    let mut client = served.joined(&anna).await;
    assert_eq!(served.server.hub.open(), 1);
    served.server.hub.stop();
    assert_eq!(client.closed().await, Some(1001));
    tokio::time::timeout(PATIENCE, served.server.hub.drained()).await.unwrap();
    assert_eq!(served.server.hub.open(), 0);
}

#[tokio::test]
async fn invalid_messages_are_answered_or_close_the_socket() {
    let served = served(Settings::default()).await;
    let anna = served.server.person(|_| ()).await;
    let token = served.server.sign_in(&anna).await;
    let mut client = served.again(&anna, &token).await;
    client.0.send(Message::text("{")).await.unwrap();
    assert_eq!(client.hear().await.r#type, "EXCEPTION");
    client.0.send(Message::binary(vec![1, 2, 3])).await.unwrap();
    assert_eq!(client.closed().await, Some(1008));
    let mut client = served.again(&anna, &token).await;
    // The server may close the socket before everything is sent.
    let _ = client.0.send(Message::text("x".repeat(100_000))).await;
    assert!(matches!(client.closed().await, None | Some(1008 | 1009)));
}

#[tokio::test]
async fn messages_reach_both_parties_and_nobody_else_also_after_a_lost_connection() {
    let served = served(Settings::default()).await;
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
