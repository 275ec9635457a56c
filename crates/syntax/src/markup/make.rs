//! Names of files in a rule of Make and Ninja.

/// A part of a rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MakePart {
    /// What the rule makes.
    Target,
    /// What it is made of.
    Prerequisite,
}

/// The name of a file as Make reads it. `None` if no rule can have it: Make would read an assignment, a
/// command or a member of an archive, whatever precedes the character.
#[must_use]
pub fn make_name(name: &str, part: MakePart) -> Option<String> {
    if name.contains(['\n', '\r', ';', '=']) || name.ends_with(')') {
        return None;
    }
    let mut text = String::new();
    // Make reads a name that starts with `~` as a home directory.
    if name.starts_with('~') {
        text.push_str("./");
    }
    let mut backslashes = 0;
    for character in name.chars() {
        let is_special = match character {
            // A target with it is a pattern.
            '%' => part == MakePart::Target,
            _ => " \t#:*?[]|".contains(character),
        };
        if is_special {
            // Backslashes before a special character are doubled, and others stand for themselves.
            text.extend(std::iter::repeat_n('\\', backslashes + 1));
        } else if character == '$' {
            text.push('$');
        }
        backslashes = if character == '\\' { backslashes + 1 } else { 0 };
        text.push(character);
    }
    Some(text)
}
