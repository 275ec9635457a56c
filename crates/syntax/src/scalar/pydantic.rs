//! Numbers as Pydantic, with which several systems read their files, reads them from strings.

use super::is_digits;

/// The integer in a string: `80`, ` +5 `, `1_000` and `5.0`. `None` for any other string.
pub fn pydantic_integer(text: &str) -> Option<i64> {
    let text = text.trim();
    let whole = match text.split_once('.') {
        Some((whole, fraction)) => Some(whole)
            .filter(|_| is_digits(fraction) && fraction.bytes().all(|byte| byte == b'0'))?,
        None => text,
    };
    without_underscores(whole)?.parse().ok()
}

/// The string without the underscores between its digits. `None` if others have underscores, or
/// nothing is left to parse.
pub fn without_underscores(text: &str) -> Option<String> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    digits.split('_').all(is_digits).then(|| text.replace('_', ""))
}

#[cfg(test)]
mod tests {
    use super::pydantic_integer;

    /// Recorded from Pydantic 2.12.
    #[test]
    fn integers_match_pydantic() {
        for (text, number) in [
            ("80", 80),
            (" +5 ", 5),
            ("-1", -1),
            ("-0", 0),
            ("007", 7),
            ("0_7", 7),
            ("1_000", 1000),
            ("1_000.0", 1000),
            ("5.00", 5),
            (" 1\n", 1),
        ] {
            assert_eq!(pydantic_integer(text), Some(number), "{text}");
        }
        for text in [
            "", "+", "ten", "1.", ".0", "1.5", "1e3", "0x1", "1__0", "_1", "1_", "1_.0", "1.0_0",
            "+-1", "- 1", "1 0", "٣",
        ] {
            assert_eq!(pydantic_integer(text), None, "{text}");
        }
    }
}
