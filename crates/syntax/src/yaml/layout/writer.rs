//! Writes the tokens of a document at their canonical columns.

use super::STEP;
use super::comment::{Around, Collection, CommentColumn, Kind, places};
use super::gap::{Comment, Gap, spaces_between};
use super::scalar::{Block, push_spaces, write_folded};
use crate::source::{Slice as _, lines};
use crate::yaml::go::{Style, Token, TokenKind};

/// Open brackets, or the line on which others open.
#[derive(Clone, Copy, Default, Debug)]
struct Brackets {
    /// The indentation of the line on which they were opened.
    indent: usize,
    /// Whether they follow a key or a dash on that line.
    is_of_block: bool,
    /// Whether there are spaces inside.
    is_padded: bool,
}

/// Writes one document.
pub(super) struct Writer<'t> {
    text: &'t str,
    out: String,
    comments: Vec<&'t str>,
    collections: Vec<Collection>,
    /// The collections that were closed after the last token.
    closed: Vec<Collection>,
    brackets: Vec<Brackets>,
    line: Brackets,
    /// The collection that begins with the next token.
    opens: Option<Kind>,
    /// Whether the next token begins an entry of a map.
    is_entry: bool,
    /// The last token, and its end.
    last: Option<TokenKind<'t>>,
    last_end: usize,
    /// Whether the current line is that of a `---`.
    is_after_marker: bool,
}

impl<'t> Writer<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self {
            text,
            out: String::with_capacity(text.len() + text.len() / 8),
            comments: Vec::new(),
            collections: Vec::new(),
            closed: Vec::new(),
            brackets: Vec::new(),
            line: Brackets::default(),
            opens: None,
            is_entry: false,
            last: None,
            last_end: 0,
            is_after_marker: false,
        }
    }

    /// The layout and the comments.
    pub(super) fn finish(self) -> (String, Vec<&'t str>) {
        (self.out, self.comments)
    }

    /// Takes the next token of the document.
    pub(super) fn take(&mut self, token: &Token<'t>) {
        let is_block = self.brackets.is_empty();
        match token.kind {
            TokenKind::BlockListStart => self.opens = Some(Kind::List),
            TokenKind::BlockMapStart => self.opens = Some(Kind::Map),
            TokenKind::BlockEnd => {
                self.close_indentless();
                self.closed.extend(self.collections.pop());
            }
            TokenKind::Key if is_block => {
                if self.opens.is_none() {
                    self.close_indentless();
                }
                self.is_entry = true;
            }
            TokenKind::StreamEnd => self.end(),
            _ => {}
        }
        if token.end > token.start {
            self.write(token);
        }
    }

    fn close_indentless(&mut self) {
        if self.innermost().is_some_and(|collection| collection.kind == Kind::IndentlessList) {
            self.closed.extend(self.collections.pop());
        }
    }

    fn innermost(&self) -> Option<Collection> {
        self.collections.last().copied()
    }

    /// The column of a value on its own line in the innermost collection.
    fn value_column(&self) -> usize {
        self.innermost().map_or(0, |collection| collection.new + STEP)
    }

    /// Writes a token with text, and the gap before it.
    fn write(&mut self, token: &Token<'t>) {
        let gap = self.text.slice(self.last_end..token.start);
        let gap = Gap::of(gap, self.last.is_none());
        if self.brackets.is_empty() {
            if gap.has_break && token.kind == TokenKind::Value && self.opens.is_none() {
                self.close_indentless();
                self.is_entry = true;
            }
            let is_in_map = self.innermost().is_some_and(|collection| collection.kind == Kind::Map);
            if token.kind == TokenKind::BlockEntry && is_in_map && self.opens.is_none() {
                self.opens = Some(Kind::IndentlessList);
            }
        }
        if gap.has_break {
            let column = self.column_of_line(token, &gap);
            self.write_comments(&gap, Some(&token.kind), column);
            self.break_line(gap.is_apart);
            push_spaces(column, &mut self.out);
        } else if let Some(last) = self.last.take() {
            let is_padded = self.padding(&last, &token.kind, &gap);
            let spaces = spaces_between(&last, &token.kind, gap.spaces, is_padded);
            push_spaces(spaces, &mut self.out);
        }
        if let Some(kind) = self.opens.take() {
            let old = if gap.has_break { gap.spaces } else { column(self.text, token.start) };
            let new = column(&self.out, self.out.len());
            self.collections.push(Collection { kind, old, new });
        }
        self.last_end = self.write_text(token);
        self.take_brackets(&token.kind);
        self.is_entry = false;
        self.closed.clear();
        self.is_after_marker = token.kind == TokenKind::DocumentStart;
        self.last = Some(token.kind.clone());
    }

    /// Whether the innermost brackets have spaces inside: as after the opening one.
    fn padding(&mut self, last: &TokenKind<'t>, next: &TokenKind<'t>, gap: &Gap<'t>) -> bool {
        let Some(brackets) = self.brackets.last_mut() else { return false };
        if is_opening(last) && !is_closing(next) {
            brackets.is_padded = gap.spaces > 0;
        }
        brackets.is_padded
    }

    /// The column of a token that begins a line.
    fn column_of_line(&mut self, token: &Token<'t>, gap: &Gap<'t>) -> usize {
        if let Some(brackets) = self.brackets.last().copied() {
            if !is_closing(&token.kind) {
                let indent = brackets.indent + STEP;
                self.line = Brackets { indent, ..Brackets::default() };
                return indent;
            }
            self.line = brackets;
            // YAML 1.2 requires that the bracket is deeper than its key, but most readers do not.
            let is_deeper = self.innermost().is_some_and(|collection| gap.spaces > collection.old);
            let step = if brackets.is_of_block && is_deeper { STEP } else { 0 };
            return brackets.indent + step;
        }
        let is_entry = self.is_entry || token.kind == TokenKind::BlockEntry;
        let is_marker = is_marker(Some(&token.kind));
        let column = if self.opens.is_none() && (is_entry || is_marker) {
            self.innermost().map_or(0, |it| it.new)
        } else {
            self.value_column()
        };
        let is_of_block = self.opens.is_some() || is_entry || is_marker;
        self.line = Brackets { indent: column, is_of_block, is_padded: false };
        column
    }

    /// Writes the comments of a gap before a token at a column of the layout.
    fn write_comments(&mut self, gap: &Gap<'t>, next: Option<&TokenKind<'t>>, column: usize) {
        if let Some(Comment { spaces, text, .. }) = gap.after {
            push_spaces(spaces.max(1), &mut self.out);
            self.out.push_str(text);
            self.comments.push(text);
        }
        if gap.own.is_empty() {
            return;
        }
        let places = match self.brackets.last() {
            Some(it) => {
                vec![CommentColumn { column: it.indent + STEP, depth: None }; gap.own.len()]
            }
            None => places(&gap.own, &self.around(gap.spaces, next, column)),
        };
        for (comment, place) in gap.own.iter().zip(places) {
            self.break_line(comment.is_apart);
            push_spaces(place.column, &mut self.out);
            let text = comment.text.strip_prefix('#').unwrap_or(comment.text);
            let content = text.trim_start_matches(' ');
            self.out.push('#');
            push_spaces(place.depth.unwrap_or(text.len() - content.len()), &mut self.out);
            self.out.push_str(content);
            self.comments.push(content);
        }
    }

    /// What is around the comments before a token at columns of the source and of the layout; without
    /// one, at the end.
    fn around(&self, old: usize, next: Option<&TokenKind<'t>>, new: usize) -> Around {
        let is_item = next == Some(&TokenKind::BlockEntry);
        let is_entry = next.is_none() || is_item || self.is_entry || is_marker(next);
        let mut collections = self.collections.clone();
        collections.extend(self.closed.iter().rev());
        let in_kind = self.opens.or(self.innermost().map(|it| it.kind));
        collections.extend(self.opens.map(|kind| Collection { kind, old, new }));
        Around {
            collections,
            innermost: self.closed.first().copied().or(self.innermost()),
            next: (old, new),
            is_sibling: self.opens.is_none() && is_entry,
            is_before_item: is_item,
            is_in_indentless: is_item && in_kind == Some(Kind::IndentlessList),
            is_after_empty: matches!(self.last, Some(TokenKind::Value | TokenKind::BlockEntry)),
            is_after_block: self.is_after_block(),
        }
    }

    fn is_after_block(&self) -> bool {
        matches!(&self.last, Some(TokenKind::Scalar(it)) if it.style == Style::Block)
    }

    /// Ends the current line, and leaves a line without text if there was any.
    fn break_line(&mut self, is_apart: bool) {
        if self.out.is_empty() {
            return;
        }
        self.out.push('\n');
        if is_apart && !std::mem::take(&mut self.is_after_marker) {
            self.out.push('\n');
        }
        self.is_after_marker = false;
    }

    /// Writes the text of a token, and returns its end in the source.
    fn write_text(&mut self, token: &Token<'t>) -> usize {
        let written = self.text.slice(token.start..token.end);
        match &token.kind {
            TokenKind::Scalar(scalar) if scalar.style == Style::Block => {
                let rest = self.text.slice(token.start..);
                let parent = self.innermost();
                let block = Block::of(rest, parent.map(|it| it.old));
                let step = block.indicator.unwrap_or(STEP);
                block.write(parent.map_or(0, |it| it.new) + step, &mut self.out);
                return token.start + block.length;
            }
            TokenKind::Scalar(_) => {
                let around = self.brackets.last().map(|it| it.indent);
                let around = around.or(self.innermost().map(|it| it.new)).unwrap_or(0);
                write_folded(written, around + STEP, &mut self.out);
            }
            _ => self.out.push_str(written),
        }
        token.end
    }

    fn take_brackets(&mut self, kind: &TokenKind<'t>) {
        if is_opening(kind) {
            if self.brackets.is_empty() && self.line.is_of_block {
                self.line.indent = self.innermost().map_or(0, |it| it.new);
            }
            self.brackets.push(Brackets { is_padded: false, ..self.line });
        } else if is_closing(kind) {
            self.brackets.pop();
        }
    }

    /// Writes the comments after the last token, and ends the last line.
    fn end(&mut self) {
        let gap = self.text.slice(self.last_end..);
        let mut gap = Gap::of(gap, self.last.is_none());
        gap.spaces = 0;
        self.write_comments(&gap, None, 0);
        if !self.out.is_empty() {
            self.out.push('\n');
        }
    }
}

const fn is_opening(kind: &TokenKind<'_>) -> bool {
    matches!(kind, TokenKind::FlowListStart | TokenKind::FlowMapStart)
}

const fn is_closing(kind: &TokenKind<'_>) -> bool {
    matches!(kind, TokenKind::FlowListEnd | TokenKind::FlowMapEnd)
}

const fn is_marker(kind: Option<&TokenKind<'_>>) -> bool {
    matches!(kind, Some(TokenKind::DocumentStart | TokenKind::DocumentEnd))
}

/// The number of characters between the start of a line and an offset.
fn column(text: &str, at: usize) -> usize {
    text.slice(lines::start(text, at)..at).chars().count()
}
