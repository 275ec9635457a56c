//! Durations as Go writes them: `1h30m`, `1.5s`.

/// The units and their lengths, in nanoseconds.
const UNITS: &[(&str, u128)] = &[
    ("ns", 1),
    ("us", 1_000),
    ("µs", 1_000),
    ("μs", 1_000),
    ("ms", 1_000_000),
    ("s", 1_000_000_000),
    ("m", 60_000_000_000),
    ("h", 3_600_000_000_000),
];

/// Whether Go's `time.ParseDuration` accepts the string: a sign, then numbers with a unit each, in
/// total less than 2^63 nanoseconds.
pub fn is_duration(text: &str) -> bool {
    nanoseconds(text).is_some()
}

/// The whole seconds of a duration: 5400 for `1h30m`. Days count as well: `2d`.
pub fn whole_seconds(text: &str) -> Option<u128> {
    const SECOND: u128 = 1_000_000_000;
    if let Some(days) = text.strip_suffix('d') {
        return days.parse::<u32>().ok().map(|count| u128::from(count) * 86_400);
    }
    if !text.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    nanoseconds(text).filter(|length| length % SECOND == 0).map(|length| length / SECOND)
}

/// The length of a duration without its sign.
fn nanoseconds(text: &str) -> Option<u128> {
    let mut rest = text.strip_prefix(['+', '-']).unwrap_or(text);
    if rest == "0" {
        return Some(0);
    }
    let is_number = |character: char| character.is_ascii_digit() || character == '.';
    let mut total: u128 = 0;
    while !rest.is_empty() {
        let end = rest.find(|character| !is_number(character)).unwrap_or(rest.len());
        let (number, behind) = rest.split_at_checked(end)?;
        let end = behind.find(is_number).unwrap_or(behind.len());
        let (unit, behind) = behind.split_at_checked(end)?;
        let (_, length) = UNITS.iter().find(|(name, _)| *name == unit)?;
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        if whole.is_empty() && fraction.is_empty() || fraction.contains('.') {
            return None;
        }
        let count: Option<u128> = if whole.is_empty() { Some(0) } else { whole.parse().ok() };
        let length = count.and_then(|it| it.checked_mul(*length));
        let sum = length.and_then(|part| total.checked_add(part));
        total = sum.filter(|sum| *sum < 1 << 63)?;
        rest = behind;
    }
    (!text.trim_start_matches(['+', '-']).is_empty()).then_some(total)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_whole_seconds() {
        for (text, seconds) in [("1h", 3600), ("1h30m", 5400), ("90s", 90), ("2d", 172_800)] {
            assert_eq!(whole_seconds(text), Some(seconds), "{text}");
        }
        for text in ["1", "1.5ms", "-1h", "d", "1x", ""] {
            assert_eq!(whole_seconds(text), None, "{text}");
        }
    }

    #[test]
    fn numbers_have_units() {
        for text in ["0", "-0", "1h", "1h30m", "1.5s", ".5m", "1.h", "-5ms", "3µs", "2562047h"] {
            assert!(is_duration(text), "{text}");
        }
        let wrong = ["", "-", "5", "1d", "h", ".s", "1h ", " 1h", "1h5", "1..5h", "--1s", "1H"];
        for text in
            wrong.into_iter().chain(["2562048h", "99999999999999999999999999999999999999999h"])
        {
            assert!(!is_duration(text), "{text}");
        }
    }
}
