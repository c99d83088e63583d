//! The connection between a process and PostgreSQL, which can be cut or held at a chosen request.
//!
//! A proxy counts the requests of all its connections: simple queries, and the ends of extended ones. A process that
//! loses its connection before a request has not executed it; one that loses it afterwards does not know. Together with
//! what follows from each, that covers what a killed process leaves behind in the database.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// What happens at the request that a fault waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The connection is lost before PostgreSQL sees the request.
    CutBefore,
    /// PostgreSQL executes the request, and its response is lost.
    CutAfter,
    /// The request waits until [`Wire::release`].
    Hold,
}

#[derive(Default)]
struct State {
    /// The fault, and the number of requests before it.
    armed: Option<(Fault, u32)>,
    /// Whether the fault has happened since it was armed.
    happened: bool,
}

struct Shared {
    state: Mutex<State>,
    /// Whether a request is held.
    held: watch::Sender<bool>,
    /// The ports of the connections to PostgreSQL.
    connections: Mutex<BTreeSet<u16>>,
    /// Connections that were opened before the newest generation are closed.
    generation: watch::Sender<u64>,
}

#[derive(Clone)]
pub(crate) struct Wire {
    shared: Arc<Shared>,
    port: u16,
}

/// A connection that ends, for whatever reason.
struct Closed;

impl From<std::io::Error> for Closed {
    fn from(_: std::io::Error) -> Self {
        Self
    }
}

impl Wire {
    /// Opens a proxy to the server at `host:port`.
    pub(crate) async fn open(server: String) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let port = listener.local_addr().expect("an address").port();
        let shared = Arc::new(Shared {
            state: Mutex::default(),
            held: watch::Sender::new(false),
            connections: Mutex::default(),
            generation: watch::Sender::new(0),
        });
        let accepting = Arc::clone(&shared);
        tokio::spawn(async move {
            // Ends with the runtime.
            while let Ok((client, _)) = listener.accept().await {
                let (shared, server) = (Arc::clone(&accepting), server.clone());
                tokio::spawn(async move {
                    if let Ok(database) = TcpStream::connect(server).await {
                        let port = database.local_addr().expect("an address").port();
                        shared.connections.lock().expect("no panic while counting").insert(port);
                        let _closed = shared.carry(client, database).await;
                        shared.connections.lock().expect("no panic while counting").remove(&port);
                    }
                });
            }
        });
        Self { shared, port }
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// Arms a fault after `requests` more requests.
    pub(crate) fn arm(&self, fault: Fault, requests: u32) {
        *self.shared.lock() = State { armed: Some((fault, requests)), happened: false };
    }

    /// Disarms the fault and releases what it holds. Returns whether it has happened.
    pub(crate) fn disarm(&self) -> bool {
        self.release();
        let mut state = self.shared.lock();
        state.armed = None;
        std::mem::take(&mut state.happened)
    }

    /// The ports from which PostgreSQL is connected.
    pub(crate) fn connections(&self) -> Vec<i32> {
        self.shared.connections.lock().expect("no panic while counting").iter().map(|port| i32::from(*port)).collect()
    }

    /// Closes all connections.
    pub(crate) fn cut(&self) {
        self.shared.generation.send_modify(|generation| *generation += 1);
    }

    /// Waits until a request is held.
    pub(crate) async fn held(&self) {
        // The sender lives as long as the wire.
        drop(self.shared.held.subscribe().wait_for(|held| *held).await);
    }

    /// Lets the held request continue.
    pub(crate) fn release(&self) {
        self.shared.held.send_replace(false);
    }
}

impl Shared {
    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().expect("no panic while counting")
    }

    /// Counts a request. Returns the fault that happens at it.
    fn count(&self) -> Option<Fault> {
        let mut state = self.lock();
        let (fault, left) = state.armed?;
        if left > 0 {
            state.armed = Some((fault, left - 1));
            return None;
        }
        *state = State { armed: None, happened: true };
        Some(fault)
    }

    async fn carry(&self, mut client: TcpStream, mut database: TcpStream) -> Result<(), Closed> {
        client.set_nodelay(true)?;
        database.set_nodelay(true)?;
        let mut generation = self.generation.subscribe();
        greet(&mut client, &mut database).await?;
        let (mut from_client, mut to_client) = client.split();
        let (mut from_database, mut to_database) = database.split();
        let (mut requests, mut responses) = (Messages::default(), [0; 16_384]);
        loop {
            tokio::select! {
                biased;
                _ = generation.changed() => return Err(Closed),
                read = from_database.read(&mut responses) => {
                    let length = read?;
                    if length == 0 {
                        return Err(Closed);
                    }
                    to_client.write_all(&responses[..length]).await?;
                }
                read = requests.read(&mut from_client) => {
                    read?;
                    while let Some((kind, message)) = requests.next() {
                        match if matches!(kind, b'Q' | b'S') { self.count() } else { None } {
                            None => to_database.write_all(&message).await?,
                            Some(Fault::CutBefore) => return Err(Closed),
                            Some(Fault::Hold) => {
                                self.held.send_replace(true);
                                drop(self.held.subscribe().wait_for(|held| !held).await);
                                to_database.write_all(&message).await?;
                            }
                            Some(Fault::CutAfter) => {
                                to_database.write_all(&message).await?;
                                let mut answer = Messages::default();
                                loop {
                                    answer.read(&mut from_database).await?;
                                    while let Some((kind, _)) = answer.next() {
                                        if kind == b'Z' {
                                            return Err(Closed);
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Passes on the first message of the client, which has no type. Encryption is not offered: the proxy could not count.
async fn greet(client: &mut TcpStream, database: &mut TcpStream) -> Result<(), Closed> {
    const ENCRYPTION: u32 = 80_877_103;
    loop {
        let length = client.read_u32().await?;
        let mut rest = vec![0; usize::try_from(length).map_err(|_| Closed)?.checked_sub(4).ok_or(Closed)?];
        client.read_exact(&mut rest).await?;
        if rest.len() == 4 && rest == ENCRYPTION.to_be_bytes() {
            client.write_all(b"N").await?;
            continue;
        }
        database.write_u32(length).await?;
        database.write_all(&rest).await?;
        return Ok(());
    }
}

/// Splits a stream into messages: a type, a length that includes itself, and a body.
#[derive(Default)]
struct Messages(Vec<u8>);

impl Messages {
    async fn read(&mut self, from: &mut (impl AsyncReadExt + Unpin)) -> Result<(), Closed> {
        if from.read_buf(&mut self.0).await? == 0 { Err(Closed) } else { Ok(()) }
    }

    fn next(&mut self) -> Option<(u8, Vec<u8>)> {
        let length: [u8; 4] = self.0.get(1..5)?.try_into().ok()?;
        let end = usize::try_from(u32::from_be_bytes(length)).ok()?.checked_add(1)?;
        let message: Vec<u8> = self.0.get(..end)?.to_vec();
        self.0.drain(..end);
        Some((*message.first()?, message))
    }
}
