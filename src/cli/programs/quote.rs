//! What a program has printed, as a quote.
//!
//! It can repeat anything that is in the input: sequences for a terminal, and lines that a CI system obeys.

use sandboxc::markup::visible_line;

/// The maximum number of lines that are shown.
const MOST_LINES: usize = 100;

/// The maximum number of characters of a line that are shown.
const LONGEST_LINE: usize = 1_000;

/// The messages of a program. Each line starts with the name of the program, so none starts with a command of a
/// CI system, such as `::error`, and contains no other commands, control characters or line breaks.
pub(super) fn quoted(program: &str, messages: &[u8]) -> String {
    let text = String::from_utf8_lossy(messages);
    let mut lines = text.trim_end().lines();
    let mut quote = String::new();
    for line in lines.by_ref().take(MOST_LINES) {
        let mut start: String = line.chars().take(LONGEST_LINE).collect();
        if start.len() < line.len() {
            start.push_str("...");
        }
        // `##[error]` and `##vso[...]` are obeyed anywhere in a line.
        let shown = visible_line(&start.replace('\t', "    ")).replace("##", r"#\u{23}");
        quote.push_str(format!("{program}: {shown}").trim_end());
        quote.push('\n');
    }
    let left = lines.count();
    if left > 0 {
        let noun = if left == 1 { "line" } else { "lines" };
        quote.extend([program, ": ... and ", &left.to_string(), " more ", noun, "\n"]);
    }
    quote
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_lines_without_effect() {
        let messages =
            "::error file=a::b\r\n  ::stop-commands::x\n\u{1b}[31mred\u{202e}\n\n##[group]a\tb\n\n";
        assert_eq!(
            quoted("helm", messages.as_bytes()),
            "helm: ::error file=a::b\nhelm:   ::stop-commands::x\nhelm: ␛[31mred\u{fffd}\nhelm:\n\
             helm: #\\u{23}[group]a    b\n"
        );
        assert_eq!(
            quoted("helm", b"a\x0b::error::b\x0c::error::c\n"),
            "helm: a␋::error::b␌::error::c\n"
        );
        assert_eq!(quoted("helm", b"\xff\r::error::x"), "helm: \u{fffd}␍::error::x\n");
        assert_eq!(quoted("helm", b""), "");
    }

    #[test]
    fn long_messages_are_cut() {
        let quote = quoted("helm", "a\n".repeat(150).as_bytes());
        assert_eq!(quote.lines().count(), 101);
        assert!(quote.ends_with("helm: ... and 50 more lines\n"), "{quote}");
        let quote = quoted("helm", "a\n".repeat(101).as_bytes());
        assert!(quote.ends_with("helm: ... and 1 more line\n"), "{quote}");
        let quote = quoted("helm", "a".repeat(5000).as_bytes());
        assert_eq!(quote, format!("helm: {}...\n", "a".repeat(1000)));
    }
}
