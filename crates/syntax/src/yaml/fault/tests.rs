//! Common mistakes: the rule, the span, and the repair by the suggestion.

use crate::diag::{Diagnostic, Sink};
use crate::source::Workspace;
use crate::yaml;
use crate::yaml::mutations::{Random, fixture_texts};

/// Documents with a mistake, and their findings.
const MISTAKES: &[(&str, &[&str])] = &[
    ("spec:\n\timage: x\n", &["tab-indentation 2:1"]),
    ("spec:\n  args:\n\t- x\n", &["tab-indentation 3:1"]),
    ("spec:\n  image python\n  name: x\n", &["missing-colon 2:3"]),
    ("apiVersion v1\nkind: Pod\n", &["missing-colon 1:1"]),
    ("kind: Pod\nname x\n", &["missing-colon 2:1"]),
    ("kind: Pod\nname x\nspec:\n  a: b\n", &["missing-colon 2:1"]),
    ("metadata\n  name: x\n", &["missing-colon 1:1"]),
    ("kind: Pod\nmetadata\n  name: x\n", &["missing-colon 2:1"]),
    ("spec:\n  image:python\n  name: x\n", &["missing-space-after-colon 2:8"]),
    ("kind: Pod\nname:x\nspec: {}\n", &["missing-space-after-colon 2:5"]),
    ("spec:\n  image python:3\n  name: x\n", &["missing-colon 2:3"]),
    ("kind:Pod\nname: x\n", &["missing-space-after-colon 1:5"]),
    ("kind: Pod\nname:x\n", &["missing-space-after-colon 2:5"]),
    ("spec:\n  image: x\n    name: y\n", &["wrong-indentation 3:5"]),
    ("spec:\n    image: x\n  name: y\n", &["wrong-indentation 2:5"]),
    ("spec:\n  image: x\n   name: y\n", &["wrong-indentation 3:4"]),
    ("a:\n  spec:\n    image: x\n   name: y\n", &["wrong-indentation 4:4"]),
    ("image: x\n  tag: y\n", &["wrong-indentation 2:3"]),
    ("args:\n  - a\n - b\n", &["wrong-indentation 3:2"]),
    ("args:\n  a: b\n  - c\n", &["list-and-map-mixed 2:3"]),
    ("args:\n  a: b\n  c: d\n  - e\n", &["list-and-map-mixed 4:3"]),
    ("args:\n  - c\n  a: b\n", &["wrong-indentation 3:3"]),
    ("a:\n  - b: c\n  d: e\n  f: g\n", &["list-and-map-mixed 2:3"]),
    ("a:\n  b: c\n  - d: e\n    f: g\n  - h: i\n", &["list-and-map-mixed 2:3"]),
    ("a:\n  - b\n- c\n- d\n", &["wrong-indentation 2:3"]),
    ("a:\n  b: c\nd:\n  - e: f\n    x: y\n  g:\n    h: i\n  j: k\n", &["wrong-indentation 3:1"]),
    ("env:\n  name: a\n    value: b\n  - name: c\n", &["list-and-map-mixed 2:3"]),
    ("a:\n-path: b\n- path: c\n", &["missing-space-after-dash 2:1"]),
    ("a: b: c, d: e}\nf: g\n", &["unmatched-bracket 1:14"]),
    ("a:{b: \"c\"}\nd: e\n", &["missing-space-after-colon 1:2"]),
    ("a:{b: c}\nd: e\n", &["missing-space-after-colon 1:2"]),
    ("a: {b:c, d: e}\n", &["missing-space-after-colon 1:6"]),
    ("a: b\nc; d\n", &["missing-colon 2:1"]),
    ("a: \"x\nb: y\nc: z\n", &["unclosed-quote 1:4"]),
    ("a: 'x\nb: y\n", &["unclosed-quote 1:4"]),
    ("a: \"x\nb: \"y\"\nc: z\n", &["unclosed-quote 1:4"]),
    ("a: 'it's'\nb: c\n", &["text-after-quote 1:8"]),
    ("a: \"say \"hi\"\"\n", &["text-after-quote 1:10"]),
    ("a: [x, y\nb: z\n", &["unclosed-bracket 1:4"]),
    ("a: [x, y\nb: [z]\n", &["unclosed-bracket 1:4"]),
    ("a: {x: y\nb: z\n", &["unclosed-bracket 1:4"]),
    ("a: {x: {w: z}\nb: c\nd:\n  - e\n", &["unclosed-bracket 1:4"]),
    ("a: [x, y}\n", &["unmatched-bracket 1:9"]),
    ("a: [x, y]]\n", &["unmatched-bracket 1:10"]),
    ("a: b: c\n", &["unquoted-colon 1:5"]),
    ("msg: error: not found\nb: c\n", &["unquoted-colon 1:11"]),
    ("- a: b: c\n", &["unquoted-colon 1:7"]),
    ("a: note: x\n", &["unquoted-colon 1:8"]),
    ("a: @x\n", &["reserved-character 1:4"]),
    ("a: `x`\n", &["reserved-character 1:4"]),
    ("a: %x\n", &["reserved-character 1:4"]),
    ("- @x\n", &["reserved-character 1:3"]),
    ("a: \"x\" y\n", &["text-after-quote 1:8"]),
    ("a: 'x' y\nb: c\n", &["text-after-quote 1:8"]),
    ("image: {{ x }}\nb: c\n", &["template-not-quoted 1:8"]),
    ("image: {{ x }}:{{ y }}\nb: c\n", &["template-not-quoted 1:8"]),
    ("image: {{ x }}-foo\n", &["template-not-quoted 1:8"]),
    ("- {{ x }}\n", &["template-not-quoted 1:3"]),
    ("name: {{ .Values.name }}\n", &["template-not-quoted 1:7"]),
    ("a: {{ include \"x\" . | quote }}\n", &["template-not-quoted 1:4"]),
    ("{{ x }}: y\n", &["template-not-quoted 1:1"]),
    ("{% if x %}\na: b\n{% endif %}\n", &["template-not-quoted 1:1"]),
    ("{name: {{ x }}, b: c}\n", &["template-not-quoted 1:8"]),
    ("args:\n  -a\n  -b\n", &["missing-space-after-dash 2:3"]),
    ("args:\n  - a\n  -b\n", &["missing-space-after-dash 3:3"]),
    ("args:\n  -name: b\n   x: y\n", &["missing-space-after-dash 2:3"]),
    ("args: - a\n", &["dash-after-key 1:7"]),
    ("args: - a\n  - b\n", &["dash-after-key 1:7"]),
    ("cmd: & x\n", &["reserved-character 1:6"]),
    ("a: | x\n  y\n", &["reserved-character 1:6"]),
    ("a: |\nb\nc: d\n", &["wrong-indentation 2:1"]),
    ("a: |\n    x\n  y\nb: c\n", &["wrong-indentation 3:3"]),
    ("a: > 5\n", &["reserved-character 1:4"]),
    ("version: >=1.2\n", &["reserved-character 1:10"]),
    ("a: \"C:\\path\"\n", &["unknown-escape 1:7"]),
    ("a: \"\\d+\"\n", &["unknown-escape 1:5"]),
    ("a: [x y, z: w\n", &["unclosed-bracket 1:4"]),
    ("a: {x: 1 w: 2}\n", &["missing-comma 1:9"]),
    ("a: [\"x\" \"y\"]\n", &["missing-comma 1:8"]),
    ("a: [\n  \"x\"\n  \"y\"\n]\n", &["missing-comma 2:6"]),
    ("a: {\n  \"x\": 1\n  \"y\": 2\n}\n", &["missing-comma 2:9"]),
    ("{\"a\" 1}\n", &["missing-colon 1:2"]),
    ("{\"a\": 1},\n", &["yaml-syntax 1:9"]),
    ("{\"a\":1}\n{\"b\":2}\n", &["json-values-in-a-row 2:1"]),
    ("a = b\nc: d\n", &["missing-colon 1:1"]),
    ("env:\n  - name:x\n    value: y\n", &["missing-space-after-colon 2:9"]),
    ("a: b\r\nc\r\nd: e\r\n", &["missing-colon 2:1"]),
    ("\"a\" b\nc: d\n", &["missing-colon 1:1"]),
    ("spec: x\n  image: y\n", &["wrong-indentation 2:3"]),
    ("a: \"x\",\nb: \"y\"\n", &["text-after-quote 1:7"]),
    ("a:\n  b: one # two\n    three\n  c: d\n", &["yaml-syntax 3:5"]),
    ("apiVersion #1\nkind: x\n", &["missing-colon 1:1"]),
    ("a: b\nc：d\n", &["missing-space-after-colon 2:2"]),
    ("a:\n\u{a0}\u{a0}b: c\n", &["invisible-space 2:1"]),
    ("a:\n- b: c\n \u{a0}d: e\n", &["invisible-space 3:2"]),
    ("a:\n- {b: c, d: {e: f}\n- {b: g}\nh: i\n", &["unclosed-bracket 2:3"]),
    ("{\n  \"a\": {\"b\": 1,\n  \"c\": {\"d\": 2}\n}\n", &["unclosed-bracket 2:8"]),
    ("a:\n  b.sh:|\n    #!/bin/sh\n    echo c: d\n  e: f\n", &["missing-space-after-colon 2:7"]),
    ("a:\n  b.sh:|\n    echo c\n", &["missing-space-after-colon 2:7"]),
    ("a:\n  b:>-\n    c: d\n    e: f\n", &["missing-space-after-colon 2:4"]),
    ("a: {b}.16\nc: d\n", &["yaml-syntax 1:7"]),
    ("a:\n- b: c\nd: e\n  f: g\n", &["wrong-indentation 3:1"]),
    ("a:\n b: c\n  d:\n    e: f\n", &["wrong-indentation 2:2"]),
    ("a:\n  b:\n   - c: d\n    e: f\n", &["wrong-indentation 3:4"]),
    ("a:\n  b:\n    c:\n\td: e\n      f: g\n    h: i\n", &["tab-indentation 4:1"]),
    ("a:\n\u{a0} b:\n    c: d\n  e: f\n", &["invisible-space 2:1"]),
    ("a:\n  -b:\n      c: d\n    e: f\n", &["missing-space-after-dash 2:3"]),
    ("a: {b}/c:{d}\ne: f\n", &["yaml-syntax 1:7"]),
    ("a: “x: y”\n", &["unquoted-colon 1:6"]),
    ("  a: b\nc: d\n", &["wrong-indentation 1:3"]),
    ("a: b\nc: \"x\n", &["unclosed-quote 2:4"]),
    ("a:\n  - [x\n", &["unclosed-bracket 2:5"]),
    ("+kind: Pod\n+a:\n+  b: c\n", &["pasted-text 1:1"]),
    ("1 apiVersion: v1\n2 a:\n3   b: c\n", &["pasted-text 1:1"]),
    ("  9 | kind: Pod\n 10 | a:\n 11 |   b: c\n", &["document-indented 1:1", "pasted-text 1:3"]),
    ("1: kind: Pod\n2: a:\n3:   b: c\n", &["pasted-text 1:1"]),
    ("1\tkind: Pod\n2\ta:\n3\t  b: c\n", &["pasted-text 1:1"]),
    (" a:\n-  b: c\n+  b: d\n", &["pasted-text 1:2"]),
    ("~~~\na: b\n~~~\n", &["pasted-text 1:1"]),
    ("$ kubectl get pods -o yaml\na: b\n", &["pasted-text 1:1"]),
    ("me@here:~$ cat a.yaml\na: b\n", &["pasted-text 1:1"]),
    ("a:\n  - b\n  c\n  - d\n", &["list-and-map-mixed 3:3"]),
    ("a: {b: c: d}}\n", &["unmatched-bracket 1:12"]),
    ("a: &b &c d\n", &["yaml-syntax 1:7"]),
    ("a:\n  ...\n  b: c\n", &["pasted-text 2:3"]),
    (
        "a: b: c\nd: e: f\ng: @h\n",
        &["unquoted-colon 1:5", "unquoted-colon 2:5", "reserved-character 3:4"],
    ),
];

/// Mistakes with several possible repairs, so that none is suggested as a change.
const WITHOUT_CHANGE: &[&str] = &[
    " a:\n-  b: c\n+  b: d\n",
    "args:\n  a: b\n  c: d\n  - e\n",
    "{% if x %}\na: b\n{% endif %}\n",
    "a: | x\n  y\n",
    "a:\n  b: one # two\n    three\n  c: d\n",
];

fn findings(text: &str) -> (Workspace, Vec<Diagnostic>) {
    let mut workspace = Workspace::new();
    let file = workspace.add("a.yaml", text);
    let mut sink = Sink::new();
    let _ = yaml::documents(file, text, &mut sink);
    (workspace, sink.into_sorted())
}

#[test]
fn each_mistake_is_found_where_it_was_made() {
    let mut differences = Vec::new();
    for (text, expected) in MISTAKES {
        let (workspace, findings) = findings(text);
        let found: Vec<_> = findings
            .iter()
            .map(|it| {
                let place = workspace.locate(it.primary.span);
                let place = workspace.file(place.file).line_column(place.start);
                format!("{} {}:{}", it.rule.name, place.line, place.column)
            })
            .collect();
        if found != *expected {
            differences.push(format!("{text:?}: {found:?}, not {expected:?}"));
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn following_the_suggestions_repairs_the_document() {
    for (text, _) in MISTAKES {
        let mut repaired = (*text).to_owned();
        // A second round, for a mistake that was hidden by another.
        for _ in 0..2 {
            let (workspace, found) = findings(&repaired);
            let mut suggestions: Vec<_> =
                found.into_iter().flat_map(|it| it.details().suggestions.clone()).collect();
            suggestions.sort();
            for suggestion in suggestions.into_iter().rev() {
                let range = workspace.locate(suggestion.span).range();
                repaired.replace_range(range, &suggestion.replacement);
            }
        }
        let messages: Vec<_> = findings(&repaired)
            .1
            .into_iter()
            .map(|it| it.details().message.as_prose().to_string())
            .collect();
        assert_eq!(
            messages.is_empty(),
            !WITHOUT_CHANGE.contains(text),
            "{text}\n{repaired}\n{messages:?}"
        );
    }
}

#[test]
fn messages_name_what_the_author_wrote() {
    let first = |text: &str| findings(text).1.first().expect("a finding").details().message.clone();
    assert_eq!(first("spec:\n  image python\n  b: c\n"), "missing colon after `image`");
    assert_eq!(first("a: [x\nb: c\n"), "unclosed bracket: missing `]`");
    assert_eq!(first("msg: error: x\n"), "unquoted value of `msg` contains `: `");
}

#[test]
fn a_list_of_maps_without_dashes_is_recognized() {
    let (_, findings) = findings("containers:\n  name: a\n  image: b\n  name: c\n  image: d\n");
    assert!(
        findings[0].details().help[0].as_prose().contains("`- `"),
        "{:?}",
        findings[0].details().help
    );
}

#[test]
fn spans_count_from_the_start_of_the_file() {
    let text = "a: 1\n---\nb: x: z\nc: @d\n";
    let (workspace, findings) = findings(text);
    let shown: Vec<_> = findings.iter().map(|it| workspace.slice(it.primary.span)).collect();
    assert_eq!(shown, [":", "@"]);
    let replaced: Vec<_> =
        findings.iter().map(|it| workspace.slice(it.details().suggestions[0].span)).collect();
    assert_eq!(replaced, ["x: z", "@d"]);
}

#[test]
fn findings_of_mutated_documents_have_valid_spans() {
    let mut random = Random(0x5eed_0001);
    let seeds = fixture_texts();
    for round in 0..4_000 {
        let text = random.mutate(&seeds[round % seeds.len()]);
        let (workspace, findings) = findings(&text);
        for finding in &findings {
            let spans = [finding.primary.span]
                .into_iter()
                .chain(finding.details().secondary.iter().map(|it| it.span))
                .chain(finding.details().suggestions.iter().map(|it| it.span));
            for span in spans {
                let range = workspace.locate(span).range();
                assert!(
                    text.get(range).is_some(),
                    "{span:?} {}\n{text:?}",
                    finding.details().message.as_prose()
                );
            }
        }
    }
}
