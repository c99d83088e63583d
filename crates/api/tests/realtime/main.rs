//! Outbox events over a real websocket, from a real database.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects
)]

mod events;
#[path = "../server/mod.rs"]
mod server;
mod sockets;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use api::realtime::{Hub, HubSettings, SocketMessage};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::users::User;
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

async fn served(settings: HubSettings) -> Served {
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

fn address(person: &User) -> String {
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

    fn right(&self, person: &User, token: &str) -> Ask {
        Ask { address: address(person), cookie: Some(token.to_owned()), origin: Some(format!("http://{}", self.at)) }
    }

    /// Connects a websocket and waits until it has answered a ping, after which it receives events.
    async fn joined(&self, person: &User) -> Client {
        let token = self.server.sign_in(person).await;
        self.again(person, &token).await
    }

    async fn again(&self, person: &User, token: &str) -> Client {
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

fn status(person: &User, text: &str) -> OutboxEvent {
    OutboxEvent { user: person.id, kind: "ORDER_STATUS_CHANGE", body: json!(text), category: None }
}

fn told(text: &str, number: i64) -> SocketMessage {
    SocketMessage { r#type: "ORDER_STATUS_CHANGE".to_owned(), message: text.to_owned(), number: Some(number) }
}
