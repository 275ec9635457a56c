//! Reports of cases: human-readable text for each, JSON and JUnit XML for all.

use serde_json::{Value, json};

use super::read::TestCase;
use crate::diag::Diagnostic;
use crate::markup;
use crate::markup::{Attribute, Markup, Xml, pretty_json};
use crate::report::{Paint, Selection, findings_to_json, render_selection};
use crate::source::Workspace;

/// The version of the JSON format. The same version only gains fields.
const FORMAT: u32 = 1;

/// The report of a case.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TestReport {
    /// The name of the file.
    pub file: String,
    /// The name of the case.
    pub name: String,
    /// The failures for people; empty if the case passes.
    pub text: String,
    line: u32,
    /// The first failure, and the number of all.
    headline: Option<String>,
    failures: Value,
    difference: String,
}

impl TestReport {
    /// Reports a case of a masked workspace. `difference` is the difference from its snapshot as a
    /// unified diff; empty if there is none.
    #[must_use]
    pub fn new(
        workspace: &Workspace,
        case: &TestCase,
        failures: &[Diagnostic],
        difference: &str,
        paint: Paint,
        columns: Option<usize>,
    ) -> Self {
        let (file, span) = workspace.file_and_span(case.place);
        let selection = Selection::all(failures);
        let found = render_selection(workspace, &selection, paint, columns);
        let parts = [found.trim_end(), difference.trim_end()];
        let parts: Vec<_> = parts.into_iter().filter(|it| !it.is_empty()).collect();
        let mut text = parts.join("\n\n");
        text.push_str(if text.is_empty() { "" } else { "\n" });
        let headline = failures.first().map(|first| {
            let more = failures.len() - 1;
            let more = if more > 0 { format!(" (and {more} more)") } else { String::new() };
            format!("{}{more}", first.details().message.as_prose())
        });
        Self {
            file: file.name().to_owned(),
            name: case.name.clone(),
            text,
            line: file.line_column(span.start).line,
            headline,
            failures: findings_to_json(workspace, failures),
            difference: difference.to_owned(),
        }
    }

    /// Whether the case passes.
    #[must_use]
    pub const fn is_passed(&self) -> bool {
        self.headline.is_none()
    }
}

/// The numbers of cases of a run.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct TestTotals {
    /// Cases that pass.
    pub passed: usize,
    /// Cases that fail.
    pub failed: usize,
    /// Cases that the command line does not select.
    pub filtered: usize,
}

impl TestTotals {
    /// Counts the cases of some reports.
    #[must_use]
    pub fn of(reports: &[TestReport], filtered: usize) -> Self {
        let passed = reports.iter().filter(|it| it.is_passed()).count();
        Self { passed, failed: reports.len() - passed, filtered }
    }
}

/// Renders cases as one JSON object, with a final line feed.
#[must_use]
pub fn render_tests_json(reports: &[TestReport], totals: TestTotals) -> String {
    let case = |it: &TestReport| {
        json!({
            "file": it.file,
            "line": it.line,
            "name": it.name,
            "passed": it.is_passed(),
            "failures": it.failures,
            "snapshotDiff": Some(&it.difference).filter(|it| !it.is_empty()),
        })
    };
    let TestTotals { passed, failed, filtered } = totals;
    let report = json!({
        "format": FORMAT,
        "cases": reports.iter().map(case).collect::<Vec<_>>(),
        "summary": {"passed": passed, "failed": failed, "filtered": filtered},
    });
    pretty_json(&report)
}

/// Renders cases as JUnit XML: a suite for each file. The text of the reports must be without colors.
#[must_use]
pub fn render_tests_junit(reports: &[TestReport], totals: TestTotals) -> String {
    let mut body: Markup<Xml> = Markup::new();
    for suite in reports.chunk_by(|a, b| a.file == b.file) {
        let TestTotals { failed, .. } = TestTotals::of(suite, 0);
        let file = suite.first().map_or("", |it| it.file.as_str());
        markup!(
            body,
            "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"0\">\n",
            Attribute(file),
            suite.len(),
            failed,
        );
        for report in suite {
            write_case(report, &mut body);
        }
        body.literal("  </testsuite>\n");
    }
    let mut text: Markup<Xml> = Markup::new();
    markup!(
        text,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"sandboxc test\" tests=\"{}\" failures=\"{}\" errors=\"0\">\n{}</testsuites>\n",
        reports.len(),
        totals.failed,
        body,
    );
    text.into_string()
}

fn write_case(report: &TestReport, body: &mut Markup<Xml>) {
    let TestReport { file, name, text, line, headline, .. } = report;
    let (file, name) = (Attribute(file), Attribute(name));
    markup!(
        *body,
        "    <testcase name=\"{}\" classname=\"{}\" file=\"{}\" line=\"{}\"",
        name,
        file,
        file,
        *line,
    );
    let Some(headline) = headline else {
        body.literal("/>\n");
        return;
    };
    markup!(
        *body,
        ">\n      <failure message=\"{}\">{}</failure>\n    </testcase>\n",
        Attribute(headline),
        text.trim_end(),
    );
}
