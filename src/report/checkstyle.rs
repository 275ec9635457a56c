//! Findings as XML of Checkstyle, which many CI servers and plug-ins read.

use std::fmt::Write as _;

use super::location::{Columns, Locations};
use super::words;
use super::xml::attribute;
use crate::diag::{Diagnostic, Severity};
use crate::sorted::SortedMap;
use crate::source::Workspace;

/// Renders findings as XML of Checkstyle, sorted by file, and within a file in the given order.
///
/// ```
/// use sandboxc::{Options, Workspace, compile, render_checkstyle};
///
/// let mut workspace = Workspace::new();
/// workspace.add("a.yaml", "key: [a, b");
/// let compilation = compile(&workspace, &Options::default());
/// let text = render_checkstyle(&workspace, &compilation.diagnostics);
/// assert!(text.contains(r#"<file name="a.yaml">"#));
/// ```
#[must_use]
pub fn render_checkstyle(workspace: &Workspace, diagnostics: &[Diagnostic]) -> String {
    let locations = Locations::of(workspace);
    let mut files: SortedMap<&str, String> = SortedMap::new();
    for diagnostic in diagnostics {
        let location = locations.at(diagnostic.primary.span, Columns::Characters);
        let (line, column) = location.range.map_or((1, 1), |it| it.start);
        let severity = match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "info",
        };
        let _ = writeln!(
            files.entry(location.file).or_default(),
            "    <error line=\"{line}\" column=\"{column}\" severity=\"{severity}\" \
            message=\"{}\" source=\"sandboxc.{}\"/>",
            attribute(&words::described(workspace, diagnostic).join("\n")),
            diagnostic.rule.name,
        );
    }
    let mut text =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<checkstyle version=\"4.3\">\n".to_owned();
    for (file, errors) in files {
        let _ = write!(text, "  <file name=\"{}\">\n{errors}  </file>\n", attribute(file));
    }
    text.push_str("</checkstyle>\n");
    text
}
