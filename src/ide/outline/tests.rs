//! Outlines of whole and half documents, and what is at their offsets.

use std::fmt::Write as _;

use proptest::prelude::*;

use super::*;

/// The entries of a text, one a line, indented by depth.
fn drawn(text: &str) -> String {
    let outline = Outline::new(text.into());
    let mut drawn = String::new();
    for document in outline.documents() {
        drawn.push_str("---\n");
        for (at, entry) in document.entries().skip(1) {
            let depth =
                2 * (outline.path(document, at).len() - usize::from(entry.kind != Kind::Loose));
            let name = match entry.kind {
                Kind::Item(index) => format!("[{index}]"),
                Kind::Loose => format!("?{}", outline.key(entry)),
                _ => outline.key(entry).to_owned(),
            };
            let _ = writeln!(drawn, "{:depth$}{name} {}", "", outline.scalar(entry));
        }
    }
    drawn.replace(" \n", "\n")
}

#[test]
fn maps_and_lists_are_nested_by_their_columns() {
    let text =
        "a:\n  b: 1 # one\n  c:\n  - d: x\n    e: 'y'\n  - f\n  g: \"z: {\"\nh:\n    - - i\n";
    let expected = "---\na\n  b 1\n  c\n    [0]\n      d x\n      e y\n    [1] f\n  g z: {\nh\n  [0]\n    [0] i\n";
    assert_eq!(drawn(text), expected);
}

#[test]
fn brackets_are_entries_as_well() {
    let text = "a: {b: 1, c: [x, {y: z}, \"q\"],\n  d: {}}\ne: 2\n";
    let expected = "---\na\n  b 1\n  c\n    [0] x\n    [1]\n      y z\n    [2] q\n  d\ne 2\n";
    assert_eq!(drawn(text), expected);
    let json = "{\n  \"a\": {\"b\": [1, 2]},\n  \"c\": true\n}\n";
    assert_eq!(drawn(json), "---\na\n  b\n    [0] 1\n    [1] 2\nc true\n");
}

#[test]
fn block_scalars_and_quotes_are_values() {
    let text = "a: |\n  b: c\n\n  - d\ne: \"f\n  g: h\"\ni: >-\n  j\n---\nk: l\n";
    assert_eq!(drawn(text), "---\na\ne f\n  g: h\ni\n---\nk l\n");
}

#[test]
fn half_a_text_keeps_what_is_around_it() {
    assert_eq!(drawn("a: {b: [1, \nc: 2\n"), "---\na\n  b\n    [0] 1\nc 2\n");
    assert_eq!(drawn("a: \"b\nc: 2\n"), "---\na b\nc 2\n");
    assert_eq!(drawn("a:\n  b: 1\n  re\nc: 2\n"), "---\na\n  b 1\n  ?re\nc 2\n");
    assert_eq!(drawn("a:\n\tb: 1\n}] c\n"), drawn("a:\n\tb: 1\n}] c\n"));
}

/// The path, the kind of place and the existing text at `^`.
fn at(marked: &str) -> String {
    let offset = marked.find('^').unwrap();
    let text = marked.replacen('^', "", 1);
    let outline = Outline::new(text.as_str().into());
    let Some(cursor) = outline.cursor(offset) else { return "nothing".to_owned() };
    let mut path = String::new();
    for step in outline.path_of(&cursor) {
        match step {
            Step::Field(name) => {
                let _ = write!(path, ".{name}");
            }
            Step::Item(index) => {
                let _ = write!(path, "[{index}]");
            }
        }
    }
    let slot = match cursor.slot {
        Slot::NewKey { is_flow, column } => {
            format!("new key at {column}{}", if is_flow { ", flow" } else { "" })
        }
        slot => format!("{slot:?}").to_lowercase(),
    };
    format!("{path} {slot} `{}`", outline.slice(&cursor.range))
}

#[test]
fn the_cursor_is_in_the_map_of_its_column() {
    assert_eq!(at("a:\n  b: 1\n  ^\n"), ".a new key at 2 ``");
    assert_eq!(at("a:\n  b: 1\n^\n"), " new key at 0 ``");
    assert_eq!(at("a:\n  b: 1\n  re^\nc: 1\n"), ".a new key at 2 `re`");
    assert_eq!(at("a:\n  b^: 1\n"), ".a.b key `b`");
    assert_eq!(at("a:\n  - b: 1\n    ^\n"), ".a[0] new key at 4 ``");
    assert_eq!(at("a:\n  - b: 1\n  - ^\n"), ".a[1] new key at 4 ``");
    assert_eq!(at("a:\n  - b: 1\n  - c^\n"), ".a[1] value `c`");
    assert_eq!(at("^"), " new key at 0 ``");
    assert_eq!(at("---\nk^\n"), " new key at 0 `k`");
}

#[test]
fn the_cursor_is_at_a_value() {
    assert_eq!(at("a:\n  b: ^\n"), ".a.b value ``");
    assert_eq!(at("a:\n  b: x^y # z\n"), ".a.b value `xy`");
    assert_eq!(at("a: \"x^\n"), ".a value `\"x`");
    assert_eq!(at("a: {b: ^, c: d}\n"), ".a.b value ``");
    assert_eq!(at("a: {b: 1, ^}\n"), ".a new key at 10, flow ``");
    assert_eq!(at("a: {b: 1, c^}\n"), ".a new key at 10, flow `c`");
    assert_eq!(at("a: {b: 1, ^\nc: 2\n"), ".a new key at 10, flow ``");
    assert_eq!(at("a: [x, ^]\n"), ".a value ``");
    assert_eq!(at("a: [^\n"), ".a value ``");
    assert_eq!(at("a: [x, y^]\n"), ".a[1] value `y`");
}

#[test]
fn texts_and_comments_are_no_fields() {
    assert_eq!(at("a: >\n  b^: c\n"), ".a text `>\n  b: c`");
    assert_eq!(at("a: 1 # b^: c\n"), " comment `# b: c`");
    assert_eq!(at("# sandbox^\n"), " comment `# sandbox`");
}

/// Paths are as long as the text is deep, so the depth has a limit.
#[test]
fn deep_texts_take_no_longer_than_others() {
    for text in
        ["[".repeat(100_000), "{a: ".repeat(100_000), "- ".repeat(100_000), "[{".repeat(9) + "}"]
    {
        let outline = Outline::new(text.as_str().into());
        let document = &outline.documents()[0];
        let paths = document.entries().step_by(997).map(|(at, _)| outline.path(document, at));
        assert!(paths.map(|it| it.len()).max().unwrap() <= 1000);
        let _ = outline.cursor(text.len());
    }
    let lines: String =
        (0..3000).flat_map(|depth| [" ".repeat(depth), "a:\n".to_owned()]).collect();
    let outline = Outline::new(lines.as_str().into());
    let document = &outline.documents()[0];
    assert!(outline.path(document, document.entries().len() - 1).len() <= 1000);
}

#[test]
fn only_documents_that_differ_are_scanned_again() {
    let text = "a: 1\n---\nb: {c: 2} # d\n---\ne: 3\n";
    let outline = Outline::new(text.into());
    for (from, to) in [
        ("c: 2", "c: 23"),
        ("a: 1", ""),
        ("---\nb", "--- # d\nb"),
        ("e: 3\n", "\"e"),
        ("b: {", "b: \n---\n{"),
        ("}", ""),
        ("---", "-"),
    ] {
        let edited = text.replacen(from, to, 1);
        let expected = Outline::new(edited.as_str().into());
        assert_eq!(
            outline.edited(edited.as_str().into()).documents,
            expected.documents,
            "{edited}"
        );
    }
}

#[test]
fn a_document_between_two_changes_keeps_its_place() {
    let outline = Outline::new("a: 1\n---\nb: 2\n---\nc: 3\n".into());
    let edited = "a: 12\n---\nb: 2\n--- # longer\nc: 3\n";
    assert_eq!(outline.edited(edited.into()).documents, Outline::new(edited.into()).documents);
}

#[test]
fn a_line_with_all_that_is_in_a_file_is_read_in_moments() {
    let fields: Vec<_> = (0..300_000).map(|it| format!("\"k{it}\": 'v{it}'")).collect();
    let start = std::time::Instant::now();
    let outline = Outline::new(format!("{{{}}}", fields.join(", ")).into());
    assert_eq!(outline.documents()[0].entries().count(), 300_001);
    // Reading the rest of the line for each scalar takes minutes.
    assert!(start.elapsed() < std::time::Duration::from_secs(30), "{:?}", start.elapsed());
}

#[test]
fn quotes_end_at_their_quote_or_with_their_line() {
    let ends = [
        ("a: 'b''c' # d", "'b''c'"),
        ("a: \"b\\\"c\"", "\"b\\\"c\""),
        ("a: 'b\n  c'", "'b\n  c'"),
        ("a: \"b\\\n  c\"", "\"b\\\n  c\""),
        ("a: 'b \r\nc: d", "'b"),
        ("a: 'b ", "'b"),
    ];
    for (text, value) in ends {
        let outline = Outline::new(text.into());
        let document = &outline.documents()[0];
        let range = document.entry(1).value.clone().unwrap();
        assert_eq!(outline.slice(&range), value, "{text:?}");
    }
}

proptest! {
    /// Whatever the edits, the outline is that of the text.
    #[test]
    fn an_edited_outline_is_that_of_its_text(
        text in "([a-c:{}\\[\\]\"'#| \n-]|- |: |\n  |\r\n|\n---\n|\n--- |\n\\.\\.\\.\n|é){0,60}",
        edits in prop::collection::vec((0_usize..99, 0_usize..9, "([a:\"{|# \n-]|\n---\n|é){0,4}"), 1..4),
    ) {
        let mut text = text;
        let mut outline = Outline::new(text.as_str().into());
        for (at, length, new) in edits {
            let at = text.floor_char_boundary(at);
            let end = text.floor_char_boundary(at + length);
            text.replace_range(at..end, &new);
            outline = outline.edited(text.as_str().into());
            let expected = Outline::new(text.as_str().into());
            prop_assert_eq!(&outline.documents, &expected.documents);
            prop_assert_eq!(outline.text(), text.as_str());
        }
    }

    #[test]
    fn every_text_has_an_outline(text in "([a-c:{}\\[\\],\"'#|>& \n-]|- |: |\n  |é){0,60}") {
        let outline = Outline::new(text.as_str().into());
        for offset in 0..=text.len() {
            let _ = outline.cursor(offset);
        }
        for document in outline.documents() {
            for (at, entry) in document.entries() {
                prop_assert!(at == 0 || entry.parent < at);
                prop_assert!(text.get(entry.range()).is_some() && entry.key.end <= text.len());
                prop_assert!(entry.value.as_ref().is_none_or(|it| text.get(it.clone()).is_some()));
                let children = document.children(at).count();
                let of = document.entries().filter(|(child, it)| it.parent == at && *child != 0).count();
                prop_assert_eq!(children, of);
            }
        }
    }
}
