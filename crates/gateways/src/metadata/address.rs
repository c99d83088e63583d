//! Which addresses are public.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::{Ipv4Net, Ipv6Net};

const fn v4(a: u8, b: u8, c: u8, d: u8, prefix: u8) -> Ipv4Net {
    Ipv4Net::new_assert(Ipv4Addr::new(a, b, c, d), prefix)
}

const fn v6(first: u16, second: u16, third: u16, prefix: u8) -> Ipv6Net {
    Ipv6Net::new_assert(Ipv6Addr::new(first, second, third, 0, 0, 0, 0, 0), prefix)
}

/// Networks that are not public, or whose packets end somewhere else: the IPv4 Special-Purpose Address Registry of IANA, and
/// multicast. <https://www.iana.org/assignments/iana-ipv4-special-registry>
const SPECIAL_V4: [Ipv4Net; 17] = [
    // This network (RFC 791). Linux connects it to the machine itself.
    v4(0, 0, 0, 0, 8),
    // Private use (RFC 1918).
    v4(10, 0, 0, 0, 8),
    v4(172, 16, 0, 0, 12),
    v4(192, 168, 0, 0, 16),
    // Shared by the customers of a provider (RFC 6598).
    v4(100, 64, 0, 0, 10),
    // Loopback (RFC 1122).
    v4(127, 0, 0, 0, 8),
    // Link-local (RFC 3927), with the metadata services of clouds.
    v4(169, 254, 0, 0, 16),
    // Protocol assignments (RFC 6890).
    v4(192, 0, 0, 0, 24),
    // Documentation (RFC 5737).
    v4(192, 0, 2, 0, 24),
    v4(198, 51, 100, 0, 24),
    v4(203, 0, 113, 0, 24),
    // AS112 (RFC 7534, RFC 7535): answered by the nearest such server, often the own provider's.
    v4(192, 31, 196, 0, 24),
    v4(192, 175, 48, 0, 24),
    // AMT (RFC 7450) and relays of 6to4 (RFC 7526).
    v4(192, 52, 193, 0, 24),
    v4(192, 88, 99, 0, 24),
    // Benchmarks (RFC 2544).
    v4(198, 18, 0, 0, 15),
    // Multicast (RFC 5771), reserved (RFC 1112) and broadcast (RFC 8190).
    v4(224, 0, 0, 0, 3),
];

/// The only IPv6 addresses that IANA has assigned as public. <https://www.iana.org/assignments/ipv6-address-space>
///
/// Outside are loopback, addresses that contain an IPv4 address (mapped, compatible, NAT64), unique local, link-local, site-local
/// and multicast addresses.
const GLOBAL_UNICAST: Ipv6Net = v6(0x2000, 0, 0, 3);

/// Networks in [`GLOBAL_UNICAST`] that are not public, or whose packets end somewhere else: the IPv6 Special-Purpose Address
/// Registry of IANA. <https://www.iana.org/assignments/iana-ipv6-special-registry>
const SPECIAL_V6: [Ipv6Net; 5] = [
    // Protocol assignments (RFC 2928), among them Teredo, benchmarks and ORCHID.
    v6(0x2001, 0, 0, 23),
    // Documentation (RFC 3849, RFC 9637).
    v6(0x2001, 0xdb8, 0, 32),
    v6(0x3fff, 0, 0, 20),
    // 6to4 (RFC 3056), which contains an IPv4 address.
    v6(0x2002, 0, 0, 16),
    // AS112 (RFC 7534).
    v6(0x2620, 0x4f, 0x8000, 48),
];

/// Returns whether an address belongs to the public Internet.
pub(super) fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => !SPECIAL_V4.iter().any(|special| special.contains(&address)),
        IpAddr::V6(address) => {
            GLOBAL_UNICAST.contains(&address) && !SPECIAL_V6.iter().any(|special| special.contains(&address))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn public(address: &str) -> bool {
        is_public(address.parse().unwrap())
    }

    #[test]
    fn the_first_and_last_address_of_each_special_network_is_refused() {
        for (first, last) in [
            ("0.0.0.0", "0.255.255.255"),
            ("10.0.0.0", "10.255.255.255"),
            ("100.64.0.0", "100.127.255.255"),
            ("127.0.0.0", "127.255.255.255"),
            ("169.254.0.0", "169.254.255.255"),
            ("172.16.0.0", "172.31.255.255"),
            ("192.0.0.0", "192.0.0.255"),
            ("192.0.2.0", "192.0.2.255"),
            ("192.88.99.0", "192.88.99.255"),
            ("192.168.0.0", "192.168.255.255"),
            ("198.18.0.0", "198.19.255.255"),
            ("198.51.100.0", "198.51.100.255"),
            ("203.0.113.0", "203.0.113.255"),
            ("224.0.0.0", "255.255.255.255"),
            // Unspecified, loopback, compatible, mapped and translated addresses, and everything else before 2000::.
            ("::", "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
            ("2001::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff"),
            ("2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff"),
            ("2002::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
            ("3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff"),
            // Segment routing, unique local, link-local, site-local and multicast addresses.
            ("4000::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
        ] {
            assert!(!public(first) && !public(last), "{first} – {last}");
        }
        for address in [
            "::1",
            "::127.0.0.1",
            "::8.8.8.8",
            "::ffff:127.0.0.1",
            "::ffff:8.8.8.8",
            "::ffff:0:8.8.8.8",
            "64:ff9b::8.8.8.8",
            "64:ff9b:1::8.8.8.8",
            "100::1",
            "2001:0:4136:e378:8000:63bf:3fff:fdd2",
            "2002:808:808::1",
            "5f00::1",
            "fc00::1",
            "fd00:ec2::254",
            "fe80::1",
            "fec0::1",
            "ff02::1",
        ] {
            assert!(!public(address), "{address}");
        }
    }

    #[test]
    fn the_neighbors_of_special_networks_are_public() {
        for address in [
            "1.0.0.0",
            "9.255.255.255",
            "11.0.0.0",
            "100.63.255.255",
            "100.128.0.0",
            "126.255.255.255",
            "128.0.0.0",
            "169.253.255.255",
            "169.255.0.0",
            "172.15.255.255",
            "172.32.0.0",
            "192.0.1.0",
            "192.167.255.255",
            "192.169.0.0",
            "198.17.255.255",
            "198.20.0.0",
            "203.0.112.255",
            "203.0.114.0",
            "223.255.255.255",
            "2001:200::",
            "2001:db7:ffff::1",
            "2001:db9::1",
            "2003::1",
            "2606:4700:4700::1111",
            "3fff:1000::1",
        ] {
            assert!(public(address), "{address}");
        }
    }
}
