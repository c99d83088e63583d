//! What is left of a body that nobody read: a refusal answers before all of it has come.
//!
//! The next request on the connection begins behind the body. So a small rest is read before the answer goes out; where
//! there is more, the answer says `connection: close`, and reading goes on for a while: closed at once, the connection
//! would be reset, and the client would lose the answer with it.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, BodyDataStream, Bytes, HttpBody as _};
use axum::extract::Request;
use axum::http::{HeaderValue, header};
use axum::middleware::Next;
use axum::response::Response;
use futures::{Stream, StreamExt};

/// How much is read, and how long it is waited for, before the answer.
const BEFORE: (usize, Duration) = (256 * 1024, Duration::from_millis(500));
/// And after an answer that closes the connection.
const AFTER: (usize, Duration) = (16 * 1024 * 1024, Duration::from_secs(10));

/// A body of which whoever answers reads as much as they like; the rest stays here.
#[derive(Clone)]
struct Shared(Arc<Mutex<Rest>>);

struct Rest {
    stream: BodyDataStream,
    ended: bool,
}

impl Stream for Shared {
    type Item = Result<Bytes, axum::Error>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let mut rest = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if rest.ended {
            return Poll::Ready(None);
        }
        let polled = rest.stream.poll_next_unpin(context);
        rest.ended = matches!(polled, Poll::Ready(None | Some(Err(_)))) || rest.stream.is_end_stream();
        polled
    }
}

impl Shared {
    fn ended(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).ended
    }

    /// Reads and forgets, within bounds. Says whether that was all.
    async fn drain(mut self, (most, patience): (usize, Duration)) -> bool {
        let draining = async {
            let mut read = 0_usize;
            while let Some(Ok(bytes)) = self.next().await {
                read = read.saturating_add(bytes.len());
                if read > most {
                    return;
                }
            }
        };
        let _ = tokio::time::timeout(patience, draining).await;
        self.ended()
    }
}

pub(super) async fn layer(request: Request, next: Next) -> Response {
    if request.body().is_end_stream() {
        return next.run(request).await;
    }
    // Who expects to be told to go on sends nothing before that, and need not be told.
    let expects = request.headers().contains_key(header::EXPECT);
    let (parts, body) = request.into_parts();
    let rest = Shared(Arc::new(Mutex::new(Rest { stream: body.into_data_stream(), ended: false })));
    let mut response = next.run(Request::from_parts(parts, Body::from_stream(rest.clone()))).await;
    if rest.ended() || (!expects && rest.clone().drain(BEFORE).await) {
        return response;
    }
    response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    if !expects {
        tokio::spawn(rest.drain(AFTER));
    }
    response
}
