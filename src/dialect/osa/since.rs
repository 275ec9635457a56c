//! Times in the format of the server: Python's `datetime.isoformat`.

use crate::scalar::{digit_groups, is_digits, parse_date};

/// The time in the server's format: `2026-01-01T00:00:00+00:00` for `2026-01-01T00:00:00Z` and,
/// without an offset, `2026-01-01T00:00:00` for `2026-01-01`. `None` if it is not a time.
pub(super) fn format_since(text: &str) -> Option<String> {
    let is_extended = text.as_bytes().get(4) == Some(&b'-');
    let (day, rest) = text.split_at_checked(if is_extended { 10 } else { 8 })?;
    let date = if is_extended { day.to_owned() } else { separate_groups(day, '-', &[4, 2, 2])? };
    parse_date(&date).filter(|[year, ..]| *year > 0)?;
    if rest.is_empty() {
        return Some(format!("{date}T00:00:00"));
    }
    let time = rest.strip_prefix(['T', 't', ' '])?;
    let clock = time.split(['Z', '+', '-']).next()?;
    let zone = time.strip_prefix(clock)?;
    Some(format!("{date}T{}{}", written_clock(clock)?, written_zone(zone)?))
}

/// `12`, `12:30`, `12:30:00`, `12:30:00.5` or `123000.5` as `12:30:00` or `12:30:00.500000`.
fn written_clock(text: &str) -> Option<String> {
    let trimmed = text.trim_end_matches(' ');
    let (clock, fraction) = match trimmed.split_once(['.', ',']) {
        Some((clock, fraction)) => (clock, Some(fraction)),
        None => (trimmed, None),
    };
    let [hour, minute, second] = clock_of(clock)?;
    if minute > 59 || second > 59 || fraction.is_some() && !matches!(clock.len(), 6 | 8) {
        return None;
    }
    // Microseconds; further digits are truncated, as in Python.
    let micros: String = match fraction {
        None => String::new(),
        Some(digits) if !is_digits(digits) => return None,
        Some(digits) => digits.chars().chain(std::iter::repeat('0')).take(6).collect(),
    };
    let is_whole = micros.chars().all(|digit| digit == '0');
    let written = if is_whole { String::new() } else { format!(".{micros}") };
    (hour < 24).then(|| format!("{hour:02}:{minute:02}:{second:02}{written}"))
}

/// Hours, with or without minutes and seconds, and with or without colons between them.
fn clock_of(text: &str) -> Option<[u32; 3]> {
    let separated = match text.len() {
        4 => separate_groups(text, ':', &[2, 2])?,
        6 => separate_groups(text, ':', &[2, 2, 2])?,
        _ => text.to_owned(),
    };
    match separated.len() {
        2 => digit_groups(&separated, b':', [2]).map(|[hour]| [hour, 0, 0]),
        5 => digit_groups(&separated, b':', [2, 2]).map(|[hour, minute]| [hour, minute, 0]),
        _ => digit_groups(&separated, b':', [2, 2, 2]),
    }
}

/// Digits in groups of these lengths, with a separator between them.
fn separate_groups(text: &str, separator: char, lengths: &[usize]) -> Option<String> {
    let mut rest = Some(text).filter(|digits| is_digits(digits))?;
    let mut written = String::new();
    for length in lengths {
        let (group, after) = rest.split_at_checked(*length)?;
        if !written.is_empty() {
            written.push(separator);
        }
        written.push_str(group);
        rest = after;
    }
    rest.is_empty().then_some(written)
}

fn written_zone(text: &str) -> Option<String> {
    match text {
        "" => Some(String::new()),
        "Z" => Some("+00:00".to_owned()),
        _ => {
            let (sign, offset) = text.split_at_checked(1)?;
            let [hours, minutes, seconds] = clock_of(offset)?;
            // As in Python, 60 minutes of an offset are an hour.
            let whole = 3600 * hours + 60 * minutes + seconds;
            let (hours, minutes, seconds) = (whole / 3600, whole / 60 % 60, whole % 60);
            let sign = if whole == 0 { "+" } else { sign };
            let seconds = if seconds == 0 { String::new() } else { format!(":{seconds:02}") };
            (hours < 24).then(|| format!("{sign}{hours:02}:{minutes:02}{seconds}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::format_since;

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
            ("20260301", "2026-03-01T00:00:00"),
            ("20260301T123000Z", "2026-03-01T12:30:00+00:00"),
            ("2026-03-01T12", "2026-03-01T12:00:00"),
            ("2026-03-01T12Z", "2026-03-01T12:00:00+00:00"),
            ("2026-03-01T1230", "2026-03-01T12:30:00"),
            ("2026-03-01T123005,5", "2026-03-01T12:30:05.500000"),
            ("2026-03-01T12:30:00+0200", "2026-03-01T12:30:00+02:00"),
            ("2026-03-01T12:30:00-02", "2026-03-01T12:30:00-02:00"),
            ("2026-03-01T12:30:00+02:00:30", "2026-03-01T12:30:00+02:00:30"),
            ("2026-03-01T12:30:00+02:60", "2026-03-01T12:30:00+03:00"),
            ("2026-03-01T12:30:00-02:00:99", "2026-03-01T12:30:00-02:01:39"),
            ("2026-03-01T12:30:00+23:59:59", "2026-03-01T12:30:00+23:59:59"),
            ("2026-03-01T12:30:00 Z", "2026-03-01T12:30:00+00:00"),
        ] {
            assert_eq!(format_since(text).as_deref(), Some(written), "{text}");
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
            "2026-01-01T12:30:00z",
            "2026-001",
            "20260101T12:3000",
            "2026-01-01T12:30:00+2400",
            "2026-01-01T12:30:00+23:60",
            "2026-01-01T12:30:00+23:59:60",
            "2026-01-01T12:30:60",
        ] {
            assert_eq!(format_since(text), None, "{text}");
        }
    }
}
