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
        record(kind.spec, version, spec, path.field("spec"), visit);
    }
}

fn record(record: &Record, version: &str, node: &Node, path: Path<'_>, visit: &mut Visit<'_>) {
    for field in record.fields.iter().filter(|it| can_have_parts(it.value)) {
        // Most fields are absent, and this is the cheaper question.
        if let Some(node) = node.get(field.name)
            && field.versions.contains(version)
        {
            value(field.value, version, node, path.field(field.name), visit);
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

fn value(value: Value, version: &str, node: &Node, path: Path<'_>, visit: &mut Visit<'_>) {
    match value {
        Value::Record(it) => record(it, version, node, path, visit),
        Value::List(items) | Value::AtomicList(items) => {
            for (index, item) in node.items().iter().enumerate() {
                self::value(*items, version, item, path.index(index), visit);
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
