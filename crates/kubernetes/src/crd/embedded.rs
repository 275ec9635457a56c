//! The parts of a custom resource that become built-in objects: Pods, volume claims, rules of
//! network policies.

use super::description::{Kind, Record, Value};
use crate::tree::{Node, Path};

/// The callback for a part: the node, its path, and the name of its type in the OpenAPI
/// definitions.
pub(super) type Visit<'v> = dyn FnMut(&Node, Path<'_>, &'static str) + 'v;

/// Calls `visit` for each part of `root` with a Kubernetes type; `root` is an object of `kind` in
/// this version.
pub fn visit_embedded(kind: &Kind, version: &str, root: &Node, visit: &mut Visit<'_>) {
    if let Some(spec) = root.get("spec") {
        let path = Path::root();
        visit_record(kind.spec, version, spec, path.field("spec"), visit);
    }
}

fn visit_record(
    record: &Record,
    version: &str,
    node: &Node,
    path: Path<'_>,
    visit: &mut Visit<'_>,
) {
    for field in record.fields.iter().filter(|field| can_have_parts(field.value)) {
        // Most fields are absent, and this is the cheaper question.
        if let Some(node) = node.get(field.name)
            && field.versions.contains(version)
        {
            visit_value(field.value, version, node, path.field(field.name), visit);
        }
    }
}

/// Whether a value can be or contain a part with a Kubernetes type.
fn can_have_parts(value: Value) -> bool {
    match value {
        Value::Record(_) | Value::Builtin(_) => true,
        Value::List(items) | Value::AtomicList(items) => can_have_parts(*items),
        _ => false,
    }
}

fn visit_value(value: Value, version: &str, node: &Node, path: Path<'_>, visit: &mut Visit<'_>) {
    match value {
        Value::Record(inner) => visit_record(inner, version, node, path, visit),
        Value::List(items) | Value::AtomicList(items) => {
            for (index, item) in node.items().iter().enumerate() {
                visit_value(*items, version, item, path.index(index), visit);
            }
        }
        Value::Builtin(name) => visit(node, path, name),
        Value::Bool
        | Value::Int32(_)
        | Value::Int64(_)
        | Value::Text
        | Value::LimitedText(_)
        | Value::Time
        | Value::Choice(_)
        | Value::TextMap => {}
    }
}
