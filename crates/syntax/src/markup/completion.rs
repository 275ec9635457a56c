//! Values that a shell offers to complete a line.
//!
//! A shell writes a value into the line of a person, who runs it. Shells quote what they write in
//! different ways, or, as PowerShell and the script of kubectl, not at all, and a name that begins with
//! `-` is an option in all of them. A value that needs a quote is therefore not offered.

use super::is_hidden;

/// Whether a value of the input is a word to every shell, and nothing else.
#[must_use]
pub fn is_inert_candidate(value: &str) -> bool {
    let is_first =
        |character: char| character.is_alphanumeric() || matches!(character, '.' | '_' | '/');
    let is_inner = |character: char| {
        (character.is_alphanumeric()
            || matches!(character, '.' | '_' | '/' | '-' | ':' | '=' | '+' | '@' | '[' | ']'))
            && !is_hidden(character)
    };
    value.starts_with(is_first) && value.chars().all(is_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_words_are_offered() {
        for value in ["prod", "ConfigMap/team/web", "spec.containers[main].image", "größe", "v1+a"]
        {
            assert!(is_inert_candidate(value), "{value}");
        }
        for value in [
            "",
            "-x",
            "--fail-on=never",
            ":4",
            "a b",
            "$(id)",
            "a`id`",
            "a\nb",
            "a\tb",
            "a;b",
            "a'b",
            "a\"b",
            "a\\b",
            "~root",
            "a*",
            "a\u{1b}[2J",
            "a\u{202e}b",
            "a\u{2019}b",
            "@a",
            "a&b",
            "a|b",
            "a>b",
            "a%b",
            "a,b",
            "{a}",
            "!a",
            "#a",
            "=a",
            "+a",
            "a\u{a0}b",
        ] {
            assert!(!is_inert_candidate(value), "{value:?}");
        }
    }
}
