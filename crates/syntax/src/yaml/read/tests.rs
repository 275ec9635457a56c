//! Tests of the spans of keys and values, and of the values read.

use crate::diag::Sink;
use crate::source::{Span, Workspace};
use crate::tree::{Node, Value};
use crate::yaml::{self, Document};

/// Reads the first document; no finding is expected.
fn read(text: &str) -> Document {
    let mut workspace = Workspace::new();
    let file = workspace.add("a.yaml", text);
    let mut sink = Sink::new();
    let slices = yaml::split::split(file, text).slices;
    let document = yaml::parse(file, text, slices.first().expect("a slice"), &mut sink);
    let messages: Vec<_> = sink
        .into_sorted()
        .into_iter()
        .map(|it| it.details().message.as_prose().to_string())
        .collect();
    assert_eq!(messages, [""; 0], "{text}");
    document.expect("a document")
}

/// All keys and values as `key@text` and `=text`, in the order of the tree.
fn places(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    collect(&read(text).root, text, &mut found);
    found
}

fn collect(node: &Node, text: &str, found: &mut Vec<String>) {
    let show = |span: Span| {
        let span = span.within(Workspace::new().add("a.yaml", ""));
        if span.start == span.end {
            let before = &text[..span.start as usize];
            format!("(behind {:?})", before.chars().last())
        } else {
            text[span.range()].to_owned()
        }
    };
    found.push(format!("={}", show(node.span())));
    for entry in node.entries() {
        found.push(show(entry.key_origin().span()));
        collect(&entry.value, text, found);
    }
    for item in node.items() {
        collect(item, text, found);
    }
}

#[test]
fn a_tab_after_the_indentation_of_a_block_is_content() {
    for (text, value) in [
        ("a: |\n  x\n  \t\n", "x\n\t\n"),
        ("a: |\n  x\n  \t\n\n    \t \nb: 1\n", "x\n\t\n\n  \t \n"),
        ("a:\n- |\n  x\n\n  \t\n", "x\n\n\t\n"),
        ("a: |-\n  x\n  \t\nb: 1\n", "x\n\t"),
        ("a: |2\n   x\n   \t\nb: 1\n", " x\n \t\n"),
        // As sigs.k8s.io/yaml reads these: lines below the content of a block with an indicator.
        ("a: |2\n   x\n  \t\nb: 1\n", " x\n\t\n"),
        ("a: |1\n   x\n \t\n  \t \nb: 1\n", "  x\n\t\n \t \n"),
        ("a:\n- |2\n    x\n  \t\nb: 1\n", "  x\n\t\n"),
        ("a: &x !!str |2\n   x\n  \t\nb: 1\n", " x\n\t\n"),
        // A header on its own line.
        ("a:\n  |2\n   x\n  \t\nb: 1\n", " x\n\t\n"),
        ("a: # c\n\n  # d\n  &x\n  |2\n   x\n  \t\nb: 1\n", " x\n\t\n"),
        ("a:\n-\n  |2\n    x\n  \t\nb: 1\n", "  x\n\t\n"),
    ] {
        let root = read(text).root;
        let found = root.get("a").unwrap();
        let found = found.items().first().unwrap_or(found);
        assert_eq!(found.as_str(), Some(value), "{text:?}");
    }
}

#[test]
fn spans_cover_keys_and_values() {
    assert_eq!(
        places("a: 1 # c\n\"b\" : 'x'\nc: [p, {q: r}]\n\n"),
        [
            "=a: 1 # c\n\"b\" : 'x'\nc: [p, {q: r}]",
            "a",
            "=1",
            "\"b\"",
            "='x'",
            "c",
            "=[p, {q: r}]",
            "=p",
            "={q: r}",
            "q",
            "=r"
        ]
    );
}

#[test]
fn blocks_end_with_their_last_token() {
    assert_eq!(
        places("a:\n  b: 1\n\n# c\nd:\n- x\n# e\n- w: z\n\nf: 2\n"),
        [
            "=a:\n  b: 1\n\n# c\nd:\n- x\n# e\n- w: z\n\nf: 2",
            "a",
            "=b: 1",
            "b",
            "=1",
            "d",
            "=- x\n# e\n- w: z",
            "=x",
            "=w: z",
            "w",
            "=z",
            "f",
            "=2"
        ]
    );
}

#[test]
fn empty_values_are_after_their_colon_or_dash() {
    assert_eq!(
        places("a:\nb: # c\n\nc :   \nd:\n-\n- # x\n-   \n- y\ne: {f, g: , h: }\n"),
        [
            "=a:\nb: # c\n\nc :   \nd:\n-\n- # x\n-   \n- y\ne: {f, g: , h: }",
            "a",
            "=(behind Some(':'))",
            "b",
            "=(behind Some(':'))",
            "c",
            "=(behind Some(':'))",
            "d",
            "=-\n- # x\n-   \n- y",
            "=(behind Some('-'))",
            "=(behind Some('-'))",
            "=(behind Some('-'))",
            "=y",
            "e",
            "={f, g: , h: }",
            "f",
            "=(behind Some('f'))",
            "g",
            "=(behind Some(':'))",
            "h",
            "=(behind Some(':'))",
        ]
    );
}

#[test]
fn block_scalars_span_from_header_to_last_content() {
    assert_eq!(
        places(
            "a: |\n  x\n   y\n\nb: >-  # | c\n\n  z\n# d\nc: |+\n\nd: !!str &x |2\n    t\ne:\n- # q\n  |\n  u\n"
        ),
        [
            "=a: |\n  x\n   y\n\nb: >-  # | c\n\n  z\n# d\nc: |+\n\nd: !!str &x |2\n    t\ne:\n- # q\n  |\n  u",
            "a",
            "=|\n  x\n   y",
            "b",
            "=>-  # | c\n\n  z",
            "c",
            "=|+",
            "d",
            "=|2\n    t",
            "e",
            "=- # q\n  |\n  u",
            "=|\n  u",
        ]
    );
}

#[test]
fn lists_at_the_column_of_their_key_begin_with_their_dash() {
    assert_eq!(
        places("a:\n# - c\n- &x # d\n  - 1\nb: &y\n- 2\n"),
        [
            "=a:\n# - c\n- &x # d\n  - 1\nb: &y\n- 2",
            "a",
            "=- &x # d\n  - 1",
            "=- 1",
            "=1",
            "b",
            "=- 2",
            "=2"
        ]
    );
}

#[test]
fn offsets_count_from_the_start_of_the_file() {
    let text = "# é\n---\na: 1\n---\nb: ü\n";
    let mut workspace = Workspace::new();
    let file = workspace.add("a.yaml", text);
    let mut sink = Sink::new();
    let slices = yaml::split::split(file, text).slices;
    let second = yaml::parse(file, text, &slices[1], &mut sink).expect("a document");
    assert_eq!(workspace.slice(second.span), "b: ü");
    assert_eq!(workspace.slice(second.root.get("b").expect("b").span()), "ü");
}

#[test]
fn aliases_and_merges_resolve_to_the_anchored_value() {
    let document =
        read("a: &a {x: 1, w: 2}\nb:\n  <<: *a\n  w: 3\nc:\n  <<: [{x: 5}, *a]\n? &k d\n: *k\n");
    let int = |keys: &[&str]| document.root.at(keys).and_then(Node::as_i64);
    assert_eq!((int(&["b", "x"]), int(&["b", "w"])), (Some(1), Some(3)));
    assert_eq!((int(&["c", "x"]), int(&["c", "w"])), (Some(5), Some(2)));
    assert_eq!(document.root.str_at(&["d"]), Some("d"));
}

#[test]
fn tags_determine_the_type_of_a_scalar() {
    let document = read(
        "a: !!str 12\nb: ! 12\nc: !!int \"3\"\nd: !!bool yes\ne: !!float 1\nf: !!null ''\ng: !!map {}\n",
    );
    let value =
        |key: &str| document.root.as_map().expect("a map").get(key).expect("a value").value.clone();
    assert_eq!(value("a"), Value::String("12".into()));
    assert_eq!(value("b"), Value::String("12".into()));
    assert_eq!(value("c"), Value::Int(3));
    assert_eq!(value("d"), Value::Bool(true));
    assert_eq!(value("e"), Value::Int(1));
    assert_eq!(value("f"), Value::Null);
}

#[test]
fn only_ambiguous_scalars_are_marked() {
    let document = read("a: yes\nb: \"yes\"\nc: 12:30:45\nd: 8080\ne: !!str yes\nf: true\n");
    let marked: Vec<_> = document
        .root
        .entries()
        .iter()
        .filter(|it| it.value.is_ambiguous())
        .map(|it| it.key.as_str())
        .collect();
    assert_eq!(marked, ["a", "c"]);
}
