//! Plain scalars in the YAML 1.2 core schema (YAML 1.2.2, section 10.3.2).

use super::number::{from_digits, from_float, is_decimal, is_digits, split_sign};
use super::reading::Reading;

/// Reads a plain scalar like a YAML 1.2 reader.
pub(super) fn read(text: &str) -> Reading {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Reading::Null,
        "true" | "True" | "TRUE" => Reading::Boolean(true),
        "false" | "False" | "FALSE" => Reading::Boolean(false),
        ".nan" | ".NaN" | ".NAN" => Reading::NotFinite,
        _ => read_number(text),
    }
}

fn read_number(text: &str) -> Reading {
    let (is_negative, digits) = split_sign(text);
    if matches!(digits, ".inf" | ".Inf" | ".INF") {
        return Reading::NotFinite;
    }
    if is_digits(digits) {
        return from_digits(is_negative, digits, 10).map_or(Reading::LongInteger, Reading::Number);
    }
    for (prefix, radix) in [("0o", 8), ("0x", 16)] {
        if let Some(digits) = text.strip_prefix(prefix) {
            let are_digits = !digits.is_empty() && digits.chars().all(|c| c.is_digit(radix));
            return match from_digits(false, digits, radix) {
                _ if !are_digits => Reading::Text,
                Some(number) => Reading::Number(number),
                None => Reading::LongInteger,
            };
        }
    }
    if !is_decimal(text) {
        return Reading::Text;
    }
    text.parse().ok().and_then(from_float).map_or(Reading::NotFinite, Reading::Number)
}
