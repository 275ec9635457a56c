//! Findings as a code quality report of GitLab: the subset of Code Climate's format that it reads.

use serde::Serialize;

use super::fingerprint::Fingerprints;
use super::location::{Columns, Locations};
use super::{Report, words};
use crate::diag::{Diagnostic, Severity};
use crate::markup::pretty_json;

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

/// Renders findings as a code quality report of GitLab, in the given order.
pub(super) fn render_gitlab(report: &Report<'_>) -> String {
    let Report { workspace, inputs, diagnostics, .. } = *report;
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
