//! The files of `--report`, and the width of messages.

use super::{BROKEN, Folder, OBJECT};

/// A Pod with an absent Secret: a warning in a set of files.
pub(super) const WITHOUT_SECRET: &str = "\
apiVersion: v1
kind: Pod
metadata: {name: web, namespace: default}
spec:
  containers: [{name: web, image: web:1.2, envFrom: [{secretRef: {name: token}}]}]
";

#[test]
fn a_dash_is_standard_output() {
    let folder = Folder::new(&[("a.yaml", BROKEN)]);
    let (sarif, _) = folder.run(&["check", "--format=sarif", "a.yaml"]).expect(1);
    let (stdout, stderr) = folder.run(&["check", "--report=sarif=-", "a.yaml"]).expect(1);
    assert_eq!(stdout, sarif);
    assert!(stderr.contains("error[unclosed-bracket]"), "{stderr}");
    let folder = Folder::new(&[("a.yaml", OBJECT)]);
    let (stdout, _) = folder.run(&["build", "-o", "out", "--report=json=-", "a.yaml"]).expect(0);
    assert!(stdout.starts_with('{'), "{stdout}");
}

#[test]
fn reports_do_not_share_a_file() {
    let folder = Folder::new(&[("a.yaml", OBJECT)]);
    for reports in [
        &["--report=sarif=x", "--report=json=x"][..],
        &["--report=sarif=x", "--report=json=./x"],
        &["--report=sarif=-", "--report=json=-"],
    ] {
        let (_, stderr) = folder.run(&[&["check", "a.yaml"], reports].concat()).expect(2);
        assert!(stderr.contains("several reports are written to `"), "{stderr}");
    }
    for arguments in [
        &["build", "a.yaml", "--report=sarif=-"][..],
        &["check", "a.yaml", "--report=sarif=-", "--format=json"],
        &["check", "a.yaml", "--report=sarif=-", "--diff"],
    ] {
        let (stdout, stderr) = folder.run(arguments).expect(2);
        assert!(stdout.is_empty() && stderr.contains("needs standard output"), "{stderr}");
    }
    assert_eq!(folder.list("."), ["a.yaml"]);
}

#[test]
fn a_report_does_not_replace_an_input() {
    let folder = Folder::new(&[("web/a.yaml", OBJECT)]);
    for input in ["web", "web/a.yaml"] {
        for report in ["--report=sarif=web/a.yaml", "--report=sarif=./web/../web/a.yaml"] {
            let (_, stderr) = folder.run(&["check", input, report]).expect(2);
            assert!(stderr.contains("would replace an input"), "{stderr}");
        }
    }
    assert_eq!(folder.read("web/a.yaml"), OBJECT);
}

#[test]
fn quiet_leaves_reports_whole() {
    let folder = Folder::new(&[("web/a.yaml", WITHOUT_SECRET)]);
    let reports = ["--report=json=a.json", "--report=human=a.txt"];
    let (_, stderr) = folder.run(&[&["check", "-q", "web"], &reports[..]].concat()).expect(0);
    assert_eq!(stderr, "");
    let (_, stderr) = folder.run(&["check", "web"]).expect(0);
    assert_eq!(folder.read("a.txt"), stderr);
    assert!(folder.read("a.json").contains("secret-not-found"));
}

#[test]
fn sarif_names_pages_and_subjects() {
    let folder = Folder::new(&[("a.yaml", BROKEN)]);
    let (stdout, _) = folder.run(&["check", "--format=sarif", "a.yaml"]).expect(1);
    let log: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    let driver = &log["runs"][0]["tool"]["driver"];
    let rule = &driver["rules"][0];
    // Addresses are absolute and exist, or are omitted: the page itself is in the report.
    let repository = env!("CARGO_PKG_REPOSITORY");
    for address in [&driver["informationUri"], &rule["helpUri"]] {
        match address.as_str() {
            Some(address) => assert!(!repository.is_empty() && address.starts_with(repository)),
            None => assert!(repository.is_empty() && address.is_null()),
        }
    }
    assert!(rule["help"]["markdown"].as_str().unwrap().contains("## Why is this bad?"));
    assert_eq!(rule["properties"]["tags"], serde_json::json!(["yaml"]));
}

#[test]
fn messages_fit_into_the_terminal() {
    let folder = Folder::new(&[("web/a.yaml", WITHOUT_SECRET)]);
    let run = |columns: &str| {
        let mut command = folder.command(&["check", "web"]);
        String::from_utf8(command.env("COLUMNS", columns).output().unwrap().stderr).unwrap()
    };
    let widest = |text: &str| text.lines().map(|line| line.chars().count()).max().unwrap();
    for columns in [60, 80, 200] {
        let text = run(&columns.to_string());
        assert!(widest(&text) <= columns, "{columns}\n{text}");
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let note = "CreateContainerConfigError";
        assert!(words(&text).contains(note), "{text}");
    }
    assert!(run("60").lines().count() > run("200").lines().count());
    let (_, without) = folder.run(&["check", "web"]).expect(0);
    assert_eq!(run("0"), without);
}
