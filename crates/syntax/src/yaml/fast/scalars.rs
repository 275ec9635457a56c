//! Scalars of the fast reader.

use lean_string::{LeanStr, LeanString};

use super::recent::Packed;
use super::{Reader, find_in_rest, word_at};
use crate::tree::{Node, Value};
use crate::yaml::scalar;

/// The maximum length of a key; longer ones are left to the parser, which knows the limit.
pub(super) const LONGEST_KEY: usize = 256;

/// What begins with a byte, or the end of the document.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Start {
    /// Nothing: the document ends.
    End,
    LineEnd,
    Comment,
    /// A plain scalar or a key.
    Plain,
    /// The same, which an invisible space can begin.
    NotAscii,
    /// A list item, or a plain scalar.
    Dash,
    Quote,
    Bracket,
    /// A block scalar.
    Block,
    /// Something else, or a plain scalar if a particular byte follows.
    Indicator,
}

impl Start {
    const fn of(byte: u8) -> Self {
        match byte {
            b'\n' => Self::LineEnd,
            b'#' => Self::Comment,
            b'-' => Self::Dash,
            b'\'' | b'"' => Self::Quote,
            b'[' | b'{' => Self::Bracket,
            b'|' | b'>' => Self::Block,
            b',' | b']' | b'}' | b'&' | b'*' | b'!' | b'%' | b'@' | b'`' | b'?' | b':' => {
                Self::Indicator
            }
            _ if byte.is_ascii() => Self::Plain,
            _ => Self::NotAscii,
        }
    }
}

/// [`Start::of`] each byte.
static STARTS: [Start; 256] = table_of_starts();

const fn table_of_starts() -> [Start; 256] {
    let mut starts = [Start::Plain; 256];
    let mut byte = 0;
    while byte < 256 {
        #[expect(clippy::indexing_slicing, reason = "the index is below the length")]
        #[expect(clippy::cast_possible_truncation, reason = "the index is below 256")]
        {
            starts[byte] = Start::of(byte as u8);
        }
        byte += 1;
    }
    starts
}

/// The offset of the first line end, colon or hash from `at` on, or the end of the text. Most keys and
/// scalars are so short that a vector search takes longer than one by words of eight bytes.
#[inline]
fn next_mark(text: &[u8], mut at: usize) -> usize {
    while let Some(word) = word_at(text, at) {
        let marks = marks(word);
        if marks != 0 {
            return at + marks.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    find_in_rest(text, at, |byte| matches!(byte, b'\n' | b':' | b'#'))
}

/// The highest bit of each byte of a word that is a line end, a colon or a hash.
#[inline]
pub(super) const fn marks(word: u64) -> u64 {
    const LOW: u64 = repeat_byte(0x7f);
    // In a sum, the highest bit of a byte is set if it differs. No byte overflows into the next one.
    let low = word & LOW;
    let differs_from_each = ((low ^ repeat_byte(b'\n')) + LOW)
        & ((low ^ repeat_byte(b':')) + LOW)
        & ((low ^ repeat_byte(b'#')) + LOW);
    !(differs_from_each | word | LOW)
}

/// A word of one byte.
const fn repeat_byte(byte: u8) -> u64 {
    u64::from_le_bytes([byte; 8])
}

impl Reader<'_> {
    /// What begins at `at`.
    #[inline]
    pub(super) fn start(&self) -> Start {
        let Some(byte) = self.byte(self.at) else { return Start::End };
        STARTS.get(usize::from(byte)).copied().unwrap_or(Start::Indicator)
    }

    /// Reads the key at `at` with its colon, and opens its entry. Returns whether there is a key on this
    /// line.
    pub(super) fn key(&mut self) -> Option<bool> {
        let start = self.at;
        let packed = Packed::before_mark(self.bytes, start);
        if let Some((text, end)) = packed
            && let Some([b':', b' ' | b'\n']) = self.bytes.get(end..end + 2)
            && let Some(key) = self.recent.keys.get(text)
        {
            self.at = end + 1;
            self.open_entry(key, start, end);
            return Some(true);
        }
        self.new_key(packed)
    }

    /// Reads a key that was not read recently; `packed` is the text before the first mark, and its end.
    #[inline(never)]
    fn new_key(&mut self, packed: Option<(Packed, usize)>) -> Option<bool> {
        match self.start() {
            Start::Plain | Start::NotAscii => {}
            Start::Dash if !self.is_dash() => {}
            Start::Quote => return self.quoted_key(),
            Start::Bracket => return self.no_key_behind_brackets(),
            _ => return None,
        }
        let start = self.at;
        let Some(end) = self.plain_key_end()? else { return Some(false) };
        let text = self.text.get(start..end).filter(|it| it.len() <= LONGEST_KEY)?;
        // An invisible space would be a finding.
        if !text.starts_with(|first: char| first.is_ascii()) || text.ends_with(' ') {
            return None;
        }
        let key =
            if scalar::is_undoubted_text(text) { scalar::shared(text) } else { other_key(text)? };
        if let Some((packed, _)) = packed.filter(|found| found.1 == end) {
            self.recent.keys.insert(packed, key.clone());
        }
        self.at = end + 1;
        self.open_entry(key, start, end);
        Some(true)
    }

    /// The end of the plain key at `at`, which is its colon. `Some(None)` if there is no key.
    #[inline]
    #[expect(clippy::option_option, reason = "the outer one gives up, the inner one is the answer")]
    fn plain_key_end(&self) -> Option<Option<usize>> {
        let mut at = self.at;
        loop {
            at = next_mark(self.bytes, at);
            match (self.byte(at), self.byte(at + 1)) {
                (Some(b':'), None | Some(b' ' | b'\n')) => return Some(Some(at)),
                (None | Some(b'\n'), _) => return Some(None),
                // `metadata:{name: web}` is a key whose colon has no space after it.
                (Some(b':'), Some(b'{' | b'[')) => return None,
                (Some(b'#'), _) if self.byte(at - 1) == Some(b' ') => return Some(None),
                _ => at += 1,
            }
        }
    }

    fn quoted_key(&mut self) -> Option<bool> {
        let start = self.at;
        let (key, end) = self.quoted_text()?;
        if self.byte(end) != Some(b':') || end - start > LONGEST_KEY {
            // `"a" : b` is a key as well.
            let mut at = end;
            while self.byte(at) == Some(b' ') {
                at += 1;
            }
            return if self.byte(at) == Some(b':') { None } else { Some(false) };
        }
        if !self.is_blank(end + 1) {
            return None;
        }
        self.at = end + 1;
        self.open_entry(key, start, end);
        Some(true)
    }

    /// Reads a line that begins with a bracket: `{a: b}: c` has an invalid key.
    fn no_key_behind_brackets(&self) -> Option<bool> {
        let rest = self.bytes.get(self.at..)?;
        let line = rest.get(..memchr::memchr(b'\n', rest).unwrap_or(rest.len()))?;
        let close = memchr::memrchr2(b']', b'}', line)?;
        let behind = line.get(close + 1..)?.trim_ascii_start();
        if behind.first() == Some(&b':') { None } else { Some(false) }
    }

    /// Reads a plain scalar in a block, and advances to the content after its line.
    pub(super) fn plain(&mut self, column: usize) -> Option<Node> {
        let start = self.at;
        let packed = Packed::before_mark(self.bytes, start);
        let Some((text, end)) = packed.filter(|found| self.byte(found.1) == Some(b'\n')) else {
            return self.long_plain(column);
        };
        self.at = end + 1;
        self.next_line();
        // A deeper line would continue the scalar.
        if self.column > column {
            return None;
        }
        match self.recent.scalars.get(text) {
            Some(value) => self.node(value, start, end),
            None => self.new_plain_node(text, start, end),
        }
    }

    /// The node of a plain scalar that was not read recently, with spaces after it.
    #[inline(never)]
    fn new_plain_node(&mut self, packed: Packed, start: usize, line_end: usize) -> Option<Node> {
        let end = self.before_spaces(line_end);
        let node = self.plain_node(start, end)?;
        if end == line_end && !node.is_ambiguous() {
            self.recent.scalars.insert(packed, node.value.clone());
        }
        Some(node)
    }

    /// Like [`plain`](Self::plain), for a scalar of any length, which may contain marks.
    #[inline(never)]
    fn long_plain(&mut self, column: usize) -> Option<Node> {
        let start = self.at;
        let mut end = next_mark(self.bytes, start);
        while let Some(mark @ (b':' | b'#')) = self.byte(end) {
            if mark == b':' && self.is_blank(end + 1) {
                return None;
            }
            if mark == b'#' && self.byte(end - 1) == Some(b' ') {
                break;
            }
            end = next_mark(self.bytes, end + 1);
        }
        let end = self.before_spaces(end);
        self.at = end;
        self.end_line()?;
        if self.column > column { None } else { self.plain_node(start, end) }
    }

    /// The end of what precedes the spaces before an offset.
    fn before_spaces(&self, mut end: usize) -> usize {
        while self.byte(end - 1) == Some(b' ') {
            end -= 1;
        }
        end
    }

    /// The node of a plain scalar.
    pub(super) fn plain_node(&mut self, start: usize, end: usize) -> Option<Node> {
        let text = self.text.get(start..end)?;
        if scalar::is_undoubted_text(text) {
            return self.node(Value::String(scalar::shared(text)), start, end);
        }
        let (value, ambiguous) = scalar::read(text);
        Some(self.node(value?, start, end)?.with_ambiguity(ambiguous))
    }

    /// Reads a quoted scalar on one line.
    pub(super) fn quoted(&mut self) -> Option<Node> {
        let start = self.at;
        let (text, end) = self.quoted_text()?;
        self.at = end;
        self.node(Value::String(text), start, end)
    }

    /// The content of the quoted scalar at `at`, and its end.
    pub(super) fn quoted_text(&self) -> Option<(LeanStr, usize)> {
        let quote = self.byte(self.at)?;
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

    /// Reads a literal or folded block after a key or dash at `column`. Its lines have at least as many
    /// spaces, because columns count from 1.
    pub(super) fn block_scalar(&mut self, column: usize) -> Option<Node> {
        let start = self.at;
        let is_folded = self.byte(start)? == b'>';
        let chomping = match self.byte(start + 1)? {
            sign @ (b'-' | b'+') => Some(sign),
            _ => None,
        };
        self.at = start + 1 + usize::from(chomping.is_some());
        self.skip_spaces();
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
        self.next_line();
        (self.column <= column).then_some(node)
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
                if blanks > indent.unwrap_or(column) {
                    return None;
                }
                block.blank_lines += 1;
                self.at = line + length + 1;
                continue;
            }
            let indent = *indent.get_or_insert(blanks);
            if indent < column {
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
#[inline(never)]
fn other_key(text: &str) -> Option<LeanStr> {
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
            assert_eq!(next_mark(&text, 0), length);
            for at in (0..length).rev() {
                for mark in [b'\n', b':', b'#'] {
                    text[at] = mark;
                    assert_eq!(next_mark(&text, 0), at, "{text:?}");
                }
            }
        }
    }
}
