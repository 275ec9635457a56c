//! Positions of the protocol: lines from 0, and columns in the unit that client and server agree on.

use std::ops::Range;

use gen_lsp_types as lsp;
use sandboxc::LineIndex;

/// The unit of columns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Encoding {
    /// Bytes.
    Utf8,
    /// Code units of UTF-16, which every client supports.
    Utf16,
}

/// A text with the index of its lines.
#[derive(Clone, Copy)]
pub(super) struct Lines<'t> {
    pub(super) text: &'t str,
    pub(super) index: &'t LineIndex,
    pub(super) encoding: Encoding,
}

impl Lines<'_> {
    /// The offset of a position. One after the end of its line is the end of the line, and one after
    /// the last line is the end of the text.
    pub(super) fn offset(self, position: lsp::Position) -> usize {
        let line = position.line as usize;
        if line >= self.index.len() {
            return self.text.len();
        }
        match self.encoding {
            Encoding::Utf16 => self.index.offset_utf16(self.text, line + 1, position.character),
            Encoding::Utf8 => {
                let start = self.index.line_start(line + 1) as usize;
                let column = position.character as usize;
                let end = self.index.line_end(self.text, line + 1);
                self.text.floor_char_boundary(start.saturating_add(column).min(end))
            }
        }
    }

    /// The position of an offset.
    pub(super) fn position(self, offset: usize) -> lsp::Position {
        let offset = self.text.floor_char_boundary(offset);
        let at = u32::try_from(offset).unwrap_or(u32::MAX);
        let place = self.index.line_column_utf16(self.text, at);
        let character = match self.encoding {
            Encoding::Utf16 => place.column.saturating_sub(1),
            Encoding::Utf8 => at.saturating_sub(self.index.line_start(place.line as usize)),
        };
        lsp::Position { line: place.line.saturating_sub(1), character }
    }

    /// The positions of a range.
    pub(super) fn range(self, range: &Range<usize>) -> lsp::Range {
        lsp::Range { start: self.position(range.start), end: self.position(range.end) }
    }

    /// The offsets of a range.
    pub(super) fn offsets(self, range: lsp::Range) -> Range<usize> {
        let (start, end) = (self.offset(range.start), self.offset(range.end));
        start.min(end)..end.max(start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_offset_and_its_position_are_the_same_place() {
        let text = "é: 😀x\r\nb\rc\n";
        let index = LineIndex::new(text);
        for encoding in [Encoding::Utf8, Encoding::Utf16] {
            let lines = Lines { text, index: &index, encoding };
            for (offset, _) in text.char_indices().filter(|it| it.1 != '\n') {
                assert_eq!(lines.offset(lines.position(offset)), offset, "{encoding:?} {offset}");
            }
            assert_eq!(lines.offset(lines.position(text.len())), text.len());
        }
    }

    #[test]
    fn columns_are_in_the_unit_of_the_client() {
        let text = "é😀x";
        let index = LineIndex::new(text);
        let of = |encoding| Lines { text, index: &index, encoding }.position(6).character;
        assert_eq!([Encoding::Utf8, Encoding::Utf16].map(of), [6, 3]);
    }

    #[test]
    fn a_position_outside_the_text_is_the_nearest_one_inside() {
        let text = "a😀\nb";
        let index = LineIndex::new(text);
        let lines = Lines { text, index: &index, encoding: Encoding::Utf16 };
        let offset = |line, character| lines.offset(lsp::Position { line, character });
        assert_eq!([offset(0, 99), offset(9, 0), offset(1, 9), offset(0, 2)], [5, 7, 7, 1]);
    }
}
