//! Reports several mistakes in one run: a mistake with a certain repair is repaired in a copy of
//! the document, which is then parsed again to find the next one.

use super::super::explains_misreading;
use std::ops::Range;

use super::indentation::{Repair, edited, likeliest};
use super::layout::WRONG_INDENTATION;
use super::line::Line;
use super::tabs::TAB_INDENTATION;
use super::{Stop, explain_stop};
use crate::diag::{Diagnostic, Message, Severity, Sink, message};
use crate::limits::{REPAIR_BYTES, thousands};
use crate::source::{FileId, FileSpan, Span, offset};
use crate::yaml::go::Refusal;
use crate::yaml::read::invisible_space;

/// The maximum number of mistakes reported per document and run.
const MAX_FINDINGS: usize = 20;

/// The size in bytes above which a document is parsed again only once, and one mistake is reported.
const MAX_BYTES: usize = 1 << 20;

/// The maximum number of pieces that all repairs of a document replace.
const MAX_EDITS: usize = 2_000;

/// What repairs of unreadable documents can still do in a run.
#[derive(Clone, Copy, Debug)]
pub(in crate::yaml) struct Repairs {
    /// The number of bytes that can be parsed again.
    left: usize,
    /// Whether the last document required more.
    is_short: bool,
}

impl Repairs {
    /// The limit of a run.
    pub(in crate::yaml) const OF_RUN: Self = Self::of(REPAIR_BYTES.count());

    pub(in crate::yaml) const fn of(bytes: usize) -> Self {
        Self { left: bytes, is_short: false }
    }

    /// Takes the bytes of a text that is parsed again, if they are left.
    pub(super) fn take(&mut self, bytes: usize) -> bool {
        match self.left.checked_sub(bytes) {
            Some(left) => self.left = left,
            None => self.is_short = true,
        }
        !self.is_short
    }
}

/// A replaced piece of the document's text.
struct Edit {
    /// Its start in the copy.
    start: usize,
    /// Its length in the copy and in the original.
    length: usize,
    length_before: usize,
}

/// Reports the faults of a document that Kubernetes' reader and YAML 1.2 reject. `read` parses a text
/// and returns where it stopped; `base` is the offset of the document in its file.
pub(in crate::yaml) fn recover(
    _: Refusal,
    file: FileId,
    body: &str,
    base: u32,
    repairs: &mut Repairs,
    sink: &mut Sink,
    read: impl Fn(&str, &mut Sink) -> Option<Stop>,
) {
    repairs.is_short = false;
    let (mut copy, mut edits, blanks) = with_spaces(body);
    let invisible = |at: usize| {
        let line = Line::at(body, at);
        let start = base.saturating_add(offset(at));
        invisible_space(
            FileSpan::new(file, start, start),
            body.get(at..line.start + line.text.len())?,
        )
    };
    let mut findings: Vec<_> =
        blanks.into_iter().take(MAX_FINDINGS).filter_map(invisible).collect();
    let line =
        |span: Span| Line::at(body, span.within(file).start.saturating_sub(base) as usize).start;
    let mut rounds = 0;
    loop {
        let mut others = Sink::new();
        let Some(stop) = read(&copy, &mut others) else {
            join_findings(
                &mut findings,
                relocate_findings(others.into_sorted(), file, &edits, base),
                line,
            );
            break;
        };
        let finding = explain_stop(file, &copy, &stop);
        let Repair { finding, edits: repair, .. } = if sink.is_terse() {
            Repair { finding, edits: Vec::new(), is_between: false }
        } else {
            likeliest(file, &copy, finding, &stop.fault, repairs, &read)
        };
        let place = span_in_file(finding.primary.span, file, &edits, base);
        let is_known =
            !edits.is_empty() && findings.iter().any(|finding| finding.primary.span == place);
        if is_known {
            break;
        }
        // A repaired line that is still misplaced has already been reported.
        // If the parser accepts a tab that Kubernetes rejects, further findings are unreliable.
        let is_tab = |it: &Diagnostic| it.rule == &TAB_INDENTATION;
        let is_known = others.iter().any(is_tab) && repair.is_empty()
            || findings.iter().any(|other| line(other.primary.span) == line(place))
            || findings.last().is_some_and(|last| {
                are_moved_alike(last, &finding)
                    && is_block(body, line(last.primary.span), line(place))
            });
        if !is_known {
            findings.extend(relocate_findings(vec![finding], file, &edits, base));
        }
        rounds += 1;
        let is_last = rounds >= MAX_FINDINGS
            || body.len() > MAX_BYTES
            || edits.len() + repair.len() > MAX_EDITS;
        if repair.is_empty() || is_last || !repairs.take(copy.len()) {
            join_findings(
                &mut findings,
                relocate_findings(others.into_sorted(), file, &edits, base),
                line,
            );
            break;
        }
        let is_inside = |it: &(Range<usize>, String)| copy.get(it.0.clone()).is_some();
        let repair: Vec<_> = repair.into_iter().filter(is_inside).collect();
        copy = edited(&copy, &repair);
        edits.extend(repair.into_iter().rev().map(|(range, text)| Edit {
            start: range.start,
            length: text.len(),
            length_before: range.len(),
        }));
    }
    // A document that cannot be read has an error, whatever the rule reports about a readable one.
    if findings.iter().all(|finding| finding.severity != Severity::Error)
        && let Some(first) = findings.first_mut()
    {
        first.severity = Severity::Error;
    }
    let count = findings.len();
    for (number, finding) in (1..).zip(findings) {
        let is_cut = repairs.is_short && number == count;
        sink.report(if is_cut { finding.note(end_of_search()) } else { finding });
    }
}

/// Adds the findings about a readable copy. One that explains how Kubernetes reads a line replaces the finding about
/// the stop of the parser on that line.
fn join_findings(
    findings: &mut Vec<Diagnostic>,
    others: Vec<Diagnostic>,
    line: impl Fn(Span) -> usize,
) {
    for other in others {
        let is_explained = |it: &&mut Diagnostic| {
            explains_misreading(other.rule) && line(it.primary.span) == line(other.primary.span)
        };
        match findings.iter_mut().find(is_explained) {
            Some(stop) => *stop = other,
            None => findings.push(other),
        }
    }
}

/// The note at the last finding of a document whose other mistakes are not known.
fn end_of_search() -> Message {
    message!(
        "the document can have further mistakes: repairs of this run parsed more than {} bytes again",
        thousands(REPAIR_BYTES.count())
    )
}

/// Whether two lines have the same wrong indentation, and get the same one, as the lines of a block
/// that was moved as a whole.
fn are_moved_alike(one: &Diagnostic, other: &Diagnostic) -> bool {
    let edits = one.details().suggestions.first().zip(other.details().suggestions.first());
    [one, other].iter().all(|finding| finding.rule == &WRONG_INDENTATION)
        && edits.is_some_and(|(one, other)| {
            one.span.parts().1 == other.span.parts().1 && one.replacement == other.replacement
        })
}

/// Whether no line between these two is indented less than the first.
fn is_block(body: &str, first: usize, last: usize) -> bool {
    let first = Line::at(body, first);
    let lines = std::iter::successors(Some(first), |it| it.next(body));
    lines.take_while(|line| line.start <= last).all(|line| line.indent() >= first.indent())
}

/// A copy with ordinary spaces instead of invisible ones at the start of lines, and the position of
/// the first one in each line.
fn with_spaces(body: &str) -> (String, Vec<Edit>, Vec<usize>) {
    let (mut copy, mut edits) = (String::with_capacity(body.len()), Vec::new());
    let mut blanks = Vec::new();
    let (mut is_start, mut is_first) = (true, true);
    for (at, c) in body.char_indices() {
        let is_blank = is_start && !c.is_ascii() && c.is_whitespace() && !is_line_end(c);
        if is_blank {
            edits.push(Edit { start: copy.len(), length: 1, length_before: c.len_utf8() });
            blanks.extend(is_first.then_some(at));
        }
        copy.push(if is_blank { ' ' } else { c });
        let is_end = matches!(c, '\n' | '\r');
        is_first = is_end || is_first && !is_blank;
        is_start = is_end || is_start && (c == ' ' || is_blank);
    }
    (copy, edits, blanks)
}

/// Characters that Unicode defines as line ends.
const fn is_line_end(c: char) -> bool {
    matches!(c, '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Converts the findings to spans in the file.
fn relocate_findings(
    findings: Vec<Diagnostic>,
    file: FileId,
    edits: &[Edit],
    base: u32,
) -> Vec<Diagnostic> {
    let place = |span: &mut Span| *span = span_in_file(*span, file, edits, base);
    findings
        .into_iter()
        .map(|mut finding| {
            place(&mut finding.primary.span);
            finding.details_mut().secondary.iter_mut().for_each(|label| place(&mut label.span));
            finding
                .details_mut()
                .suggestions
                .iter_mut()
                .for_each(|suggestion| place(&mut suggestion.span));
            finding
        })
        .collect()
}

/// Converts a span in the copy to a span in the file by undoing the edits, the last one first.
fn span_in_file(span: Span, file: FileId, edits: &[Edit], base: u32) -> Span {
    let original = |at: u32| {
        let at = edits.iter().rev().fold(at as usize, |at, edit| {
            if at <= edit.start {
                at
            } else if at >= edit.start + edit.length {
                at - edit.length + edit.length_before
            } else {
                edit.start
            }
        });
        base.saturating_add(offset(at))
    };
    let span = span.within(file);
    Span::new(file, original(span.start), original(span.end))
}
