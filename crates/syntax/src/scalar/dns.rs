//! DNS names as Kubernetes validates them (apimachinery, `util/validation`).

use super::KubernetesVersion;
use super::fault::{Fault, Form};
use crate::message::{Message, message};

const fn is_lower_or_digit(character: char) -> bool {
    character.is_ascii_lowercase() || character.is_ascii_digit()
}

const fn is_label_character(character: char) -> bool {
    is_lower_or_digit(character) || character == '-'
}

const LETTERS: &str = "lowercase letters, digits and `-`";
const LETTER_OR_DIGIT: &str = "a lowercase letter or a digit";

const LABEL: Form = Form {
    limit: 63,
    inner: is_label_character,
    inner_allowed: LETTERS,
    start: is_lower_or_digit,
    start_allowed: LETTER_OR_DIGIT,
    end: is_lower_or_digit,
    end_allowed: LETTER_OR_DIGIT,
};

const SERVICE_NAME: Form =
    Form { start: |it| it.is_ascii_lowercase(), start_allowed: "a lowercase letter", ..LABEL };

/// The maximum length of a DNS subdomain, in bytes: of the names of most objects, and of the domains of
/// labels.
pub const SUBDOMAIN_LIMIT: usize = 253;

/// Checks a DNS label of RFC 1123: container names, volume names.
pub fn check_dns_label(text: &str) -> Result<(), Fault> {
    let bytes = text.as_bytes();
    if bytes.len() <= LABEL.limit && !bytes.contains(&b'.') && is_dns_subdomain(bytes) {
        return Ok(());
    }
    if text.is_empty() { Err(Fault::Empty) } else { LABEL.check(text) }
}

/// Checks a DNS label of RFC 1035: Service names.
pub fn check_service_name(text: &str) -> Result<(), Fault> {
    if text.is_empty() { Err(Fault::Empty) } else { SERVICE_NAME.check(text) }
}

/// The version from which a Service may be called `1web` (`RelaxedServiceNameValidation`).
pub const RELAXED_SERVICE_NAMES: u8 = 36;

/// The check of the name of a Service in a version.
pub fn service_name_check(target: KubernetesVersion) -> fn(&str) -> Result<(), Fault> {
    if target.minor() < RELAXED_SERVICE_NAMES { check_service_name } else { check_dns_label }
}

/// A DNS subdomain after RFC 1123: labels of any length, with dots between them.
pub fn check_dns_subdomain(text: &str) -> Result<(), Fault> {
    const PART: Form = Form { limit: SUBDOMAIN_LIMIT, ..LABEL };
    if is_dns_subdomain(text.as_bytes()) {
        return Ok(());
    }
    if text.is_empty() {
        return Err(Fault::Empty);
    }
    if text.len() > SUBDOMAIN_LIMIT {
        return Err(Fault::TooLong { length: text.len(), limit: SUBDOMAIN_LIMIT });
    }
    text.split('.')
        .try_for_each(|part| if part.is_empty() { Err(Fault::EmptyPart) } else { PART.check(part) })
}

/// Whether the bytes are a DNS subdomain. Nearly all names are, and this is faster than the search for a fault.
fn is_dns_subdomain(bytes: &[u8]) -> bool {
    let mut before = b'.';
    for byte in bytes {
        let is_valid = match byte {
            b'a'..=b'z' | b'0'..=b'9' => true,
            b'-' => before != b'.',
            b'.' => !matches!(before, b'.' | b'-'),
            _ => false,
        };
        if !is_valid {
            return false;
        }
        before = *byte;
    }
    bytes.len() <= SUBDOMAIN_LIMIT && !matches!(before, b'.' | b'-')
}

/// Checks a prefix of a DNS subdomain, to which the API server appends: a trailing dash is replaced
/// together with the character before it (apimachinery, `api/validation/generic.go`).
pub fn check_dns_prefix(text: &str) -> Result<(), Fault> {
    let Some(rest) = text.strip_suffix('-').filter(|rest| !rest.is_empty()) else {
        return check_dns_subdomain(text);
    };
    let mut masked = rest.to_owned();
    masked.pop();
    masked.push('a');
    check_dns_subdomain(&masked)
}

/// Checks a search domain: a DNS subdomain whose labels can start with `_` and contain more of
/// them, with an optional trailing dot, or only a dot (`RelaxedDNSSearchValidation`).
pub fn check_search_domain(text: &str) -> Result<(), Fault> {
    const PART: Form = Form {
        limit: SUBDOMAIN_LIMIT,
        inner: |character| is_label_character(character) || character == '_',
        inner_allowed: "lowercase letters, digits, `-` and `_`",
        ..LABEL
    };
    if text == "." {
        return Ok(());
    }
    let text = text.strip_suffix('.').unwrap_or(text);
    if text.len() > SUBDOMAIN_LIMIT {
        return Err(Fault::TooLong { length: text.len(), limit: SUBDOMAIN_LIMIT });
    }
    text.split('.').try_for_each(|part| match part.strip_prefix('_').unwrap_or(part) {
        "" => Err(Fault::Empty),
        part => PART.check(part),
    })
}

/// The DNS label nearest to an invalid string, for messages.
pub fn near_dns_label(text: &str) -> Message {
    let plain = |character: char| if is_lower_or_digit(character) { character } else { '-' };
    let label: String = text.to_lowercase().chars().map(plain).take(LABEL.limit).collect();
    let label = label.trim_matches('-');
    if check_dns_label(label).is_ok() && label != text {
        message!("write `{label}`")
    } else {
        "use at most 63 lowercase letters, digits and `-`, without `-` at either end".into()
    }
}

/// The DNS subdomain nearest to `text`; `unnamed` if nothing of it remains.
pub fn nearest_dns_subdomain(text: &str) -> String {
    let plain = |character: char| {
        if is_lower_or_digit(character) || character == '.' { character } else { '-' }
    };
    let name: String = text.to_lowercase().chars().map(plain).collect();
    let parts = name.split('.').map(|part| part.trim_matches('-')).filter(|part| !part.is_empty());
    let name = parts.collect::<Vec<_>>().join(".");
    if check_dns_subdomain(&name).is_ok() { name } else { "unnamed".to_owned() }
}

/// Checks a name that only has to be a URL path segment: Roles and their bindings (apimachinery,
/// `api/validation/path`).
pub fn check_path_segment(text: &str) -> Result<(), Fault> {
    if matches!(text, "." | "..") {
        return Err(Fault::Start { character: '.', allowed: "a name other than `.` and `..`" });
    }
    check_path_segment_prefix(text)
}

/// Checks the start of a segment of a URL path, which can be `..` (`IsValidPathSegmentPrefix`).
pub fn check_path_segment_prefix(text: &str) -> Result<(), Fault> {
    match text.chars().find(|character| matches!(character, '/' | '%')) {
        Some(character) => {
            Err(Fault::Character { character, allowed: "anything except `/` and `%`" })
        }
        None if text.is_empty() => Err(Fault::Empty),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_has_63_characters_and_no_dot() {
        assert_eq!(check_dns_label(&"a".repeat(63)), Ok(()));
        assert_eq!(check_dns_label(&"a".repeat(64)), Err(Fault::TooLong { length: 64, limit: 63 }));
        assert!(check_dns_label("a.b").is_err());
        assert!(check_dns_label("A").is_err());
        assert!(check_dns_label("-a").is_err());
        assert!(check_dns_label("a-").is_err());
        assert_eq!(check_dns_label("1a"), Ok(()));
    }

    #[test]
    fn a_service_name_starts_with_a_letter() {
        assert_eq!(check_service_name("a1"), Ok(()));
        assert_eq!(
            check_service_name("1a"),
            Err(Fault::Start { character: '1', allowed: "a lowercase letter" })
        );
    }

    #[test]
    fn a_prefix_may_end_in_a_dash() {
        for text in ["a", "a-", "a--", "a.-", "a.b", "A-"] {
            assert_eq!(check_dns_prefix(text), Ok(()), "{text}");
        }
        for text in ["", "-", "a.", "Aa-", "-a-"] {
            assert!(check_dns_prefix(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_search_domain_may_have_underscores() {
        for text in [".", "a", "a.b.", "_tcp.a_b.c", "svc.cluster.local"] {
            assert_eq!(check_search_domain(text), Ok(()), "{text}");
        }
        for text in ["", "..", "a b", "a..b", "A", "__a", "a_"] {
            assert!(check_search_domain(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_suggested_label_is_valid() {
        assert_eq!(near_dns_label("My_App"), "write `my-app`");
        assert_eq!(near_dns_label("-a.b-"), "write `a-b`");
        assert!(near_dns_label("___").as_prose().starts_with("use at most"));
    }

    #[test]
    fn a_subdomain_is_labels_between_dots() {
        assert_eq!(check_dns_subdomain("a.b-c.d"), Ok(()));
        assert!(check_dns_subdomain("a..b").is_err());
        assert!(check_dns_subdomain("a.-b").is_err());
        assert!(check_dns_subdomain(&"a".repeat(254)).is_err());
    }

    /// Each string of at most four of these characters.
    fn strings() -> Vec<String> {
        let mut all = vec![String::new()];
        let mut from = 0;
        for _ in 0..4 {
            let to = all.len();
            for at in from..to {
                all.extend(
                    ["a", "7", "-", ".", "A", "_", "\u{e9}"].map(|text| all[at].clone() + text),
                );
            }
            from = to;
        }
        all
    }

    #[test]
    fn the_fast_check_of_a_name_agrees_with_the_search_for_a_fault() {
        let long = |length: usize| "a".repeat(length);
        let lengths = [62, 63, 64, 252, 253, 254].map(long);
        for text in strings().into_iter().chain(lengths) {
            let is_label = |label: &str| !label.is_empty() && LABEL.check(label).is_ok();
            assert_eq!(check_dns_label(&text).is_ok(), is_label(&text), "{text}");
            let part = Form { limit: SUBDOMAIN_LIMIT, ..LABEL };
            let is_part = |piece: &str| !piece.is_empty() && part.check(piece).is_ok();
            let is_subdomain = text.len() <= SUBDOMAIN_LIMIT && text.split('.').all(is_part);
            assert_eq!(check_dns_subdomain(&text).is_ok(), is_subdomain, "{text}");
        }
    }
}
