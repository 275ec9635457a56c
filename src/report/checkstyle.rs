//! Findings as XML of Checkstyle, which many CI servers and plug-ins read.

use super::location::{Columns, Locations};
use super::{Report, words};
use crate::diag::Severity;
use crate::markup;
use crate::markup::{Attribute, Markup, Xml};
use crate::sorted::SortedMap;

/// Renders findings as XML of Checkstyle, sorted by file, and within a file in the given order.
pub(super) fn render_checkstyle(report: &Report<'_>) -> String {
    let Report { workspace, diagnostics, .. } = *report;
    let locations = Locations::of(workspace);
    let mut files: SortedMap<&str, Markup<Xml>> = SortedMap::new();
    for diagnostic in diagnostics {
        let location = locations.at(diagnostic.primary.span, Columns::Characters);
        let (line, column) = location.range.map_or((1, 1), |it| it.start);
        let severity = match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "info",
        };
        markup!(
            *files.entry(location.file).or_default(),
            "    <error line=\"{}\" column=\"{}\" severity=\"{}\" message=\"{}\" source=\"sandboxc.{}\"/>\n",
            line,
            column,
            severity,
            Attribute(&words::described(workspace, diagnostic).join("\n")),
            diagnostic.rule.name,
        );
    }
    let mut text: Markup<Xml> = Markup::new();
    text.literal("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<checkstyle version=\"4.3\">\n");
    for (file, errors) in files {
        markup!(text, "  <file name=\"{}\">\n{}  </file>\n", Attribute(file), errors);
    }
    text.literal("</checkstyle>\n");
    text.into_string()
}
