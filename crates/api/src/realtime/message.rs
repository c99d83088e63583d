//! Websocket messages: `{type, message, number}` from the server, `{type, message}` from the client.

use app::realtime::StoredEvent;
use app::talk::TalkEvent;
use domain::ids::OrderId;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

use crate::talk::TalkMessage;

/// A message to the client.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SocketMessage {
    /// `TALK`, `ORDER_STATUS_CHANGE`, `OTC_VOICE`, `NEW_ORDER`, `ACCOUNT_CHANGE`, `EXCEPTION` or `pong`.
    pub r#type: String,
    /// The content, which depends on `type`. `NEW_ORDER` and `OTC_VOICE`: the ID of the order. Clients play a sound for
    /// `OTC_VOICE`, since the user has to act before a deadline. `ORDER_STATUS_CHANGE`: `37` or `38` if the user was
    /// taken offline; otherwise JSON, either with `orderId` or `advertId` and the kind of change (`notice`), or, for a
    /// subscribed order, with its `state` and `version`. `TALK`: JSON as in the schema `TalkMessage`. `ACCOUNT_CHANGE`: JSON
    /// with `certification`, which is `APPROVED` or `REJECTED`. `EXCEPTION`: a code of the code table. `pong`: the text of the
    /// ping.
    pub message: String,
    /// The number of the event, counted per user without gaps. Responses and messages of subscriptions have no number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<i64>,
}

impl SocketMessage {
    pub(super) fn of_event(event: &StoredEvent) -> Self {
        let order = || event.body.get("orderId").and_then(Value::as_str).map(ToOwned::to_owned);
        let message = match event.kind.as_str() {
            "NEW_ORDER" | "OTC_VOICE" => order(),
            "TALK" => talk(&event.body),
            _ => event.body.as_str().map(ToOwned::to_owned),
        };
        Self {
            r#type: event.kind.clone(),
            message: message.unwrap_or_else(|| event.body.to_string()),
            number: Some(event.number),
        }
    }

    /// Tells the client that an order has changed.
    pub(super) fn order_changed(order: OrderId) -> Self {
        Self::plain("ORDER_STATUS_CHANGE", json!({ "orderId": order }).to_string())
    }

    /// Reports the state of a subscribed order.
    pub(super) fn order_state(order: OrderId, state: &str, version: i64) -> Self {
        Self::plain("ORDER_STATUS_CHANGE", json!({ "orderId": order, "state": state, "version": version }).to_string())
    }

    /// Tells the client that its request was refused.
    pub(super) fn exception(code: &str) -> Self {
        Self::plain("EXCEPTION", code.to_owned())
    }

    pub(super) fn pong(echo: String) -> Self {
        Self::plain("pong", echo)
    }

    fn plain(kind: &str, message: String) -> Self {
        Self { r#type: kind.to_owned(), message, number: None }
    }
}

/// Returns the message of a `TALK` event.
fn talk(body: &Value) -> Option<String> {
    let event: TalkEvent = serde_json::from_value(body.clone()).ok()?;
    serde_json::to_string(&TalkMessage::from(event)).ok()
}

/// A message from the client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Request {
    Ping(String),
    /// Requests the events after this number.
    Resume(i64),
    /// Subscribes to changes of this order, including those that the user causes in another window.
    Subscribe(OrderId),
    /// Ends the subscription.
    Unsubscribe(OrderId),
}

/// A message that cannot be parsed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NotUnderstood;

impl Request {
    pub(super) fn read(text: &str) -> Result<Self, NotUnderstood> {
        #[derive(Deserialize)]
        struct Frame {
            r#type: String,
            #[serde(default)]
            message: Value,
        }
        if text == "ping" {
            return Ok(Self::Ping(String::new()));
        }
        let frame: Frame = serde_json::from_str(text).map_err(|_| NotUnderstood)?;
        let message = match frame.message {
            Value::String(text) => text,
            Value::Null => String::new(),
            Value::Number(number) => number.to_string(),
            _ => return Err(NotUnderstood),
        };
        let order = || message.parse::<OrderId>().map_err(|_| NotUnderstood);
        match frame.r#type.as_str() {
            "ping" => Ok(Self::Ping(message)),
            "resume" => message.parse().ok().filter(|number| *number >= 0).map(Self::Resume).ok_or(NotUnderstood),
            "subOrderAction" => order().map(Self::Subscribe),
            "cancelSubAction" => order().map(Self::Unsubscribe),
            _ => Err(NotUnderstood),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::{TimeZone, Utc};
    use domain::ids::{FileId, UserId};
    use domain::order_log::{Content, FIRST, FileReference, LogEntry};
    use uuid::Uuid;

    fn event(kind: &str, body: Value) -> StoredEvent {
        let at = Utc.timestamp_opt(0, 0).unwrap();
        StoredEvent { user: UserId(Uuid::nil()), number: 7, kind: kind.to_owned(), body, at, category: None }
    }

    #[test]
    fn a_new_order_is_its_id_and_a_status_its_json_or_its_code() {
        let id = Uuid::from_u128(5).to_string();
        let of = |kind, body| SocketMessage::of_event(&event(kind, body)).message;
        assert_eq!(of("NEW_ORDER", json!({ "orderId": id, "notice": "NEW_ORDER" })), id);
        assert_eq!(of("OTC_VOICE", json!({ "orderId": id })), id);
        assert_eq!(of("ORDER_STATUS_CHANGE", json!("37")), "37");
        assert_eq!(of("ORDER_STATUS_CHANGE", json!({ "notice": "ORDER_PAID" })), r#"{"notice":"ORDER_PAID"}"#);
    }

    #[test]
    fn a_message_tells_of_its_files_without_links() {
        let file = FileReference { id: FileId(Uuid::from_u128(3)), sha256: FIRST };
        let content =
            Content::Message { text: String::new(), files: vec![file], warnings: Vec::new(), automatic: false };
        let at = Utc.timestamp_opt(0, 0).unwrap();
        let order = OrderId(Uuid::from_u128(5));
        let entry = LogEntry { order, number: 4, author: None, content, at, hash: FIRST };
        let said = TalkEvent { order_id: order, entry: Some(entry), key: None, marks: None };
        let message = SocketMessage::of_event(&event("TALK", serde_json::to_value(said).unwrap())).message;
        let message: Value = serde_json::from_str(&message).unwrap();
        let expected = json!([{ "id": Uuid::from_u128(3), "sha256": FIRST.to_string(), "file": null }]);
        assert_eq!(message["entry"]["files"], expected);
    }

    #[test]
    fn frames_are_read_or_not_understood() {
        let id = OrderId(Uuid::from_u128(5));
        let read = |kind: &str, message: Value| Request::read(&json!({ "type": kind, "message": message }).to_string());
        assert_eq!(read("ping", json!(1_700_000_000_000_i64)), Ok(Request::Ping("1700000000000".to_owned())));
        assert_eq!(Request::read("ping"), Ok(Request::Ping(String::new())));
        assert_eq!(read("resume", json!("12")), Ok(Request::Resume(12)));
        assert_eq!(read("subOrderAction", json!(id.to_string())), Ok(Request::Subscribe(id)));
        assert_eq!(read("cancelSubAction", json!(id.to_string())), Ok(Request::Unsubscribe(id)));
        for (kind, message) in
            [("resume", json!("-1")), ("resume", json!("x")), ("subOrderAction", json!({})), ("talk", json!(""))]
        {
            assert_eq!(read(kind, message), Err(NotUnderstood), "{kind}");
        }
        assert_eq!(Request::read("{"), Err(NotUnderstood));
    }
}
