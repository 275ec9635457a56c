//! Formats of text that the API server enforces in custom resources.

// Addresses alone; what opens sockets is in `std`.
use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::Format;

/// Whether `text` has the format, as the API server's own (lenient) readers see it.
pub(super) fn matches(format: Format, text: &str) -> bool {
    match format {
        Format::DateTime => is_date_time(text),
        Format::Date => is_date(text),
        Format::Byte => is_base64(text),
        Format::Uuid => is_uuid(text),
        Format::Ipv4 => is_ip(text) && text.contains('.'),
        Format::Ipv6 => is_ip(text) && text.contains(':'),
        Format::Cidr => is_cidr(text),
        Format::Mac => is_mac(text),
    }
}

/// A date, `T`, a time to the second, an optional fraction, and `Z` or an offset.
fn is_date_time(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    let Some((date, time)) = text.split_once('t') else { return false };
    // What stands behind another `t` is not looked at.
    let time = time.split('t').next().unwrap_or(time);
    is_date(date) && is_time(time)
}

fn is_time(text: &str) -> bool {
    let Some((clock, rest)) = text.split_at_checked(8) else { return false };
    let [h0, h1, b':', m0, m1, b':', s0, s1] = clock.as_bytes() else { return false };
    let in_range = number(*h0, *h1) < Some(24)
        && number(*m0, *m1) < Some(60)
        && number(*s0, *s1) < Some(60)
        && [number(*h0, *h1), number(*m0, *m1), number(*s0, *s1)].iter().all(Option::is_some);
    // Any character may introduce the fraction.
    let mut characters = rest.chars();
    let fraction = characters.next().map(|_| characters.as_str());
    let zone = fraction
        .map(|digits| (digits, digits.trim_start_matches(|c: char| c.is_ascii_digit())))
        .filter(|(digits, zone)| digits.len() > zone.len())
        .map(|(_, zone)| zone);
    in_range && (is_zone(rest) || zone.is_some_and(is_zone))
}

fn is_zone(text: &str) -> bool {
    match text.as_bytes() {
        b"z" => true,
        [b'+' | b'-', h0, h1, b':', m0, m1] => {
            number(*h0, *h1).is_some() && number(*m0, *m1).is_some()
        }
        _ => false,
    }
}

fn number(tens: u8, ones: u8) -> Option<u32> {
    let digit = |byte: u8| char::from(byte).to_digit(10);
    Some(digit(tens)? * 10 + digit(ones)?)
}

/// A day of the calendar, `2026-01-31`.
fn is_date(text: &str) -> bool {
    let [y0, y1, y2, y3, b'-', m0, m1, b'-', d0, d1] = text.as_bytes() else { return false };
    let (Some(century), Some(year)) = (number(*y0, *y1), number(*y2, *y3)) else { return false };
    let (Some(month), Some(day)) = (number(*m0, *m1), number(*d0, *d1)) else { return false };
    let is_leap = year % 4 == 0 && (year != 0 || century % 4 == 0);
    let days = match month {
        2 if is_leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        _ => 0,
    };
    (1..=days).contains(&day)
}

/// Base64 with padding; not empty.
fn is_base64(text: &str) -> bool {
    let data = text.strip_suffix("==").or_else(|| text.strip_suffix('=')).unwrap_or(text);
    !data.is_empty()
        && text.len().is_multiple_of(4)
        && data.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/'))
}

/// 32 hexadecimal digits; hyphens at their places, each optional.
fn is_uuid(text: &str) -> bool {
    let mut rest = text;
    for (index, length) in [8, 4, 4, 4, 12].into_iter().enumerate() {
        if index > 0 {
            rest = rest.strip_prefix('-').unwrap_or(rest);
        }
        let Some((digits, tail)) = rest.split_at_checked(length) else { return false };
        if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return false;
        }
        rest = tail;
    }
    rest.is_empty()
}

fn is_ip(text: &str) -> bool {
    text.parse::<IpAddr>().is_ok()
}

fn is_cidr(text: &str) -> bool {
    let Some((address, length)) = text.split_once('/') else { return false };
    let bits = match (address.parse::<Ipv4Addr>(), address.parse::<Ipv6Addr>()) {
        (Ok(_), _) => 32,
        (_, Ok(_)) => 128,
        _ => return false,
    };
    let is_number = !length.is_empty() && length.bytes().all(|byte| byte.is_ascii_digit());
    is_number && length.parse::<u32>().is_ok_and(|length| length <= bits)
}

/// 6, 8 or 20 bytes, `01:23:45:67:89:ab`, also with hyphens, or `0123.4567.89ab`.
fn is_mac(text: &str) -> bool {
    let (separator, width) = match text.as_bytes().get(2) {
        Some(b':') => (':', 2),
        Some(b'-') => ('-', 2),
        _ => ('.', 4),
    };
    let mut bytes = 0;
    for group in text.split(separator) {
        if group.len() != width || !group.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return false;
        }
        bytes += width / 2;
    }
    matches!(bytes, 6 | 8 | 20)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_format_takes_and_refuses_what_the_api_server_does() {
        let cases: [(Format, &[&str], &[&str]); 8] = [
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
            (Format::Ipv4, &["10.0.0.1", "::ffff:10.0.0.1"], &["10.0.0.01", "10.0.0", "::1"]),
            (Format::Ipv6, &["::1", "fe80::1"], &["10.0.0.1", "fe80::1%eth0", ":::"]),
            (Format::Cidr, &["10.0.0.0/8", "fc00::/7"], &["10.0.0.0", "10.0.0.0/33", "::/+1"]),
            (
                Format::Mac,
                &["01:23:45:67:89:ab", "01-23-45-67-89-AB", "0123.4567.89ab"],
                &["", "01:23:45:67:89", "01:23:45:67:89:a", "01:23-45:67:89:ab"],
            ),
        ];
        for (format, good, bad) in cases {
            for text in good {
                assert!(matches(format, text), "{format} takes {text:?}");
            }
            for text in bad {
                assert!(!matches(format, text), "{format} refuses {text:?}");
            }
        }
    }
}
