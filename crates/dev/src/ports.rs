//! Which addresses the parts listen on.

use std::net::{IpAddr, SocketAddr, TcpListener};

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
    let listener = TcpListener::bind(SocketAddr::new(host, 0)).with_context(|| format!("no free port at {host}"))?;
    Ok(listener.local_addr()?.port())
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

    #[test]
    fn without_preference_any_port_does() {
        assert_ne!(choose(HERE, None).unwrap(), 0);
    }
}
