//! Label keys and values as Kubernetes takes them (apimachinery, `util/validation`).

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

/// The key of a label or an annotation: a name, or a DNS subdomain, `/` and a name.
pub(crate) fn check_qualified_name(key: &str) -> Result<(), Fault> {
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
    if name.is_empty() { Err(Fault::NameEmpty) } else { NAME.check(name) }
}

/// The value of a label; may be empty.
pub(crate) fn check_label_value(value: &str) -> Result<(), Fault> {
    if value.is_empty() { Ok(()) } else { NAME.check(value) }
}

#[cfg(test)]
mod tests {
    use super::*;

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
