//! Checks while the tree is built: the source, compared with the interpretation of YAML readers.

use std::iter::Peekable;
use std::vec;

use super::event::{Style, Tag};
use super::structure;
use crate::diag::{Diagnostic, Sink};
use crate::source::FileSpan;
use crate::yaml::fault;

/// The maximum number of findings of one kind per document.
const MAX_FINDINGS: usize = 20;

/// The checks of one document.
pub(super) struct Checks<'t> {
    text: &'t str,
    slice: FileSpan,
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
}

impl<'t> Checks<'t> {
    pub(super) fn new(text: &'t str, slice: FileSpan) -> Self {
        let body = text.get(slice.range()).unwrap_or("");
        let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        let separators = structure::line_separators(body)
            .into_iter()
            .map(|(at, length)| (slice.start + offset(at), offset(length)))
            .collect::<Vec<_>>();
        let separators = separators.into_iter().peekable();
        let has_tabs = memchr::memchr(b'\t', body.as_bytes()).is_some();
        Self { text, slice, has_tabs, tabs_found: 0, separators, misread: Vec::new() }
    }

    /// Checks a scalar.
    pub(super) fn scalar(&mut self, written: &Written<'_>, sink: &mut Sink) {
        let Written { span, style, tag, is_key, is_flow } = *written;
        let text = self.text.get(span.range()).unwrap_or("");
        let mut report = |finding: Option<Diagnostic>| {
            if let Some(finding) = finding {
                sink.error(finding);
            }
        };
        if structure::has_escapes(style, text) {
            report(structure::escapes(span, text));
        }
        if is_key && text.contains(['\n', '\r']) {
            report(Some(structure::key_over_lines(span)));
        }
        if style == Style::Quoted {
            // Scalars are in order of position.
            while let Some((at, length)) = self.separators.next_if(|it| it.0 < span.end) {
                let is_inside = at >= span.start;
                let (place, size) = (at as usize, length as usize);
                if !is_inside || structure::is_folded_in_quotes(self.text, place, size) {
                    self.misread.push((at, length));
                }
            }
        }
        if is_flow && let Some(tag) = tag {
            report(structure::tag_in_brackets(tag, span, self.text));
        }
        if style != Style::Plain || tag.is_some() {
            return;
        }
        if is_flow {
            report(structure::plain_in_brackets(span, text, self.text));
        }
        if is_key {
            report(structure::invisible_space(span, text));
        } else if text.contains('\n') {
            report(
                fault::missing_dash_spaces(span, text)
                    .or_else(|| fault::missing_space_after_colon(span, text)),
            );
        }
        // A warning: Kubernetes accepts the value.
        if !is_key && let Some(finding) = structure::typographic_quotes(span, text) {
            sink.report(finding);
        }
    }

    /// Checks a key whose value is empty. Returns the colon of `name:home`, which is a key with a
    /// value without a space between them.
    pub(super) fn empty_value(
        &self,
        key: FileSpan,
        value: FileSpan,
        sink: &mut Sink,
    ) -> Option<usize> {
        let text = self.text.get(key.range()).unwrap_or("");
        // A colon at the start has been reported.
        if text.starts_with(['"', '\'', ':']) {
            return None;
        }
        let finding = if value.start == key.end {
            fault::missing_space_after_colon(key, text)
        } else {
            structure::empty_value_in_brackets(key, self.text)
        }?;
        let is_pair = finding.rule == &fault::MISSING_SPACE_AFTER_COLON;
        sink.error(finding);
        text.find(':').filter(|_| is_pair)
    }

    /// Checks the spaces, comments and indicators between two tokens. Outside of brackets,
    /// Kubernetes' reader allows no tab before the first token of a line, nor between a dash and
    /// its item.
    pub(super) fn gap(&mut self, from: u32, to: u32, is_flow: bool, sink: &mut Sink) {
        if !self.has_tabs || is_flow || from >= to {
            return;
        }
        let gap = self.text.get(from as usize..to as usize).unwrap_or("");
        if memchr::memchr(b'\t', gap.as_bytes()).is_none() {
            return;
        }
        let before = self.text.get(..from as usize).unwrap_or("");
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
        for (start, length) in separators.take(MAX_FINDINGS) {
            let place = FileSpan { start, end: start + length, ..self.slice };
            let text = self.text.get(place.range()).unwrap_or("");
            sink.error(structure::line_separator(place, text));
        }
    }
}
