//! Tabs where YAML wants blanks.

use super::Broken;
use super::line::Line;
use crate::diag::{Diagnostic, declare_rules};
use crate::source::Span;

declare_rules! {
    /// ## What it does
    /// Refuses tabs in the indentation of a line and between a dash and its item.
    ///
    /// ## Why
    /// Indentation is what tells YAML which line belongs to which, and a tab has no fixed width.
    /// Kubernetes' reader stops at such a tab, also in lines that hold nothing else.
    ///
    /// ## Example
    /// ```text
    /// metadata:
    /// <tab>name: a
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: ConfigMap
    /// metadata:
    ///   name: a
    /// ```
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
        return body.get(tab..)?.starts_with('\t').then(|| tab_between(broken.span(tab, tab + 1)));
    };
    let span = broken.span(line.start, line.content_start());
    Some(
        Diagnostic::new(&TAB_INDENTATION, span, "a tab is used as indentation")
            .suggest(span, " ".repeat(wanted_indent(line, body)), "indent with blanks")
            .help("set your editor to insert two blanks for a tab"),
    )
}

/// A tab stands at the start of a line, or between a dash and its item.
pub(in crate::yaml) fn tab_between(span: Span) -> Diagnostic {
    Diagnostic::new(&TAB_INDENTATION, span, "a tab stands where only blanks may")
        .note("Kubernetes' reader stops here, even where the line holds nothing else")
        .suggest(span, " ", "replace the tab with a blank")
}

/// The indentation that the line most likely should have: with each tab one level of the lines above.
fn wanted_indent(line: Line<'_>, body: &str) -> usize {
    let Some(before) = line.previous(body) else { return 0 };
    let mut columns: Vec<usize> =
        line.open_above(body).iter().map(|above| above.column(above.item_start())).collect();
    columns.reverse();
    if before.key_value().is_some_and(|it| it.value.is_empty()) {
        columns.push(before.column(before.item_start()) + 2);
    }
    let indent = line.text.get(..line.indent()).unwrap_or("");
    let tabs = indent.matches('\t').count();
    let level = tabs + indent.matches(' ').count() / 2;
    columns.get(level.min(columns.len().saturating_sub(1))).copied().unwrap_or(0)
}
