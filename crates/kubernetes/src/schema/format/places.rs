//! Formats of network addresses and durations.

use std::sync::LazyLock;

use regex::Regex;

/// The pattern of the API server (kube-openapi, `pkg/validation/strfmt`).
static HOSTNAME: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let inner = r"a-zA-Z0-9\p{S}\p{L}";
    let label = format!(r"[{inner}]([{inner}-]{{0,61}}[{inner}])?");
    let single = format!("[{inner}](-?[{inner}]{{0,62}})?");
    Regex::new(&format!(r"^({single}|({label}\.)+[a-zA-Z\p{{L}}]{{2,63}})$")).ok()
});

/// The longest hostname, in bytes.
const HOSTNAME_LIMIT: usize = 255;

/// The longest part between its dots, in bytes.
const PART_LIMIT: usize = 63;

/// A host name; characters of other scripts are not checked.
pub(super) fn is_hostname(text: &str) -> bool {
    text.len() <= HOSTNAME_LIMIT
        && text.split('.').all(|part| part.len() <= PART_LIMIT)
        && HOSTNAME.as_ref().is_none_or(|it| it.is_match(text))
}

/// An email address, as Go's `net/mail` parses it: alone, or in angle brackets after a name. Quoted
/// parts and comments are not checked.
pub(super) fn is_email(text: &str) -> bool {
    let address = text.trim_matches([' ', '\t']);
    if address.contains(['"', '(']) {
        return address.contains('@');
    }
    match address.split_once('<') {
        Some((name, rest)) => {
            let words = name.split([' ', '\t']).filter(|word| !word.is_empty());
            rest.strip_suffix('>').is_some_and(is_address) && words.into_iter().all(is_phrase)
        }
        None => is_address(address),
    }
}

/// `user@example.com`.
fn is_address(text: &str) -> bool {
    text.split_once('@').is_some_and(|(user, host)| {
        let is_literal = host.starts_with('[') && host.ends_with(']');
        is_dotted(user) && (is_literal || is_dotted(host))
    })
}

fn is_dotted(text: &str) -> bool {
    text.split('.').all(|part| !part.is_empty() && part.chars().all(is_atom_character))
}

/// A word before an address, which can contain dots.
fn is_phrase(word: &str) -> bool {
    word.chars().all(|character| character == '.' || is_atom_character(character))
}

fn is_atom_character(character: char) -> bool {
    !character.is_ascii()
        || character.is_ascii_alphanumeric()
        || "!#$%&'*+-/=?^_`{|}~".contains(character)
}

/// A Go duration, or any string with a number and a unit: `1h30m`, `2 weeks`.
pub(super) fn is_duration(text: &str) -> bool {
    is_go_duration(text) || has_amount(text)
}

fn is_go_duration(text: &str) -> bool {
    let mut rest = text.strip_prefix(['+', '-']).unwrap_or(text);
    if rest == "0" {
        return true;
    }
    let is_empty = rest.is_empty();
    while !rest.is_empty() {
        let is_of_number = |character: char| character.is_ascii_digit() || character == '.';
        let end = rest.find(|character| !is_of_number(character)).unwrap_or(rest.len());
        let (number, unit) = rest.split_at(end);
        let is_number = number.bytes().any(|it| it.is_ascii_digit());
        if !is_number || number.matches('.').count() > 1 {
            return false;
        }
        let (unit, behind) = unit.split_at(unit.find(is_of_number).unwrap_or(unit.len()));
        if !matches!(unit, "ns" | "us" | "µs" | "μs" | "ms" | "s" | "m" | "h") {
            return false;
        }
        rest = behind;
    }
    !is_empty
}

/// Units by their full name, of which a prefix is enough, and by their short names.
const UNITS: &[(&str, &[&str])] = &[
    ("nano", &["ns"]),
    ("micro", &["us", "µs"]),
    ("milli", &["ms"]),
    ("sec", &["s"]),
    ("min", &["m"]),
    ("hour", &["h", "hr"]),
    ("day", &["d"]),
    ("week", &["w", "wk"]),
];

/// Whether a number is followed by a unit somewhere in the string.
fn has_amount(text: &str) -> bool {
    let is_letter = |character: char| character.is_ascii_alphabetic() || character == 'µ';
    let is_digit = |character: char| character.is_ascii_digit();
    let is_unit = |name: &str| {
        UNITS.iter().any(|(long, short)| name.starts_with(long) || short.contains(&name))
    };
    // The text after each digit, up to the next one.
    text.split(is_digit).skip(1).any(|behind| {
        let unit = behind.trim_start_matches(['\t', '\n', '\u{c}', '\r', ' ']);
        let name = unit.split(|character: char| !is_letter(character)).next();
        name.is_some_and(|name| is_unit(&name.to_lowercase()))
    })
}
