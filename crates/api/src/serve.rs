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
use axum::http::uri::Authority;
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
    /// The host name under which browsers reach the product, without a port. Requests for other hosts are refused, so that no
    /// other name leads to pages or links of the product. `None` allows every name.
    pub host: Option<String>,
}

impl Default for Connections {
    fn default() -> Self {
        Self { head: Duration::from_secs(30), per_address: 512, proxies: Vec::new(), host: None }
    }
}

/// The pause after an error of the listener, such as a lack of file descriptors.
const RETRY_PAUSE: Duration = Duration::from_millis(100);
/// The maximum size of the head of a request, in bytes.
const LARGEST_HEAD: usize = 64 * 1024;

/// Serves requests until `stop` is cancelled, then accepts no more connections and completes open requests.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    bounds: Connections,
    stop: CancellationToken,
) -> std::io::Result<()> {
    let host: Option<Arc<str>> = bounds.host.as_deref().map(Arc::from);
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
                    let service = Service { router: router.clone(), peer, host: host.clone() };
                    connections.spawn(answer(stream, service, count, counter.bounds.head, stop.clone()));
                }
            }
            Err(error) => {
                tracing::warn!(%error, "cannot accept a connection");
                tokio::time::sleep(RETRY_PAUSE).await;
            }
        }
    }
    drop(listener);
    while connections.join_next().await.is_some() {}
    Ok(())
}

/// What answers the requests of a connection.
#[derive(Clone)]
struct Service {
    router: Router,
    peer: SocketAddr,
    host: Option<Arc<str>>,
}

async fn answer(stream: TcpStream, service: Service, count: Count, head: Duration, stop: CancellationToken) {
    // Responses are small and complete, so don't wait for more data.
    let _ = stream.set_nodelay(true);
    let peer = service.peer;
    let service = service_fn(move |request: Request<Incoming>| respond(service.clone(), request));
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

async fn respond(service: Service, request: Request<Incoming>) -> Result<Response, Infallible> {
    let mut request = request.map(Body::new);
    if let Err(reason) = check_host(&request, service.host.as_deref()) {
        let mut refused = ApiError::invalid("Host", reason).into_response();
        refused.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
        return Ok(refused);
    }
    request.extensions_mut().insert(ConnectInfo(service.peer));
    service.router.oneshot(request).await
}

/// Refuses a request without exactly one `Host` header, which HTTP/1.1 requires, or for another host. Otherwise a proxy and this
/// server could assume different hosts.
fn check_host(request: &Request<Body>, expected: Option<&str>) -> Result<(), &'static str> {
    let mut hosts = request.headers().get_all(header::HOST).iter();
    let named = match (hosts.next(), hosts.next()) {
        (Some(host), None) => Some(host),
        (None, _) if request.version() < Version::HTTP_11 => None,
        (None | Some(_), _) => return Err("one Host header is needed"),
    };
    let Some(expected) = expected else { return Ok(()) };
    let named = match named {
        Some(host) => Some(Authority::try_from(host.as_bytes()).map_err(|_| "not a host")?),
        None => None,
    };
    // A request target in absolute form names the host again.
    let ours =
        |authority: &Authority| authority.host().eq_ignore_ascii_case(expected) && !authority.as_str().contains('@');
    if named.iter().chain(request.uri().authority()).all(ours) { Ok(()) } else { Err("another host") }
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
