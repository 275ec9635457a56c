//! Explains invalid YAML: the fault, its position, and the repair.
//!
//! The parser reports where it stopped, which is often far after the cause. The functions here
//! search the surrounding text for the likeliest mistake. All offsets are bytes in the text of the
//! document.

mod brackets;
mod candidates;
mod colons;
mod indentation;
mod indicators;
mod layout;
mod line;
mod pasted;
mod quotes;
mod repair;
mod tabs;

pub(super) use repair::{Repairs, recover};

pub(super) use brackets::RULES as BRACKET_RULES;
pub(super) use colons::{
    MISSING_SPACE_AFTER_COLON, MISSING_SPACE_AFTER_DASH, RULES as COLON_RULES, glued_key,
    missing_dash_spaces, missing_space_after_colon,
};
pub use indicators::{RESERVED_CHARACTER, TEMPLATE_NOT_QUOTED};
pub(super) use indicators::{RULES as INDICATOR_RULES, template_not_quoted, template_text};
pub(super) use layout::{RULES as LAYOUT_RULES, marker_missing, open_block};
pub(super) use pasted::{PASTED_TEXT, RULES as PASTED_RULES, html_escape, pasted};
pub(super) use quotes::{RULES as QUOTE_RULES, not_indented};
pub(super) use tabs::{RULES as TAB_RULES, tab_between};

use self::colons::missing_dash_space;
use self::line::Line;
use super::go::Refusal;
use super::read::too_deep;
use crate::diag::{Diagnostic, declare_rules, message};
use crate::source::{FileId, FileSpan, offset};

declare_rules! {
    YAML_SYNTAX = "yaml-syntax", Error;
}

/// The parser's reason for stopping.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Fault {
    /// An unclosed quote, or a quoted scalar with lines that are not indented.
    Quote,
    /// A flow collection that does not continue or end as it should.
    FlowCollection,
    /// A closing bracket without an opening one, or of another kind.
    WrongBracket,
    /// A dash in brackets.
    DashInBrackets,
    /// `{a:[b]}`: a bracket directly after the colon.
    AdjacentValue,
    /// Text after the closing quote.
    TextAfterQuote,
    /// A tab where spaces are needed.
    Tab,
    /// A misplaced line: no key, no dash, another indentation.
    Layout,
    /// The header after `|` or `>`.
    BlockScalarHeader,
    /// An escape after a backslash.
    Escape,
    /// A character that cannot begin a value.
    Character(char),
    /// An anchor or alias without a name: a lone `&` or `*`.
    Nameless,
    /// Too many levels.
    TooDeep,
    /// A comment without a space before it.
    Comment,
    /// A comment between the lines of a scalar.
    CommentInText,
    /// Any other reason, with the parser's message.
    Other(String),
}

/// The position and the reason of the parser's stop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Stop {
    pub(super) fault: Fault,
    /// The position where the parser stopped.
    pub(super) at: u32,
    /// The opening bracket of the innermost flow collection that was open there.
    pub(super) flow: Option<u32>,
    /// The end of the last token before it.
    pub(super) cursor: u32,
}

impl Stop {
    /// The same position in offsets of a part of the text that begins at `start`.
    pub(super) fn relative_to(&self, start: u32) -> Self {
        let local = |at: u32| at.saturating_sub(start);
        Self {
            fault: self.fault.clone(),
            at: local(self.at),
            flow: self.flow.map(local),
            cursor: local(self.cursor),
        }
    }
}

/// An invalid document.
#[derive(Clone, Copy, Debug)]
struct Broken<'t> {
    file: FileId,
    body: &'t str,
    /// The position where the parser stopped.
    at: usize,
    /// The opening bracket of the innermost flow collection that was open there.
    flow: Option<usize>,
    /// The end of the last token before it.
    cursor: usize,
}

impl Broken<'_> {
    /// The span from `start` to `end`, extended to whole characters.
    fn span(&self, start: usize, end: usize) -> FileSpan {
        let start = self.body.floor_char_boundary(start);
        let end = self.body.ceil_char_boundary(end.max(start));
        FileSpan::new(self.file, offset(start), offset(end))
    }
}

/// The finding for the position where the parser stopped, in offsets of `body`.
fn explain_stop(file: FileId, body: &str, stop: &Stop) -> Diagnostic {
    let at = body.floor_char_boundary(stop.at as usize);
    // Includes brackets that the parser has opened but not reported yet.
    let flow = stop
        .flow
        .map(|at| at as usize)
        .or_else(|| brackets::open_at(body, stop.cursor as usize, at));
    let broken = Broken { file, body, at, flow, cursor: stop.cursor as usize };
    let found = match &stop.fault {
        _ if indicators::is_template_line(Line::at(body, at)) => {
            Some(indicators::template_statement(&broken, Line::at(body, at)))
        }
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
        Fault::DashInBrackets => brackets::dash(&broken),
        Fault::Comment | Fault::Other(_) => None,
    };
    found.unwrap_or_else(|| generic_finding(&broken, &stop.fault))
}

/// The finding for a document that only Kubernetes' reader rejects, for a reason that no other rule
/// explains.
pub(super) fn refused(refusal: Refusal, place: FileSpan) -> Diagnostic {
    Diagnostic::new(
        &YAML_SYNTAX,
        place,
        message!("invalid YAML in Kubernetes: {}", refusal.problem),
    )
    .note("YAML 1.2 parsers accept it, but the API server and kubectl reject the document")
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

fn generic_finding(broken: &Broken<'_>, fault: &Fault) -> Diagnostic {
    let span = broken.span(broken.at, broken.at);
    let finding = |message: &'static str| Diagnostic::new(&YAML_SYNTAX, span, message);
    match fault {
        Fault::Comment => finding("missing space before the `#` of a comment").suggest(
            span,
            " ",
            "add a space, or quote the value if `#` is part of it",
        ),
        Fault::Other(message) => Diagnostic::new(&YAML_SYNTAX, span, message!("{message}")),
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
