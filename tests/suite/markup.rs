//! Nothing that an input says is markup: hostile text in each place of an input, through each format, read
//! by a reader of that format.

mod editor;
mod hostile;
mod program;
mod readers;

use std::fmt::Write as _;
use std::sync::LazyLock;

use proptest::prelude::*;
use rayon::prelude::*;
use regex::Regex;
use sandboxc::markup::{pretty_json, printable, visible, visible_line};
use sandboxc::{
    Annotations, Compilation, DiffSide, Graph, Paint, Purpose, Report, ReportFormat, Workspace,
    compile, diff, emit_list, emit_stream, explanations_to_json, render_diff_github,
    render_diff_human, render_diff_json, render_diff_markdown, render_github, render_github_step,
    render_human, why_all,
};
use serde::Deserialize as _;
use serde_json::{Value, json};

use crate::support::{portion, sampled};
use hostile::{Input, NASTY, PLACES, hostile, input};
use readers::{
    assert_inert, assert_no_commands, assert_without_references, commands_in, dot_labels, elements,
    mermaid_labels, page,
};

/// Asserts that a text at a place is text in all formats. Returns the number of findings.
fn assert_text(place: usize, text: &str) -> usize {
    let Input { workspace, options } = input(place, text);
    let compilation = compile(&workspace, &options);
    check_findings(&workspace, &compilation);
    check_pictures(&compilation);
    check_objects(&workspace, &compilation, &options);
    compilation.diagnostics.len()
}

fn check_findings(workspace: &Workspace, compilation: &Compilation) {
    let Compilation { inputs, diagnostics, .. } = compilation;
    assert_inert("human", &printable(&render_human(workspace, diagnostics, Paint::Plain), false));
    check_commands(&render_github(workspace, diagnostics), diagnostics.len());
    check_commands(&render_github_step(workspace, diagnostics).text, diagnostics.len());
    let report = Report::new(workspace, inputs, diagnostics);
    for format in ReportFormat::ALL.iter().filter(|format| format.is_for_programs()) {
        let text = report.render(*format);
        assert_inert(format.name(), &text);
        if text.starts_with(['{', '[']) {
            serde_json::from_str::<Value>(&text).unwrap();
        }
    }
    let comments: Value = serde_json::from_str(&report.render(ReportFormat::Rdjson)).unwrap();
    for comment in comments["diagnostics"].as_array().unwrap() {
        let comment = page(comment["message"].as_str().unwrap());
        assert_eq!(comment.blocks, ["1 paragraph"]);
        assert_without_references(&comment);
    }
    check_xml(&report);
    check_tap(&report.render(ReportFormat::Tap));
    let summary = report.render(ReportFormat::GithubSummary);
    assert_inert("summary", &summary);
    let summary = page(&summary);
    assert_without_references(&summary);
    let cells = |it: &[String], name: &str| it.iter().filter(|it| it.ends_with(name)).count();
    assert_eq!(cells(&summary.blocks, "cell"), 4 * cells(&summary.blocks, "row"));
    if !diagnostics.is_empty() {
        assert_eq!(summary.blocks[..3], ["1 heading", "1 paragraph", "1 table"]);
    }
}

/// Asserts that each line is an annotation.
fn check_commands(text: &str, most: usize) {
    let commands = commands_in(text);
    assert_eq!(commands.len(), text.lines().count(), "{text}");
    assert!(commands.len() <= most.max(1), "{text}");
    for command in commands {
        assert!(["error", "warning", "notice"].contains(&&*command.name), "{text}");
        let known = ["file", "line", "col", "endColumn", "title"];
        assert!(command.properties.keys().all(|it| known.contains(&it.as_str())), "{text}");
        assert_eq!(visible(&command.data), command.data, "{text}");
    }
}

fn check_xml(report: &Report<'_>) {
    let Report { workspace, diagnostics, .. } = report;
    let checkstyle = report.render(ReportFormat::Checkstyle);
    let mut found = elements(&checkstyle);
    assert_eq!(found.remove(0), "checkstyle version");
    let errors = found.iter().filter(|it| *it == "error line column severity message source");
    let files = found.iter().filter(|it| *it == "file name");
    assert_eq!(errors.count(), diagnostics.len());
    assert_eq!(files.count() + diagnostics.len(), found.len());
    let junit = report.render(ReportFormat::Junit);
    let known = [
        "testsuites name tests failures errors",
        "testsuite name tests failures errors skipped",
        "testcase name classname file line",
        "failure type message",
        "system-out ",
    ];
    assert!(elements(&junit).iter().all(|it| known.contains(&it.as_str())), "{junit}");
    let file = workspace.file(workspace.ids().next().unwrap()).name();
    let document = roxmltree::Document::parse(&junit).unwrap();
    let suite = document.root_element().first_element_child().unwrap();
    assert_eq!(suite.attribute("name"), Some(&*visible(file)));
}

fn check_tap(tap: &str) {
    static LINE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(
        r#"^(TAP version 14|1\.\.\d+|(not )?ok \d+ - ([^#\\]|\\.)*|  ---|  findings:|  - rule: ".*"|    (severity|at|message): ".*"|  \.\.\.)$"#,
    ).unwrap()
    });
    assert!(tap.lines().all(|it| LINE.is_match(it)), "{tap}");
}

fn check_pictures(compilation: &Compilation) {
    let graph = Graph::of(compilation).unwrap();
    let (dot, mermaid, svg) = (graph.to_dot(), graph.to_mermaid(), graph.to_svg().unwrap());
    for picture in [&dot, &mermaid, &svg] {
        assert_inert("picture", picture);
    }
    let shown = |names: Vec<String>| {
        for object in &compilation.objects {
            let name = visible_line(object.name()).into_owned();
            let is_it = |it: &String| it == &name || it.lines().any(|it| it == name);
            assert!(name.is_empty() || names.iter().any(is_it), "{name} {names:?}");
        }
    };
    shown(dot_labels(&dot));
    shown(mermaid_labels(&mermaid));
    let known = ["svg", "style", "rect", "text", "g", "title", "path"];
    for element in elements(&svg) {
        assert!(known.contains(&element.split(' ').next().unwrap()), "{element}");
    }
}

fn check_objects(workspace: &Workspace, compilation: &Compilation, options: &sandboxc::Options) {
    let objects = &compilation.objects;
    let expected = documents(&emit_stream(objects));
    assert_no_commands("stream", &emit_stream(objects));
    assert_inert("list", &emit_list(objects));
    let annotations = Annotations::new(workspace, compilation);
    let mut annotated = Vec::new();
    annotations.write_stream(objects, &mut annotated).unwrap();
    let annotated = String::from_utf8(annotated).unwrap();
    assert_no_commands("annotated", &annotated);
    assert_eq!(documents(&annotated), expected, "{annotated}");
    for object in objects {
        if let Ok(explained) = annotations.explain_object(options, object) {
            assert_no_commands("explained", &explained);
        }
        if let Ok(all) = why_all(workspace, options, compilation, object) {
            let rendered: String = all.iter().map(sandboxc::Explanation::render).collect();
            assert_inert("why", &printable(&rendered, false));
            assert_inert("why as JSON", &explanations_to_json(&all));
        }
    }
}

/// The documents of a stream, as libyaml reads them.
fn documents(stream: &str) -> Vec<serde_yaml::Value> {
    let documents = serde_yaml::Deserializer::from_str(stream);
    documents.map(|it| serde_yaml::Value::deserialize(it).unwrap()).collect()
}

#[test]
fn nasty_text_is_text_in_each_place_and_format() {
    let cases = NASTY.iter().flat_map(|text| (0..PLACES).map(move |place| (text, place)));
    // The next text is at the next place.
    let cases = sampled(cases, PLACES + 1);
    let findings: usize = cases.par_iter().map(|(text, place)| assert_text(*place, text)).sum();
    assert!(findings > cases.len() / 2, "{findings}");
}

#[test]
fn nasty_text_is_text_in_a_difference() {
    sampled(NASTY, 4).par_iter().for_each(|text| check_difference(text));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(random(64)) })]

    #[test]
    fn text_is_text_in_each_place_and_format(place in 0..PLACES, text in hostile()) {
        assert_text(place, &text);
    }

    #[test]
    fn text_is_text_in_a_difference(text in hostile()) {
        check_difference(&text);
    }
}

/// A number of random texts, or a part of it by default.
fn random(number: usize) -> u32 {
    u32::try_from(portion(number, 8)).unwrap()
}

/// Asserts that a text is text in all formats of `diff`: as the name of a Role, in the file's name, and as
/// keys and values.
fn check_difference(text: &str) {
    let sides = [("old", false), ("new", true)].map(|(side, is_new)| {
        let mut lines = format!("one\n{text}\nthree\nfour\n");
        let _ = write!(lines, "{text}{side}\n  {text}\nseven\n");
        let map = json!({
            "apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "web"},
            "data": {"lines": lines, "text": if is_new { text } else { "" }},
        });
        let role = |name: &str, verb: &str| {
            json!({
                "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole",
                "metadata": {"name": name},
                "rules": [{"apiGroups": [""], "resources": [text], "verbs": [verb]}],
            })
        };
        let mut documents = vec![map, role(&format!("role-{text}"), side)];
        documents.extend(is_new.then(|| role(text, side)));
        let documents: Vec<_> = documents.iter().map(pretty_json).collect();
        let mut workspace = Workspace::new();
        workspace.add(format!("{text}.yaml"), documents.join("---\n"));
        workspace
    });
    let mut options = sandboxc::Options::default();
    options.purpose = Purpose::Compare;
    let compiled = sides.each_ref().map(|it| compile(it, &options));
    let [old, new] = [0, 1].map(|it| DiffSide::new(&sides[it], &compiled[it]).labeled("HEAD:"));
    let found = diff(&old, &new);
    assert!(!found.objects.is_empty(), "{text:?}");
    for is_summary in [false, true] {
        let human = render_diff_human(&found, is_summary, Paint::Plain);
        assert_inert("diff", &printable(&human, false));
        assert_inert("diff as JSON", &render_diff_json(&found, is_summary));
        check_commands(&render_diff_github(&found, is_summary), found.objects.len());
        let markdown = render_diff_markdown(&found, is_summary);
        assert_inert("diff as Markdown", &markdown);
        let page = page(&markdown);
        assert_without_references(&page);
        let count = |name: &str| page.blocks.iter().filter(|it| it.ends_with(name)).count();
        assert_eq!(page.blocks[..2], ["1 heading", "1 table"], "{markdown}");
        assert_eq!(count("row"), 1 + found.objects.len(), "{markdown}");
        assert!(count("cell") == 3 * count("row") || count("cell") == 4 * count("row"));
        assert_eq!(count("html"), 2 * count("code"), "{markdown}");
    }
}
