//! Pages generated from the code: the list of rules, the command line, the example of a JSON
//! report, the picture of the README.

use std::collections::BTreeMap;
use std::env;
use std::fmt::Write as _;
use std::fs;
use std::process::{Command, Stdio};

use sandboxc::{
    Checked, KubernetesVersion, Options, Rule, Severity, Workspace, compile, crds, emit_stream,
    json_schema_text, render_json, rules,
};

use crate::picture;
use crate::site;
use crate::support::{binary, root};

#[path = "../../tools/yaml-test-suite/table.rs"]
mod yaml_cases;

const COMMAND: &str = "UPDATE_GENERATED=1 cargo test --test suite generated";

#[test]
fn generated_pages_are_fresh() {
    let mut pages = BTreeMap::from([("docs/rules/README.md".to_owned(), list_of_rules())]);
    pages.insert("docs/cli.md".to_owned(), between("docs/cli.md", &help()));
    pages.insert("docs/json-report.md".to_owned(), between("docs/json-report.md", &json_example()));
    pages
        .insert("schemas/definitions.json".to_owned(), json_schema_text(KubernetesVersion::NEWEST));
    pages.insert("docs/language.md".to_owned(), sandboxc::reference());
    pages.insert("docs/terminal.svg".to_owned(), picture::svg());
    pages.insert("site/rules.json".to_owned(), site::table_of_rules());
    pages.insert("docs/limits.md".to_owned(), sandboxc::limits());
    let verdicts = include_str!("../../fixtures/yaml-test-suite.tsv");
    pages.insert("docs/yaml.md".to_owned(), yaml_cases::page(verdicts).unwrap());
    for line in ["0.5", "1.0"] {
        let mut options = Options::default();
        options.set("agent-sandbox", "release", line).unwrap();
        let crds = emit_stream(&crds(&options, Some("agent-sandbox")));
        pages.insert(format!("schemas/crds/{line}.yaml"), crds);
    }
    if env::var_os("UPDATE_GENERATED").is_some() {
        fs::create_dir_all(root().join("schemas/crds")).unwrap();
        for (path, text) in pages {
            fs::write(root().join(path), text).unwrap();
        }
        return;
    }
    let mut differences = Vec::new();
    for (path, text) in pages {
        let found = fs::read_to_string(root().join(&path)).unwrap_or_default();
        if let Some(difference) = first_difference(&found, &text) {
            differences.push(format!("{path}{difference}"));
        }
    }
    assert!(differences.is_empty(), "\n{}\nrun: {COMMAND}", differences.join("\n"));
}

#[test]
fn each_rule_that_rejects_valid_yaml_has_a_reason() {
    for (rule, why) in yaml_cases::REASONS {
        assert!(rules::find(rule).is_some_and(|it| it.severity == Severity::Error), "{rule}");
        assert!(why.ends_with('.'), "{rule}: {why}");
    }
    let recorded = |case: &str| yaml_cases::page(case);
    assert!(recorded("A1\tvalid\tyaml-syntax\n").unwrap_err().contains("yaml-syntax"));
    assert!(recorded("A1\tvalid\n").is_err());
}

/// The list of all rules, with a sentence about each.
fn list_of_rules() -> String {
    let mut list = "# Rules\n\n\
        `sandboxc explain <rule>` prints the same pages.\n"
        .to_owned();
    for (severity, title) in [
        (Severity::Error, "Errors: the input cannot work"),
        (Severity::Warning, "Warnings: accepted, but surprising"),
        (Severity::Note, "Notes: worth knowing"),
    ] {
        let line = |rule: &Rule| format!("- [{0}]({0}.md): {1}\n", rule.name, rules::summary(rule));
        let of_severity = rules::all().into_iter().filter(|rule| rule.severity == severity);
        let lines: String = of_severity.map(line).collect();
        if !lines.is_empty() {
            let _ = write!(list, "\n## {title}\n\n{lines}");
        }
    }
    list
}

const BEGIN: &str = "<!-- generated: begin -->\n";
const END: &str = "<!-- generated: end -->\n";

/// Replaces the part of a page between its markers.
fn between(path: &str, text: &str) -> String {
    let page = fs::read_to_string(root().join(path)).expect("a page with markers");
    let (before, rest) = page.split_once(BEGIN).expect("a begin marker");
    let (_, after) = rest.split_once(END).expect("an end marker");
    format!("{before}{BEGIN}\n{text}\n{END}{after}")
}

/// The help of the program and of each command.
fn help() -> String {
    let main = help_of(&[]);
    let mut text = format!("## sandboxc\n\n```text\n{main}```\n");
    for verb in commands(&main) {
        let help = help_of(&[verb]);
        let _ = write!(text, "\n## sandboxc {verb}\n\n```text\n{}```\n", without_shared(&help));
        for below in commands(&help) {
            let help = without_shared(&help_of(&[verb, below]));
            let _ = write!(text, "\n## sandboxc {verb} {below}\n\n```text\n{help}```\n");
        }
    }
    let check = help_of(&["check"]);
    for heading in SHARED {
        let options = section(&check, heading).expect("`check` has all shared options");
        let _ = write!(text, "\n## {heading}\n\n```text\n{}```\n", options.trim_start());
    }
    text
}

/// The commands that a help lists.
fn commands(help: &str) -> impl Iterator<Item = &str> {
    let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let lines = lines.take_while(|line| !line.is_empty());
    // The description of a command can continue on lines that are indented further.
    let lines = lines.filter(|line| !line.starts_with("   "));
    lines.filter_map(|line| line.split_whitespace().next()).filter(|it| *it != "help")
}

/// The headings of the options that several commands have.
const SHARED: [&str; 3] = ["Project options", "Report options", "Global options"];

/// The options under a heading, up to the next one.
fn section<'h>(help: &'h str, heading: &str) -> Option<&'h str> {
    let (_, rest) = help.split_once(&format!("\n{heading}:\n"))?;
    let end = rest.match_indices("\n\n").find(|(at, _)| {
        let next = rest.get(at + 2..).unwrap_or("");
        next.starts_with(|it: char| !it.is_whitespace())
    });
    Some(rest.get(..end.map_or(rest.len(), |(at, _)| at + 1)).unwrap_or(rest))
}

/// The help of a command without the descriptions of shared options.
fn without_shared(help: &str) -> String {
    let mut text = help.to_owned();
    for heading in SHARED {
        if let Some(options) = section(help, heading) {
            text = text.replace(options, "  see below\n");
        }
    }
    text
}

fn help_of(verb: &[&str]) -> String {
    let output = Command::new(binary())
        .args(verb)
        .arg("--help")
        .env("COLUMNS", "100")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert!(output.status.success(), "{verb:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<_> = text.lines().map(str::trim_end).collect();
    lines.join("\n") + "\n"
}

/// A report as `docs/json-report.md` shows it.
fn json_example() -> String {
    let mut workspace = Workspace::new();
    workspace.add(
        "claims.yaml",
        "\
apiVersion: extensions.agents.x-k8s.io/v1beta1
kind: SandboxClaim
metadata: {name: alice}
spec: {warmPoolRef: {name: pyhton}}
",
    );
    let compilation = compile(&workspace, &Options::default());
    let mut checked = Checked::default();
    (checked.objects, checked.files) = (compilation.inputs.len(), 1);
    checked.kubernetes.push(KubernetesVersion::NEWEST.to_string());
    format!("```json\n{}```\n", render_json(&workspace, &compilation.diagnostics, Some(checked)))
}

/// The first line that differs: the actual and the expected one.
fn first_difference(found: &str, expected: &str) -> Option<String> {
    if found == expected {
        return None;
    }
    let (mut found, mut expected) = (found.lines(), expected.lines());
    for number in 1.. {
        match (found.next(), expected.next()) {
            (None, None) => break,
            (a, b) if a == b => {}
            (a, b) => {
                let (a, b) = (a.unwrap_or("(end)"), b.unwrap_or("(end)"));
                return Some(format!(":{number}\n  is        {a}\n  should be {b}"));
            }
        }
    }
    Some(": the line breaks differ".to_owned())
}
