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

use std::fmt::Write as _;

use super::cases::{Names, suites};
use super::human::{Paint, render_human};
use super::xml::{attribute, content};
use crate::diag::{Diagnostic, Severity};
use crate::kube::InputObject;
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
    let mut body = String::new();
    let (mut tests, mut failures) = (0, 0);
    for (file, suite) in suites {
        let fails_run = |found: &&Vec<&Diagnostic>| found.iter().any(|it| it.severity <= fails);
        let failed = suite.values().filter(fails_run).count();
        tests += suite.len();
        failures += failed;
        let name = attribute(workspace.file(file).name());
        let counts = format!("tests=\"{}\" failures=\"{failed}\"", suite.len());
        let _ = writeln!(body, "  <testsuite name=\"{name}\" {counts} errors=\"0\" skipped=\"0\">");
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
        body.extend(starts.into_iter().zip(cases).flat_map(|(start, rest)| [start, rest]));
        body.push_str("  </testsuite>\n");
    }
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
        <testsuites name=\"sandboxc\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\">\n\
        {body}</testsuites>\n"
    )
}

/// The start of a case without its `>`.
fn start(file: &SourceFile, object: Option<&InputObject>, names: &mut Names) -> String {
    let name = names.of(file, object);
    let line = object.map_or(1, |it| file.line_column(it.place.within(file.id()).start).line);
    format!(
        "    <testcase name=\"{}\" classname=\"{1}\" file=\"{1}\" line=\"{line}\"",
        attribute(&name),
        attribute(file.name()),
    )
}

/// The rest of a case.
fn findings(workspace: &Workspace, found: &[&Diagnostic], fails: Severity) -> String {
    if found.is_empty() {
        return "/>\n".to_owned();
    }
    let shown = |of: &[Diagnostic]| content(render_human(workspace, of, Paint::Plain).trim_end());
    let found = found.iter().copied().cloned();
    let (failures, others): (Vec<_>, Vec<_>) = found.partition(|it| it.severity <= fails);
    let mut body = ">\n".to_owned();
    if let Some(first) = failures.first() {
        let more = match failures.len() - 1 {
            0 => String::new(),
            others => format!(" (and {others} more)"),
        };
        let (kind, message) =
            (first.rule.name, attribute(&format!("{}{more}", first.details().message)));
        let _ = write!(body, "      <failure type=\"{kind}\" message=\"{message}\">");
        let _ = writeln!(body, "{}</failure>", shown(&failures));
    }
    if !others.is_empty() {
        let _ = writeln!(body, "      <system-out>{}</system-out>", shown(&others));
    }
    body.push_str("    </testcase>\n");
    body
}
