//! Rules read values: the same data in another notation has the same findings.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::{env, fs};

use rayon::prelude::*;
use sandboxc::Workspace;
use saphyr_parser::{Event, Parser, ScalarStyle};

use crate::support::{Fixture, inputs, of_rules, portion, root, sampled};

/// One of this number of notations is compared.
const SAMPLED: u64 = 20;

/// The rules whose findings depend on the notation, and the reason.
const OF_NOTATION: &[(&str, &str)] = &[
    ("colon-before-bracket", "about an unquoted key"),
    ("control-character", "a quoted string can have an escape instead"),
    ("document-end-without-content", "about a line of the file"),
    ("document-indented", "about the columns of the file"),
    ("document-marker-inside-value", "about a line of the file"),
    ("document-marker-missing", "a map in brackets has no line that starts another object"),
    ("document-marker-with-content", "about a line of the file"),
    ("document-without-marker", "about a line of the file"),
    ("escape-not-portable", "about an escape"),
    ("exception-for-error", "about a comment"),
    ("exception-malformed", "about a comment"),
    ("exception-rule-unknown", "about a comment"),
    ("exception-unused", "about a comment"),
    ("exception-without-reason", "about a comment"),
    ("key-over-lines", "about an unquoted key"),
    ("line-of-dashes-with-text", "about a line of the file"),
    ("line-separator", "about a character between the lines of a string"),
    ("missing-space-after-colon", "about an unquoted string"),
    ("missing-space-after-dash", "about an unquoted string"),
    ("placeholder-not-substituted", "unquoted, a template is a map of a map"),
    ("quoted-text-not-indented", "about the columns of the file"),
    ("tab-indentation", "about the columns of the file"),
    ("template-not-quoted", "unquoted, a template is a map of a map"),
    ("too-much-work", "a longer text takes more steps"),
    ("unicode-line-break-before-marker", "about a line of the file"),
    ("unquoted-text-in-brackets", "about an unquoted string"),
    ("yaml-directive", "about a line of the file"),
];

/// The rules that depend on the order of keys, and the reason.
const OF_ORDER: &[(&str, &str)] = &[
    ("duplicate-key", "the first key that is repeated is reported"),
    ("field-missing", "follows from the first unknown field"),
    ("policy-denied", "a policy can list the keys of a map"),
    ("unknown-field", "the first of several fields at one wrong level is reported"),
    ("volume-claim-incomplete", "follows from the first unknown field"),
];

/// A value as written.
enum Value {
    /// A scalar, and whether it has no quotes.
    Scalar(String, bool),
    List(Vec<Value>),
    /// Keys and values in turn.
    Map(Vec<Value>),
}

/// The documents of a text without anchors and tags.
fn documents(text: &str) -> Option<Vec<Value>> {
    let mut stack = vec![Vec::new()];
    for event in Parser::new_from_str(text) {
        let value = match event.ok()?.0 {
            Event::Scalar(text, style, 0, None) => {
                Value::Scalar(text.into_owned(), style == ScalarStyle::Plain)
            }
            Event::SequenceStart(.., 0, None) | Event::MappingStart(.., 0, None) => {
                stack.push(Vec::new());
                continue;
            }
            Event::SequenceEnd => Value::List(stack.pop()?),
            Event::MappingEnd => Value::Map(stack.pop()?),
            Event::Scalar(..)
            | Event::SequenceStart(..)
            | Event::MappingStart(..)
            | Event::Alias(_) => return None,
            _ => continue,
        };
        stack.last_mut()?.push(value);
    }
    stack.pop()
}

/// How a text is written again.
#[allow(clippy::struct_excessive_bools, reason = "each is a choice of its own")]
#[derive(Clone, Copy, Default)]
struct Notation {
    is_flow: bool,
    /// The quote of strings that may have none.
    quote: Option<char>,
    is_reversed: bool,
    is_commented: bool,
    has_aliases: bool,
}

/// Writes documents in a notation.
struct Writer {
    notation: Notation,
    /// The anchor of each scalar of the document.
    anchors: BTreeMap<(String, bool), usize>,
    text: String,
}

impl Writer {
    fn write(notation: Notation, documents: &[Value]) -> String {
        let mut writer = Self { notation, anchors: BTreeMap::new(), text: String::new() };
        for document in documents {
            writer.anchors.clear();
            writer.text.push_str("---");
            if notation.is_flow {
                writer.text.push('\n');
                writer.flow(document, false);
                writer.text.push('\n');
            } else {
                writer.block(document, 0);
            }
        }
        writer.text
    }

    fn entries<'v>(&self, entries: &'v [Value]) -> Vec<&'v [Value]> {
        let mut pairs: Vec<_> = entries.chunks(2).collect();
        if self.notation.is_reversed {
            pairs.reverse();
        }
        pairs
    }

    /// Writes a value behind a dash or a colon, or as a document, with the end of its last line.
    fn block(&mut self, value: &Value, column: usize) {
        match value {
            Value::List(items) if !items.is_empty() => {
                self.end_of_line();
                for item in items {
                    let _ = write!(self.text, "{:column$}-", "");
                    self.block(item, column + 2);
                }
            }
            Value::Map(entries) if !entries.is_empty() => {
                self.end_of_line();
                for pair in self.entries(entries) {
                    let _ = write!(self.text, "{:column$}", "");
                    self.flow(&pair[0], true);
                    self.text.push(':');
                    self.block(&pair[1], column + 2);
                }
            }
            _ => {
                self.text.push(' ');
                self.flow(value, false);
                self.end_of_line();
            }
        }
    }

    fn end_of_line(&mut self) {
        self.text.push_str(if self.notation.is_commented {
            " # a comment\n\n# another\n"
        } else {
            "\n"
        });
    }

    fn flow(&mut self, value: &Value, is_key: bool) {
        match value {
            Value::Scalar(text, is_plain) => self.scalar(text, *is_plain, is_key),
            Value::List(items) => {
                self.text.push('[');
                for (number, item) in items.iter().enumerate() {
                    self.text.push_str(if number == 0 { "" } else { ", " });
                    self.flow(item, false);
                }
                self.text.push(']');
            }
            Value::Map(entries) => {
                self.text.push('{');
                for (number, pair) in self.entries(entries).into_iter().enumerate() {
                    self.text.push_str(if number == 0 { "" } else { ", " });
                    self.flow(&pair[0], true);
                    self.text.push_str(": ");
                    self.flow(&pair[1], false);
                }
                self.text.push('}');
            }
        }
    }

    fn scalar(&mut self, text: &str, is_plain: bool, is_key: bool) {
        if self.notation.has_aliases && !is_key && !text.is_empty() {
            let next = self.anchors.len();
            let number = *self.anchors.entry((text.to_owned(), is_plain)).or_insert(next);
            let _ = write!(self.text, "{}a{number} ", if number == next { '&' } else { '*' });
            if number != next {
                return;
            }
        }
        let is_text = text.starts_with(|c: char| c.is_ascii_alphabetic()) && !is_word(text);
        let has_indicator = text.contains([',', '[', ']', '{', '}', ':', '?', '\n']);
        match self.notation.quote {
            None if is_plain && !(has_indicator && is_text) => self.text.push_str(text),
            Some(_) if is_plain && !is_text => self.text.push_str(text),
            Some('\'') if !text.chars().any(char::is_control) => {
                let _ = write!(self.text, "'{}'", text.replace('\'', "''"));
            }
            _ => self.text.push_str(&serde_json::to_string(text).unwrap()),
        }
    }
}

/// Whether Kubernetes reads a word as something else than a string.
fn is_word(text: &str) -> bool {
    let words = ["y", "n", "yes", "no", "true", "false", "on", "off", "null"];
    words.contains(&text.to_ascii_lowercase().as_str())
}

/// The notations in which a text can be written again.
const NOTATIONS: [&str; 10] = [
    "CRLF",
    "a byte order mark",
    "a comment",
    "block",
    "flow",
    "double quotes",
    "single quotes",
    "comments",
    "another order",
    "aliases",
];

/// A text in another notation that has the same data; `documents` are those of the text.
fn variant(text: &str, documents: &[Value], name: &str) -> String {
    let block = Notation::default();
    let notation = match name {
        "CRLF" => return text.replace('\n', "\r\n"),
        "a byte order mark" => return format!("\u{feff}{text}"),
        "a comment" => return format!("# a comment\n{text}"),
        "block" => block,
        "flow" => Notation { is_flow: true, ..block },
        "double quotes" => Notation { quote: Some('"'), ..block },
        "single quotes" => Notation { quote: Some('\''), ..block },
        "comments" => Notation { is_commented: true, ..block },
        "another order" => Notation { is_reversed: true, ..block },
        "aliases" => Notation { is_flow: true, has_aliases: true, ..block },
        _ => unreachable!("{name} is not in the list"),
    };
    Writer::write(notation, documents)
}

/// The findings of a text, without their positions, and how often each is made.
fn findings(fixture: &Fixture, text: &str, variant: &str) -> BTreeMap<String, usize> {
    let mut workspace = Workspace::new();
    workspace.add(fixture.name.clone(), text);
    let compilation = sandboxc::compile(&workspace, &fixture.options);
    let mut findings = BTreeMap::new();
    for it in &compilation.diagnostics {
        // What is written once can have several findings, which are a group.
        let message = if matches!(variant, "aliases" | "another order") {
            ""
        } else {
            it.details().message.as_prose()
        };
        *findings.entry(format!("{:?} {}: {message}", it.severity, it.rule.name)).or_default() += 1;
    }
    if variant == "aliases" {
        for count in findings.values_mut() {
            *count = 1;
        }
    }
    findings
}

/// Whether a notation of a fixture is compared: all of them with `SAME_DATA=all`, else some.
fn is_sampled(fixture: &str, notation: &str) -> bool {
    let mut hasher = DefaultHasher::new();
    (fixture, notation).hash(&mut hasher);
    hasher.finish().is_multiple_of(SAMPLED) || env::var_os("SAME_DATA").is_some()
}

/// The differences between the findings of a fixture and those of the same data in other notations.
fn differences(fixture: &Fixture) -> Option<Vec<String>> {
    let name = &fixture.name;
    let text = String::from_utf8(fixture.bytes.clone()).ok()?;
    let is_special = text.contains(['\r', '\u{feff}']) || !text.ends_with('\n');
    if is_special
        || text.contains("# file: ")
        || text.contains("# sandboxc:")
        || fixture.is_import
        || !fixture.values.is_empty()
    {
        return None;
    }
    let sampled: Vec<_> = NOTATIONS.into_iter().filter(|it| is_sampled(name, it)).collect();
    if sampled.is_empty() {
        return None;
    }
    let documents = documents(&text)?;
    let mut different = Vec::new();
    for notation in sampled {
        let variant = variant(&text, &documents, notation);
        let expected = findings(fixture, &text, notation);
        let found = findings(fixture, &variant, notation);
        let is_of = |list: &[(&str, &str)]| {
            let rules = expected.keys().chain(found.keys());
            let rules: Vec<_> = rules.filter_map(|it| it.split([' ', ':']).nth(1)).collect();
            list.iter().any(|(rule, _)| rules.contains(rule))
        };
        let is_excluded = is_of(OF_NOTATION) || notation == "another order" && is_of(OF_ORDER);
        if expected != found && !is_excluded {
            different.push(format!("{name} in {notation}\n  {expected:?}\n  {found:?}\n{variant}"));
        }
    }
    Some(different)
}

#[test]
fn the_same_data_has_the_same_findings() {
    let folders = ["compile", "crd", "typos", "security"];
    let inputs = folders.into_iter().flat_map(inputs);
    let mut all = of_rules();
    all.extend(inputs.map(|(name, bytes)| Fixture::new(format!("fixtures/{name}"), bytes)));
    all.extend(walkdir::WalkDir::new(root().join("examples")).into_iter().filter_map(|entry| {
        let path = entry.unwrap().into_path();
        let name = path.strip_prefix(root()).unwrap().to_str().unwrap();
        let is_yaml = path.extension().is_some_and(|it| it == "yaml");
        is_yaml.then(|| Fixture::new(name.to_owned(), fs::read(&path).unwrap()))
    }));
    let compared: Vec<_> = sampled(all, 32).par_iter().filter_map(differences).collect();
    assert!(compared.len() > portion(1_000, 40), "{}", compared.len());
    let different = compared.concat();
    assert!(different.is_empty(), "{} differences\n{}", different.len(), different.join("\n"));
}
