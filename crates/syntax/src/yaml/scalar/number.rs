//! Parsing of numbers that several readers share.

use crate::source::Slice as _;
use crate::tree::Number;

/// A float after Kubernetes has converted YAML to JSON: `3.0` becomes `3` there, which JSON readers
/// parse as an integer. `None` if it is not finite.
pub(super) fn from_float(value: f64) -> Option<Number> {
    if !value.is_finite() {
        return None;
    }
    if value.fract() == 0.0 && value.abs() < 2e19 {
        // The shortest digits that round-trip, padded with zeros, as in JSON.
        let digits = format!("{value}");
        if let Ok(value) = digits.parse() {
            return Some(Number::Int(value));
        }
        if let Ok(value) = digits.parse() {
            return Some(Number::UInt(value));
        }
    }
    Some(Number::Float(value))
}

/// Parses an integer in `radix`; `None` if a character is not a digit or it does not fit 64 bits.
pub(super) fn from_digits(is_negative: bool, digits: &str, radix: u32) -> Option<Number> {
    // `from_str_radix` would accept a second sign.
    if !digits.starts_with(|c: char| c.is_digit(radix)) {
        return None;
    }
    let magnitude = u64::from_str_radix(digits, radix).ok()?;
    if is_negative {
        return 0_i64.checked_sub_unsigned(magnitude).map(Number::Int);
    }
    Some(i64::try_from(magnitude).map_or(Number::UInt(magnitude), Number::Int))
}

/// Splits off the sign, and returns whether it was a minus.
pub(super) fn split_sign(text: &str) -> (bool, &str) {
    match text.as_bytes().first() {
        Some(b'-') => (true, text.slice(1..)),
        Some(b'+') => (false, text.slice(1..)),
        _ => (false, text),
    }
}

/// Whether `text` is `[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?`, the decimal form that
/// go-yaml and the YAML 1.2 core schema share.
pub(super) fn is_decimal(text: &str) -> bool {
    let (_, rest) = split_sign(text);
    let (whole, rest) = take_digits(rest);
    let (fraction, rest) = match rest.strip_prefix('.') {
        Some(rest) => take_digits(rest),
        None => ("", rest),
    };
    if whole.is_empty() && fraction.is_empty() {
        return false;
    }
    match rest.strip_prefix(['e', 'E']) {
        Some(exponent) => is_digits(split_sign(exponent).1),
        None => rest.is_empty(),
    }
}

/// Whether the text consists of digits.
pub(super) fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn take_digits(text: &str) -> (&str, &str) {
    let end = text.bytes().take_while(u8::is_ascii_digit).count();
    text.split_at_checked(end).unwrap_or((text, ""))
}
