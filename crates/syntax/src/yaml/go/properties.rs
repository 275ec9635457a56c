//! Anchors, aliases, tags and directives.

use super::Refusal;
use super::chars::Mark;
use super::scanner::{Scanner, TokenKind};
use crate::source::Slice as _;

impl<'t> Scanner<'t> {
    /// The letters, digits, `-` and `_` from the position on.
    fn scan_word(&mut self) -> &'t str {
        let start = self.cursor.mark.offset;
        while self.cursor.is_word() {
            self.cursor.skip_bytes(1);
        }
        self.slice(start..self.cursor.mark.offset)
    }

    /// The name of an anchor or alias, whose `&` or `*` is at the position.
    pub(super) fn scan_anchor(&mut self) -> Result<&'t str, Refusal> {
        let start = self.cursor.mark;
        self.cursor.skip_bytes(1);
        let name = self.scan_word();
        let is_separated = self.cursor.is_blank_or_end(0)
            || matches!(self.cursor.peek(0), b'?' | b':' | b',' | b']' | b'}' | b'%' | b'@' | b'`');
        if name.is_empty() || !is_separated {
            return self.refuse(start, "did not find expected alphabetic or numeric character");
        }
        Ok(name)
    }

    /// A tag, whose `!` is at the position.
    pub(super) fn scan_tag(&mut self) -> Result<TokenKind<'t>, Refusal> {
        let start = self.cursor.mark;
        let (handle, suffix) = if self.cursor.peek(1) == b'<' {
            self.cursor.skip_bytes(2);
            let suffix = self.scan_tag_uri("", start)?;
            if self.cursor.peek(0) != b'>' {
                return self.refuse(start, "did not find the expected '>'");
            }
            self.cursor.skip_bytes(1);
            (String::new(), suffix)
        } else {
            let handle = self.scan_tag_handle(false, start)?;
            if handle.len() > 1 && handle.ends_with('!') {
                let suffix = self.scan_tag_uri("", start)?;
                (handle, suffix)
            } else {
                match self.scan_tag_uri(&handle, start)? {
                    suffix if suffix.is_empty() => (String::new(), "!".to_owned()),
                    suffix => ("!".to_owned(), suffix),
                }
            }
        };
        if !self.cursor.is_blank_or_end(0) {
            return self.refuse(start, "did not find expected whitespace or line break");
        }
        Ok(TokenKind::Tag(handle, suffix))
    }

    /// `!`, `!!` or `!name!`, or the start of a tag without a handle.
    fn scan_tag_handle(&mut self, is_directive: bool, start: Mark) -> Result<String, Refusal> {
        if self.cursor.peek(0) != b'!' {
            return self.refuse(start, "did not find expected '!'");
        }
        let mut handle = String::new();
        self.cursor.read(&mut handle);
        while self.cursor.is_word() {
            self.cursor.read(&mut handle);
        }
        if self.cursor.peek(0) == b'!' {
            self.cursor.read(&mut handle);
        } else if is_directive && handle != "!" {
            return self.refuse(start, "did not find expected '!'");
        }
        Ok(handle)
    }

    /// The rest of a tag that begins with `head`, whose `!` is not part of it.
    fn scan_tag_uri(&mut self, head: &str, start: Mark) -> Result<String, Refusal> {
        let mut uri = head.slice(1..).as_bytes().to_vec();
        let mut is_tag = !head.is_empty();
        loop {
            match self.cursor.peek(0) {
                b'%' => self.scan_uri_escape(start, &mut uri)?,
                byte if byte.is_ascii_alphanumeric()
                    || b"_-;/?:@&=+$,.!~*'()[]".contains(&byte) =>
                {
                    uri.push(byte);
                    self.cursor.skip_bytes(1);
                }
                _ => break,
            }
            is_tag = true;
        }
        if !is_tag {
            return self.refuse(start, "did not find expected tag URI");
        }
        Ok(String::from_utf8_lossy(&uri).into_owned())
    }

    /// One character, as `%XX` for each of its bytes.
    fn scan_uri_escape(&mut self, start: Mark, uri: &mut Vec<u8>) -> Result<(), Refusal> {
        let mut left = 1;
        let mut is_first = true;
        while left > 0 {
            let digit = |ahead| char::from(self.cursor.peek(ahead)).to_digit(16);
            let octet = match (self.cursor.peek(0), digit(1), digit(2)) {
                (b'%', Some(high), Some(low)) => u8::try_from(high * 16 + low).unwrap_or(0),
                _ => return self.refuse(start, "did not find URI escaped octet"),
            };
            if is_first {
                left = match octet {
                    0..=0x7f => 1,
                    0xc0..=0xdf => 2,
                    0xe0..=0xef => 3,
                    0xf0..=0xf7 => 4,
                    _ => return self.refuse(start, "found an incorrect leading UTF-8 octet"),
                };
                is_first = false;
            } else if octet & 0xc0 != 0x80 {
                return self.refuse(start, "found an incorrect trailing UTF-8 octet");
            }
            uri.push(octet);
            self.cursor.skip_bytes(3);
            left -= 1;
        }
        Ok(())
    }

    /// A `%` line.
    pub(super) fn scan_directive(&mut self) -> Result<TokenKind<'t>, Refusal> {
        let start = self.cursor.mark;
        self.cursor.skip_bytes(1);
        let name = self.scan_word();
        if name.is_empty() {
            return self.refuse(start, "could not find expected directive name");
        }
        if !self.cursor.is_blank_or_end(0) {
            return self.refuse(start, "found unexpected non-alphabetical character");
        }
        let kind = match name {
            "YAML" => {
                self.cursor.skip_blanks();
                let major = self.scan_version_number(start)?;
                if self.cursor.peek(0) != b'.' {
                    return self.refuse(start, "did not find expected digit or '.' character");
                }
                self.cursor.skip_bytes(1);
                let minor = self.scan_version_number(start)?;
                TokenKind::Version { is_supported: (major, minor) == (1, 1) }
            }
            "TAG" => {
                self.cursor.skip_blanks();
                let handle = self.scan_tag_handle(true, start)?;
                if !self.cursor.is_blank(0) {
                    return self.refuse(start, "did not find expected whitespace");
                }
                self.cursor.skip_blanks();
                let prefix = self.scan_tag_uri("", start)?;
                if !self.cursor.is_blank_or_end(0) {
                    return self.refuse(start, "did not find expected whitespace or line break");
                }
                TokenKind::TagDirective(handle, prefix)
            }
            _ => return self.refuse(start, "found unknown directive name"),
        };
        self.cursor.skip_blanks();
        self.cursor.skip_comment();
        if !self.cursor.is_break_or_end(0) {
            return self.refuse(start, "did not find expected comment or line break");
        }
        self.cursor.skip_break();
        Ok(kind)
    }

    fn scan_version_number(&mut self, start: Mark) -> Result<u32, Refusal> {
        let (mut value, mut length) = (0, 0);
        while let Some(digit) = char::from(self.cursor.peek(0)).to_digit(10) {
            length += 1;
            if length > 2 {
                return self.refuse(start, "found extremely long version number");
            }
            value = value * 10 + digit;
            self.cursor.skip_bytes(1);
        }
        if length == 0 {
            return self.refuse(start, "did not find expected version number");
        }
        Ok(value)
    }
}
