//! Which addresses the parts listen on.

use std::io::Read as _;
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream};

use anyhow::Context as _;

/// How far past the preferred port a free one is looked for.
const REACH: u16 = 50;

/// The preferred port, else the next free one after it; with no preference any free one.
pub(crate) fn choose(host: IpAddr, preferred: Option<u16>) -> anyhow::Result<u16> {
    if let Some(first) = preferred {
        let last = first.saturating_add(REACH);
        if let Some(port) = (first..=last).find(|port| is_free(host, *port)) {
            return Ok(port);
        }
    }
    reserve(host).with_context(|| format!("no free port at {host}"))
}

/// Any free port, which the kernel gives to nobody else for a minute: one end of a connection there waits for late packets
/// (`TIME_WAIT`), which keeps the port from everybody but who names it.
fn reserve(host: IpAddr) -> std::io::Result<u16> {
    let listener = TcpListener::bind(SocketAddr::new(host, 0))?;
    let at = listener.local_addr()?;
    let mut client = TcpStream::connect(at)?;
    let (server, _) = listener.accept()?;
    // Whoever closes first is the one who waits.
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
    fn a_taken_port_is_passed_over() {
        let taken = TcpListener::bind(SocketAddr::new(HERE, 0)).unwrap();
        let port = taken.local_addr().unwrap().port();
        assert_ne!(choose(HERE, Some(port)).unwrap(), port);
    }

    /// Without the reservation, one of these draws would take one of those ports: as sure as 1 − 10⁻²⁰.
    #[test]
    fn a_chosen_port_is_given_to_nobody_else_and_can_be_listened_at() {
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
