//! Detects strings that substitution can turn into another type: `${PORT}`, `0x$(ADDRESS)`.
//!
//! A program that replaces placeholders in the output, such as `envsubst`, does not know YAML. With
//! quotes, its result is a string, whatever the value.

use super::doubt::{NOT_FINITE, WORDS, is_doubtful};
use crate::scalar::parts_around_placeholders;

/// The maximum length, in bytes, of a string that is searched: a longer one has too much other text.
const MAX_LENGTH: usize = 200;

/// Values of the first placeholder and of the others that complete the forms of numbers and dates.
const SAMPLES: [(&str, &str); 5] =
    [("", ""), ("1", "1"), ("2001", "12"), ("2001-01-01", "12"), ("2001-01-01", "12:30:45")];

/// Whether there are values for its placeholders with which some reader reads no string.
pub(super) fn can_become_doubtful(text: &str) -> bool {
    if text.len() > MAX_LENGTH || !text.contains(['$', '{', '_', '@', '<']) {
        return false;
    }
    let parts = parts_around_placeholders(text);
    let Some((first, rest)) = parts.split_first().filter(|(_, rest)| !rest.is_empty()) else {
        return false;
    };
    let is_doubtful_with = |(value, others): &(&str, &str)| {
        let after = rest.join(others);
        is_doubtful(&format!("{first}{value}{after}"))
    };
    let mut words = WORDS.iter().chain(&NOT_FINITE);
    SAMPLES.iter().any(is_doubtful_with) || words.any(|word| has_in_order(word, first, rest))
}

/// Whether a word consists of these parts, with anything between them.
fn has_in_order(word: &str, first: &str, rest: &[&str]) -> bool {
    let lower = |part: &str| part.to_ascii_lowercase();
    let Some(word) = word.strip_prefix(&lower(first)) else { return false };
    let Some((last, middle)) = rest.split_last() else { return word.is_empty() };
    let Some(word) = word.strip_suffix(&lower(last)) else { return false };
    let mut parts = middle.iter();
    parts.try_fold(word, |word, part| word.split_once(&lower(part)).map(|rest| rest.1)).is_some()
}

#[cfg(test)]
mod tests {
    use super::can_become_doubtful;

    #[test]
    fn a_string_is_quoted_if_a_value_of_its_placeholder_changes_its_type() {
        for text in [
            "${PORT}",
            "$PORT",
            "$(PORT)",
            "__PORT__",
            "@PORT@",
            "<PORT>",
            "{{ .port }}",
            "${PORT:=80}",
            "$A$B",
            "0x${A}",
            "1e$A",
            "-${A}",
            "${A}.5",
            "${H}:${M}",
            "${Y}-01-02",
            "${Y}-${M}-${D}",
            "${D}T${T}",
            "${A}_000",
            "tr${UE}",
            "y${ES}",
            "<A>.<B>",
            "1@N@",
            "=${A}",
            "~$A",
        ] {
            assert!(can_become_doubtful(text), "{text}");
        }
    }

    #[test]
    fn other_text_keeps_a_string_a_string() {
        for text in [
            "",
            "80",
            "web-${A}",
            "${A}/x",
            "${SIZE}Gi",
            "${A}-db",
            "$5",
            "a_b",
            "__init__.py",
            "user@example.com",
            "x:${TAG}",
            "$(echo a b)",
            "1 < 2 > 1",
            "trick-${A}",
        ] {
            assert!(!can_become_doubtful(text), "{text}");
        }
        assert!(!can_become_doubtful(&"1".repeat(300).replace("11", "$A")));
    }
}
