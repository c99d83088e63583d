//! The middleware of all calls: envelope, codes, languages, limits, headers, and the files of the web app.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects
)]

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use api::codes;
use api::envelope::{Answer, ApiError, Done};
use api::extract::{self, Page, PageOf, PathId, Query, Session, SessionCheck, Who};
use api::middleware::{Limits, MaintenanceCheck, Middleware, Rate, RateLimitSettings, Window};
use async_trait::async_trait;
use axum::Router;
use axum::body::Body as HttpBody;
use axum::extract::FromRef;
use axum::http::{Request, Response};
use axum::routing::{get, post};
use chrono::{TimeZone, Utc};
use domain::ids::{OrderId, SessionId, UserId};
use domain::money::Amount;
use domain::refusal::{Refusal, Shown};
use http_body_util::BodyExt;
use serde::Deserialize;
use serde_json::{Value, json};
use tower::ServiceExt;
use utoipa_axum::router::OpenApiRouter;
use uuid::Uuid;

struct OneUser;

#[async_trait]
impl SessionCheck for OneUser {
    async fn who(&self, token: &str) -> Result<Who, ApiError> {
        let who = Who { user: UserId(Uuid::from_u128(1)), session: SessionId(Uuid::from_u128(2)) };
        if token == "good" { Ok(who) } else { Err(Refusal::SessionInvalid.into()) }
    }

    fn has_acted(&self, _: UserId) {}
}

struct Planned(Option<Window>);

#[async_trait]
impl MaintenanceCheck for Planned {
    async fn current(&self) -> Option<Window> {
        self.0
    }
}

#[derive(Clone)]
struct State(Arc<Middleware>);

impl FromRef<State> for Arc<Middleware> {
    fn from_ref(state: &State) -> Self {
        Self::clone(&state.0)
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Command {
    quantity: String,
    #[serde(default)]
    inner: Option<Inner>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Inner {
    limit_min: u32,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Filter {
    #[serde(default)]
    methods: Vec<String>,
}

async fn command(extract::Command { body: command, .. }: extract::Command<Command>) -> Answer<Value> {
    Ok(Done(json!([command.quantity, command.inner.map(|inner| inner.limit_min)])))
}

async fn list(Query(page): Query<Page>, Query(filter): Query<Filter>) -> Answer<PageOf<String>> {
    Ok(Done(page.of(filter.methods, 7)))
}

async fn refuse() -> Answer<()> {
    let shown = |units| Shown { amount: Amount::new(units).unwrap(), decimals: 2 };
    Err(Refusal::AmountOutOfLimits { min: shown(1_000), max: shown(50_050) }.into())
}

async fn slow() -> Answer<()> {
    std::future::pending().await
}

async fn panics() -> Answer<()> {
    panic!("an internal secret")
}

async fn mine(Session(who): Session) -> Answer<String> {
    Ok(Done(who.user.to_string()))
}

async fn by_id(PathId(id): PathId<OrderId>) -> Answer<String> {
    Ok(Done(id.to_string()))
}

fn free() -> RateLimitSettings {
    RateLimitSettings::all(Rate { burst: 1, every: Duration::ZERO })
}

#[derive(Default)]
struct AppSettings {
    limits: Option<RateLimitSettings>,
    maintenance: Option<Window>,
    web: Option<std::path::PathBuf>,
    clock: Arc<AtomicU64>,
    patience: Option<Duration>,
}

fn app(settings: AppSettings) -> Router {
    let clock = settings.clock;
    let middleware = Middleware {
        sessions: Arc::new(OneUser),
        maintenance: Arc::new(Planned(settings.maintenance)),
        limits: Limits::new(
            settings.limits.unwrap_or_else(free),
            Arc::new(move || Duration::from_secs(clock.load(Ordering::Relaxed))),
        ),
        web_root: settings.web,
        proxies: Vec::new(),
        region_header: None,
        // A slow machine must not fail a test.
        time_out: settings.patience.unwrap_or(Duration::from_hours(1)),
        upload_time_out: Duration::from_hours(1),
    };
    let calls = OpenApiRouter::<State>::new()
        .route("/command", post(command))
        .route("/list", get(list))
        .route("/refuse", get(refuse))
        .route("/slow", get(slow))
        .route("/panic", get(panics))
        .route("/mine", get(mine))
        .route("/order/{id}", get(by_id))
        .route("/common/coin", get(|| async { Done("public") }));
    api::assemble(calls, State(Arc::new(middleware))).0
}

async fn read(response: Response<HttpBody>) -> (u16, Value) {
    let status = response.status().as_u16();
    let bytes = response.into_body().collect().await.unwrap().to_bytes();
    (status, serde_json::from_slice(&bytes).unwrap_or_else(|_| panic!("not JSON: {bytes:?}")))
}

fn asks(path: &str) -> Request<HttpBody> {
    Request::get(path).header("language", "en_US").body(HttpBody::empty()).unwrap()
}

fn sends(body: impl Into<HttpBody>) -> Request<HttpBody> {
    Request::post("/api/command")
        .header("language", "en_US")
        .header("content-type", "application/json")
        .header("idempotency-key", "0123456789")
        .body(body.into())
        .unwrap()
}

async fn answer(request: Request<HttpBody>) -> (u16, Value) {
    read(app(AppSettings::default()).oneshot(request).await.unwrap()).await
}

#[tokio::test]
async fn a_response_is_an_envelope() {
    insta::assert_json_snapshot!(answer(sends(r#"{"quantity":"1.5","inner":{"limitMin":3}}"#)).await.1, @r#"
    {
      "code": "200",
      "data": [
        "1.5",
        3
      ],
      "message": "Done."
    }
    "#);
}

#[tokio::test]
async fn a_malformed_body_names_the_field() {
    for (body, field) in [
        ("{}", "quantity"),
        (r#"{"quantity":1}"#, "quantity"),
        (r#"{"quantity":"1","extra":1}"#, "extra"),
        (r#"{"quantity":"1","inner":{}}"#, "inner.limitMin"),
        (r#"{"quantity":"1","inner":{"limitMin":-1}}"#, "inner.limitMin"),
        (r#"{"quantity":"1","inner":{"limitMin":1,"more":2}}"#, "inner.more"),
        (r#"{"quantity":"1"} x"#, "body"),
        ("nonsense", "body"),
        ("", "body"),
    ] {
        let (status, answer) = answer(sends(body)).await;
        assert_eq!((status, &answer["code"], &answer["data"]["field"]), (400, &json!("400"), &json!(field)), "{body}");
    }
}

#[tokio::test]
async fn a_command_needs_an_idempotency_key_and_a_content_type() {
    let mut request = sends("{}");
    request.headers_mut().remove("idempotency-key");
    assert_eq!(answer(request).await.1["data"]["field"], "Idempotency-Key");
    let mut request = sends("{}");
    request.headers_mut().insert("idempotency-key", "short".parse().unwrap());
    assert_eq!(answer(request).await.1["data"]["field"], "Idempotency-Key");
    let mut request = sends("{}");
    request.headers_mut().insert("content-type", "text/plain".parse().unwrap());
    assert_eq!(answer(request).await.1["data"]["field"], "Content-Type");
}

#[tokio::test]
async fn a_body_above_one_mebibyte_is_too_large() {
    let body = format!(r#"{{"quantity":"{}"}}"#, "1".repeat(api::middleware::BODY_LIMIT));
    let (status, answer) = answer(sends(body)).await;
    assert_eq!((status, &answer["code"]), (413, &json!("413")));
}

#[tokio::test]
async fn lists_accept_pages_and_indexed_arrays() {
    let (_, got) = answer(asks("/api/list?page=2&size=5&methods[1]=wechat&methods[0]=alipay")).await;
    assert_eq!(got["data"], json!({"records": ["alipay", "wechat"], "total": 7, "page": 2, "size": 5}));
    for (query, field) in [("page=0", "page"), ("size=101", "size"), ("size=x", "size"), ("methods=a", "methods")] {
        let (status, got) = answer(asks(&format!("/api/list?{query}"))).await;
        assert_eq!((status, &got["data"]["field"]), (400, &json!(field)), "{query}");
    }
}

#[tokio::test]
async fn a_refusal_names_the_allowed_range_in_the_readers_language() {
    let (status, english) = answer(asks("/api/refuse")).await;
    assert_eq!(status, 422);
    insta::assert_json_snapshot!(english, @r#"
    {
      "code": "5009",
      "data": {
        "max": "500.5",
        "min": "10"
      },
      "message": "The amount must be between 10 and 500.5."
    }
    "#);
    let chinese = answer(Request::get("/api/refuse").body(HttpBody::empty()).unwrap()).await.1;
    assert_eq!(chinese["message"], "金额须在 10 至 500.5 之间。");
}

#[tokio::test]
async fn a_session_identifies_its_user_and_others_are_refused() {
    let (status, got) = answer(asks("/api/mine")).await;
    assert_eq!((status, &got["code"]), (401, &json!("401")));
    for (token, code) in [("good", "200"), ("Bearer good", "200"), ("bad", "401"), ("", "401")] {
        let mut request = asks("/api/mine");
        request.headers_mut().insert("authorization", token.parse().unwrap());
        assert_eq!(answer(request).await.1["code"], code, "{token}");
    }
}

#[tokio::test]
async fn unknown_paths_return_an_envelope() {
    for request in [asks("/api/nothing"), asks("/api/order/")] {
        let (status, got) = answer(request).await;
        assert_eq!((status, &got["code"]), (404, &json!("404")));
    }
    for (method, path, allowed) in [
        ("GET", "/api/command", "POST"),
        ("DELETE", "/api/order/42", "GET,HEAD"),
        ("POST", "/api/openapi.json", "GET,HEAD"),
        ("POST", "/api/codes.json", "GET,HEAD"),
    ] {
        let request = Request::builder().method(method).uri(path).body(HttpBody::empty()).unwrap();
        let response = app(AppSettings::default()).oneshot(request).await.unwrap();
        assert_eq!(response.headers()["allow"], allowed, "{method} {path}");
        let (status, got) = read(response).await;
        assert_eq!((status, &got["code"]), (405, &json!("405")), "{method} {path}");
    }
    let (status, got) = answer(asks("/api/order/42")).await;
    assert_eq!((status, &got["data"]["field"]), (400, &json!("id")));
}

#[tokio::test]
async fn panics_and_timeouts_reveal_nothing_internal() {
    let (status, got) = answer(asks("/api/panic")).await;
    assert_eq!((status, &got["code"], &got["data"]), (500, &json!("500"), &Value::Null));
    assert!(!got.to_string().contains("secret"));
    let impatient = app(AppSettings { patience: Some(Duration::ZERO), ..AppSettings::default() });
    let (status, got) = read(impatient.oneshot(asks("/api/slow")).await.unwrap()).await;
    assert_eq!((status, &got["code"]), (503, &json!("1007")));
}

#[tokio::test]
async fn the_callback_redirects_browsers_during_maintenance_as_well() {
    let at = |hour| Utc.with_ymd_and_hms(2026, 1, 1, hour, 0, 0).unwrap();
    let closed = AppSettings { maintenance: Some(Window { start: at(1), end: at(2) }), ..AppSettings::default() };
    let once = Rate { burst: 1, every: Duration::from_secs(1) };
    let limits = Some(RateLimitSettings { session: once, ..free() });
    for (name, app) in [("closed", app(closed)), ("limited", app(AppSettings { limits, ..AppSettings::default() }))] {
        let open = || {
            let request = Request::get("/api/scan/callBack?statement=x").header("authorization", "good");
            app.clone().oneshot(request.header("accept", "text/html").body(HttpBody::empty()).unwrap())
        };
        open().await.unwrap();
        let second = open().await.unwrap();
        assert_eq!(second.status(), 303, "{name}");
        assert_eq!(second.headers()["location"], "/login?pass=unavailable", "{name}");
    }
}

#[tokio::test]
async fn only_public_calls_work_during_maintenance() {
    let window =
        Window { start: Utc.timestamp_opt(1_000_000, 0).unwrap(), end: Utc.timestamp_opt(1_003_600, 0).unwrap() };
    let app = app(AppSettings { maintenance: Some(window), ..AppSettings::default() });
    let (status, got) = read(app.clone().oneshot(asks("/api/mine")).await.unwrap()).await;
    assert_eq!((status, &got["code"]), (503, &json!("401")));
    assert_eq!(got["message"], r#"["1970-01-12T13:46:40Z","1970-01-12T14:46:40Z"]"#);
    assert_eq!(read(app.oneshot(asks("/api/common/coin")).await.unwrap()).await.1["data"], "public");
}

#[tokio::test]
async fn a_rate_limited_request_is_told_when_to_retry() {
    let rate = Rate { burst: 2, every: Duration::from_secs(3) };
    let limits = Some(RateLimitSettings { session: rate, ..free() });
    let clock = Arc::new(AtomicU64::new(0));
    let app = app(AppSettings { limits, clock: Arc::clone(&clock), ..AppSettings::default() });
    let request = || {
        let mut request = asks("/api/mine");
        request.headers_mut().insert("authorization", "good".parse().unwrap());
        request
    };
    for _ in 0..2 {
        assert_eq!(app.clone().oneshot(request()).await.unwrap().status(), 200);
    }
    let response = app.clone().oneshot(request()).await.unwrap();
    assert_eq!((response.status().as_u16(), &response.headers()["retry-after"]), (429, &"3".parse().unwrap()));
    assert_eq!(read(response).await.1["data"]["retryAfter"], 3);
    clock.store(3, Ordering::Relaxed);
    assert_eq!(app.oneshot(request()).await.unwrap().status(), 200);
}

#[tokio::test]
async fn every_response_has_security_headers() {
    let response = app(AppSettings::default()).oneshot(asks("/api/common/coin")).await.unwrap();
    let headers = response.headers();
    assert_eq!(headers["content-security-policy"], api::middleware::CONTENT_SECURITY_POLICY);
    assert_eq!(headers["x-content-type-options"], "nosniff");
    assert_eq!(headers["cache-control"], "no-store");
    assert_eq!(headers["x-request-id"].len(), 32);
    let mut request = asks("/api/common/coin");
    request.headers_mut().insert("x-request-id", "from-the-client".parse().unwrap());
    let response = app(AppSettings::default()).oneshot(request).await.unwrap();
    assert_eq!(response.headers()["x-request-id"], "from-the-client");
}

#[tokio::test]
async fn the_web_app_is_served_compressed_and_other_paths_return_its_page() {
    let folder = tempfile::Builder::new().prefix("mec2c-web-").tempdir().unwrap();
    let root = folder.path();
    std::fs::create_dir_all(root.join("assets")).unwrap();
    std::fs::write(root.join("index.html"), "<p>page").unwrap();
    std::fs::write(root.join("assets/a-1.js"), "plain").unwrap();
    std::fs::write(root.join("assets/a-1.js.br"), "small").unwrap();
    let app = app(AppSettings { web: Some(root.to_owned()), ..AppSettings::default() });
    let get = |path: &str| {
        let request = Request::get(path).header("accept-encoding", "br, gzip").body(HttpBody::empty()).unwrap();
        app.clone().oneshot(request)
    };
    let script = get("/assets/a-1.js").await.unwrap();
    assert_eq!(script.headers()["content-encoding"], "br");
    assert_eq!(script.headers()["cache-control"], "public, max-age=31536000, immutable");
    assert_eq!(&script.into_body().collect().await.unwrap().to_bytes()[..], b"small");
    let page = get("/orderDetail?id=1").await.unwrap();
    assert_eq!((page.status().as_u16(), &page.headers()["cache-control"]), (200, &"no-cache".parse().unwrap()));
    assert_eq!(&page.into_body().collect().await.unwrap().to_bytes()[..], b"<p>page");
    // The console has its own page.
    std::fs::write(root.join("console.html"), "<p>console").unwrap();
    for (path, text) in [
        ("/console", "<p>console"),
        ("/console/", "<p>console"),
        ("/console/users/1?x=2", "<p>console"),
        ("/consolex", "<p>page"),
        ("/order/console", "<p>page"),
    ] {
        let page = get(path).await.unwrap();
        assert_eq!((page.status().as_u16(), &page.headers()["cache-control"]), (200, &"no-cache".parse().unwrap()));
        assert_eq!(page.headers()["x-robots-tag"], "noindex", "{path}");
        assert_eq!(&page.into_body().collect().await.unwrap().to_bytes()[..], text.as_bytes(), "{path}");
    }
    // Search engines may index only public pages.
    let robots = async |path: &str| get(path).await.unwrap().headers().get("x-robots-tag").cloned();
    for path in ["/login", "/login?next=%2Forder", "/helpDetail?id=1", "/assets/a-1.js"] {
        assert_eq!(robots(path).await, None, "{path}");
    }
    for path in ["/", "/order", "/register", "/resetPassword", "/nowhere"] {
        assert_eq!(robots(path).await.unwrap(), "noindex", "{path}");
    }
    assert_eq!(get("/assets/gone-2.js").await.unwrap().status(), 404);
    // File names that no file system allows.
    for (path, status) in [
        (format!("/{}", "a".repeat(300)), 200),
        (format!("/{}", "a".repeat(254)), 200),
        ("/a".repeat(4_000), 200),
        (format!("/assets/{}.js", "a".repeat(300)), 404),
        ("/index.html/a".to_owned(), 200),
        ("/%00".to_owned(), 200),
    ] {
        let got = get(&path).await.unwrap();
        assert_eq!(got.status(), status, "{} bytes", path.len());
    }
    assert_eq!(get("/../Cargo.toml").await.unwrap().into_body().collect().await.unwrap().to_bytes().len(), 7);
}

#[tokio::test]
async fn the_api_document_and_its_page_are_served() {
    let document = answer(asks("/api/openapi.json")).await.1;
    assert_eq!(document["servers"][0]["url"], "/api");
    let page = app(AppSettings::default()).oneshot(asks("/api/docs")).await.unwrap();
    let text = String::from_utf8(page.into_body().collect().await.unwrap().to_bytes().to_vec()).unwrap();
    assert!(text.contains("/api/docs/page.js") && !text.contains("http://") && !text.contains("https://"));
}

#[test]
fn internal_codes_have_the_keys_of_the_catalog() {
    assert_eq!(codes::INTERNAL.key, "me_177");
    assert_eq!(codes::PRICE_CHANGED.key, "me_544");
    assert_eq!(codes::ENVIRONMENT_AT_RISK.key, "me_633");
}
