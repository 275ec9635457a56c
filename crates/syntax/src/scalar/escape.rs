//! Escapes that Go and CEL strings have in common.

/// The control character that is written as a backslash and this letter (Go, `strconv.UnquoteChar`;
/// the language definition of CEL).
pub const fn control_character(letter: char) -> Option<char> {
    match letter {
        'a' => Some('\u{7}'),
        'b' => Some('\u{8}'),
        'f' => Some('\u{c}'),
        'n' => Some('\n'),
        'r' => Some('\r'),
        't' => Some('\t'),
        'v' => Some('\u{b}'),
        _ => None,
    }
}
