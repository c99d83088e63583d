//! Limits on connections, tested over real sockets.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects
)]

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use api::Connections;
use api::envelope::{Answer, ApiError, Done};
use api::extract::{Command, SessionCheck, Who};
use api::middleware::{Limits, MaintenanceCheck, Middleware, Rate, RateLimitSettings, Window};
use async_trait::async_trait;
use axum::extract::FromRef;
use axum::routing::{get, post};
use domain::ids::UserId;
use domain::refusal::Refusal;
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;
use utoipa_axum::router::OpenApiRouter;

/// Longer than any successful operation takes. A test that waits this long has failed.
const PATIENCE: Duration = Duration::from_mins(1);

struct Nobody;

#[async_trait]
impl SessionCheck for Nobody {
    async fn who(&self, _: &str) -> Result<Who, ApiError> {
        Err(Refusal::SessionInvalid.into())
    }

    fn has_acted(&self, _: UserId) {}
}

#[async_trait]
impl MaintenanceCheck for Nobody {
    async fn current(&self) -> Option<Window> {
        None
    }
}

#[derive(Clone)]
struct State(Arc<Middleware>);

impl FromRef<State> for Arc<Middleware> {
    fn from_ref(state: &State) -> Self {
        Self::clone(&state.0)
    }
}

async fn command(Command { body, .. }: Command<Value>) -> Answer<Value> {
    Ok(Done(body))
}

/// Starts the product's server with two routes.
async fn served(bounds: Connections) -> (SocketAddr, CancellationToken) {
    let free = Rate { burst: 1_000_000, every: Duration::ZERO };
    let middleware = Middleware {
        sessions: Arc::new(Nobody),
        maintenance: Arc::new(Nobody),
        limits: Limits::new(RateLimitSettings::all(free), Arc::new(|| Duration::ZERO)),
        web_root: None,
        proxies: Vec::new(),
        region_header: None,
        time_out: Duration::from_hours(1),
        upload_time_out: Duration::from_hours(1),
    };
    let calls = OpenApiRouter::<State>::new()
        .route("/command", post(command))
        .route("/common/coin", get(|| async { Done("here") }));
    let (router, _) = api::assemble(calls, State(Arc::new(middleware)));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let at = listener.local_addr().unwrap();
    let stop = CancellationToken::new();
    tokio::spawn(api::serve(listener, router, bounds, stop.clone()));
    (at, stop)
}

struct Client(BufReader<TcpStream>);

/// The head of a response in lower case, and its body.
struct Got {
    head: String,
    body: Value,
}

impl Got {
    fn status(&self) -> u16 {
        self.head.split(' ').nth(1).unwrap().parse().unwrap()
    }

    fn closes(&self) -> bool {
        self.head.contains("\r\nconnection: close\r\n")
    }
}

impl Client {
    async fn to(at: SocketAddr) -> Self {
        Self(BufReader::new(TcpStream::connect(at).await.unwrap()))
    }

    async fn say(&mut self, text: &[u8]) {
        self.0.get_mut().write_all(text).await.unwrap();
    }

    /// Reads a response. Returns `None` if the connection ends instead.
    async fn hear(&mut self) -> Option<Got> {
        tokio::time::timeout(PATIENCE, async {
            let mut head = Vec::new();
            while !head.ends_with(b"\r\n\r\n") {
                head.push(self.0.read_u8().await.ok()?);
            }
            let head = String::from_utf8(head).unwrap().to_lowercase();
            let length = head.split_once("content-length: ")?.1.split_once("\r\n")?.0.parse().unwrap();
            let mut body = vec![0; length];
            self.0.read_exact(&mut body).await.ok()?;
            Some(Got { head, body: serde_json::from_slice(&body).unwrap() })
        })
        .await
        .expect("a response or an end")
    }

    /// Sends a public request. Returns false if the connection has ended.
    async fn asks(&mut self) -> bool {
        let _ = self.0.get_mut().write_all(GET).await;
        self.hear().await.is_some_and(|got| got.status() == 200)
    }
}

const GET: &[u8] = b"GET /api/common/coin HTTP/1.1\r\nhost: a.example\r\n\r\n";

#[tokio::test]
async fn after_a_refused_body_the_connection_works_or_is_announced_to_close() {
    let (at, _stop) = served(Connections::default()).await;
    for size in [10, 1_000, 100_000, 3_000_000] {
        for _ in 0..10 {
            let mut client = Client::to(at).await;
            // The head alone is enough to refuse this request, which has no idempotency key.
            let head = format!(
                "POST /api/command HTTP/1.1\r\nhost: a.example\r\ncontent-type: application/json\r\ncontent-length: {size}\r\n\r\n"
            );
            client.say(head.as_bytes()).await;
            client.say(&vec![b' '; size / 2]).await;
            client.say(&vec![b' '; size - size / 2]).await;
            let refused = client.hear().await.expect("the refusal always arrives");
            assert_eq!((refused.status(), &refused.body["data"]["field"]), (400, &Value::from("Idempotency-Key")));
            assert_eq!(client.asks().await, !refused.closes(), "{size}: {}", refused.head);
        }
    }
}

#[tokio::test]
async fn an_incomplete_body_does_not_delay_the_refusal() {
    let (at, _stop) = served(Connections::default()).await;
    let mut client = Client::to(at).await;
    client
        .say(b"POST /api/command HTTP/1.1\r\nhost: a.example\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{")
        .await;
    let refused = client.hear().await.unwrap();
    assert!(refused.status() == 400 && refused.closes(), "{}", refused.head);
}

#[tokio::test]
async fn a_request_needs_exactly_one_host() {
    let (at, _stop) = served(Connections::default()).await;
    for (hosts, version, status) in [
        ("host: a.example\r\n", "1.1", 200),
        ("", "1.1", 400),
        ("host: a.example\r\nhost: b.example\r\n", "1.1", 400),
        ("host: a.example\r\nHost: a.example\r\n", "1.1", 400),
        ("", "1.0", 200),
        ("host: a.example\r\nhost: b.example\r\n", "1.0", 400),
    ] {
        let mut client = Client::to(at).await;
        client.say(format!("GET /api/common/coin HTTP/{version}\r\n{hosts}\r\n").as_bytes()).await;
        let got = client.hear().await.unwrap();
        assert_eq!(got.status(), status, "{hosts:?} in {version}");
        assert_eq!(got.body["code"], status.to_string());
    }
}

#[tokio::test]
async fn only_the_configured_host_is_served() {
    let bounds = Connections { host: Some("app.example".to_owned()), ..Connections::default() };
    let (at, _stop) = served(bounds).await;
    for (target, host, status) in [
        ("/api/common/coin", "app.example", 200),
        // Behind a proxy, the port is another one.
        ("/api/common/coin", "App.Example:8443", 200),
        ("http://app.example/api/common/coin", "app.example", 200),
        ("/api/common/coin", "evil.example", 400),
        ("/api/common/coin", "app.example.evil.example", 400),
        ("/api/common/coin", "evil@app.example", 400),
        ("/api/common/coin", "app.example, evil.example", 400),
        ("/api/common/coin", "app.example/path", 400),
        ("/api/common/coin", "a b", 400),
        ("/api/common/coin", "", 400),
        ("http://evil.example/api/common/coin", "app.example", 400),
    ] {
        let mut client = Client::to(at).await;
        client.say(format!("GET {target} HTTP/1.1\r\nhost: {host}\r\n\r\n").as_bytes()).await;
        let got = client.hear().await.unwrap();
        assert_eq!(got.status(), status, "{target} {host:?}");
        assert_eq!(got.closes(), status == 400);
        if status == 400 {
            assert_eq!(got.body["data"]["field"], "Host");
        }
    }
}

#[tokio::test]
async fn idle_connections_time_out() {
    let (at, _stop) = served(Connections { head: Duration::from_millis(50), ..Connections::default() }).await;
    // The connection times out before the first request, within a head, and between requests.
    for begun in [&b""[..], b"GET /api/common/coin HTTP/1.1\r\nhost: a.exa", GET] {
        let mut client = Client::to(at).await;
        client.say(begun).await;
        while let Some(got) = client.hear().await {
            assert_eq!(got.status(), 200);
        }
    }
}

#[tokio::test]
async fn connections_per_network_address_are_limited() {
    let (at, _stop) = served(Connections { per_address: 2, ..Connections::default() }).await;
    let (mut first, mut second) = (Client::to(at).await, Client::to(at).await);
    assert!(first.asks().await && second.asks().await);
    assert!(!Client::to(at).await.asks().await);
    assert!(first.asks().await && second.asks().await, "existing connections stay open");
    drop(first);
    let again = async { while !Client::to(at).await.asks().await {} };
    tokio::time::timeout(PATIENCE, again).await.expect("a free place");

    let from_a_proxy = Connections { per_address: 0, proxies: vec![at.ip()], ..Connections::default() };
    let (at, _stop) = served(from_a_proxy).await;
    assert!(Client::to(at).await.asks().await, "proxies are not limited");
}

#[tokio::test]
async fn a_server_that_stops_ends_idle_connections() {
    let (at, stop) = served(Connections::default()).await;
    let mut client = Client::to(at).await;
    assert!(client.asks().await);
    stop.cancel();
    assert!(client.hear().await.is_none());
}
