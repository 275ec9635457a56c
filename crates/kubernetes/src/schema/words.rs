//! Words such as `off` and `yes` in custom resources without a definition: nothing says whether a string
//! or a boolean is meant.

use crate::diag::{Severity, Sink};
use crate::source::Workspace;
use crate::tree::{Node, Path, Value};
use crate::yaml::scalar::{Expected, ambiguity};

/// Notes each unquoted word that Kubernetes reads as a boolean, outside of the metadata.
pub fn note_words(object: &Node, texts: &Workspace, sink: &mut Sink) {
    let root = Path::root();
    for entry in object.entries().iter().filter(|entry| entry.key != "metadata") {
        note_words_in(&entry.value, &entry.key, &root.field(&entry.key), texts, sink);
    }
}

fn note_words_in(value: &Node, key: &str, path: &Path<'_>, texts: &Workspace, sink: &mut Sink) {
    if sink.is_full() {
        return;
    }
    match &value.value {
        Value::Map(map) => {
            for entry in map.entries() {
                note_words_in(&entry.value, &entry.key, &path.field(&entry.key), texts, sink);
            }
        }
        Value::List(items) => {
            for (index, item) in items.iter().enumerate() {
                note_words_in(item, key, &path.index(index), texts, sink);
            }
        }
        Value::Bool(_) if value.is_ambiguous() => {
            let written = texts.slice(value.span());
            if let Some(finding) = ambiguity(value.span(), written, Expected::Text, key) {
                sink.report(finding.path(path).with_severity(Severity::Note));
            }
        }
        _ => {}
    }
}
