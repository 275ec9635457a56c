//! Findings as a code quality report of GitLab: the subset of Code Climate's format that it reads.

use serde::Serialize;

use super::fingerprint::Fingerprints;
use super::location::{Columns, Locations};
use super::words;
use crate::diag::{Diagnostic, Severity};
use crate::kube::InputObject;
use crate::markup::pretty_json;
use crate::source::Workspace;

#[derive(Serialize)]
struct Finding<'r> {
    description: String,
    check_name: &'static str,
    fingerprint: String,
    severity: &'static str,
    location: Location<'r>,
}

#[derive(Serialize)]
struct Location<'r> {
    path: &'r str,
    lines: Lines,
}

#[derive(Serialize)]
struct Lines {
    begin: u32,
    end: u32,
}

/// Renders findings as a code quality report of GitLab, in the given order. `inputs` are those of the
/// compilation, sorted by position.
///
/// ```
/// use sandboxc::{Options, Workspace, compile, render_gitlab};
///
/// let mut workspace = Workspace::new();
/// workspace.add("a.yaml", "key: [a, b");
/// let compilation = compile(&workspace, &Options::default());
/// let text = render_gitlab(&workspace, &compilation.inputs, &compilation.diagnostics);
/// assert!(text.contains(r#""path": "a.yaml""#));
/// ```
#[must_use]
pub fn render_gitlab(
    workspace: &Workspace,
    inputs: &[InputObject],
    diagnostics: &[Diagnostic],
) -> String {
    let locations = Locations::of(workspace);
    let mut fingerprints = Fingerprints::new(workspace, inputs);
    let finding = |diagnostic: &Diagnostic| {
        let location = locations.at(diagnostic.primary.span, Columns::Characters);
        let (begin, end) = location.range.map_or((1, 1), |it| (it.start.0, it.end.0));
        Finding {
            description: words::described(workspace, diagnostic).join("\n"),
            check_name: diagnostic.rule.name,
            fingerprint: fingerprints.of(diagnostic),
            severity: match diagnostic.severity {
                Severity::Error => "critical",
                Severity::Warning => "minor",
                Severity::Note => "info",
            },
            location: Location { path: location.file, lines: Lines { begin, end } },
        }
    };
    let findings: Vec<_> = diagnostics.iter().map(finding).collect();
    pretty_json(&findings)
}
