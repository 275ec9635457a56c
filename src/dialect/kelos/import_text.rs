//! Strings of imported resources that kelos copies into a Pod, where the kubelet expands `$(NAME)`. Those of
//! definitions are never expanded: an imported one loses the escapes that `build` adds.

use crate::kube::unescape_expansion;
use crate::source::Span;
use crate::tree::{Node, Value};

/// The field of each kind.
const FIELDS: [(&str, &[&str]); 4] = [
    ("Task", &["spec", "prompt"]),
    ("TaskSpawner", &["spec", "taskTemplate", "promptTemplate"]),
    ("Workspace", &["spec", "setupCommand"]),
    ("AgentConfig", &["spec", "agentsMD"]),
];

/// Removes the escapes of a resource. Returns the spans of strings that the kubelet changes, which no
/// definition can express; they are left as they are.
pub(super) fn unescape(root: &mut Node) -> Vec<Span> {
    let kind = root.text_at(&["kind"]);
    let Some((_, path)) = FIELDS.into_iter().find(|field| field.0 == kind) else {
        return Vec::new();
    };
    let mut changed = Vec::new();
    match path.iter().try_fold(root, |node, key| node.get_mut(key)) {
        Some(Node { value: Value::List(words), .. }) => {
            changed.extend(words.iter_mut().filter_map(unescape_text));
        }
        Some(text) => changed.extend(unescape_text(text)),
        None => {}
    }
    changed
}

/// Removes the escapes of a string. Returns the span of one that the kubelet changes.
pub(super) fn unescape_text(node: &mut Node) -> Option<Span> {
    let Some(plain) = unescape_expansion(node.as_str()?) else { return Some(node.span()) };
    node.value = Value::String(plain.into());
    None
}
