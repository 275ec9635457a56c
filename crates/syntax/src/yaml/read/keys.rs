//! Keys of maps: their interpretation by Kubernetes, and duplicates.

use lean_string::LeanStr;

use super::event::{Style, Tag};
use super::tags;
use crate::diag::{About, Diagnostic, Severity, Sink, Words, declare_rules, message};
use crate::source::{FileSpan, Span};
use crate::tree::{Entry, Node, Value};
use crate::yaml::scalar::{self, Expected};

declare_rules! {
    KEY_NOT_TEXT = "key-not-text", Error;
    DUPLICATE_KEY = "duplicate-key", Error;
}

/// The key of an entry whose value follows.
#[derive(Debug)]
pub(super) struct Key {
    pub(super) text: LeanStr,
    pub(super) span: FileSpan,
    /// `<<` without quotes: its value is merged into the map.
    pub(super) is_merge: bool,
}

/// Reads a scalar as a key.
pub(super) fn scalar_key(
    text: &str,
    style: Style,
    tag: Option<&Tag>,
    span: FileSpan,
    sink: &mut Sink,
) -> Key {
    let key = |text: LeanStr| Key { text, span, is_merge: false };
    let is_untagged = tag.is_none() && style == Style::Plain;
    let is_merge_tag = |it: &Tag| matches!(it.name.as_str(), "!" | "tag:yaml.org,2002:merge");
    if text == "<<" && (is_untagged || tag.is_some_and(is_merge_tag)) {
        return Key { text: "<<".into(), span, is_merge: true };
    }
    if tag.is_none() && style != Style::Plain {
        return key(text.into());
    }
    if let Some(read) = tag.and_then(|tag| tags::float_key(text, tag)) {
        return key(as_text(text, Some(read), span, sink));
    }
    if tag.is_some() {
        let (value, _) = tags::scalar_value(text, style, tag, span, sink);
        let read = match value {
            Value::String(text) => return key(text),
            Value::Bool(value) => Some(value.to_string()),
            Value::Int(value) => Some(value.to_string()),
            Value::UInt(_) | Value::Null | Value::List(_) | Value::Map(_) => None,
            Value::Float(_) => scalar::key(text),
        };
        return key(as_text(text, read, span, sink));
    }
    let (value, is_ambiguous) = scalar::read(text);
    if is_ambiguous
        && matches!(value, Some(Value::String(_)))
        && let Some(finding) = scalar::ambiguity(span.into(), text, Expected::Text, "")
    {
        sink.report(finding);
        return key(text.into());
    }
    key(as_text(text, scalar::key(text), span, sink))
}

/// The key to which Kubernetes converts `text`. Reports a key that it changes or rejects.
fn as_text(text: &str, read: Option<String>, span: FileSpan, sink: &mut Sink) -> LeanStr {
    match read {
        Some(read) if read == text => read.into(),
        read => {
            sink.report(not_text(text, read.as_deref(), span));
            read.map_or_else(|| text.into(), LeanStr::from)
        }
    }
}

/// The finding for a key that is not a string and becomes `read` in Kubernetes.
fn not_text(text: &str, read: Option<&str>, span: FileSpan) -> Diagnostic {
    if text.is_empty() {
        return Diagnostic::new(&KEY_NOT_TEXT, span, "missing key before `:`")
            .note("the API server rejects `null` as a key")
            .help("add the key, or quote the string that contains `:`");
    }
    let message = match read {
        Some(read) => message!("unquoted key `{text}` becomes `{read}` in Kubernetes"),
        None if text.starts_with(|c: char| c.is_ascii_digit()) => {
            message!("unquoted key `{text}` is a number that Kubernetes rejects as a key")
        }
        None => message!("unquoted key `{text}` is null in Kubernetes"),
    };
    let mut finding = Diagnostic::new(&KEY_NOT_TEXT, span, message);
    if read.is_some() {
        finding.severity = Severity::Warning;
    }
    if read.is_some() {
        // Kubernetes accepts the key unchanged.
        return finding.suggest(span, scalar::quote(text), "quote the key");
    }
    finding.fix(span, scalar::quote(text), "quote the key")
}

/// Reads a node as a key: an anchored or aliased scalar; a list or map is reported.
pub(super) fn node_key(node: Node, span: FileSpan, sink: &mut Sink) -> Key {
    let key = |text: LeanStr| Key { text, span, is_merge: false };
    let what = match node.value {
        Value::String(text) => return key(text),
        Value::Bool(value) => return key(value.to_string().into()),
        Value::Int(value) => return key(value.to_string().into()),
        Value::Float(value) => return key(scalar::float_key(value).into()),
        Value::List(_) => Words("a list"),
        Value::Map(_) => Words("a map"),
        Value::Null | Value::UInt(_) => Words("a value that is not a string"),
    };
    sink.error(
        Diagnostic::new(&KEY_NOT_TEXT, span, message!("expected a key, found {what}"))
            .note("keys are strings; the API server rejects anything else")
            .help("write a plain key, or quote the whole value if it is a string"),
    );
    Key { text: LeanStr::default(), span, is_merge: false }
}

/// Removes and reports entries with a duplicate key; the first of each is kept.
pub(super) fn check_duplicates(entries: &mut Vec<Entry>, sink: &mut Sink) {
    let pairs = duplicate_positions(entries);
    if pairs.is_empty() {
        return;
    }
    // A map that repeats all its keys from the first one was intended as a list of maps.
    let is_list = pairs.len() > 1 && pairs.first().is_some_and(|(first, _)| *first == 0);
    let restart = pairs.first().and_then(|(_, second)| entries.get(*second));
    let restart = restart.map(|entry| entry.key_origin().span()).filter(|_| is_list);
    for &(first, second) in &pairs {
        let above = second.checked_sub(1).and_then(|above| entries.get(above));
        let empty = above.filter(|entry| entry.value.is_null() && restart.is_none());
        if let (Some(first), Some(second)) = (entries.get(first), entries.get(second)) {
            if let Some(empty) = empty.filter(|entry| entry.key != second.key) {
                sink.report(not_below(empty, first, second));
                continue;
            }
            let finding = Diagnostic::new(
                &DUPLICATE_KEY,
                second.key_origin().span(),
                message!("duplicate key `{}`", second.key),
            )
            .at("defined again here")
            .about(about_repeated_key(first))
            .label(first.key_origin().span(), "first defined here")
            .note("kubectl keeps the last value, and the API server rejects the document");
            let place = second.key_origin().span();
            sink.error(if let Some(restart) = restart {
                // One missing dash duplicates all keys after it.
                let finding = finding.help("if these are list items, start each of them with `- `");
                if restart == place { finding } else { finding.same_mistake_as(restart) }
            } else {
                finding.help("remove or rename one of the two keys")
            });
        }
    }
    let mut at = 0;
    entries.retain(|_| {
        at += 1;
        pairs.binary_search_by_key(&(at - 1), |(_, second)| *second).is_err()
    });
}

fn about_repeated_key(first: &Entry) -> About {
    let kept = first.key_origin().span().to(first.value.span());
    About::DuplicateKey { key: first.key.as_str().into(), kept }
}

/// Reports a duplicate key in the line after a key without a value, which it was meant to be below:
/// one of the two lines has the wrong indentation.
fn not_below(empty: &Entry, first: &Entry, second: &Entry) -> Diagnostic {
    let (key, parent, place) = (&second.key, &empty.key, empty.key_origin().span());
    let message = message!("duplicate key `{key}` after `{parent}`, which has no value");
    Diagnostic::new(&DUPLICATE_KEY, place, message)
        .at("has no value")
        .about(about_repeated_key(first))
        .label(first.key_origin().span(), "first defined here")
        .label(second.key_origin().span(), "defined again here")
        .note("kubectl keeps the last value, and the API server rejects the document")
        .help(message!("indent `{parent}` less than `{key}`, which is probably its first field"))
}

/// The span of the first key of a second object in the map of a document that has the leading keys
/// of an object twice.
pub(super) fn second_object(entries: &[Entry]) -> Option<(Span, Span)> {
    let places = |key: &str| {
        let keys = entries.iter().filter(|entry| entry.key == key);
        let mut places = keys.map(|entry| entry.key_origin().span());
        places.next().zip(places.next())
    };
    let ((first, second), (first_kind, second_kind)) = places("apiVersion").zip(places("kind"))?;
    Some((first.min(first_kind), second.min(second_kind)))
}

/// Whether a map has a duplicate key.
pub(in crate::yaml) fn has_duplicates(entries: &[Entry]) -> bool {
    /// Up to this number, comparing the fingerprints of all pairs takes less than reading the keys.
    const FEW: usize = 8;
    if entries.len() > FEW {
        return may_have_duplicates(entries) && !duplicate_positions(entries).is_empty();
    }
    let mut earlier = entries;
    while let [rest @ .., last] = earlier {
        if rest.iter().any(|entry| entry.key == last.key) {
            return true;
        }
        earlier = rest;
    }
    false
}

/// Whether two keys have the same length and the same letters at some places: the keys of nearly all
/// maps are not compared.
fn may_have_duplicates(entries: &[Entry]) -> bool {
    let mut seen = [0_u64; 16];
    entries.iter().any(|entry| {
        let key = entry.key.as_bytes();
        let letter = |at: usize| key.get(at).copied().map_or(0, usize::from);
        let last = letter(key.len().saturating_sub(1));
        let slot = letter(0) * 7 + letter(key.len() / 2) * 17 + last * 31 + key.len() * 3;
        let Some(slots) = seen.get_mut(slot / 64 % 16) else { return true };
        let bit = 1 << (slot % 64);
        let is_seen = *slots & bit != 0;
        *slots |= bit;
        is_seen
    })
}

/// Pairs of spans: the first entry with a key, and each later one; sorted by the later one.
fn duplicate_positions(entries: &[Entry]) -> Vec<(usize, usize)> {
    const FEW: usize = 12;
    let mut pairs = Vec::new();
    if entries.len() <= FEW {
        for (second, entry) in entries.iter().enumerate() {
            let first = entries.iter().position(|other| other.key == entry.key);
            pairs.extend(first.filter(|first| *first < second).map(|first| (first, second)));
        }
        return pairs;
    }
    let mut order: Vec<(&str, usize)> =
        entries.iter().enumerate().map(|(at, entry)| (entry.key.as_str(), at)).collect();
    order.sort_unstable();
    let mut first: Option<(&str, usize)> = None;
    for (key, at) in order {
        match first {
            Some((known, first)) if known == key => pairs.push((first, at)),
            _ => first = Some((key, at)),
        }
    }
    pairs.sort_unstable_by_key(|(_, second)| *second);
    pairs
}
