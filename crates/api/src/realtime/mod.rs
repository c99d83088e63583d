//! Outbox events over websockets, one websocket for each open page.
//!
//! Events are written in the transaction that causes them. Each server process reads what has become visible, each user's
//! events in order, and delivers each event to the sockets of its user. A socket tracks the number of the user's last
//! event: if one is missing, it reads the missing ones, and a client sends the last number that it received to request
//! missed events.

mod entry;
mod hub;
mod message;
mod queue;
mod socket;

use std::sync::Arc;

use axum::extract::ws::WebSocketUpgrade;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::{OriginalUri, State};
use axum::http::{Extensions, HeaderMap};
use axum::response::Response;
use axum::routing::get;
use domain::refusal::Refusal;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub use entry::COOKIE;
pub(crate) use entry::token_of as cookie_token;
pub use hub::{Hub, HubSettings};
pub use message::SocketMessage;
pub use socket::REPLACED;

use crate::codes;
use crate::envelope::ApiError;
use crate::extract::PathId;
use crate::middleware::Middleware;
use crate::origin::is_trusted;
use crate::state::ApiState;
use entry::{Address, token_of};
use socket::Connection;

/// The read buffer of a connection, in bytes. It is small because clients are many and their messages are small.
const READ_BUFFER: usize = 1024;
/// The maximum size of a client's message.
const MAX_MESSAGE_SIZE: usize = 4096;
/// The `Retry-After` for a network address with too many sockets.
const RETRY_AFTER: chrono::Duration = chrono::Duration::seconds(10);
/// How many bytes are collected before they are written. A connection keeps a buffer of this size once it has sent so much.
const WRITE_AT: usize = 1024;
/// The maximum number of bytes waiting to be written.
const WRITE_BUFFER: usize = 64 * 1024;

/// Returns the websocket's route. The server must also run [`Hub::run`], and call [`Hub::stop`] when it stops.
pub(crate) fn calls() -> OpenApiRouter<ApiState> {
    OpenApiRouter::new()
        .routes(routes!(connect))
        // Base64 can contain slashes.
        .route("/fiat/{address}/{*rest}", get(connect_parts))
}

/// Opens the user's websocket.
///
/// The session is read from the cookie `MEC2C-token`, and `Origin` must be a trusted origin. Clients send `ping` at
/// least every 45 seconds, `resume` with the number of the last event received, and `subOrderAction` or
/// `cancelSubAction` with the ID of an order, each as `{type, message}`.
#[utoipa::path(get, path = "/fiat/{address}", tag = "realtime",
    params(("address" = String, Path, description = "base64 or base64url of the JSON `{userId, way, unique}`")),
    responses((status = 101, description = "The websocket; these are its messages", body = SocketMessage)))]
async fn connect(
    State(middleware): State<Arc<Middleware>>,
    State(hub): State<Arc<Hub>>,
    PathId(address): PathId<String>,
    OriginalUri(uri): OriginalUri,
    (extensions, headers): (Extensions, HeaderMap),
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, ApiError> {
    if !is_trusted(&headers, &uri, &hub.settings.origins) {
        return Err(codes::FORBIDDEN.into());
    }
    let who = middleware.sessions.who(token_of(&headers).ok_or(Refusal::SessionInvalid)?).await?;
    middleware.limits.account(who.user).map_err(codes::too_many)?;
    if Address::read(&address)?.user_id != who.user {
        return Err(codes::FORBIDDEN.into());
    }
    let upgrade = upgrade.map_err(|_| ApiError::invalid("Upgrade", "websocket is needed"))?;
    let admission = match crate::middleware::client(&extensions, &headers, &middleware.proxies) {
        Some(address) => {
            Some(hub.admit(app::identity::network_of(address)).ok_or_else(|| codes::too_many(RETRY_AFTER))?)
        }
        None => None,
    };
    let connection = Connection { hub, middleware, who, _admission: admission };
    Ok(upgrade
        .read_buffer_size(READ_BUFFER)
        .write_buffer_size(WRITE_AT)
        .max_write_buffer_size(WRITE_BUFFER)
        .max_message_size(MAX_MESSAGE_SIZE)
        .max_frame_size(MAX_MESSAGE_SIZE)
        .on_upgrade(|socket| connection.serve(socket)))
}

/// Handles an address that contains slashes.
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
