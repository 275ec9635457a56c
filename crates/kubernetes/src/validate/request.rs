//! The size of the request that creates an object. kubectl sends each object as JSON, and the API
//! server reads a limited number of bytes of a request before it decodes any (`limitedReadBody`).

use crate::diag::{Diagnostic, declare_rules, message};
use crate::kube::{LAST_APPLIED, Object};
use crate::tree::{Entry, Node, Number, Path, Value};

declare_rules! {
    OBJECT_TOO_LARGE = "object-too-large", Error;
    OBJECT_TOO_LARGE_TO_APPLY = "object-too-large-to-apply", Warning;
}

/// The maximum length of a request in bytes (`MaxRequestBodyBytes`).
const LARGEST: usize = 3 * 1024 * 1024;

/// The finding about an object that no request can contain. Nothing else of it is checked, as in the
/// API server.
pub fn too_large(object: &Object) -> Diagnostic {
    let message = message!("{} is larger than {LARGEST} bytes as JSON", object.describe());
    Diagnostic::new(&OBJECT_TOO_LARGE, object.name_span(), message)
        .at("exceeds the limit of a request")
        .path(&Path::root())
        .note(message!(
            "the API server rejects the request: `request entity too large: limit is {LARGEST}`"
        ))
        .note("nothing else of it is checked")
        .help("split it into several objects, or store large values in an image or a volume")
}

/// The maximum number of bytes of JSON for a byte of YAML: of a control character in quotes it is 6, of `1e20` in
/// a list 5.
const LONGEST_PER_BYTE: usize = 8;

/// The maximum length of all annotations of an object, keys and values together, in bytes
/// (`TotalAnnotationSizeLimitB`).
const LONGEST_ANNOTATIONS: usize = 256 * 1024;

/// The maximum length of the data of a ConfigMap or a Secret in bytes (`MaxSecretSize`).
const LONGEST_DATA: usize = 1024 * 1024;

/// What the JSON of an object, as kubectl writes it, is too large for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TooLarge {
    /// An annotation, in which client-side `kubectl apply` stores it.
    ToApply,
    /// A request.
    ToSend,
}

/// Whether the JSON of an object can be too large for anything, if its values are written in this text, each once
/// unless it has an alias.
#[must_use]
pub fn may_be_too_large(text: &str) -> bool {
    text.len() >= LONGEST_ANNOTATIONS / 2 / LONGEST_PER_BYTE
        || memchr::memchr(b'*', text.as_bytes()).is_some()
}

/// What an object is too large for. The JSON of nearly all objects is so short that its characters are not counted.
#[must_use]
pub fn too_large_for(object: &Object) -> Option<TooLarge> {
    let longest = longest_json(&object.root);
    // The annotations of an object are a part of its JSON, and count twice.
    if longest <= LONGEST_ANNOTATIONS / 2 {
        return None;
    }
    // kubectl adds a line break.
    let mut left = LARGEST - 1;
    if longest > left && !fits_in(&object.root, &mut left) {
        return Some(TooLarge::ToSend);
    }
    exceeds_annotation(object).then_some(TooLarge::ToApply)
}

/// Whether client-side `kubectl apply` cannot store an object in its annotation. Larger annotations, and data that no
/// object can have, are errors of their own.
fn exceeds_annotation(object: &Object) -> bool {
    let metadata = object.root.get("metadata");
    let annotations = metadata.and_then(|metadata| metadata.get("annotations"));
    let entries = annotations.map_or(&[][..], Node::entries);
    // What `kubectl get` prints has been applied.
    if entries.iter().any(|entry| entry.key() == LAST_APPLIED) {
        return false;
    }
    let length = |entry: &Entry| entry.key().len() + entry.value().as_str().map_or(0, str::len);
    let own: usize = entries.iter().map(length).sum();
    // kubectl adds an empty map, and a line break at the end.
    let added = if annotations.is_none() { "\"annotations\":{},".len() } else { 0 } + 1;
    let has_data = object.gvk.is("", "ConfigMap") || object.gvk.is("", "Secret");
    let can_exist = !has_data || fits_in(&object.root, &mut { LONGEST_DATA });
    let left = LONGEST_ANNOTATIONS.checked_sub(own + added + LAST_APPLIED.len());
    can_exist && left.is_some_and(|mut left| !fits_in(&object.root, &mut left))
}

/// The finding about an object that is too large for client-side `kubectl apply`.
pub fn too_large_to_apply(object: &Object) -> Diagnostic {
    let message = message!("client-side `kubectl apply` cannot apply {}", object.describe());
    Diagnostic::new(&OBJECT_TOO_LARGE_TO_APPLY, object.name_span(), message)
        .at("its JSON does not fit into an annotation")
        .path(&Path::root())
        .note(message!(
            "kubectl stores the object in the annotation `{LAST_APPLIED}`, and all annotations have at most \
             {LONGEST_ANNOTATIONS} bytes"
        ))
        .help("apply with `kubectl apply --server-side`, and write in the Project who applies: `apply`")
}

/// A length that the JSON of a node does not exceed.
fn longest_json(node: &Node) -> usize {
    /// The maximum length of a number, with the comma after it.
    const NUMBER: usize = 32;
    /// The quotes, and a colon or a comma.
    const AROUND: usize = 4;
    match &node.value {
        Value::String(text) => 6 * text.len() + AROUND,
        Value::List(items) => items.iter().map(longest_json).sum::<usize>() + AROUND,
        Value::Map(map) => {
            let fields = map.entries().iter();
            fields
                .map(|entry| 6 * entry.key.len() + AROUND + longest_json(&entry.value))
                .sum::<usize>()
                + AROUND
        }
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::UInt(_) | Value::Float(_) => NUMBER,
    }
}

/// Subtracts the length of a node's JSON, as Go's encoder writes it, from the bytes that are left.
/// Returns whether they suffice.
fn fits_in(node: &Node, left: &mut usize) -> bool {
    let own = match &node.value {
        Value::Null | Value::Bool(true) => 4,
        Value::Bool(false) => 5,
        Value::Int(value) => number_length(Number::Int(*value)),
        Value::UInt(value) => number_length(Number::UInt(*value)),
        Value::Float(value) => number_length(Number::Float(*value)),
        Value::String(text) => json_length(text),
        // Brackets and commas; a map also has colons.
        Value::List(items) => items.len().max(1) + 1,
        Value::Map(map) => map.entries().len() + map.entries().len().max(1) + 1,
    };
    let Some(rest) = left.checked_sub(own) else { return false };
    *left = rest;
    node.items().iter().all(|item| fits_in(item, left))
        && node.entries().iter().all(|entry| {
            let rest = left.checked_sub(json_length(&entry.key));
            rest.is_some_and(|rest| {
                *left = rest;
                fits_in(&entry.value, left)
            })
        })
}

/// The length of a string with its quotes and escapes; markup characters are escaped as well.
fn json_length(text: &str) -> usize {
    let length = |character: char| match character {
        '"' | '\\' | '\n' | '\r' | '\t' | '\u{8}' | '\u{c}' => 2,
        '\0'..='\u{1f}' | '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => 6,
        other => other.len_utf8(),
    };
    text.chars().map(length).sum::<usize>() + 2
}

/// The length of a number. An integer above `i64::MAX` is a float in Go.
#[allow(clippy::cast_precision_loss, reason = "kubectl reads it as a float as well")]
fn number_length(number: Number) -> usize {
    let float = match number {
        Number::Int(value) => return value.to_string().len(),
        Number::UInt(value) => value as f64,
        Number::Float(value) => value,
    };
    match float.abs() {
        1e21.. => format!("{float:e}").len() + "+".len(),
        0.0 | 1e-6.. => format!("{float}").len(),
        _ => format!("{float:e}").len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::Sink;
    use crate::source::Workspace;
    use crate::yaml;

    /// The YAML whose JSON is longest, for its length.
    #[test]
    fn a_short_text_has_short_json() {
        let letters = || 'a'..='z';
        let names = letters().flat_map(|one| letters().flat_map(move |two| [one, two, ',']));
        let fields: String = names.collect();
        let texts = [
            format!("a: {}", "<".repeat(300)),
            format!("a: \"{}\"", "\\0".repeat(300)),
            format!("a: \"{}\"", "\\L".repeat(300)),
            format!("a: [{}]", "1e20,".repeat(300)),
            format!("a: [{}]", "~,".repeat(300)),
            format!("a: [{}]", "on,".repeat(300)),
            format!("a: {{{fields}}}"),
            format!("a:\n{}", "-\n".repeat(300)),
        ];
        for text in texts {
            let file = Workspace::new().add("a.yaml", text.clone());
            let read = yaml::documents(file, &text, &mut Sink::new()).read;
            let mut left = usize::MAX;
            assert!(fits_in(&read.first().unwrap().root, &mut left));
            let length = usize::MAX - left;
            assert!(
                (text.len()..LONGEST_PER_BYTE * text.len()).contains(&length),
                "{length}: {text}"
            );
        }
    }

    #[test]
    fn a_long_text_and_one_with_an_alias_may_be_too_large() {
        assert!(may_be_too_large(&"a".repeat(LARGEST / LONGEST_PER_BYTE)));
        assert!(may_be_too_large("a: *b"));
        assert!(!may_be_too_large("a: b"));
    }

    /// The lengths of the JSON of scalars, recorded from Go's `encoding/json`.
    #[test]
    fn lengths_match_go() {
        let escapes = "<>&\"\\\n\r\t\u{8}\u{c}\u{0}\u{1f}\u{7f}\u{2028}é😀";
        assert_eq!(json_length(escapes), 2 + 3 * 6 + 7 * 2 + 2 * 6 + 1 + 6 + 2 + 4);
        let floats = [
            (0.0, "0"),
            (-1.5, "-1.5"),
            (1e20, "100000000000000000000"),
            (1e21, "1e+21"),
            (-1.25e300, "-1.25e+300"),
            (0.000_001, "0.000001"),
            (1.5e-7, "1.5e-7"),
        ];
        for (value, json) in floats {
            assert_eq!(number_length(Number::Float(value)), json.len(), "{json}");
        }
        assert_eq!(number_length(Number::Int(-120)), 4);
        assert_eq!(number_length(Number::UInt(u64::MAX)), "18446744073709552000".len());
    }
}
