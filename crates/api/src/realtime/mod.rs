//! News as they happen: one websocket for each open page.
//!
//! Events come out of the transaction that is their cause. Each node reads them behind a cursor that never passes the
//! oldest running transaction, and hands each to the sockets of its person. A socket keeps the person's own count: what
//! comes out of turn is read again in order, and what a client missed it asks for by the number that it had last.

mod entry;
mod hub;
mod message;
mod socket;

use std::sync::Arc;

use axum::extract::ws::WebSocketUpgrade;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::{FromRef, OriginalUri, State};
use axum::http::{Extensions, HeaderMap};
use axum::response::Response;
use axum::routing::get;
use domain::refusal::Refusal;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub use entry::COOKIE;
pub use hub::{Hub, Settings};
pub use message::SocketMessage;
pub use socket::REPLACED;

use crate::codes;
use crate::envelope::ApiError;
use crate::extract::PathId;
use crate::middleware::Middleware;
use entry::{Address, is_ours, token_of};
use socket::Connection;

/// A connection's read buffer: messages from clients are small, and there are many clients.
const READ_BUFFER: usize = 1024;
/// The largest message of a client.
const LARGEST: usize = 4096;
/// After how long an address with too many sockets may try again.
const AGAIN: chrono::Duration = chrono::Duration::seconds(10);
/// How much may wait to be written.
const WRITE_BUFFER: usize = 64 * 1024;

/// The call that opens a socket. Whoever joins the parts also runs [`Hub::run`], and calls [`Hub::stop`] at the end.
pub fn calls<S>() -> OpenApiRouter<S>
where
    S: Clone + Send + Sync + 'static,
    Arc<Hub>: FromRef<S>,
    Arc<Middleware>: FromRef<S>,
{
    OpenApiRouter::new()
        .routes(routes!(connect))
        // Base64 has slashes.
        .route("/fiat/{address}/{*rest}", get(connect_parts))
}

/// Opens the websocket of a person. The session comes in the cookie `MEC2C-token`; the `Origin` must be ours. The client
/// says `ping` (at least every 45 seconds), `resume` with the number that it had last, `subOrderAction` and
/// `cancelSubAction` with an order's id, each as `{type, message}`.
#[utoipa::path(get, path = "/fiat/{address}", operation_id = "openSocket", tag = "realtime",
    params(("address" = String, Path, description = "base64 or base64url of the JSON `{userId, way, unique}`")),
    responses((status = 101, description = "The socket; its messages", body = SocketMessage),
        (status = 400, description = "400: the address, or no websocket"), (status = 401, description = "401: no session"),
        (status = 403, description = "403: another origin, or somebody else's address"),
        (status = 429, description = "429: too many requests, or too many sockets of one network address")))]
async fn connect(
    State(middleware): State<Arc<Middleware>>,
    State(hub): State<Arc<Hub>>,
    PathId(address): PathId<String>,
    OriginalUri(uri): OriginalUri,
    (extensions, headers): (Extensions, HeaderMap),
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, ApiError> {
    if !is_ours(&headers, &uri, &hub.settings.origins) {
        return Err(codes::FORBIDDEN.into());
    }
    let who = middleware.sessions.who(token_of(&headers).ok_or(Refusal::SessionInvalid)?).await?;
    middleware.limits.account(who.user).map_err(codes::too_many)?;
    if Address::read(&address)?.user_id != who.user {
        return Err(codes::FORBIDDEN.into());
    }
    let upgrade = upgrade.map_err(|_| ApiError::invalid("Upgrade", "websocket is needed"))?;
    let admission = match crate::middleware::client(&extensions, &headers, &middleware.proxies) {
        Some(address) => Some(hub.admit(app::identity::network_of(address)).ok_or_else(|| codes::too_many(AGAIN))?),
        None => None,
    };
    let connection = Connection { hub, middleware, who, _admission: admission };
    Ok(upgrade
        .read_buffer_size(READ_BUFFER)
        .write_buffer_size(0)
        .max_write_buffer_size(WRITE_BUFFER)
        .max_message_size(LARGEST)
        .max_frame_size(LARGEST)
        .on_upgrade(|socket| connection.serve(socket)))
}

/// The same, of an address that the path cuts at its slashes.
async fn connect_parts(
    middleware: State<Arc<Middleware>>,
    hub: State<Arc<Hub>>,
    PathId((first, rest)): PathId<(String, String)>,
    uri: OriginalUri,
    parts: (Extensions, HeaderMap),
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, ApiError> {
    connect(middleware, hub, PathId(format!("{first}/{rest}")), uri, parts, upgrade).await
}
