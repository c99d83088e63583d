//! Drains the rest of a request body if the response, such as a refusal, is ready before the body was read completely.
//!
//! The next request on the connection starts after the body, so a short rest is read before the response is sent. If
//! the rest is longer, the response has `connection: close` and the server keeps reading for a while. Closing the
//! connection at once would reset it, and the client would lose the response.

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

/// The number of bytes to read before the response, and the time to wait for them.
const LIMITS_BEFORE_RESPONSE: (usize, Duration) = (256 * 1024, Duration::from_millis(500));
/// The number of bytes to read after a response that closes the connection, and the time to wait for them.
const LIMITS_AFTER_RESPONSE: (usize, Duration) = (16 * 1024 * 1024, Duration::from_secs(10));

/// A body that the handler may read in part. The unread rest stays available for draining. It is also an extension of the
/// request, so that other layers know what the request waits for.
#[derive(Clone)]
pub(crate) struct Shared(Arc<Mutex<Rest>>);

struct Rest {
    stream: BodyDataStream,
    ended: bool,
    /// Whether the body ended early, because the connection did.
    broken: bool,
    /// Whether the handler waits for the client to send more.
    awaited: bool,
}

impl Stream for Shared {
    type Item = Result<Bytes, axum::Error>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let mut rest = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if rest.ended {
            return Poll::Ready(None);
        }
        let polled = rest.stream.poll_next_unpin(context);
        rest.awaited = polled.is_pending();
        rest.broken = matches!(polled, Poll::Ready(Some(Err(_))));
        rest.ended = matches!(polled, Poll::Ready(None | Some(Err(_)))) || rest.stream.is_end_stream();
        polled
    }
}

impl Shared {
    fn ended(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).ended
    }

    /// Returns whether the body ended early.
    pub(crate) fn is_broken(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).broken
    }

    /// Returns whether the request waits for its body.
    pub(crate) fn is_awaited(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).awaited
    }

    /// Discards the rest of the body, within the limits. Returns whether the end was reached.
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
    // A client that sent `Expect: 100-continue` waits for a response before it sends the body: nothing to drain.
    let expects = request.headers().contains_key(header::EXPECT);
    let (parts, body) = request.into_parts();
    let rest = Shared(Arc::new(Mutex::new(Rest {
        stream: body.into_data_stream(),
        ended: false,
        broken: false,
        awaited: false,
    })));
    let mut request = Request::from_parts(parts, Body::from_stream(rest.clone()));
    request.extensions_mut().insert(rest.clone());
    let mut response = next.run(request).await;
    if rest.ended() || (!expects && rest.clone().drain(LIMITS_BEFORE_RESPONSE).await) {
        return response;
    }
    response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    if !expects {
        tokio::spawn(rest.drain(LIMITS_AFTER_RESPONSE));
    }
    response
}
