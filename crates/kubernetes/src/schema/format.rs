//! String formats that the API server enforces in custom resources.

mod digits;
mod places;

use core::net::IpAddr;
use std::fmt;

use crate::scalar::{
    Cidr, KubernetesVersion, Url, check_dns_label, check_dns_subdomain, digit_groups,
    is_ip_address, is_usual_time, parse_date,
};

/// A string format that the API server enforces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// RFC 3339 with seconds, letters in either case.
    DateTime,
    /// A date.
    Date,
    /// Base64.
    Byte,
    /// A duration.
    Duration,
    /// A UUID of any version.
    Uuid,
    /// A UUID of version 3.
    Uuid3,
    /// A UUID of version 4.
    Uuid4,
    /// A UUID of version 5.
    Uuid5,
    /// An IPv4 address.
    Ipv4,
    /// An IPv6 address.
    Ipv6,
    /// A CIDR block.
    Cidr,
    /// A MAC address.
    Mac,
    /// A host name.
    Hostname,
    /// An absolute URI or an absolute path.
    Uri,
    /// An email address.
    Email,
    /// An ISBN of ten or thirteen digits.
    Isbn,
    /// An ISBN of ten digits.
    Isbn10,
    /// An ISBN of thirteen digits.
    Isbn13,
    /// A credit card number.
    CreditCard,
    /// A social security number of the United States.
    SocialSecurityNumber,
    /// A color in hexadecimal digits.
    HexColor,
    /// A color as `rgb(...)`.
    RgbColor,
    /// An identifier of `MongoDB`.
    ObjectId,
    /// A DNS label.
    ShortName,
    /// A DNS subdomain.
    LongName,
}

/// Each format with its name and an example.
const FORMATS: &[(Format, &str, &str)] = &[
    (Format::DateTime, "date-time", "2026-12-31T18:00:00Z"),
    (Format::Date, "date", "2026-12-31"),
    (Format::Byte, "byte", "aGVsbG8="),
    (Format::Duration, "duration", "1h30m"),
    (Format::Uuid, "uuid", "123e4567-e89b-12d3-a456-426614174000"),
    (Format::Uuid3, "uuid3", "123e4567-e89b-32d3-a456-426614174000"),
    (Format::Uuid4, "uuid4", "123e4567-e89b-42d3-a456-426614174000"),
    (Format::Uuid5, "uuid5", "123e4567-e89b-52d3-a456-426614174000"),
    (Format::Ipv4, "ipv4", "10.0.0.1"),
    (Format::Ipv6, "ipv6", "fd00::1"),
    (Format::Cidr, "cidr", "10.0.0.0/8"),
    (Format::Mac, "mac", "01:23:45:67:89:ab"),
    (Format::Hostname, "hostname", "www.example.com"),
    (Format::Uri, "uri", "https://example.com/a"),
    (Format::Email, "email", "me@example.com"),
    (Format::Isbn, "isbn", "978-0321751041"),
    (Format::Isbn10, "isbn10", "0321751043"),
    (Format::Isbn13, "isbn13", "978-0321751041"),
    (Format::CreditCard, "creditcard", "4111111111111111"),
    (Format::SocialSecurityNumber, "ssn", "123-45-6789"),
    (Format::HexColor, "hexcolor", "#ff8800"),
    (Format::RgbColor, "rgbcolor", "rgb(255,136,0)"),
    (Format::ObjectId, "bsonobjectid", "507f1f77bcf86cd799439011"),
    (Format::ShortName, "k8s-short-name", "my-name"),
    (Format::LongName, "k8s-long-name", "my-name.example.com"),
];

impl Format {
    /// The format called `name`. Dashes are ignored; an unknown format is ignored.
    pub fn named(name: &str) -> Option<Self> {
        let without_dashes = |name: &str| name.replace('-', "");
        let is_named = |other: &str| without_dashes(other) == without_dashes(name);
        FORMATS.iter().find(|(_, other, _)| is_named(other)).map(|(format, ..)| *format)
    }

    /// Whether an API server of this version knows the format (apiextensions-apiserver,
    /// `supportedVersionedFormats`).
    pub(super) fn is_known_to(self, target: KubernetesVersion) -> bool {
        match self {
            Self::ShortName | Self::LongName => target >= KubernetesVersion::V1_34,
            _ => true,
        }
    }

    /// A string in this format.
    pub(super) fn example(self) -> &'static str {
        FORMATS.iter().find(|(format, ..)| *format == self).map_or("", |(.., example)| example)
    }

    /// Whether `text` has this format, as the lenient parsers of the API server decide.
    pub fn accepts(self, text: &str) -> bool {
        match self {
            Self::DateTime => is_date_time(text),
            Self::Date => parse_date(text).is_some(),
            Self::Byte => is_base64(text),
            Self::Duration => places::is_duration(text),
            Self::Uuid => is_uuid(text, None),
            Self::Uuid3 => is_uuid(text, Some('3')),
            Self::Uuid4 => is_uuid(text, Some('4')),
            Self::Uuid5 => is_uuid(text, Some('5')),
            // Numbers with leading zeros are decimal.
            Self::Ipv4 => is_ip_address(text) && text.contains('.'),
            Self::Ipv6 => text.parse::<IpAddr>().is_ok() && text.contains(':'),
            Self::Cidr => Cidr::parse(text).is_some(),
            Self::Mac => is_mac(text),
            Self::Hostname => places::is_hostname(text),
            Self::Uri => Url::parse_request(text).is_some(),
            Self::Email => places::is_email(text),
            Self::Isbn => digits::is_isbn10(text) || digits::is_isbn13(text),
            Self::Isbn10 => digits::is_isbn10(text),
            Self::Isbn13 => digits::is_isbn13(text),
            Self::CreditCard => digits::is_credit_card(text),
            Self::SocialSecurityNumber => digits::is_social_security_number(text),
            Self::HexColor => digits::is_hex_color(text),
            Self::RgbColor => digits::is_rgb_color(text),
            Self::ObjectId => digits::is_object_id(text),
            Self::ShortName => check_dns_label(text).is_ok(),
            Self::LongName => check_dns_subdomain(text).is_ok(),
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            FORMATS.iter().find(|(format, ..)| format == self).map_or("", |(_, name, _)| name),
        )
    }
}

/// A date, `T`, a time to the second, an optional fraction, and `Z` or an offset.
fn is_date_time(text: &str) -> bool {
    if is_usual_time(text) {
        return true;
    }
    let lowercase = text.to_ascii_lowercase();
    let Some((date, time)) = lowercase.split_once('t') else { return false };
    // The server ignores the part after another `t`.
    let time = time.split('t').next().unwrap_or(time);
    parse_date(date).is_some() && is_time(time)
}

fn is_time(text: &str) -> bool {
    let Some((clock, rest)) = text.split_at_checked(8) else { return false };
    let in_range = digit_groups(clock, b':', [2, 2, 2])
        .is_some_and(|[hour, minute, second]| hour < 24 && minute < 60 && second < 60);
    // Any character can precede the fraction.
    let mut characters = rest.chars();
    let fraction = characters.next().map(|_| characters.as_str());
    let zone = fraction
        .map(|digits| (digits, digits.trim_start_matches(|c: char| c.is_ascii_digit())))
        .filter(|(digits, zone)| digits.len() > zone.len())
        .map(|(_, zone)| zone);
    in_range && (is_zone(rest) || zone.is_some_and(is_zone))
}

fn is_zone(text: &str) -> bool {
    let offset = text.strip_prefix(['+', '-']);
    text == "z" || offset.is_some_and(|offset| digit_groups(offset, b':', [2, 2]).is_some())
}

/// Base64 with padding; not empty.
fn is_base64(text: &str) -> bool {
    let data = text.strip_suffix("==").or_else(|| text.strip_suffix('=')).unwrap_or(text);
    !data.is_empty()
        && text.len().is_multiple_of(4)
        && data.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/'))
}

/// 32 hexadecimal digits with optional hyphens in the usual positions. A version requires its
/// digit, and versions 4 and 5 also the variant.
fn is_uuid(text: &str, version: Option<char>) -> bool {
    let (mut rest, mut digits) = (text, String::with_capacity(32));
    for (index, length) in [8, 4, 4, 4, 12].into_iter().enumerate() {
        if index > 0 {
            rest = rest.strip_prefix('-').unwrap_or(rest);
        }
        let Some((part, tail)) = rest.split_at_checked(length) else { return false };
        if !part.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return false;
        }
        digits.push_str(part);
        rest = tail;
    }
    let has_variant = || digits.chars().nth(16).is_some_and(|digit| "89abAB".contains(digit));
    rest.is_empty()
        && version.is_none_or(|version| {
            digits.chars().nth(12) == Some(version) && (version == '3' || has_variant())
        })
}

/// 6, 8 or 20 bytes, `01:23:45:67:89:ab`, also with hyphens, `0123.4567.89ab` or `0123456789ab`.
fn is_mac(text: &str) -> bool {
    let (separator, width) = match text.as_bytes().get(2) {
        Some(b':') => (':', 2),
        Some(b'-') => ('-', 2),
        _ if text.contains('.') => ('.', 4),
        _ => ('.', text.len()),
    };
    let mut digits = 0;
    for group in text.split(separator) {
        if group.len() != width || !group.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return false;
        }
        digits += width;
    }
    matches!(digits, 12 | 16 | 40)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// For each format, strings that have it and strings that do not.
    const CASES: &[(Format, &[&str], &[&str])] = &[
        (
            Format::DateTime,
            &[
                "2026-08-22T10:00:00Z",
                "2026-08-22t10:00:00z",
                "2026-08-22T10:00:00.123+02:00",
                "2024-02-29T23:59:59-11:30",
            ],
            &[
                "",
                "2026-08-22",
                "2026-08-22 10:00:00Z",
                "2026-08-22T10:00Z",
                "2026-08-22T24:00:00Z",
                "2026-08-22T10:00:60Z",
                "2026-02-29T10:00:00Z",
                "2026-08-22T10:00:00",
                "2026-08-22T10:00:00.Z",
                "tomorrow",
            ],
        ),
        (Format::Date, &["2000-02-29"], &["1900-02-29", "2026-13-01", "2026-1-1"]),
        (Format::Byte, &["YQ==", "YWI=", "YWJj"], &["", "YQ", "Y===", "====", "YQ= ="]),
        (
            Format::Uuid,
            &["123e4567-e89b-12d3-a456-426614174000", "123E4567E89B12D3A456426614174000"],
            &["", "123e4567-e89b-12d3-a456-42661417400", "{123e4567}"],
        ),
        (Format::Ipv4, &["10.0.0.1", "10.0.0.01", "::ffff:10.0.0.1"], &["10.0.0", "::1"]),
        (Format::Ipv6, &["::1", "fe80::1"], &["10.0.0.1", "fe80::1%eth0", ":::"]),
        (Format::Cidr, &["10.0.0.0/8", "fc00::/7"], &["10.0.0.0", "10.0.0.0/33", "::/+1"]),
        (
            Format::Uuid3,
            &["123e4567-e89b-32d3-0456-426614174000"],
            &["123e4567-e89b-42d3-a456-426614174000"],
        ),
        (
            Format::Uuid4,
            &["123e4567e89b42d3a456426614174000"],
            &["123e4567-e89b-42d3-7456-426614174000", "123e4567-e89b-32d3-a456-426614174000"],
        ),
        (
            Format::Duration,
            &["1h30m", "-1.5h", "0", "5 days", "1 w", "3 lightyears 1d", "a 1 sec b"],
            &["", "abc", "1", "1.5", "3 lightyears", "-"],
        ),
        (
            Format::Hostname,
            &["a", "example.com", "EXAMPLE", "a--b.com", "ä.de", "1.2.com"],
            &["", "-a.com", "a_b.c", "a.c1", "10.0.0.1", "a.example.com.", "a b"],
        ),
        (
            Format::Uri,
            &["http://a.b/c", "/a b", "urn:x", "x:y"],
            &["", "a", "x@y", "http://a b", "http://[::1"],
        ),
        (
            Format::Email,
            &["a@b", "Foo Bar <a@b.c>", "\"a b\"@c", "ä@b"],
            &["", "a", "a@b@c", ".a@b", "a..b@c", "a b@c", "a@", "Foo <a@b.c", "a@b c"],
        ),
        (Format::Isbn10, &["0321751043", "080442957X", "0-321-75104-3"], &["0321751042", "1"]),
        (Format::Isbn13, &["978-0321751041"], &["9780321751042", "0321751043"]),
        (
            Format::CreditCard,
            &["4111-1111-1111-1111", "378282246310005"],
            &["4111111111111112", "1234", "0000000000000000"],
        ),
        (
            Format::SocialSecurityNumber,
            &["123-45-6789", "123 45-6789"],
            &["123456789", "123-45-67890", "12345-6789x"],
        ),
        (Format::HexColor, &["#fff", "ff8800"], &["#ffff", "#ggg", ""]),
        (
            Format::RgbColor,
            &["rgb(1,2,3)", "rgb( 0 , 10,255 )"],
            &["rgb(1,2,256)", "rgb(01,2,3)", "rgb(1,2)", "rgb(+1,2,3)"],
        ),
        (
            Format::ObjectId,
            &["507f1f77bcf86cd799439011"],
            &["507f1f77bcf86cd79943901g", "507f1f77bcf86cd79943901"],
        ),
        (
            Format::Mac,
            &["01:23:45:67:89:ab", "01-23-45-67-89-AB", "0123.4567.89ab", "0123456789AB"],
            &[
                "",
                "0123456789",
                "0123456789a",
                "0123456789abc",
                "01:23:45:67:89",
                "01:23:45:67:89:a",
                "01:23-45:67:89:ab",
            ],
        ),
        // After the patterns of kube-openapi's `strfmt/kubernetes-extensions.go`: no capitals, and no
        // limit of 63 for the parts of a long name.
        (
            Format::ShortName,
            &["a", "0", "a--b", "a01234567890123456789012345678901234567890123456789012345678901"],
            &[
                "",
                "A",
                "a-",
                "-a",
                "a.b",
                "a_b",
                "a\n",
                "aa0123456789012345678901234567890123456789012345678901234567890123",
            ],
        ),
        (
            Format::LongName,
            &[
                "a",
                "a.0",
                "a--b.c",
                "aa0123456789012345678901234567890123456789012345678901234567890123.b",
            ],
            &["", ".", "a.", ".a", "a..b", "a.B", "a-.b", "a._b"],
        ),
    ];

    #[test]
    fn each_format_accepts_what_the_api_server_accepts() {
        for (format, good, bad) in CASES {
            for text in *good {
                assert!(format.accepts(text), "{format} takes {text:?}");
            }
            for text in *bad {
                assert!(!format.accepts(text), "{format} refuses {text:?}");
            }
        }
    }
}
