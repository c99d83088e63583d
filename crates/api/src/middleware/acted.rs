//! Notes which user sent a request that may have changed something, so that the user's next poll shows it.

use std::sync::{Arc, OnceLock};

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use domain::ids::UserId;

use super::Middleware;

/// The user of the session of a request, once it is known.
#[derive(Clone, Default)]
struct Requester(Arc<OnceLock<UserId>>);

/// Reports the user when it is dropped: before the response is sent, and also if the client goes away.
struct Acting {
    middleware: Arc<Middleware>,
    requester: Requester,
}

impl Drop for Acting {
    fn drop(&mut self) {
        if let Some(user) = self.requester.0.get() {
            self.middleware.sessions.has_acted(*user);
        }
    }
}

tokio::task_local! {
    static REQUESTER: Requester;
}

/// Notes the user of the current request.
pub(crate) fn requested_by(user: UserId) {
    // A request that changes nothing has no requester. A request has one session.
    let _ = REQUESTER.try_with(|requester| requester.0.set(user));
}

pub(super) async fn layer(State(middleware): State<Arc<Middleware>>, request: Request, next: Next) -> Response {
    if request.method().is_safe() {
        return next.run(request).await;
    }
    let requester = Requester::default();
    let acting = Acting { middleware, requester: requester.clone() };
    let response = REQUESTER.scope(requester, next.run(request)).await;
    drop(acting);
    response
}
