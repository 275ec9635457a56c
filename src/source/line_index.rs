//! From byte offsets to lines and columns, as YAML counts lines: LF, CRLF and CR end one.

/// A place as people count it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct LineColumn {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

/// The starts of all lines of one text.
#[derive(Debug)]
pub struct LineIndex {
    /// Byte offset of each line's first character; the first entry is 0.
    starts: Vec<u32>,
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
                starts.push(u32::try_from(at + 1).unwrap_or(u32::MAX));
            }
        }
        Self { starts }
    }

    /// Line and column of the byte `offset`; an offset past the end counts as the end.
    #[must_use]
    pub fn line_column(&self, text: &str, offset: u32) -> LineColumn {
        let line = self.line_of(offset);
        let start = self.line_start(line) as usize;
        let end = text.floor_char_boundary(offset as usize);
        let column = text.get(start..end).map_or(0, |before| before.chars().count());
        LineColumn {
            line: u32::try_from(line).unwrap_or(u32::MAX),
            column: u32::try_from(column + 1).unwrap_or(u32::MAX),
        }
    }

    /// The line (from 1) of the byte `offset`; an offset past the end counts as the end.
    #[must_use]
    pub fn line_of(&self, offset: u32) -> usize {
        self.starts.partition_point(|start| *start <= offset)
    }

    /// Byte offset at which `line` (from 1) starts; past the last line, the last line's.
    #[must_use]
    pub fn line_start(&self, line: usize) -> u32 {
        let index = line.saturating_sub(1).min(self.starts.len() - 1);
        self.starts.get(index).copied().unwrap_or(0)
    }

    /// How many lines there are; an empty text has one.
    #[must_use]
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Never true: an empty text has one empty line.
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
    fn columns_count_characters() {
        let text = "é: x";
        let index = LineIndex::new(text);
        assert_eq!(index.line_column(text, 4), LineColumn { line: 1, column: 4 });
    }
}
