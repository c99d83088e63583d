//! Responses to the calls that clients repeat every few seconds, and to public calls about the market. Each is kept as
//! text and sent again for as long as nothing that it shows has changed, without a statement. Only `serverTime` is
//! filled in.

use std::convert::Infallible;
use std::sync::Arc;

use app::market::Range;
use app::{Context, Lasting, Stamp};
use axum::body::Bytes;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use domain::clock::Timestamp;
use domain::ids::UserId;
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use serde::Serialize;
use tokio::sync::Mutex;

use crate::envelope::{ApiError, body_of};
use crate::language::{Language, spoken};

/// The maximum size of all kept responses, in bytes.
const MAX_BYTES: u64 = 256 * 1024 * 1024;
/// The maximum number of public responses that are computed only once at a time.
const MAX_TURNS: usize = 1_000;
/// The memory that a kept response needs in addition to its text, in bytes.
const OVERHEAD_BYTES: u64 = 400;
/// The expected number of kept responses, which only affects how they are divided.
const EXPECTED_RESPONSES: usize = 100_000;
/// The field that is filled in. In a JSON text, these bytes occur only as a field's name and the beginning of its value, because
/// the quotes in strings are escaped.
const SERVER_TIME: &[u8] = br#""serverTime":""#;

/// A call whose responses are kept, with everything that the response depends on besides the data.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Poll {
    Account(UserId),
    Balance(UserId),
    OpenOrders {
        user: UserId,
        page: u32,
        size: u32,
    },
    /// The statistics of a pair, by the codes of its assets.
    Statistics {
        base: String,
        quote: String,
    },
    /// What NFTs cost, by the code of the asset in which they are paid.
    NftAverage {
        quote: String,
    },
    /// The price history of a pair, by the codes of its assets.
    Prices {
        base: String,
        quote: String,
        range: Range,
    },
}

impl Poll {
    /// Returns whether the response is the same for all visitors, many of whom may ask for it at once.
    fn is_public(&self) -> bool {
        matches!(self, Self::Statistics { .. } | Self::NftAverage { .. } | Self::Prices { .. })
    }
}

/// What a response is kept for: a call, and the language of its message.
type Key = (Poll, Language);

/// A kept response.
#[derive(Debug)]
struct Kept {
    read_after: Stamp,
    lasting: Lasting,
    text: Text,
}

/// Weighs a kept response by its memory.
#[derive(Clone)]
struct ByMemory;

impl Weighter<Key, Arc<Kept>> for ByMemory {
    fn weight(&self, _: &Key, kept: &Arc<Kept>) -> u64 {
        kept.text.length().saturating_add(OVERHEAD_BYTES)
    }
}

/// The kept responses of this process.
pub struct Polls {
    context: Context,
    kept: Cache<Key, Arc<Kept>, ByMemory>,
    /// Held while a public response is computed.
    turns: Cache<Key, Arc<Mutex<()>>>,
}

impl Polls {
    pub fn new(context: Context) -> Self {
        let kept = Cache::with_weighter(EXPECTED_RESPONSES, MAX_BYTES, ByMemory);
        Self { context, kept, turns: Cache::new(MAX_TURNS) }
    }

    /// Returns the kept response if it is up to date, or else computes it. `compute` returns the `data` of the response and how
    /// long it stays the same; `None` if it changes constantly. A public response is computed once for all who wait for it.
    pub(crate) async fn answer<T: Serialize>(
        &self,
        poll: Poll,
        compute: impl AsyncFnOnce() -> Result<(T, Option<Lasting>), ApiError>,
    ) -> Result<Response, ApiError> {
        let key = (poll, spoken());
        if let Some(response) = self.up_to_date(&key).await? {
            return Ok(response);
        }
        if !key.0.is_public() {
            return self.compute(key, compute).await;
        }
        let Ok(turn) = self.turns.get_or_insert_with(&key, || Ok::<_, Infallible>(Arc::default()));
        if let Ok(_turn) = turn.try_lock() {
            return self.compute(key, compute).await;
        }
        // Another request computes the response. If it fails, those that wait for it do not try one after the other.
        drop(turn.lock().await);
        match self.up_to_date(&key).await? {
            Some(response) => Ok(response),
            None => self.compute(key, compute).await,
        }
    }

    /// Returns the kept response if it is up to date.
    async fn up_to_date(&self, key: &Key) -> Result<Option<Response>, ApiError> {
        let Some(kept) = self.kept.get(key) else { return Ok(None) };
        let now = self.context.now().await?;
        if !self.context.lasts(kept.read_after, &kept.lasting, now) {
            return Ok(None);
        }
        metrics::counter!("mec2c_polls_total", "answer" => "kept").increment(1);
        Ok(Some(response(kept.text.at(now)?)))
    }

    /// Computes the response and keeps it.
    async fn compute<T: Serialize>(
        &self,
        key: Key,
        compute: impl AsyncFnOnce() -> Result<(T, Option<Lasting>), ApiError>,
    ) -> Result<Response, ApiError> {
        metrics::counter!("mec2c_polls_total", "answer" => "computed").increment(1);
        let read_after = self.context.stamp();
        let (data, lasting) = compute().await?;
        let body = body_of(data)?;
        if let Some(lasting) = lasting {
            let kept = Kept { read_after, lasting, text: Text::new(&body) };
            self.kept.insert(key, Arc::new(kept));
        }
        Ok(response(body))
    }
}

fn response(body: Vec<u8>) -> Response {
    let json = HeaderValue::from_static("application/json");
    ([(header::CONTENT_TYPE, json)], Bytes::from(body)).into_response()
}

/// A JSON text without the values of `serverTime`, which belong between the parts.
#[derive(Debug)]
struct Text(Box<[Box<[u8]>]>);

impl Text {
    fn new(json: &[u8]) -> Self {
        let mut parts = Vec::new();
        let mut rest = json;
        while let Some(found) = rest.windows(SERVER_TIME.len()).position(|bytes| bytes == SERVER_TIME) {
            let (before, value) = rest.split_at(found.saturating_add(SERVER_TIME.len()).saturating_sub(1));
            parts.push(before.into());
            let end =
                value.iter().skip(1).position(|byte| *byte == b'"').map_or(value.len(), |end| end.saturating_add(2));
            rest = value.split_at(end.min(value.len())).1;
        }
        parts.push(rest.into());
        Self(parts.into())
    }

    /// Returns the length without the times, in bytes.
    fn length(&self) -> u64 {
        self.0.iter().map(|part| u64::try_from(part.len()).unwrap_or(u64::MAX)).fold(0, u64::saturating_add)
    }

    /// Returns the text with the time filled in.
    fn at(&self, now: Timestamp) -> Result<Vec<u8>, ApiError> {
        let now = serde_json::to_vec(&now).map_err(|error| ApiError::internal(&error))?;
        Ok(self.0.join(now.as_slice()))
    }
}

#[cfg(test)]
mod tests {
    use chrono::{TimeZone, Utc};
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn the_time_is_filled_in_wherever_it_was() {
        let earlier = Utc.timestamp_micros(1_700_000_000_123_456).unwrap();
        let later = Utc.timestamp_micros(1_700_000_005_000_000).unwrap();
        let of = |now: Timestamp| {
            let trap = r#""serverTime":"2020-01-01T00:00:00Z""#;
            json!({"records": [{"serverTime": now, "name": trap}, {trap: 1, "serverTime": now}], "none": []})
        };
        let text = Text::new(of(earlier).to_string().as_bytes());
        let filled: Value = serde_json::from_slice(&text.at(later).unwrap()).unwrap();
        assert_eq!(filled, of(later));
        assert_eq!(text.at(earlier).unwrap(), of(earlier).to_string().into_bytes());
        assert_eq!(Text::new(b"[]").at(later).unwrap(), b"[]");
    }
}
