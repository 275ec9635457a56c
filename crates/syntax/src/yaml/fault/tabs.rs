//! Tabs where YAML requires spaces.

use std::ops::Range;

use super::Broken;
use super::indentation::Repair;
use super::line::Line;
use crate::diag::{Diagnostic, declare_rules, message};
use crate::source::{FileId, FileSpan, Slice as _, offset};

declare_rules! {
    TAB_INDENTATION = "tab-indentation", Error;
}

/// Finds the tab that stopped the parser: in the indentation of its line, or of the next one.
pub(super) fn explain(broken: &Broken<'_>) -> Option<Diagnostic> {
    let body = broken.body;
    let here = Line::at(body, broken.at);
    let line = [Some(here), here.next(body)]
        .into_iter()
        .flatten()
        .find(|line| line.text.get(..line.indent()).is_some_and(|indent| indent.contains('\t')));
    let Some(line) = line else {
        let tab =
            broken.at + body.get(broken.at..)?.find(|c: char| !matches!(c, ' ' | '\n' | '\r'))?;
        return body
            .get(tab..)?
            .starts_with('\t')
            .then(|| tab_between(broken.span(tab, tab + 1), " "));
    };
    let span = broken.span(line.start, line.content_start());
    Some(
        Diagnostic::new(&TAB_INDENTATION, span, "tab used for indentation")
            .suggest(span, " ".repeat(Above::of(line, body).indent(line)), "indent with spaces")
            .help("configure your editor to insert spaces instead of tabs"),
    )
}

/// The maximum number of further lines with a tab that are shown.
const MAX_SHOWN: usize = 4;

/// The possible repairs of the tabs in a document, of which `line` has the first: each is one
/// level, or equals 2, 4 or 8 spaces. All lines that begin with one are a single mistake.
pub(super) fn repairs(
    file: FileId,
    body: &str,
    line: Line<'_>,
    finding: &Diagnostic,
) -> Vec<Repair> {
    let mut lines = vec![line];
    let mut next = line.next(body);
    while let Some(it) = next {
        lines.extend(it.text.starts_with('\t').then_some(it));
        next = it.next(body);
    }
    let finding = with_others(file, finding, &lines);
    let widths = [2, 4, 8].map(|width| {
        let blanks = |it: &Line<'_>| {
            let indent = it.text.slice(..it.indent());
            " ".repeat(indent.matches('\t').count() * width + indent.matches(' ').count())
        };
        lines.iter().map(|line| (line.start..line.content_start(), blanks(line))).collect()
    });
    // One line between others that have spaces is probably as deep as its neighbors.
    let beside = [line.next(body), line.previous(body)].into_iter().flatten();
    let beside = beside.filter(|line| lines.len() == 1 && !line.text.starts_with('\t'));
    let beside = beside.map(|parent| {
        vec![(line.start..line.content_start(), " ".repeat(parent.column(parent.item_start())))]
    });
    let all = std::iter::once(edits_of_levels(body, &lines)).chain(beside).chain(widths);
    all.map(|edits| Repair {
        finding: with_suggested_edits(&finding, &edits),
        edits,
        is_between: false,
    })
    .collect()
}

/// Replaces each tab with a level of the lines above, which are already repaired.
fn edits_of_levels(body: &str, lines: &[Line<'_>]) -> Vec<(Range<usize>, String)> {
    let mut edits: Vec<(Range<usize>, String)> = Vec::new();
    let mut above = Above::default();
    let mut tabs = lines.iter().peekable();
    let first = Line::at(body, 0);
    let mut next = if first.is_trivia() { first.next(body) } else { Some(first) };
    while let Some(line) = next {
        let mut indent = line.indent();
        if tabs.next_if(|tab| tab.start == line.start).is_some() {
            indent = above.indent(line);
            edits.push((line.start..line.content_start(), " ".repeat(indent)));
        }
        above.push(line, indent);
        next = line.next(body);
    }
    edits
}

/// The lines above a position that could be the parents of a line, as in [`Line::open_above`].
#[derive(Default)]
struct Above {
    /// The indentation of each, and the column of its item, outermost first.
    open: Vec<(usize, usize)>,
    /// Whether the last line is a key without a value, which can have a deeper level.
    is_parent: bool,
}

impl Above {
    /// The lines above a line of a text.
    fn of(line: Line<'_>, body: &str) -> Self {
        let mut above = Self::default();
        for it in line.open_above(body).into_iter().rev() {
            above.push(it, it.indent());
        }
        above
    }

    /// Adds the next line, with this indentation in place of its own.
    fn push(&mut self, line: Line<'_>, indent: usize) {
        while self.open.pop_if(|(above, _)| *above >= indent).is_some() {}
        self.open.push((indent, indent + line.item_start() - line.content_start()));
        self.is_parent = line.key_value().is_some_and(|field| field.value.is_empty());
    }

    /// The likeliest indentation of the next line: each tab is one level of the lines above.
    fn indent(&self, line: Line<'_>) -> usize {
        let deeper = self.open.last().map(|(_, item)| item + 2).filter(|_| self.is_parent);
        let mut columns = self.open.iter().map(|(_, item)| *item).chain(deeper);
        let indent = line.text.slice(..line.indent());
        let tabs = indent.matches('\t').count();
        let level = tabs + indent.matches(' ').count() / 2;
        let last = (self.open.len() + usize::from(deeper.is_some())).saturating_sub(1);
        columns.nth(level.min(last)).unwrap_or(0)
    }
}

/// The finding with the change to its own line.
fn with_suggested_edits(finding: &Diagnostic, edits: &[(Range<usize>, String)]) -> Diagnostic {
    let mut finding = finding.clone();
    if let (Some(suggestion), Some((_, blanks))) =
        (finding.details_mut().suggestions.first_mut(), edits.first())
    {
        suggestion.replacement.clone_from(blanks);
    }
    finding
}

fn with_others(file: FileId, finding: &Diagnostic, lines: &[Line<'_>]) -> Diagnostic {
    let mut finding = finding.clone();
    for line in lines.iter().skip(1).take(MAX_SHOWN) {
        let span = FileSpan::new(file, offset(line.start), offset(line.content_start()));
        finding = finding.label(span, "another tab");
    }
    match lines.len().saturating_sub(1 + MAX_SHOWN) {
        0 => finding,
        others => finding.note(message!("{others} more lines of the document start with a tab")),
    }
}

/// Reports a tab at the start of a line, or between a dash and its item, where `blanks` are
/// allowed.
pub(in crate::yaml) fn tab_between(span: FileSpan, blanks: &'static str) -> Diagnostic {
    let help = if blanks.is_empty() { "remove the tab" } else { "replace the tab with a space" };
    Diagnostic::new(&TAB_INDENTATION, span, "tab where only spaces are allowed")
        .note("Kubernetes' parser rejects the tab, even in an otherwise empty line")
        .suggest(span, blanks, help)
}
