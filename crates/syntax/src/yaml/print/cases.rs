//! Exports the printer's output for readers that are not written in Rust.

use std::fmt::Write;
use std::{env, fs};

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};

use super::tests::{nasty, printed};

fn values() -> impl Strategy<Value = Value> {
    let pieces = prop::collection::vec(prop::sample::select(nasty()), 1..3);
    let text = prop_oneof![
        2 => pieces.prop_map(|pieces| pieces.concat()),
        1 => "[ -~]{0,12}",
        1 => "[ab:#\\-\n\t ]{0,10}",
    ];
    let leaf = prop_oneof![
        8 => text.clone().prop_map(Value::from),
        1 => Just(Value::Null),
        1 => any::<bool>().prop_map(Value::from),
        1 => any::<i64>().prop_map(Value::from),
        1 => any::<f64>().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 5, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::vec((text.clone(), inner), 0..5)
                .prop_map(|entries| Value::Object(entries.into_iter().collect())),
        ]
    })
}

/// The cases for `tools/print-oracle`: one line of JSON each, with a value and its output.
/// `PRINT_CASES` names the file to write them to.
#[test]
fn cases_for_other_readers_are_written_and_read_back() {
    let mut cases: Vec<Value> = Vec::new();
    for text in nasty() {
        cases.push(json!({ "a": text, "b": [text, [text], { text.clone(): text }] }));
        cases.push(json!({ text.clone(): { text.clone(): [text] }, "z": { "a": text } }));
    }
    let mut runner = TestRunner::deterministic();
    for _ in 0..4000 {
        cases.push(json!({ "a": values().new_tree(&mut runner).unwrap().current() }));
    }
    let mut lines = String::new();
    for value in &cases {
        let yaml = printed(value);
        let read: Value = serde_yaml::from_str(&yaml).unwrap();
        assert_eq!(read["a"].is_string(), value["a"].is_string(), "{yaml}");
        writeln!(lines, "{}", json!({ "value": value, "yaml": yaml })).unwrap();
    }
    if let Some(path) = env::var_os("PRINT_CASES") {
        fs::write(path, lines).unwrap();
    }
}
