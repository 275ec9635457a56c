//! The position of the scanner, and the classes of characters that go-yaml distinguishes.

use crate::source::Slice as _;

/// A position in the text. go-yaml counts columns and the length of a key in characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Mark {
    /// Bytes from the start of the text.
    pub(super) offset: usize,
    /// Characters from the start of the text.
    pub(super) index: usize,
    pub(super) line: usize,
    pub(super) column: usize,
}

/// A text and a position in it. The end of the text reads as NUL, which `check_characters` excludes
/// from documents.
#[derive(Debug)]
pub(super) struct Cursor<'t> {
    pub(super) text: &'t str,
    pub(super) mark: Mark,
}

impl Cursor<'_> {
    /// The byte that is this number of bytes after the position.
    pub(super) fn peek(&self, ahead: usize) -> u8 {
        self.text.as_bytes().get(self.mark.offset + ahead).copied().unwrap_or(0)
    }

    pub(super) fn is_end(&self) -> bool {
        self.mark.offset >= self.text.len()
    }

    /// The length in bytes of the line break at `ahead` bytes after the position; 0 if there is none.
    pub(super) fn break_length(&self, ahead: usize) -> usize {
        match (self.peek(ahead), self.peek(ahead + 1), self.peek(ahead + 2)) {
            (b'\r', b'\n', _) | (0xc2, 0x85, _) => 2,
            (b'\r' | b'\n', ..) => 1,
            (0xe2, 0x80, 0xa8 | 0xa9) => 3,
            _ => 0,
        }
    }

    pub(super) fn is_break(&self) -> bool {
        self.break_length(0) > 0
    }

    /// A space or a tab.
    pub(super) fn is_blank(&self, ahead: usize) -> bool {
        matches!(self.peek(ahead), b' ' | b'\t')
    }

    /// A line break, or the end of the text.
    pub(super) fn is_break_or_end(&self, ahead: usize) -> bool {
        self.mark.offset + ahead >= self.text.len() || self.break_length(ahead) > 0
    }

    /// A space, a tab, a line break, or the end of the text.
    pub(super) fn is_blank_or_end(&self, ahead: usize) -> bool {
        self.is_blank(ahead) || self.is_break_or_end(ahead)
    }

    /// `---` or `...` at the start of a line.
    pub(super) fn is_document_marker(&self) -> bool {
        self.mark.column == 0 && (self.is_marker(b'-') || self.is_marker(b'.'))
    }

    pub(super) fn is_marker(&self, byte: u8) -> bool {
        self.mark.column == 0
            && (0..3).all(|ahead| self.peek(ahead) == byte)
            && self.is_blank_or_end(3)
    }

    /// A letter, a digit, `_` or `-`: the characters of anchors and tag handles.
    pub(super) fn is_word(&self) -> bool {
        self.peek(0).is_ascii_alphanumeric() || matches!(self.peek(0), b'_' | b'-')
    }

    /// Moves over a character that is not a line break.
    pub(super) fn skip(&mut self) {
        let rest = self.text.slice(self.mark.offset..);
        if let Some(c) = rest.chars().next() {
            self.mark.offset += c.len_utf8();
            self.mark.index += 1;
            self.mark.column += 1;
        }
    }

    /// Moves over several ASCII characters.
    pub(super) fn skip_bytes(&mut self, count: usize) {
        self.mark.offset += count;
        self.mark.index += count;
        self.mark.column += count;
    }

    /// Moves over a character that is not a line break, and appends it.
    pub(super) fn read(&mut self, to: &mut String) {
        let start = self.mark.offset;
        self.skip();
        to.push_str(self.text.slice(start..self.mark.offset));
    }

    /// Moves over a line break, if there is one, and appends it as go-yaml normalizes it.
    pub(super) fn read_break(&mut self, to: &mut String) {
        let length = self.break_length(0);
        match length {
            0 => return,
            3 => to.push_str(self.text.slice(self.mark.offset..self.mark.offset + 3)),
            _ => to.push('\n'),
        }
        self.skip_break();
    }

    /// Moves over a line break, if there is one.
    pub(super) fn skip_break(&mut self) {
        let length = self.break_length(0);
        if length > 0 {
            self.mark.index += if self.peek(0) == b'\r' { length } else { 1 };
            self.mark.offset += length;
            self.mark.line += 1;
            self.mark.column = 0;
        }
    }

    pub(super) fn skip_blanks(&mut self) {
        while self.is_blank(0) {
            self.skip();
        }
    }

    /// Moves over a comment, if there is one, to the end of its line.
    pub(super) fn skip_comment(&mut self) {
        if self.peek(0) == b'#' {
            while !self.is_break_or_end(0) {
                self.skip();
            }
        }
    }
}
