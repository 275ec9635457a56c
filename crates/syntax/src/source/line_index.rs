//! Converts byte offsets to lines and columns, with the line breaks of YAML: LF, CRLF and CR.

use super::offset;

/// A position in lines and columns.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct LineColumn {
    /// Line, starting at 1.
    pub line: u32,
    /// Column in characters, starting at 1.
    pub column: u32,
}

/// The line length, in bytes, above which characters are counted in advance, so that the cost of a
/// column does not depend on its position.
const STEP: usize = 512;

/// The starts of all lines of one file.
#[derive(Debug)]
pub struct LineIndex {
    /// Byte offset of each line's first character; the first entry is 0.
    starts: Vec<u32>,
    /// The counts in long lines, about every [`STEP`] bytes.
    counts: Vec<Count>,
}

/// The part of a line before a byte.
#[derive(Clone, Copy, Default, Debug)]
struct Count {
    /// Offset of the byte in the text.
    at: u32,
    /// Characters (Unicode scalar values) between the start of the line and that byte.
    characters: u32,
    /// The same in code units of UTF-16.
    utf16: u32,
}

impl Count {
    /// Advances over `part`, which follows.
    fn over(self, part: &str) -> Self {
        let add =
            |to: u32, value: usize| to.saturating_add(u32::try_from(value).unwrap_or(u32::MAX));
        let characters = part.chars().count();
        // One more for each character outside the basic multilingual plane, which has four bytes.
        let pairs = part.bytes().filter(|byte| *byte >= 0xf0).count();
        Self {
            at: add(self.at, part.len()),
            characters: add(self.characters, characters),
            utf16: add(self.utf16, characters + pairs),
        }
    }
}

impl LineIndex {
    /// Scans `text` once.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut starts = vec![0];
        for at in memchr::memchr2_iter(b'\n', b'\r', bytes) {
            let is_cr_of_crlf = bytes.get(at) == Some(&b'\r') && bytes.get(at + 1) == Some(&b'\n');
            if !is_cr_of_crlf {
                starts.push(offset(at + 1));
            }
        }
        let mut index = Self { starts, counts: Vec::new() };
        for line in 1..=index.len() {
            let start = index.line_start(line) as usize;
            let end = index.starts.get(line).map_or(text.len(), |end| *end as usize);
            index.count_ahead(text, start, end);
        }
        index
    }

    fn count_ahead(&mut self, text: &str, start: usize, end: usize) {
        let mut count = Count { at: offset(start), ..Count::default() };
        while end - count.at as usize > STEP {
            let at = count.at as usize;
            let next = text.floor_char_boundary(at + STEP);
            count = count.over(text.get(at..next).unwrap_or(""));
            self.counts.push(count);
        }
    }

    /// Line and column of the byte `offset`; an offset past the end counts as the end.
    #[must_use]
    pub fn line_column(&self, text: &str, offset: u32) -> LineColumn {
        let (line, count) = self.count_to(text, offset);
        LineColumn { line, column: count.characters.saturating_add(1) }
    }

    /// Like [`line_column`](Self::line_column), with columns in UTF-16 code units.
    #[must_use]
    pub fn line_column_utf16(&self, text: &str, offset: u32) -> LineColumn {
        let (line, count) = self.count_to(text, offset);
        LineColumn { line, column: count.utf16.saturating_add(1) }
    }

    /// The line of the byte `offset`, and the part of the line before it.
    fn count_to(&self, text: &str, offset: u32) -> (u32, Count) {
        let line = self.line_of(offset);
        let known = self.known_part(self.line_start(line), |count| count.at <= offset);
        let end = text.floor_char_boundary(offset as usize);
        let count = known.over(text.get(known.at as usize..end).unwrap_or(""));
        (u32::try_from(line).unwrap_or(u32::MAX), count)
    }

    /// The last part of a line that is counted and that `is_before` accepts, or the empty start of the line.
    fn known_part(&self, start: u32, is_before: impl Fn(&Count) -> bool) -> Count {
        let last = self.counts.partition_point(is_before).checked_sub(1);
        let known = last.and_then(|last| self.counts.get(last)).filter(|count| count.at > start);
        known.copied().unwrap_or(Count { at: start, ..Count::default() })
    }

    /// The line (from 1) of the byte `offset`; an offset past the end counts as the end.
    #[must_use]
    pub fn line_of(&self, offset: u32) -> usize {
        self.starts.partition_point(|start| *start <= offset)
    }

    /// The byte offset at which `line` (starting at 1) begins; a line past the last one counts as
    /// the last one.
    #[must_use]
    pub fn line_start(&self, line: usize) -> u32 {
        let index = line.saturating_sub(1).min(self.starts.len() - 1);
        self.starts.get(index).copied().unwrap_or(0)
    }

    /// The byte offset at which `line` (starting at 1) ends, without its line break.
    #[must_use]
    pub fn line_end(&self, text: &str, line: usize) -> usize {
        let Some(next) = self.starts.get(line).map(|next| *next as usize) else {
            return text.len();
        };
        let before = text.get(..next).unwrap_or("");
        let without = before.strip_suffix('\n').unwrap_or(before);
        without.strip_suffix('\r').unwrap_or(without).len()
    }

    /// The byte offset of a column of `line` (starting at 1), which is the number of UTF-16 code units before
    /// it. A column after the end of the line counts as the end, and one in a character as its start.
    #[must_use]
    pub fn offset_utf16(&self, text: &str, line: usize, column: u32) -> usize {
        let (start, end) = (self.line_start(line), self.line_end(text, line));
        let known = self.known_part(start, |count| {
            count.at <= start || (count.at as usize <= end && count.utf16 <= column)
        });
        let mut units = known.utf16 as usize;
        let rest = text.get(known.at as usize..end).unwrap_or("");
        let found = rest.char_indices().find(|(_, character)| {
            units += character.len_utf16();
            units > column as usize
        });
        found.map_or(end, |(at, _)| known.at as usize + at)
    }

    /// The number of lines; an empty file has one.
    #[must_use]
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Always false: an empty file has one empty line.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lf_crlf_and_cr_each_end_one_line() {
        let text = "a\nb\r\nc\rd";
        let index = LineIndex::new(text);
        let lines: Vec<_> = (0..8).map(|at| index.line_column(text, at).line).collect();
        assert_eq!(lines, [1, 1, 2, 2, 2, 3, 3, 4]);
    }

    #[test]
    fn columns_of_long_lines_are_the_same_as_counted() {
        let long = "aé日😀".repeat(3000);
        let text = format!("x\n{long}\r\n{long}\ny");
        let index = LineIndex::new(&text);
        assert!(index.counts.len() > 6);
        for (at, _) in text.char_indices().step_by(7) {
            let start = index.line_start(index.line_of(u32::try_from(at).unwrap())) as usize;
            let column = u32::try_from(text[start..at].chars().count() + 1).unwrap();
            assert_eq!(index.line_column(&text, u32::try_from(at).unwrap()).column, column, "{at}");
            let utf16 = u32::try_from(text[start..at].encode_utf16().count() + 1).unwrap();
            let found = index.line_column_utf16(&text, u32::try_from(at).unwrap());
            assert_eq!(found.column, utf16, "{at}");
            assert_eq!(index.offset_utf16(&text, found.line as usize, utf16 - 1), at);
        }
        assert_eq!(index.offset_utf16(&text, 2, u32::MAX), 2 + long.len());
        assert_eq!(index.line_end(&text, 2), 2 + long.len());
        assert_eq!(index.offset_utf16(&text, 4, 9), text.len());
    }

    #[test]
    fn a_line_ends_before_its_line_break() {
        let text = "a\nb\r\nc\r\rd";
        let index = LineIndex::new(text);
        let ends: Vec<_> = (1..=index.len()).map(|line| index.line_end(text, line)).collect();
        assert_eq!(ends, [1, 3, 6, 7, 9]);
        let offsets =
            [0, 1, 2, 3, 4].map(|column| LineIndex::new("😀b").offset_utf16("😀b", 1, column));
        assert_eq!(offsets, [0, 0, 4, 5, 5]);
    }

    #[test]
    fn columns_count_characters() {
        let text = "é: x";
        let index = LineIndex::new(text);
        assert_eq!(index.line_column(text, 4), LineColumn { line: 1, column: 4 });
    }
}
