//! Reads the output with three readers that share no code with the printer.

use proptest::prelude::*;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{doubt, print, print_document};
use crate::diag::Sink;
use crate::source::{FileId, FileSpan, Workspace};
use crate::tree::{Node, Origin};
use crate::yaml;
use crate::yaml::mutations::cases::{Case, cases};
use crate::yaml::scalar::{Reading, readings};

const NASTY: &str =
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/print/nasty.json"));

/// Objects, and how kubectl prints them.
const RECORDED: &str =
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/print/cases.md"));

pub(super) fn nasty() -> Vec<String> {
    serde_json::from_str(NASTY).unwrap()
}

fn file() -> FileId {
    Workspace::new().add("out.yaml", "")
}

fn node(value: &Value) -> Node {
    Node::from_json(value.clone(), Origin::source(FileSpan::new(file(), 0, 0)))
}

pub(super) fn printed(value: &Value) -> String {
    let mut out = String::new();
    print_document(&node(value), &mut out);
    out
}

/// Reads with libyaml's algorithm and serde.
fn read_by_serde_yaml(text: &str) -> Value {
    Value::deserialize(serde_yaml::Deserializer::from_str(text)).unwrap()
}

/// Reads as this program reads manifests.
fn read_by_us(text: &str) -> Value {
    tree_of(text).to_json()
}

fn tree_of(text: &str) -> Node {
    let stream = yaml::split::split(file(), text);
    assert!(stream.oddities.is_empty(), "{:?} in {text:?}", stream.oddities);
    let mut sink = Sink::new();
    let slice = stream.slices.first().expect("a document");
    let document = yaml::parse(file(), text, slice, &mut sink);
    let messages: Vec<_> = sink
        .into_sorted()
        .into_iter()
        .map(|it| it.details().message.as_prose().to_string())
        .collect();
    assert!(messages.is_empty(), "{messages:?} in {text}");
    assert!(stream.slices.len() == 1, "more than one document in {text}");
    document.unwrap().root
}

/// Reads with an independent parser of YAML 1.2 and its core schema.
fn read_by_saphyr(text: &str) -> Value {
    use saphyr_parser::{Event, ScalarStyle};
    let mut stack: Vec<Vec<Value>> = vec![Vec::new()];
    for event in saphyr_parser::Parser::new_from_str(text) {
        let value = match event.unwrap_or_else(|error| panic!("{error} in {text}")).0 {
            Event::SequenceStart(..) | Event::MappingStart(..) => {
                stack.push(Vec::new());
                continue;
            }
            Event::SequenceEnd => Value::Array(stack.pop().unwrap()),
            Event::MappingEnd => {
                let items = stack.pop().unwrap();
                let entry =
                    |pair: &[Value]| (pair[0].as_str().unwrap().to_owned(), pair[1].clone());
                Value::Object(items.chunks(2).map(entry).collect::<Map<_, _>>())
            }
            Event::Scalar(text, ScalarStyle::Plain, ..) => core_schema(&text),
            Event::Scalar(text, ..) => json!(text),
            _ => continue,
        };
        stack.last_mut().unwrap().push(value);
    }
    let mut documents = stack.pop().unwrap();
    assert_eq!(documents.len(), 1, "one document in {text}");
    documents.pop().unwrap()
}

fn core_schema(text: &str) -> Value {
    match readings(text).core_schema {
        Reading::Text => json!(text),
        _ => match serde_json::from_str(text).unwrap() {
            // The last digit of a float differs there.
            Value::Number(number) if number.is_f64() => json!(text.parse::<f64>().unwrap()),
            value => value,
        },
    }
}

fn text() -> impl Strategy<Value = String> {
    let pieces = prop::collection::vec(prop::sample::select(nasty()), 2..4);
    prop_oneof![
        4 => prop::sample::select(nasty()),
        1 => pieces.prop_map(|pieces| pieces.concat()),
        1 => "[ -~]{0,12}",
        1 => "[ab:#\\-\n\t ]{0,10}",
        1 => any::<String>(),
    ]
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        8 => text().prop_map(Value::from),
        1 => Just(Value::Null),
        1 => any::<bool>().prop_map(Value::from),
        1 => any::<i64>().prop_map(Value::from),
        1 => any::<u64>().prop_map(Value::from),
        1 => any::<f64>().prop_map(Value::from),
        1 => Just(json!([])),
        1 => Just(json!({})),
    ];
    leaf.prop_recursive(4, 24, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::vec((text(), inner), 0..5)
                .prop_map(|entries| Value::Object(entries.into_iter().collect())),
        ]
    })
}

/// The same value with all numbers as floats: a float without fraction is printed as an integer.
fn with_floats(value: &Value) -> Value {
    match value {
        Value::Number(number) => json!(number.as_f64().unwrap()),
        Value::Array(items) => items.iter().map(with_floats).collect(),
        Value::Object(map) => {
            map.iter().map(|(key, value)| (key.clone(), with_floats(value))).collect()
        }
        value => value.clone(),
    }
}

fn assert_same(read: &Value, value: &Value, place: &str) {
    if read != value {
        assert_eq!(with_floats(read), with_floats(value), "{place}");
    }
}

fn assert_reads_back(value: &Value) {
    let text = printed(value);
    assert_same(&read_by_us(&text), value, &format!("by us, from {text}"));
    assert_same(&read_by_saphyr(&text), value, &format!("by saphyr, from {text}"));
    assert_same(&read_by_serde_yaml(&text), value, &format!("by serde_yaml, from {text}"));
}

#[test]
fn difficult_strings_round_trip_in_every_position() {
    for text in nasty() {
        assert_reads_back(&json!({ "a": text, "b": 1 }));
        assert_reads_back(&json!({ "a": { "b": text } }));
        assert_reads_back(&json!([text, [text, [text]], { "a": text, "b": [text] }]));
        assert_reads_back(&json!({ text.clone(): text, "z": { text.clone(): { "a": 1 } } }));
        assert_reads_back(&json!([{ text.clone(): [1, { text.clone(): text }] }]));
        assert_reads_back(&json!(text));
    }
}

#[test]
fn strings_that_a_recorded_reader_misreads_are_doubtful() {
    for text in nasty() {
        assert_in_doubt_where_readers_see_no_text(&text);
    }
}

fn assert_in_doubt_where_readers_see_no_text(text: &str) {
    let readings = readings(text);
    for reading in [readings.kubernetes, readings.core_schema, readings.pyyaml] {
        assert!(reading == Reading::Text || doubt::is_doubtful(text), "{text:?} is {reading:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(600) })]

    #[test]
    fn values_are_read_back(value in value()) {
        assert_reads_back(&value);
    }

    #[test]
    fn scalars_that_a_reader_misreads_are_doubtful(
        text in "[-+.]?[0-9xobXOBeE_:.,+a-fA-FnNyYtT-]{0,7}"
    ) {
        assert_in_doubt_where_readers_see_no_text(&text);
    }

    #[test]
    fn streams_are_split_the_same_by_every_reader(values in prop::collection::vec(value(), 1..4)) {
        let maps: Vec<Node> = values.iter().map(|it| node(&json!({ "a": it }))).collect();
        let mut out = String::new();
        print_stream(&maps, &mut out);
        let stream = yaml::split::split(file(), &out);
        prop_assert!(stream.oddities.is_empty(), "{:?} in {}", stream.oddities, out);
        prop_assert_eq!(stream.slices.len(), maps.len());
        for reader in yaml::readers::Reader::ALL {
            let chunks = reader.cut(&out).chunks;
            let read: Vec<Value> =
                chunks.iter().map(|it| read_by_serde_yaml(&out[it.clone()])["a"].take()).collect();
            let place = format!("{reader:?} of {out}");
            assert_same(&Value::from(read), &Value::from(values.clone()), &place);
        }
    }
}

/// A line `---` between documents, but none before the first or after the last, so that every reader
/// splits the stream alike.
fn print_stream<'n>(nodes: impl IntoIterator<Item = &'n Node>, out: &mut String) {
    for (index, node) in nodes.into_iter().enumerate() {
        if index > 0 {
            out.push_str("---\n");
        }
        print_document(node, out);
    }
}

#[test]
fn a_block_at_the_end_of_a_document_is_guarded() {
    let value = node(&json!({ "a": "x\n" }));
    let mut out = String::new();
    print(&value, &mut out);
    assert_eq!(out, "a: |\n  x\n");
    out.clear();
    print_stream([&value, &value], &mut out);
    assert_eq!(out, "a: |\n  x\n# end\n---\na: |\n  x\n# end\n");
}

/// The differences from kubectl's output, with reasons.
const OTHER_THAN_KUBECTL: [(&str, &str); 10] = [
    ("config_map_doubtful_elsewhere", "quotes: readers other than kubectl see no text"),
    ("config_map_emoji", "characters beyond U+FFFF stay as they are"),
    ("config_map_key_with_line_end", "a key stays on one line"),
    ("config_map_line_separators", "escapes: kubectl's own reader loses them"),
    ("config_map_long_key", "a key stays on the line of its value"),
    ("config_map_no_break_space_end", "quotes: Helm trims what cannot be seen"),
    ("config_map_only_line_ends", "an empty block is easily lost"),
    ("config_map_tabs_in_text", "a block: kubectl's one line cannot be read"),
    ("config_map_trailing_blanks", "a block: kubectl's one line cannot be read"),
    ("exponents", "a point and a sign: without these PyYAML reads text"),
];

#[test]
fn objects_are_printed_as_kubectl_prints_them() {
    let recorded = cases(RECORDED);
    assert!(recorded.len() > 60, "the recordings are there");
    let mut failures = Vec::new();
    for Case { name, files, .. } in recorded {
        let [(_, json), (_, recorded)] = files.try_into().expect("JSON, and YAML");
        let recorded = String::from_utf8(recorded).unwrap();
        let value: Value = serde_json::from_slice(&json).unwrap();
        let is_other = OTHER_THAN_KUBECTL.iter().any(|(other, _)| *other == name);
        let tree = if is_other { node(&value) } else { tree_of(&recorded) };
        assert_same(&tree.to_json(), &value, &name);
        let mut out = String::new();
        print(&tree, &mut out);
        if !is_other && out != recorded {
            failures.push(format!("{name}: printed\n{out}\nkubectl:\n{recorded}"));
        }
        if is_other && out.lines().all(|line| recorded.lines().any(|it| it == line)) {
            failures.push(format!("{name}: printed as kubectl does; it is no exception"));
        }
        assert_reads_back(&value);
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn long_keys_and_keys_with_long_escapes_round_trip() {
    for key in ["k".repeat(999), "k".repeat(1001), "a\n".repeat(450), "\u{7}".repeat(300)] {
        let value = json!({ key: { "a": ["b"] }, "c": "d" });
        let text = printed(&value);
        assert_eq!(read_by_us(&text), value, "{text}");
        assert_eq!(read_by_serde_yaml(&text), value, "{text}");
        assert_eq!(read_by_saphyr(&text), value, "{text}");
    }
}

/// A reader of the output must see the text as it is: these characters reorder it.
#[test]
fn marks_of_direction_are_escaped() {
    for mark in ['\u{61c}', '\u{200e}', '\u{200f}', '\u{202a}', '\u{202e}', '\u{2066}', '\u{2069}']
    {
        let value = json!({"a": format!("x{mark}y\n"), "b": [mark.to_string()]});
        let text = printed(&value);
        assert!(!text.contains(mark), "{text}");
        assert_eq!(read_by_us(&text), value);
        assert_eq!(read_by_serde_yaml(&text), value);
    }
    assert_eq!(printed(&json!({"a": "x\u{202e}y"})), "a: \"x\\u202Ey\"\n");
    assert_eq!(printed(&json!({"a": "\u{61b} \u{2010}"})), "a: \u{61b} \u{2010}\n");
}
