//! Compares the fast reader with the parser: the same tree and spans for every document it
//! supports.
//!
//! `cargo test --release yaml::fast` compares twenty times as many strings as the everyday test.

use super::compare::compare_all;
use crate::yaml::mutations::{Random, fixture_texts};

/// The factor for the number of inputs in release builds.
const ROUNDS: usize = if cfg!(debug_assertions) { 1 } else { 20 };

#[test]
fn fixtures_are_read_the_same_and_most_are_supported() {
    let counts: Vec<_> = fixture_texts().iter().map(|text| compare_all(text)).collect();
    let all: usize = counts.iter().map(|(all, _)| all).sum();
    let taken: usize = counts.iter().map(|(_, taken)| taken).sum();
    assert!(taken * 10 > all * 7, "{taken} of {all} documents taken");
}

#[test]
fn mutated_fixtures_are_read_the_same() {
    let mut random = Random(0x5eed_0002);
    let seeds: Vec<_> = fixture_texts().into_iter().filter(|text| text.len() < 400).collect();
    let mut taken = 0;
    for round in 0..10_000 * ROUNDS {
        taken += compare_all(&random.mutate(&seeds[round % seeds.len()])).1;
    }
    assert!(taken > 1_000, "{taken} taken");
}

#[test]
fn joined_pieces_are_read_the_same() {
    const PIECES: &[&str] = &[
        "a: ", "b:", "b: ", "\n", "\n", "\n  ", "\n    ", "- ", "-", "  ", " ", "x", "1", "\"q\"",
        "'s'", "''", "|", "|-", "|+", ">", ">-", "[", "]", "{", "}", ", ", ",", ": ", ":", "#",
        " # c", "x y", "é", "~", "null", "yes", "012", "- - ", "a: b\n", "- c\n", "  d: e\n",
        "\"a\\n\"", "\\", "?", "&", "*", "!", "%", "<<", "=", "-1", ".5", "1.0", "a.b/c",
        "\"k\": ", "'k': ", "\n\n", "x:y", "\n...", "...\n",
    ];
    let mut random = Random(0x5eed_0003);
    let mut taken = 0;
    for _ in 0..40_000 * ROUNDS {
        let text: String =
            (0..2 + random.below(9)).map(|_| PIECES[random.below(PIECES.len())]).collect();
        taken += compare_all(&text).1;
    }
    assert!(taken > 2_000, "{taken} taken");
}

#[test]
fn simple_documents_are_supported() {
    for text in [
        "a: 1\nb:\n  - c\n  - d: e\n    f: |\n      x\n\n      y\n",
        "a:\n- b\n- c: {d: [e, \"f\"], g: 'h''i'}\n\n# z\nk: >-\n  x\n  y\n",
        "---\na: \"b\\n\" # c\nd: https://e.f/g?h\n",
        "- - a\n  - b\n-\n  c: 1\n",
        "a: |\n  b\n\n...\n",
        "a: # b\n  c: d\ne:\n- # f\n  g\n",
    ] {
        assert_eq!(compare_all(text), (1, 1), "{text}");
    }
}

/// Each text is read after all others, which left their keys and scalars.
#[test]
fn what_was_read_before_changes_nothing() {
    let texts = [
        "x:y: 1\nz: a, and so on\n",
        "x: 1\nz: a, and so on\n",
        "x: z:a\nz: a, and so on\n",
        "x  : 1\nz: a, and so on\n",
        "x: z\nz: true\nand: so on\n",
        "true: z\nz: x\nand: so on\n",
        "x: \"true\"\n\"true\": z\nand: so on\n",
        "x: z\n  true\nand: so on and on\n",
        "x: true \nz: true # and so on\n",
        "x: yes\nyes: and so on\n",
        "x: yes\nz: no\nand: so on and on\n",
        "- x\n- -x\n- - x\n- x#y\n- x #y\n- so on and on\n",
        "- x: 1\n- -x: 1\n- - x: 1\n- x#y: 1\n- so on and on\n",
        "é: é\n-é: aé\naé: and so on\n",
        "x:\nz:\n- z\nand:so: on and on\n",
    ];
    for text in texts.iter().chain(texts.iter().rev()).chain(&texts) {
        compare_all(text);
    }
}

/// Kubernetes' reader knows no key of more than 1,024 characters.
#[test]
fn long_keys_are_left_to_the_parser() {
    for length in [255, 256, 257, 1_024, 1_025, 2_000] {
        let key = "x".repeat(length);
        for text in [
            format!("{key}: 1\n"),
            format!("a:\n- {key}: 1\n"),
            format!("a: {{{key}: 1}}\n"),
            format!("a: {{\"{}\": 1}}\n", &key[2..]),
            format!("\"{}\": 1\n", &key[2..]),
        ] {
            assert_eq!(compare_all(&text), (1, usize::from(length <= 256)), "{length}");
        }
    }
}

#[test]
fn faulty_documents_are_left_to_the_parser() {
    for text in [
        "a: 1\na: 2\n",
        "yes: 1\n",
        "{a: 1, a: 2}\n",
        "a: .inf\n",
        "a:\tb\n",
        "a: &x b\n",
        "a: b: c\n",
        "<<: b\n",
        "{a:1}\n",
    ] {
        assert_eq!(compare_all(text), (1, 0), "{text}");
    }
}
