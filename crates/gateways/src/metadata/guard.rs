//! The only way to the servers of strangers.
//!
//! A name is resolved once per connection, all of its addresses are checked, and the connection goes to these addresses. The names
//! of redirects are resolved and checked in the same way. HTTP clients do not resolve numeric addresses, so those are refused.

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use domain::nfts::MetadataFault;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::{Certificate, Client, Response, StatusCode, header, redirect};
use url::{Host, Url};

use super::address::is_public;

/// The maximum number of redirects that are followed.
const MAX_REDIRECTS: usize = 3;
const USER_AGENT: &str = "MEC2C-NFT-metadata/1";

/// What the guard uses of the network. Checks do not depend on it.
pub(super) struct Network {
    pub(super) names: Arc<dyn Resolve>,
    /// Where connections to an address go instead, after the address was checked. Tests have servers on loopback for public
    /// addresses.
    pub(super) detours: HashMap<IpAddr, SocketAddr>,
    /// The only authorities whose certificates are accepted; empty for those of the machine.
    pub(super) authorities: Vec<Certificate>,
}

impl Network {
    pub(super) fn internet() -> Self {
        Self { names: Arc::new(SystemNames), detours: HashMap::new(), authorities: Vec::new() }
    }
}

/// Time limits.
#[derive(Debug, Clone, Copy)]
pub(super) struct Patience {
    /// For a connection to one server.
    pub(super) connect: Duration,
    /// For a document, redirects included.
    pub(super) total: Duration,
}

#[derive(Debug)]
pub(super) struct Guard {
    client: Client,
    total: Duration,
}

impl Guard {
    pub(super) fn new(network: Network, patience: Patience) -> reqwest::Result<Self> {
        let Network { names, detours, authorities } = network;
        let mut builder = Client::builder()
            .dns_resolver(CheckedNames { names, detours: Arc::new(detours) })
            .redirect(redirect::Policy::none())
            .connect_timeout(patience.connect)
            // A connection that is used again would skip the check of its name.
            .pool_max_idle_per_host(0)
            .https_only(true)
            .http1_only()
            .no_proxy()
            .referer(false)
            .user_agent(USER_AGENT)
            // A body that is unpacked could be much larger than the one that was sent.
            .no_gzip()
            .no_brotli()
            .no_deflate()
            .no_zstd();
        if !authorities.is_empty() {
            builder = builder.tls_certs_only(authorities);
        }
        Ok(Self { client: builder.build()?, total: patience.total })
    }

    /// Fetches a document of at most `max_bytes`.
    pub(super) async fn get(&self, url: Url, max_bytes: usize) -> Result<Vec<u8>, MetadataFault> {
        tokio::time::timeout(self.total, self.follow(url, max_bytes)).await.unwrap_or(Err(MetadataFault::TooSlow))
    }

    async fn follow(&self, mut url: Url, max_bytes: usize) -> Result<Vec<u8>, MetadataFault> {
        for _ in 0..=MAX_REDIRECTS {
            check(&url)?;
            let response = self.client.get(url.clone()).send().await.map_err(|error| fault(&error))?;
            match response.status() {
                StatusCode::OK => return body(response, max_bytes).await,
                status if status.is_redirection() => url = target(&url, &response)?,
                _ => return Err(MetadataFault::Unreachable),
            }
        }
        Err(MetadataFault::TooManyRedirects)
    }
}

/// Refuses a URL unless it has the scheme https, its port, and the name of a server.
pub(super) fn check(url: &Url) -> Result<(), MetadataFault> {
    if url.scheme() != "https" {
        return Err(MetadataFault::UnsupportedScheme);
    }
    // `port` is `None` if it is the scheme's. The parser has recognized all spellings of addresses, such as 0x7f.1.
    match url.host() {
        Some(Host::Domain(_)) if url.port().is_none() && url.username().is_empty() && url.password().is_none() => {
            Ok(())
        }
        Some(Host::Ipv4(_) | Host::Ipv6(_)) => Err(MetadataFault::NumericAddress),
        _ => Err(MetadataFault::InvalidUri),
    }
}

fn target(from: &Url, response: &Response) -> Result<Url, MetadataFault> {
    let target = response.headers().get(header::LOCATION).ok_or(MetadataFault::Unreachable)?;
    let target = target.to_str().map_err(|_| MetadataFault::InvalidUri)?;
    from.join(target).map_err(|_| MetadataFault::InvalidUri)
}

/// Reads a body and stops where it is too large. The header may state any length.
async fn body(mut response: Response, max_bytes: usize) -> Result<Vec<u8>, MetadataFault> {
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| fault(&error))? {
        if bytes.len().saturating_add(chunk.len()) > max_bytes {
            return Err(MetadataFault::TooLarge);
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

fn fault(error: &reqwest::Error) -> MetadataFault {
    let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(error) = cause {
        if error.is::<NotPublic>() {
            return MetadataFault::PrivateAddress;
        }
        cause = error.source();
    }
    if error.is_timeout() { MetadataFault::TooSlow } else { MetadataFault::Unreachable }
}

#[derive(Debug)]
struct NotPublic;

impl std::fmt::Display for NotPublic {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the address is not public")
    }
}

impl std::error::Error for NotPublic {}

/// Resolves a name and returns its addresses only if all of them are public.
struct CheckedNames {
    names: Arc<dyn Resolve>,
    detours: Arc<HashMap<IpAddr, SocketAddr>>,
}

impl Resolve for CheckedNames {
    fn resolve(&self, name: Name) -> Resolving {
        let (names, detours) = (Arc::clone(&self.names), Arc::clone(&self.detours));
        Box::pin(async move {
            let addresses: Vec<IpAddr> = names.resolve(name).await?.map(|found| found.ip()).collect();
            if !addresses.iter().copied().all(is_public) {
                return Err(NotPublic.into());
            }
            // Port 0 stands for the port of the URL.
            let reached = move |ip| detours.get(&ip).copied().unwrap_or_else(|| SocketAddr::new(ip, 0));
            let reached: Addrs = Box::new(addresses.into_iter().map(reached));
            Ok(reached)
        })
    }
}

/// The resolver of the machine.
struct SystemNames;

impl Resolve for SystemNames {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            let found: Vec<_> = tokio::net::lookup_host((name.as_str(), 0)).await?.collect();
            let found: Addrs = Box::new(found.into_iter());
            Ok(found)
        })
    }
}
