//! Listens, answers, and stops in good order.

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

/// What a connection may cost.
#[derive(Debug, Clone)]
pub struct Connections {
    /// How long a client may take for the head of a request, from the moment at which the connection waits for one: also
    /// how long a connection may be idle.
    pub head: Duration,
    /// How many connections one network address may have; further ones are closed at once.
    pub per_address: usize,
    /// Proxies of ours, of which everybody comes: they may have any number.
    pub proxies: Vec<IpAddr>,
}

impl Default for Connections {
    fn default() -> Self {
        Self { head: Duration::from_secs(30), per_address: 512, proxies: Vec::new() }
    }
}

/// After the listener could not take a connection, such as for want of file descriptors.
const BREATH: Duration = Duration::from_millis(100);
/// The most bytes of the head of a request.
const LARGEST_HEAD: usize = 64 * 1024;

/// Answers on a listener until told to stop; then takes no new connections and finishes what it has begun.
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
        // Those that have ended meanwhile.
        while connections.try_join_next().is_some() {}
        match accepted {
            Ok((stream, peer)) => {
                if let Some(count) = counter.one_more(peer.ip().to_canonical()) {
                    connections.spawn(answer(stream, peer, router.clone(), count, counter.bounds.head, stop.clone()));
                }
            }
            Err(error) => {
                tracing::warn!(%error, "a connection could not be taken");
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
    // An answer is small and complete: it does not wait for more.
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

/// HTTP/1.1 needs the header `Host` exactly once: with none or several, a proxy and we might mean different hosts.
fn names_its_host(request: &Request<Body>) -> bool {
    let mut hosts = request.headers().get_all(header::HOST).iter();
    match (hosts.next(), hosts.next()) {
        (Some(_), None) => true,
        (None, _) => request.version() < Version::HTTP_11,
        (Some(_), Some(_)) => false,
    }
}

/// The open connections by network address.
struct Counter {
    bounds: Connections,
    open: Arc<Mutex<HashMap<IpAddr, usize>>>,
}

/// One of them; it no longer counts when this is dropped.
struct Count {
    open: Arc<Mutex<HashMap<IpAddr, usize>>>,
    /// Whose; nobody's, if it is not counted.
    address: Option<IpAddr>,
}

impl Counter {
    /// Counts a connection, unless its address has too many; a proxy's are not counted.
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
