//! Officers find cases by what users and colleagues name: an ID, a transaction, or a party.

use std::cmp::Reverse;

use domain::chain::TxHash;
use serde_json::json;
use store::console::audit::{self, Entry, Subject};
use store::console::search;
use uuid::Uuid;

use super::QueueRow;
use crate::Result;
use crate::console::{Acting, Console, checked_query, masked};

/// The number of appeals that a search shows.
const MAX_RESULTS: usize = 20;
/// The number of appeals from which they are chosen: open ones come first.
const MAX_CANDIDATES: i64 = 200;

impl Console {
    /// Returns the appeals with this ID, order ID or advert ID, about an order that a transaction concerns, or of a party with
    /// this ME ID or with this text in the nickname. Open ones come first, then the newest. As in the queue, personal data is
    /// not shown.
    pub async fn search_appeals(&self, acting: &Acting, query: &str) -> Result<Vec<QueueRow>> {
        let query = checked_query(query)?;
        let (mut tx, now) = self.context.begin().await?;
        let mut logged = query.to_owned();
        let ids = if let Ok(id) = query.parse::<Uuid>() {
            search::appeals_by_id(&mut tx, id, MAX_CANDIDATES).await?
        } else if let Some(hash) = hash_of(query) {
            search::appeals_by_transaction(&mut tx, hash, MAX_CANDIDATES).await?
        } else if let Some(user) = search::user_by_me_id(&mut tx, query).await? {
            logged = masked(query);
            search::appeals_of(&mut tx, &[user], MAX_CANDIDATES).await?
        } else if query.chars().count() >= search::SHORTEST_PART {
            let users = search::parties_by_part(&mut tx, query, MAX_CANDIDATES).await?;
            search::appeals_of(&mut tx, &users, MAX_CANDIDATES).await?
        } else {
            Vec::new()
        };
        let details = json!({ "query": logged });
        let entry = Entry { action: "search_appeals", subject: Subject::Platform, details, reason: None };
        audit::record(&mut tx, &acting.viewing(), entry, now).await?;
        let mut rows = self.complete_rows(&mut tx, &ids, acting.officer, now).await?;
        rows.sort_by_key(|row| (row.appeal.status.ended_at().is_some(), Reverse(row.appeal.filed_at)));
        rows.truncate(MAX_RESULTS);
        tx.commit().await?;
        Ok(rows)
    }
}

/// Returns the hash that a text is, with or without its prefix.
fn hash_of(query: &str) -> Option<TxHash> {
    query.parse().or_else(|_| format!("0x{query}").parse()).ok()
}
