//! The queue of a socket. It is taken as a whole, so that it needs memory only while something is in it.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use app::realtime::StoredEvent;
use domain::ids::OrderId;
use tokio::sync::Notify;

/// An entry in the queue of a socket.
#[derive(Debug, Clone)]
pub(super) enum Delivery {
    /// An event of the user.
    Event(Arc<StoredEvent>),
    /// A change of an order to which the socket is subscribed.
    Order(OrderId),
    /// A request to check for missed events, because the reader has just started.
    CatchUp,
}

#[derive(Debug)]
pub(super) struct Queue {
    most: usize,
    entries: Mutex<VecDeque<Delivery>>,
    filled: Notify,
}

/// The queue has its maximum length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Full;

impl Queue {
    pub(super) fn new(most: usize) -> Self {
        Self { most, entries: Mutex::default(), filled: Notify::new() }
    }

    pub(super) fn add(&self, delivery: Delivery) -> Result<(), Full> {
        let mut entries = self.entries();
        if entries.len() >= self.most {
            return Err(Full);
        }
        entries.push_back(delivery);
        drop(entries);
        self.filled.notify_one();
        Ok(())
    }

    /// Waits until something is in the queue, and takes everything.
    pub(super) async fn take(&self) -> VecDeque<Delivery> {
        loop {
            let entries = std::mem::take(&mut *self.entries());
            if !entries.is_empty() {
                return entries;
            }
            self.filled.notified().await;
        }
    }

    fn entries(&self) -> MutexGuard<'_, VecDeque<Delivery>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn everything_is_taken_in_order_and_a_full_queue_takes_no_more() {
        let queue = Arc::new(Queue::new(2));
        let taken = tokio::spawn({
            let queue = Arc::clone(&queue);
            async move { queue.take().await }
        });
        queue.add(Delivery::CatchUp).unwrap();
        assert!(matches!(taken.await.unwrap().make_contiguous(), [Delivery::CatchUp]));
        let order = OrderId(uuid::Uuid::nil());
        queue.add(Delivery::Order(order)).unwrap();
        queue.add(Delivery::CatchUp).unwrap();
        assert_eq!(queue.add(Delivery::CatchUp), Err(Full));
        assert!(matches!(queue.take().await.make_contiguous(), [Delivery::Order(_), Delivery::CatchUp]));
        queue.add(Delivery::CatchUp).unwrap();
    }
}
