//! `fixtures/split/cases.md`: difficult streams, with their document boundaries according to YAML 1.2.

use std::fs;

use proptest::prelude::*;
use sandboxc::{Compilation, Options, PartContent, Workspace};

use crate::support::{found, inputs, root};

/// A row of `expected.tsv`.
struct Row {
    file: String,
    documents: String,
    parts: String,
    findings: String,
}

fn rows() -> Vec<Row> {
    let table = fs::read_to_string(root().join("fixtures/split/expected.tsv")).unwrap();
    let lines = table.lines().filter(|line| !line.starts_with('#')).skip(1);
    lines
        .map(|line| {
            let mut cells = line.split('\t').map(str::to_owned);
            let mut cell = || cells.next().unwrap();
            Row { file: cell(), documents: cell(), parts: cell(), findings: cell() }
        })
        .collect()
}

fn read(file: &str) -> (Workspace, sandboxc::FileId) {
    let mut workspace = Workspace::new();
    let name = format!("split/{file}");
    let (_, bytes) = inputs("split").into_iter().find(|it| it.0 == name).expect("a case");
    let id = workspace.add(file, bytes);
    (workspace, id)
}

#[test]
fn the_table_names_every_fixture() {
    let files: Vec<_> = inputs("split").into_iter().map(|it| it.0).collect();
    let named: Vec<_> = rows().into_iter().map(|row| format!("split/{}", row.file)).collect();
    assert_eq!(files, named);
}

#[test]
fn parts_match_the_table_and_join_to_the_input() {
    for row in rows() {
        let (workspace, file) = read(&row.file);
        let parts = sandboxc::split(&workspace, file).parts;
        let joined: String = parts.iter().map(|part| part.text).collect();
        assert_eq!(joined, workspace.file(file).text(), "{}", row.file);
        let shown: Vec<String> = parts
            .iter()
            .map(|part| {
                let kind = match part.content {
                    PartContent::Document => 'c',
                    PartContent::Empty => 'e',
                    PartContent::CommentOnly => '#',
                    _ => '-',
                };
                format!("{}{kind}", part.span.end)
            })
            .collect();
        assert_eq!(shown.join(" "), row.parts, "{}", row.file);
        if let Ok(count) = row.documents.trim_end_matches("+null").parse::<usize>() {
            let with_content = parts.iter().filter(|it| it.content == PartContent::Document);
            assert_eq!(with_content.count(), count, "{}", row.file);
        }
    }
}

#[test]
fn boundary_findings_match_the_table() {
    let rows = rows();
    let rules: Vec<&str> = rows
        .iter()
        .flat_map(|row| row.findings.split(','))
        .map(|finding| finding.split(' ').next().unwrap())
        .collect();
    let mut failures = Vec::new();
    for row in &rows {
        let (workspace, _) = read(&row.file);
        let compilation: Compilation = sandboxc::compile(&workspace, &Options::default());
        let mut found = found(&workspace, &compilation);
        found.retain(|finding| rules.contains(&finding.split(' ').next().unwrap()));
        let found = if found.is_empty() { "-".to_owned() } else { found.join(",") };
        if found != row.findings || (row.documents == "E" && !compilation.has_errors()) {
            failures.push(format!("{}: {found}, not {}", row.file, row.findings));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn ordinary_streams_are_silent() {
    let streams = [
        "# licence\n# second line\n---\na: 1\n---\nb: 2\n",
        "---\na: 1\n---\n",
        "a: 1\n---",
        "a: 1\n---\n# nothing here\n---\nb: 2\n",
        "a: |\n  x\n---\nb: |+\n  y\n\n",
        "a: 1\r\n---\r\nb: 2\r\n",
        "{\"a\": 1}\n---\n{\"b\": 2}\n",
        "\u{feff}a: 1\n--- # two\nb: é \u{2028} x\n",
        "# nothing\n",
        "",
    ];
    for stream in streams {
        let mut workspace = Workspace::new();
        let file = workspace.add("stream.yaml", stream);
        assert_eq!(sandboxc::split(&workspace, file).diagnostics.len(), 0, "{stream:?}");
    }
}

/// Pieces of generated streams that affect boundaries.
const PIECES: [&str; 44] = [
    "---",
    "...",
    "---\n",
    "...\n",
    "--- ",
    "---\t",
    "... ",
    "----",
    "---#",
    "--- #c",
    "\n",
    "\n",
    "\n",
    "\r\n",
    "\r",
    " ",
    "  ",
    "\t",
    "# c\n",
    "#",
    "%YAML 1.2\n",
    "%",
    "a: 1\n",
    "b: |\n",
    "  x\n",
    "- y\n",
    "\"",
    "'",
    "[",
    "]",
    "{a: 1}",
    ",",
    "null\n",
    "&x ",
    "*x",
    "!t ",
    "\u{feff}",
    "\u{85}",
    "\u{2028}",
    "\u{2029}",
    "\u{a0}",
    "é",
    ":",
    "foo",
];

fn stream() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(&PIECES[..]);
    prop::collection::vec(piece, 0..14).prop_map(|pieces| pieces.concat())
}

/// The documents of a text according to an independent YAML 1.2 parser: the events of each document
/// without positions. `None` if the parser rejects the text.
fn documents(text: &str) -> Option<Vec<Vec<String>>> {
    use saphyr_parser::Event;
    let mut documents: Vec<Vec<String>> = Vec::new();
    // Anchors are numbered per run of the parser.
    let (mut first_anchor, mut last_anchor) = (0, 0);
    for event in saphyr_parser::Parser::new_from_str(text) {
        let (event, _) = event.ok()?;
        let event = match event {
            Event::StreamStart | Event::StreamEnd | Event::DocumentEnd | Event::Nothing => continue,
            Event::DocumentStart(_) => {
                documents.push(Vec::new());
                first_anchor = last_anchor;
                continue;
            }
            // This parser allows aliases to anchors of other documents, which YAML forbids.
            Event::Alias(id) if id <= first_anchor => return None,
            Event::Alias(id) => format!("alias {}", id - first_anchor),
            Event::Scalar(text, style, id, tag) => {
                last_anchor = last_anchor.max(id);
                format!("{text:?} {style:?} {} {tag:?}", id.saturating_sub(first_anchor))
            }
            Event::SequenceStart(id, tag) => {
                last_anchor = last_anchor.max(id);
                format!("[ {} {tag:?}", id.saturating_sub(first_anchor))
            }
            Event::MappingStart(id, tag) => {
                last_anchor = last_anchor.max(id);
                format!("{{ {} {tag:?}", id.saturating_sub(first_anchor))
            }
            Event::SequenceEnd => "]".to_owned(),
            Event::MappingEnd => "}".to_owned(),
        };
        documents.last_mut()?.push(event);
    }
    Some(documents)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(4000) })]

    #[test]
    fn parts_join_to_the_input(stream in stream()) {
        let mut workspace = Workspace::new();
        let file = workspace.add("stream.yaml", stream.clone());
        let parts = sandboxc::split(&workspace, file).parts;
        let joined: String = parts.iter().map(|part| part.text).collect();
        prop_assert_eq!(joined, stream);
    }

    #[test]
    fn parts_contain_the_documents_of_the_whole(stream in stream()) {
        if let Some(whole) = documents(&stream) {
            let mut workspace = Workspace::new();
            let file = workspace.add("stream.yaml", stream.clone());
            let mut of_parts = Vec::new();
            for part in sandboxc::split(&workspace, file).parts {
                let documents = documents(part.text);
                prop_assert!(documents.is_some(), "part does not parse: {:?}", part.text);
                of_parts.extend(documents.unwrap());
            }
            prop_assert_eq!(of_parts, whole);
        }
    }
}

#[test]
fn repeated_findings_are_counted() {
    let mut workspace = Workspace::new();
    let file = workspace.add("stream.yaml", "a: 1\n--- x\n".repeat(100_000));
    let split = sandboxc::split(&workspace, file);
    assert_eq!(split.parts.len(), 100_001);
    assert_eq!(split.diagnostics.len(), 20);
    let notes = &split.diagnostics.last().unwrap().details().notes;
    assert_eq!(notes.last().unwrap(), "the file has 99980 more findings of this kind");
}
