//! Times in the format of the server: Python's `datetime.isoformat`.

use crate::scalar::{digit_groups, is_digits, parse_date};

/// The time in the server's format: `2026-01-01T00:00:00+00:00` for `2026-01-01T00:00:00Z` and,
/// without an offset, `2026-01-01T00:00:00` for `2026-01-01`. `None` if it is not a time.
pub(super) fn since(text: &str) -> Option<String> {
    let (date, rest) = text.split_at_checked(10)?;
    parse_date(date).filter(|[year, ..]| *year > 0)?;
    if rest.is_empty() {
        return Some(format!("{date}T00:00:00"));
    }
    let rest = rest.strip_prefix(['T', 't', ' '])?;
    let zone_at = rest.find(['Z', 'z', '+', '-']).unwrap_or(rest.len());
    let (clock, zone) = rest.split_at_checked(zone_at)?;
    Some(format!("{date}T{}{}", written_clock(clock)?, written_zone(zone)?))
}

/// `12:30`, `12:30:00` or `12:30:00.5` as `12:30:00` or `12:30:00.500000`.
fn written_clock(text: &str) -> Option<String> {
    let (clock, fraction) =
        text.split_once('.').map_or((text, None), |(it, rest)| (it, Some(rest)));
    let [hour, minute, second] = if clock.len() == 5 && fraction.is_none() {
        let [hour, minute] = digit_groups(clock, ':', [2, 2])?;
        [hour, minute, 0]
    } else {
        digit_groups(clock, ':', [2, 2, 2])?
    };
    if hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    // Microseconds; further digits are truncated, as in Python.
    let micros: String = match fraction {
        None => String::new(),
        Some(digits) if !is_digits(digits) => return None,
        Some(digits) => digits.chars().chain(std::iter::repeat('0')).take(6).collect(),
    };
    let is_whole = micros.chars().all(|it| it == '0');
    let fraction = if is_whole { String::new() } else { format!(".{micros}") };
    Some(format!("{hour:02}:{minute:02}:{second:02}{fraction}"))
}

fn written_zone(text: &str) -> Option<String> {
    match text {
        "" => Some(String::new()),
        "Z" | "z" => Some("+00:00".to_owned()),
        _ => {
            let (sign, offset) = text.split_at_checked(1)?;
            let [hour, minute] = digit_groups(offset, ':', [2, 2])?;
            let sign = if hour == 0 && minute == 0 { "+" } else { sign };
            (hour < 24 && minute < 60).then(|| format!("{sign}{hour:02}:{minute:02}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::since;

    /// Recorded from Python 3.13: `datetime.fromisoformat(text).isoformat()`.
    #[test]
    fn writes_what_the_server_writes() {
        for (text, written) in [
            ("2026-01-01T00:00:00Z", "2026-01-01T00:00:00+00:00"),
            ("2026-01-01T00:00:00+00:00", "2026-01-01T00:00:00+00:00"),
            ("2026-03-01T12:30:00+02:00", "2026-03-01T12:30:00+02:00"),
            ("2026-03-01T12:30:00-00:00", "2026-03-01T12:30:00+00:00"),
            ("2026-03-01T12:30:00.5Z", "2026-03-01T12:30:00.500000+00:00"),
            ("2026-03-01T12:30:00.0Z", "2026-03-01T12:30:00+00:00"),
            ("2026-03-01T12:30:00.1234567Z", "2026-03-01T12:30:00.123456+00:00"),
            ("2026-03-01T12:30", "2026-03-01T12:30:00"),
            ("2026-03-01 12:30:05", "2026-03-01T12:30:05"),
            ("2024-02-29", "2024-02-29T00:00:00"),
        ] {
            assert_eq!(since(text).as_deref(), Some(written), "{text}");
        }
    }

    #[test]
    fn rejects_invalid_times() {
        for text in [
            "",
            "yesterday",
            "2026-13-01",
            "2026-02-29",
            "2026-01-00",
            "2026-01-01T",
            "2026-01-01T24:00:00Z",
            "2026-01-01T12:60:00Z",
            "2026-01-01T12:30:00.Z",
            "2026-01-01T12:30:00+2",
            "2026-01-01x12:30",
            "2026-1-1",
        ] {
            assert_eq!(since(text), None, "{text}");
        }
    }
}
