//! Which sockets are opened, and when they are closed.

use std::time::Duration;

use api::realtime::HubSettings;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use futures::SinkExt;
use serde_json::json;
use tokio_tungstenite::tungstenite::Message;

use super::{Ask, PATIENCE, address, pong, served, status, told};

#[tokio::test]
async fn invalid_sessions_origins_and_addresses_are_refused() {
    let served = served(HubSettings::default()).await;
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
async fn the_end_of_a_session_closes_its_socket() {
    let settings = HubSettings { recheck: Duration::from_millis(20), ..HubSettings::default() };
    let served = served(settings).await;
    let anna = served.server.person(|_| ()).await;
    let mut client = served.joined(&anna).await;
    served.server.sign_out(&anna).await;
    assert_eq!(client.closed().await, Some(1008));
}

#[tokio::test]
async fn one_socket_too_many_replaces_the_oldest() {
    let served = served(HubSettings { per_person: 2, ..HubSettings::default() }).await;
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
    let served = served(HubSettings { per_address: 2, ..HubSettings::default() }).await;
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
async fn a_node_that_stops_closes_its_sockets_and_waits_for_them() {
    let served = served(HubSettings::default()).await;
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
    let served = served(HubSettings::default()).await;
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
