//! Converts tokens to events.

use std::borrow::Cow;
use std::ops::Range;

use super::scanner::{Scanner, Token, TokenKind};
use super::{Event, Properties, Refusal, Scalar, Style};

/// What the parser expects next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    DocumentStart { is_first: bool },
    DocumentContent,
    DocumentEnd,
    BlockNode,
    BlockListEntry,
    IndentlessListEntry,
    BlockMapKey,
    BlockMapValue,
    FlowListEntry { is_first: bool },
    FlowPairKey,
    FlowPairValue,
    FlowPairEnd,
    FlowMapKey { is_first: bool },
    FlowMapValue,
    FlowMapEmptyValue,
    End,
}

/// An event with its bytes in the text, or the reason why there is none.
type Next<'t> = Result<(Event<'t>, Range<usize>), Refusal>;

/// The parser: an iterator that ends after the first error.
pub(in crate::yaml) struct Parser<'t> {
    scanner: Scanner<'t>,
    state: State,
    states: Vec<State>,
    /// The prefix of each tag handle of the document.
    handles: Vec<(String, String)>,
    /// The end of the last token.
    last_end: usize,
}

impl<'t> Parser<'t> {
    pub(in crate::yaml) fn new(text: &'t str) -> Self {
        Self {
            scanner: Scanner::new(text),
            state: State::DocumentStart { is_first: true },
            states: Vec::new(),
            handles: Vec::new(),
            last_end: 0,
        }
    }

    fn peek(&mut self) -> Result<&Token<'t>, Refusal> {
        self.scanner.peek()
    }

    /// The bytes of the next token.
    fn range(&mut self) -> Result<Range<usize>, Refusal> {
        let token = self.peek()?;
        Ok(token.start..token.end)
    }

    /// Takes the next token if it is of this kind, and returns its bytes.
    fn take(&mut self, kind: &TokenKind<'_>) -> Result<Option<Range<usize>>, Refusal> {
        let range = self.range()?;
        let is_next = self.peek()?.kind == *kind;
        if is_next {
            self.advance();
        }
        Ok(is_next.then_some(range))
    }

    /// Takes the next token, which was peeked at.
    fn advance(&mut self) -> Option<Token<'t>> {
        let token = self.scanner.take()?;
        self.last_end = token.end;
        Some(token)
    }

    /// The offset of the first text after the end of the document.
    pub(in crate::yaml) fn text_after_end(&mut self) -> Result<Option<usize>, Refusal> {
        let token = self.peek()?;
        let is_end = matches!(token.kind, TokenKind::StreamEnd | TokenKind::DocumentEnd);
        Ok((!is_end).then_some(token.start))
    }

    /// Whether the next token is one of these.
    fn is_any(&mut self, kinds: &[TokenKind<'_>]) -> Result<bool, Refusal> {
        let token = self.peek()?;
        Ok(kinds.contains(&token.kind))
    }

    fn pop(&mut self) {
        self.state = self.states.pop().unwrap_or(State::End);
    }

    /// An empty scalar at an offset.
    #[expect(
        clippy::unnecessary_wraps,
        reason = "each state ends with it, as with the other events"
    )]
    fn empty(&mut self, at: usize, state: State) -> Next<'t> {
        self.state = state;
        Ok((Event::Scalar(plain_scalar(""), Properties::default()), at..at))
    }

    /// A node, after which the parser is in this state.
    fn node_then(&mut self, state: State, is_block: bool, is_indentless: bool) -> Next<'t> {
        self.states.push(state);
        self.node(is_block, is_indentless)
    }

    fn next_event(&mut self) -> Next<'t> {
        match self.state {
            State::DocumentStart { is_first } => self.document_start(is_first),
            State::DocumentContent => self.document_content(),
            State::DocumentEnd => self.document_end(),
            State::BlockNode => self.node(true, false),
            State::BlockListEntry => self.block_list_entry(),
            State::IndentlessListEntry => self.indentless_list_entry(),
            State::BlockMapKey => self.block_map_key(),
            State::BlockMapValue => self.block_map_value(),
            State::FlowListEntry { is_first } => self.flow_list_entry(is_first),
            State::FlowPairKey => self.flow_pair_key(),
            State::FlowPairValue => self.flow_pair_value(),
            State::FlowPairEnd => {
                self.state = State::FlowListEntry { is_first: false };
                self.peek()?;
                Ok((Event::MapEnd, self.last_end..self.last_end))
            }
            State::FlowMapKey { is_first } => self.flow_map_key(is_first),
            State::FlowMapValue => self.flow_map_value(),
            State::FlowMapEmptyValue => {
                self.peek()?;
                self.empty(self.last_end, State::FlowMapKey { is_first: false })
            }
            State::End => Ok((Event::StreamEnd, 0..0)),
        }
    }

    fn document_start(&mut self, is_first: bool) -> Next<'t> {
        // At the start of a file, kubectl rejects them, which is reported at the boundary.
        while self.take(&TokenKind::DocumentEnd)?.is_some() {}
        let range = self.range()?;
        if self.take(&TokenKind::StreamEnd)?.is_some() {
            self.state = State::End;
            return Ok((Event::StreamEnd, range));
        }
        let is_explicit = matches!(
            self.peek()?.kind,
            TokenKind::Version { .. } | TokenKind::TagDirective(..) | TokenKind::DocumentStart
        );
        self.directives()?;
        self.states.push(State::DocumentEnd);
        if is_first && !is_explicit {
            self.state = State::BlockNode;
            return Ok((Event::DocumentStart, range.start..range.start));
        }
        let end = self.range()?;
        if self.take(&TokenKind::DocumentStart)?.is_none() {
            return refuse(end.start, "did not find expected <document start>");
        }
        self.state = State::DocumentContent;
        Ok((Event::DocumentStart, range.start..end.end))
    }

    fn directives(&mut self) -> Result<(), Refusal> {
        let mut has_version = false;
        loop {
            let Token { kind, start, .. } = self.peek()?.clone();
            match kind {
                TokenKind::Version { is_supported } => {
                    if has_version {
                        return refuse(start, "found duplicate %YAML directive");
                    }
                    if !is_supported {
                        return refuse(start, "found incompatible YAML document");
                    }
                    has_version = true;
                }
                TokenKind::TagDirective(handle, prefix) => {
                    if self.handles.iter().any(|(known, _)| *known == handle) {
                        return refuse(start, "found duplicate %TAG directive");
                    }
                    self.handles.push((handle, prefix));
                }
                _ => break,
            }
            self.advance();
        }
        for (handle, prefix) in [("!", "!"), ("!!", "tag:yaml.org,2002:")] {
            if !self.handles.iter().any(|(known, _)| known == handle) {
                self.handles.push((handle.to_owned(), prefix.to_owned()));
            }
        }
        Ok(())
    }

    fn document_content(&mut self) -> Next<'t> {
        let Token { kind, start, .. } = self.peek()?;
        let start = *start;
        if matches!(
            kind,
            TokenKind::Version { .. }
                | TokenKind::TagDirective(..)
                | TokenKind::DocumentStart
                | TokenKind::DocumentEnd
                | TokenKind::StreamEnd
        ) {
            self.pop();
            return Ok((Event::Scalar(plain_scalar(""), Properties::default()), start..start));
        }
        self.node(true, false)
    }

    fn document_end(&mut self) -> Next<'t> {
        let range = self.range()?;
        let end = self.take(&TokenKind::DocumentEnd)?.map_or(range.start, |it| it.end);
        self.handles.clear();
        self.state = State::DocumentStart { is_first: false };
        Ok((Event::DocumentEnd, range.start..end))
    }

    fn node(&mut self, is_block: bool, is_indentless: bool) -> Next<'t> {
        let range = self.range()?;
        if let TokenKind::Alias(name) = self.peek()?.kind {
            self.advance();
            self.pop();
            return Ok((Event::Alias(name), range));
        }
        let (properties, properties_end) = self.properties()?;
        let Range { start: at, end } = self.range()?;
        let has_any = properties_end.is_some();
        let event = match &self.peek()?.kind {
            TokenKind::BlockEntry if is_indentless => {
                self.state = State::IndentlessListEntry;
                return Ok((Event::ListStart { is_flow: false, properties }, at..at));
            }
            TokenKind::Scalar(_) => {
                self.pop();
                let Some(Token { kind: TokenKind::Scalar(scalar), .. }) = self.advance() else {
                    return refuse(at, "did not find expected node content");
                };
                return Ok((Event::Scalar(scalar, properties), at..end));
            }
            TokenKind::FlowListStart => {
                self.state = State::FlowListEntry { is_first: true };
                Event::ListStart { is_flow: true, properties }
            }
            TokenKind::FlowMapStart => {
                self.state = State::FlowMapKey { is_first: true };
                Event::MapStart { is_flow: true, properties }
            }
            TokenKind::BlockListStart if is_block => {
                self.state = State::BlockListEntry;
                Event::ListStart { is_flow: false, properties }
            }
            TokenKind::BlockMapStart if is_block => {
                self.state = State::BlockMapKey;
                Event::MapStart { is_flow: false, properties }
            }
            _ if has_any => {
                self.pop();
                let at = properties_end.unwrap_or(at);
                return Ok((Event::Scalar(plain_scalar(""), properties), at..at));
            }
            _ => return refuse(at, "did not find expected node content"),
        };
        self.advance();
        Ok((event, at..end))
    }

    /// The anchor and the tag before a node, in any order, and the end of the last one.
    fn properties(&mut self) -> Result<(Properties<'t>, Option<usize>), Refusal> {
        let mut properties = Properties::default();
        let mut last = None;
        loop {
            let range = self.range()?;
            match &self.peek()?.kind {
                TokenKind::Anchor(name) if properties.anchor.is_none() => {
                    properties.anchor = Some((*name, range.clone()));
                }
                TokenKind::Tag(handle, suffix) if properties.tag.is_none() => {
                    let (handle, suffix) = (handle.clone(), suffix.clone());
                    let name = self.resolve(&handle, &suffix, range.start)?;
                    properties.tag = Some((name, range.clone()));
                }
                _ => return Ok((properties, last)),
            }
            last = Some(range.end);
            self.advance();
        }
    }

    /// The name of a tag after the resolution of its handle.
    fn resolve(&self, handle: &str, suffix: &str, at: usize) -> Result<String, Refusal> {
        if handle.is_empty() {
            return Ok(suffix.to_owned());
        }
        match self.handles.iter().find(|(known, _)| known == handle) {
            Some((_, prefix)) => Ok(format!("{prefix}{suffix}")),
            None => refuse(at, "found undefined tag handle"),
        }
    }

    fn block_list_entry(&mut self) -> Next<'t> {
        if let Some(dash) = self.take(&TokenKind::BlockEntry)? {
            if self.is_any(&[TokenKind::BlockEntry, TokenKind::BlockEnd])? {
                return self.empty(dash.end, State::BlockListEntry);
            }
            return self.node_then(State::BlockListEntry, true, false);
        }
        let range = self.range()?;
        if self.take(&TokenKind::BlockEnd)?.is_none() {
            return refuse(range.start, "did not find expected '-' indicator");
        }
        self.pop();
        Ok((Event::ListEnd, range))
    }

    fn indentless_list_entry(&mut self) -> Next<'t> {
        use TokenKind::{BlockEnd, BlockEntry, Key, Value};
        if let Some(dash) = self.take(&BlockEntry)? {
            if self.is_any(&[BlockEntry, Key, Value, BlockEnd])? {
                return self.empty(dash.end, State::IndentlessListEntry);
            }
            return self.node_then(State::IndentlessListEntry, true, false);
        }
        let at = self.range()?.start;
        self.pop();
        Ok((Event::ListEnd, at..at))
    }

    fn block_map_key(&mut self) -> Next<'t> {
        use TokenKind::{BlockEnd, Key, Value};
        if let Some(key) = self.take(&Key)? {
            if self.is_any(&[Key, Value, BlockEnd])? {
                return self.empty(key.end, State::BlockMapValue);
            }
            return self.node_then(State::BlockMapValue, true, true);
        }
        let range = self.range()?;
        if self.take(&BlockEnd)?.is_none() {
            return refuse(range.start, "did not find expected key");
        }
        self.pop();
        Ok((Event::MapEnd, range))
    }

    fn block_map_value(&mut self) -> Next<'t> {
        use TokenKind::{BlockEnd, Key, Value};
        if let Some(colon) = self.take(&Value)? {
            if self.is_any(&[Key, Value, BlockEnd])? {
                return self.empty(colon.end, State::BlockMapKey);
            }
            return self.node_then(State::BlockMapKey, true, true);
        }
        let last = self.last_end;
        self.empty(last, State::BlockMapKey)
    }

    fn flow_list_entry(&mut self, is_first: bool) -> Next<'t> {
        let range = self.range()?;
        if self.take(&TokenKind::FlowListEnd)?.is_some() {
            self.pop();
            return Ok((Event::ListEnd, range));
        }
        if !is_first && self.take(&TokenKind::FlowEntry)?.is_none() {
            return refuse(range.start, "did not find expected ',' or ']'");
        }
        if let Some(key) = self.take(&TokenKind::Key)? {
            self.state = State::FlowPairKey;
            let event = Event::MapStart { is_flow: true, properties: Properties::default() };
            return Ok((event, key));
        }
        let range = self.range()?;
        if self.take(&TokenKind::FlowListEnd)?.is_some() {
            self.pop();
            return Ok((Event::ListEnd, range));
        }
        self.node_then(State::FlowListEntry { is_first: false }, false, false)
    }

    fn flow_pair_key(&mut self) -> Next<'t> {
        use TokenKind::{FlowEntry, FlowListEnd, Value};
        if !self.is_any(&[Value, FlowEntry, FlowListEnd])? {
            return self.node_then(State::FlowPairValue, false, false);
        }
        // go-yaml takes the token here, so the next one is part of the pair.
        let end = self.range()?.end;
        self.advance();
        self.empty(end, State::FlowPairValue)
    }

    fn flow_pair_value(&mut self) -> Next<'t> {
        let last = self.last_end;
        if let Some(colon) = self.take(&TokenKind::Value)? {
            if !self.is_any(&[TokenKind::FlowEntry, TokenKind::FlowListEnd])? {
                return self.node_then(State::FlowPairEnd, false, false);
            }
            return self.empty(colon.end, State::FlowPairEnd);
        }
        self.empty(last, State::FlowPairEnd)
    }

    fn flow_map_key(&mut self, is_first: bool) -> Next<'t> {
        use TokenKind::{FlowEntry, FlowMapEnd, Key, Value};
        let range = self.range()?;
        if self.take(&FlowMapEnd)?.is_some() {
            self.pop();
            return Ok((Event::MapEnd, range));
        }
        if !is_first && self.take(&FlowEntry)?.is_none() {
            return refuse(range.start, "did not find expected ',' or '}'");
        }
        if self.take(&Key)?.is_some() {
            if !self.is_any(&[Value, FlowEntry, FlowMapEnd])? {
                return self.node_then(State::FlowMapValue, false, false);
            }
            let at = self.range()?.start;
            return self.empty(at, State::FlowMapValue);
        }
        let range = self.range()?;
        if self.take(&FlowMapEnd)?.is_some() {
            self.pop();
            return Ok((Event::MapEnd, range));
        }
        self.node_then(State::FlowMapEmptyValue, false, false)
    }

    fn flow_map_value(&mut self) -> Next<'t> {
        let last = self.last_end;
        let next = State::FlowMapKey { is_first: false };
        if let Some(colon) = self.take(&TokenKind::Value)? {
            if !self.is_any(&[TokenKind::FlowEntry, TokenKind::FlowMapEnd])? {
                return self.node_then(next, false, false);
            }
            return self.empty(colon.end, next);
        }
        self.empty(last, next)
    }
}

impl<'t> Iterator for Parser<'t> {
    type Item = Next<'t>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.state == State::End {
            return None;
        }
        let next = self.next_event();
        if next.is_err() {
            self.state = State::End;
        }
        Some(next)
    }
}

const fn refuse<T>(at: usize, problem: &'static str) -> Result<T, Refusal> {
    Err(Refusal { at, problem })
}

const fn plain_scalar(text: &str) -> Scalar<'_> {
    Scalar { text: Cow::Borrowed(text), style: Style::Plain, not_indented: None }
}
