//! Layouts of small documents, and of the fixtures.

use super::{NoLayout, layout};
use crate::source::Workspace;
use crate::yaml::fixture_texts;

fn formatted(text: &str) -> Result<String, NoLayout> {
    layout(Workspace::new().add("a.yaml", ""), text)
}

/// Checks a layout, and that it is kept.
fn becomes(before: &str, after: &str) {
    assert_eq!(formatted(before).as_deref(), Ok(after), "{before}");
    assert_eq!(formatted(after).as_deref(), Ok(after), "again");
}

fn stays(text: &str) {
    becomes(text, text);
}

#[test]
fn collections_are_indented_by_two_and_lists_are_indented_in_maps() {
    becomes(
        "spec:\n    containers:\n    -   name: a\n        env: \n        - {name: x}\n    other:   1\nend: 2\n",
        "spec:\n  containers:\n    - name: a\n      env:\n        - {name: x}\n  other: 1\nend: 2\n",
    );
    becomes("- - a\n  -   b\n-\n    c: d\n", "- - a\n  - b\n-\n  c: d\n");
    becomes("a:\n- b\n-\n   - c\n", "a:\n  - b\n  -\n    - c\n");
    becomes("a :\n        b\nc:\n  d   e\n", "a:\n  b\nc:\n  d   e\n");
    becomes("a:\n    ? b\n    : - c\n      - d\n", "a:\n  ? b\n  : - c\n    - d\n");
}

#[test]
fn comments_stay_with_their_collections() {
    becomes(
        "# head\n\na:\n    # of b\n    b: 1   # one\n    # end of a\n  # odd\n# of c\nc: 2\n  # last\n",
        "# head\n\na:\n  # of b\n  b: 1   # one\n  # end of a\n# odd\n# of c\nc: 2\n  # last\n",
    );
    becomes(
        "a:\n- 1\n# - 2\n# of 3\n- 3\n# - 4\nb:\n# of c\n  c: 1\n",
        "a:\n  - 1\n  # - 2\n  # of 3\n  - 3\n  # - 4\nb:\n  # of c\n  c: 1\n",
    );
    becomes("a:\n- 1\n  # of the list\nb: 2\n", "a:\n  - 1\n    # of the list\nb: 2\n");
    becomes("a: [\n# of b\n b, # b\n\n\n # end\n]\n", "a: [\n  # of b\n  b, # b\n\n  # end\n]\n");
    becomes("a: 1\t# one\n", "a: 1 # one\n");
}

#[test]
fn a_comment_never_becomes_part_of_a_block_scalar() {
    becomes(
        "a:\n- |\n x\n# c\n- >-\n\n      y\n       z\n\n    # d\nb: 1\n",
        "a:\n  - |\n    x\n  # c\n  - >-\n\n    y\n     z\n\n  # d\nb: 1\n",
    );
}

#[test]
fn block_scalars_keep_their_text() {
    becomes("a: |\n      x  \n\n        y\n\n\nb: 1\n", "a: |\n  x  \n\n    y\n\nb: 1\n");
    becomes("a:\n    b: |2-  # c\n        x\n      y\n", "a:\n  b: |2-  # c\n      x\n    y\n");
    becomes("a: |+\n     x\n\n\n\nb: 1\n", "a: |+\n  x\n\n\n\nb: 1\n");
    becomes("a:\n- |+\n\n  x\n     \n\n", "a:\n  - |+\n\n    x\n       \n\n");
    becomes("a: |\nb: >+\n\n\nc: |-\n   \nd: 1\n", "a: |\nb: >+\n\n\nc: |-\n\nd: 1\n");
    becomes("a: |\n    x\n       \nb: 1\n", "a: |\n  x\n     \nb: 1\n");
    becomes("--- |\n x\n--- >1\n x\n", "--- |\n  x\n--- >1\n x\n");
}

#[test]
fn scalars_are_kept_as_written() {
    stays("a: 'it''s'\nb: \"\\x41\"\nc: 0o14\nd: ~\ne: yes\nf: 1_000\ng:\n");
    becomes(
        "a:\n    b: one   \n      two\n\n          three\n    c: \"x \\  \n      y\\n\\\n      z\"\n",
        "a:\n  b: one\n    two\n\n    three\n  c: \"x \\  \n    y\\n\\\n    z\"\n",
    );
    becomes(
        "a:   &x  !!str   b\nc:   *x\n*x : d\n? !t &y e\n: <<\nf: !!map\n    g: &z\n    - h\n",
        "a: &x !!str b\nc: *x\n*x : d\n? !t &y e\n: <<\nf: !!map\n  g: &z\n    - h\n",
    );
}

#[test]
fn brackets_keep_their_lines() {
    becomes("a: {b:   1 ,c: [ x,y ],\"d\":2}\n", "a: {b: 1, c: [ x, y ], \"d\": 2}\n");
    becomes("a: { b: 1}\nc: [ ]\nd: {a: , b: }\n", "a: { b: 1 }\nc: []\nd: {a: , b: }\n");
    becomes(
        "a:\n    b: [\n        x,\n          y\n    ]\n    c: {\n      d: [\n   e\n       ]\n      }\n",
        "a:\n  b: [\n    x,\n    y\n  ]\n  c: {\n    d: [\n      e\n    ]\n    }\n",
    );
    becomes(
        "- [{\n a: 1\n}, {\n a: 2\n}]\n- {b: c,\n   d: e}\n",
        "- [{\n  a: 1\n}, {\n  a: 2\n}]\n- {b: c,\n  d: e}\n",
    );
    becomes("a:\n    {\n  \"b\": [1,\n2]\n  }\n", "a:\n  {\n    \"b\": [1,\n      2]\n  }\n");
    becomes("{\n\"a\":{\n\"b\": 1\n}\n}\n", "{\n  \"a\": {\n    \"b\": 1\n  }\n}\n");
    becomes("a: [b : c, ? d : e, !t , \"f\ng\"]\n", "a: [b: c, ? d: e, !t , \"f\n  g\"]\n");
}

#[test]
fn lines_end_alike_and_one_empty_line_remains() {
    becomes("\n\na: 1  \n\n \n\nb: 2\n\n\n", "a: 1\n\nb: 2\n");
    becomes("a: 1\r\nb:\r\n- c: |\r\n   x\r\n", "a: 1\r\nb:\r\n  - c: |\r\n      x\r\n");
    becomes("a: 1", "a: 1\n");
    becomes("", "");
    becomes("\n \n", "");
    becomes("\u{feff}\na: 1\n", "\u{feff}a: 1\n");
    stays("a: 1\rb: 2\r");
    stays("a:   \"x\u{2028}y\"\n");
}

#[test]
fn documents_keep_their_markers() {
    becomes(
        "\n---   \n\n# of a\na: 1\n\n\n---  # b\n\nb: 1\n# end\n...\n\n---\n",
        "---\n# of a\na: 1\n---  # b\nb: 1\n# end\n...\n---\n",
    );
    becomes("---   {a:  1}\n---   x\n", "--- {a: 1}\n--- x\n");
    stays("%YAML 1.1\n---\na:   1\n");
    becomes("# only\n\n\n   # comments\n", "# only\n\n# comments\n");
}

#[test]
fn text_that_cannot_be_read_has_no_layout() {
    for text in ["a: [\n", "a: b: c\n", "a: {{ .x }}: y\n", "\ta: 1\n"] {
        assert!(matches!(formatted(text), Err(NoLayout::Unreadable(_))), "{text}");
    }
}

#[test]
fn every_fixture_has_a_layout_that_is_kept() {
    let mut count = 0;
    for text in fixture_texts() {
        match formatted(&text) {
            Ok(first) => {
                assert_eq!(formatted(&first).as_deref(), Ok(first.as_str()), "{text}");
                count += 1;
            }
            Err(NoLayout::Unreadable(_)) => {}
            Err(NoLayout::Changed(_)) => panic!("{text}"),
        }
    }
    assert!(count > 1_000, "{count}");
}

#[test]
fn a_block_scalar_at_the_end_gains_no_line_break() {
    becomes("a: |\n    b", "a: |\n  b");
    becomes("a: |-\n    b", "a: |-\n  b\n");
    becomes("a: >\n    b\n    c", "a: >\n  b\n  c");
    becomes("a: |\n    b\n    ", "a: |\n  b\n");
    becomes("a: |+\r\n    b", "a: |+\r\n  b");
    becomes("a: 1\n---\n- |\n    b", "a: 1\n---\n- |\n  b");
    becomes("a: |\n    b\n# c", "a: |\n  b\n# c\n");
}

#[test]
fn a_commented_part_moves_as_a_whole() {
    becomes(
        "env:\n- name: a\n  value: 1\n# - name: b\n#   value: 2\nimage: x\n",
        "env:\n  - name: a\n    value: 1\n  # - name: b\n  #   value: 2\nimage: x\n",
    );
    becomes(
        "env:\n- name: a\n# - name: b\n\n#   value: 2\n# command: x\n\n# The image\nimage: x\n",
        "env:\n  - name: a\n  # - name: b\n\n  #   value: 2\n# command: x\n\n# The image\nimage: x\n",
    );
    becomes("a:\n- b: 1\n#   c: 2\nd: 3\n", "a:\n  - b: 1\n  #   c: 2\nd: 3\n");
    becomes("a:\n    b: 1\n#     c: 2\nd: 3\n", "a:\n  b: 1\n#   c: 2\nd: 3\n");
    becomes(
        "a:\n- x\n#b:\n#- y\n  # Two lines\n  # of words\n#- z\n\n#- w\n",
        "a:\n  - x\n#b:\n#- y\n  # Two lines\n  # of words\n#- z\n\n#- w\n",
    );
    becomes("a:\n- x\n# k:\n- y\n", "a:\n  - x\n# k:\n  - y\n");
}

#[test]
fn comments_below_an_empty_value_stay_below_it() {
    becomes(
        "m:\n    annotations: {}\n        # a: nginx\n        # b: \"true\"\n    labels: {a: b}\n",
        "m:\n  annotations: {}\n    # a: nginx\n    # b: \"true\"\n  labels: {a: b}\n",
    );
    becomes("a: []\n # - b\nc: null\n   # d\n", "a: []\n  # - b\nc: null\n  # d\n");
    becomes("a:\n  b:\n      # c: 1\n  d: 2\n", "a:\n  b:\n    # c: 1\n  d: 2\n");
}
