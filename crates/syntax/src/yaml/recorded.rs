//! Compares the reader with verdicts of Kubernetes' own reader, which `tools/yaml-oracle` has recorded
//! for generated documents: each document that it accepts is accepted, with the same value.
//!
//! The documents are generated again from their seed.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use super::documents;
use super::mutations::Random;
use crate::diag::{Severity, Sink};
use crate::sorted::{SortedMap, SortedSet};
use crate::source::Workspace;
use crate::tree::{Node, Value};

/// The number of layouts and generated documents. Those with tags follow.
const TEXTS: usize = 120_000;

/// One of this number of documents that Kubernetes rejects is explained, which takes longer than to read it.
const EXPLAINED: usize = if cfg!(debug_assertions) { 40 } else { 1 };

const VERDICTS: &str =
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/yaml-verdicts.txt"));

/// The rules that reject documents that sigs.k8s.io/yaml accepts, each with the reason and the number of
/// recorded documents that it rejects.
const OTHER_REASONS: &[(&str, &str, usize)] = &[
    ("byte-order-mark-inside", "the invisible character is part of a key or value", 369),
    ("document-marker-inside-value", "kubectl reads two halves, and neither is an object", 3),
    ("document-marker-without-blank", "kubectl splits there, and YAML does not", 4),
    ("document-without-marker", "YAML 1.2 has a value of line separators after the `...`", 4),
    ("unicode-line-break-before-marker", "kubectl does not split there, and YAML 1.1 does", 1),
];

/// Manifests to mutate.
const SEEDS: &[&str] = &[
    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, labels: {b: \"c\"}}\ndata:\n  k: |\n    x\n     y\n\n    z\n  l: >-\n    one\n    two\n\n    three\n",
    "a:\n- b: 1\n  c:\n  - d\n  - 'e f'\n- - g\n  - h: [i, j: k, {l: m}]\n",
    "spec:\n  containers:\n    - name: \"web\"\n      image: 'a/b:1.2' # comment\n      args: [\"--x\", -y, z: 1]\n      env:\n        - {name: A, value: \"1\"}\n",
    "base: &base\n  a: 1\n  b: [x, y]\nother:\n  <<: *base\n  c: *base\nlist: [&q z, *q]\n",
    "rule: '(size(self.group) == 0 && self.kind\n  == ''Service'') ? has(self.port) : true'\nnext: \"a: b\n\n  c # d\"\n",
    "{\"apiVersion\": \"v1\", \"kind\": \"Pod\",\n \"spec\": {\"containers\": [{\"name\": \"a\"}, {\"x\": [1, 2.5, null, true]}]}}\n",
    "? a\n: b\n? - c\n  - d\n: e\n",
    "a: !!str 1\nb: !x [c, !!int \"2\"]\nd: !<tag:yaml.org,2002:bool> yes\ne: ! f\n",
    "a: yes\nb: 012\nc: 1_000\nd: .5\ne: ~\nf:\ng: 0x1F\nh: 1e3\n012: i\nyes: j\n1.5: k\n",
    "# c\n---\na: b\n# d\n---\n- c\n...\n---\n\"e\": f\n",
    "a: plain text\n  over lines\n  with: colon\nb: text # comment\n  more\n",
    "a: \"\\x41\\u00e9\\n\\\n   b\\\"\"\nc: 'it''s'\n",
    "key with spaces: v\n\"k\": 'v'\n- x\n",
    "a: |2\n    x\n   y\nb: |+\n  z\n\n\nc: >\n  d\n   e\n  f\n",
];

/// Pieces that are joined at random.
const PIECES: &[&str] = &[
    "a: ", "b:", "b: ", "\n", "\n", "\n", "\n  ", "\n  ", "\n    ", "\n ", "- ", "-", "  ", " ",
    "x", "1", "\"q\"", "'s'", "''", "\"", "'", "|", "|-", "|+", "|2", ">", ">-", "[", "]", "{",
    "}", ", ", ",", ": ", ":", "#", " # c", "x y", "é", "~", "null", "yes", "012", "- - ",
    "a: b\n", "- c\n", "  d: e\n", "\"a\\n\"", "\\", "? ", "?", "&a ", "*a", "!", "!x ", "!!str ",
    "!!int ", "!!map ", "%", "<<: ", "<<", "=", "-1", ".5", "1.0", "a.b/c", "\"k\": ", "'k': ",
    "\n\n", "x:y", "\t", "\n\t", "\r\n", "@", "`", "\u{a0}", "\u{2028}", "\u{85}", "{}", "[]",
    "k: v\n", "\n---\n", "\n...\n", "\u{feff}", "a?b", "::", "?x", "-x", "//", "=: ",
];

/// A quoted string over lines: its first line, and the text of the others.
const CONTINUED: &[&str] = &[
    "b: c", "- b", "b", "# b", "{b}", "'' x", "b:", "? b", "b: 'c", "--- x", "", "\tb", "[", "b\\",
];

/// The layout with a number: a string over lines in each position, with its lines at each column.
fn layout(number: usize) -> Option<String> {
    const POSITIONS: &[(&str, &str)] = &[
        ("a: ", "\nz: 1\n"),
        ("m:\n  a: ", "\n  z: 1\n"),
        ("- ", "\n- z\n"),
        ("m:\n- a: ", "\n  z: 1\n"),
        ("m:\n  - - ", "\n    - z\n"),
        ("{a: ", "}\n"),
        ("m:\n  a: [", ", z]\n"),
        ("a: &x ", "\n"),
        ("a: !!str ", "\n"),
        ("? ", "\n: z\n"),
        ("", ": z\n"),
        ("", "\n"),
    ];
    const STYLES: &[(&str, &str)] =
        &[("'", "'"), ("\"", "\""), ("", ""), ("|\n", ""), (">-\n", "")];
    const BREAKS: &[&str] = &["\n", "\n\n", "\r\n", " \n", " # c\n"];
    let mut rest = number;
    let mut next = |count: usize| {
        let value = rest % count;
        rest /= count;
        value
    };
    let column = next(8);
    let (open, close) = STYLES[next(STYLES.len())];
    let (before, behind) = POSITIONS[next(POSITIONS.len())];
    let text = CONTINUED[next(CONTINUED.len())];
    let line_break = BREAKS[next(BREAKS.len())];
    let lines = 1 + next(2);
    if rest > 0 {
        return None;
    }
    let line = format!("{line_break}{}{text}", " ".repeat(column));
    Some(format!("{before}{open}x{}{close}{behind}", line.repeat(lines)))
}

const TAGS: &[&str] = &[
    "!!binary",
    "!!bool",
    "!!float",
    "!!int",
    "!!map",
    "!!merge",
    "!!null",
    "!!seq",
    "!!str",
    "!!timestamp",
    "!",
    "!x",
];

const SCALARS: &[&str] = &[
    "",
    "~",
    "null",
    "y",
    "yes",
    "False",
    "x",
    "aGk=",
    "0",
    "-0",
    "12",
    "1234567890",
    "-3",
    "012",
    "08",
    "0o7",
    "0x1F",
    "-0b1",
    "0b-1",
    "1_000",
    "1.0",
    "1.",
    ".5",
    "+.5",
    "1e3",
    "1e400",
    ".inf",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "2001-01-01",
    "2001-1-1",
    "2001-02-29",
    "2000-02-29",
    "2001-13-01",
    "2001-01-00",
    "01-01-01",
    "20010-01-01",
    "2001-001-01",
    "2001-01-01 ",
    "2001-01-01T",
    "2001-01-01 1:2:3",
    "2001-01-01  23:59:59.5",
    "2001-01-01 24:00:00",
    "2001-01-01 1:2",
    "2001-01-01 1:2:3Z",
    "2001-12-14 21:59:43.10 -5",
    "2001-12-14T21:59:43.10-05:00",
    "2001-12-14t21:59:43,1Z",
    "2001-12-14T21:59:43",
    "2001-12-14T1:2:3+24:60",
    "2001-12-14T1:2:3+25:00",
    "2001-12-14T1:2:3+1:00",
    "2001-12-14T1:2:3.Z",
    "2001-12-14T1:60:3Z",
    "2001-12-14T1:2:60Z",
    "2001-12-14T1:2:3z",
];

/// Scalars with each tag, as a value, a quoted value, a key and an item.
fn tagged() -> impl Iterator<Item = String> {
    const POSITIONS: &[(&str, &str, &str)] =
        &[("a: ", " ", "\n"), ("a: ", " \"", "\"\n"), ("", " ", ": 1\n"), ("- ", " ", "\n")];
    TAGS.iter().flat_map(|tag| {
        SCALARS.iter().flat_map(move |scalar| {
            POSITIONS
                .iter()
                .map(move |(before, open, close)| format!("{before}{tag}{open}{scalar}{close}"))
        })
    })
}

/// The recorded documents, in order.
fn texts() -> impl Iterator<Item = String> {
    let mut random = Random(0x5eed_0037);
    let generated = std::iter::from_fn(move || {
        if random.below(3) == 0 {
            return Some(
                (0..2 + random.below(11)).map(|_| PIECES[random.below(PIECES.len())]).collect(),
            );
        }
        let seed = SEEDS[random.below(SEEDS.len())];
        Some(random.mutate(seed))
    });
    (0..).map_while(layout).chain(generated).take(TEXTS).chain(tagged())
}

/// The verdict of Kubernetes' reader.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Verdict<'v> {
    Refused,
    /// It reads a part of the text, and drops the rest.
    Dropped,
    /// The hash of the values, and whether keys are repeated.
    Accepted(&'v str, bool),
}

fn verdicts(recorded: &str) -> Vec<Verdict<'_>> {
    let mut verdicts = Vec::new();
    for line in recorded.lines() {
        let mut rest = line;
        while let Some(first) = rest.chars().next() {
            let length = if matches!(first, '-' | '.') { 1 } else { 5 };
            let (code, behind) = rest.split_at(length);
            verdicts.push(match first {
                '-' => Verdict::Refused,
                '.' => Verdict::Dropped,
                _ => Verdict::Accepted(&code[1..], first == '!'),
            });
            rest = behind;
        }
    }
    verdicts
}

/// Compares a text with its verdict. Returns the difference, and counts the rules that reject a text that
/// Kubernetes accepts.
fn compare(
    text: &str,
    verdict: Verdict<'_>,
    is_explained: bool,
    reasons: &mut SortedMap<String, usize>,
) -> Option<String> {
    let mut workspace = Workspace::new();
    let file = workspace.add("a.yaml", text);
    if verdict == Verdict::Refused && !is_explained {
        return None;
    }
    let mut sink = Sink::new();
    let read = documents(file, workspace.file(file).text(), &mut sink).read;
    let errors: SortedSet<_> =
        sink.iter().filter(|it| it.severity == Severity::Error).map(|it| it.rule.name).collect();
    match verdict {
        Verdict::Refused | Verdict::Dropped => {
            errors.is_empty().then(|| format!("accepted, not {verdict:?}"))
        }
        Verdict::Accepted(_, is_repeated) if !errors.is_empty() => {
            // A comment before a marker that ends at a line separator of Unicode hides a document.
            let has_separator = text.contains(['\u{85}', '\u{2028}']);
            let mut is_expected = |rule: &&str| match *rule {
                "duplicate-key" | "document-marker-missing" if is_repeated => true,
                "yaml-syntax" | "line-separator" if has_separator => true,
                rule => {
                    *reasons.entry(rule.to_owned()).or_default() += 1;
                    OTHER_REASONS.iter().any(|(other, ..)| *other == rule)
                }
            };
            let unexpected: Vec<_> = errors.iter().filter(|rule| !is_expected(rule)).collect();
            (!unexpected.is_empty()).then(|| format!("rejected: {errors:?}"))
        }
        Verdict::Accepted(hash, _) => {
            let mut values = String::new();
            for document in read.iter().filter(|it| !it.root.is_null()) {
                canonical(&document.root, &mut values);
            }
            (hash_of(&values) != hash).then(|| format!("another value: {values}"))
        }
    }
}

/// A value as `tools/yaml-oracle` writes it.
fn canonical(node: &Node, out: &mut String) {
    match &node.value {
        Value::Null => out.push('n'),
        Value::Bool(value) => out.push(if *value { 't' } else { 'f' }),
        Value::Int(value) => write!(out, "i{value}").unwrap(),
        Value::UInt(value) => write!(out, "i{value}").unwrap(),
        // Go writes such floats without a point.
        Value::Float(value) if value.fract() == 0.0 && value.abs() < 1e18 => {
            write!(out, "i{value:.0}").unwrap();
            if out.ends_with("i-0") {
                out.truncate(out.len() - 2);
                out.push('0');
            }
        }
        Value::Float(value) => write!(out, "d{:016x}", value.to_bits()).unwrap(),
        Value::String(text) => write!(out, "s{}:{text}", text.len()).unwrap(),
        Value::List(items) => {
            out.push('[');
            items.iter().for_each(|item| canonical(item, out));
            out.push(']');
        }
        Value::Map(map) => {
            out.push('{');
            let mut entries: Vec<_> = map.entries().iter().collect();
            entries.sort_by(|one, other| one.key.as_str().cmp(other.key.as_str()));
            for entry in entries {
                write!(out, "s{}:{}", entry.key.len(), entry.key).unwrap();
                canonical(&entry.value, out);
            }
            out.push('}');
        }
    }
}

/// 24 bits of the FNV-1a hash.
fn hash_of(text: &str) -> String {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let sum = text
        .bytes()
        .fold(2_166_136_261_u32, |sum, byte| (sum ^ u32::from(byte)).wrapping_mul(16_777_619));
    let sum = sum ^ (sum >> 24);
    [18, 12, 6, 0].map(|shift| char::from(DIGITS[(sum >> shift & 63) as usize])).iter().collect()
}

/// The documents of another run: the YAML files below `YAML_FILES`, sorted by path.
pub(super) fn files() -> Option<Vec<(String, String)>> {
    let mut folders = vec![PathBuf::from(std::env::var_os("YAML_FILES")?)];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            let (path, kind) = (entry.path(), entry.file_type().unwrap());
            if kind.is_dir() {
                folders.push(path);
            } else if kind.is_file()
                && path.extension().is_some_and(|it| it == "yaml" || it == "yml")
            {
                files.extend(
                    fs::read_to_string(&path).ok().map(|it| (path.display().to_string(), it)),
                );
            }
        }
    }
    files.sort();
    Some(files)
}

#[test]
fn recorded_texts_are_read_as_kubernetes_reads_them() {
    let texts: Vec<_> = match files() {
        Some(files) => files,
        None => texts().enumerate().map(|(at, text)| (at.to_string(), text)).collect(),
    };
    if let Some(path) = std::env::var_os("YAML_CASES") {
        let cases: String = texts
            .iter()
            .flat_map(|(_, it)| {
                [it.len().to_string(), "\n".to_owned(), it.clone(), "\n".to_owned()]
            })
            .collect();
        fs::write(path, cases).unwrap();
        return;
    }
    let other = std::env::var_os("YAML_VERDICTS").map(|path| fs::read_to_string(path).unwrap());
    let verdicts = verdicts(other.as_deref().unwrap_or(VERDICTS));
    assert_eq!(
        texts.len(),
        verdicts.len(),
        "record the verdicts again: tools/yaml-oracle/record.sh"
    );
    let (mut differences, mut reasons) = (Vec::new(), SortedMap::new());
    for (number, ((name, text), verdict)) in texts.iter().zip(verdicts).enumerate() {
        if let Some(difference) = compare(text, verdict, number % EXPLAINED == 0, &mut reasons) {
            let text = if text.len() < 600 { text.as_str() } else { "" };
            differences.push(format!("{name}: {difference}\n{text:?}"));
        }
    }
    let count = differences.len();
    differences.truncate(100);
    assert!(count == 0, "{count} differences\n{}", differences.join("\n"));
    let expected = OTHER_REASONS.iter().map(|(rule, _, count)| ((*rule).to_owned(), *count));
    if std::env::var_os("YAML_FILES").is_none() {
        assert_eq!(reasons, expected.collect());
    }
}

/// The values of a text, and whether it has an error.
pub(super) fn values(text: &str) -> (String, bool) {
    let mut workspace = Workspace::new();
    let file = workspace.add("a.yaml", text);
    let mut sink = Sink::new();
    let read = documents(file, workspace.file(file).text(), &mut sink).read;
    let mut values = String::new();
    for it in &read {
        canonical(&it.root, &mut values);
    }
    (values, sink.reported().is_some())
}

/// Rules and templates read the tree, so what has the same values has the same verdict.
#[test]
fn the_same_data_in_other_yaml_has_the_same_verdict() {
    let mut compared = 0;
    for text in super::fixture_texts() {
        // A comment can be a part of a block scalar, and a fixture can have characters that are special.
        let is_special = text.contains(['\r', '\t', '\u{feff}']) || !text.ends_with('\n');
        let expected = values(&text);
        if is_special || expected.1 {
            continue;
        }
        let commented = format!("# a comment\n{text}");
        let mut variants = vec![text.replace('\n', "\r\n"), format!("\u{feff}{text}"), commented];
        let mut workspace = Workspace::new();
        let file = workspace.add("a.yaml", text.as_str());
        let read = documents(file, &text, &mut Sink::new()).read;
        let json = read.iter().map(|it| format!("---\n{}\n", it.root.to_json()));
        variants.push(json.collect());
        let pretty =
            read.iter().map(|it| serde_json::to_string_pretty(&it.root.to_json()).unwrap());
        variants.push(pretty.flat_map(|it| ["---\n".to_owned(), it, "\n".to_owned()]).collect());
        // A line separator of Unicode is written with an escape, which JSON does not have.
        variants.retain(|it| !it.contains(['\u{85}', '\u{2028}', '\u{2029}']));
        for variant in variants {
            assert_eq!(values(&variant), expected, "{text}\n{variant}");
            compared += 1;
        }
    }
    assert!(compared > 1_000, "{compared}");
}
