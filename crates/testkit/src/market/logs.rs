//! Checks the logs of orders.

use std::collections::BTreeSet;

use domain::ids::OrderId;
use domain::order_log::{Content, Head, LogEntry, terms_hash, verify};
use domain::orders::Order;
use store::Tx;

use super::Market;

impl Market {
    /// Returns the whole log of an order.
    pub async fn log(&self, order: OrderId) -> Vec<LogEntry> {
        let mut tx = self.database.store.begin().await.expect("a transaction");
        store::order_log::after(&mut tx, order, 0, i64::MAX).await.expect("a log")
    }
}

/// Describes the faults of an order's log: missing or changed entries, a wrong head, and versions of the order that it does
/// not record.
pub async fn log_faults(tx: &mut Tx, order: &Order) -> Vec<String> {
    let entries = store::order_log::after(tx, order.id, 0, i64::MAX).await.expect("a log");
    let stored = store::order_log::lock_heads(tx, &[order.id]).await.expect("a head").pop().map(|(_, head)| head);
    let mut faults = Vec::new();
    match verify(Head::default(), &entries) {
        Err(broken) => faults.push(broken.to_string()),
        Ok(head) if Some(head) != stored => faults.push(format!("the head is {stored:?} instead of {head:?}")),
        Ok(_) => {}
    }
    let mut recorded = BTreeSet::new();
    let mut last = None;
    for entry in &entries {
        if let Content::System { state, version, terms, .. } = &entry.content {
            if *version == 1 && entry.number == 1 && *terms != Some(terms_hash(order.id, &order.terms)) {
                faults.push("the log does not begin with the hash of the terms".to_owned());
            }
            recorded.insert(*version);
            if last.is_some_and(|(_, before)| before > *version) {
                faults.push(format!("version {version} is recorded too late"));
            }
            last = Some((state.clone(), *version));
        }
    }
    if last != Some((order.state.into_str().to_owned(), order.version)) {
        faults.push(format!("the last transition is {last:?}, the order is {}", order.state.into_str()));
    }
    let versions: BTreeSet<_> = (1..=order.version).collect();
    if recorded != versions {
        faults.push(format!("the versions {recorded:?} of {} are recorded", order.version));
    }
    faults.into_iter().map(|fault| format!("the log of order {}: {fault}", order.id)).collect()
}
