//! Label keys and values as Kubernetes validates them (apimachinery, `util/validation`).

use super::dns::check_dns_subdomain;
use super::fault::{Fault, Form};

const fn is_inner(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '-' | '_' | '.')
}

const fn is_end(character: char) -> bool {
    character.is_ascii_alphanumeric()
}

const LETTER_OR_DIGIT: &str = "a letter or a digit";

const NAME: Form = Form {
    limit: 63,
    inner: is_inner,
    inner_allowed: "letters, digits, `-`, `_` and `.`",
    start: is_end,
    start_allowed: LETTER_OR_DIGIT,
    end: is_end,
    end_allowed: LETTER_OR_DIGIT,
};

/// Checks the key of a label or an annotation: a name, or a DNS subdomain, `/` and a name.
pub fn check_qualified_name(key: &str) -> Result<(), Fault> {
    let name = match key.split_once('/') {
        Some((_, rest)) if rest.contains('/') => return Err(Fault::ManySlashes),
        Some(("", _)) => return Err(Fault::PrefixEmpty),
        Some((prefix, name)) => {
            check_dns_subdomain(prefix)?;
            name
        }
        None if key.is_empty() => return Err(Fault::Empty),
        None => key,
    };
    if name.is_empty() { Err(Fault::NameEmpty) } else { check_name(name) }
}

/// Checks a name that is not empty.
fn check_name(name: &str) -> Result<(), Fault> {
    let bytes = name.as_bytes();
    let is_inner = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    let is_end = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
    // Nearly all names are valid, and this is faster than the search for a fault.
    if bytes.len() <= NAME.limit
        && is_end(bytes.first())
        && is_end(bytes.last())
        && bytes.iter().all(is_inner)
    {
        return Ok(());
    }
    NAME.check(name)
}

/// Checks the value of a label, which can be empty.
pub fn check_label_value(value: &str) -> Result<(), Fault> {
    if value.is_empty() { Ok(()) } else { check_name(value) }
}

/// The label value nearest to an invalid `text`, with dashes for characters that are not allowed.
/// `None` if too little remains or the string is too long, because only the author knows what to
/// omit.
pub fn nearest_label_value(text: &str) -> Option<String> {
    let parts = text.split(|character| !is_inner(character)).filter(|part| !part.is_empty());
    let joined = parts.collect::<Vec<_>>().join("-");
    let near = joined.trim_matches(|character| !is_end(character));
    (near.len() * 2 > text.len() && check_label_value(near).is_ok()).then(|| near.to_owned())
}

/// Like [`nearest_label_value`], for the key of a label or an annotation.
pub fn nearest_qualified_name(key: &str) -> Option<String> {
    if let Some((prefix, name)) = key.split_once('/') {
        let prefix = prefix.to_ascii_lowercase();
        if check_dns_subdomain(&prefix).is_ok() {
            return nearest_label_value(name).map(|name| format!("{prefix}/{name}"));
        }
    }
    nearest_label_value(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fast_check_of_a_name_agrees_with_the_search_for_a_fault() {
        let parts = ["a", "Z", "7", "-", "_", ".", "/", " ", "\u{e9}"];
        let pairs = parts.iter().flat_map(|one| parts.map(|other| format!("{one}{other}")));
        let ends = parts.iter().flat_map(|one| parts.map(|other| format!("{one}.{other}")));
        let lengths = [1, 62, 63, 64].map(|length| "a".repeat(length));
        for name in pairs.chain(ends).chain(lengths) {
            assert_eq!(check_name(&name), NAME.check(&name), "{name}");
        }
    }

    #[test]
    fn suggestions_are_valid() {
        let values = [
            ("search:infra", Some("search-infra")),
            ("nginx:1.29", Some("nginx-1.29")),
            (" a b ", Some("a-b")),
            ("-a.", None),
            ("ab.", Some("ab")),
            ("é", None),
            ("://", None),
        ];
        for (text, near) in values {
            assert_eq!(nearest_label_value(text).as_deref(), near, "{text}");
            assert!(near.is_none_or(|near| check_label_value(near).is_ok()));
        }
        assert_eq!(nearest_label_value(&"a:".repeat(40)), None);
        let keys = [
            ("team:search", Some("team-search")),
            ("example.com/a:b", Some("example.com/a-b")),
            ("a/b/c", Some("a/b-c")),
            ("Example.com/app", Some("example.com/app")),
            ("/name", Some("name")),
            ("name/", None),
            ("", None),
        ];
        for (key, near) in keys {
            assert_eq!(nearest_qualified_name(key).as_deref(), near, "{key}");
            assert!(near.is_none_or(|near| check_qualified_name(near).is_ok()));
        }
    }

    #[test]
    fn a_key_may_have_one_prefix() {
        for key in ["a", "A_b.c-d", "example.com/a", "1", "x.y.z/A"] {
            assert_eq!(check_qualified_name(key), Ok(()), "{key}");
        }
        for key in ["", "a/b/c", "/a", "a/", "Example.com/a", "a b", "_a", "a-", "ex_ample.com/a"] {
            assert!(check_qualified_name(key).is_err(), "{key}");
        }
        assert!(check_qualified_name(&"a".repeat(64)).is_err());
        assert_eq!(check_qualified_name(&format!("{}/a", "a".repeat(253))), Ok(()));
    }

    #[test]
    fn a_value_may_be_empty_and_has_no_colon() {
        for value in ["", "a", "v1.2_3-x", "8"] {
            assert_eq!(check_label_value(value), Ok(()), "{value}");
        }
        for value in ["a:b", "a/b", "-a", "a.", "é"] {
            assert!(check_label_value(value).is_err(), "{value}");
        }
        assert!(check_label_value(&"a".repeat(64)).is_err());
    }
}
