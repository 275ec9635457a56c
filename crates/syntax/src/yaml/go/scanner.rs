//! Divides a text into tokens.

use crate::source::Slice as _;
use std::borrow::Cow;
use std::collections::VecDeque;
use std::ops::Range;

use super::chars::{Cursor, Mark};
use super::{Refusal, Scalar};
use crate::sorted::SortedMap;

/// The maximum distance of a key from its colon, in characters.
const LONGEST_KEY: usize = 1024;

/// What a token is.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::yaml) enum TokenKind<'t> {
    StreamEnd,
    /// `%YAML 1.1`, or with another version.
    Version {
        is_supported: bool,
    },
    /// `%TAG`: the handle and the prefix.
    TagDirective(String, String),
    DocumentStart,
    DocumentEnd,
    BlockListStart,
    BlockMapStart,
    BlockEnd,
    FlowListStart,
    FlowListEnd,
    FlowMapStart,
    FlowMapEnd,
    BlockEntry,
    FlowEntry,
    Key,
    Value,
    Alias(&'t str),
    Anchor(&'t str),
    /// The handle and the suffix of a tag.
    Tag(String, String),
    Scalar(Scalar<'t>),
}

/// A token with its bytes in the text. Where a block or a key begins without an indicator, it has none.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::yaml) struct Token<'t> {
    pub(in crate::yaml) kind: TokenKind<'t>,
    pub(in crate::yaml) start: usize,
    pub(in crate::yaml) end: usize,
}

/// All tokens of a text, up to its end.
pub(in crate::yaml) fn tokens(text: &str) -> Result<Vec<Token<'_>>, Refusal> {
    let mut scanner = Scanner::new(text);
    let mut tokens = Vec::new();
    loop {
        let end = scanner.peek()?.clone();
        let Some(token) = scanner.take() else {
            tokens.push(end);
            return Ok(tokens);
        };
        tokens.push(token);
    }
}

/// A position at which a key without `?` can begin.
#[derive(Clone, Copy, Default)]
struct SimpleKey {
    is_possible: bool,
    /// Whether the token must be a key, because of its column.
    is_required: bool,
    token: usize,
    mark: Mark,
}

/// The scanner. Tokens are numbered, since `:` inserts a token before an earlier one.
pub(super) struct Scanner<'t> {
    pub(super) cursor: Cursor<'t>,
    /// The column of the innermost block collection; -1 outside.
    pub(super) indent: isize,
    indents: Vec<isize>,
    pub(super) flow_level: usize,
    pub(super) is_key_allowed: bool,
    /// The key that is possible at each flow level.
    keys: Vec<SimpleKey>,
    /// The level of a possible key, by the number of its token.
    key_levels: SortedMap<usize, usize>,
    tokens: VecDeque<Token<'t>>,
    /// The number of tokens that were taken.
    taken: usize,
    is_ended: bool,
    /// Whether the position is on the line of a marker.
    is_after_marker: bool,
}

impl<'t> Scanner<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self {
            cursor: Cursor { text, mark: Mark::default() },
            indent: -1,
            indents: Vec::new(),
            flow_level: 0,
            is_key_allowed: true,
            keys: vec![SimpleKey::default()],
            key_levels: SortedMap::new(),
            tokens: VecDeque::new(),
            taken: 0,
            is_ended: false,
            is_after_marker: false,
        }
    }

    /// The next token. After the end of the stream, it is that end.
    pub(super) fn peek(&mut self) -> Result<&Token<'t>, Refusal> {
        self.fetch_more()?;
        let end = self.cursor.text.len();
        self.tokens.front().ok_or(Refusal { at: end, problem: "end of the stream" })
    }

    /// Takes the token that `peek` has returned.
    pub(super) fn take(&mut self) -> Option<Token<'t>> {
        self.tokens.front().filter(|token| token.kind != TokenKind::StreamEnd)?;
        self.taken += 1;
        self.tokens.pop_front()
    }

    pub(super) fn refuse<T>(&self, mark: Mark, problem: &'static str) -> Result<T, Refusal> {
        Err(Refusal { at: mark.offset.min(self.cursor.text.len()), problem })
    }

    /// Fetches tokens until the first one cannot become a key any more.
    fn fetch_more(&mut self) -> Result<(), Refusal> {
        loop {
            if !self.tokens.is_empty() {
                let Some(level) = self.key_levels.get(&self.taken).copied() else { break };
                if !self.is_key_valid(level)? {
                    break;
                }
            }
            if self.is_ended {
                break;
            }
            self.fetch_next()?;
        }
        Ok(())
    }

    fn fetch_next(&mut self) -> Result<(), Refusal> {
        self.skip_to_token();
        self.unroll(signed_column(self.cursor.mark));
        if self.cursor.is_end() {
            return self.fetch_stream_end();
        }
        let first = self.cursor.peek(0);
        let is_followed = self.cursor.is_blank_or_end(1);
        let is_flow = self.flow_level > 0;
        match first {
            b'%' if self.cursor.mark.column == 0 => self.fetch_directive(),
            b'-' if self.cursor.is_marker(b'-') => self.fetch_marker(TokenKind::DocumentStart),
            b'.' if self.cursor.is_marker(b'.') => self.fetch_marker(TokenKind::DocumentEnd),
            b'[' => self.fetch_flow_start(TokenKind::FlowListStart),
            b'{' => self.fetch_flow_start(TokenKind::FlowMapStart),
            b']' => self.fetch_flow_end(TokenKind::FlowListEnd),
            b'}' => self.fetch_flow_end(TokenKind::FlowMapEnd),
            b',' => self.fetch_flow_entry(),
            b'-' if is_followed => self.fetch_block_entry(),
            b'?' if is_flow || is_followed => self.fetch_key(),
            b':' if is_flow || is_followed => self.fetch_value(),
            b'*' | b'&' | b'!' => self.fetch_property(first),
            b'|' | b'>' if !is_flow => self.fetch_block_scalar(first == b'|'),
            b'\'' | b'"' => self.fetch_quoted(first == b'\''),
            b'-' if !self.cursor.is_blank(1) => self.fetch_plain(),
            b'?' | b':' if !is_flow && !is_followed => self.fetch_plain(),
            b'-' | b'?' | b':' | b'#' | b'|' | b'>' | b'%' | b'@' | b'`' | b' ' | b'\t' => {
                self.refuse(self.cursor.mark, "found character that cannot start any token")
            }
            _ => self.fetch_plain(),
        }
    }

    /// Moves over spaces, comments and line breaks. Tabs are allowed inside brackets, and where no
    /// key can begin.
    fn skip_to_token(&mut self) {
        loop {
            self.skip_byte_order_mark();
            while self.cursor.peek(0) == b' '
                || (self.cursor.peek(0) == b'\t' && (self.flow_level > 0 || !self.is_key_allowed))
            {
                self.cursor.skip_bytes(1);
            }
            self.cursor.skip_comment();
            if !self.cursor.is_break() {
                break;
            }
            self.cursor.skip_break();
            self.is_key_allowed |= self.flow_level == 0;
        }
    }

    /// Moves over a byte order mark at the start of the text, or of the line after the first marker:
    /// kubectl splits the stream there.
    fn skip_byte_order_mark(&mut self) {
        let mark = self.cursor.mark;
        let is_start = mark.offset == 0 || (mark.column == 0 && self.is_after_marker);
        if is_start
            && self.cursor.text.get(mark.offset..).is_some_and(|it| it.starts_with('\u{feff}'))
        {
            self.cursor.mark.offset += '\u{feff}'.len_utf8();
        }
        self.is_after_marker &= mark.column > 0;
    }

    /// Appends a token that ends at the position.
    fn push(&mut self, kind: TokenKind<'t>, start: usize) {
        let end = self.cursor.mark.offset;
        self.tokens.push_back(Token { kind, start, end });
    }

    /// Inserts a token without text before the one with this number, if that has not been taken.
    fn insert(&mut self, number: Option<usize>, kind: TokenKind<'t>, at: Mark) {
        let token = Token { kind, start: at.offset, end: at.offset };
        match number.and_then(|number| number.checked_sub(self.taken)) {
            Some(position) if position <= self.tokens.len() => self.tokens.insert(position, token),
            _ => self.tokens.push_back(token),
        }
    }

    /// Appends a token for the ASCII characters at the position.
    fn push_indicator(&mut self, kind: TokenKind<'t>, length: usize) {
        let start = self.cursor.mark.offset;
        self.cursor.skip_bytes(length);
        self.push(kind, start);
    }

    /// Whether the key that is possible at a level still is: on the same line, and near enough.
    fn is_key_valid(&mut self, level: usize) -> Result<bool, Refusal> {
        let now = self.cursor.mark;
        let Some(key) = self.keys.get_mut(level).filter(|key| key.is_possible) else {
            return Ok(false);
        };
        if key.mark.line >= now.line && key.mark.index + LONGEST_KEY >= now.index {
            return Ok(true);
        }
        if key.is_required {
            let mark = key.mark;
            return self.refuse(mark, "could not find expected ':'");
        }
        key.is_possible = false;
        Ok(false)
    }

    /// Notes that a key can begin at the position.
    pub(super) fn save_key(&mut self) -> Result<(), Refusal> {
        if !self.is_key_allowed {
            return Ok(());
        }
        let mark = self.cursor.mark;
        let is_required = self.flow_level == 0 && self.indent == signed_column(mark);
        let token = self.taken + self.tokens.len();
        self.remove_key()?;
        let level = self.keys.len().saturating_sub(1);
        if let Some(key) = self.keys.last_mut() {
            *key = SimpleKey { is_possible: true, is_required, token, mark };
            self.key_levels.insert(token, level);
        }
        Ok(())
    }

    /// Forgets the key that is possible at the current level.
    pub(super) fn remove_key(&mut self) -> Result<(), Refusal> {
        let Some(key) = self.keys.last_mut().filter(|key| key.is_possible) else { return Ok(()) };
        if key.is_required {
            let mark = key.mark;
            return self.refuse(mark, "could not find expected ':'");
        }
        key.is_possible = false;
        self.key_levels.remove(&key.token);
        Ok(())
    }

    /// Opens a block collection at a column, if that is deeper than the current one.
    fn roll(&mut self, at: Mark, number: Option<usize>, kind: TokenKind<'t>) {
        if self.flow_level == 0 && self.indent < signed_column(at) {
            self.indents.push(self.indent);
            self.indent = signed_column(at);
            self.insert(number, kind, at);
        }
    }

    /// Opens a block collection for the indicator at the position, where a key can begin.
    fn open_block(&mut self, kind: TokenKind<'t>, problem: &'static str) -> Result<(), Refusal> {
        let mark = self.cursor.mark;
        if self.flow_level == 0 && !self.is_key_allowed {
            return self.refuse(mark, problem);
        }
        self.roll(mark, None, kind);
        Ok(())
    }

    /// Closes the block collections that are deeper than a column.
    fn unroll(&mut self, to: isize) {
        while self.flow_level == 0 && self.indent > to {
            let at = self.cursor.mark;
            self.insert(None, TokenKind::BlockEnd, at);
            self.indent = self.indents.pop().unwrap_or(-1);
        }
    }

    /// Closes everything before a marker, a directive or the end.
    fn end_document(&mut self) -> Result<(), Refusal> {
        self.unroll(-1);
        self.remove_key()?;
        self.is_key_allowed = false;
        Ok(())
    }

    fn fetch_stream_end(&mut self) -> Result<(), Refusal> {
        if self.cursor.mark.column != 0 {
            self.cursor.mark.column = 0;
            self.cursor.mark.line += 1;
        }
        self.end_document()?;
        self.is_ended = true;
        self.push_indicator(TokenKind::StreamEnd, 0);
        Ok(())
    }

    fn fetch_directive(&mut self) -> Result<(), Refusal> {
        self.end_document()?;
        let start = self.cursor.mark.offset;
        let kind = self.scan_directive()?;
        self.push(kind, start);
        Ok(())
    }

    fn fetch_marker(&mut self, kind: TokenKind<'t>) -> Result<(), Refusal> {
        self.end_document()?;
        self.is_after_marker = kind == TokenKind::DocumentStart;
        self.push_indicator(kind, 3);
        Ok(())
    }

    fn fetch_flow_start(&mut self, kind: TokenKind<'t>) -> Result<(), Refusal> {
        self.save_key()?;
        let token = self.taken + self.tokens.len();
        self.keys.push(SimpleKey { token, mark: self.cursor.mark, ..SimpleKey::default() });
        self.flow_level += 1;
        self.is_key_allowed = true;
        self.push_indicator(kind, 1);
        Ok(())
    }

    fn fetch_flow_end(&mut self, kind: TokenKind<'t>) -> Result<(), Refusal> {
        self.remove_key()?;
        if self.flow_level > 0 {
            self.flow_level -= 1;
            // For empty brackets, this number is that of the opening one.
            if let Some(key) = self.keys.pop() {
                self.key_levels.remove(&key.token);
            }
        }
        self.is_key_allowed = false;
        self.push_indicator(kind, 1);
        Ok(())
    }

    fn fetch_flow_entry(&mut self) -> Result<(), Refusal> {
        self.remove_key()?;
        self.is_key_allowed = true;
        self.push_indicator(TokenKind::FlowEntry, 1);
        Ok(())
    }

    fn fetch_block_entry(&mut self) -> Result<(), Refusal> {
        self.open_block(
            TokenKind::BlockListStart,
            "block sequence entries are not allowed in this context",
        )?;
        self.remove_key()?;
        self.is_key_allowed = true;
        self.push_indicator(TokenKind::BlockEntry, 1);
        Ok(())
    }

    fn fetch_key(&mut self) -> Result<(), Refusal> {
        self.open_block(TokenKind::BlockMapStart, "mapping keys are not allowed in this context")?;
        self.remove_key()?;
        self.is_key_allowed = self.flow_level == 0;
        self.push_indicator(TokenKind::Key, 1);
        Ok(())
    }

    fn fetch_value(&mut self) -> Result<(), Refusal> {
        let level = self.keys.len().saturating_sub(1);
        if self.is_key_valid(level)? {
            let Some(key) = self.keys.last_mut() else { return Ok(()) };
            key.is_possible = false;
            let SimpleKey { token, mark, .. } = *key;
            self.key_levels.remove(&token);
            self.insert(Some(token), TokenKind::Key, mark);
            self.roll(mark, Some(token), TokenKind::BlockMapStart);
            self.is_key_allowed = false;
        } else {
            let problem = "mapping values are not allowed in this context";
            self.open_block(TokenKind::BlockMapStart, problem)?;
            self.is_key_allowed = self.flow_level == 0;
        }
        self.push_indicator(TokenKind::Value, 1);
        Ok(())
    }

    /// An alias, an anchor or a tag.
    fn fetch_property(&mut self, first: u8) -> Result<(), Refusal> {
        self.save_key()?;
        self.is_key_allowed = false;
        let start = self.cursor.mark.offset;
        let kind = match first {
            b'!' => self.scan_tag()?,
            b'*' => TokenKind::Alias(self.scan_anchor()?),
            _ => TokenKind::Anchor(self.scan_anchor()?),
        };
        self.push(kind, start);
        Ok(())
    }

    fn fetch_block_scalar(&mut self, is_literal: bool) -> Result<(), Refusal> {
        self.remove_key()?;
        self.is_key_allowed = true;
        let (scalar, range) = self.scan_block(is_literal)?;
        self.push_scalar(scalar, range);
        Ok(())
    }

    fn fetch_quoted(&mut self, is_single: bool) -> Result<(), Refusal> {
        self.save_key()?;
        self.is_key_allowed = false;
        let start = self.cursor.mark.offset;
        let scalar = self.scan_quoted(is_single)?;
        self.push_scalar(scalar, start..self.cursor.mark.offset);
        Ok(())
    }

    fn fetch_plain(&mut self) -> Result<(), Refusal> {
        self.save_key()?;
        self.is_key_allowed = false;
        let (scalar, range) = self.scan_plain()?;
        self.push_scalar(scalar, range);
        Ok(())
    }

    fn push_scalar(&mut self, scalar: Scalar<'t>, range: Range<usize>) {
        let kind = TokenKind::Scalar(scalar);
        self.tokens.push_back(Token { kind, start: range.start, end: range.end });
    }

    /// The bytes of the text in a range.
    pub(super) fn slice(&self, range: Range<usize>) -> &'t str {
        self.cursor.text.slice(range)
    }

    /// A text that is the one in this range of the source, or another one.
    pub(super) fn borrowed(&self, text: String, range: Range<usize>) -> Cow<'t, str> {
        let written = self.slice(range);
        if written == text { Cow::Borrowed(written) } else { Cow::Owned(text) }
    }
}

/// The column of a position, comparable with that of a collection.
fn signed_column(mark: Mark) -> isize {
    isize::try_from(mark.column).unwrap_or(isize::MAX)
}
