//! What is wrong with text that is not YAML, where, and what to write instead.
//!
//! The parser says where it could not go on, which is often far after the cause. The functions here
//! look at the text around that place for the mistake a person most likely made. All offsets are bytes
//! in the text of the document.

mod brackets;
mod colons;
mod indentation;
mod indicators;
mod layout;
mod line;
mod quotes;
mod repair;
mod tabs;

pub(super) use repair::recover;

pub(super) use brackets::RULES as BRACKET_RULES;
pub(super) use colons::{RULES as COLON_RULES, missing_dash_spaces, missing_space_after_colon};
pub(super) use indicators::{RULES as INDICATOR_RULES, template_not_quoted};
pub(super) use layout::{RULES as LAYOUT_RULES, marker_missing, open_block};
pub(super) use quotes::RULES as QUOTE_RULES;
pub(super) use tabs::{RULES as TAB_RULES, tab_between};

use self::line::Line;
use super::read::too_deep;
use crate::diag::{Diagnostic, declare_rules};
use crate::source::{FileId, FileSpan};

declare_rules! {
    YAML_SYNTAX = "yaml-syntax", Error;
}

/// What the parser stumbled over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Fault {
    /// A quote that no quote closes, or the text in it reaches lines that are not indented.
    Quote,
    /// A flow collection that does not go on or end as it should.
    FlowCollection,
    /// A closing bracket that closes nothing, or something else.
    WrongBracket,
    /// A dash in brackets, where there are none.
    DashInBrackets,
    /// `{a:[b]}`: a bracket directly after the colon.
    AdjacentValue,
    /// Text after the closing quote.
    TextAfterQuote,
    /// A tab where spaces are needed.
    Tab,
    /// A line that does not fit where it appears: no key, no dash, another indentation.
    Layout,
    /// What follows `|` or `>`.
    BlockScalarHeader,
    /// A backslash and what follows it.
    Escape,
    /// A character that cannot begin a value.
    Character(char),
    /// An anchor or alias without a name: a lone `&` or `*`.
    Nameless,
    /// More levels than allowed.
    TooDeep,
    /// A comment without a space before it.
    Comment,
    /// A comment between the lines of a text.
    CommentInText,
    /// Anything else, in the parser's words.
    Other(String),
}

/// Where and why the parser stopped.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Stop {
    pub(super) fault: Fault,
    /// Where the parser noticed.
    pub(super) at: u32,
    /// The opening bracket of the innermost flow collection that was open there.
    pub(super) flow: Option<u32>,
    /// Where the last piece before it ends.
    pub(super) cursor: u32,
}

/// A document that the parser could not read to its end.
#[derive(Clone, Copy, Debug)]
struct Broken<'t> {
    file: FileId,
    body: &'t str,
    /// Where the parser noticed.
    at: usize,
    /// The opening bracket of the innermost flow collection that was open there.
    flow: Option<usize>,
    /// Where the last piece before it ends.
    cursor: usize,
}

impl Broken<'_> {
    /// The place from `start` to `end`, grown to whole characters.
    fn span(&self, start: usize, end: usize) -> FileSpan {
        let offset = |at| u32::try_from(at).unwrap_or(u32::MAX);
        let start = self.body.floor_char_boundary(start);
        let end = self.body.ceil_char_boundary(end.max(start));
        FileSpan::new(self.file, offset(start), offset(end))
    }
}

/// The finding for the place where the parser stopped, in offsets of `body`.
fn explain(file: FileId, body: &str, stop: &Stop) -> Diagnostic {
    let at = body.floor_char_boundary(stop.at as usize);
    // Brackets that the parser opened and did not yet tell of count as well.
    let flow = stop
        .flow
        .map(|at| at as usize)
        .or_else(|| brackets::open_at(body, stop.cursor as usize, at));
    let broken = Broken { file, body, at, flow, cursor: stop.cursor as usize };
    let found = match &stop.fault {
        Fault::TooDeep => Some(too_deep(broken.span(at, at))),
        Fault::Tab => tabs::explain(&broken),
        Fault::Quote => quotes::unclosed(&broken),
        Fault::TextAfterQuote => quotes::text_behind(&broken),
        Fault::Escape => quotes::escape(&broken),
        Fault::FlowCollection | Fault::WrongBracket => brackets::explain(&broken),
        Fault::AdjacentValue => colons::before_bracket(&broken),
        Fault::CommentInText => comment_in_text(&broken).or_else(|| layout::explain(&broken)),
        Fault::Layout if flow.is_some() => {
            brackets::explain(&broken).or_else(|| layout::explain(&broken))
        }
        Fault::Layout => layout::explain(&broken),
        Fault::BlockScalarHeader | Fault::Character(_) | Fault::Nameless => {
            indicators::explain(&broken)
        }
        Fault::DashInBrackets | Fault::Comment | Fault::Other(_) => None,
    };
    found.unwrap_or_else(|| generic(&broken, &stop.fault))
}

/// A comment after a value that continues in the next line.
fn comment_in_text(broken: &Broken<'_>) -> Option<Diagnostic> {
    let line = Line::at(broken.body, broken.at);
    let line = if line.is_trivia() { line.previous(broken.body)? } else { line };
    let next = line.next(broken.body).filter(|next| next.indent() > line.indent())?;
    let comment = line.start + line.text.find(" #")? + 1;
    let start = next.content_start();
    line.key_value()?;
    Some(
        Diagnostic::new(
            &YAML_SYNTAX,
            broken.span(start, start + next.content().len()),
            "string continues after a comment",
        )
        .label(broken.span(comment, comment + 1), "end of the string")
        .help("move the comment above the key, or quote the string if `#` is part of it"),
    )
}

fn generic(broken: &Broken<'_>, fault: &Fault) -> Diagnostic {
    let span = broken.span(broken.at, broken.at);
    let finding = |message: &str| Diagnostic::new(&YAML_SYNTAX, span, message);
    match fault {
        Fault::Comment => finding("missing space before the `#` of a comment").suggest(
            span,
            " ",
            "add a space, or quote the value if `#` is part of it",
        ),
        Fault::Other(message) => finding(message),
        Fault::Quote | Fault::TextAfterQuote | Fault::Escape => {
            finding("invalid quoted string").help("check the quotes and backslashes")
        }
        Fault::DashInBrackets => finding("`-` at the start of a value in brackets").help(
            "remove the `-`, since commas separate items in brackets; if it is part of a \
                string, quote the string",
        ),
        Fault::FlowCollection | Fault::WrongBracket | Fault::AdjacentValue => {
            finding("invalid list or map in brackets")
                .help("check the commas, colons and the closing bracket")
        }
        Fault::BlockScalarHeader | Fault::Character(_) | Fault::Nameless => {
            finding("invalid start of a value").help("quote the value")
        }
        Fault::Tab | Fault::Layout | Fault::TooDeep | Fault::CommentInText => {
            finding("line is neither a key nor a list item").help(
                "write `key: value` or `- item`, and indent it like the lines that it \
                    belongs to",
            )
        }
    }
}

#[cfg(test)]
mod tests;
