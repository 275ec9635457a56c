//! Escapes file names, which can contain terminal control sequences.

/// Replaces each control and bidirectional character with an escape such as `\u{1b}`.
pub(crate) fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        if is_hidden(character) {
            shown.extend(character.escape_unicode());
        } else {
            shown.push(character);
        }
    }
    shown
}

fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{ad}'
                | '\u{61c}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_contain_terminal_escapes() {
        let name = "a\u{1b}[31m\n\u{9b}\u{202e}.yaml";
        assert_eq!(visible(name), r"a\u{1b}[31m\u{a}\u{9b}\u{202e}.yaml");
        assert_eq!(visible("größe 1.yaml"), "größe 1.yaml");
    }
}
