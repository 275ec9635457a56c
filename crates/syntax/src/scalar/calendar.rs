//! Calendar dates and other groups of digits in strings.

/// Parses a date of the Gregorian calendar, `2026-01-31`, as year, month and day. The year can be 0.
pub fn parse_date(text: &str) -> Option<[u32; 3]> {
    digit_groups(text, b'-', [4, 2, 2]).filter(|[year, month, day]| is_date(*year, *month, *day))
}

/// Whether the string is a time as nearly all are written, `2026-09-01T08:00:00Z`. All readers of times accept it.
pub fn is_usual_time(text: &str) -> bool {
    let Some((date, rest)) = text.split_at_checked(10) else { return false };
    let clock = rest.strip_prefix('T').and_then(|it| it.strip_suffix('Z'));
    clock.is_some_and(is_clock) && parse_date(date).is_some()
}

/// Whether the string is a time of day to the second, `08:00:00`.
pub(super) fn is_clock(text: &str) -> bool {
    digit_groups(text, b':', [2, 2, 2])
        .is_some_and(|[hour, minute, second]| hour < 24 && minute < 60 && second < 60)
}

/// Whether a year has this day; months and days are counted from 1.
pub(super) fn is_date(year: u32, month: u32, day: u32) -> bool {
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let last = match month {
        2 if is_leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return false,
    };
    (1..=last).contains(&day)
}

/// Parses numbers with a fixed number of digits each, such as the two of `08:30`.
pub fn digit_groups<const N: usize>(
    text: &str,
    separator: u8,
    digits: [usize; N],
) -> Option<[u32; N]> {
    let mut numbers = [0; N];
    let mut rest = text.as_bytes();
    for (at, (number, digits)) in numbers.iter_mut().zip(digits).enumerate() {
        if at > 0 {
            rest = rest.strip_prefix(&[separator])?;
        }
        let (group, others) = rest.split_at_checked(digits)?;
        for byte in group {
            *number = *number * 10 + char::from(*byte).to_digit(10)?;
        }
        rest = others;
    }
    rest.is_empty().then_some(numbers)
}

/// Whether the string consists of ASCII digits, at least one.
pub fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_exist_in_the_calendar() {
        assert_eq!(parse_date("2026-01-31"), Some([2026, 1, 31]));
        for text in ["2024-02-29", "2000-02-29", "0000-12-31", "2026-04-30"] {
            assert!(parse_date(text).is_some(), "{text}");
        }
        for text in [
            "2026-02-29",
            "1900-02-29",
            "2026-04-31",
            "2026-00-10",
            "2026-13-01",
            "2026-01-00",
            "2026-1-31",
            "2026-01-31-01",
            "2026-01",
            "+026-01-31",
            "",
        ] {
            assert_eq!(parse_date(text), None, "{text}");
        }
    }

    #[test]
    fn a_usual_time_exists_and_has_no_other_form() {
        for text in ["2026-09-01T08:00:00Z", "2024-02-29T23:59:59Z", "0000-01-01T00:00:00Z"] {
            assert!(is_usual_time(text), "{text}");
        }
        for text in [
            "2026-02-29T08:00:00Z",
            "2026-09-01T24:00:00Z",
            "2026-09-01T08:60:00Z",
            "2026-09-01T08:00:60Z",
            "2026-09-01T08:00:00",
            "2026-09-01t08:00:00z",
            "2026-09-01T08:00:00.5Z",
            "2026-09-01T08:00:00+00:00",
            "2026-09-01T08:00:00ZZ",
            "2026-09-01",
            "2026-09-\u{e9}1T08:00:00Z",
            "",
        ] {
            assert!(!is_usual_time(text), "{text}");
        }
    }

    #[test]
    fn groups_have_exactly_the_digits() {
        assert_eq!(digit_groups("08:30", b':', [2, 2]), Some([8, 30]));
        for text in ["8:30", "08:30:00", "08", "08:3x", "08:+3"] {
            assert_eq!(digit_groups(text, b':', [2, 2]), None, "{text}");
        }
    }
}
