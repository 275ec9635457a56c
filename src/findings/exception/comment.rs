//! Exceptions in comments: `# sandboxc: allow <rule>, <rule> because <reason>`.

use std::ops::Range;

use super::{
    EXCEPTION_FOR_ERROR, EXCEPTION_MALFORMED, EXCEPTION_RULE_UNKNOWN, EXCEPTION_UNUSED, Exception,
    ExceptionContext, Left, find_rule, report_no_reason,
};
use crate::diag::{Diagnostic, Rule, Sink};
use crate::sorted::CompactSort as _;
use crate::source::{FileRole, FileSpan, Span, offset};
use crate::yaml::{self, Beside, Comment};

/// The prefix of comments for this program.
pub(crate) const WORD: &str = "sandboxc:";

/// The exceptions in the comments of a run. Of equal ones, the first records the findings for all,
/// because a line can have as many exceptions as findings.
pub(super) struct Exceptions {
    /// For findings on one line, sorted by rule and line.
    lines: Vec<InComment>,
    /// For findings in one document, sorted by rule and document.
    documents: Vec<InComment>,
}

struct InComment {
    exception: Exception,
    /// The span that the exception covers: a line or a document.
    reach: Span,
}

impl InComment {
    fn key(&self) -> (&'static str, Span) {
        (self.exception.rule.name, self.reach)
    }

    fn start(&self) -> (&'static str, Span) {
        (self.exception.rule.name, self.reach.start_point())
    }
}

impl Exceptions {
    pub(super) fn read(cx: &ExceptionContext<'_>, sink: &mut Sink) -> Self {
        let mut all = Self { lines: Vec::new(), documents: Vec::new() };
        let mut aliases = yaml::ALIASES;
        for file in cx.texts.ids() {
            if cx.texts.file(file).role() == FileRole::OtherProject {
                continue;
            }
            let text = cx.texts.file(file).text();
            for comment in yaml::comments(file, text, WORD, &mut aliases) {
                all.add(cx, &comment, sink);
            }
        }
        all.lines.compact_sort_by_key(InComment::key);
        all.documents.compact_sort_by_key(InComment::key);
        all
    }

    fn add(&mut self, cx: &ExceptionContext<'_>, comment: &Comment<'_>, sink: &mut Sink) {
        let Some(names) = rule_names(comment, sink) else { return };
        for (name, place) in names {
            let Some(rule) = find_rule(cx, name, place, sink) else { continue };
            let exception = Exception::new(rule, place);
            match comment.beside {
                Beside::Line(reach) => {
                    self.lines.push(InComment { exception, reach: reach.into() });
                }
                Beside::Document(reach) => {
                    self.documents.push(InComment { exception, reach: reach.into() });
                }
            }
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.lines.is_empty() && self.documents.is_empty()
    }

    /// Whether a finding is allowed. Marks every exception for it as used.
    pub(super) fn allow(&mut self, finding: &Diagnostic) -> bool {
        let by_line = allow(&mut self.lines, finding);
        let by_document = allow(&mut self.documents, finding);
        by_line || by_document
    }

    pub(super) fn report_useless(&self, left: &Left<'_>, sink: &mut Sink) {
        each(&self.lines, |exception, reach| {
            let around = if reach.is_empty() {
                "because no line follows"
            } else if reach.start_point() < exception.place.start_point() {
                "on this line"
            } else {
                "on the line below"
            };
            exception.report_useless(around, left, sink);
        });
        each(&self.documents, |exception, _| {
            exception.report_useless("in this document", left, sink);
        });
    }
}

/// Whether one of the exceptions in a list covers a finding. Their spans do not overlap unless they
/// are equal.
fn allow(sorted: &mut [InComment], finding: &Diagnostic) -> bool {
    let place = finding.primary.span.start_point();
    let behind = sorted.partition_point(|it| it.start() <= (finding.rule.name, place));
    let last = behind.checked_sub(1).and_then(|at| sorted.get(at));
    let covers = |it: &&InComment| {
        it.exception.rule.name == finding.rule.name && it.reach.has_begin_of(place)
    };
    let Some(key) = last.filter(covers).map(InComment::key) else { return false };
    let first = sorted.partition_point(|it| it.key() < key);
    sorted.get_mut(first).is_some_and(|it| it.exception.meet(finding))
}

/// Visits the exceptions of a list, with the findings that were recorded for them.
fn each(sorted: &[InComment], mut visit: impl FnMut(&Exception, Span)) {
    for equal in sorted.chunk_by(|a, b| a.key() == b.key()) {
        let Some(first) = equal.first() else { continue };
        for InComment { exception, reach } in equal {
            visit(&Exception { met: first.exception.met, ..*exception }, *reach);
        }
    }
}

/// The rules that a comment names, with their spans. `None`, with a report, if it is not an
/// exception or gives no reason.
fn rule_names<'t>(comment: &Comment<'t>, sink: &mut Sink) -> Option<Vec<(&'t str, Span)>> {
    let span = Span::from(comment.span);
    let mut words = words(comment);
    if words.first().is_none_or(|(word, _)| *word != "allow") {
        sink.report(malformed(span, "`sandboxc:` comment without `allow`"));
        return None;
    }
    words.remove(0);
    let because = words.iter().position(|(word, _)| *word == "because");
    if words.is_empty() || because == Some(0) {
        sink.report(malformed(span, "exception without a rule"));
        return None;
    }
    let Some(because) = because.filter(|at| at + 1 < words.len()) else {
        report_no_reason(span, sink);
        return None;
    };
    words.truncate(because);
    Some(words)
}

/// The part of a text that an exception without effect is: the name of its rule at an offset in a comment with
/// several, or else the comment. `None` for an exception that only lacks something.
pub(crate) fn removal(
    rule: &Rule,
    text: &str,
    comment: &Comment<'_>,
    at: usize,
) -> Option<Range<usize>> {
    let useless = [&EXCEPTION_FOR_ERROR, &EXCEPTION_RULE_UNKNOWN, &EXCEPTION_UNUSED];
    useless.contains(&rule).then_some(())?;
    let names = rule_names(comment, &mut Sink::new())?;
    let file = comment.span.file;
    let spans: Vec<_> = names.iter().map(|(_, span)| span.within(file).range()).collect();
    let position = spans.iter().position(|span| span.contains(&at))?;
    if let Some(next) = spans.get(position + 1) {
        return Some(spans.get(position)?.start..next.start);
    }
    if let Some(before) = position.checked_sub(1).and_then(|before| spans.get(before)) {
        return Some(before.end..spans.get(position)?.end);
    }
    let span = comment.span.range();
    let before = text.get(..span.start)?;
    let start = before.trim_end_matches([' ', '\t']).len();
    let is_own_line = start == 0 || before.get(..start)?.ends_with(['\n', '\r']);
    let rest = text.get(span.end..)?;
    let breaks = ["\r\n", "\n", "\r"].into_iter().find(|end| rest.starts_with(end));
    let after = breaks.filter(|_| is_own_line).map_or(0, str::len);
    Some(start..span.end + after)
}

fn malformed(place: Span, message: &'static str) -> Diagnostic {
    Diagnostic::new(&EXCEPTION_MALFORMED, place, message)
        .help("write `# sandboxc: allow <rule> because <reason>`; separate several rules by commas")
}

/// The words of a comment with their spans, separated by spaces and commas.
fn words<'t>(comment: &Comment<'t>) -> Vec<(&'t str, Span)> {
    let mut at = comment.span.end as usize - comment.text.len();
    let mut words = Vec::new();
    for word in comment.text.split([' ', '\t', ',']) {
        if !word.is_empty() {
            let place = FileSpan::new(comment.span.file, offset(at), offset(at + word.len()));
            words.push((word, place.into()));
        }
        at += word.len() + 1;
    }
    words
}
