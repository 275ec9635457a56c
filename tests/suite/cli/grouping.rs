//! Findings with one cause, and more findings than are shown.

use sandboxc::ReportFormat;

use super::Folder;

fn pods(count: usize) -> String {
    let pod = |at: usize| {
        format!(
            "apiVersion: v1\nkind: Pod\nmetadata: {{name: web-{at}, namespace: team}}\nspec:\n  containers:\n  \
             - {{name: main, image: 'python:3.13', envFrom: [{{secretRef: {{name: token}}}}]}}\n"
        )
    };
    (0..count).map(pod).collect::<Vec<_>>().join("---\n")
}

#[test]
fn references_to_one_absent_object_are_one_finding() {
    let folder = Folder::new(&[("pods.yaml", &pods(1_000))]);
    let run = folder.run(&["check", "."]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert_eq!(run.stderr.matches("warning[secret-not-found]").count(), 1, "{}", run.stderr);
    let more = "and 999 more: pods.yaml:13:69, pods.yaml:20:69, pods.yaml:27:69, pods.yaml:34:69, \
                pods.yaml:41:69, ...";
    assert!(run.stderr.contains(more), "{}", run.stderr);
    assert!(
        run.stderr.contains("checked 1000 objects in 1 file for Kubernetes 1.37: 1 warning\n"),
        "{}",
        run.stderr
    );
    assert_eq!(folder.run(&["check", "--deny", "warnings", "."]).status, 1);
}

/// For each format that programs read, what each of its entries contains.
const ENTRIES: [(&str, &str); 8] = [
    ("json", "\"rule\": \"secret-not-found\""),
    ("sarif", "\"ruleId\": \"secret-not-found\""),
    ("gitlab", "\"check_name\": \"secret-not-found\""),
    ("junit", "warning[secret-not-found]"),
    ("checkstyle", "source=\"sandboxc.secret-not-found\""),
    ("rdjson", "\"value\": \"secret-not-found\""),
    ("tap", "rule: \"secret-not-found\""),
    ("policy-report", "\"rule\": \"secret-not-found\""),
];

#[test]
fn formats_for_programs_have_an_entry_for_each_place() {
    let folder = Folder::new(&[("a.yaml", &pods(60)), ("b.yaml", &pods(40))]);
    let for_programs = ReportFormat::ALL.iter().filter(|format| format.is_for_programs());
    assert!(for_programs.map(|format| format.name()).eq(ENTRIES.map(|(format, _)| format)));
    for (format, of_entry) in ENTRIES {
        let run = folder.run(&["check", "--format", format, "a.yaml"]);
        assert_eq!(run.stdout.matches(of_entry).count(), 60, "{format}: {}", run.stdout);
        let report = format!("{format}=report");
        let run = folder.run(&["check", "--report", &report, "a.yaml", "b.yaml"]);
        assert_eq!(folder.read("report").matches(of_entry).count(), 100, "{format}");
        // People still read a cause once.
        assert_eq!(run.stderr.matches("warning[secret-not-found]").count(), 1, "{}", run.stderr);
        assert!(run.stderr.contains("and 99 more: "), "{}", run.stderr);
    }
    let github = folder.run(&["check", "--format", "github", "a.yaml"]).stdout;
    assert_eq!(github.lines().count(), 1, "{github}");
    assert!(github.contains("and 59 more: a.yaml:13:69, "), "{github}");
}

/// A merge request that adds a finding like others is told about that one.
#[test]
fn a_finding_in_another_file_does_not_hide_others() {
    let claim = |name: &str| {
        format!(
            "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata:\n  name: {name}\n  annotations: \
             {{volume.beta.kubernetes.io/storage-class: x}}\nspec: {{accessModes: [ReadWriteOnce], \
             resources: {{requests: {{storage: 1Gi}}}}}}\n"
        )
    };
    let files = ["a", "b", "c", "d"].map(|name| (format!("{name}.yaml"), claim(name)));
    let folder = Folder::new(&files.each_ref().map(|(name, text)| (name.as_str(), text.as_str())));
    let report = folder.run(&["check", "--format", "gitlab", "."]).stdout;
    let entries: serde_json::Value = serde_json::from_str(&report).unwrap();
    let entries = entries.as_array().unwrap();
    let places: Vec<_> =
        entries.iter().map(|it| it["location"]["path"].as_str().unwrap()).collect();
    assert_eq!(places, ["a.yaml", "b.yaml", "c.yaml", "d.yaml"]);
    let fingerprints: std::collections::BTreeSet<_> =
        entries.iter().map(|it| it["fingerprint"].as_str().unwrap()).collect();
    assert_eq!(fingerprints.len(), 4);
}

#[test]
fn all_occurrences_are_reported_individually_on_request() {
    let folder = Folder::new(&[("pods.yaml", &pods(150))]);
    let run = folder.run(&["check", "--all", "."]);
    assert_eq!(run.stderr.matches("warning[secret-not-found]").count(), 150);
    assert!(!run.stderr.contains("not shown"), "{}", run.stderr);
    for (format, of_finding) in [
        ("json", "\"rule\": \"secret-not-found\""),
        ("sarif", "\"ruleId\": \"secret-not-found\""),
        ("github", "title=secret-not-found"),
        ("junit", "warning[secret-not-found]"),
    ] {
        let run = folder.run(&["check", "--all", "--format", format, "."]);
        assert_eq!((run.status, run.stdout.matches(of_finding).count()), (0, 150), "{format}");
    }
}

/// Many warnings at different locations, and one error.
fn long_run() -> Folder {
    let pod = |at: usize| {
        format!(
            "apiVersion: v1\nkind: Pod\nmetadata: {{name: web-{at}}}\nspec:\n  containers:\n  \
             - {{name: main, image: 'python:3.13', envFrom: [{{secretRef: {{name: token-{at}}}}}]}}\n"
        )
    };
    let pods = (0..150).map(pod).collect::<Vec<_>>().join("---\n");
    Folder::new(&[("a.yaml", &pods), ("b.yaml", "apiVersion: v1\nkind: ConfigMap\n")])
}

#[test]
fn a_long_run_shows_the_most_important_findings_and_a_table() {
    let folder = long_run();
    let run = folder.run(&["check", "."]);
    assert_eq!(run.status, 1);
    assert_eq!(run.stderr.matches("warning[").count(), 1, "{}", run.stderr);
    assert!(run.stderr.contains("and 149 more: a.yaml:13:69, "), "{}", run.stderr);
    assert!(run.stderr.contains("also: `token-1`, `token-2`, "), "{}", run.stderr);
    let run = folder.run(&["check", "a.yaml", "b.yaml"]);
    assert_eq!(run.status, 1);
    assert_eq!(run.stderr.matches("\nwarning[").count() + 1, 4, "{}", run.stderr);
    assert!(run.stderr.contains("error["), "{}", run.stderr);
    let similar = "\nwarning[secret-not-found]: 147 more findings of this kind\n  \
                   a.yaml:27:69: Secret `token-3` not found in the input\n  ";
    assert!(run.stderr.contains(similar), "{}", run.stderr);
    let rest = "\n  ... and 127 more\n  `--all` shows each of them in full\n";
    assert!(run.stderr.contains(rest), "{}", run.stderr);
    let all = folder.run(&["check", "--all", "a.yaml", "b.yaml"]).stderr;
    assert_eq!(all.matches("warning[").count(), 150, "{all}");
    let row = "secret-not-found  warning        150          150\n";
    assert!(run.stderr.contains(row), "{}", run.stderr);
    let github = folder.run(&["check", "--format", "github", "a.yaml", "b.yaml"]).stdout;
    // One error, the ten warnings that GitHub keeps, and the notice.
    assert_eq!(github.lines().count(), 12, "{github}");
    let others = "::notice::140 more findings are not shown (140 `secret-not-found`): ";
    assert!(github.lines().last().unwrap().starts_with(others), "{github}");
    let github = folder.run(&["check", "--all", "--format=github", "a.yaml", "b.yaml"]).stdout;
    assert_eq!(github.lines().count(), 151, "{github}");
    let all = folder.run(&["check", "--all", "."]);
    assert_eq!(all.stderr.matches("warning[").count(), 150, "{}", all.stderr);
    let json = folder.run(&["check", "--format", "json", "a.yaml", "b.yaml"]).stdout;
    assert_eq!(json.matches("\"rule\":").count(), 151, "machine formats have all");
}

#[test]
fn a_short_run_has_no_table() {
    let folder = Folder::new(&[("b.yaml", "apiVersion: v1\nkind: ConfigMap\n")]);
    assert!(!folder.run(&["check", "."]).stderr.contains("occurrences"));
}
