//! Limits of uploads: how many, how large together, how long, and what is left of those that fail.

use std::net::SocketAddr;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use api::Connections;
use api::middleware::{Limits, Rate, RateLimitSettings};
use api::realtime::{Hub, HubSettings};
use app::files::ports::FileStore;
use axum::Router;
use axum::body::{Body, Bytes};
use axum::http::Method;
use domain::files::MOST_DAILY_BYTES;
use domain::ids::IdSource;
use gateways::fakes::KeptMail;
use gateways::{KeySource, ObjectFiles};
use http_body_util::BodyExt;
use serde_json::Value;
use testkit::{Ids, noon};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

use crate::product;
use crate::samples::{jpeg, mp4};
use crate::stage::{Caller, Got, Stage};
use crate::uploads::{BOUNDARY, IMAGE, VIDEO, file_part, opened, part, refused, request, whole};

/// The product with its own limits and file store.
struct Limited {
    stage: Stage,
    store: ObjectFiles,
    app: Router,
}

impl Limited {
    async fn new(upload: Rate, time_out: Duration) -> Self {
        let stage = Stage::empty().await;
        let context = &stage.market.context;
        let keys = KeySource::Url(format!("{}/keys", product::ISSUER).parse().unwrap());
        let identity = product::identity(context, KeptMail::default(), keys, Vec::new());
        let free = RateLimitSettings::all(Rate { burst: 1_000_000, every: Duration::ZERO });
        let limits = Limits::new(RateLimitSettings { upload, ..free }, Arc::new(|| Duration::ZERO));
        let mut middleware = product::middleware(&identity, limits);
        middleware.upload_time_out = time_out;
        let store = ObjectFiles::memory();
        let files = product::files(context, store.clone());
        let hub = Arc::new(Hub::new(context.clone(), HubSettings::default()));
        let (app, _) = api::router(product::with_files(context, identity, middleware, &hub, files));
        Self { stage, store, app }
    }

    async fn sends(&self, who: &Caller, path: &str, body: impl Into<Body>) -> Got {
        let request = request(who, &Ids.fresh(noon()).to_string(), path, body);
        let response = self.app.clone().oneshot(request).await.unwrap();
        let status = response.status().as_u16();
        let bytes = response.into_body().collect().await.unwrap().to_bytes();
        let body: Value = serde_json::from_slice(&bytes).unwrap();
        crate::conforming::check(&Method::POST, &format!("/api{path}"), status, &body);
        Got { status, body }
    }

    /// Sends a body that begins with these bytes and does not go on, and drops the request while it waits for the rest, like a
    /// timeout.
    async fn drops(&self, who: &Caller, path: &str, start: &[u8]) {
        let (tell, waits) = tokio::sync::oneshot::channel();
        let mut tell = Some(tell);
        let rest = futures::stream::poll_fn(move |_| {
            tell.take().map(|tell| tell.send(()));
            Poll::Pending
        });
        let start = futures::stream::iter([Ok::<_, std::io::Error>(Bytes::copy_from_slice(start))]);
        let body = Body::from_stream(futures::StreamExt::chain(start, rest));
        tokio::select! {
            got = self.sends(who, path, body) => panic!("{}", got.body),
            waits = waits => waits.unwrap(),
        }
    }

    async fn sweeps(&self) -> u64 {
        app::files::sweep(&self.stage.market.context, &self.store).await.unwrap()
    }
}

const FREE: Rate = Rate { burst: 1_000_000, every: Duration::ZERO };

#[tokio::test]
async fn uploads_of_an_account_are_limited() {
    let limited = Limited::new(Rate { burst: 2, every: Duration::from_secs(3) }, Duration::from_hours(1)).await;
    let (anna, ben) = (&limited.stage.anna, &limited.stage.ben);
    let body = whole(&[file_part(&jpeg())]);
    for _ in 0..2 {
        limited.sends(ben, IMAGE, body.clone()).await.ok();
    }
    let data = limited.sends(ben, IMAGE, body.clone()).await.refused(429, "429");
    assert_eq!(data["retryAfter"], 3);
    limited.sends(ben, VIDEO, whole(&[file_part(&mp4(1_000))])).await.refused(429, "429");
    limited.sends(anna, IMAGE, body).await.ok();
}

/// Longer than any successful operation takes. A test that waits this long has failed.
const PATIENCE: Duration = Duration::from_mins(1);

/// A body that begins with these bytes, and whose connection is then lost.
fn cut(start: &[u8]) -> Body {
    let lost = std::io::Error::from(std::io::ErrorKind::ConnectionReset);
    Body::from_stream(futures::stream::iter([Ok(Bytes::copy_from_slice(start)), Err(lost)]))
}

#[tokio::test]
async fn an_upload_counts_unless_its_body_is_broken_off() {
    let limited = Limited::new(Rate { burst: 2, every: Duration::from_secs(3) }, Duration::from_hours(1)).await;
    let (anna, ben) = (&limited.stage.anna, &limited.stage.ben);
    let (picture, clip) = (whole(&[file_part(&jpeg())]), whole(&[file_part(&mp4(1_000))]));
    for _ in 0..3 {
        for (path, body) in [(IMAGE, &picture), (VIDEO, &clip)] {
            // In the head of the part, within the file, and before the end of the body.
            for sent in [10, 200, body.len() - 5] {
                limited.sends(ben, path, cut(&body[..sent])).await.refused(400, "400");
            }
            limited.drops(ben, path, &body[..200]).await;
        }
    }
    limited.sends(ben, IMAGE, picture.clone()).await.ok();
    limited.sends(ben, VIDEO, clip.clone()).await.ok();
    limited.sends(ben, IMAGE, picture.clone()).await.refused(429, "429");
    // What the client sent to its end counts, whatever is wrong with it, and so does what the server refuses to read on.
    limited.sends(anna, IMAGE, picture[..picture.len() - 20].to_vec()).await.refused(400, "400");
    let other = [whole(&[part("name=\"other\"", b"x")]), vec![0; 100]].concat();
    let start = futures::stream::iter([Ok::<_, std::io::Error>(Bytes::from(other))]);
    let refused = Body::from_stream(futures::StreamExt::chain(start, futures::stream::pending()));
    limited.sends(anna, VIDEO, refused).await.refused(400, "400");
    limited.sends(anna, IMAGE, picture).await.refused(429, "429");
}

/// Sends the start of an upload, and ends the connection. Returns once the server has ended it, too.
async fn breaks_off(at: SocketAddr, who: &Caller, path: &str, body: &[u8]) {
    let mut connection = TcpStream::connect(at).await.unwrap();
    let head = format!(
        "POST /api{path} HTTP/1.1\r\nhost: {at}\r\nauthorization: {}\r\nidempotency-key: {}\r\nlanguage: en_US\r\n\
         content-type: multipart/form-data; boundary={BOUNDARY}\r\ncontent-length: {}\r\n\r\n",
        who.token,
        Ids.fresh(noon()),
        body.len()
    );
    connection.write_all(head.as_bytes()).await.unwrap();
    connection.write_all(&body[..body.len() / 2]).await.unwrap();
    connection.shutdown().await.unwrap();
    let mut said = Vec::new();
    tokio::time::timeout(PATIENCE, connection.read_to_end(&mut said)).await.unwrap().unwrap();
    assert!(said.starts_with(b"HTTP/1.1 400 "), "{}", String::from_utf8_lossy(&said));
}

#[tokio::test]
async fn after_any_number_of_lost_connections_the_next_upload_works() {
    let limited = Limited::new(Rate { burst: 2, every: Duration::from_secs(3) }, Duration::from_hours(1)).await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let at = listener.local_addr().unwrap();
    let stop = CancellationToken::new();
    let server = tokio::spawn(api::serve(listener, limited.app.clone(), Connections::default(), stop.clone()));
    let ben = &limited.stage.ben;
    let (picture, clip) = (whole(&[file_part(&jpeg())]), whole(&[file_part(&mp4(1_000))]));
    // More than the rate limit allows at once, and more than a user may have unused files.
    for _ in 0..21 {
        breaks_off(at, ben, VIDEO, &clip).await;
        breaks_off(at, ben, IMAGE, &picture).await;
    }
    limited.sends(ben, IMAGE, picture.clone()).await.ok();
    limited.sends(ben, VIDEO, clip).await.ok();
    limited.sends(ben, IMAGE, picture).await.refused(429, "429");
    assert_eq!(limited.stage.files().await.0, 2);
    stop.cancel();
    server.await.unwrap().unwrap();
}

#[tokio::test]
async fn uploads_at_once_that_exceed_the_limit_leave_nothing_in_the_store() {
    let limited = Limited::new(FREE, Duration::from_hours(1)).await;
    let ben = &limited.stage.ben;
    limited.sends(ben, IMAGE, whole(&[file_part(&jpeg())])).await.ok();
    // One more file fits.
    limited.stage.market.sql(&format!("update files set bytes = {MOST_DAILY_BYTES} - bytes")).await;
    let uploads = (0..8).map(|_| limited.sends(ben, IMAGE, whole(&[file_part(&jpeg())])));
    let (stored, others): (Vec<_>, Vec<_>) =
        futures::future::join_all(uploads).await.into_iter().partition(|got| got.status == 200);
    assert_eq!(stored.len(), 1);
    for other in others {
        refused(other, "too much today");
    }
    let mut tx = limited.stage.market.context.store.begin().await.unwrap();
    for object in store::files::lock_loose_objects(&mut tx, noon() + chrono::Duration::days(1), 8).await.unwrap() {
        assert!(limited.store.read(object, 0..1).await.is_err());
    }
}

#[tokio::test]
async fn an_upload_that_takes_too_long_is_aborted() {
    for path in [IMAGE, VIDEO] {
        // A busy machine may not wait for the body yet when a short time is over, and then answers 503.
        let mut got = None;
        for limit in [50, 500, 5_000, 50_000].map(Duration::from_millis) {
            let limited = Limited::new(FREE, limit).await;
            // The body begins and never ends.
            let start = if path == IMAGE { file_part(&jpeg()) } else { file_part(&mp4(1_000)) };
            let start = futures::stream::iter([Ok::<_, std::io::Error>(Bytes::from(start))]);
            let slow = futures::StreamExt::chain(start, futures::stream::pending());
            let answer = limited.sends(&limited.stage.ben, path, Body::from_stream(slow)).await;
            assert_eq!(limited.stage.files().await.0, 0);
            let is_early = answer.status == 503;
            got = Some(answer);
            if !is_early {
                break;
            }
        }
        got.unwrap().refused(408, "408");
    }
}

#[tokio::test]
async fn what_is_never_used_is_deleted_after_a_day() {
    let limited = Limited::new(FREE, Duration::from_hours(1)).await;
    let stage = &limited.stage;
    let file = limited.sends(&stage.ben, IMAGE, whole(&[file_part(&jpeg())])).await.ok();
    // An upload that failed after its object was noted.
    limited.sends(&stage.ben, VIDEO, whole(&[file_part(&mp4(1_000)[..100])])).await.refused(422, "1014");
    assert_eq!(stage.files().await, (1, 1));
    // An upload whose bytes were stored, and whose process then crashed.
    let crashed = Ids.fresh(noon());
    limited.store.put(crashed, b"bytes".to_vec()).await.unwrap();
    stage.market.sql(&format!("insert into loose_objects (object, since) values ('{crashed}', '2026-01-01')")).await;
    stage.market.sql("update loose_objects set since = (select created_at from files)").await;
    let object = stage.market.count("select count(*) from files where loose_since is not null").await;
    assert_eq!(object, 1);

    stage.market.waits(chrono::Duration::hours(24)).await;
    assert_eq!(limited.sweeps().await, 0, "exactly a day is not more than a day");
    stage.market.waits(chrono::Duration::seconds(1)).await;
    assert_eq!(limited.sweeps().await, 3);
    assert_eq!(stage.files().await, (0, 0));
    assert!(limited.store.read(crashed, 0..1).await.is_err());
    let fresh = opened(&limited.app, file["url"].as_str().unwrap(), &[("authorization", &stage.ben.token)]).await;
    assert_eq!(fresh.status, 403, "the link has expired");
}
