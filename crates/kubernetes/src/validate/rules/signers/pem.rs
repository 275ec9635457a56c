//! PEM blocks, as Go's `encoding/pem` reads them: text around them and damaged ones are skipped.

use crate::scalar::{decode_base64, is_base64};

const BEGIN: &str = "-----BEGIN ";
const END: &str = "\n-----END ";
const DASHES: &str = "-----";

/// A block.
pub(in crate::validate::rules) struct Block<'t> {
    /// `CERTIFICATE`.
    pub(in crate::validate::rules) label: &'t str,
    /// Whether lines such as `Proc-Type: 4` come before the contents.
    pub(in crate::validate::rules) has_headers: bool,
    pub(in crate::validate::rules) contents: Vec<u8>,
}

/// The blocks of a text. As for Go, a block ends at the next line that ends one: with another label,
/// or after the beginning of another block, it is damaged.
pub(in crate::validate::rules) fn blocks(text: &str) -> impl Iterator<Item = Block<'_>> {
    let mut rest = text;
    let mut ends = text.match_indices(END).map(|(at, _)| at).peekable();
    std::iter::from_fn(move || {
        loop {
            let from = rest.find(BEGIN)?;
            let is_line = from == 0 || rest.get(..from)?.ends_with('\n');
            rest = rest.get(from + BEGIN.len()..)?;
            let Some((label, after)) = rest.split_once(DASHES).filter(|_| is_line) else {
                continue;
            };
            let start = text.len() - after.len();
            while ends.next_if(|end| *end < start).is_some() {}
            let end = *ends.peek()?;
            let content = text.get(start..end)?;
            let left = text.get(end + END.len()..)?.strip_prefix(label);
            let Some(left) = left.and_then(|it| it.strip_prefix(DASHES)) else { continue };
            if content.contains(BEGIN) {
                continue;
            }
            rest = left;
            let has_headers = content.contains(':');
            let lines = content.lines().filter(|it| !it.contains(':'));
            let body: String = lines.flat_map(str::split_whitespace).collect();
            if left.lines().next().unwrap_or("").trim().is_empty() && is_base64(&body) {
                return Some(Block { label, has_headers, contents: decode_base64(&body) });
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(text: &str) -> Vec<&str> {
        blocks(text).map(|it| it.label).collect()
    }

    #[test]
    fn damaged_blocks_are_skipped() {
        let block = "-----BEGIN A-----\nQUJD\n-----END A-----\n";
        assert_eq!(labels(block), ["A"]);
        assert_eq!(labels(&format!("text\n{block}text\n{block}")), ["A", "A"]);
        for begin in ["-----BEGIN A-----\n", "-----BEGIN B-----\n", "-----BEGIN A-----\nQUJD\n"] {
            assert_eq!(labels(&format!("{begin}{block}")), ["A"], "{begin}");
        }
        for damaged in [
            "",
            "-----BEGIN A-----\nQUJD\n",
            "-----BEGIN A-----\nQUJD\n-----END B-----\n",
            "-----BEGIN A-----\nQUJ\n-----END A-----\n",
            "-----BEGIN A-----\nQUJD\n-----END A----- text\n",
            " -----BEGIN A-----\nQUJD\n-----END A-----\n",
        ] {
            assert!(labels(damaged).is_empty(), "{damaged}");
        }
    }
}
