//! The open sockets of this node, and the reader of events that serves them.

use std::collections::{HashMap, HashSet};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use app::Context;
use app::realtime::{StoredEvent, Tail};
use domain::ids::{OrderId, SessionId, UserId};
use serde_json::Value;
use tokio::sync::{Notify, mpsc};
use tokio_util::sync::CancellationToken;

use super::socket::End;
use crate::extract::Who;

/// How the sockets of a node behave.
#[derive(Debug, Clone)]
pub struct Settings {
    /// How long to wait before looking for new events again.
    pub poll: Duration,
    /// How many messages may wait for a client that is slow to take them; one that is slower loses its socket.
    pub queue: usize,
    /// How long a client may take to accept one message.
    pub send_time_out: Duration,
    /// How long a client may be silent. Clients ping every 10 seconds.
    pub idle: Duration,
    /// How often to look which sessions have ended: a socket outlives its session by no more than that.
    pub recheck: Duration,
    /// How long to wait for a client's `resume` before telling it what is new.
    pub resume_wait: Duration,
    /// How many sockets one person may have on a node; another one takes the place of the oldest.
    pub per_person: usize,
    /// How many sockets one network address may have on a node; another one is refused.
    pub per_address: usize,
    /// Origins of pages of ours besides the one that the API itself is asked at, such as `https://app.example`.
    pub origins: Vec<String>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            poll: Duration::from_millis(25),
            queue: 64,
            send_time_out: Duration::from_secs(10),
            idle: Duration::from_secs(45),
            recheck: Duration::from_secs(1),
            resume_wait: Duration::from_secs(1),
            per_person: 20,
            // Many people may share an address.
            per_address: 200,
            origins: Vec::new(),
        }
    }
}

/// After an error of the database.
const BREATH: Duration = Duration::from_secs(1);
/// The most orders that one socket may subscribe to.
const MOST_ORDERS: usize = 32;

/// What waits for a socket.
#[derive(Debug, Clone)]
pub(super) enum Delivery {
    /// Something that the person is told.
    Event(Arc<StoredEvent>),
    /// Something has happened to an order that was subscribed to.
    Order(OrderId),
    /// The reader has only begun: look what was missed.
    CatchUp,
}

/// Whether a socket must end, and why.
#[derive(Debug, Clone, Default)]
pub(super) struct Fate {
    decided: CancellationToken,
    end: Arc<OnceLock<End>>,
}

impl Fate {
    fn decide(&self, end: End) {
        // The first reason counts.
        let _ = self.end.set(end);
        self.decided.cancel();
    }

    /// Waits until the socket must end.
    pub(super) async fn decided(&self) -> End {
        self.decided.cancelled().await;
        self.end.get().copied().unwrap_or(End::Dropped)
    }
}

struct Entry {
    user: UserId,
    session: SessionId,
    orders: HashSet<OrderId>,
    queue: mpsc::Sender<Delivery>,
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

    /// Puts something into a queue. One that is full belongs to somebody too slow: the socket is dropped, and its client
    /// asks again for what it missed.
    fn deliver(&mut self, id: u64, delivery: Delivery) {
        let Some(entry) = self.entries.get(&id) else { return };
        if entry.queue.try_send(delivery).is_err() {
            metrics::counter!("mec2c_websocket_dropped_total").increment(1);
            entry.fate.decide(End::Dropped);
            self.remove(id);
        }
    }
}

/// A place among the sockets of a network address; it is free again when this is dropped.
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

/// The open sockets of this node.
pub struct Hub {
    pub(super) context: Context,
    pub(super) settings: Settings,
    pub(super) stopped: CancellationToken,
    registry: Mutex<Registry>,
    addresses: Mutex<HashMap<IpAddr, usize>>,
    emptied: Notify,
}

/// A socket's place in the hub; it ends when this is dropped.
pub(super) struct Place {
    hub: Arc<Hub>,
    id: u64,
    pub(super) queue: mpsc::Receiver<Delivery>,
    /// Decided when the socket must end.
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
    /// Begins to tell of an order. Says whether there was room.
    pub(super) fn subscribe(&self, order: OrderId) -> bool {
        let mut registry = self.hub.registry();
        let Some(entry) = registry.entries.get_mut(&self.id) else { return false };
        if entry.orders.len() >= MOST_ORDERS && !entry.orders.contains(&order) {
            return false;
        }
        if entry.orders.insert(order) {
            registry.by_order.entry(order).or_default().push(self.id);
        }
        true
    }

    /// Tells of an order no longer.
    pub(super) fn unsubscribe(&self, order: OrderId) {
        let mut registry = self.hub.registry();
        if let Some(entry) = registry.entries.get_mut(&self.id) {
            entry.orders.remove(&order);
        }
        forget(&mut registry.by_order, &order, self.id);
    }
}

impl Hub {
    /// A hub without sockets. Nothing is told before [`Hub::run`].
    pub fn new(context: Context, settings: Settings) -> Self {
        Self {
            context,
            settings,
            stopped: CancellationToken::new(),
            registry: Mutex::default(),
            addresses: Mutex::default(),
            emptied: Notify::new(),
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

    /// How many sockets are open.
    pub fn open(&self) -> usize {
        self.registry().entries.len()
    }

    fn addresses(&self) -> MutexGuard<'_, HashMap<IpAddr, usize>> {
        self.addresses.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A place for one more socket of a network address, unless it has all that it may have.
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
        let (sender, queue) = mpsc::channel(self.settings.queue.max(1));
        let fate = Fate::default();
        let mut registry = self.registry();
        let id = registry.next;
        registry.next = registry.next.wrapping_add(1);
        let entry = Entry { user, session, orders: HashSet::new(), queue: sender, fate: fate.clone() };
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
        Place { hub: Arc::clone(self), id, queue, fate }
    }

    /// Reads events and hands them to the sockets, and ends the sockets of sessions that have ended, until [`Hub::stop`].
    /// A database that does not answer is asked again: nothing is lost by it.
    pub async fn run(&self) {
        tokio::join!(self.tell(), self.look_after_sessions());
    }

    /// One question for all sockets, and not one for each.
    async fn look_after_sessions(&self) {
        while self.stopped.run_until_cancelled(tokio::time::sleep(self.settings.recheck)).await.is_some() {
            let sessions: HashSet<_> = self.registry().entries.values().map(|entry| entry.session).collect();
            if sessions.is_empty() {
                continue;
            }
            let sessions: Vec<_> = sessions.into_iter().collect();
            match app::identity::ended_sessions(&self.context, &sessions).await {
                Ok(ended) => self.end_sessions(&ended),
                // The database rests; the sessions are looked at again.
                Err(error) => tracing::warn!(%error, "sessions cannot be looked at"),
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
        while self.stopped.run_until_cancelled(tokio::time::sleep(wait)).await.is_some() {
            wait = match self.read(&mut tail).await {
                Ok(0) => self.settings.poll,
                Ok(_) => Duration::ZERO,
                Err(error) => {
                    tracing::warn!(%error, "events cannot be read");
                    BREATH
                }
            };
        }
    }

    async fn read(&self, tail: &mut Option<Tail>) -> app::Result<usize> {
        let Some(tail) = tail else {
            *tail = Some(Tail::begin(&self.context).await?);
            // Sockets that were open before may have missed what came in between.
            let mut registry = self.registry();
            let ids: Vec<_> = registry.entries.keys().copied().collect();
            for id in ids {
                registry.deliver(id, Delivery::CatchUp);
            }
            return Ok(0);
        };
        let events = tail.next().await?;
        let count = events.len();
        for event in events {
            self.dispatch(event);
        }
        Ok(count)
    }

    fn dispatch(&self, event: StoredEvent) {
        let mut registry = self.registry();
        let order = event.body.get("orderId").and_then(Value::as_str).and_then(|id| id.parse::<OrderId>().ok());
        let told = registry.by_user.get(&event.user).cloned().unwrap_or_default();
        let event = Arc::new(event);
        for id in &told {
            registry.deliver(*id, Delivery::Event(Arc::clone(&event)));
        }
        let Some(order) = order else { return };
        let watching = registry.by_order.get(&order).cloned().unwrap_or_default();
        for id in watching.into_iter().filter(|id| !told.contains(id)) {
            registry.deliver(id, Delivery::Order(order));
        }
    }

    /// Ends the reader and every socket: clients are told that the node goes away, and connect to another.
    pub fn stop(&self) {
        self.stopped.cancel();
    }

    /// Waits until the last socket has ended.
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
