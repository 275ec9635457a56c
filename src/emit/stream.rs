//! Objects as a YAML stream.

use crate::kube::Object;

/// The objects as one YAML stream in the order given, each behind a `---` line but the first.
#[must_use]
pub fn emit_stream(objects: &[Object]) -> String {
    let documents: Vec<_> = objects.iter().map(document).collect();
    documents.join("---\n")
}

/// One object as a YAML document.
pub(super) fn document(object: &Object) -> String {
    let mut text = serde_json::to_string_pretty(&object.root.to_json()).unwrap_or_default();
    text.push('\n');
    text
}
