//! Scalars of the fast reader.

use lean_string::{LeanStr, LeanString};

use super::{Key, Reader};
use crate::tree::{Node, Value};
use crate::yaml::scalar;

/// The maximum length of a key; longer ones are left to the parser, which knows the limit.
const LONGEST_KEY: usize = 256;

/// Whether a plain scalar cannot begin with this byte, or only with a particular byte after it.
const fn is_indicator(byte: u8) -> bool {
    matches!(
        byte,
        b',' | b'['
            | b']'
            | b'{'
            | b'}'
            | b'#'
            | b'&'
            | b'*'
            | b'!'
            | b'|'
            | b'>'
            | b'\''
            | b'"'
            | b'%'
            | b'@'
            | b'`'
            | b'?'
            | b':'
    )
}

/// The offset of the next line end, colon or hash; the length if there is none. Most keys and scalars
/// are so short that a vector search takes longer than one by words of eight bytes.
fn next_mark(text: &[u8]) -> usize {
    let (words, rest) = text.as_chunks::<8>();
    for (index, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        let marks = places(word, b'\n') | places(word, b':') | places(word, b'#');
        if marks != 0 {
            return 8 * index + marks.trailing_zeros() as usize / 8;
        }
    }
    let at = rest.iter().position(|byte| matches!(byte, b'\n' | b':' | b'#'));
    8 * words.len() + at.unwrap_or(rest.len())
}

/// The highest bit of the bytes of a word that equal `byte`. Bits above the lowest one may be others.
const fn places(word: u64, byte: u8) -> u64 {
    const fn all(byte: u8) -> u64 {
        u64::from_le_bytes([byte; 8])
    }
    let other = word ^ all(byte);
    other.wrapping_sub(all(1)) & !other & all(0x80)
}

impl Reader<'_> {
    /// Reads the key at `at` with its colon. `Some(None)` if there is no key on this line.
    #[expect(clippy::option_option, reason = "the outer one gives up, the inner one is the answer")]
    pub(super) fn key(&mut self) -> Option<Option<Key>> {
        let start = self.at;
        let first = self.byte(start)?;
        if matches!(first, b'"' | b'\'') {
            return self.quoted_key(first);
        }
        if matches!(first, b'[' | b'{') {
            return self.no_key_behind_brackets();
        }
        // An invisible space would be a finding.
        if is_indicator(first) || !first.is_ascii() {
            return if first.is_ascii() { None } else { self.plain_key(start, true) };
        }
        if first == b'-' && self.is_blank(start + 1) {
            return None;
        }
        self.plain_key(start, false)
    }

    #[expect(clippy::option_option, reason = "as `key`")]
    fn plain_key(&mut self, start: usize, is_doubtful: bool) -> Option<Option<Key>> {
        let (mut at, mut is_glued) = (start, false);
        loop {
            let rest = self.bytes.get(at..)?;
            let next = next_mark(rest);
            at += next;
            let Some(mark) = rest.get(next) else { return Some(None) };
            match (mark, rest.get(next + 1)) {
                (b'\n', _) => return Some(None),
                (b':', None | Some(b' ' | b'\n')) => break,
                // `metadata:{name` is a key whose colon has no space after it.
                (b':', Some(after)) => is_glued |= matches!(after, b'{' | b'['),
                _ if self.byte(at - 1) == Some(b' ') => return Some(None),
                _ => {}
            }
            at += 1;
        }
        let text = self.text.get(start..at)?;
        if is_doubtful
            || is_glued
            || text.len() > LONGEST_KEY
            || text.as_bytes().last() == Some(&b' ')
        {
            return None;
        }
        let text = scalar::undoubted_text(text).or_else(|| doubtful_key(text))?;
        self.at = at + 1;
        Some(Some(Key { text, start, end: at }))
    }

    #[expect(clippy::option_option, reason = "as `key`")]
    fn quoted_key(&mut self, quote: u8) -> Option<Option<Key>> {
        let start = self.at;
        let (value, end) = self.quoted_text(quote)?;
        if self.byte(end) != Some(b':') || end - start > LONGEST_KEY {
            // `"a" : b` is a key as well.
            let mut at = end;
            while self.byte(at) == Some(b' ') {
                at += 1;
            }
            return if self.byte(at) == Some(b':') { None } else { Some(None) };
        }
        if !self.is_blank(end + 1) {
            return None;
        }
        self.at = end + 1;
        Some(Some(Key { text: value, start, end }))
    }

    /// Reads a line that begins with a bracket: `{a: b}: c` has an invalid key.
    #[expect(clippy::option_option, reason = "as `key`")]
    fn no_key_behind_brackets(&self) -> Option<Option<Key>> {
        let rest = self.bytes.get(self.at..)?;
        let line = rest.get(..memchr::memchr(b'\n', rest).unwrap_or(rest.len()))?;
        let close = memchr::memrchr2(b']', b'}', line)?;
        let behind = line.get(close + 1..)?.trim_ascii_start();
        if behind.first() == Some(&b':') { None } else { Some(None) }
    }

    /// Reads a plain scalar in a block, up to the end of its line.
    pub(super) fn plain(&mut self) -> Option<Node> {
        let start = self.at;
        let first = self.byte(start)?;
        if is_indicator(first) || (first == b'-' && self.is_blank(start + 1)) {
            return None;
        }
        let rest = self.bytes.get(start..)?;
        let mut length = 0;
        loop {
            length += next_mark(rest.get(length..)?);
            match rest.get(length) {
                Some(b':') if matches!(rest.get(length + 1), None | Some(b' ' | b'\n')) => {
                    return None;
                }
                Some(b'#') if length > 0 && rest.get(length - 1) == Some(&b' ') => break,
                Some(b':' | b'#') => length += 1,
                _ => break,
            }
        }
        self.at = start + length;
        while self.at > start && self.byte(self.at - 1) == Some(b' ') {
            self.at -= 1;
        }
        self.plain_node(start)
    }

    /// The node of the plain scalar from `start` to `at`.
    pub(super) fn plain_node(&mut self, start: usize) -> Option<Node> {
        let text = self.text.get(start..self.at)?;
        let (value, ambiguous) = scalar::read(text);
        Some(self.node(value?, start, self.at)?.with_ambiguity(ambiguous))
    }

    /// Reads a quoted scalar on one line.
    pub(super) fn quoted(&mut self) -> Option<Node> {
        let start = self.at;
        let (text, end) = self.quoted_text(self.byte(start)?)?;
        self.at = end;
        self.node(Value::String(text), start, end)
    }

    /// The content of the quoted scalar at `at`, and its end.
    pub(super) fn quoted_text(&self, quote: u8) -> Option<(LeanStr, usize)> {
        let start = self.at + 1;
        let rest = self.bytes.get(start..)?;
        let mut end = memchr::memchr3(quote, b'\\', b'\n', rest)?;
        if quote == b'\'' {
            end = memchr::memchr2(quote, b'\n', rest)?;
        }
        match (quote, rest.get(end)?) {
            (_, b'\n') => None,
            (b'\'', _) if rest.get(end + 1) == Some(&b'\'') => self.single_quoted(start),
            (b'"', b'\\') => self.double_quoted(start),
            _ => Some((scalar::shared(self.text.get(start..start + end)?), start + end + 1)),
        }
    }

    /// A single-quoted scalar that contains doubled quotes.
    fn single_quoted(&self, start: usize) -> Option<(LeanStr, usize)> {
        let mut text = LeanString::new();
        let mut at = start;
        loop {
            let rest = self.bytes.get(at..)?;
            let end = at + memchr::memchr2(b'\'', b'\n', rest)?;
            text.push_str(self.text.get(at..end)?);
            match (self.byte(end)?, self.byte(end + 1)) {
                (b'\n', _) => return None,
                (_, Some(b'\'')) => text.push('\''),
                _ => return Some((text.into_lean_str(), end + 1)),
            }
            at = end + 2;
        }
    }

    /// A double-quoted scalar with common escapes.
    fn double_quoted(&self, start: usize) -> Option<(LeanStr, usize)> {
        let mut text = LeanString::new();
        let mut at = start;
        loop {
            let rest = self.bytes.get(at..)?;
            let end = at + memchr::memchr3(b'"', b'\\', b'\n', rest)?;
            text.push_str(self.text.get(at..end)?);
            match (self.byte(end)?, self.byte(end + 1)) {
                (b'"', _) => return Some((text.into_lean_str(), end + 1)),
                (b'\\', Some(b'n')) => text.push('\n'),
                (b'\\', Some(b't')) => text.push('\t'),
                (b'\\', Some(b'"')) => text.push('"'),
                (b'\\', Some(b'\\')) => text.push('\\'),
                _ => return None,
            }
            at = end + 2;
        }
    }

    /// Reads a literal or folded block after a key or dash at `column`.
    pub(super) fn block_scalar(&mut self, column: usize) -> Option<Node> {
        let start = self.at;
        let is_folded = self.byte(start)? == b'>';
        let chomping = match self.byte(start + 1)? {
            sign @ (b'-' | b'+') => Some(sign),
            _ => None,
        };
        self.at = start + 1 + usize::from(chomping.is_some());
        while self.byte(self.at) == Some(b' ') {
            self.at += 1;
        }
        if self.byte(self.at)? != b'\n' {
            return None;
        }
        self.at += 1;
        let block = self.block_lines(column, is_folded)?;
        let mut text = block.text;
        match chomping {
            Some(b'-') => {}
            Some(_) => (0..=block.blank_lines).for_each(|_| text.push('\n')),
            None => text.push('\n'),
        }
        let node = self.node(Value::String(LeanStr::from(text)), start, block.end)?;
        self.next_line()?;
        match self.column {
            Some(next) if next > column => None,
            _ => Some(node),
        }
    }

    /// Reads the lines of a block up to the first one that is indented less, and moves `at` to its
    /// start.
    fn block_lines(&mut self, column: usize, is_folded: bool) -> Option<Block> {
        let mut block = Block { text: String::new(), blank_lines: 0, end: self.at };
        let mut indent = None;
        while self.at < self.bytes.len() {
            let line = self.at;
            let rest = self.bytes.get(line..)?;
            // A last line without a line break is left to the parser.
            let length = memchr::memchr(b'\n', rest)?;
            let content = rest.get(..length)?;
            let blanks = content.iter().take_while(|byte| **byte == b' ').count();
            if blanks == length {
                // Spaces beyond the indentation would be content.
                if blanks > indent.unwrap_or(column + 1) {
                    return None;
                }
                block.blank_lines += 1;
                self.at = line + length + 1;
                continue;
            }
            let indent = *indent.get_or_insert(blanks);
            if indent <= column {
                return None;
            }
            if blanks < indent {
                break;
            }
            if is_folded && blanks > indent {
                return None;
            }
            block.add(self.text.get(line + indent..line + length)?, is_folded);
            block.end = line + content.trim_ascii_end().len();
            self.at = line + length + 1;
        }
        (block.end > 0 && indent.is_some()).then_some(block)
    }
}

/// A partially read block scalar.
struct Block {
    /// The content without its last line break.
    text: String,
    /// The number of empty lines since the last line with content.
    blank_lines: usize,
    /// The offset after the last character that is not a space.
    end: usize,
}

impl Block {
    fn add(&mut self, line: &str, is_folded: bool) {
        let is_first = self.text.is_empty();
        // The line break of the previous line is content in a literal block.
        let breaks = self.blank_lines + usize::from(!is_first && !is_folded);
        if !is_first && is_folded && breaks == 0 {
            self.text.push(' ');
        }
        (0..breaks).for_each(|_| self.text.push('\n'));
        self.text.push_str(line);
        self.blank_lines = 0;
    }
}

/// A key that may be something else than text.
fn doubtful_key(text: &str) -> Option<LeanStr> {
    match scalar::read(text) {
        (Some(Value::String(text)), false) if text != "<<" => Some(text),
        // Integers other than plain digits would be a finding.
        (Some(Value::Int(_)), false) if is_plain_integer(text) => Some(LeanStr::from(text)),
        _ => None,
    }
}

/// Whether the text is digits without a leading zero, short enough for 64 bits.
fn is_plain_integer(text: &str) -> bool {
    text.len() <= 18
        && text.bytes().all(|byte| byte.is_ascii_digit())
        && (text == "0" || !text.starts_with('0'))
}

#[cfg(test)]
mod tests {
    use super::next_mark;

    #[test]
    fn the_first_mark_is_found() {
        // Bytes next to the marks, and their highest bits.
        let others = [b'9', b';', b'\t', 0x0b, b'"', b'$', 0xba, 0x8a, 0xa3];
        for length in 0..40 {
            let mut text: Vec<u8> = others.iter().copied().cycle().take(length).collect();
            assert_eq!(next_mark(&text), length);
            for at in (0..length).rev() {
                for mark in [b'\n', b':', b'#'] {
                    text[at] = mark;
                    assert_eq!(next_mark(&text), at, "{text:?}");
                }
            }
        }
    }
}
