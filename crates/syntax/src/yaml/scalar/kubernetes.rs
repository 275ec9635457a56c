//! Plain scalars in Kubernetes: go-yaml v2 (`resolve.go`), followed by the conversion to JSON of
//! sigs.k8s.io/yaml.

use std::borrow::Cow;

use super::number::{from_digits, from_float, is_decimal, split_sign};
use super::reading::Reading;
use crate::tree::Number;

/// The string to which Kubernetes converts a plain scalar that is a key, or `None` if it rejects
/// the key (sigs.k8s.io/yaml, `convertToJSONableObject`).
pub(super) fn key(text: &str) -> Option<String> {
    match read(text) {
        Reading::Text => Some(text.to_owned()),
        Reading::Null => None,
        Reading::Boolean(value) => Some(value.to_string()),
        Reading::NotFinite if text.contains(['n', 'N']) && !text.contains(['i', 'I']) => {
            Some(".nan".to_owned())
        }
        Reading::NotFinite => Some(if text.starts_with('-') { "-.inf" } else { ".inf" }.to_owned()),
        Reading::Number(number) => match (read_whole(&without_underscores(text)), number) {
            (Some(Number::Int(value)), _) => Some(value.to_string()),
            // Integers above 63 bits are not keys.
            (Some(_), _) => None,
            (None, _) => without_underscores(text).parse().ok().map(float_key),
        },
        Reading::LongInteger | Reading::BaseSixty | Reading::Date | Reading::Refused => {
            Some(text.to_owned())
        }
    }
}

/// A float as a key: Go's `strconv.FormatFloat(value, 'g', -1, 32)`.
pub(super) fn float_key(value: f64) -> String {
    #[expect(clippy::cast_possible_truncation, reason = "Kubernetes rounds keys to 32 bits")]
    let value = value as f32;
    if value.is_infinite() {
        return if value < 0.0 { "-.inf" } else { ".inf" }.to_owned();
    }
    let scientific = format!("{value:e}");
    let Some((digits, exponent)) = scientific.split_once('e') else { return scientific };
    let Ok(power) = exponent.parse::<i32>() else { return scientific };
    if (-4..6).contains(&power) {
        return value.to_string();
    }
    format!("{digits}e{}{:02}", if power < 0 { '-' } else { '+' }, power.abs())
}

/// Reads a plain scalar as Kubernetes does.
pub(super) fn read(text: &str) -> Reading {
    match text.as_bytes().first() {
        None => Reading::Null,
        Some(b'~' | b'y' | b'Y' | b'n' | b'N' | b't' | b'T' | b'f' | b'F' | b'o' | b'O') => {
            read_word(text)
        }
        Some(b'.') => read_dotted(text),
        Some(b'+' | b'-' | b'0'..=b'9') => read_number(text),
        Some(_) => Reading::Text,
    }
}

/// Whether a value is an integer for the tag `!!int`, which `1.0` is not.
pub(super) fn is_integer(text: &str) -> bool {
    text.starts_with(['+', '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9'])
        && read_whole(&without_underscores(text)).is_some()
}

/// Whether a value is a number for the tag `!!float`: one with 64 bits is not.
pub(super) fn is_float(text: &str) -> bool {
    let is_long = matches!(read_whole(&without_underscores(text)), Some(Number::UInt(_)));
    matches!(read(text), Reading::Number(_)) && !is_long
}

fn read_word(text: &str) -> Reading {
    match text {
        "~" | "null" | "Null" | "NULL" => Reading::Null,
        "y" | "Y" | "yes" | "Yes" | "YES" | "true" | "True" | "TRUE" | "on" | "On" | "ON" => {
            Reading::Boolean(true)
        }
        "n" | "N" | "no" | "No" | "NO" | "false" | "False" | "FALSE" | "off" | "Off" | "OFF" => {
            Reading::Boolean(false)
        }
        _ => Reading::Text,
    }
}

fn read_dotted(text: &str) -> Reading {
    if matches!(text, ".inf" | ".Inf" | ".INF" | ".nan" | ".NaN" | ".NAN") {
        return Reading::NotFinite;
    }
    // Go's own float syntax applies here, in which an underscore must be between two digits.
    let bytes = text.as_bytes();
    let is_digit_at =
        |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_digit);
    let are_underscores_inside = bytes.iter().enumerate().all(|(at, byte)| {
        *byte != b'_' || (is_digit_at(at.checked_sub(1)) && is_digit_at(at.checked_add(1)))
    });
    if are_underscores_inside { read_decimal(&without_underscores(text)) } else { Reading::Text }
}

fn read_number(text: &str) -> Reading {
    if matches!(text, "+.inf" | "+.Inf" | "+.INF" | "-.inf" | "-.Inf" | "-.INF") {
        return Reading::NotFinite;
    }
    let plain = without_underscores(text);
    read_whole(&plain).map_or_else(|| read_decimal(&plain), Reading::Number)
}

/// Parses an integer without underscores.
fn read_whole(plain: &str) -> Option<Number> {
    read_integer(plain).or_else(|| {
        // A second reading of binary digits, where go-yaml lets a sign follow the prefix.
        let (is_negative, digits) = split_sign(plain.strip_prefix("0b")?);
        from_digits(is_negative, digits, 2).filter(|number| matches!(number, Number::Int(_)))
    })
}

/// Go's integers with a prefix: `0x`, `0o`, `0b`, or a bare `0` for octal; the sign comes first.
fn read_integer(plain: &str) -> Option<Number> {
    let (is_negative, digits) = split_sign(plain);
    let (radix, digits) = match digits.as_bytes() {
        [b'0'] => (10, digits),
        [b'0', b'x' | b'X', _, ..] => (16, digits.get(2..)?),
        [b'0', b'o' | b'O', _, ..] => (8, digits.get(2..)?),
        [b'0', b'b' | b'B', _, ..] => (2, digits.get(2..)?),
        [b'0', ..] => (8, digits.get(1..)?),
        _ => (10, digits),
    };
    // Above 63 bits an integer may have no sign.
    from_digits(is_negative, digits, radix)
        .filter(|number| !matches!(number, Number::UInt(_)) || !plain.starts_with('+'))
}

fn read_decimal(plain: &str) -> Reading {
    if !is_decimal(plain) {
        return Reading::Text;
    }
    let number = plain.parse().ok().and_then(from_float);
    number.map_or(Reading::Text, Reading::Number)
}

fn without_underscores(text: &str) -> Cow<'_, str> {
    if text.contains('_') { Cow::Owned(text.replace('_', "")) } else { Cow::Borrowed(text) }
}
