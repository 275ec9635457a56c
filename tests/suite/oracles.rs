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

use sandboxc::{Compilation, Options, Severity, Workspace, compile};
use serde_json::Value;

use self::compare::{compare, objects_by_name};
use self::differences::{Line, Target, read_lines};
use self::project::{with_project, without_project};
use crate::support::{accepted, binary};
use crate::unpacked::unpacked;

/// One recorded input.
pub(crate) struct Case {
    folder: PathBuf,
    /// `kelos/minimal`.
    pub(crate) name: String,
}

/// All recorded inputs.
pub(crate) fn cases() -> Vec<Case> {
    folders(&unpacked().join("oracles")).iter().flat_map(|it| cases_of(it)).collect()
}

fn cases_of(system: &Path) -> Vec<Case> {
    let name = |folder: &Path| format!("{}/{}", file_name(system), file_name(folder));
    folders(system).into_iter().map(|it| Case { name: name(&it), folder: it }).collect()
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
    for system in folders(&elsewhere.unwrap_or_else(|| unpacked().join("oracles"))) {
        let shared = read_lines(&system.join("differences"));
        let mut used = vec![false; shared.len()];
        let mut outputs = Vec::new();
        for case in cases_of(&system) {
            let output = judge(&case, &shared, &mut used, &mut failures);
            outputs.push((file_name(&case.folder), output));
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

/// Compares a case with its recording. Returns the rules of the errors, if there are any.
fn judge(
    case: &Case,
    shared: &[Line],
    shared_used: &mut [bool],
    failures: &mut Vec<String>,
) -> Option<String> {
    let outcome = outcome(case);
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

fn outcome(case: &Case) -> Outcome {
    let compilation = match case.built() {
        Ok((_, compilation)) => compilation,
        Err(rules) => return Outcome::Refused(rules),
    };
    let errors = compilation.diagnostics.iter().filter(|it| it.severity == Severity::Error);
    let rules: BTreeSet<_> = errors.map(|it| it.rule.name.to_owned()).collect();
    if !rules.is_empty() {
        return Outcome::Refused(rules);
    }
    // Objects of the input that do not belong to the system are applied unchanged.
    let compiled = compilation.objects.into_iter().filter(sandboxc::Object::is_compiled);
    let text = sandboxc::emit_stream(&compiled.collect::<Vec<_>>());
    let documents = text.split("\n---\n").filter(|it| !it.trim().is_empty());
    Outcome::Objects(documents.map(|it| serde_yaml::from_str(it).unwrap()).collect())
}

impl Case {
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Runs `import` on the inputs and `build` on the result. Returns the definitions and their
    /// objects, or the rules of the errors of the import.
    pub(crate) fn built(&self) -> Result<(String, Compilation), BTreeSet<String>> {
        let inputs =
            files(&self.folder).into_iter().filter(|it| file_name(it).starts_with("input."));
        let mut command = Command::new(binary());
        // A string that the kubelet expands is otherwise not a part of a definition.
        command
            .args(["import", "--lossy", "--format", "json"])
            .args(inputs)
            .current_dir(&self.folder);
        let output = command.output().unwrap();
        if !output.status.success() {
            let report = String::from_utf8_lossy(&output.stderr);
            let rules = rules_of_report(&report);
            assert!(!rules.is_empty(), "{}: import failed without an error: {report}", self.name);
            return Err(rules);
        }
        let mut workspace = Workspace::new();
        let mut imported = String::from_utf8(output.stdout).unwrap();
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
