//! Reports for services and tools, checked against what their readers accept.

use std::collections::BTreeSet;
use std::fs;

use sandboxc::{
    Diagnostic, Options, Report, ReportFormat, Rule, Severity, Workspace, compile, render_github,
    render_github_step, render_sarif,
};
use serde_json::Value;

use crate::formats::{every_part, fixtures_with_findings, two_objects};
use crate::support::{Compiled, find, root, snapshot};

static RULE: &Rule = &Rule::new("yaml-syntax", Severity::Error);
static SURPRISE: &Rule = &Rule::new("typographic-quotes", Severity::Warning);

/// A document from Helm, on standard input: it has no kind, and an unknown field.
const RENDERED: &str = "---\n# Source: web/templates/pod.yaml\nkind: Pod\nmetadata: {name: a}\n";

/// The formats with snapshots of their own.
const ELSEWHERE: [ReportFormat; 3] = [ReportFormat::Human, ReportFormat::Json, ReportFormat::Junit];

#[test]
fn every_format_has_every_part() {
    let (workspace, compilation) = two_objects(every_part);
    let report = Report::new(&workspace, &compilation.inputs, &compilation.diagnostics);
    for format in ReportFormat::ALL.iter().filter(|format| !ELSEWHERE.contains(format)) {
        let name = format.name().replace('-', "_");
        snapshot(&format!("formats__{name}"), &report.render(*format));
    }
}

#[test]
fn the_page_about_ci_lists_each_format() {
    let page = fs::read_to_string(root().join("docs/ci.md")).unwrap();
    for format in ReportFormat::ALL {
        assert!(page.contains(&format!("\n| `{}` |", format.name())), "{}", format.name());
    }
}

#[test]
fn gitlab_reports_have_what_gitlab_requires() {
    for Compiled { fixture, workspace, compilation } in fixtures_with_findings() {
        let text = Report::new(workspace, &compilation.inputs, &compilation.diagnostics)
            .render(ReportFormat::Gitlab);
        let report: Vec<Value> = serde_json::from_str(&text).unwrap();
        assert_eq!(report.len(), compilation.diagnostics.len());
        let mut fingerprints = BTreeSet::new();
        for finding in &report {
            for field in ["description", "check_name", "fingerprint"] {
                assert_ne!(finding[field].as_str().unwrap(), "", "{}", fixture.name);
            }
            let severity = finding["severity"].as_str().unwrap();
            assert!(["info", "minor", "major", "critical", "blocker"].contains(&severity));
            let path = finding["location"]["path"].as_str().unwrap();
            assert!(!path.starts_with("./") && !path.is_empty(), "{path}");
            assert!(finding["location"]["lines"]["begin"].as_u64().unwrap() >= 1);
            assert!(fingerprints.insert(finding["fingerprint"].as_str().unwrap()));
        }
    }
}

/// The text of a range, as reviewdog reads it: lines, and columns in bytes.
fn bytes<'t>(text: &'t str, range: &Value) -> &'t str {
    let offset = |end: &str| {
        let number = |key: &str| usize::try_from(range[end][key].as_u64().unwrap()).unwrap();
        let lines = text.split_inclusive('\n').take(number("line") - 1);
        lines.map(str::len).sum::<usize>() + number("column") - 1
    };
    &text[offset("start")..offset("end")]
}

#[test]
fn columns_of_rdjson_count_bytes() {
    let mut workspace = Workspace::new();
    let text = "a: 😀😀 é x # y\nb: [😀,\n 日, z]\n";
    let file = workspace.add("a.yaml", text);
    let marks = ["é", "x", "[😀,\n 日", "z]\n"];
    let found: Vec<_> = marks
        .iter()
        .map(|it| {
            let place = find(&workspace, file, it);
            Diagnostic::new(RULE, place, "x").suggest(place, "new", "write `new`")
        })
        .collect();
    let report: Value =
        serde_json::from_str(&Report::new(&workspace, &[], &found).render(ReportFormat::Rdjson))
            .unwrap();
    for (finding, mark) in report["diagnostics"].as_array().unwrap().iter().zip(marks) {
        assert_eq!(bytes(text, &finding["location"]["range"]), mark);
        assert_eq!(bytes(text, &finding["suggestions"][0]["range"]), mark);
    }
}

#[test]
fn checkstyle_of_every_fixture_is_well_formed_xml() {
    for Compiled { fixture, workspace, compilation } in fixtures_with_findings() {
        let text =
            Report::new(workspace, &[], &compilation.diagnostics).render(ReportFormat::Checkstyle);
        let document = roxmltree::Document::parse(&text).expect(&fixture.name);
        let errors = document.descendants().filter(|it| it.has_tag_name("error"));
        assert_eq!(errors.count(), compilation.diagnostics.len());
    }
}

#[test]
fn tap_of_every_fixture_has_as_many_tests_as_it_plans() {
    for Compiled { fixture, workspace, compilation } in fixtures_with_findings() {
        let (inputs, found) = (&compilation.inputs, &compilation.diagnostics);
        let text = Report::new(workspace, inputs, found).render(ReportFormat::Tap);
        let mut lines = text.lines();
        assert_eq!(lines.next(), Some("TAP version 14"));
        let plan = lines.next().unwrap().strip_prefix("1..").unwrap().parse::<usize>().unwrap();
        let (mut tests, mut block, mut findings) = (0, None::<String>, 0);
        for line in lines {
            match (&mut block, line) {
                (None, "  ---") => block = Some(String::new()),
                (Some(yaml), "  ...") => {
                    let read: Value = serde_yaml::from_str(yaml).expect(&fixture.name);
                    findings += read["findings"].as_array().unwrap().len();
                    block = None;
                }
                (Some(yaml), line) => {
                    yaml.push_str(line.strip_prefix("  ").unwrap());
                    yaml.push('\n');
                }
                (None, line) => {
                    tests += 1;
                    let rest = line.strip_prefix("not ").unwrap_or(line);
                    assert!(rest.starts_with(&format!("ok {tests} - ")), "{line}");
                }
            }
        }
        assert_eq!((tests, findings), (plan, found.len()), "{}", fixture.name);
    }
}

#[test]
fn a_name_in_tap_is_no_directive() {
    let mut workspace = Workspace::new();
    workspace.add("a # SKIP\\.yaml", "a: [\n");
    let found = compile(&workspace, &Options::default()).diagnostics;
    let text = Report::new(&workspace, &[], &found).render(ReportFormat::Tap);
    assert!(text.contains("\nnot ok 1 - a \\# SKIP\\\\.yaml\n"), "{text}");
}

#[test]
fn policy_reports_count_their_results() {
    for Compiled { workspace, compilation, .. } in fixtures_with_findings() {
        let (inputs, found) = (&compilation.inputs, &compilation.diagnostics);
        let text = Report::new(workspace, inputs, found).render(ReportFormat::PolicyReport);
        let list: Value = serde_json::from_str(&text).unwrap();
        let mut count = 0;
        for report in list["items"].as_array().unwrap() {
            let results = report["results"].as_array().unwrap();
            count += results.len();
            let of = |result: &str| results.iter().filter(|it| it["result"] == result).count();
            assert_eq!(report["summary"]["fail"], of("fail"));
            assert_eq!(report["summary"]["warn"], of("warn"));
            let is_cluster = report["kind"] == "ClusterPolicyReport";
            assert_eq!(is_cluster, report["metadata"].get("namespace").is_none());
        }
        assert_eq!(count, found.len());
    }
}

#[test]
fn a_long_policy_report_is_split() {
    let mut workspace = Workspace::new();
    let file = workspace.add("a.yaml", "a: 1\n");
    let finding = |_| Diagnostic::new(RULE, find(&workspace, file, "1"), "x");
    let found: Vec<_> = (0..1001).map(finding).collect();
    let text = Report::new(&workspace, &[], &found).render(ReportFormat::PolicyReport);
    let list: Value = serde_json::from_str(&text).unwrap();
    let parts = list["items"].as_array().unwrap().iter();
    let parts: Vec<_> = parts
        .map(|it| {
            (it["metadata"]["name"].as_str().unwrap(), it["results"].as_array().unwrap().len())
        })
        .collect();
    assert_eq!(parts, [("sandboxc", 500), ("sandboxc-2", 500), ("sandboxc-3", 1)]);
}

#[test]
fn a_cell_of_a_summary_is_one_cell() {
    let mut workspace = Workspace::new();
    let file = workspace.add("a|b`c.yaml", "a: 1\n");
    let message = "`a|b` is <img> *not* [a](b) | c\\ @team #1";
    let found = [Diagnostic::new(RULE, find(&workspace, file, "1"), message).note("x | y")];
    let text = Report::new(&workspace, &[], &found).render(ReportFormat::GithubSummary);
    let row = text.lines().last().unwrap();
    let cells = row.replace("\\|", "").matches('|').count();
    assert_eq!(cells, 5, "{row}");
    let expected =
        "<code>a&#124;b</code> is `<img>` `*not*` `[a](b)` <code>&#124;</code> `c\\` `@team` `#1`";
    assert!(row.contains(expected), "{row}");
}

#[test]
fn a_summary_of_many_findings_fits_into_a_step() {
    let mut workspace = Workspace::new();
    let file = workspace.add("a.yaml", "a: 1\n".repeat(5000));
    let line = |at: u32| sandboxc::Span::new(file, at * 5, at * 5 + 1);
    let finding = |at: u32| Diagnostic::new(RULE, line(at), &*"x".repeat(4000).leak());
    let found: Vec<_> = (0..5000).map(finding).collect();
    let text = Report::new(&workspace, &[], &found).render(ReportFormat::GithubSummary);
    assert!(text.len() < 1 << 20, "{}", text.len());
    assert!(text.contains(" more findings are not listed: `yaml-syntax` 4,8"), "{text:.200}");
}

#[test]
fn a_step_of_github_has_ten_annotations_of_each_severity() {
    let mut workspace = Workspace::new();
    let file = workspace.add("a.yaml", "a: 1\n".repeat(60));
    let at = |rule, line: u32| {
        Diagnostic::new(rule, sandboxc::Span::new(file, line * 5, line * 5 + 1), "x")
    };
    let note = |line: u32| at(SURPRISE, line).with_severity(Severity::Note);
    let mut found: Vec<_> = (0..12).map(|it| at(RULE, it)).collect();
    found.extend((12..15).map(|it| at(SURPRISE, it)));
    found.extend((15..30).map(note));
    let step = render_github_step(&workspace, &found);
    let count = |command: &str| step.text.lines().filter(|it| it.starts_with(command)).count();
    assert_eq!((count("::error "), count("::warning "), count("::notice ")), (10, 3, 9));
    assert_eq!(step.hidden.len(), 2 + 6);
    // All fit: nothing else has to be said.
    let notes: Vec<_> = (0..10).map(note).collect();
    let step = render_github_step(&workspace, &notes);
    assert_eq!((step.text.lines().count(), step.hidden.len()), (10, 0));
    // One annotation stands for all findings of one kind at one position.
    let same: Vec<_> = (0..40).map(|_| at(RULE, 1)).collect();
    let step = render_github_step(&workspace, &same);
    assert_eq!((step.text.lines().count(), step.hidden.len()), (1, 0));
}

#[test]
fn a_rendered_document_is_located_in_its_template() {
    let mut workspace = Workspace::new();
    workspace.add("<stdin>", RENDERED);
    let compilation = compile(&workspace, &Options::default());
    let (inputs, found) = (&compilation.inputs, &compilation.diagnostics);
    let note = "the document is rendered from `web/templates/pod.yaml`";
    assert!(!found.is_empty());
    for finding in found {
        assert!(finding.details().notes.iter().any(|it| it.as_prose() == note), "{finding:?}");
    }
    let template = "web/templates/pod.yaml";
    let json = |text: String| serde_json::from_str::<Value>(&text).unwrap();
    let gitlab = json(Report::new(&workspace, inputs, found).render(ReportFormat::Gitlab));
    assert_eq!(gitlab[0]["location"]["path"], template);
    assert_eq!(gitlab[0]["location"]["lines"]["begin"], 1);
    let rdjson = json(Report::new(&workspace, &[], found).render(ReportFormat::Rdjson));
    let finding = &rdjson["diagnostics"][0];
    assert_eq!(finding["location"], serde_json::json!({"path": template}));
    assert!(finding.get("suggestions").is_none());
    let sarif = json(render_sarif(&workspace, inputs, found));
    let place = &sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], template);
    assert_eq!(place["region"]["startLine"], 1);
    let checkstyle = Report::new(&workspace, &[], found).render(ReportFormat::Checkstyle);
    assert!(checkstyle.contains("<file name=\"web/templates/pod.yaml\">"), "{checkstyle}");
    let github = render_github(&workspace, found);
    assert!(github.starts_with("::error file=web/templates/pod.yaml,title="), "{github}");
    assert!(github.contains("::<stdin>:3:1: "), "{github}");
}
