//! Chooses the ports of the processes.

use std::io::Read as _;
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream};

use anyhow::Context as _;

/// The number of ports to try after the preferred port.
const REACH: u16 = 50;

/// Returns the preferred port or the next free one after it. Without a preference, returns any free port.
pub(crate) fn choose(host: IpAddr, preferred: Option<u16>) -> anyhow::Result<u16> {
    if let Some(first) = preferred {
        let last = first.saturating_add(REACH);
        if let Some(port) = (first..=last).find(|port| is_free(host, *port)) {
            return Ok(port);
        }
    }
    reserve(host).with_context(|| format!("no free port on {host}"))
}

/// Returns a free port that the kernel assigns to no other process for a minute. A closed connection on the port is
/// left in `TIME_WAIT`, which keeps the kernel from choosing it but lets a process bind to it explicitly.
fn reserve(host: IpAddr) -> std::io::Result<u16> {
    let listener = TcpListener::bind(SocketAddr::new(host, 0))?;
    let at = listener.local_addr()?;
    let mut client = TcpStream::connect(at)?;
    let (server, _) = listener.accept()?;
    // The side that closes first enters `TIME_WAIT`.
    drop(server);
    let _ = client.read(&mut [0])?;
    Ok(at.port())
}

fn is_free(host: IpAddr, port: u16) -> bool {
    TcpListener::bind(SocketAddr::new(host, port)).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);

    #[test]
    fn a_taken_port_is_skipped() {
        let taken = TcpListener::bind(SocketAddr::new(HERE, 0)).unwrap();
        let port = taken.local_addr().unwrap().port();
        assert_ne!(choose(HERE, Some(port)).unwrap(), port);
    }

    /// Without the reservation, this test would fail with a probability of 1 − 10⁻²⁰.
    #[test]
    fn a_chosen_port_stays_reserved_and_can_be_bound() {
        let chosen: std::collections::BTreeSet<_> = (0..200).map(|_| choose(HERE, None).unwrap()).collect();
        assert_eq!(chosen.len(), 200);
        for _ in 0..3_000 {
            let drawn = TcpListener::bind(SocketAddr::new(HERE, 0)).unwrap().local_addr().unwrap().port();
            assert!(!chosen.contains(&drawn), "{drawn}");
        }
        for port in chosen {
            assert!(TcpListener::bind(SocketAddr::new(HERE, port)).is_ok(), "{port}");
        }
    }
}
