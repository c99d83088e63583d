//! Serves the built files of the web app.

use std::path::Path;

use axum::Router;
use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Response};
use tower_http::services::{ServeDir, ServeFile};

/// The pages that search engines may index. Both work without an account.
const INDEXED: [&str; 2] = ["/login", "/helpDetail"];

/// Serves a build of the web app. Uses the precompressed files, caches hashed files for a year, and serves `console.html` for
/// the paths of the console and `index.html` for any other path.
pub fn web(root: &Path) -> Router {
    let page = |name: &str| ServeFile::new(root.join(name)).precompressed_br().precompressed_gzip();
    let files = ServeDir::new(root).precompressed_br().precompressed_gzip().fallback(page("index.html"));
    Router::new()
        .route_service("/console", page("console.html"))
        .route_service("/console/", page("console.html"))
        .route_service("/console/{*path}", page("console.html"))
        .fallback_service(files)
        .layer(from_fn(caching))
}

/// Returns whether a path is too long to be a file of a build. File systems limit a name to 255 bytes.
fn is_no_file(path: &str) -> bool {
    path.len() > 1024 || path.split('/').any(|name| name.len() > 200)
}

async fn caching(mut request: Request, next: Next) -> Response {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return (StatusCode::METHOD_NOT_ALLOWED, [(header::ALLOW, "GET, HEAD")]).into_response();
    }
    let hashed = request.uri().path().starts_with("/assets/");
    let indexed = INDEXED.contains(&request.uri().path());
    if is_no_file(request.uri().path()) {
        // The path would cause an error in the file system. Serve the app, as for every unknown path.
        *request.uri_mut() = Uri::from_static("/");
    }
    let mut response = next.run(request).await;
    let page =
        response.headers().get(header::CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"));
    if hashed && page {
        // The file is from an older build. With the page as a response, the browser would run HTML as a script.
        return StatusCode::NOT_FOUND.into_response();
    }
    let value = if hashed { "public, max-age=31536000, immutable" } else { "no-cache" };
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static(value));
    if page && !indexed {
        response.headers_mut().insert(HeaderName::from_static("x-robots-tag"), HeaderValue::from_static("noindex"));
    }
    response
}
