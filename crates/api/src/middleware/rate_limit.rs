//! Rate limits by network address, session and account. Each server process counts on its own.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use app::identity::network_of;
use axum::extract::{ConnectInfo, Request, State};
use axum::http::{Extensions, HeaderMap};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use domain::ids::{OfficerId, UserId};

use super::{Middleware, has_login_limit};
use crate::codes;
use crate::envelope::ApiError;
use crate::extract::token_of;

/// A monotonic clock, which returns the time since an arbitrary fixed instant.
pub type Ticks = Arc<dyn Fn() -> Duration + Send + Sync>;

/// A rate: a burst of requests, and then one request per interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rate {
    /// The number of requests that can be sent at once.
    pub burst: u32,
    /// The interval at which further requests are allowed.
    pub every: Duration,
}

/// The rate limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateLimitSettings {
    /// All calls from one network address.
    pub address: Rate,
    /// Login, email codes and slide checks from one network address.
    pub login: Rate,
    pub session: Rate,
    /// All sessions of one account.
    pub account: Rate,
    /// Uploads of one account.
    pub upload: Rate,
    /// Messages by one account.
    pub talk: Rate,
    /// Records of orders, and tables of them, that one account downloads.
    pub record: Rate,
}

impl RateLimitSettings {
    pub fn all(rate: Rate) -> Self {
        Self { address: rate, login: rate, session: rate, account: rate, upload: rate, talk: rate, record: rate }
    }
}

/// The subject of a counter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Subject {
    Address(IpAddr),
    Login(IpAddr),
    /// A session, as a keyed hash of its token, so that no token is stored.
    Session(u64),
    Account(UserId),
    Upload(UserId),
    Talk(UserId),
    Record(UserId),
    Officer(OfficerId),
}

const SHARDS: usize = 16;
/// The number of subjects in a shard above which idle subjects are removed.
const SHARD_SIZE: usize = 4_096;

/// The counters: for each subject, the time at which its full burst is available again (GCRA).
pub struct Limits {
    settings: RateLimitSettings,
    ticks: Ticks,
    hasher: RandomState,
    shards: [Mutex<HashMap<Subject, Duration>>; SHARDS],
}

impl Limits {
    pub fn new(settings: RateLimitSettings, ticks: Ticks) -> Self {
        Self { settings, ticks, hasher: RandomState::new(), shards: std::array::from_fn(|_| Mutex::default()) }
    }

    /// Counts a request of an account, or returns the time to wait.
    pub fn account(&self, user: UserId) -> Result<(), chrono::Duration> {
        self.count(Subject::Account(user), self.settings.account)
    }

    /// Counts an upload of an account, or returns the time to wait.
    pub(crate) fn upload(&self, user: UserId) -> Result<(), chrono::Duration> {
        self.count(Subject::Upload(user), self.settings.upload)
    }

    /// Takes an upload back that was counted.
    pub(crate) fn take_upload_back(&self, user: UserId) {
        let subject = Subject::Upload(user);
        let Some(shard) = self.shard(subject) else { return };
        let mut whole = shard.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = whole.get_mut(&subject) {
            // A time before now gives no more than the full burst.
            *at = at.saturating_sub(self.settings.upload.every);
        }
    }

    /// Counts a message by a user, or returns the time to wait.
    pub(crate) fn talk(&self, user: UserId) -> Result<(), chrono::Duration> {
        self.count(Subject::Talk(user), self.settings.talk)
    }

    /// Counts a record or a table of orders that a user downloads, or returns the time to wait.
    pub(crate) fn record(&self, user: UserId) -> Result<(), chrono::Duration> {
        self.count(Subject::Record(user), self.settings.record)
    }

    /// Counts a request of an officer, or returns the time to wait.
    pub fn officer(&self, officer: OfficerId) -> Result<(), chrono::Duration> {
        self.count(Subject::Officer(officer), self.settings.account)
    }

    fn address(&self, address: IpAddr, login: bool) -> Result<(), chrono::Duration> {
        let address = network_of(address);
        if login {
            self.count(Subject::Login(address), self.settings.login)?;
        }
        self.count(Subject::Address(address), self.settings.address)
    }

    fn session(&self, token: &str) -> Result<(), chrono::Duration> {
        self.count(Subject::Session(self.hasher.hash_one(token)), self.settings.session)
    }

    fn shard(&self, subject: Subject) -> Option<&Mutex<HashMap<Subject, Duration>>> {
        self.shards.get(usize::try_from(self.hasher.hash_one(subject) & 0xf).unwrap_or(0))
    }

    fn count(&self, subject: Subject, rate: Rate) -> Result<(), chrono::Duration> {
        let Some(shard) = self.shard(subject) else { return Ok(()) };
        let mut whole = shard.lock().unwrap_or_else(PoisonError::into_inner);
        // After the lock: otherwise a concurrent request could already have counted a later time.
        let now = (self.ticks)();
        if whole.len() > SHARD_SIZE {
            whole.retain(|_, at| *at > now);
        }
        let at = whole.get(&subject).copied().unwrap_or_default().max(now);
        let tolerance = rate.every.saturating_mul(rate.burst.saturating_sub(1));
        let ahead = at.saturating_sub(now);
        if ahead > tolerance {
            return Err(chrono::Duration::from_std(ahead.saturating_sub(tolerance)).unwrap_or(chrono::Duration::MAX));
        }
        whole.insert(subject, at.saturating_add(rate.every));
        Ok(())
    }
}

/// Returns the network address of the client. Behind a trusted proxy it is the last address in `X-Forwarded-For` that
/// is not itself a trusted proxy, otherwise the address of the connection.
pub(crate) fn client(extensions: &Extensions, headers: &HeaderMap, proxies: &[IpAddr]) -> Option<IpAddr> {
    let peer = extensions.get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip().to_canonical())?;
    if !proxies.contains(&peer) {
        return Some(peer);
    }
    let forwarded = headers.get_all("x-forwarded-for").iter().filter_map(|value| value.to_str().ok());
    let hops: Vec<IpAddr> = forwarded
        .flat_map(|list| list.split(','))
        .filter_map(|hop| hop.trim().parse::<IpAddr>().ok())
        .map(|hop| hop.to_canonical())
        .collect();
    hops.into_iter().rev().find(|hop| !proxies.contains(hop)).or(Some(peer))
}

/// Returns a header that a trusted proxy has set. Returns `None` if the request did not come through a trusted proxy,
/// because clients can send any header.
pub(crate) fn told_by_proxy<'h>(
    extensions: &Extensions,
    headers: &'h HeaderMap,
    proxies: &[IpAddr],
    name: &str,
) -> Option<&'h str> {
    let peer = extensions.get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip().to_canonical())?;
    let mut told = headers.get_all(name).iter().filter(|_| proxies.contains(&peer));
    // If the header occurs twice, the client may have sent one of them.
    let (Some(value), None) = (told.next(), told.next()) else { return None };
    value.to_str().ok()
}

pub(super) async fn layer(State(middleware): State<Arc<Middleware>>, request: Request, next: Next) -> Response {
    let path = request.uri().path();
    let counted = if path.starts_with("/api/") {
        let by_address = client(request.extensions(), request.headers(), &middleware.proxies)
            .map_or(Ok(()), |address| middleware.limits.address(address, has_login_limit(path)));
        by_address.and_then(|()| token_of(request.headers()).map_or(Ok(()), |token| middleware.limits.session(token)))
    } else {
        Ok(())
    };
    match counted {
        Ok(()) => next.run(request).await,
        Err(wait) => ApiError::from(codes::too_many(wait)).into_response(),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    fn limits(burst: u32, every: u64) -> (Limits, Arc<AtomicU64>) {
        let clock = Arc::new(AtomicU64::new(0));
        let ticks = Arc::clone(&clock);
        let rate = Rate { burst, every: Duration::from_millis(every) };
        let settings = RateLimitSettings { login: Rate { burst: 1, ..rate }, ..RateLimitSettings::all(rate) };
        (Limits::new(settings, Arc::new(move || Duration::from_millis(ticks.load(Ordering::Relaxed)))), clock)
    }

    #[test]
    fn a_burst_passes_and_then_one_each_step() {
        let (limits, clock) = limits(3, 100);
        let one = IpAddr::from([192, 0, 2, 1]);
        for _ in 0..3 {
            assert_eq!(limits.address(one, false), Ok(()));
        }
        assert_eq!(limits.address(one, false), Err(chrono::Duration::milliseconds(100)));
        assert_eq!(limits.address(IpAddr::from([192, 0, 2, 2]), false), Ok(()));
        clock.store(99, Ordering::Relaxed);
        assert_eq!(limits.address(one, false), Err(chrono::Duration::milliseconds(1)));
        clock.store(100, Ordering::Relaxed);
        assert_eq!(limits.address(one, false), Ok(()));
        assert!(limits.address(one, false).is_err());
    }

    #[test]
    fn an_upload_that_is_taken_back_leaves_its_place_to_another() {
        let (limits, clock) = limits(2, 100);
        let user = UserId(uuid::Uuid::from_u128(1));
        // Without a counted upload, there is nothing to take back.
        limits.take_upload_back(user);
        for _ in 0..3 {
            assert_eq!(limits.upload(user), Ok(()));
            limits.take_upload_back(user);
        }
        for _ in 0..2 {
            assert_eq!(limits.upload(user), Ok(()));
        }
        assert!(limits.upload(user).is_err());
        limits.take_upload_back(user);
        assert_eq!(limits.upload(user), Ok(()));
        // What is taken back late gives no larger burst.
        clock.store(1_000, Ordering::Relaxed);
        for _ in 0..2 {
            limits.take_upload_back(user);
        }
        for _ in 0..2 {
            assert_eq!(limits.upload(user), Ok(()));
        }
        assert!(limits.upload(user).is_err());
    }

    #[test]
    fn guessing_calls_have_their_own_count() {
        let (limits, _) = limits(10, 100);
        let one = IpAddr::from([192, 0, 2, 1]);
        assert_eq!(limits.address(one, true), Ok(()));
        assert!(limits.address(one, true).is_err());
        assert_eq!(limits.address(one, false), Ok(()));
    }

    #[test]
    fn one_ipv6_network_is_one_address() {
        let (limits, _) = limits(1, 100);
        let host = |last| IpAddr::from([0x2001, 0xdb8, 0, 7, 0, 0, 0, last]);
        assert_eq!(limits.address(host(1), false), Ok(()));
        assert!(limits.address(host(2), false).is_err());
    }

    #[test]
    fn only_a_known_proxy_is_believed() {
        let peer = IpAddr::from([10, 0, 0, 1]);
        let mut extensions = Extensions::new();
        extensions.insert(ConnectInfo(SocketAddr::new(peer, 1)));
        let mut headers = HeaderMap::new();
        headers.insert("x-forwarded-for", "203.0.113.9, 198.51.100.7, 10.0.0.1".parse().unwrap());
        assert_eq!(client(&extensions, &headers, &[]), Some(peer));
        assert_eq!(client(&extensions, &headers, &[peer]), Some(IpAddr::from([198, 51, 100, 7])));
    }

    #[test]
    fn only_a_known_proxy_says_where_a_request_comes_from() {
        let peer = IpAddr::from([10, 0, 0, 1]);
        let mut extensions = Extensions::new();
        extensions.insert(ConnectInfo(SocketAddr::new(peer, 1)));
        let name = "CF-IPCountry";
        let mut headers = HeaderMap::new();
        headers.append(name, "KR".parse().unwrap());
        assert_eq!(told_by_proxy(&extensions, &headers, &[peer], name), Some("KR"));
        assert_eq!(told_by_proxy(&extensions, &headers, &[], name), None);
        assert_eq!(told_by_proxy(&Extensions::new(), &headers, &[peer], name), None);
        headers.append(name, "VN".parse().unwrap());
        assert_eq!(told_by_proxy(&extensions, &headers, &[peer], name), None);
    }
}
