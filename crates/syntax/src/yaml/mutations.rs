//! Inputs for tests: documents from the fixtures with a few random edits, the same in every run.

use std::path::Path;

#[allow(dead_code, reason = "other tests use the rest")]
#[path = "../../../../tests/support/cases.rs"]
pub(crate) mod cases;

/// Pieces that change the meaning of a document, or make it invalid.
const PIECES: &[&str] = &[
    " ", "  ", "\n", "\t", ":", ": ", "- ", "-", "\n- ", "\n  ", "#", " #", "\"", "'", "\\", "{",
    "}", "[", "]", ", ", "|", "|-\n", ">", ">+2\n", "? ", "&a ", "*a", "!!str ", "! ", "!x ",
    "<<: ", "---\n", "\n---\n", "...\n", "%", "@", "`", "~", "null", "yes", "012", "1e3", ".inf",
    "{{ x }}", "é", "\u{a0}", "\u{2028}", "\u{85}", "\u{feff}", "\r\n", "\r", "\0", "\u{1b}",
    "\"a\": ", "'b': ", "k: v\n", "x", "//", "?", "=", "<<", "- - ", "[]", "{}", "\n\n", "a:b",
    "\\n", "\\u00e9", "''", "\"\"", "😀",
];

/// A random number generator (xorshift) with a fixed seed.
pub(crate) struct Random(pub u64);

impl Random {
    /// A number below `limit`.
    #[allow(clippy::missing_panics_doc, reason = "for tests")]
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).expect("31 bits") % limit.max(1)
    }

    fn pick<'a>(&mut self, items: &[&'a str]) -> &'a str {
        items[self.below(items.len())]
    }

    /// `text` with one to three edits.
    pub(crate) fn mutate(&mut self, text: &str) -> String {
        let mut text = text.to_owned();
        for _ in 0..=self.below(3) {
            let at = text.floor_char_boundary(self.below(text.len() + 1));
            let end = text.ceil_char_boundary((at + self.below(6)).min(text.len()));
            match self.below(6) {
                0 => text.replace_range(at..end, ""),
                1 => text.replace_range(at..end, self.pick(PIECES)),
                2 => {
                    let lines: Vec<_> = text.split_inclusive('\n').collect();
                    let line = if lines.is_empty() { "" } else { self.pick(&lines) }.to_owned();
                    let start = text[..at].rfind('\n').map_or(0, |at| at + 1);
                    text.insert_str(start, &line);
                }
                3 => {
                    let start = text[..at].rfind('\n').map_or(0, |at| at + 1);
                    if self.below(2) == 0 {
                        text.insert(start, ' ');
                    } else if text[start..].starts_with(' ') {
                        text.remove(start);
                    }
                }
                4 => text.truncate(at),
                _ => text.insert_str(at, self.pick(PIECES)),
            }
        }
        text
    }
}

/// All UTF-8 fixtures except for long ones, sorted by path.
pub(crate) fn fixture_texts() -> Vec<String> {
    // The main package compiles this file too.
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let roots = ["", "../.."].map(|folder| package.join(folder));
    let root = roots.into_iter().find(|root| root.join("fixtures").exists()).expect("fixtures");
    let inputs = cases::inputs(&root, "").into_iter();
    let texts = inputs.filter_map(|(_, bytes)| String::from_utf8(bytes).ok());
    texts.filter(|text| text.len() < 1_000).collect()
}
