//! Plain scalars: the values that Kubernetes and other readers read, and the findings if they
//! differ.
//!
//! Kubernetes reads manifests with go-yaml v2: YAML 1.1 words and numbers, without base 60 and
//! dates. Other tools read the same text with the YAML 1.2 core schema or like PyYAML.

mod ambiguity;
mod core_schema;
mod kubernetes;
mod number;
mod pyyaml;
mod reading;
#[doc(hidden)]
pub mod recorded;
mod repeated;
mod timestamp;

pub use ambiguity::{Expected, RULES, ambiguity, quote};
pub use pyyaml::value as python_value;
pub use reading::written;
#[doc(hidden)]
pub use reading::{Reading, readings};
pub(in crate::yaml) use repeated::shared;

use crate::tree::Value;

/// The value that Kubernetes reads from a plain scalar, and whether another reader reads another
/// value.
///
/// `.inf` and `.nan` have no value in Kubernetes, which converts YAML to JSON; they are `None`.
pub fn read(text: &str) -> (Option<Value>, bool) {
    if let Some(value) = undoubted_value(text) {
        return (Some(value), false);
    }
    let reading = kubernetes::read(text);
    let is_ambiguous = reading != core_schema::read(text) || reading != pyyaml::read(text);
    (reading.into_value(text), is_ambiguous)
}

/// The string to which Kubernetes converts a plain scalar that is a key, or `None` if it rejects
/// the key.
pub(in crate::yaml) fn key(text: &str) -> Option<String> {
    kubernetes::key(text)
}

/// Whether Kubernetes accepts a scalar with the tag of YAML with this name.
pub(in crate::yaml) fn has_tagged_value(tag: &str, text: &str) -> bool {
    match tag {
        "int" => kubernetes::is_integer(text),
        "float" => kubernetes::is_float(text),
        "bool" => matches!(kubernetes::read(text), reading::Reading::Boolean(_)),
        "null" => kubernetes::read(text) == reading::Reading::Null,
        "timestamp" => timestamp::is_timestamp(text),
        _ => true,
    }
}

/// The string to which Kubernetes converts a float that is a key.
pub(in crate::yaml) fn float_key(value: f64) -> String {
    kubernetes::float_key(value)
}

/// The value of the frequent scalars that no reader doubts: words that begin like no number and no
/// special word, and short decimal integers.
fn undoubted_value(text: &str) -> Option<Value> {
    let bytes = text.as_bytes();
    match bytes.first()? {
        b'1'..=b'9' => match bytes.iter().position(|byte| !byte.is_ascii_digit()) {
            None if bytes.len() <= 18 => text.parse().ok().map(Value::Int),
            // `250m` and `64Mi`; digits with an exponent are numbers.
            Some(end) if bytes.len() <= 16 => {
                let unit = bytes.get(end..)?;
                let is_word = unit.iter().all(u8::is_ascii_alphabetic);
                let is_text = is_word && !matches!(unit.first()?, b'e' | b'E');
                is_text.then(|| Value::String(text.into()))
            }
            _ => None,
        },
        b't' if text == "true" => Some(Value::Bool(true)),
        b'f' if text == "false" => Some(Value::Bool(false)),
        _ => is_undoubted_text(text).then(|| Value::String(shared(text))),
    }
}

/// Whether all readers read a string from a plain scalar, as from most keys and words. If not, some of
/// them may read something else.
pub(in crate::yaml) fn is_undoubted_text(text: &str) -> bool {
    match text.as_bytes().first() {
        None | Some(b'~' | b'.' | b'+' | b'-' | b'=' | b'<' | b'0'..=b'9') => false,
        Some(b'y' | b'Y' | b'n' | b'N' | b't' | b'T' | b'f' | b'F' | b'o' | b'O') => {
            text.len() > 5 || text == "name" || is_plain_word(text)
        }
        Some(_) => true,
    }
}

/// Whether a short text consists of letters and is not a special word.
fn is_plain_word(text: &str) -> bool {
    let words = ["y", "n", "yes", "no", "on", "off", "true", "false", "null"];
    text.bytes().all(|byte| byte.is_ascii_alphabetic())
        && !words.iter().any(|word| word.eq_ignore_ascii_case(text))
}

#[cfg(test)]
mod tests;
