//! The line at an offset of a text, with the line breaks of YAML: LF, CRLF and CR.
//!
//! Offsets count bytes. One past the end counts as the end.

use std::ops::Range;

/// The start of the line that contains an offset.
pub fn start(text: impl AsRef<[u8]>, at: usize) -> usize {
    let bytes = text.as_ref();
    let (before, _) = bytes.split_at(at.min(bytes.len()));
    memchr::memrchr2(b'\n', b'\r', before).map_or(0, |line_break| line_break + 1)
}

/// The end of the line that contains an offset, without its line break.
pub fn end(text: impl AsRef<[u8]>, at: usize) -> usize {
    let bytes = text.as_ref();
    let (before, after) = bytes.split_at(at.min(bytes.len()));
    before.len() + memchr::memchr2(b'\n', b'\r', after).unwrap_or(after.len())
}

/// The start of the line after the one that contains an offset; the end of the text if there is none.
pub fn next(text: impl AsRef<[u8]>, at: usize) -> usize {
    let bytes = text.as_ref();
    after_break(bytes, end(bytes, at))
}

/// The start of the line after the one that ends at an offset.
pub fn after_break(text: impl AsRef<[u8]>, end: usize) -> usize {
    match text.as_ref().get(end..) {
        Some([b'\r', b'\n', ..]) => end + 2,
        Some([_, ..]) => end + 1,
        _ => end,
    }
}

/// The line that contains an offset, without its line break.
pub fn range(text: impl AsRef<[u8]>, at: usize) -> Range<usize> {
    let bytes = text.as_ref();
    start(bytes, at)..end(bytes, at)
}

/// The number of bytes between the start of its line and an offset.
pub fn column(text: impl AsRef<[u8]>, at: usize) -> usize {
    at.saturating_sub(start(text, at))
}

/// The first line, without its line break.
pub fn first(text: &str) -> &str {
    text.split(['\n', '\r']).next().unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lf_crlf_and_cr_each_end_one_line() {
        let text = "a\nb\r\n\rcd";
        let lines = [(0, 0..1), (1, 0..1), (2, 2..3), (3, 2..3), (5, 5..5), (6, 6..8), (8, 6..8)];
        for (at, line) in lines {
            assert_eq!(range(text, at), line, "{at}");
            assert_eq!(column(text, at), at - line.start, "{at}");
        }
        assert_eq!([0, 1, 2, 3, 5, 6, 8, 9].map(|at| next(text, at)), [2, 2, 5, 5, 6, 8, 8, 8]);
        assert_eq!((start("", 3), end("", 3), next("", 3)), (0, 0, 0));
        assert_eq!([first("a\r\nb"), first("a"), first("")], ["a", "a", ""]);
    }
}
