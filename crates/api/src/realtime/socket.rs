//! Serves a websocket: handles the client's requests, and delivers the user's events in order and at least once.

use std::collections::VecDeque;
use std::sync::Arc;

use app::realtime;
use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use domain::ids::OrderId;
use futures::SinkExt;
use tokio::time::{Instant, sleep, sleep_until};

use super::hub::{Admission, Fate, Hub, Place};
use super::message::{Request, SocketMessage};
use super::queue::Delivery;
use crate::codes;
use crate::envelope::ApiError;
use crate::extract::Who;
use crate::middleware::Middleware;

/// The reason why a socket is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// The client disconnected.
    Gone,
    /// The server process stops.
    NodeStops,
    Dropped,
    /// The user has opened too many newer sockets.
    Replaced,
    /// The client breaks the protocol, exceeds the rate limit, or was silent for too long.
    Misbehaves,
    SessionEnded,
    /// The database is not available.
    Unavailable,
}

/// The close code of a socket that a newer socket replaced. Codes from 4000 are reserved for applications.
pub const REPLACED: u16 = 4001;

impl End {
    fn frame(self) -> Option<CloseFrame> {
        let (code, reason) = match self {
            Self::Gone => return None,
            Self::NodeStops => (close_code::AWAY, "the node stops"),
            Self::Dropped => (close_code::AGAIN, "too slow"),
            Self::Replaced => (REPLACED, "too many sockets: a newer one took the place of this one"),
            Self::Misbehaves => (close_code::POLICY, "too much, or nothing"),
            Self::SessionEnded => (close_code::POLICY, "the session has ended"),
            Self::Unavailable => (close_code::ERROR, "try again"),
        };
        Some(CloseFrame { code, reason: reason.into() })
    }
}

pub(super) struct Connection {
    pub(super) hub: Arc<Hub>,
    pub(super) middleware: Arc<Middleware>,
    pub(super) who: Who,
    /// The slot among the sockets of its network address.
    pub(super) _admission: Option<Admission>,
}

/// The state of an open connection.
struct Talk {
    socket: WebSocket,
    place: Place,
    /// The number of the last event sent to the client.
    last: i64,
    heard: Instant,
    /// The time until which new events are held back, because the client may still send `resume`.
    held_until: Option<Instant>,
}

impl Connection {
    /// Serves the socket until it closes.
    pub(super) async fn serve(self, socket: WebSocket) {
        // Register before reading the last number, so that events in between are queued.
        let place = self.hub.register(self.who);
        let now = Instant::now();
        let held_until = now.checked_add(self.hub.settings.resume_wait);
        let mut talk = Talk { socket, place, last: 0, heard: now, held_until };
        let end = self.talk(&mut talk).await;
        if let Some(frame) = end.frame() {
            // Don't wait for a client that no longer reads.
            let farewell = talk.socket.send(Message::Close(Some(frame)));
            let _ = tokio::time::timeout(self.hub.settings.send_time_out, farewell).await;
        }
    }

    /// Rare steps that need the database are boxed, because each open connection has memory for its largest step.
    async fn talk(&self, talk: &mut Talk) -> End {
        match Box::pin(realtime::last_number(&self.hub.context, self.who.user)).await {
            Ok(number) => talk.last = number,
            Err(_) => return End::Unavailable,
        }
        let idle = self.hub.settings.idle;
        loop {
            let held = talk.held_until;
            let silent = talk.heard.checked_add(idle).unwrap_or_else(Instant::now);
            let step = tokio::select! {
                () = self.hub.stopped.cancelled() => Err(End::NodeStops),
                end = talk.place.fate.decided() => Err(end),
                frame = talk.socket.recv() => match frame {
                    Some(Ok(message)) => Box::pin(self.hear(talk, message)).await,
                    Some(Err(_)) | None => Err(End::Gone),
                },
                deliveries = talk.place.queue.take(), if held.is_none() => Box::pin(self.tell(talk, deliveries)).await,
                () = sleep_until(held.unwrap_or(silent)), if held.is_some() => {
                    talk.held_until = None;
                    Ok(())
                }
                () = sleep_until(silent) => Err(End::Misbehaves),
            };
            if let Err(end) = step {
                return end;
            }
        }
    }

    async fn hear(&self, talk: &mut Talk, message: Message) -> Result<(), End> {
        talk.heard = Instant::now();
        let text = match message {
            Message::Text(text) => text,
            Message::Ping(_) | Message::Pong(_) => return Ok(()),
            Message::Close(_) => return Err(End::Gone),
            Message::Binary(_) => return Err(End::Misbehaves),
        };
        if self.middleware.limits.account(self.who.user).is_err() {
            return Err(End::Misbehaves);
        }
        // The first message, whether it is `resume` or not, ends the wait.
        talk.held_until = None;
        match Request::read(&text) {
            Ok(Request::Ping(echo)) => self.send(talk, &SocketMessage::pong(echo)).await,
            Ok(Request::Resume(number)) => {
                talk.last = talk.last.min(number);
                self.catch_up(talk).await
            }
            Ok(Request::Subscribe(order)) => {
                let answer = match self.subscribe(&talk.place, order).await {
                    Ok((state, version)) => SocketMessage::order_state(order, state, version),
                    Err(error) => SocketMessage::exception(error.code().code),
                };
                self.send(talk, &answer).await
            }
            Ok(Request::Unsubscribe(order)) => {
                talk.place.unsubscribe(order);
                Ok(())
            }
            Err(_) => self.send(talk, &SocketMessage::exception(codes::PARAMETERS.code)).await,
        }
    }

    /// Subscribes before reading the state, so that later changes are delivered.
    async fn subscribe(&self, place: &Place, order: OrderId) -> Result<(&'static str, i64), ApiError> {
        // Check first that the user is a party of the order.
        realtime::order_state(&self.hub.context, self.who.user, order).await?;
        if !place.subscribe(order) {
            return Err(codes::TOO_MANY.into());
        }
        Ok(realtime::order_state(&self.hub.context, self.who.user, order).await?)
    }

    async fn tell(&self, talk: &mut Talk, deliveries: VecDeque<Delivery>) -> Result<(), End> {
        for delivery in deliveries {
            match delivery {
                // The event was already sent while catching up.
                Delivery::Event(event) if event.number <= talk.last => {}
                Delivery::Event(event) if Some(event.number) == talk.last.checked_add(1) => {
                    self.write(talk, &SocketMessage::of_event(&event)).await?;
                    talk.last = event.number;
                }
                // An earlier event was committed later: read the events again, in the order of their numbers.
                Delivery::Event(_) | Delivery::CatchUp => self.catch_up(talk).await?,
                Delivery::Order(order) => self.write(talk, &SocketMessage::order_changed(order)).await?,
            }
        }
        self.flush(talk).await
    }

    /// Sends all events after the last number.
    async fn catch_up(&self, talk: &mut Talk) -> Result<(), End> {
        loop {
            let missed = realtime::since(&self.hub.context, self.who.user, talk.last).await;
            let missed = missed.map_err(|_| End::Unavailable)?;
            if missed.is_empty() {
                return self.flush(talk).await;
            }
            for event in &missed {
                self.write(talk, &SocketMessage::of_event(event)).await?;
                talk.last = event.number;
            }
        }
    }

    async fn send(&self, talk: &mut Talk, message: &SocketMessage) -> Result<(), End> {
        self.write(talk, message).await?;
        self.flush(talk).await
    }

    /// Adds a message to the write buffer, which [`Self::flush`] sends.
    async fn write(&self, talk: &mut Talk, message: &SocketMessage) -> Result<(), End> {
        let text = serde_json::to_string(message).map_err(|_| End::Unavailable)?;
        metrics::counter!("mec2c_websocket_messages_total").increment(1);
        self.in_time(&talk.place.fate, talk.socket.feed(Message::Text(text.into()))).await
    }

    async fn flush(&self, talk: &mut Talk) -> Result<(), End> {
        self.in_time(&talk.place.fate, SinkExt::<Message>::flush(&mut talk.socket)).await
    }

    /// Waits until the client has taken something, but not longer than it may take.
    async fn in_time(&self, fate: &Fate, taken: impl Future<Output = Result<(), axum::Error>>) -> Result<(), End> {
        tokio::select! {
            biased;
            taken = taken => taken.map_err(|_| End::Gone),
            end = fate.decided() => Err(end),
            () = self.hub.stopped.cancelled() => Err(End::NodeStops),
            () = sleep(self.hub.settings.send_time_out) => Err(End::Dropped),
        }
    }
}
