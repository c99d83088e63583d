//! A proxy in front of a part, so that the part can be gone without being touched.

use std::net::{Ipv4Addr, SocketAddr};

use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::JoinSet;

/// How the way to the part is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// Everything passes, to the part that it leads to from now on.
    To(SocketAddr),
    /// Everything passes.
    Open,
    /// Nobody listens, and whoever was connected is cut off.
    Shut,
    /// Whoever connects or is connected hears nothing.
    Silent,
}

pub struct Proxy {
    pub port: u16,
    changes: mpsc::Sender<(Way, oneshot::Sender<()>)>,
}

impl Proxy {
    /// A way to a part, open.
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

    /// Leads to another part from now on; whoever was connected is cut off.
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

/// Carries bytes both ways until one side ends, or holds both sides and their bytes from the moment of silence on.
async fn carry(mut stream: TcpStream, part: SocketAddr, mut quiet: watch::Receiver<bool>) {
    let carrying = async {
        if let Ok(mut behind) = TcpStream::connect(part).await {
            // A side that is cut off is nothing that a proxy reports.
            let _ = tokio::io::copy_bidirectional(&mut stream, &mut behind).await;
        }
    };
    let silence = async { quiet.wait_for(|quiet| *quiet).await.map(drop) };
    tokio::select! {
        biased;
        _ = silence => {}
        () = carrying => return,
    }
    // Held, with whatever still comes, until the way changes.
    std::future::pending::<()>().await;
}
