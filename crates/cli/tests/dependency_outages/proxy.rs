//! A proxy that simulates outages of a dependency.

use std::net::{Ipv4Addr, SocketAddr};

use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::JoinSet;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// Forwards new connections to this address.
    To(SocketAddr),
    /// Forwards everything.
    Open,
    /// Refuses new connections and closes existing ones.
    Shut,
    /// Accepts connections and forwards nothing.
    Silent,
}

pub struct Proxy {
    pub port: u16,
    changes: mpsc::Sender<(Way, oneshot::Sender<()>)>,
}

impl Proxy {
    /// Creates an open proxy to a dependency.
    pub async fn to(part: SocketAddr) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let (changes, wishes) = mpsc::channel(1);
        tokio::spawn(run(listener, port, part, wishes));
        Self { port, changes }
    }

    pub async fn open(&self) {
        self.change(Way::Open).await;
    }

    /// Forwards to another dependency from now on, and closes existing connections.
    pub async fn lead(&self, part: SocketAddr) {
        self.change(Way::To(part)).await;
    }

    pub async fn shut(&self) {
        self.change(Way::Shut).await;
    }

    pub async fn silence(&self) {
        self.change(Way::Silent).await;
    }

    async fn change(&self, way: Way) {
        let (done, is_done) = oneshot::channel();
        self.changes.send((way, done)).await.unwrap();
        is_done.await.unwrap();
    }
}

async fn run(
    listener: TcpListener,
    port: u16,
    mut part: SocketAddr,
    mut wishes: mpsc::Receiver<(Way, oneshot::Sender<()>)>,
) {
    let mut listener = Some(listener);
    let (quiet, _) = watch::channel(false);
    let mut connections = JoinSet::new();
    loop {
        let accepted = async {
            match &listener {
                Some(listener) => listener.accept().await.unwrap().0,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            stream = accepted => {
                connections.spawn(carry(stream, part, quiet.subscribe()));
            }
            wish = wishes.recv() => {
                let Some((way, done)) = wish else { return };
                if way != Way::Silent {
                    connections.shutdown().await;
                }
                quiet.send_replace(way == Way::Silent);
                if let Way::To(other) = way {
                    part = other;
                }
                match way {
                    Way::Shut => listener = None,
                    Way::To(_) | Way::Open | Way::Silent if listener.is_none() => {
                        listener = Some(TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await.unwrap());
                    }
                    Way::To(_) | Way::Open | Way::Silent => {}
                }
                done.send(()).unwrap();
            }
        }
    }
}

/// Copies bytes both ways until one side closes. While the proxy is silent, holds both connections and their bytes.
async fn carry(mut stream: TcpStream, part: SocketAddr, mut quiet: watch::Receiver<bool>) {
    let carrying = async {
        if let Ok(mut behind) = TcpStream::connect(part).await {
            // Closed connections are expected.
            let _ = tokio::io::copy_bidirectional(&mut stream, &mut behind).await;
        }
    };
    let silence = async { quiet.wait_for(|quiet| *quiet).await.map(drop) };
    tokio::select! {
        biased;
        _ = silence => {}
        () = carrying => return,
    }
    // Hold the connections until the mode changes.
    std::future::pending::<()>().await;
}
