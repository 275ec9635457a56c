//! `Cidr`: a CIDR block, parsed as the API server does in the older fields.

use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The number of bits before the IPv4 address in an IPv4-mapped address.
const MAPPED_BITS: u8 = 96;

/// A CIDR block: a network address and the length of its prefix.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cidr {
    network: IpAddr,
    prefix: u8,
    /// The prefix length as written; it only differs from `prefix` for IPv4-mapped addresses.
    written_prefix: u8,
}

/// The fault of a block that older API servers accept and Kubernetes 1.36 rejects. Displays as the
/// predicate of "the block ".
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LaxCidr {
    /// `010.0.0.0/8`: programs disagree whether this is octal.
    LeadingZeros,
    /// `::ffff:10.0.0.0/104`.
    MappedAddress,
    /// `10.1.2.3/8`.
    BitsBehindPrefix,
}

impl LaxCidr {
    /// The predicate of "the block ".
    pub const fn describe(self) -> &'static str {
        match self {
            Self::LeadingZeros => "has leading zeros",
            Self::MappedAddress => "is an IPv4 address written as IPv6",
            Self::BitsBehindPrefix => "has bits set after its prefix",
        }
    }
}

impl Cidr {
    /// Parses `10.0.0.0/8` or `fc00::/7`. Numbers with leading zeros are decimal, and bits after
    /// the prefix are dropped, as in every API server.
    pub fn parse(text: &str) -> Option<Self> {
        let (address, prefix) = text.split_once('/')?;
        let address = parse_address(address)?;
        let written_prefix = parse_decimal(prefix)?;
        let is_long = address.is_ipv6();
        if written_prefix > if is_long { 128 } else { 32 } {
            return None;
        }
        let network = mask_address(address, written_prefix);
        // An IPv4-mapped block counts as IPv4 in comparisons.
        let mapped = match network {
            IpAddr::V6(long) if written_prefix >= MAPPED_BITS => long.to_ipv4_mapped(),
            _ => None,
        };
        Some(match mapped {
            Some(short) => Self {
                network: IpAddr::V4(short),
                prefix: written_prefix - MAPPED_BITS,
                written_prefix,
            },
            None => Self { network, prefix: written_prefix, written_prefix },
        })
    }

    /// The fault for newer API servers of a string that [`Cidr::parse`] accepts, and its repair.
    pub fn lax(text: &str) -> Option<(LaxCidr, String)> {
        let block = Self::parse(text)?;
        let (address, prefix) = text.split_once('/')?;
        let lax = match address.parse::<IpAddr>() {
            Err(_) => LaxCidr::LeadingZeros,
            Ok(_) if prefix.len() > 1 && prefix.starts_with('0') => LaxCidr::LeadingZeros,
            Ok(IpAddr::V6(long)) if long.to_ipv4_mapped().is_some() => LaxCidr::MappedAddress,
            Ok(address) if mask_address(address, block.written_prefix) != address => {
                LaxCidr::BitsBehindPrefix
            }
            Ok(_) => return None,
        };
        Some((lax, format!("{}/{}", block.network, block.prefix)))
    }

    /// The canonical form (RFC 5952) of an IPv6 block that is written differently.
    pub fn canonical(text: &str) -> Option<String> {
        let (address, prefix) = text.split_once('/')?;
        Some(format!("{}/{prefix}", canonical_ip_address(address)?))
    }

    /// Whether this is an IPv4 block.
    pub const fn is_ipv4(self) -> bool {
        self.network.is_ipv4()
    }

    /// Whether the block contains all addresses of its family.
    pub const fn is_everything(self) -> bool {
        self.prefix == 0
    }

    /// Whether `address` is in the block.
    pub fn contains_address(self, address: IpAddr) -> bool {
        address.is_ipv4() == self.is_ipv4() && mask_address(address, self.prefix) == self.network
    }

    /// Whether the API server allocates `address` for a Service: the first address of a block is
    /// reserved, and the last one of an IPv4 block.
    pub fn can_allocate(self, address: IpAddr) -> bool {
        let is_last = match address {
            IpAddr::V4(short) => short
                .to_bits()
                .checked_add(1)
                .is_none_or(|next| !self.contains_address(IpAddr::V4(Ipv4Addr::from_bits(next)))),
            IpAddr::V6(_) => false,
        };
        self.contains_address(address) && address != self.network && !is_last
    }

    /// Whether all of `other` is in the block.
    pub fn contains(self, other: Self) -> bool {
        other.prefix >= self.prefix && self.contains_address(other.network)
    }

    /// Whether `other` is valid in `except` of this block: a proper subset. The server compares the
    /// prefix lengths as written.
    pub fn admits_except(self, other: Self) -> bool {
        self.contains_address(other.network) && self.written_prefix < other.written_prefix
    }

    /// Whether both have an address in common.
    pub fn overlaps(self, other: Self) -> bool {
        self.contains(other) || other.contains(self)
    }
}

/// Whether a string is an IP address, as the server parses the older fields.
pub fn is_ip_address(text: &str) -> bool {
    parse_address(text).is_some()
}

/// Parses an IP address as the server does in the older fields: an IPv4-mapped one counts as IPv4.
pub fn parse_ip_address(text: &str) -> Option<IpAddr> {
    Some(parse_address(text)?.to_canonical())
}

/// The fault for newer API servers of a string that [`is_ip_address`] accepts, and its repair.
pub fn lax_ip_address(text: &str) -> Option<(LaxCidr, String)> {
    let address = parse_address(text)?;
    match (text.parse::<IpAddr>(), address) {
        (Err(_), _) => Some((LaxCidr::LeadingZeros, address.to_string())),
        (Ok(_), IpAddr::V6(long)) => {
            long.to_ipv4_mapped().map(|short| (LaxCidr::MappedAddress, short.to_string()))
        }
        (Ok(_), IpAddr::V4(_)) => None,
    }
}

/// The canonical form (RFC 5952) of an IPv6 address that is written differently.
pub fn canonical_ip_address(text: &str) -> Option<String> {
    let address: Ipv6Addr = text.parse().ok()?;
    let canonical = address.to_string();
    (canonical != text).then_some(canonical)
}

/// Parses digits only; leading zeros are allowed, as in the server's parser.
fn parse_decimal(text: &str) -> Option<u8> {
    let digits = text.trim_start_matches('0');
    let is_decimal = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match (is_decimal, digits) {
        (false, _) => None,
        (true, "") => Some(0),
        (true, digits) => digits.parse().ok(),
    }
}

fn parse_address(text: &str) -> Option<IpAddr> {
    parse_ipv4(text).map(IpAddr::V4).or_else(|| parse_ipv6(text).map(IpAddr::V6))
}

fn parse_ipv4(text: &str) -> Option<Ipv4Addr> {
    let mut octets = text.split('.').map(parse_decimal);
    let mut next = || octets.next().flatten();
    let address = Ipv4Addr::new(next()?, next()?, next()?, next()?);
    octets.next().is_none().then_some(address)
}

/// Parses like the standard library, but with leading zeros, which Go allows in each group.
fn parse_ipv6(text: &str) -> Option<Ipv6Addr> {
    let groups: Vec<_> = text
        .split(':')
        .map(|group| match parse_ipv4(group) {
            Some(tail) => tail.to_string(),
            None if group.len() > 4 => format!("{:0>1}", group.trim_start_matches('0')),
            None => group.to_owned(),
        })
        .collect();
    groups.join(":").parse().ok()
}

/// `address` with the bits after `prefix` cleared.
pub fn mask_address(address: IpAddr, prefix: u8) -> IpAddr {
    let keep = |width: u8, all: u128| {
        let free = u32::from(width.saturating_sub(prefix));
        all.checked_shr(free).unwrap_or(0).checked_shl(free).unwrap_or(0)
    };
    match address {
        IpAddr::V4(short) => {
            let bits = keep(32, u128::from(u32::MAX)) & u128::from(short.to_bits());
            IpAddr::V4(Ipv4Addr::from_bits(u32::try_from(bits).unwrap_or(0)))
        }
        IpAddr::V6(long) => IpAddr::V6(Ipv6Addr::from_bits(keep(128, u128::MAX) & long.to_bits())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(text: &str) -> Cidr {
        Cidr::parse(text).unwrap_or_else(|| panic!("{text}"))
    }

    #[test]
    fn reads_addresses_as_the_server_does() {
        for text in [
            "10.0.0.0/8",
            "0.0.0.0/0",
            "10.1.2.3/8",
            "010.0.0.0/08",
            "::/0",
            "fc00::/7",
            "::1/128",
            "::ffff:10.0.0.0/104",
            "00001::/16",
            "1:2:3:4:5:6:1.2.3.4/128",
        ] {
            assert!(Cidr::parse(text).is_some(), "{text}");
        }
        for text in [
            "",
            "10.0.0.0",
            "10.0.0.0/33",
            "10.0.0.0/-1",
            "10.0.0/8",
            "10.0.0.0.0/8",
            "256.0.0.0/8",
            "10.0.0.0/",
            "/8",
            "10.0.0.0/8/8",
            "::/129",
            "10.0.0.0/ 8",
            "fe80::1%eth0/64",
            ":/0",
            "10.0.0.0/8 ",
            "+1.0.0.0/8",
            "12345::/16",
        ] {
            assert!(Cidr::parse(text).is_none(), "{text}");
        }
    }

    #[test]
    fn older_servers_accept_lenient_addresses() {
        for text in ["10.0.0.1", "::1", "FE80::1"] {
            assert!(is_ip_address(text), "{text}");
            assert_eq!(lax_ip_address(text), None, "{text}");
        }
        for text in ["", "10.0.0", "dns", "10.0.0.1/8", "1.2.3.256"] {
            assert!(!is_ip_address(text), "{text}");
        }
        let zeros = Some((LaxCidr::LeadingZeros, "10.0.0.1".to_owned()));
        assert_eq!(lax_ip_address("010.0.0.01"), zeros);
        let mapped = Some((LaxCidr::MappedAddress, "1.2.3.4".to_owned()));
        assert_eq!(lax_ip_address("::ffff:1.2.3.4"), mapped);
    }

    #[test]
    fn detects_addresses_that_the_strict_parser_rejects() {
        let lax = |text: &str| Cidr::lax(text);
        assert_eq!(lax("10.0.0.0/8"), None);
        assert_eq!(lax("fc00::/7"), None);
        assert_eq!(lax("FC00::/7"), None);
        let expected = |lax, repaired: &str| Some((lax, repaired.to_owned()));
        assert_eq!(lax("010.0.0.0/8"), expected(LaxCidr::LeadingZeros, "10.0.0.0/8"));
        assert_eq!(lax("10.0.0.0/08"), expected(LaxCidr::LeadingZeros, "10.0.0.0/8"));
        assert_eq!(lax("10.1.2.3/8"), expected(LaxCidr::BitsBehindPrefix, "10.0.0.0/8"));
        assert_eq!(lax("fd00:1::1/16"), expected(LaxCidr::BitsBehindPrefix, "fd00::/16"));
        let mapped = expected(LaxCidr::MappedAddress, "10.0.0.0/8");
        assert_eq!(lax("::ffff:10.0.0.0/104"), mapped);
    }

    #[test]
    fn addresses_have_one_shortest_form() {
        for (text, canonical) in [
            ("2001:DB8::0001", "2001:db8::1"),
            ("2001:db8:0:0:0:0:0:1", "2001:db8::1"),
            ("1::0:0:2:0:0:0", "1::2:0:0:0"),
        ] {
            assert_eq!(canonical_ip_address(text).as_deref(), Some(canonical));
            assert_eq!(Cidr::canonical(&format!("{text}/64")), Some(format!("{canonical}/64")));
        }
        for text in ["::1", "fe80::", "10.0.0.1", "x"] {
            assert_eq!(canonical_ip_address(text), None, "{text}");
        }
    }

    #[test]
    fn an_exception_is_a_smaller_part() {
        assert!(block("10.0.0.0/8").admits_except(block("10.1.0.0/16")));
        assert!(!block("10.0.0.0/8").admits_except(block("10.0.0.0/8")));
        assert!(!block("10.0.0.0/8").admits_except(block("11.0.0.0/16")));
        assert!(!block("0.0.0.0/0").admits_except(block("fc00::/7")));
        assert!(block("::/0").admits_except(block("fc00::/7")));
    }

    #[test]
    fn blocks_overlap_if_one_contains_the_other() {
        assert!(block("10.0.0.0/8").overlaps(block("10.2.0.0/16")));
        assert!(block("10.2.0.0/16").overlaps(block("0.0.0.0/0")));
        assert!(!block("10.2.0.0/16").overlaps(block("10.3.0.0/16")));
        assert!(!block("::/0").overlaps(block("0.0.0.0/0")));
    }
}
