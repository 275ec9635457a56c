//! Compiles cases and judges the results.

use super::read::TestCase;
use super::snapshot::{self, SnapshotChange};
use super::{fields, findings, objects};
use crate::compile::{Compilation, Options, Purpose, compile};
use crate::diag::{Diagnostic, Sink};
use crate::diff::Comparer;
use crate::findings::grouping::Grouping;
use crate::findings::secrecy;
use crate::parallel::ordered_map_over;
use crate::schema::Versions;
use crate::sorted::{CompactSort as _, SortedMap};
use crate::source::{Span, Workspace};

/// A case to run.
#[derive(Debug)]
pub struct TestRun<'t> {
    /// The case, of a file in the workspace.
    pub case: &'t TestCase,
    /// The content of its snapshot, if there is one.
    pub snapshot: Option<String>,
}

/// The result of a case.
#[derive(Debug)]
#[non_exhaustive]
pub struct TestResult {
    /// The reasons why the case fails, sorted by position, except for the snapshot; empty if it passes.
    pub failures: Vec<Diagnostic>,
    /// The difference from the snapshot of the case, if there is one.
    pub snapshot: Option<SnapshotChange>,
    /// The spans of secret values near the failures, for [`Workspace::mask`].
    pub secrets: Vec<Span>,
}

/// A part of the cases that is compiled once: the document, the settings, and the position of a case
/// with input of its own.
type Key<'t> = (Span, Option<&'t str>, Versions, Option<usize>);

/// Runs cases in parallel; the results are in the order of the cases. `options` are those of all cases:
/// a case adds its environment and versions. The files of the cases must be part of the input.
///
/// ```
/// use sandboxc::{Options, TestRun, Workspace, run_tests, test_cases};
///
/// let mut workspace = Workspace::new();
/// let file = workspace.add("a.test.yaml", "
/// apiVersion: sandboxc.dev/v1alpha1
/// kind: Test
/// spec:
///   definitions:
///   - {apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {key: text}}
///   cases:
///   - name: text
///     expect: {fields: {ConfigMap/a: {'data[key]': text}}}
///   - name: other
///     expect: {fields: {ConfigMap/a: {'data[key]': other}}}
/// ");
/// let tests = test_cases(&workspace, [file]);
/// let runs: Vec<_> = tests.cases.iter().map(|case| TestRun { case, snapshot: None }).collect();
/// let results = run_tests(&workspace, &Options::default(), &runs);
/// let failures: Vec<_> = results.iter().map(|it| it.failures.len()).collect();
/// assert_eq!(failures, [0, 1]);
/// ```
#[must_use]
pub fn run_tests(
    workspace: &Workspace,
    options: &Options,
    runs: &[TestRun<'_>],
) -> Vec<TestResult> {
    let mut shared: SortedMap<Key<'_>, Vec<usize>> = SortedMap::new();
    for (index, TestRun { case, .. }) in runs.iter().enumerate() {
        let own = case.has_own_input.then_some(index);
        let key = (case.document, case.environment.as_deref(), case.kubernetes, own);
        shared.entry(key).or_default().push(index);
    }
    let groups: Vec<_> = shared.into_values().collect();
    let work = |indexes: Vec<usize>| {
        let runs: Vec<_> = indexes.iter().filter_map(|it| runs.get(*it)).collect();
        let results = together(workspace, options, &runs);
        indexes.into_iter().zip(results).collect::<Vec<_>>()
    };
    // A case takes the time of a build, so even two are worth threads.
    let size = if groups.len() > 1 { usize::MAX } else { 0 };
    let mut results: Vec<_> = ordered_map_over(size, groups, work).into_iter().flatten().collect();
    results.compact_sort_by_key(|it| it.0);
    results.into_iter().map(|it| it.1).collect()
}

/// The results of cases with one output.
fn together(workspace: &Workspace, options: &Options, runs: &[&TestRun<'_>]) -> Vec<TestResult> {
    let Some(first) = runs.first() else { return Vec::new() };
    let mut options = options.clone();
    options.grouping = Grouping::None;
    options.purpose = Purpose::Test(first.case.case);
    options.environment.clone_from(&first.case.environment);
    if !first.case.kubernetes.is_empty() {
        options.kubernetes = first.case.kubernetes;
    }
    let mut compilation = compile(workspace, &options);
    if findings::has_failed(&compilation) {
        // As `build` prints nothing.
        compilation.objects.clear();
    }
    Comparer::within(workspace, &compilation, |comparer| {
        let judge = Judge { workspace, compilation: &compilation, comparer };
        runs.iter().map(|it| judge.result(it)).collect()
    })
}

/// What the expectations of a case are compared with.
#[derive(Clone, Copy)]
pub(super) struct Judge<'j> {
    pub(super) workspace: &'j Workspace,
    pub(super) compilation: &'j Compilation,
    pub(super) comparer: &'j Comparer<'j>,
}

impl Judge<'_> {
    fn result(&self, TestRun { case, snapshot }: &TestRun<'_>) -> TestResult {
        let expect = &case.expect;
        let mut failures = findings::compare(self, case);
        let mut change = None;
        // The reasons why there is no output are enough.
        if failures.is_empty() || !findings::has_failed(self.compilation) {
            failures.extend(objects::compare(self, expect));
            failures.extend(fields::compare(self, expect));
            change = case
                .snapshot_place
                .and_then(|place| snapshot::compare(self, case, place, snapshot.as_deref()));
        }
        // The sink shortens long values.
        let mut sink = Sink::new();
        for failure in failures {
            sink.report(failure);
        }
        let mut failures = sink.into_sorted();
        let own = change.as_mut().map(|it| &mut it.failure);
        let secrets = secrecy::redact(self.workspace, failures.iter_mut().chain(own).collect());
        TestResult { failures, snapshot: change, secrets }
    }
}
