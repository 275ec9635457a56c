//! Names that some operating system does not have, or takes for one another.
//!
//! Output is committed, and checked out by others: `A` and `a` are one directory on macOS and Windows, `con` is a
//! device on Windows, which also drops the dots and spaces at the end of a name.

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

/// The names of devices, with any extension. COM and LPT have numbers.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "conin$", "conout$"];

/// Why a name cannot be that of a file or directory on all systems; `None` if it can.
pub(in crate::cli) fn unusable_name(name: &str) -> Option<&'static str> {
    let is_allowed = |character: char| match character {
        '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|' => false,
        _ if character.is_ascii() => !character.is_control(),
        _ => character.is_alphanumeric() || is_combining_mark(character),
    };
    if name.is_empty() {
        Some("it is empty")
    } else if name.starts_with('.') {
        Some("files whose names start with a dot are hidden")
    } else if name.ends_with(['.', ' ']) {
        Some("Windows drops the dot or space at its end")
    } else if !name.chars().all(is_allowed) {
        Some("it has a character that not all systems allow in names")
    } else if is_device(name) {
        Some("it is a device on Windows")
    } else if name.len() > LONGEST {
        Some("it is longer than 220 bytes")
    } else {
        None
    }
}

/// The maximum length of a name, in bytes; file systems in use allow 255.
const LONGEST: usize = 220;

fn is_device(name: &str) -> bool {
    let stem =
        name.split_once('.').map_or(name, |(stem, _)| stem).trim_end_matches(' ').to_lowercase();
    let numbered = ["com", "lpt"].into_iter().find_map(|it| stem.strip_prefix(it));
    let is_number = |name: &str| {
        let mut characters = name.chars();
        matches!(characters.next(), Some('0'..='9' | '¹' | '²' | '³'))
            && characters.next().is_none()
    };
    DEVICES.contains(&stem.as_str()) || numbered.is_some_and(is_number)
}

/// Two names that some system takes for one.
#[derive(PartialEq, Eq, Debug)]
pub(in crate::cli) struct Collision<'n> {
    pub(in crate::cli) first: &'n str,
    pub(in crate::cli) second: &'n str,
}

/// The first two names that are one without regard to case and Unicode normalization.
pub(in crate::cli) fn find_collision<'n>(
    names: impl IntoIterator<Item = &'n str>,
) -> Option<Collision<'n>> {
    let mut folded: Vec<_> = names.into_iter().map(|name| (fold(name), name)).collect();
    folded.sort();
    folded.windows(2).find_map(|pair| match pair {
        [(one, first), (other, second)] if one == other => Some(Collision { first, second }),
        _ => None,
    })
}

/// The form in which names are compared.
fn fold(name: &str) -> String {
    if name.is_ascii() {
        return name.to_ascii_lowercase();
    }
    let decomposed: String = name.nfd().collect();
    // Only the uppercase of some letters is the same: `ß` and `ss`, `ς` and `σ`.
    decomposed.to_uppercase().to_lowercase().nfd().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_all_systems() {
        for name in
            ["dev", "Prod", "eu-west_1", "a b", "v1.2", "größe", "本番", "con1", "com10", "common"]
        {
            assert_eq!(unusable_name(name), None, "{name}");
        }
        let long = "a".repeat(300);
        for name in [
            "",
            ".",
            "..",
            ".a",
            "a.",
            "a ",
            "CON",
            "con.yaml",
            "Nul .x",
            "COM1",
            "lpt9.a",
            "com¹",
            "a/b",
            "a\\b",
            "a:b",
            "a\u{0}",
            "a\tb",
            "a\u{7f}",
            "\u{202e}a",
            "a\u{200b}",
            "\u{feff}",
            "a\u{ad}b",
            &long,
        ] {
            assert!(unusable_name(name).is_some(), "{name:?}");
        }
    }

    #[test]
    fn names_that_differ_on_some_systems_only() {
        for (one, other) in [
            ("A", "a"),
            ("straße", "STRASSE"),
            ("é", "e\u{301}"),
            ("É", "e\u{301}"),
            ("ς", "Σ"),
            ("K", "\u{212a}"),
            ("가", "\u{1100}\u{1161}"),
        ] {
            let found = find_collision([one, "x", other])
                .map(|collision| [collision.first, collision.second]);
            assert!(found == Some([one, other]) || found == Some([other, one]), "{one} {other}");
        }
        assert_eq!(find_collision(["a", "b", "ab", "e", "é"]), None);
    }
}
