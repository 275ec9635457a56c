//! The text between two tokens: spaces, line breaks and comments.

use super::super::go::TokenKind;

/// A comment between two tokens.
#[derive(Debug)]
pub(super) struct Comment<'t> {
    /// The number of spaces before it: on its own line its column, otherwise its distance.
    pub(super) spaces: usize,
    /// Its text, without spaces at the end.
    pub(super) text: &'t str,
    /// Whether a line without text precedes it.
    pub(super) is_apart: bool,
}

/// A gap, divided into lines.
#[derive(Debug, Default)]
pub(super) struct Gap<'t> {
    /// The comment on the line of the token before it.
    pub(super) after: Option<Comment<'t>>,
    /// The comments on lines of their own.
    pub(super) own: Vec<Comment<'t>>,
    /// Whether the next token is on another line.
    pub(super) has_break: bool,
    /// Whether a line without text precedes the next token.
    pub(super) is_apart: bool,
    /// The number of spaces before the next token on its line.
    pub(super) spaces: usize,
}

impl<'t> Gap<'t> {
    /// Divides the text of a gap. Without a token before it, it begins a line.
    pub(super) fn of(text: &'t str, is_first: bool) -> Self {
        let mut gap = Self { has_break: is_first, ..Self::default() };
        let mut lines = text.split('\n').peekable();
        let mut is_line = is_first;
        while let Some(line) = lines.next() {
            let content = line.trim_matches([' ', '\t']);
            let before = line.get(..line.len() - line.trim_start_matches([' ', '\t']).len());
            // The width of a tab is unknown.
            let spaces = before.filter(|it| !it.contains('\t')).map_or(1, str::len);
            let comment = Comment { spaces, text: content, is_apart: gap.is_apart };
            if lines.peek().is_none() && content.is_empty() {
                gap.spaces = line.len();
                gap.has_break |= is_line;
            } else if !content.is_empty() {
                if is_line {
                    gap.own.push(comment);
                } else {
                    gap.after = Some(comment);
                }
                gap.is_apart = false;
            } else if is_line {
                gap.is_apart = true;
            }
            is_line = true;
        }
        gap
    }
}

/// The number of spaces between two tokens of one line; `written` is that of the source, and
/// `is_padded` whether the innermost brackets have spaces inside.
pub(super) fn spaces_between(
    before: &TokenKind<'_>,
    after: &TokenKind<'_>,
    written: usize,
    is_padded: bool,
) -> usize {
    use TokenKind::{
        Alias, Anchor, FlowEntry, FlowListEnd, FlowListStart, FlowMapEnd, FlowMapStart, Tag, Value,
    };
    match (before, after) {
        // Their names could otherwise include the next character.
        (Anchor(_) | Tag(..), _) | (Alias(_), Value) => 1,
        (FlowListStart, FlowListEnd) | (FlowMapStart, FlowMapEnd) => 0,
        // `:` and `,` are part of a plain scalar without it.
        (Value, FlowEntry | FlowListEnd | FlowMapEnd) => written.min(1),
        (FlowListStart | FlowMapStart, _) | (_, FlowListEnd | FlowMapEnd) => usize::from(is_padded),
        (FlowEntry, _) => 1,
        (_, FlowEntry | Value) => 0,
        _ => 1,
    }
}
