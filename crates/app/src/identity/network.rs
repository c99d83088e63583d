//! Network addresses, as far as they tell one person from another.

use std::net::{IpAddr, Ipv6Addr};

/// The bits of an IPv6 address that one person may choose freely: whoever has IPv6 has at least a /64.
const OWN_BITS: u128 = 0xffff_ffff_ffff_ffff;

/// The network of an address: an IPv4 address is its own network, however it is written; an IPv6 address stands for its /64.
///
/// Rate limits, counters of guesses and replays all count by this.
pub fn network_of(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(v6) => IpAddr::V6(Ipv6Addr::from_bits(v6.to_bits() & !OWN_BITS)),
        v4 @ IpAddr::V4(_) => v4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ipv6_address_stands_for_its_64() {
        for (address, network) in [
            ("203.0.113.9", "203.0.113.9"),
            ("::ffff:203.0.113.9", "203.0.113.9"),
            ("2001:db8:0:7:1:2:3:4", "2001:db8:0:7::"),
            ("2001:db8:0:8::", "2001:db8:0:8::"),
        ] {
            assert_eq!(network_of(address.parse().unwrap()).to_string(), network);
        }
    }
}
