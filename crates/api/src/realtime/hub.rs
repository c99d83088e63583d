//! The open websockets of this process, and the reader of outbox events for them.

use std::collections::{HashMap, HashSet};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use app::Context;
use app::realtime::{StoredEvent, Tail};
use domain::ids::{OrderId, SessionId, UserId};
use serde_json::Value;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use super::queue::{Delivery, Queue};
use super::socket::End;
use crate::extract::Who;

/// The settings of the hub.
#[derive(Debug, Clone)]
pub struct HubSettings {
    /// The interval at which new events are read while sockets are open.
    pub poll: Duration,
    /// The same while no socket is open.
    pub idle_poll: Duration,
    /// The maximum number of messages in the queue of a client. A client that exceeds it is disconnected.
    pub queue: usize,
    /// The time that a client may take to receive a message.
    pub send_time_out: Duration,
    /// The time that a client may be silent. Clients ping every 10 seconds.
    pub idle: Duration,
    /// The interval at which sessions are checked, and so the maximum time that a socket outlives its session.
    pub recheck: Duration,
    /// The time to wait for a client's `resume` before sending it new events.
    pub resume_wait: Duration,
    /// The maximum number of sockets per user in this process. A further socket replaces the oldest.
    pub per_person: usize,
    /// The maximum number of sockets per network address in this process. Further sockets are refused.
    pub per_address: usize,
    /// Trusted origins besides the requested host, such as `https://app.example`.
    pub origins: Vec<String>,
}

impl Default for HubSettings {
    fn default() -> Self {
        Self {
            poll: Duration::from_millis(25),
            idle_poll: Duration::from_millis(500),
            queue: 64,
            send_time_out: Duration::from_secs(10),
            idle: Duration::from_secs(45),
            recheck: Duration::from_secs(1),
            resume_wait: Duration::from_secs(1),
            per_person: 20,
            // Many users may share an address.
            per_address: 200,
            origins: Vec::new(),
        }
    }
}

/// The pause after a database error.
const RETRY_PAUSE: Duration = Duration::from_secs(1);
/// The maximum number of orders to which a socket can subscribe.
const MAX_ORDERS: usize = 32;

/// The reason why a socket must close, if it must.
#[derive(Debug, Clone, Default)]
pub(super) struct Fate {
    decided: CancellationToken,
    end: Arc<OnceLock<End>>,
}

impl Fate {
    fn decide(&self, end: End) {
        // Keep the first reason.
        let _ = self.end.set(end);
        self.decided.cancel();
    }

    pub(super) async fn decided(&self) -> End {
        self.decided.cancelled().await;
        self.end.get().copied().unwrap_or(End::Dropped)
    }
}

struct Entry {
    user: UserId,
    session: SessionId,
    orders: HashSet<OrderId>,
    queue: Arc<Queue>,
    fate: Fate,
}

#[derive(Default)]
struct Registry {
    next: u64,
    entries: HashMap<u64, Entry>,
    by_user: HashMap<UserId, Vec<u64>>,
    by_order: HashMap<OrderId, Vec<u64>>,
}

fn forget<K: std::hash::Hash + Eq>(index: &mut HashMap<K, Vec<u64>>, key: &K, id: u64) {
    if let Some(ids) = index.get_mut(key) {
        ids.retain(|one| *one != id);
        if ids.is_empty() {
            index.remove(key);
        }
    }
}

impl Registry {
    fn remove(&mut self, id: u64) {
        let Some(entry) = self.entries.remove(&id) else { return };
        forget(&mut self.by_user, &entry.user, id);
        for order in &entry.orders {
            forget(&mut self.by_order, order, id);
        }
    }

    /// Adds an entry to the queue of a socket. If the queue is full, the client is too slow: the socket is closed, and
    /// the client requests the missed events when it reconnects.
    fn deliver(&mut self, id: u64, delivery: Delivery) {
        let Some(entry) = self.entries.get(&id) else { return };
        if entry.queue.add(delivery).is_err() {
            metrics::counter!("mec2c_websocket_dropped_total").increment(1);
            entry.fate.decide(End::Dropped);
            self.remove(id);
        }
    }

    /// Adds an event to the queues of its user and of those who are subscribed to its order.
    fn dispatch(&mut self, event: StoredEvent) {
        let order = event.body.get("orderId").and_then(Value::as_str).and_then(|id| id.parse::<OrderId>().ok());
        let told = self.by_user.get(&event.user).cloned().unwrap_or_default();
        let event = Arc::new(event);
        for id in &told {
            self.deliver(*id, Delivery::Event(Arc::clone(&event)));
        }
        let Some(order) = order else { return };
        let watching = self.by_order.get(&order).cloned().unwrap_or_default();
        for id in watching.into_iter().filter(|id| !told.contains(id)) {
            self.deliver(id, Delivery::Order(order));
        }
    }
}

/// A slot among the sockets of a network address. Dropping it frees the slot.
pub(super) struct Admission {
    hub: Arc<Hub>,
    address: IpAddr,
}

impl Drop for Admission {
    fn drop(&mut self) {
        let mut addresses = self.hub.addresses();
        if let Some(open) = addresses.get_mut(&self.address) {
            *open = open.saturating_sub(1);
            if *open == 0 {
                addresses.remove(&self.address);
            }
        }
    }
}

/// The open websockets of this process.
pub struct Hub {
    pub(super) context: Context,
    pub(super) settings: HubSettings,
    pub(super) stopped: CancellationToken,
    registry: Mutex<Registry>,
    addresses: Mutex<HashMap<IpAddr, usize>>,
    emptied: Notify,
    opened: Notify,
}

/// The registration of a socket in the hub. Dropping it removes the socket.
pub(super) struct Place {
    hub: Arc<Hub>,
    id: u64,
    pub(super) queue: Arc<Queue>,
    /// Whether the socket must close.
    pub(super) fate: Fate,
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut registry = self.hub.registry();
        registry.remove(self.id);
        self.hub.counted(&registry);
    }
}

impl Place {
    /// Subscribes to an order. Returns `false` if the socket has too many subscriptions.
    pub(super) fn subscribe(&self, order: OrderId) -> bool {
        let mut registry = self.hub.registry();
        let Some(entry) = registry.entries.get_mut(&self.id) else { return false };
        if entry.orders.len() >= MAX_ORDERS && !entry.orders.contains(&order) {
            return false;
        }
        if entry.orders.insert(order) {
            registry.by_order.entry(order).or_default().push(self.id);
        }
        true
    }

    pub(super) fn unsubscribe(&self, order: OrderId) {
        let mut registry = self.hub.registry();
        if let Some(entry) = registry.entries.get_mut(&self.id) {
            entry.orders.remove(&order);
        }
        forget(&mut registry.by_order, &order, self.id);
    }
}

impl Hub {
    /// Returns the trusted origins besides the requested host.
    pub(crate) fn trusted_origins(&self) -> &[String] {
        &self.settings.origins
    }

    /// Creates a hub. It sends nothing until [`Hub::run`] is called.
    pub fn new(context: Context, settings: HubSettings) -> Self {
        Self {
            context,
            settings,
            stopped: CancellationToken::new(),
            registry: Mutex::default(),
            addresses: Mutex::default(),
            emptied: Notify::new(),
            opened: Notify::new(),
        }
    }

    fn registry(&self) -> MutexGuard<'_, Registry> {
        self.registry.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn counted(&self, registry: &Registry) {
        metrics::gauge!("mec2c_websocket_connections").set(u32::try_from(registry.entries.len()).unwrap_or(u32::MAX));
        if registry.entries.is_empty() {
            self.emptied.notify_waiters();
        }
    }

    /// Returns the number of open sockets.
    pub fn open(&self) -> usize {
        self.registry().entries.len()
    }

    fn addresses(&self) -> MutexGuard<'_, HashMap<IpAddr, usize>> {
        self.addresses.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reserves a slot for a socket of a network address, unless the address has too many.
    pub(super) fn admit(self: &Arc<Self>, address: IpAddr) -> Option<Admission> {
        let mut addresses = self.addresses();
        let open = addresses.get(&address).copied().unwrap_or_default();
        if open >= self.settings.per_address {
            return None;
        }
        addresses.insert(address, open.saturating_add(1));
        Some(Admission { hub: Arc::clone(self), address })
    }

    pub(super) fn register(self: &Arc<Self>, Who { user, session }: Who) -> Place {
        let queue = Arc::new(Queue::new(self.settings.queue.max(1)));
        let fate = Fate::default();
        let mut registry = self.registry();
        let id = registry.next;
        registry.next = registry.next.wrapping_add(1);
        let entry = Entry { user, session, orders: HashSet::new(), queue: Arc::clone(&queue), fate: fate.clone() };
        registry.entries.insert(id, entry);
        let mine = registry.by_user.entry(user).or_default();
        mine.push(id);
        let oldest = (mine.len() > self.settings.per_person).then(|| mine.first().copied()).flatten();
        if let Some(oldest) = oldest {
            if let Some(entry) = registry.entries.get(&oldest) {
                entry.fate.decide(End::Replaced);
            }
            registry.remove(oldest);
        }
        self.counted(&registry);
        drop(registry);
        self.opened.notify_one();
        Place { hub: Arc::clone(self), id, queue, fate }
    }

    /// Reads events and delivers them, and closes sockets whose session has ended, until [`Hub::stop`]. After a
    /// database error it tries again, so no event is lost.
    pub async fn run(&self) {
        tokio::join!(self.tell(), self.look_after_sessions());
    }

    /// Checks the sessions of all sockets with a single query.
    async fn look_after_sessions(&self) {
        while self.stopped.run_until_cancelled(tokio::time::sleep(self.settings.recheck)).await.is_some() {
            let sessions: HashSet<_> = self.registry().entries.values().map(|entry| entry.session).collect();
            if sessions.is_empty() {
                continue;
            }
            let sessions: Vec<_> = sessions.into_iter().collect();
            match app::identity::ended_sessions(&self.context, &sessions).await {
                Ok(ended) => self.end_sessions(&ended),
                // Sessions are checked again at the next interval.
                Err(error) => tracing::warn!(%error, "cannot check sessions"),
            }
        }
    }

    fn end_sessions(&self, ended: &[SessionId]) {
        let mut registry = self.registry();
        let over = |(_, entry): &(&u64, &Entry)| ended.contains(&entry.session);
        let ids: Vec<_> = registry.entries.iter().filter(over).map(|(id, _)| *id).collect();
        for id in ids {
            if let Some(entry) = registry.entries.get(&id) {
                entry.fate.decide(End::SessionEnded);
            }
            registry.remove(id);
        }
    }

    async fn tell(&self) {
        let mut tail = None;
        let mut wait = Duration::ZERO;
        while self.stopped.run_until_cancelled(self.pause(wait)).await.is_some() {
            wait = match self.read(&mut tail).await {
                Ok(0) if self.open() == 0 => self.settings.idle_poll,
                Ok(0) => self.settings.poll,
                Ok(_) => Duration::ZERO,
                Err(error) => {
                    tracing::warn!(%error, "cannot read events");
                    RETRY_PAUSE
                }
            };
        }
    }

    /// Waits before the next read. The first socket ends the wait.
    async fn pause(&self, wait: Duration) {
        // Even the shortest sleep takes a millisecond.
        if wait.is_zero() {
            return;
        }
        tokio::select! {
            () = tokio::time::sleep(wait) => {}
            () = self.opened.notified(), if wait > self.settings.poll && wait < RETRY_PAUSE => {}
        }
    }

    async fn read(&self, tail: &mut Option<Tail>) -> app::Result<usize> {
        let Some(tail) = tail else {
            *tail = Some(Tail::begin(&self.context).await?);
            // Open sockets may have missed events before the reader started.
            let mut registry = self.registry();
            let ids: Vec<_> = registry.entries.keys().copied().collect();
            for id in ids {
                registry.deliver(id, Delivery::CatchUp);
            }
            return Ok(0);
        };
        let events = tail.next().await?;
        let count = events.len();
        let mut registry = self.registry();
        for event in events {
            registry.dispatch(event);
        }
        Ok(count)
    }

    /// Stops the reader and closes every socket. Clients are told that the server is going away, and reconnect.
    pub fn stop(&self) {
        self.stopped.cancel();
    }

    /// Waits until the last socket is closed.
    pub async fn drained(&self) {
        loop {
            let emptied = self.emptied.notified();
            tokio::pin!(emptied);
            emptied.as_mut().enable();
            if self.open() == 0 {
                return;
            }
            emptied.await;
        }
    }
}
