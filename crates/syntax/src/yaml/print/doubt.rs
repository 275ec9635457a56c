//! Detects strings that some YAML reader would not read as strings without quotes.
//!
//! This is not a list of known problems, but one grammar that contains those of the readers:
//! go-yaml v2 to v4, PyYAML, ruamel.yaml, js-yaml, and `yaml` for JavaScript, in their modes for
//! YAML 1.1 and 1.2. Where they differ, it uses the widest form of each part, so it also quotes
//! some strings that every reader reads as strings; that costs two characters.
//! `fixtures/print/doubt.txt` records the results of the readers, and a test compares all of them.

use crate::source::Slice as _;
use std::borrow::Cow;

/// The length of `infinity`, the longest of the words.
const LONGEST_WORD: usize = 8;

/// Null and the booleans.
pub(super) const WORDS: [&str; 10] =
    ["y", "n", "~", "no", "on", "yes", "off", "true", "null", "false"];
/// Infinity and NaN, without their sign and point.
pub(super) const NOT_FINITE: [&str; 3] = ["inf", "nan", "infinity"];

/// Whether quotes are needed to keep the string a string; true for the empty one.
pub(super) fn is_doubtful(text: &str) -> bool {
    match text.as_bytes() {
        [] | [b'='] | [b'<', b'<'] => true,
        [b'+' | b'-' | b'.' | b'0'..=b'9', ..]
        | [b'e' | b'E', b'+' | b'-' | b'0'..=b'9' | b'_' | b',', ..] => {
            is_number(text) || is_date(text)
        }
        [
            b'~' | b'y' | b'Y' | b'n' | b'N' | b't' | b'T' | b'f' | b'F' | b'o' | b'O' | b'i'
            | b'I',
            ..,
        ] => text.len() <= LONGEST_WORD && (is_word(text) || is_not_finite(text)),
        _ => false,
    }
}

/// Whether it is null or a boolean of YAML 1.1, 1.2 or their dialects.
fn is_word(text: &str) -> bool {
    WORDS.iter().any(|word| text.eq_ignore_ascii_case(word))
}

/// Whether it is infinity or NaN, with an optional sign and point.
fn is_not_finite(text: &str) -> bool {
    NOT_FINITE.iter().any(|word| text.eq_ignore_ascii_case(word))
}

/// Whether it is a number in any base. Readers differ in the positions of underscores and commas,
/// and some remove all of them first, so they are ignored here.
fn is_number(text: &str) -> bool {
    let plain = without_separators(text);
    let unsigned = without_sign(&plain);
    // `+_` is a number in ruamel.yaml.
    let are_separators = unsigned.is_empty() && plain.len() < text.len();
    are_separators
        || is_not_finite(unsigned.strip_prefix('.').unwrap_or(unsigned))
        || is_decimal(unsigned)
        || has_radix(unsigned)
        || is_base_60(unsigned)
}

fn without_separators(text: &str) -> Cow<'_, str> {
    if text.contains(['_', ',']) {
        Cow::Owned(text.replace(['_', ','], ""))
    } else {
        Cow::Borrowed(text)
    }
}

fn without_sign(text: &str) -> &str {
    text.strip_prefix(['+', '-']).unwrap_or(text)
}

fn without_digits(text: &str) -> &str {
    text.trim_start_matches(|c: char| c.is_ascii_digit())
}

/// Digits, a point, more digits, an exponent: each can be absent, but not all digits and the point.
/// A point alone is a number in `yaml` for JavaScript, and so is an exponent alone (`e5`).
fn is_decimal(text: &str) -> bool {
    let rest = without_digits(text);
    let rest = rest.strip_prefix('.').map_or(rest, without_digits);
    match rest.strip_prefix(['e', 'E']) {
        Some(exponent) => {
            let digits = without_sign(exponent);
            !digits.is_empty() && without_digits(digits).is_empty()
        }
        None => !text.is_empty() && rest.is_empty(),
    }
}

/// `0x1F`, `0o17`, `0b11` in either case, and Go's floats of base 16. go-yaml accepts a sign after the
/// prefix.
fn has_radix(text: &str) -> bool {
    let mut characters = text.chars();
    let is_digit: fn(char) -> bool = match (characters.next(), characters.next()) {
        (Some('0'), Some('x' | 'X')) => {
            |c| c.is_ascii_hexdigit() || matches!(c, '.' | 'p' | 'P' | '+' | '-')
        }
        (Some('0'), Some('o' | 'O' | 'b' | 'B')) => |c| c.is_ascii_digit(),
        _ => return false,
    };
    // No digit is required: `0x_` is a number in PyYAML.
    without_sign(characters.as_str()).chars().all(is_digit)
}

/// `12:30:45`, `1:30.5`: groups of sixty, as YAML 1.1 has them.
fn is_base_60(text: &str) -> bool {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let mut groups = whole.split(':');
    let is_first =
        groups.next().is_some_and(|digits| !digits.is_empty() && without_digits(digits).is_empty());
    let mut count = 0;
    let are_groups = groups.all(|group| {
        count += 1;
        matches!(group.as_bytes(), [b'0'..=b'9'] | [b'0'..=b'5', b'0'..=b'9'])
    });
    is_first && are_groups && count > 0 && without_digits(fraction).is_empty()
}

/// `2001-01-01`, and with a time of day after it.
fn is_date(text: &str) -> bool {
    let digits = |bytes: &[u8]| bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let bytes = text.as_bytes();
    let Some((year, rest)) = bytes.split_at_checked(4) else { return false };
    let [b'-', rest @ ..] = rest else { return false };
    let month = digits(rest);
    let Some([b'-', rest @ ..]) = rest.get(month..) else { return false };
    let day = digits(rest);
    let time = rest.slice(day..);
    let is_time =
        |byte: &u8| matches!(byte, b'0'..=b'9' | b':' | b'.' | b'+' | b'-' | b' ' | b'Z' | b'z');
    digits(year) == 4
        && (1..=2).contains(&month)
        && (1..=2).contains(&day)
        && match time {
            [] => true,
            [b'T' | b't' | b' ', time @ ..] => time.iter().all(is_time),
            _ => false,
        }
}
