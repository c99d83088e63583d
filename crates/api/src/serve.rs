//! The HTTP server, with graceful shutdown.

use std::collections::HashMap;
use std::convert::Infallible;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use app::identity::network_of;
use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::{HeaderValue, Request, Version, header};
use axum::response::{IntoResponse, Response};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

use crate::envelope::ApiError;

/// The limits of connections.
#[derive(Debug, Clone)]
pub struct Connections {
    /// The time in which a client must send the head of a request. It starts when the connection waits for a request,
    /// so it is also the maximum idle time.
    pub head: Duration,
    /// The maximum number of connections per network address. Further connections are closed at once.
    pub per_address: usize,
    /// The trusted proxies, which may have any number of connections.
    pub proxies: Vec<IpAddr>,
}

impl Default for Connections {
    fn default() -> Self {
        Self { head: Duration::from_secs(30), per_address: 512, proxies: Vec::new() }
    }
}

/// The pause after an error of the listener, such as a lack of file descriptors.
const BREATH: Duration = Duration::from_millis(100);
/// The maximum size of the head of a request, in bytes.
const LARGEST_HEAD: usize = 64 * 1024;

/// Serves requests until `stop` is cancelled, then accepts no more connections and completes open requests.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    bounds: Connections,
    stop: CancellationToken,
) -> std::io::Result<()> {
    let counter = Counter { bounds, open: Arc::default() };
    let mut connections = JoinSet::new();
    loop {
        let accepted = tokio::select! {
            () = stop.cancelled() => break,
            accepted = listener.accept() => accepted,
        };
        // Remove the connections that have ended.
        while connections.try_join_next().is_some() {}
        match accepted {
            Ok((stream, peer)) => {
                if let Some(count) = counter.one_more(peer.ip().to_canonical()) {
                    connections.spawn(answer(stream, peer, router.clone(), count, counter.bounds.head, stop.clone()));
                }
            }
            Err(error) => {
                tracing::warn!(%error, "cannot accept a connection");
                tokio::time::sleep(BREATH).await;
            }
        }
    }
    drop(listener);
    while connections.join_next().await.is_some() {}
    Ok(())
}

async fn answer(
    stream: TcpStream,
    peer: SocketAddr,
    router: Router,
    count: Count,
    head: Duration,
    stop: CancellationToken,
) {
    // Responses are small and complete, so don't wait for more data.
    let _ = stream.set_nodelay(true);
    let service = service_fn(move |request: Request<Incoming>| respond(router.clone(), peer, request));
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(head)
        .max_buf_size(LARGEST_HEAD)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    tokio::pin!(connection);
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = stop.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%error, %peer, "a connection ended");
    }
    drop(count);
}

async fn respond(router: Router, peer: SocketAddr, request: Request<Incoming>) -> Result<Response, Infallible> {
    let mut request = request.map(Body::new);
    if !names_its_host(&request) {
        let mut refused = ApiError::invalid("Host", "one Host header is needed").into_response();
        refused.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
        return Ok(refused);
    }
    request.extensions_mut().insert(ConnectInfo(peer));
    router.oneshot(request).await
}

/// Returns whether a request has exactly one `Host` header, as HTTP/1.1 requires. Otherwise a proxy and this server
/// could assume different hosts.
fn names_its_host(request: &Request<Body>) -> bool {
    let mut hosts = request.headers().get_all(header::HOST).iter();
    match (hosts.next(), hosts.next()) {
        (Some(_), None) => true,
        (None, _) => request.version() < Version::HTTP_11,
        (Some(_), Some(_)) => false,
    }
}

/// The number of open connections by network address.
struct Counter {
    bounds: Connections,
    open: Arc<Mutex<HashMap<IpAddr, usize>>>,
}

/// A counted connection. Dropping it decrements the counter.
struct Count {
    open: Arc<Mutex<HashMap<IpAddr, usize>>>,
    /// The network address, or `None` if the connection is not counted.
    address: Option<IpAddr>,
}

impl Counter {
    /// Counts a connection, unless its address has too many. Connections of trusted proxies are not counted.
    fn one_more(&self, peer: IpAddr) -> Option<Count> {
        if self.bounds.proxies.contains(&peer) {
            return Some(Count { open: Arc::clone(&self.open), address: None });
        }
        let address = network_of(peer);
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let now = open.get(&address).copied().unwrap_or_default();
        if now >= self.bounds.per_address {
            metrics::counter!("mec2c_connections_refused_total").increment(1);
            return None;
        }
        open.insert(address, now.saturating_add(1));
        Some(Count { open: Arc::clone(&self.open), address: Some(address) })
    }
}

impl Drop for Count {
    fn drop(&mut self) {
        let Some(address) = self.address else { return };
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(now) = open.get_mut(&address) {
            *now = now.saturating_sub(1);
            if *now == 0 {
                open.remove(&address);
            }
        }
    }
}
