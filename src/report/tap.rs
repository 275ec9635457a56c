//! Findings in the Test Anything Protocol, version 14: a test for each object, as in the JUnit report.
//!
//! A test fails if a finding fails the run. All its findings are in its block of YAML, whose strings are
//! those of JSON.

use super::cases::{Names, Suite, suites};
use super::{Report, words};
use crate::diag::Diagnostic;
use crate::kube::InputObject;
use crate::markup;
use crate::markup::{JsonString, Markup, Tap};
use crate::source::{SourceFile, Workspace};

/// Renders the inputs and findings in the Test Anything Protocol.
pub(super) fn render_tap(report: &Report<'_>) -> String {
    let Report { workspace, inputs, diagnostics, fails, .. } = *report;
    let suites = suites(workspace, inputs, diagnostics);
    let mut text: Markup<Tap> = Markup::new();
    markup!(text, "TAP version 14\n1..{}\n", suites.values().map(Suite::len).sum::<usize>());
    let mut number = 0_usize;
    for (file, suite) in suites {
        let (file, mut names) = (workspace.file(file), Names::default());
        for (index, findings) in suite {
            number += 1;
            let is_failed = findings.iter().any(|it| it.severity <= fails);
            let result = if is_failed { "not ok" } else { "ok" };
            let object = index.and_then(|at| inputs.get(at));
            let name = name(file, object, &mut names);
            markup!(text, "{} {} - {}\n", result, number, name);
            if !findings.is_empty() {
                push_findings(workspace, &findings, &mut text);
            }
        }
    }
    text.into_string()
}

/// The description of a test: the file, and the object in it.
fn name(file: &SourceFile, object: Option<&InputObject>, names: &mut Names) -> String {
    let case = names.of(file, object);
    match object {
        Some(_) => format!("{}: {case}", file.name()),
        None => case,
    }
}

fn push_findings(workspace: &Workspace, findings: &[&Diagnostic], text: &mut Markup<Tap>) {
    text.literal("  ---\n  findings:\n");
    for diagnostic in findings {
        let message = words::described(workspace, diagnostic).join("\n");
        let fields = [
            ("rule", diagnostic.rule.name),
            ("severity", diagnostic.severity.as_str()),
            ("at", &words::place(workspace, diagnostic.primary.span)),
            ("message", &message),
        ];
        for (start, (key, value)) in ["  - ", "    ", "    ", "    "].into_iter().zip(fields) {
            markup!(*text, "{}{}: {}\n", start, key, JsonString(value));
        }
    }
    text.literal("  ...\n");
}
