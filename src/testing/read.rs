//! Reads the cases of test files.

use super::beside;
use crate::decode::{Listed, Text};
use crate::diag::{Diagnostic, Sink, message};
use crate::findings::secrecy;
use crate::rules;
use crate::schema::Versions;
use crate::source::{FileId, Span, Workspace};
use crate::test_case::{self, Case, Expect, Given, TEST_FAILED, TEST_INVALID, TestSpec};
use crate::tree::Node;
use crate::yaml;

/// The cases of some test files, and the faults of the files.
#[derive(Debug)]
#[non_exhaustive]
pub struct TestCases {
    /// The cases, in order. Do not run them if a diagnostic is an error.
    pub cases: Vec<TestCase>,
    /// The findings about the form of the files, sorted by position.
    pub diagnostics: Vec<Diagnostic>,
    /// The spans of secret values near the findings, for [`Workspace::mask`].
    pub secrets: Vec<Span>,
}

/// One case of a test.
#[derive(Debug)]
#[non_exhaustive]
pub struct TestCase {
    /// Its name, unique in its file.
    pub name: String,
    /// The file.
    pub file: FileId,
    /// The span of the name.
    pub place: Span,
    /// The input that it names; by default, the project around the file.
    pub inputs: Option<CaseInputs>,
    /// The path of its snapshot.
    pub snapshot: Option<String>,
    /// The span of the document.
    pub(super) document: Span,
    /// The span of the case.
    pub(super) case: Span,
    pub(super) environment: Option<String>,
    pub(super) kubernetes: Versions,
    /// Whether it has values or definitions that other cases do not have.
    pub(super) has_own_input: bool,
    /// Where the snapshot is named.
    pub(super) snapshot_place: Option<Span>,
    pub(super) expect: Expect,
}

impl TestCase {
    /// The failure of a case whose inputs cannot be read; `None` if it names none.
    #[must_use]
    pub fn unread(&self, message: &str) -> Option<Diagnostic> {
        let place = self.inputs.as_ref()?.place;
        Some(Diagnostic::new(&TEST_FAILED, place, message!("{message}")).at("input of the case"))
    }
}

/// The inputs that a case names.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct CaseInputs {
    /// Their paths.
    pub paths: Vec<String>,
    /// The span of the first one.
    pub place: Span,
}

/// Reads the cases of test files, and checks the form of the files.
///
/// ```
/// use sandboxc::{Workspace, test_cases};
///
/// let mut workspace = Workspace::new();
/// let file = workspace.add(
///     "a.test.yaml",
///     "apiVersion: sandboxc.dev/v1alpha1\nkind: Test\nspec:\n  cases:\n  - {name: empty, expect: {findings: []}}\n",
/// );
/// let tests = test_cases(&workspace, [file]);
/// assert_eq!((tests.cases[0].name.as_str(), tests.diagnostics.len()), ("empty", 0));
/// ```
#[must_use]
pub fn test_cases(workspace: &Workspace, files: impl IntoIterator<Item = FileId>) -> TestCases {
    let (mut sink, mut budget, mut cases) = (Sink::new(), yaml::Budget::default(), Vec::new());
    let rules = rules::all();
    for id in files {
        let file = workspace.file(id);
        if yaml::check_file(id, file, &mut sink).is_err() {
            continue;
        }
        let documents = yaml::documents_within(id, file.text(), &mut budget, &mut sink);
        for document in documents.read {
            if !test_case::is_document(&document.root) {
                let place = document.root.get("kind").map_or(document.span, Node::span);
                let message = "a test file only contains documents of the kind `Test`";
                sink.report(
                    Diagnostic::new(&TEST_INVALID, place, message)
                        .help("move the document to another file, or to `definitions` of a case"),
                );
                continue;
            }
            test_case::check(&document.root, workspace, &rules, &mut sink);
            cases.extend(cases_of_document(workspace, id, document));
        }
    }
    let mut diagnostics = sink.into_sorted();
    let secrets = secrecy::redact(workspace, diagnostics.iter_mut().collect());
    TestCases { cases, diagnostics, secrets }
}

/// The cases of a document.
fn cases_of_document(
    workspace: &Workspace,
    file: FileId,
    document: yaml::Document,
) -> Vec<TestCase> {
    let root = document.root;
    let written = root.items_at(&["spec", "cases"]).iter().filter(|case| !case.is_null());
    let places: Vec<_> = written.map(Node::span).collect();
    let whole = root.span();
    let Some(TestSpec { given: common, cases }) = test_case::read(root) else { return Vec::new() };
    if cases.items.len() != places.len() {
        // A case that cannot be read was reported.
        return Vec::new();
    }
    let name = workspace.file(file).name();
    let case = |(Case { given, name: own_name, expect }, case): (Case, Span)| {
        let inputs = given.inputs.as_ref().or(common.inputs.as_ref());
        TestCase {
            name: own_name.as_str().to_owned(),
            file,
            place: own_name.span(),
            inputs: inputs.and_then(|it| inputs_of(name, it)),
            snapshot: expect.snapshot.as_ref().map(|it| beside(name, it.as_str())),
            document: whole,
            case,
            environment: text(given.environment.as_ref().or(common.environment.as_ref())),
            kubernetes: versions(&given).union(if given.kubernetes.is_some() {
                Versions::NONE
            } else {
                versions(&common)
            }),
            has_own_input: given.values.is_some() || given.definitions.is_some(),
            snapshot_place: expect.snapshot.as_ref().map(Text::span),
            expect,
        }
    };
    cases.items.into_iter().zip(places).map(case).collect()
}

fn inputs_of(file: &str, listed: &Listed<Text>) -> Option<CaseInputs> {
    let paths = listed.items.iter().map(|it| beside(file, it.as_str())).collect();
    Some(CaseInputs { paths, place: listed.items.first()?.span() })
}

fn text(given: Option<&Text>) -> Option<String> {
    given.map(|it| it.as_str().to_owned())
}

/// The versions that a case names; unknown ones were reported.
fn versions(given: &Given) -> Versions {
    let named = given.kubernetes.as_ref().and_then(|it| Versions::parse(it.as_str()));
    named.unwrap_or(Versions::NONE)
}
