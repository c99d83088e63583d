//! From where somebody asks.

use std::net::IpAddr;

use super::network::network_of;

/// A browser and its network address.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Device {
    /// As the browser calls itself.
    pub agent: String,
    /// The network address.
    pub address: String,
    /// The language that its person reads, as `en_US`; empty if it is not known.
    pub language: String,
}

impl Device {
    /// A device; a name longer than 200 characters is cut.
    pub fn new(agent: &str, address: &str, language: &str) -> Self {
        let cut = |text: &str| text.chars().filter(|c| !c.is_control()).take(200).collect();
        Self { agent: cut(agent), address: cut(address), language: language.to_owned() }
    }

    /// The network of its address; empty if the address is not known.
    pub(super) fn network(&self) -> String {
        self.address.parse::<IpAddr>().map(|address| network_of(address).to_string()).unwrap_or_default()
    }
}
