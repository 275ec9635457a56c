//! Which texts a reader of YAML takes for something else when they stand without quotes. The answer
//! errs on the side of quotes: it holds for every reader of YAML 1.1 and 1.2, the ones that nobody
//! recorded included.

/// Whether quotes are needed to keep the text a text; true for the empty text.
pub(super) fn is_doubtful(text: &str) -> bool {
    match text.as_bytes() {
        [] | [b'='] | [b'<', b'<'] => true,
        [b'+' | b'-' | b'.' | b'0'..=b'9', ..] => is_numeric(text),
        [
            b'~' | b'y' | b'Y' | b'n' | b'N' | b't' | b'T' | b'f' | b'F' | b'o' | b'O' | b'i'
            | b'I',
            ..,
        ] => is_word(text) || is_infinite(text),
        _ => false,
    }
}

/// Null and the booleans of YAML 1.1 and 1.2 and their dialects.
fn is_word(text: &str) -> bool {
    let is_any = |words: &[&str]| words.iter().any(|word| text.eq_ignore_ascii_case(word));
    match text.len() {
        1 => is_any(&["y", "n", "~"]),
        2 => is_any(&["no", "on"]),
        3 => is_any(&["yes", "off"]),
        4 => is_any(&["true", "null"]),
        5 => is_any(&["false"]),
        _ => false,
    }
}

/// Infinity and not-a-number, which may have a sign and a point in front.
fn is_infinite(text: &str) -> bool {
    let is_any = |words: &[&str]| words.iter().any(|word| text.eq_ignore_ascii_case(word));
    match text.len() {
        3 => is_any(&["inf", "nan"]),
        8 => is_any(&["infinity"]),
        _ => false,
    }
}

fn is_numeric(text: &str) -> bool {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    is_infinite(unsigned.strip_prefix('.').unwrap_or(unsigned))
        || is_decimal(unsigned)
        || has_radix(unsigned)
        || is_base_60(unsigned)
        || is_date(unsigned)
}

const fn is_digit_like(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'_' | b',')
}

/// The rest behind digits, underscores and commas, and how many of these there were.
fn skip_digits(bytes: &[u8]) -> (&[u8], usize) {
    let count = bytes.iter().take_while(|byte| is_digit_like(**byte)).count();
    (bytes.get(count..).unwrap_or(&[]), count)
}

/// Digits, perhaps a point and more of them, perhaps an exponent.
fn is_decimal(text: &str) -> bool {
    let (rest, whole) = skip_digits(text.as_bytes());
    let (rest, fraction) = match rest {
        [b'.', rest @ ..] => skip_digits(rest),
        rest => (rest, 0),
    };
    let rest = match rest {
        [b'e' | b'E', b'+' | b'-', rest @ ..] | [b'e' | b'E', rest @ ..] => {
            let (rest, exponent) = skip_digits(rest);
            if exponent == 0 {
                return false;
            }
            rest
        }
        rest => rest,
    };
    rest.is_empty() && whole + fraction > 0
}

/// `0x1F`, `0o17`, `0b11` in either case; go-yaml takes a sign behind `0b`.
fn has_radix(text: &str) -> bool {
    let is_digits = |rest: &[u8], is_digit: fn(&u8) -> bool| {
        !rest.is_empty() && rest.iter().all(|byte| *byte == b'_' || is_digit(byte))
    };
    // Underscores may stand in front: go-yaml drops them all before it looks.
    let text = text.trim_start_matches('_');
    match text.as_bytes() {
        [b'0', rest @ ..] => {
            let underscores = rest.iter().take_while(|byte| **byte == b'_').count();
            match rest.get(underscores..).unwrap_or(&[]) {
                [b'x' | b'X', rest @ ..] => is_digits(rest, u8::is_ascii_hexdigit),
                [b'o' | b'O', rest @ ..] => is_digits(rest, u8::is_ascii_digit),
                [b'b' | b'B', b'+' | b'-', rest @ ..] | [b'b' | b'B', rest @ ..] => {
                    is_digits(rest, u8::is_ascii_digit)
                }
                _ => false,
            }
        }
        _ => false,
    }
}

/// `12:30:45`, `1:30.5`: groups of sixty, as YAML 1.1 has them.
fn is_base_60(text: &str) -> bool {
    let whole = text.split_once('.').map_or(text, |(whole, fraction)| {
        if fraction.bytes().all(is_digit_like) { whole } else { "" }
    });
    let mut groups = whole.split(':');
    let first = groups.next().unwrap_or("");
    let mut count = 0;
    let are_groups = groups.all(|group| {
        count += 1;
        matches!(group.as_bytes(), [b'0'..=b'9'] | [b'0'..=b'5', b'0'..=b'9'])
    });
    are_groups && count > 0 && !first.is_empty() && first.bytes().all(is_digit_like)
}

/// `2001-01-01`, and with a time of day behind it.
fn is_date(text: &str) -> bool {
    let digits = |bytes: &[u8]| bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let bytes = text.as_bytes();
    let Some((year, rest)) = bytes.split_at_checked(4) else { return false };
    let [b'-', rest @ ..] = rest else { return false };
    let month = digits(rest);
    let Some([b'-', rest @ ..]) = rest.get(month..) else { return false };
    let day = digits(rest);
    let time = rest.get(day..).unwrap_or(&[]);
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
