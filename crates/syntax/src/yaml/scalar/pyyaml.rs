//! Plain scalars in PyYAML's safe loader, a widely used reader of YAML 1.1 (`resolver.py`,
//! `constructor.py` of PyYAML 6).

use super::number::{from_digits, from_float, is_digits, split_sign};
use super::reading::Reading;
use crate::scalar::PythonDate;
use crate::tree::Value;

/// Reads a plain scalar like PyYAML.
pub(super) fn read(text: &str) -> Reading {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Reading::Null,
        "yes" | "Yes" | "YES" | "true" | "True" | "TRUE" | "on" | "On" | "ON" => {
            return Reading::Boolean(true);
        }
        "no" | "No" | "NO" | "false" | "False" | "FALSE" | "off" | "Off" | "OFF" => {
            return Reading::Boolean(false);
        }
        "=" | "<<" => return Reading::Refused,
        ".nan" | ".NaN" | ".NAN" => return Reading::NotFinite,
        _ => {}
    }
    if !text.starts_with(|c: char| matches!(c, '+' | '-' | '.' | '0'..='9')) {
        return Reading::Text;
    }
    if matches!(split_sign(text).1, ".inf" | ".Inf" | ".INF") {
        return Reading::NotFinite;
    }
    read_float(text)
        .or_else(|| read_integer(text))
        .or_else(|| PythonDate::read(text).map(|_| Reading::Date))
        .unwrap_or(Reading::Text)
}

/// The value that PyYAML reads from a plain scalar, or `None` for a date and for values that JSON
/// cannot represent.
pub fn value(text: &str) -> Option<Value> {
    match read(text) {
        Reading::BaseSixty => base_60(text),
        reading => reading.into_value(text),
    }
}

/// `1:30` is 90, `1:30.5` is 90.5.
fn base_60(text: &str) -> Option<Value> {
    let (is_negative, unsigned) = split_sign(text);
    let plain = unsigned.replace('_', "");
    let (whole, fraction) = plain.split_once('.').unwrap_or((&plain, ""));
    let mut seconds: i64 = 0;
    for part in whole.split(':') {
        seconds = seconds.checked_mul(60)?.checked_add(part.parse().ok()?)?;
    }
    let text = format!("{}{seconds}", if is_negative { "-" } else { "" });
    if unsigned.contains('.') {
        return from_float(format!("{text}.{fraction}0").parse().ok()?).map(Value::from);
    }
    text.parse().ok().map(Value::Int)
}

/// `[-+]?[0-9][0-9_]*\.[0-9_]*([eE][-+][0-9]+)?`, the same without whole part and sign, or base 60
/// with a fraction.
fn read_float(text: &str) -> Option<Reading> {
    let (_, unsigned) = split_sign(text);
    let (whole, rest) = unsigned.split_once('.')?;
    if whole.contains(':') {
        return (is_base_60(whole) && is_digits_or_underscores(rest)).then_some(Reading::BaseSixty);
    }
    let (fraction, exponent) = match rest.find(['e', 'E']) {
        Some(at) => (rest.get(..at)?, rest.get(at + 1..)),
        None => (rest, None),
    };
    let is_whole_right = if text.starts_with('.') {
        fraction.starts_with(|c: char| c.is_ascii_digit())
    } else {
        whole.starts_with(|c: char| c.is_ascii_digit()) && is_digits_or_underscores(whole)
    };
    let is_exponent_right =
        exponent.is_none_or(|exponent| exponent.strip_prefix(['+', '-']).is_some_and(is_digits));
    if !is_whole_right || !is_digits_or_underscores(fraction) || !is_exponent_right {
        return None;
    }
    let number = text.replace('_', "").parse().ok().and_then(from_float);
    Some(number.map_or(Reading::NotFinite, Reading::Number))
}

fn read_integer(text: &str) -> Option<Reading> {
    let (is_negative, digits) = split_sign(text);
    let (radix, digits) = match digits.as_bytes() {
        [b'0', b'b', _, ..] => (2, digits.get(2..)?),
        [b'0', b'x', _, ..] => (16, digits.get(2..)?),
        [b'0', _, ..] => (8, digits.get(1..)?),
        [b'1'..=b'9', ..] if digits.contains(':') => {
            return is_base_60(digits).then_some(Reading::BaseSixty);
        }
        [b'0'] | [b'1'..=b'9', ..] => (10, digits),
        _ => return None,
    };
    if !digits.chars().all(|c| c == '_' || c.is_digit(radix)) {
        return None;
    }
    let plain = digits.replace('_', "");
    if plain.is_empty() {
        // `0_` is zero; `0x_` and `0b_` have no digits left to convert.
        return Some(if radix == 8 {
            from_digits(false, "0", 8)?.into()
        } else {
            Reading::Refused
        });
    }
    Some(from_digits(is_negative, &plain, radix).map_or(Reading::LongInteger, Reading::Number))
}

/// `[0-9][0-9_]*(:[0-5]?[0-9])+`, without the sign.
fn is_base_60(text: &str) -> bool {
    let mut parts = text.split(':');
    let first = parts.next().unwrap_or("");
    first.starts_with(|c: char| c.is_ascii_digit())
        && is_digits_or_underscores(first)
        && parts.all(|part| matches!(part.as_bytes(), [b'0'..=b'9'] | [b'0'..=b'5', b'0'..=b'9']))
}

fn is_digits_or_underscores(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_')
}
