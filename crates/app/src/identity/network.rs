//! Reduces network addresses to the part that identifies a user's network.

use std::net::{IpAddr, Ipv6Addr};

/// The bits of an IPv6 address that a user can choose freely: providers assign at least a /64.
const OWN_BITS: u128 = 0xffff_ffff_ffff_ffff;

/// Returns the network of an address: an IPv4 address itself, in any notation, or the /64 of an IPv6 address.
///
/// Rate limits, guess counters and replay checks distinguish clients by network.
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
