//! Server-side apply of a configuration, without field managers.
//!
//! Follows `Merge` of sigs.k8s.io/structured-merge-diff, and `validatePatch` of k8s.io/apiserver,
//! `pkg/admission/plugin/policy/mutating/patch`.

use crate::schema::{ListType, Object, Property, Type, is_atomic_field};
use crate::sorted::{SortedMap, SortedSet};
use crate::tree::{Map, Node, Value};

/// Merges a configuration into an object.
pub(super) fn apply(root: &mut Node, mut patch: Node, ty: Type<'_>) -> Result<(), String> {
    if let Some(map) = patch.as_map_mut() {
        map.retain(|entry| !matches!(entry.key.as_str(), "apiVersion" | "kind"));
    }
    let mut atomic = Vec::new();
    check_patch(&patch, ty, "", &mut atomic)?;
    if !atomic.is_empty() {
        return Err(format!(
            "invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: {}",
            atomic.join(", ")
        ));
    }
    merge_patch(root, patch, ty);
    Ok(())
}

/// Checks that the configuration fits the schema, and collects its atomic values.
fn check_patch(
    node: &Node,
    ty: Type<'_>,
    path: &str,
    atomic: &mut Vec<String>,
) -> Result<(), String> {
    let fault = |text: String| {
        Err(format!("failed to convert patch object to typed object: {path}: {text}"))
    };
    match (ty.base(), &node.value) {
        (_, Value::Null) => {}
        (Type::Object(object), Value::Map(map)) => {
            if object.is_atomic {
                atomic.push(path.to_owned());
            }
            for entry in map.entries() {
                let below = format!("{path}.{}", entry.key);
                let Some(property) = object.property(&entry.key) else {
                    if object.others.is_some() {
                        continue;
                    }
                    return Err(format!(
                        "failed to convert patch object to typed object: {below}: field not \
                         declared in schema"
                    ));
                };
                if is_atomic_field(object.name, &entry.key) {
                    atomic.push(below.clone());
                }
                check_patch(&entry.value, property.value, &below, atomic)?;
            }
        }
        (Type::Map(values), Value::Map(map)) => {
            for entry in map.entries() {
                check_patch(&entry.value, *values, &format!("{path}.{}", entry.key), atomic)?;
            }
        }
        (Type::List(list), Value::List(items)) => {
            if list.identity == ListType::Atomic {
                atomic.push(path.to_owned());
            }
            for (index, item) in items.iter().enumerate() {
                check_patch(item, list.items, &format!("{path}[{index}]"), atomic)?;
            }
        }
        (Type::Any, Value::List(_)) => atomic.push(path.to_owned()),
        (Type::Object(_) | Type::Map(_), _) => {
            return fault(format!("expected map, got {}", kind_of_value(node)));
        }
        (Type::List(_), _) => return fault(format!("expected list, got {}", kind_of_value(node))),
        (Type::Bool, value) if !matches!(value, Value::Bool(_)) => {
            return fault(format!("expected boolean, got {}", kind_of_value(node)));
        }
        (Type::Int32 | Type::Int64 | Type::Number, _) if node.as_number().is_none() => {
            return fault(format!("expected numeric (int or float), got {}", kind_of_value(node)));
        }
        (Type::String(_) | Type::Enum(_) | Type::Choice(_), value)
            if !matches!(value, Value::String(_)) =>
        {
            return fault(format!("expected string, got {}", kind_of_value(node)));
        }
        _ => {}
    }
    Ok(())
}

/// The type of a value, in the words of the API server.
const fn kind_of_value(node: &Node) -> &'static str {
    match &node.value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Int(_) | Value::UInt(_) => "int",
        Value::Float(_) => "float",
        Value::String(_) => "string",
        Value::List(_) => "list",
        Value::Map(_) => "map",
    }
}

fn merge_patch(node: &mut Node, patch: Node, ty: Type<'_>) {
    let origin = patch.origin();
    match (&mut node.value, patch.value, ty.base()) {
        (Value::Map(own), Value::Map(patch), ty) => merge_maps(own, patch, ty),
        (Value::List(own), Value::List(patch), Type::List(list)) => match list.identity {
            ListType::Atomic => *own = patch,
            ListType::Set => {
                let mut known: SortedSet<_> = own.iter().map(Node::identity).collect();
                own.extend(patch.into_iter().filter(|item| known.insert(item.identity())));
            }
            ListType::Map(keys) => {
                let identity = |item: &Node| -> Vec<_> {
                    keys.iter().map(|key| value_of(item, list.items, key)).collect()
                };
                let all = own.iter().enumerate().rev().map(|(at, item)| (identity(item), at));
                let mut positions: SortedMap<_, _> = all.collect();
                for item in patch {
                    let at = *positions.entry(identity(&item)).or_insert(own.len());
                    match own.get_mut(at) {
                        Some(known) => merge_patch(known, item, list.items),
                        None => own.push(item),
                    }
                }
            }
        },
        (_, value, _) => *node = Node::new(value, origin),
    }
}

fn merge_maps(own: &mut Map, patch: Map, ty: Type<'_>) {
    for entry in patch.into_entries() {
        let below = match ty {
            Type::Object(object) => object.property(&entry.key).map(|it| it.value),
            Type::Map(values) => Some(*values),
            _ => None,
        };
        match own.get_mut(&entry.key) {
            Some(known) => merge_patch(known, entry.value, below.unwrap_or(Type::Any)),
            None => own.push(entry),
        }
    }
}

/// The value of a key of an item of a list, or its default, as JSON.
fn value_of(item: &Node, ty: Type<'_>, key: &str) -> Option<String> {
    let default = || {
        let Type::Object(object) = ty.base() else { return None };
        default_of(object, key)
    };
    item.get(key).map(|value| value.to_json().to_string()).or_else(default)
}

fn default_of(object: &Object<'_>, key: &str) -> Option<String> {
    object.property(key).and_then(|property: &Property<'_>| property.default).map(ToOwned::to_owned)
}
