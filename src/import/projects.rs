//! Merges the Projects of several imported files, because an input can have only one.

use crate::kube::Object;
use crate::lower::API_VERSION;
use crate::tree::{Node, Value};

/// Whether an object is a Project.
pub(super) fn is_project(object: &Object) -> bool {
    object.gvk().kind() == "Project" && object.gvk().api_version() == API_VERSION
}

/// Merges the Projects into the first one. A Project with a different value for a field is kept.
pub(super) fn merge(objects: &mut Vec<Object>) {
    let Some(first) = objects.iter().position(is_project) else { return };
    let mut at = first + 1;
    while let Some(object) = objects.get(at) {
        let merged = objects.get(first).filter(|_| is_project(object));
        let merged = merged.and_then(|it| union(&it.root, &object.root));
        match (merged, objects.get_mut(first)) {
            (Some(merged), Some(project)) => {
                project.root = merged;
                objects.remove(at);
            }
            _ => at += 1,
        }
    }
}

/// The union of both, or `None` if they differ in a field.
fn union(one: &Node, other: &Node) -> Option<Node> {
    let mut merged = one.clone();
    match (&mut merged.value, &other.value) {
        (Value::Map(map), Value::Map(others)) => {
            for entry in &others.entries {
                match map.get_mut(entry.key.as_str()) {
                    Some(own) => *own = union(own, &entry.value)?,
                    None => map.insert(entry.key.clone(), entry.key_origin, entry.value.clone()),
                }
            }
        }
        (Value::List(items), Value::List(others)) => {
            let known: Vec<_> = items.iter().map(Node::to_json).collect();
            items.extend(others.iter().filter(|it| !known.contains(&it.to_json())).cloned());
        }
        _ => return (one.to_json() == other.to_json()).then_some(merged),
    }
    Some(merged)
}
