//! Reports for CI servers: checked against their schemas and the behavior of their consumers.

use std::collections::BTreeSet;
use std::fs;

use sandboxc::{
    Compilation, Diagnostic, FileId, Options, Rule, Severity, Span, Workspace, compile,
    render_github, render_junit, render_sarif,
};
use sandboxc_syntax::message::message;
use serde_json::Value;

use crate::support::{Compiled, diag, find, root, snapshot};

static RULE: &Rule = &Rule::new("yaml-syntax", Severity::Error);
static SURPRISE: &Rule = &Rule::new("typographic-quotes", Severity::Warning);

const OBJECT: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web, namespace: shop}\n";

fn sarif(workspace: &Workspace, compilation: &Compilation) -> Value {
    let text = render_sarif(workspace, &compilation.inputs, &compilation.diagnostics);
    serde_json::from_str(&text).unwrap()
}

fn junit(workspace: &Workspace, compilation: &Compilation, fails: Severity) -> String {
    render_junit(workspace, &compilation.inputs, &compilation.diagnostics, fails)
}

/// One finding of each rule of the sample.
pub(crate) fn fixtures_with_findings() -> impl Iterator<Item = &'static Compiled> {
    let mut rules = BTreeSet::new();
    diag().iter().filter(move |compiled| {
        let (rule, file) = compiled.fixture.name.rsplit_once('/').unwrap();
        file.starts_with("err_") && rules.insert(rule)
    })
}

/// A file with two objects, and the findings of a test.
pub(crate) fn two_objects(
    findings: impl Fn(&Workspace, FileId) -> Vec<Diagnostic>,
) -> (Workspace, Compilation) {
    let mut workspace = Workspace::new();
    let text = format!("{OBJECT}data: {{key: \"😀 é\"}}\n---\n{OBJECT}data: {{a: b}}\n");
    let file = workspace.add("dir/a b,c:100%.yaml", text);
    let mut compilation = compile(&workspace, &Options::default());
    compilation.diagnostics = findings(&workspace, file);
    (workspace, compilation)
}

pub(crate) fn every_part(workspace: &Workspace, file: FileId) -> Vec<Diagnostic> {
    let key = find(workspace, file, "key");
    let value = find(workspace, file, "\"😀 é\"");
    vec![
        Diagnostic::new(RULE, value, "`{x}` is 100% [wrong]")
            .at("not <right> & not\n\"left\"")
            .path(&"data.key")
            .label(key, "for this key")
            .label(find(workspace, file, "apiVersion"), "")
            .note("it is so")
            .help("do this")
            .suggest(value, "right", "write `right`")
            .suggest(key.start_point(), "new: 1, ", "add a key"),
        Diagnostic::new(SURPRISE, key, "a key is surprising"),
    ]
}

#[test]
fn sarif_of_every_fixture_is_valid() {
    let schema = fs::read(root().join("fixtures/reports/sarif-schema-2.1.0.json")).unwrap();
    let mut schema: Value = serde_json::from_slice(&schema).unwrap();
    // The published pattern for a language has an extra bracket. Our logs do not set a language.
    for object in ["run", "toolComponent"] {
        let language = &mut schema["definitions"][object]["properties"]["language"];
        language.as_object_mut().unwrap().remove("pattern").unwrap();
    }
    let options = jsonschema::draft7::options().should_validate_formats(true);
    let validator = options.build(&schema).unwrap();
    let complaints = |log: &Value| -> Vec<String> {
        validator.iter_errors(log).map(|it| format!("{}: {it}", it.instance_path())).collect()
    };
    for Compiled { fixture, workspace, compilation } in fixtures_with_findings() {
        let log = sarif(workspace, compilation);
        assert_eq!(complaints(&log), [""; 0], "{}", fixture.name);
        let count = log["runs"][0]["results"].as_array().unwrap().len();
        assert_eq!(count, compilation.diagnostics.len());
    }
    let (workspace, compilation) = two_objects(every_part);
    let mut log = sarif(&workspace, &compilation);
    assert_eq!(complaints(&log), [""; 0]);
    log["runs"][0]["results"][0]["level"] = "fatal".into();
    log["runs"][0]["results"][1]["locations"][0]["region"] = "here".into();
    assert_eq!(complaints(&log).len(), 2, "a wrong log is noticed");
}

/// The text of a SARIF region, as a viewer that counts UTF-16 code units shows it.
fn region(text: &str, region: &Value) -> String {
    let number = |key: &str| usize::try_from(region[key].as_u64().unwrap()).unwrap();
    let lines: Vec<Vec<u16>> =
        text.split_inclusive('\n').map(|line| line.encode_utf16().collect()).collect();
    let offset = |line: &str, column: &str| {
        let before: usize = lines[..number(line) - 1].iter().map(Vec::len).sum();
        before + number(column) - 1
    };
    let all: Vec<u16> = lines.concat();
    let range = offset("startLine", "startColumn")..offset("endLine", "endColumn");
    String::from_utf16(&all[range]).unwrap()
}

#[test]
fn sarif_regions_count_code_units_of_utf16() {
    let mut workspace = Workspace::new();
    let text = "a: 😀😀 é x # y\r\nb: [😀,\n 日, z]\n";
    let file = workspace.add("a.yaml", text);
    let marks = ["é", "x", "y", "b", "[😀,\n 日", "z]\n", "😀"];
    let diagnostics: Vec<_> =
        marks.iter().map(|it| Diagnostic::new(RULE, find(&workspace, file, it), "x")).collect();
    let log: Value = serde_json::from_str(&render_sarif(&workspace, &[], &diagnostics)).unwrap();
    let results = log["runs"][0]["results"].as_array().unwrap();
    let place = |it: &Value| region(text, &it["locations"][0]["physicalLocation"]["region"]);
    assert_eq!(results.iter().map(place).collect::<Vec<_>>(), marks);
    assert_eq!(log["runs"][0]["columnKind"], "utf16CodeUnits");
}

#[test]
fn sarif_names_files_as_uris() {
    let uri = |name: &str| {
        let mut workspace = Workspace::new();
        let file = workspace.add(name, "a: 1\n");
        let found = Diagnostic::new(RULE, find(&workspace, file, "1"), "x");
        let log: Value = serde_json::from_str(&render_sarif(&workspace, &[], &[found])).unwrap();
        let result = &log["runs"][0]["results"][0];
        let artifact = &result["locations"][0]["physicalLocation"]["artifactLocation"];
        let base = artifact.get("uriBaseId").map_or("", |it| it.as_str().unwrap());
        format!("{base} {}", artifact["uri"].as_str().unwrap())
    };
    assert_eq!(uri("dir/a.yaml"), "%SRCROOT% dir/a.yaml");
    assert_eq!(uri("a b/c:d#é%.yaml"), "%SRCROOT% a%20b/c%3Ad%23%C3%A9%25.yaml");
    assert_eq!(uri("/srv/a.yaml"), " file:///srv/a.yaml");
    assert_eq!(uri("<stdin>"), " stdin");
}

#[test]
fn sarif_fingerprints_do_not_depend_on_line_numbers() {
    let pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: []}\nimage: x\n";
    let fingerprints = |text: &str| -> Vec<String> {
        let mut workspace = Workspace::new();
        workspace.add("a.yaml", text);
        let log = sarif(&workspace, &compile(&workspace, &Options::default()));
        let results = log["runs"][0]["results"].as_array().unwrap();
        let of = |it: &Value| it["partialFingerprints"]["finding/v1"].as_str().unwrap().to_owned();
        results.iter().map(of).collect()
    };
    let before = fingerprints(pod);
    assert!(before.len() > 1, "{before:?}");
    assert_eq!(fingerprints(&format!("# new\n\n{OBJECT}---\n{pod}")), before);
    let twice = fingerprints(&format!("{pod}---\n{pod}"));
    let different: BTreeSet<_> = twice.iter().collect();
    assert_eq!(different.len(), twice.len(), "{twice:?}");
    assert_ne!(fingerprints(&pod.replace("name: a", "name: b")), before);
}

#[test]
fn a_github_command_marks_one_line() {
    let mut workspace = Workspace::new();
    let file = workspace.add("a.yaml", "spec:\n  a: 1\n  b: 2\n");
    let stdin = workspace.add("<stdin>", "a: 1\n");
    let found = |span: Span| Diagnostic::new(SURPRISE, span, "x");
    let commands = [
        (Span::new(file, 8, 20), "file=a.yaml,line=2,col=3,endColumn=7,"),
        (Span::new(file, 5, 6), "file=a.yaml,line=1,col=6,"),
        (Span::new(file, 8, 8), "file=a.yaml,line=2,col=3,"),
    ];
    for (span, expected) in commands {
        let text = render_github(&workspace, &[found(span)]);
        assert_eq!(text, format!("::warning {expected}title=typographic-quotes::x\n"));
    }
    let text = render_github(&workspace, &[found(Span::new(stdin, 3, 4))]);
    assert_eq!(text, "::warning title=typographic-quotes::<stdin>:1:4: x\n");
}

#[test]
fn one_faulty_line_in_many_objects_is_one_annotation() {
    let mut workspace = Workspace::new();
    let file = workspace.add("a.yaml", "a: 1\n");
    let finding = |number: usize| {
        Diagnostic::new(RULE, find(&workspace, file, "1"), message!("`a-{number}` is taken"))
    };
    let found: Vec<_> = (0..100).map(finding).collect();
    let text = render_github(&workspace, &found);
    assert_eq!(text.lines().count(), 1);
    assert!(text.ends_with("::`a-0` is taken%0Aand 99 more of this kind at the same location\n"));
}

#[test]
fn junit_has_a_suite_per_file_and_a_case_per_object() {
    let (mut workspace, mut compilation) = two_objects(every_part);
    let torn = workspace.add("torn.yaml", "a: [\n");
    let (start, end) = (Span::new(torn, 0, 1), Span::new(torn, 3, 4));
    compilation.diagnostics.push(Diagnostic::new(SURPRISE, start, "it is odd"));
    compilation.diagnostics.push(Diagnostic::new(RULE, end, "it is open"));
    compilation.diagnostics.push(Diagnostic::new(RULE, end, "it stays open"));
    snapshot("formats__junit", &junit(&workspace, &compilation, Severity::Error));
}

#[test]
fn junit_of_every_fixture_is_well_formed_xml() {
    for Compiled { fixture, workspace, compilation } in fixtures_with_findings() {
        for fails in [Severity::Error, Severity::Warning] {
            let text = junit(workspace, compilation, fails);
            let document = roxmltree::Document::parse(&text).expect(&fixture.name);
            let count =
                |tag: &str| document.descendants().filter(|it| it.has_tag_name(tag)).count();
            let root = document.root_element();
            let told = |key: &str| root.attribute(key).unwrap().parse::<usize>().unwrap();
            assert_eq!((told("tests"), told("failures")), (count("testcase"), count("failure")));
            let cases = document.descendants().filter(|it| it.has_tag_name("testcase"));
            let names: Vec<_> =
                cases.map(|it| (it.attribute("classname"), it.attribute("name"))).collect();
            let different: BTreeSet<_> = names.iter().collect();
            assert_eq!(different.len(), names.len(), "{}: {names:?}", fixture.name);
            let fails_run = compilation.diagnostics.iter().any(|it| it.severity <= fails);
            assert_eq!(fails_run, told("failures") > 0, "{}", fixture.name);
        }
    }
}

#[test]
fn junit_replaces_characters_that_xml_forbids() {
    let mut workspace = Workspace::new();
    let text = "a: \"\u{1}\u{b}]]>\u{fffe}<b c='d'>\"\n";
    let file = workspace.add("a\u{1}\"<&>\t\n.yaml", text);
    let found = Diagnostic::new(RULE, find(&workspace, file, "<b"), "\u{1}\"<&>\u{ffff}");
    let text = render_junit(&workspace, &[], &[found], Severity::Error);
    let document = roxmltree::Document::parse(&text).unwrap();
    let failure = document.descendants().find(|it| it.has_tag_name("failure")).unwrap();
    assert_eq!(failure.attribute("message"), Some("␁\"<&>\u{fffd}"));
    assert!(failure.text().unwrap().contains("a: \"␁␋]]>\u{fffd}<b c='d'>\""));
    let suite = document.descendants().find(|it| it.has_tag_name("testsuite")).unwrap();
    assert_eq!(suite.attribute("name"), Some("a␁\"<&>\t\n.yaml"));
}
