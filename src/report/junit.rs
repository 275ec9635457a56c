//! Findings as JUnit XML, which CI servers show as test results.
//!
//! Each file is a test suite and each object in it a test case, as in kubeconform: a run without
//! findings still shows its input, and a failure has the name of the object. GitLab identifies a
//! case by `classname` and `name`, so the first is the file and the second identifies the object
//! within it. A finding outside of all objects, such as invalid YAML, is a case with the name of
//! the file.
//!
//! A case fails if a finding fails the run; its text has all findings, because several readers only
//! show one `failure` of a case. JUnit has no warnings, so findings that do not fail the run are in
//! `system-out`.

use super::cases::{Names, suites};
use super::human::{Paint, render_human};
use crate::diag::{Diagnostic, Severity};
use crate::kube::InputObject;
use crate::markup;
use crate::markup::{Attribute, Markup, Xml};
use crate::parallel::ordered_map;
use crate::source::{SourceFile, Workspace};

/// Returns the inputs and findings as JUnit XML. `inputs` are those of the compilation, sorted by
/// position. Findings with the severity `fails` or above are failures.
///
/// ```
/// use sandboxc::{Options, Severity, Workspace, compile, render_junit};
///
/// let mut workspace = Workspace::new();
/// workspace.add("a.yaml", "key: [a, b");
/// let compilation = compile(&workspace, &Options::default());
/// let (inputs, found) = (&compilation.inputs, &compilation.diagnostics);
/// let text = render_junit(&workspace, inputs, found, Severity::Error);
/// assert!(text.contains(r#"<testsuite name="a.yaml" tests="1" failures="1""#));
/// ```
#[must_use]
pub fn render_junit(
    workspace: &Workspace,
    inputs: &[InputObject],
    diagnostics: &[Diagnostic],
    fails: Severity,
) -> String {
    let suites = suites(workspace, inputs, diagnostics);
    let mut body: Markup<Xml> = Markup::new();
    let (mut tests, mut failures) = (0, 0);
    for (file, suite) in suites {
        let fails_run = |found: &&Vec<&Diagnostic>| found.iter().any(|it| it.severity <= fails);
        let failed = suite.values().filter(fails_run).count();
        tests += suite.len();
        failures += failed;
        markup!(
            body,
            "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"0\">\n",
            Attribute(workspace.file(file).name()),
            suite.len(),
            failed,
        );
        let mut names = Names::default();
        let starts: Vec<_> = suite
            .keys()
            .map(|index| {
                let object = index.and_then(|at| inputs.get(at));
                start(workspace.file(file), object, &mut names)
            })
            .collect();
        let cases =
            ordered_map(suite.into_values().collect(), |found| findings(workspace, &found, fails));
        for (start, rest) in starts.into_iter().zip(cases) {
            body.push(&start);
            body.push(&rest);
        }
        body.literal("  </testsuite>\n");
    }
    let mut text: Markup<Xml> = Markup::new();
    markup!(
        text,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"sandboxc\" tests=\"{}\" failures=\"{}\" errors=\"0\">\n{}</testsuites>\n",
        tests,
        failures,
        body,
    );
    text.into_string()
}

/// The start of a case without its `>`.
fn start(file: &SourceFile, object: Option<&InputObject>, names: &mut Names) -> Markup<Xml> {
    let name = names.of(file, object);
    let line = object.map_or(1, |it| file.line_column(it.place.within(file.id()).start).line);
    let mut start = Markup::new();
    markup!(
        start,
        "    <testcase name=\"{}\" classname=\"{}\" file=\"{}\" line=\"{}\"",
        Attribute(&name),
        Attribute(file.name()),
        Attribute(file.name()),
        line,
    );
    start
}

/// The rest of a case.
fn findings(workspace: &Workspace, found: &[&Diagnostic], fails: Severity) -> Markup<Xml> {
    let mut body = Markup::new();
    if found.is_empty() {
        body.literal("/>\n");
        return body;
    }
    let shown =
        |of: &[Diagnostic]| Markup::of(render_human(workspace, of, Paint::Plain).trim_end());
    let found = found.iter().copied().cloned();
    let (failures, others): (Vec<_>, Vec<_>) = found.partition(|it| it.severity <= fails);
    body.literal(">\n");
    if let Some(first) = failures.first() {
        let more = match failures.len() - 1 {
            0 => String::new(),
            others => format!(" (and {others} more)"),
        };
        let message = format!("{}{more}", first.details().message.as_prose());
        markup!(
            body,
            "      <failure type=\"{}\" message=\"{}\">{}</failure>\n",
            first.rule.name,
            Attribute(&message),
            shown(&failures),
        );
    }
    if !others.is_empty() {
        markup!(body, "      <system-out>{}</system-out>\n", shown(&others));
    }
    body.literal("    </testcase>\n");
    body
}
