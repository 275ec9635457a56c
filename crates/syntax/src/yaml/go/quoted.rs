//! Scalars in quotes.

use super::scalars::Gap;
use super::scanner::Scanner;
use super::{Refusal, Scalar, Style};

impl<'t> Scanner<'t> {
    /// A scalar in single or double quotes, whose opening quote is at the position. Its lines can have
    /// any indentation.
    pub(super) fn scan_quoted(&mut self, is_single: bool) -> Result<Scalar<'t>, Refusal> {
        let start = self.cursor.mark;
        let quote = if is_single { b'\'' } else { b'"' };
        self.cursor.skip_bytes(1);
        let (mut text, mut not_indented) = (String::new(), None);
        loop {
            if self.cursor.is_document_marker() {
                return self.refuse(start, "found unexpected document indicator");
            }
            if self.cursor.is_end() {
                return self.refuse(start, "found unexpected end of stream");
            }
            let mut gap = Gap::default();
            while !self.cursor.is_blank_or_end(0) {
                match (self.cursor.peek(0), self.cursor.peek(1)) {
                    (b'\'', b'\'') if is_single => {
                        text.push('\'');
                        self.cursor.skip_bytes(2);
                    }
                    (byte, _) if byte == quote => break,
                    (b'\\', _) if !is_single && self.cursor.break_length(1) > 0 => {
                        self.cursor.skip_bytes(1);
                        self.cursor.skip_break();
                        gap.has_break = true;
                        break;
                    }
                    (b'\\', escape) if !is_single => self.scan_escape(start, escape, &mut text)?,
                    _ => self.cursor.read(&mut text),
                }
            }
            if self.cursor.peek(0) == quote {
                break;
            }
            let before = self.cursor.mark.offset;
            self.skip_gap(&mut gap, |_| true);
            gap.fold(&mut text);
            // YAML 1.2 does not know the line separators of Unicode.
            let has_line = self.slice(before..self.cursor.mark.offset).contains(['\n', '\r']);
            let is_shallow = has_line
                && self.flow_level == 0
                && isize::try_from(self.cursor.mark.column)
                    .is_ok_and(|column| column <= self.indent);
            if is_shallow && !self.cursor.is_end() && not_indented.is_none() {
                not_indented = Some(self.cursor.mark.offset);
            }
        }
        self.cursor.skip_bytes(1);
        let inside = start.offset + 1..self.cursor.mark.offset.saturating_sub(1);
        let text = self.borrowed(text, inside);
        Ok(Scalar { text, style: Style::Quoted, not_indented })
    }

    /// An escape sequence, whose backslash is at the position.
    fn scan_escape(
        &mut self,
        start: super::chars::Mark,
        escape: u8,
        text: &mut String,
    ) -> Result<(), Refusal> {
        let digits = match escape {
            b'x' => 2,
            b'u' => 4,
            b'U' => 8,
            _ => {
                let Some(c) = escaped_character(escape) else {
                    return self.refuse(start, "found unknown escape character");
                };
                text.push(c);
                self.cursor.skip_bytes(2);
                return Ok(());
            }
        };
        self.cursor.skip_bytes(2);
        let mut value = 0u32;
        for ahead in 0..digits {
            let Some(digit) = char::from(self.cursor.peek(ahead)).to_digit(16) else {
                return self.refuse(start, "did not find expected hexadecimal number");
            };
            // Values over 32 bits are out of range as well.
            value = value.saturating_mul(16).saturating_add(digit);
        }
        let Some(c) = char::from_u32(value) else {
            return self.refuse(start, "found invalid Unicode character escape code");
        };
        text.push(c);
        self.cursor.skip_bytes(digits);
        Ok(())
    }
}

/// The character of an escape without digits.
const fn escaped_character(escape: u8) -> Option<char> {
    Some(match escape {
        b'0' => '\0',
        b'a' => '\x07',
        b'b' => '\x08',
        b't' | b'\t' => '\t',
        b'n' => '\n',
        b'v' => '\x0b',
        b'f' => '\x0c',
        b'r' => '\r',
        b'e' => '\x1b',
        b' ' => ' ',
        b'"' => '"',
        b'\'' => '\'',
        b'\\' => '\\',
        b'N' => '\u{85}',
        b'_' => '\u{a0}',
        b'L' => '\u{2028}',
        b'P' => '\u{2029}',
        _ => return None,
    })
}
