//! Runs the cases of tests, and compares what they compile to with what they expect.
//!
//! A failure is a finding of the rule `test-failed` at the line of the expectation, with the line of
//! what was built. A case that does not compile has the findings of `build` instead.

mod fields;
mod findings;
mod objects;
mod read;
mod report;
mod run;
mod snapshot;

pub use read::{CaseInputs, TestCase, TestCases, test_cases};
pub use report::{TestReport, TestTotals, render_tests_json, render_tests_junit};
pub use run::{TestResult, TestRun, run_tests};
pub use snapshot::SnapshotChange;

/// The path of a file that is named relative to the directory of another one. Both names have `/` as
/// separator.
fn beside(file: &str, relative: &str) -> String {
    let directory = file.rsplit_once('/').map_or("", |it| it.0);
    let mut parts: Vec<&str> = directory.split('/').filter(|it| !it.is_empty()).collect();
    for part in relative.split('/').filter(|it| !matches!(*it, "" | ".")) {
        match (part, parts.last()) {
            ("..", Some(last)) if *last != ".." => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    let root = if directory.starts_with('/') { "/" } else { "" };
    format!("{root}{}", parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::beside;

    #[test]
    fn a_file_is_found_next_to_another_one() {
        for (file, relative, expected) in [
            ("a.test.yaml", "b.yaml", "b.yaml"),
            ("x/a.test.yaml", "./b.yaml", "x/b.yaml"),
            ("x/y/a.test.yaml", "../b.yaml", "x/b.yaml"),
            ("x/a.test.yaml", "../../b.yaml", "../b.yaml"),
            ("../a.test.yaml", "../b.yaml", "../../b.yaml"),
            ("/x/a.test.yaml", "b/c.yaml", "/x/b/c.yaml"),
        ] {
            assert_eq!(beside(file, relative), expected, "{file} {relative}");
        }
    }
}
