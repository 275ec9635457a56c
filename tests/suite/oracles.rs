//! `fixtures/oracles/<system>/`: compares the objects that the system's own code creates for the input
//! of a case in `cases.md`, recorded by `tools/<system>-oracle`, with the output of `import` and `build`.
//! The output of a case has the rules of the errors, if there are any.
//!
//! `differences` lists the exact intended differences: a difference without a line fails the test,
//! and so does a line without a difference.

pub(crate) mod compare;
pub(crate) mod differences;
mod project;
pub(crate) mod quantity;

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use rayon::prelude::*;
use sandboxc::{
    Compilation, ImportOptions, Options, Severity, Workspace, compile, import, write_imported,
};
use serde_json::Value;

use self::compare::{compare, objects_by_name};
use self::differences::{Line, Target, read_lines};
use self::project::{with_project, without_project};
use crate::support::{accepted, binary, for_program, has_all, sampled};
use crate::unpacked::unpacked;

/// One recorded input.
pub(crate) struct Case {
    folder: PathBuf,
    /// `kelos/minimal`.
    pub(crate) name: String,
}

/// All recorded inputs.
pub(crate) fn cases() -> Vec<Case> {
    cases_below(&unpacked().join("oracles"))
}

fn cases_below(folder: &Path) -> Vec<Case> {
    folders(folder).iter().flat_map(|it| cases_of(it)).collect()
}

fn cases_of(system: &Path) -> Vec<Case> {
    let name = |folder: &Path| format!("{}/{}", file_name(system), file_name(folder));
    folders(system).into_iter().map(|it| Case { name: name(&it), folder: it }).collect()
}

/// The definitions that a case is imported as, and their objects, or the rules of the errors of the import.
pub(crate) type Built = Result<(String, Compilation), BTreeSet<String>>;

/// A sample of the recorded inputs, built once for all tests. Call this outside of parallel work, since the
/// first call waits for parallel work of its own.
pub(crate) fn built_cases() -> &'static [(Case, Built)] {
    static SAMPLE: LazyLock<Vec<(Case, Built)>> = LazyLock::new(|| built(sampled(cases(), 12)));
    &SAMPLE
}

fn built(cases: Vec<Case>) -> Vec<(Case, Built)> {
    let pair = |case: Case| {
        let built = case.built();
        (case, built)
    };
    cases.into_par_iter().map(pair).collect()
}

/// The result of sandboxc for a case.
enum Outcome {
    Objects(Vec<Value>),
    /// The rules of the errors.
    Refused(BTreeSet<String>),
}

#[test]
fn objects_are_those_of_the_system_itself() {
    let mut failures = Vec::new();
    // Inputs in other directories can be compared before they become fixtures.
    let elsewhere = env::var_os("ORACLES").map(PathBuf::from);
    let is_fixture = elsewhere.is_none();
    let folder = elsewhere.unwrap_or_else(|| unpacked().join("oracles"));
    let others = if is_fixture { Vec::new() } else { built(cases_below(&folder)) };
    let all = if is_fixture { built_cases() } else { &others };
    assert!(!all.is_empty());
    for system in folders(&folder) {
        let shared = read_lines(&system.join("differences"));
        let mut used = vec![false; shared.len()];
        let mut outputs = Vec::new();
        for (case, built) in all.iter().filter(|(case, _)| case.folder.starts_with(&system)) {
            let output = judge(case, built, &shared, &mut used, &mut failures);
            if is_fixture && !has_all() {
                failures.extend(unaccepted(case, output.as_deref()));
            }
            outputs.push((file_name(&case.folder), output));
        }
        if is_fixture && !has_all() {
            continue;
        }
        if is_fixture {
            let path = format!("fixtures/oracles/{}/cases.md", file_name(&system));
            failures.extend(accepted::difference(&path, &outputs, "suite oracles"));
        }
        let unused = shared.iter().zip(&used).filter(|(_, used)| !**used);
        failures.extend(unused.map(|(line, _)| {
            format!("{}/differences: no case has this difference: {line}", file_name(&system))
        }));
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// The output of a case, if it is not the accepted one.
fn unaccepted(case: &Case, output: Option<&str>) -> Option<String> {
    let accepted = fs::read_to_string(case.folder.join("output")).ok();
    let is_accepted = accepted.as_deref().map(str::trim) == output.map(str::trim);
    (!is_accepted).then(|| format!("{}: {output:?} instead of {accepted:?}", case.name))
}

/// The program imports the recorded inputs as the library does.
#[test]
fn the_program_imports_as_the_library_does() {
    let cases = for_program(cases());
    assert!(cases.len() > 3);
    let different = cases.par_iter().filter(|it| it.imported_by_program() != it.imported());
    let different: Vec<_> = different.map(|it| &it.name).collect();
    assert!(different.is_empty(), "{different:?}");
}

/// Compares a case with its recording. Returns the rules of the errors, if there are any.
fn judge(
    case: &Case,
    built: &Built,
    shared: &[Line],
    shared_used: &mut [bool],
    failures: &mut Vec<String>,
) -> Option<String> {
    let outcome = outcome(built);
    let output = match &outcome {
        Outcome::Objects(_) => None,
        Outcome::Refused(rules) => {
            Some(rules.iter().fold(String::new(), |all, it| all + it + "\n"))
        }
    };
    let own = read_lines(&case.folder.join("differences"));
    let mut own_used = vec![false; own.len()];
    for (target, detail) in differences(case, outcome) {
        let lines = own.iter().zip(own_used.iter_mut());
        let lines = lines.chain(shared.iter().zip(shared_used.iter_mut()));
        let mut is_covered = false;
        for (_, used) in lines.filter(|(line, _)| line.target.covers(&target)) {
            *used = true;
            is_covered = true;
        }
        if !is_covered {
            failures.push(format!("{}: {target}: {detail}", case.name));
        }
    }
    let unused = own.iter().zip(&own_used).filter(|(_, used)| !**used);
    failures.extend(unused.map(|(line, _)| format!("{}: no such difference: {line}", case.name)));
    output
}

/// The differences between sandboxc and the recording, each with its description.
fn differences(case: &Case, outcome: Outcome) -> Vec<(Target, String)> {
    let observed = fs::read_to_string(case.folder.join("observed.json")).unwrap();
    let observed: Value = serde_json::from_str(&observed).unwrap();
    let refusals = observed["refused"].as_array().expect("`refused`");
    let recorded = observed["objects"].as_array().expect("`objects`");
    match (refusals.first(), outcome) {
        (Some(_), Outcome::Refused(_)) => Vec::new(),
        (Some(first), Outcome::Objects(_)) => {
            vec![(Target::Accepted, format!("the system refuses it: {first}"))]
        }
        (None, Outcome::Refused(rules)) => {
            vec![(Target::Refused, format!("sandboxc refuses it: {rules:?}"))]
        }
        (None, Outcome::Objects(ours)) => {
            let ours: Vec<_> = ours.into_iter().map(of_one_run).collect();
            compare(&objects_by_name(recorded), &objects_by_name(&ours))
        }
    }
}

/// The Job of one run of a CronJob, or any other object unchanged. A system may start runs itself.
fn of_one_run(object: Value) -> Value {
    if object["kind"] != "CronJob" {
        return object;
    }
    let mut job = object["spec"]["jobTemplate"].clone();
    for key in ["name", "namespace"] {
        job["metadata"][key] = object["metadata"][key].clone();
    }
    job["apiVersion"] = object["apiVersion"].clone();
    job["kind"] = "Job".into();
    job
}

fn outcome(built: &Built) -> Outcome {
    let compilation = match built {
        Ok((_, compilation)) => compilation,
        Err(rules) => return Outcome::Refused(rules.clone()),
    };
    let errors = compilation.diagnostics.iter().filter(|it| it.severity == Severity::Error);
    let rules: BTreeSet<_> = errors.map(|it| it.rule.name.to_owned()).collect();
    if !rules.is_empty() {
        return Outcome::Refused(rules);
    }
    // Objects of the input that do not belong to the system are applied unchanged.
    let compiled = compilation.objects.iter().filter(|it| it.is_compiled()).cloned();
    let text = sandboxc::emit_stream(&compiled.collect::<Vec<_>>());
    let documents = text.split("\n---\n").filter(|it| !it.trim().is_empty());
    Outcome::Objects(documents.map(|it| serde_yaml::from_str(it).unwrap()).collect())
}

impl Case {
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    fn inputs(&self) -> impl Iterator<Item = PathBuf> {
        files(&self.folder).into_iter().filter(|it| file_name(it).starts_with("input."))
    }

    /// The definitions that the inputs are imported as, or the rules of the errors.
    fn imported(&self) -> Result<String, BTreeSet<String>> {
        let mut workspace = Workspace::new();
        for path in self.inputs() {
            workspace.add(path.display().to_string(), fs::read(&path).unwrap());
        }
        let mut options = ImportOptions::default();
        // A string that the kubelet expands is otherwise not a part of a definition.
        options.lossy = true;
        let imported = import(&workspace, &options);
        let errors = imported.diagnostics.iter().filter(|it| it.severity == Severity::Error);
        let rules: BTreeSet<_> = errors.map(|it| it.rule.name.to_owned()).collect();
        if !rules.is_empty() {
            return Err(rules);
        }
        let mut text = Vec::new();
        write_imported(&imported, &mut text).unwrap();
        Ok(String::from_utf8(text).unwrap())
    }

    /// As `imported`, without the comments about what is left out.
    fn imported_by_program(&self) -> Result<String, BTreeSet<String>> {
        let mut command = Command::new(binary());
        command
            .args(["import", "--lossy", "--format", "json"])
            .args(self.inputs())
            .current_dir(&self.folder);
        let output = command.output().unwrap();
        if !output.status.success() {
            let report = String::from_utf8_lossy(&output.stderr);
            let rules = rules_of_report(&report);
            assert!(!rules.is_empty(), "{}: import failed without an error: {report}", self.name);
            return Err(rules);
        }
        let text = String::from_utf8(output.stdout).unwrap();
        let lines = text.split_inclusive('\n');
        Ok(lines.filter(|it| !it.starts_with("# not imported: ")).collect())
    }

    /// Imports the inputs, and compiles the definitions.
    fn built(&self) -> Built {
        let mut workspace = Workspace::new();
        let mut imported = self.imported()?;
        if self.name.starts_with("kelos/") {
            // Its Jobs are recorded, not the resources that the Project of the import is for.
            imported = without_project(&imported);
        }
        let definitions = match fs::read_to_string(self.folder.join("project.yaml")) {
            Ok(project) => with_project(&imported, &project),
            Err(_) => imported,
        };
        workspace.add("imported.yaml", definitions.as_str());
        let compilation = compile(&workspace, &Options::default());
        Ok((definitions, compilation))
    }
}

/// The rules of the errors in a JSON report.
fn rules_of_report(report: &str) -> BTreeSet<String> {
    let Ok(report) = serde_json::from_str::<Value>(report) else { return BTreeSet::new() };
    let findings = report["diagnostics"].as_array().cloned().unwrap_or_default();
    let errors = findings.iter().filter(|it| it["severity"] == "error");
    errors.filter_map(|it| it["rule"].as_str()).map(str::to_owned).collect()
}

pub(crate) fn folders(parent: &Path) -> Vec<PathBuf> {
    entries(parent).into_iter().filter(|it| it.is_dir()).collect()
}

pub(crate) fn files(parent: &Path) -> Vec<PathBuf> {
    entries(parent).into_iter().filter(|it| it.is_file()).collect()
}

fn entries(parent: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(parent) else { return Vec::new() };
    let mut entries: Vec<_> = entries.map(|it| it.unwrap().path()).collect();
    entries.sort();
    entries
}

pub(crate) fn file_name(path: &Path) -> String {
    path.file_name().unwrap().to_string_lossy().into_owned()
}

/// All recordings of a system have one format and are from one commit.
#[test]
fn recordings_name_one_upstream_per_system() {
    for system in folders(&unpacked().join("oracles")) {
        let mut upstreams: BTreeMap<String, usize> = BTreeMap::new();
        for case in folders(&system) {
            let text = fs::read_to_string(case.join("observed.json"))
                .unwrap_or_else(|error| panic!("{}: {error}", case.display()));
            let observed: Value = serde_json::from_str(&text).unwrap();
            let upstream = observed["upstream"].as_str().expect("`upstream`");
            assert!(upstream.contains('@'), "{}: `upstream` has no version", case.display());
            *upstreams.entry(upstream.to_owned()).or_default() += 1;
        }
        assert!(upstreams.len() <= 1, "{}: {upstreams:?}", system.display());
    }
}
