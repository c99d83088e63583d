//! From where somebody logs in, for the list in which they recognise their sessions.

/// A browser and its network address.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Device {
    /// As the browser calls itself.
    pub agent: String,
    /// The network address.
    pub address: String,
}

impl Device {
    /// A device; a name longer than 200 characters is cut.
    pub fn new(agent: &str, address: &str) -> Self {
        let cut = |text: &str| text.chars().filter(|c| !c.is_control()).take(200).collect();
        Self { agent: cut(agent), address: cut(address) }
    }
}
