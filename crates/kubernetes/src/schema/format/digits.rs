//! Formats made of digits: ISBNs, credit cards, colors, identifiers.

use std::iter;

/// 24 hexadecimal digits.
pub(super) fn is_object_id(text: &str) -> bool {
    text.len() == 24 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// `#ff8800` or `f80`.
pub(super) fn is_hex_color(text: &str) -> bool {
    let digits = text.strip_prefix('#').unwrap_or(text);
    matches!(digits.len(), 3 | 6) && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// `rgb(255, 136, 0)`.
pub(super) fn is_rgb_color(text: &str) -> bool {
    let inner = text.strip_prefix("rgb(").and_then(|rest| rest.strip_suffix(')'));
    let is_part = |part: &str| {
        let number = part.trim_matches(is_space);
        let is_plain = number == "0" || !number.starts_with(['0', '+']);
        is_plain && number.len() <= 3 && number.parse::<u8>().is_ok()
    };
    inner.is_some_and(|parts| parts.split(',').count() == 3 && parts.split(',').all(is_part))
}

/// `123-45-6789`; the API server requires all eleven characters.
pub(super) fn is_social_security_number(text: &str) -> bool {
    let is_right = |(at, byte): (usize, u8)| match at {
        3 | 6 => matches!(byte, b'-' | b' '),
        _ => byte.is_ascii_digit(),
    };
    text.len() == 11 && text.bytes().enumerate().all(is_right)
}

/// An ISBN of ten digits; spaces and dashes between them are ignored.
pub(super) fn is_isbn10(text: &str) -> bool {
    let number = without_separators(text);
    let Some((head, check)) = number.split_at_checked(9) else { return false };
    // The last digit can be ten, which is written `X`.
    let last = if check == "X" { Some(vec![10]) } else { digits_of(check) };
    let (Some(digits), Some(last)) = (digits_of(head), last) else { return false };
    let all = digits.iter().chain(&last);
    let sum: u32 = all.zip(1..).map(|(digit, weight)| digit * weight).sum();
    last.len() == 1 && sum.is_multiple_of(11)
}

/// An ISBN of thirteen digits; spaces and dashes between them are ignored.
pub(super) fn is_isbn13(text: &str) -> bool {
    let Some(digits) = digits_of(&without_separators(text)) else { return false };
    let weights = [1, 3].into_iter().cycle();
    let sum: u32 = digits.iter().zip(weights).map(|(digit, weight)| digit * weight).sum();
    digits.len() == 13 && sum.is_multiple_of(10)
}

/// A card number of one of the known issuers; other characters between the digits are ignored.
pub(super) fn is_credit_card(text: &str) -> bool {
    let number: String = text.chars().filter(char::is_ascii_digit).collect();
    let begins = |prefixes: &[&str]| prefixes.iter().any(|prefix| number.starts_with(prefix));
    let is_known = match number.len() {
        13 => begins(&["4"]),
        14 => begins(&["300", "301", "302", "303", "304", "305", "36", "38"]),
        15 => begins(&["34", "37", "2131", "1800"]),
        16 => begins(&["4", "51", "52", "53", "54", "55", "6011", "65", "35"]),
        _ => false,
    };
    let Some(digits) = digits_of(&number).filter(|_| is_known) else { return false };
    // From the right, every second digit counts twice, and the digits of its double are added.
    let factors = [1, 2].into_iter().cycle();
    let sum: u32 = iter::zip(digits.iter().rev(), factors)
        .map(|(digit, factor)| digit * factor)
        .map(|value| value / 10 + value % 10)
        .sum();
    sum.is_multiple_of(10)
}

const fn is_space(character: char) -> bool {
    matches!(character, '\t' | '\n' | '\u{c}' | '\r' | ' ')
}

fn without_separators(text: &str) -> String {
    text.chars().filter(|character| !is_space(*character) && *character != '-').collect()
}

fn digits_of(text: &str) -> Option<Vec<u32>> {
    text.chars().map(|it| it.to_digit(10)).collect()
}
