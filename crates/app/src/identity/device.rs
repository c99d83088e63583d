//! The device from which a request comes.

use std::net::IpAddr;

use super::network::network_of;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Device {
    /// The `User-Agent` header.
    pub agent: String,
    pub address: String,
    /// The user's language, such as `en_US`; empty if unknown.
    pub language: String,
}

impl Device {
    /// Creates a device. Truncates the user agent to 200 characters.
    pub fn new(agent: &str, address: &str, language: &str) -> Self {
        let cut = |text: &str| text.chars().filter(|c| !c.is_control()).take(200).collect();
        Self { agent: cut(agent), address: cut(address), language: language.to_owned() }
    }

    /// Returns the network of the address; empty if the address is unknown.
    pub(crate) fn network(&self) -> String {
        self.address.parse::<IpAddr>().map(|address| network_of(address).to_string()).unwrap_or_default()
    }
}
