//! Groups concurrent requests of one kind into sets, so that a statement or a commit serves many of them.
//!
//! A set contains whatever arrived while the previous set ran. There are no timers: a request that is alone runs at once,
//! and the more requests wait, the larger the sets become.

use std::pin::Pin;
use std::sync::{Arc, OnceLock};

use tokio::sync::{mpsc, oneshot};

use crate::{Error, Result};

/// The maximum number of requests in a set.
pub(crate) const LARGEST_SET: usize = 256;
/// The number of requests that may wait. Further ones wait for a place in the queue.
const QUEUE: usize = 4 * LARGEST_SET;

type Work<R> = Pin<Box<dyn Future<Output = Vec<R>> + Send>>;
type Waiting<T, R> = (T, oneshot::Sender<R>);

/// A queue of requests that are executed in sets, one set at a time.
pub(crate) struct Batch<T, R> {
    execute: Arc<dyn Fn(Vec<T>) -> Work<R> + Send + Sync>,
    queue: OnceLock<mpsc::Sender<Waiting<T, R>>>,
}

impl<T: Send + 'static, R: Send + 'static> Batch<T, R> {
    /// `execute` must return a result for each request, in the same order.
    pub(crate) fn new<F: Future<Output = Vec<R>> + Send + 'static>(
        execute: impl Fn(Vec<T>) -> F + Send + Sync + 'static,
    ) -> Self {
        Self { execute: Arc::new(move |set| Box::pin(execute(set))), queue: OnceLock::new() }
    }

    /// Executes a request as part of the next set. Dropping the future does not stop a request that is already in the
    /// queue.
    pub(crate) async fn run(&self, request: T) -> Result<R> {
        let (reply, result) = oneshot::channel();
        let lost = |_| Error::Internal("a set ended without replies".to_owned());
        let queue = self.queue.get_or_init(|| self.start());
        queue.send((request, reply)).await.map_err(|_| Error::Internal("a queue has stopped".to_owned()))?;
        result.await.map_err(lost)
    }

    /// Starts the task that executes the sets. It ends when the queue is dropped.
    fn start(&self) -> mpsc::Sender<Waiting<T, R>> {
        let (queue, mut waiting) = mpsc::channel::<Waiting<T, R>>(QUEUE);
        let execute = Arc::clone(&self.execute);
        tokio::spawn(async move {
            let mut set = Vec::new();
            while waiting.recv_many(&mut set, LARGEST_SET).await > 0 {
                let (requests, replies): (Vec<_>, Vec<_>) = set.drain(..).unzip();
                // In a task of its own, so that a panic ends only this set.
                match tokio::spawn(execute(requests)).await {
                    Ok(results) => {
                        for (reply, result) in replies.into_iter().zip(results) {
                            // The requester may have gone away.
                            drop(reply.send(result));
                        }
                    }
                    Err(error) => tracing::error!(%error, "a set failed"),
                }
            }
        });
        queue
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use tokio::sync::Semaphore;

    use super::*;

    #[tokio::test]
    async fn a_set_contains_what_waited_while_the_previous_one_ran() {
        let sizes = Arc::new(Mutex::new(Vec::new()));
        let gate = Arc::new(Semaphore::new(0));
        let (seen, open) = (Arc::clone(&sizes), Arc::clone(&gate));
        let batch = Arc::new(Batch::new(move |set: Vec<usize>| {
            let (seen, open) = (Arc::clone(&seen), Arc::clone(&open));
            async move {
                seen.lock().unwrap().push(set.len());
                open.acquire().await.unwrap().forget();
                set.into_iter().map(|number| number * 2).collect()
            }
        }));
        let first = tokio::spawn({
            let batch = Arc::clone(&batch);
            async move { batch.run(0).await.unwrap() }
        });
        while sizes.lock().unwrap().is_empty() {
            tokio::task::yield_now().await;
        }
        let others: Vec<_> = (1..=LARGEST_SET + 44)
            .map(|number| {
                let batch = Arc::clone(&batch);
                tokio::spawn(async move { batch.run(number).await.unwrap() })
            })
            .collect();
        tokio::task::yield_now().await;
        gate.add_permits(3);
        assert_eq!(first.await.unwrap(), 0);
        for (number, other) in (1..).zip(others) {
            assert_eq!(other.await.unwrap(), number * 2);
        }
        assert_eq!(*sizes.lock().unwrap(), [1, LARGEST_SET, 44]);
    }

    #[tokio::test]
    async fn a_panic_fails_only_its_own_set() {
        let batch = Batch::new(|set: Vec<u8>| async move {
            assert!(!set.contains(&13), "unlucky");
            set
        });
        assert!(batch.run(13).await.is_err());
        assert_eq!(batch.run(1).await.unwrap(), 1);
    }
}
