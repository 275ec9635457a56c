//! The YAML grammar of go-yaml v2, with which sigs.k8s.io/yaml and so the API server and kubectl
//! read.
//!
//! It is that of libyaml (YAML 1.1 with the changes of its authors), and differs from YAML 1.2 in both
//! directions. Which tokens a text has, and which of them begin a key, follows the same rules as in
//! `scannerc.go` and `parserc.go` of go.yaml.in/yaml/v2 v2.4.3; `tools/yaml-oracle` compares the
//! verdicts and values.

mod chars;
mod parser;
mod properties;
mod quoted;
mod scalars;
mod scanner;

pub(super) use parser::Parser;
pub(super) use scanner::{Token, TokenKind, tokens};

use std::borrow::Cow;
use std::ops::Range;

/// The reason for which go-yaml rejects a text, and the position of its scanner or parser.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::yaml) struct Refusal {
    /// The offset in bytes from the start of the document.
    pub(in crate::yaml) at: usize,
    /// What go-yaml reports.
    pub(in crate::yaml) problem: &'static str,
}

/// The style of a scalar.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::yaml) enum Style {
    Plain,
    Quoted,
    /// A literal or folded block, after `|` or `>`.
    Block,
}

/// A scalar.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::yaml) struct Scalar<'t> {
    pub(super) text: Cow<'t, str>,
    pub(super) style: Style,
    /// The first line that is not indented deeper than the collection around a quoted scalar, if
    /// there is one. YAML 1.2 requires the indentation.
    pub(super) not_indented: Option<usize>,
}

/// The anchor and the tag of a node, with their bytes in the text.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Properties<'t> {
    pub(super) anchor: Option<(&'t str, Range<usize>)>,
    /// The name after the resolution of handles.
    pub(super) tag: Option<(String, Range<usize>)>,
}

impl Properties<'_> {
    /// The same anchor and tag, wherever they are.
    pub(super) fn without_offsets(self) -> Self {
        let anchor = self.anchor.map(|(name, _)| (name, 0..0));
        Self { anchor, tag: self.tag.map(|(name, _)| (name, 0..0)) }
    }
}

/// An event.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Event<'t> {
    DocumentStart,
    DocumentEnd,
    StreamEnd,
    Alias(&'t str),
    Scalar(Scalar<'t>, Properties<'t>),
    ListStart { is_flow: bool, properties: Properties<'t> },
    ListEnd,
    MapStart { is_flow: bool, properties: Properties<'t> },
    MapEnd,
}
