//! Objects as a YAML stream.

use crate::kube::Object;
use crate::yaml;

/// The objects as one YAML stream in the order given, each behind a `---` line but the first.
#[must_use]
pub fn emit_stream(objects: &[Object]) -> String {
    let mut text = String::new();
    yaml::print_stream(objects.iter().map(|object| &object.root), &mut text);
    text
}

/// One object as a YAML document.
pub(super) fn document(object: &Object) -> String {
    let mut text = String::new();
    yaml::print_document(&object.root, &mut text);
    text
}
