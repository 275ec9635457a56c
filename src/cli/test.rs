//! `test`: runs the cases of test files.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::io::ErrorKind;
use std::mem;
use std::path::{Path, PathBuf};

use sandboxc::markup::visible_line;
use sandboxc::{
    Choice, Diagnostic, Paint, Roots, TestCase, TestCases, TestReport, TestResult, TestRun,
    TestTotals, Workspace, render_tests_json, render_tests_junit, run_tests, test_cases,
};

use super::arguments::{Inputs, KnownKinds, NamedPath, Options, Test, TestFormat};
use super::failure::Failure;
use super::input;
use super::progress::Progress;
use super::projects::{default_directory, directory_of, relative};
use super::report::{self, Findings};
use super::writing::{Origin, Places, Replacement, replace_files};
use super::{Outcome, output, terminal, unified};
use sandboxc_files::{
    Kind, Root, Walk, canonical, current_directory, is_project_root, kind_of_named, read_below,
};

/// The ends of the names of test files.
const ENDINGS: [&str; 2] = [".test.yaml", ".test.yml"];

pub(crate) fn run(test: &Test, options: &Options) -> Result<Outcome, Failure> {
    let files = find(test)?;
    let progress = Progress::start(options);
    let mut texts = input::read(&inputs_of(files), options, &progress)?;
    let TestCases { cases, diagnostics, secrets, .. } = test_cases(&texts, texts.ids());
    drop(progress);
    if !diagnostics.is_empty() {
        texts.mask(&secrets);
        let outcome = Findings::of_texts(&texts, &diagnostics).report(options)?;
        if outcome != Outcome::Clean {
            return Ok(outcome);
        }
    }
    run_all(test, options, &texts, &cases)
}

/// Runs the selected cases of some files, and reports them.
fn run_all(
    test: &Test,
    options: &Options,
    texts: &Workspace,
    cases: &[TestCase],
) -> Result<Outcome, Failure> {
    let is_selected =
        |it: &&TestCase| test.filter.as_ref().is_none_or(|part| it.name.contains(part));
    let selected: Vec<_> = cases.iter().filter(is_selected).collect();
    if let (Some(part), []) = (&test.filter, &selected[..]) {
        return Err(Failure::usage(
            format!("no name of a case contains `{part}`"),
            "without `--filter`, all cases run, and are listed",
        ));
    }
    let look = match test.format {
        TestFormat::Human => {
            (terminal::paint_of_output(options.color), terminal::columns_of_output())
        }
        TestFormat::Json | TestFormat::Junit => (Paint::Plain, None),
    };
    let mut runner =
        Runner { test, options, texts, look, reports: BTreeMap::new(), written: Vec::new() };
    let progress = Progress::start(options);
    for group in groups(texts, &selected) {
        runner.run(&group, &selected, &progress)?;
    }
    drop(progress);
    let written = mem::take(&mut runner.written);
    write(&written, options)?;
    let reports: Vec<_> = runner.reports.into_values().collect();
    let totals = TestTotals::of(&reports, cases.len() - selected.len());
    match test.format {
        TestFormat::Human => output::show(&described(&reports, totals, options.quiet), look.0),
        TestFormat::Json => output::print(&render_tests_json(&reports, totals)),
        TestFormat::Junit => output::print(&render_tests_junit(&reports, totals)),
    }?;
    if !written.is_empty() && !options.quiet {
        let plural = if written.len() == 1 { "" } else { "s" };
        output::complain(&format!("wrote {} snapshot{plural}\n", written.len()));
    }
    Ok(if totals.failed > 0 { Outcome::InputHasErrors } else { Outcome::Clean })
}

/// The test files.
fn find(test: &Test) -> Result<Vec<PathBuf>, Failure> {
    let excluded = input::excluded(&test.exclude)?;
    let default =
        if test.paths.is_empty() { vec![default_directory(&Choice::Nearest)?] } else { Vec::new() };
    let mut files = Vec::new();
    for path in test.paths.iter().chain(&default) {
        let kind = kind_of_named(path).map_err(Failure::file("read", path))?;
        if kind != Kind::Directory {
            files.push(path.clone());
            continue;
        }
        let root = Root::around(path).map_err(Failure::file("read", path))?;
        let below = root.resolve(&canonical(path)).map_err(Failure::file("read", path))?;
        let walk = Walk { excluded: Some(&excluded), ..Walk::of(path, &root, &below) };
        let walked = walk.files().map_err(|it| input::not_walked(path, it))?;
        let found = walked.files.into_iter().map(|it| it.path);
        let before = files.len();
        files.extend(found.filter(|it| is_test(it)));
        if files.len() == before {
            return Err(Failure::usage(
                format!("no *.test.yaml files in `{}`", path.display()),
                "write one: `sandboxc explain Test` has its fields",
            ));
        }
    }
    Ok(files)
}

fn is_test(path: &Path) -> bool {
    let name = path.file_name().map(OsStr::to_string_lossy);
    name.is_some_and(|name| ENDINGS.iter().any(|ending| name.ends_with(ending)))
}

fn inputs_of(inputs: Vec<PathBuf>) -> Inputs {
    Inputs { inputs, ..Inputs::default() }
}

/// Cases with the same inputs, which are read once.
struct Group {
    inputs: Vec<PathBuf>,
    /// The paths that the cases name.
    found: Vec<NamedPath>,
    /// The test files.
    files: Vec<PathBuf>,
    /// The positions of the cases.
    cases: Vec<usize>,
}

/// The cases by their inputs, in order of the first case.
fn groups(texts: &Workspace, cases: &[&TestCase]) -> Vec<Group> {
    let (mut roots, current) = (Roots::default(), current_directory());
    let mut groups: Vec<Group> = Vec::new();
    for (position, case) in cases.iter().enumerate() {
        let file = PathBuf::from(texts.file(case.file).name());
        let directory = directory_of(&file);
        let (mut inputs, mut found) = (Vec::new(), Vec::new());
        if let Some(named) = &case.inputs {
            let paths = named.paths.iter().map(PathBuf::from);
            found.extend(paths.map(|path| NamedPath { directory: directory.clone(), path }));
        } else {
            let root = roots.nearest(&canonical(&directory), is_project_root);
            inputs.push(root.map_or(directory, |it| relative(&it, &current)));
        }
        let is_same = |group: &Group| group.inputs == inputs && group.found == found;
        let at = groups.iter().position(is_same).unwrap_or(groups.len());
        if at == groups.len() {
            groups.push(Group { inputs, found, files: Vec::new(), cases: Vec::new() });
        }
        let Some(group) = groups.get_mut(at) else { continue };
        group.cases.push(position);
        if !group.files.contains(&file) {
            group.files.push(file);
        }
    }
    groups
}

/// Runs groups of cases.
struct Runner<'r> {
    test: &'r Test,
    options: &'r Options,
    /// The test files.
    texts: &'r Workspace,
    /// The colors and the width of the reports.
    look: (Paint, Option<usize>),
    /// By the positions of the cases.
    reports: BTreeMap<usize, TestReport>,
    /// The snapshots to write.
    written: Vec<Snapshot>,
}

impl Runner<'_> {
    fn run(
        &mut self,
        group: &Group,
        selected: &[&TestCase],
        progress: &Progress,
    ) -> Result<(), Failure> {
        let mut settings = report::compile_options(self.options)?;
        let named = inputs_of(group.files.iter().chain(&group.inputs).cloned().collect());
        let inputs = Inputs { found: group.found.clone(), ..named };
        let kinds = KnownKinds { crds: Vec::new(), policies: Vec::new() };
        let read = report::read(&inputs, &kinds, self.options, progress, &mut settings);
        let mut workspace = match read {
            Ok(workspace) => workspace,
            Err(failure) => return self.report_unread(group, selected, failure),
        };
        let files = workspace.ids().filter(|it| {
            let name = workspace.file(*it).name();
            group.files.iter().any(|it| it.as_path() == Path::new(name))
        });
        let all = test_cases(&workspace, files.collect::<Vec<_>>()).cases;
        let (mut cases, mut runs) = (Vec::new(), Vec::new());
        for at in &group.cases {
            let Some(case) = selected.get(*at) else { continue };
            let name = self.texts.file(case.file).name();
            let is_it =
                |it: &&TestCase| it.name == case.name && workspace.file(it.file).name() == name;
            let Some(case) = all.iter().find(is_it) else { continue };
            runs.push(TestRun { case, snapshot: snapshot_of(&workspace, case)? });
            cases.push((*at, case));
        }
        let results = run_tests(&workspace, &settings, &runs);
        let secrets: Vec<_> =
            results.iter().flat_map(|result| result.secrets.iter().copied()).collect();
        workspace.mask(&secrets);
        for ((at, case), result) in cases.into_iter().zip(results) {
            self.report(&workspace, (at, case), result)?;
        }
        Ok(())
    }

    /// Reports a case, and writes its snapshot if that is requested.
    fn report(
        &mut self,
        workspace: &Workspace,
        (at, case): (usize, &TestCase),
        result: TestResult,
    ) -> Result<(), Failure> {
        let TestResult { mut failures, snapshot, .. } = result;
        let mut difference = String::new();
        if let (Some(change), Some(path)) = (snapshot, &case.snapshot) {
            if self.test.update {
                let (path, before) = (PathBuf::from(path), snapshot_of(workspace, case)?);
                let directory = directory_of(Path::new(workspace.file(case.file).name()));
                let after = change.output;
                self.written.push(Snapshot { path, directory, before, after });
            } else {
                let [before, after] = &change.shown;
                difference = unified::unified(path, before, after);
                failures.push(change.failure);
            }
        }
        self.add(workspace, (at, case), &failures, &difference);
        Ok(())
    }

    /// Reports cases whose inputs cannot be read.
    fn report_unread(
        &mut self,
        group: &Group,
        selected: &[&TestCase],
        failure: Failure,
    ) -> Result<(), Failure> {
        let message = failure.to_string();
        for at in &group.cases {
            let Some(case) = selected.get(*at) else { continue };
            let Some(unread) = case.unread(&message) else { return Err(failure) };
            self.add(self.texts, (*at, case), &[unread], "");
        }
        Ok(())
    }

    fn add(
        &mut self,
        workspace: &Workspace,
        (at, case): (usize, &TestCase),
        failures: &[Diagnostic],
        difference: &str,
    ) {
        let (paint, columns) = self.look;
        let report = TestReport::new(workspace, case, failures, difference, paint, columns);
        self.reports.insert(at, report);
    }
}

/// The snapshot of a case.
fn snapshot_of(texts: &Workspace, case: &TestCase) -> Result<Option<String>, Failure> {
    let Some(path) = case.snapshot.as_ref().map(Path::new) else { return Ok(None) };
    match read_below(&directory_of(Path::new(texts.file(case.file).name())), path) {
        Ok(bytes) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Failure::file("read", path)(error)),
    }
}

/// A snapshot to be written.
struct Snapshot {
    path: PathBuf,
    /// The directory of the test file.
    directory: PathBuf,
    /// `None` if it does not exist.
    before: Option<String>,
    after: String,
}

/// Writes all snapshots or none. A Test names them, so they stay in its repository, and no link is followed.
fn write(snapshots: &[Snapshot], options: &Options) -> Result<(), Failure> {
    let replacements = snapshots.iter().map(|Snapshot { path, directory, before, after }| {
        let (expected, content) = (before.as_deref().map(str::as_bytes), after.as_bytes());
        let origin = Origin::Input(directory);
        Replacement { path: path.clone(), origin, expected, content }
    });
    let replacements: Vec<_> = replacements.collect();
    replace_files(&Places::of(&options.inputs), &replacements)
}

/// A line for each case, the failures, and the result.
fn described(reports: &[TestReport], totals: TestTotals, is_quiet: bool) -> String {
    let mut text = String::new();
    let title = |report: &TestReport| {
        visible_line(&format!("{}: {}", report.file, report.name)).into_owned()
    };
    for report in reports {
        let result = if report.is_passed() { "ok" } else { "FAILED" };
        if !is_quiet || !report.is_passed() {
            let _ = writeln!(text, "test {} ... {result}", title(report));
        }
    }
    let failed: Vec<_> = reports.iter().filter(|it| !it.is_passed()).collect();
    if !failed.is_empty() {
        text.push_str("\nfailures:\n");
    }
    for report in failed {
        let _ = write!(text, "\n---- {} ----\n{}", title(report), report.text);
    }
    if !is_quiet {
        let TestTotals { passed, failed, filtered, .. } = totals;
        let result = if failed > 0 { "FAILED" } else { "ok" };
        let _ = writeln!(
            text,
            "\ntest result: {result}. {passed} passed; {failed} failed; {filtered} filtered out"
        );
    }
    text
}
