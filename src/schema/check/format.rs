//! String formats that Go's decoder enforces.

/// Whether Go's `time.Parse(time.RFC3339, ...)` accepts the string: a date, `T`, a time in seconds
/// with any fraction, and `Z` or an offset.
pub(super) fn is_date_time(text: &str) -> bool {
    read_date_time(text).is_some()
}

fn read_date_time(text: &str) -> Option<()> {
    let (date, rest) = text.split_at_checked(10)?;
    let [y0, y1, y2, y3, b'-', m0, m1, b'-', d0, d1] = *date.as_bytes() else { return None };
    let year = digits([y0, y1])? * 100 + digits([y2, y3])?;
    let (month, day) = (digits([m0, m1])?, digits([d0, d1])?);
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let last = match month {
        2 if is_leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    let (clock, rest) = rest.split_at_checked(9)?;
    let [b'T', h0, h1, b':', i0, i1, b':', s0, s1] = *clock.as_bytes() else { return None };
    let in_range = (1..=last).contains(&day)
        && digits([h0, h1])? < 24
        && digits([i0, i1])? < 60
        && digits([s0, s1])? < 60;
    let zone = match rest.strip_prefix(['.', ',']) {
        None => rest,
        Some(fraction) => {
            let zone = fraction.trim_start_matches(|c: char| c.is_ascii_digit());
            if zone.len() == fraction.len() {
                return None;
            }
            zone
        }
    };
    let is_zone = match *zone.as_bytes() {
        [b'Z'] => true,
        [b'+' | b'-', h0, h1, b':', m0, m1] => digits([h0, h1])? <= 24 && digits([m0, m1])? <= 60,
        _ => false,
    };
    (in_range && is_zone).then_some(())
}

fn digits([tens, ones]: [u8; 2]) -> Option<u32> {
    let digit = |byte: u8| char::from(byte).to_digit(10);
    Some(digit(tens)? * 10 + digit(ones)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_require_a_zone() {
        for text in [
            "2026-01-31T12:00:00Z",
            "2026-01-31T12:00:00.123456Z",
            "2024-02-29T23:59:59+02:00",
            "2026-01-31T12:00:00,5-08:00",
        ] {
            assert!(is_date_time(text), "{text}");
        }
        for text in [
            "",
            "2026-01-31",
            "2026-01-31T12:00:00",
            "2026-01-31 12:00:00Z",
            "2026-02-29T00:00:00Z",
            "2026-13-01T00:00:00Z",
            "2026-01-31T24:00:00Z",
            "2026-01-31T12:00:60Z",
            "2026-01-31t12:00:00z",
            "2026-01-31T12:00:00.Z",
            "1769860800",
            "2026-01-31T12:00Z",
        ] {
            assert!(!is_date_time(text), "{text}");
        }
    }
}
