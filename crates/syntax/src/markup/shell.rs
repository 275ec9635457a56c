//! Words of commands that a person can copy into a POSIX shell.

use std::borrow::Cow;

/// A word of a command: as it is, or in single quotes.
#[must_use]
pub fn shell_word(text: &str) -> Cow<'_, str> {
    let is_plain = |character: char| character.is_alphanumeric() || "-_./:=,@+".contains(character);
    if !text.is_empty() && text.chars().all(is_plain) && !text.starts_with('=') {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(format!("'{}'", text.replace('\'', r"'\''")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_stays_one_word() {
        for (text, word) in [
            ("web/a.yaml", "web/a.yaml"),
            ("", "''"),
            ("a b", "'a b'"),
            ("$(id)`id`", "'$(id)`id`'"),
            ("it's", r"'it'\''s'"),
            ("~root", "'~root'"),
            ("größe", "größe"),
        ] {
            assert_eq!(shell_word(text), word);
        }
    }
}
