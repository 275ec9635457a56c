//! Checks while the tree is built: the source, compared with the interpretation of YAML readers.

use std::iter::Peekable;
use std::vec;

use super::event::{Style, Tag};
use super::structure;
use crate::diag::{Diagnostic, Severity, Sink};
use crate::source::{FileSpan, Slice as _, offset};
use crate::yaml::fault;
use crate::yaml::go::Refusal;

/// The maximum number of findings of one kind per document.
const MAX_FINDINGS: usize = 20;

/// The checks of one document.
pub(super) struct Checks<'t> {
    text: &'t str,
    slice: FileSpan,
    /// The reason for which Kubernetes' reader rejects the document. In a document that it accepts,
    /// each finding is a warning.
    refusal: Option<Refusal>,
    has_tabs: bool,
    tabs_found: usize,
    /// Unicode line separators after the last scalar in quotes, by offset in the file and length.
    separators: Peekable<vec::IntoIter<(u32, u32)>>,
    /// Those before its end that readers interpret differently.
    misread: Vec<(u32, u32)>,
}

/// A scalar as written.
pub(super) struct Written<'a> {
    pub(super) span: FileSpan,
    pub(super) style: Style,
    pub(super) tag: Option<&'a Tag>,
    pub(super) is_key: bool,
    /// Whether it is inside brackets.
    pub(super) is_flow: bool,
    /// The first line of a string in quotes that is not indented.
    pub(super) not_indented: Option<u32>,
}

impl<'t> Checks<'t> {
    pub(super) fn new(text: &'t str, slice: FileSpan, refusal: Option<Refusal>) -> Self {
        let body = text.slice(slice.range());
        let separators = structure::line_separators(body)
            .into_iter()
            .map(|(at, length)| (slice.start + offset(at), offset(length)))
            .collect::<Vec<_>>();
        let separators = separators.into_iter().peekable();
        let has_tabs = memchr::memchr(b'\t', body.as_bytes()).is_some();
        let has_tabs = has_tabs && refusal.is_some();
        Self { text, slice, refusal, has_tabs, tabs_found: 0, separators, misread: Vec::new() }
    }

    /// The end of the document.
    pub(super) const fn end(&self) -> u32 {
        self.slice.end
    }

    /// Reports a probable mistake: a warning, unless Kubernetes' reader rejects the document.
    fn mistake(&self, finding: Option<Diagnostic>, sink: &mut Sink) {
        let Some(mut finding) = finding else { return };
        if self.refusal.is_none() {
            finding.severity = Severity::Warning;
        }
        sink.report(finding);
    }

    /// Checks a scalar.
    pub(super) fn scalar(&mut self, written: &Written<'_>, sink: &mut Sink) {
        let Written { span, style, tag, is_key, is_flow, not_indented } = *written;
        let text = self.text.slice(span.range());
        if let Some(refusal) = self.refusal {
            explain_scalar(refusal, written, text, self.text, sink);
        }
        if style == Style::Quoted {
            self.pass_separators(span);
        }
        if let Some(line) = not_indented {
            let body = self.text.slice(self.slice.range());
            self.mistake(Some(fault::not_indented(self.slice, body, span, line)), sink);
        }
        if let Some(tag) = tag {
            self.mistake(structure::tag_in_brackets(tag, span, self.text), sink);
        }
        if style != Style::Plain || tag.is_some() {
            return;
        }
        if is_key {
            self.mistake(structure::invisible_space(span, text), sink);
            if !is_flow {
                self.mistake(fault::glued_key(span, text), sink);
            }
            return;
        }
        if text.contains('\n') {
            let finding = fault::missing_dash_spaces(self.text, span, text)
                .or_else(|| fault::missing_space_after_colon(self.text, span, text));
            self.mistake(finding, sink);
        }
        if is_flow && text.len() > 1 && text.ends_with(':') {
            sink.report(structure::string_with_colon(span, text));
        }
        if let Some(finding) = structure::typographic_quotes(span, text) {
            sink.report(finding);
        }
    }

    /// Notes the line separators before the end of a string in quotes that readers interpret
    /// differently. Scalars are in order of position.
    fn pass_separators(&mut self, span: FileSpan) {
        while let Some((at, length)) = self.separators.next_if(|separator| separator.0 < span.end) {
            let is_inside = at >= span.start;
            let (place, size) = (at as usize, length as usize);
            if !is_inside || structure::is_folded_in_quotes(self.text, place, size) {
                self.misread.push((at, length));
            }
        }
    }

    /// Checks a key in brackets that has no value.
    pub(super) fn key_without_value(&self, key: FileSpan, sink: &mut Sink) {
        let text = self.text.slice(key.range());
        if self.refusal.is_some() || text.starts_with(['"', '\'', ':']) {
            return;
        }
        let finding = match text.strip_suffix(':') {
            Some(name) => Some(structure::key_with_colon(key, name)),
            None => fault::missing_space_after_colon(self.text, key, text),
        };
        self.mistake(finding, sink);
    }

    /// Checks the spaces, comments and indicators between two tokens. Outside of brackets,
    /// Kubernetes' reader allows no tab before the first token of a line, nor between a dash and
    /// its item.
    pub(super) fn gap(&mut self, from: u32, to: u32, is_flow: bool, sink: &mut Sink) {
        if !self.has_tabs || is_flow || from >= to {
            return;
        }
        let gap = self.text.slice(from as usize..to as usize);
        if memchr::memchr(b'\t', gap.as_bytes()).is_none() {
            return;
        }
        let before = self.text.slice(..from as usize);
        // The replacement of a tab: nothing before a line, a space after a dash.
        let is_line_start = before.is_empty() || before.ends_with(['\n', '\r']);
        let mut instead_of_tab = is_line_start.then_some("");
        let mut is_comment = false;
        let mut at = from;
        for c in gap.chars() {
            match c {
                '\n' | '\r' => (instead_of_tab, is_comment) = (Some(""), false),
                _ if is_comment => {}
                '#' => is_comment = true,
                '\t' if self.tabs_found < MAX_FINDINGS => {
                    if let Some(blanks) = instead_of_tab.take() {
                        self.tabs_found += 1;
                        let place = FileSpan { start: at, end: at + 1, ..self.slice };
                        sink.error(fault::tab_between(place, blanks));
                    }
                }
                ' ' | '\t' => {}
                '-' | '?' => instead_of_tab = Some(" "),
                _ => instead_of_tab = None,
            }
            at += u32::try_from(c.len_utf8()).unwrap_or(1);
        }
    }

    /// Finishes the checks at the end of the document.
    pub(super) fn finish(&mut self, cursor: u32, sink: &mut Sink) {
        self.gap(cursor, self.slice.end, false, sink);
        let text = self.text;
        // Before a document marker, another rule applies.
        let is_before_marker = |end: u32| {
            text.get(end as usize..)
                .is_some_and(|rest| rest.starts_with("---") || rest.starts_with("..."))
        };
        let separators = std::mem::take(&mut self.misread).into_iter().chain(&mut self.separators);
        let separators = separators.filter(|(start, length)| !is_before_marker(start + length));
        for (start, length) in separators.take(MAX_FINDINGS).collect::<Vec<_>>() {
            let place = FileSpan { start, end: start + length, ..self.slice };
            let text = self.text.slice(place.range());
            self.mistake(Some(structure::line_separator(place, text)), sink);
        }
    }
}

/// Explains the refusal of a document by the syntax of one of its scalars, written as `text`.
fn explain_scalar(_: Refusal, written: &Written<'_>, text: &str, source: &str, sink: &mut Sink) {
    let Written { span, style, tag, is_key, is_flow, .. } = *written;
    let escapes = structure::has_escapes(style, text).then(|| structure::escapes(span, text));
    let is_long = is_key && text.contains(['\n', '\r']);
    let long = is_long.then(|| structure::key_over_lines(span));
    let is_plain = is_flow && style == Style::Plain && tag.is_none();
    let plain = is_plain.then(|| structure::plain_in_brackets(span, text, source));
    for finding in [escapes.flatten(), long, plain.flatten()].into_iter().flatten() {
        sink.error(finding);
    }
}
