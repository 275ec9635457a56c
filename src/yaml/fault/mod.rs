//! What is wrong with text that is not YAML, and where: the parser notices far behind the cause.

use super::read::{Stop, too_deep};
use crate::diag::{Diagnostic, Rule, declare_rules};
use crate::source::Span;

declare_rules! {
    /// ## What it does
    /// Reports text that is not YAML.
    ///
    /// ## Why
    /// Nothing can be compiled from a document that cannot be read.
    ///
    /// ## Example
    /// ```yaml
    /// key: [a, b
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// key: [a, b]
    /// ```
    YAML_SYNTAX = "yaml-syntax", Error;
}

/// What the parser stumbled over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Fault {
    /// A quote that no quote closes.
    UnclosedQuote,
    /// A flow collection that does not go on or end as it should.
    FlowCollection,
    /// A closing bracket that closes nothing, or something else.
    WrongBracket,
    /// Text behind the closing quote.
    TextAfterQuote,
    /// A tab where blanks are needed.
    Tab,
    /// A line that does not fit where it stands: no key, no dash, another indentation.
    Layout,
    /// A line inside a quoted or block scalar that is not indented enough.
    ContinuationIndent,
    /// What stands behind `|` or `>`.
    BlockScalarHeader,
    /// A backslash and what stands behind it.
    Escape,
    /// A character that cannot begin a value.
    Character(char),
    /// More levels than allowed.
    TooDeep,
    /// Text behind `...`.
    AfterDocumentEnd,
    /// A comment without a blank before it.
    Comment,
    /// Anything else, in the parser's words.
    Other(String),
}

/// The finding for the place where the parser stopped in the document `slice` of the file `text`.
pub(super) fn explain(text: &str, slice: Span, stop: &Stop) -> Diagnostic {
    let at = stop.at.min(slice.end);
    let span = Span { start: at, end: at, ..slice };
    let message = match &stop.fault {
        Fault::TooDeep => return too_deep(span),
        Fault::Other(message) => message.clone(),
        fault => format!("{fault:?}"),
    };
    let _ = text;
    Diagnostic::new(&YAML_SYNTAX, span, message)
}
