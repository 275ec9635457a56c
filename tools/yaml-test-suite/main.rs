//! Reports which cases of the yaml-test-suite the reader accepts and rejects, and where it reads a
//! different value. See README.md in this directory.
//!
//! usage: yaml-test-suite FOLDER, a checkout of the suite's branch `data`
//!
//! It records the verdicts in `fixtures/yaml-test-suite.tsv`, from which the tests generate
//! `docs/yaml.md`.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a report for a terminal")]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use sandboxc::{Options, Severity, Workspace, compile};
use serde_json::Value;

/// Rules about Kubernetes objects, which do not apply to the suite's documents.
const ABOUT_OBJECTS: &[&str] = &["api-version-missing", "kind-missing", "not-an-object"];

fn main() -> ExitCode {
    let Some(folder) = std::env::args().nth(1) else {
        eprintln!("usage: yaml-test-suite FOLDER");
        return ExitCode::from(2);
    };
    let mut cases = Vec::new();
    collect(Path::new(&folder), &mut cases);
    cases.sort();
    if cases.is_empty() {
        eprintln!("{folder} holds no `in.yaml`; check out the branch `data`");
        return ExitCode::from(2);
    }
    let mut report = Report::default();
    for case in &cases {
        report.add(Path::new(&folder), case);
    }
    report.print();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/yaml-test-suite.tsv");
    match fs::write(&path, report.rows) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("cannot write {}: {error}", path.display());
            ExitCode::from(2)
        }
    }
}

/// The directories that contain a case.
fn collect(folder: &Path, cases: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    // `name` and `tags` contain links to the cases.
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() && !path.is_symlink() && !path.ends_with("name") && !path.ends_with("tags")
        {
            collect(&path, cases);
        } else if path.ends_with("in.yaml") {
            cases.extend(path.parent().map(Path::to_path_buf));
        }
    }
}

#[derive(Default)]
struct Report {
    counts: BTreeMap<&'static str, usize>,
    /// Cases by category.
    remarks: BTreeMap<String, Vec<String>>,
    /// The recorded line of each case.
    rows: String,
}

impl Report {
    fn add(&mut self, root: &Path, case: &Path) {
        let name = case.strip_prefix(root).unwrap_or(case).display().to_string();
        let bytes = fs::read(case.join("in.yaml")).unwrap_or_default();
        let mut workspace = Workspace::new();
        workspace.add(name.clone(), bytes);
        let compilation = compile(&workspace, &Options::default());
        let refused_by = compilation
            .diagnostics
            .iter()
            .filter(|it| it.severity == Severity::Error)
            .map(|it| it.rule.name)
            .find(|rule| !ABOUT_OBJECTS.contains(rule));
        let is_valid = !case.join("error").exists();
        let outcome = match (is_valid, refused_by) {
            (true, None) => "valid, accepted",
            (true, Some(_)) => "valid, refused",
            (false, None) => "invalid, accepted",
            (false, Some(_)) => "invalid, refused",
        };
        *self.counts.entry(outcome).or_default() += 1;
        let kind = if is_valid { "valid" } else { "invalid" };
        let verdict = refused_by.unwrap_or("accepted");
        let _ = writeln!(self.rows, "{name}\t{kind}\t{verdict}");
        match (is_valid, refused_by) {
            (true, Some(rule)) => self.remark(format!("valid, refused by {rule}"), name),
            (false, None) => self.remark("invalid, accepted".to_owned(), name),
            (true, None) => {
                let read = compilation
                    .objects
                    .iter()
                    .map(|it| serde_json::to_value(it.root()).unwrap_or_default())
                    .collect();
                if !is_same(read, &case.join("in.json")) {
                    self.remark("valid, another value".to_owned(), name);
                }
            }
            (false, Some(_)) => {}
        }
    }

    fn remark(&mut self, remark: String, case: String) {
        self.remarks.entry(remark).or_default().push(case);
    }

    fn print(&self) {
        for (outcome, count) in &self.counts {
            println!("{count:>5} {outcome}");
        }
        for (remark, cases) in &self.remarks {
            println!("\n{remark} ({}): {}", cases.len(), cases.join(" "));
        }
    }
}

/// Whether the documents, except for empty ones, equal those of the suite's JSON. Their order is
/// the apply order. True if the suite has no JSON for the case.
fn is_same(mut read: Vec<Value>, json: &Path) -> bool {
    let Ok(text) = fs::read_to_string(json) else { return true };
    let mut expected: Vec<Value> =
        serde_json::Deserializer::from_str(&text).into_iter().flatten().collect();
    for documents in [&mut read, &mut expected] {
        documents.retain(|it| !it.is_null());
        documents.sort_by_key(Value::to_string);
    }
    read == expected
}
