//! Values with the tag `!!timestamp`: go-yaml v2 (`parseTimestamp` in `resolve.go`) rejects others, and
//! keeps a timestamp as the string that it is.

use super::number::is_digits;
use crate::scalar::parse_date;

/// Whether go-yaml accepts a value with the tag `!!timestamp`: a date, a date and a time with a time zone
/// after `T` or `t`, or one without a time zone after spaces.
pub(super) fn is_timestamp(text: &str) -> bool {
    strip_date(text).is_some_and(|rest| rest.is_empty() || is_time(rest))
}

/// The text after a date, whose month and day can have one digit.
fn strip_date(text: &str) -> Option<&str> {
    let (year, rest) = text.split_once('-')?;
    let (month, rest) = strip_number(rest)?;
    let (day, rest) = strip_number(rest.strip_prefix('-')?)?;
    parse_date(&format!("{year}-{month:02}-{day:02}")).map(|_| rest)
}

fn is_time(rest: &str) -> bool {
    match rest.strip_prefix(['T', 't']) {
        Some(rest) => strip_time(rest).is_some_and(is_zone),
        None if rest.starts_with(' ') => strip_time(rest.trim_start_matches(' ')) == Some(""),
        None => false,
    }
}

/// The text after a time of the day, whose numbers can have one digit.
fn strip_time(text: &str) -> Option<&str> {
    let (hour, rest) = strip_number(text)?;
    let (minute, rest) = strip_number(rest.strip_prefix(':')?)?;
    let (second, rest) = strip_number(rest.strip_prefix(':')?)?;
    if hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let fraction = rest.strip_prefix(['.', ',']).filter(|it| it.starts_with(is_digit));
    Some(fraction.map_or(rest, |it| it.trim_start_matches(is_digit)))
}

/// `Z`, or `+02:00`.
fn is_zone(text: &str) -> bool {
    let offset = text.strip_prefix(['+', '-']).and_then(|digits| digits.split_once(':'));
    let is_pair = |digits: &str, most: u32| {
        digits.len() == 2 && is_digits(digits) && digits.parse().is_ok_and(|it: u32| it <= most)
    };
    // Go also accepts 24 hours and 60 minutes.
    text == "Z" || offset.is_some_and(|(hours, minutes)| is_pair(hours, 24) && is_pair(minutes, 60))
}

/// One or two digits, and the text after them.
fn strip_number(text: &str) -> Option<(u32, &str)> {
    let length = text.bytes().take(2).take_while(u8::is_ascii_digit).count();
    let (digits, rest) = text.split_at_checked(length)?;
    Some((digits.parse().ok()?, rest))
}

const fn is_digit(c: char) -> bool {
    c.is_ascii_digit()
}
