//! Compares two sets of objects, field by field.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::differences::Target;
use super::quantity::{is_quantity, same_quantity};

/// Objects by kind, namespace and name.
pub(crate) type Objects<'o> = BTreeMap<Key, &'o Value>;

/// The objects of one side. Two objects with the same identity cannot both be applied.
pub(crate) fn objects_by_name(objects: &[Value]) -> Objects<'_> {
    let mut all = BTreeMap::new();
    for object in objects {
        let text = |value: &Value| value.as_str().unwrap_or("").to_owned();
        let metadata = &object["metadata"];
        let key = (text(&object["kind"]), text(&metadata["namespace"]), text(&metadata["name"]));
        assert!(all.insert(key.clone(), object).is_none(), "{key:?} is there twice");
    }
    all
}

/// Each path at which the two sides differ, with both values. An object whose name only exists on
/// one side is compared with the most similar object of the other side that has no counterpart
/// either.
pub(crate) fn compare(recorded: &Objects<'_>, ours: &Objects<'_>) -> Vec<(Target, String)> {
    let mut found = Vec::new();
    let renamed = renamed(recorded, ours);
    let keys: BTreeSet<_> = recorded.keys().chain(ours.keys()).collect();
    for key in keys.into_iter().filter(|key| !renamed.values().any(|it| it == key)) {
        let (kind, _, name) = key;
        let mut report = |path: Vec<String>, detail| {
            found.push((Target::Field { kind: kind.clone(), name: name.clone(), path }, detail));
        };
        match (recorded.get(key), ours.get(renamed.get(key).copied().unwrap_or(key))) {
            (Some(recorded), Some(ours)) => walk(&mut Vec::new(), recorded, ours, &mut report),
            (Some(_), None) => report(Vec::new(), "only the system makes this object".to_owned()),
            (None, _) => report(Vec::new(), "only sandboxc makes this object".to_owned()),
        }
    }
    found
}

type Key = (String, String, String);

/// The objects with a different name on our side: the recorded key, and ours.
fn renamed<'k>(recorded: &'k Objects<'_>, ours: &'k Objects<'_>) -> BTreeMap<&'k Key, &'k Key> {
    let mut renamed = BTreeMap::new();
    let mut pairs = Vec::new();
    for (key, left) in recorded.iter().filter(|it| !ours.contains_key(it.0)) {
        for (other, right) in ours.iter().filter(|it| !recorded.contains_key(it.0)) {
            if (&key.0, &key.1) == (&other.0, &other.1) {
                let mut count = 0;
                walk(&mut Vec::new(), left, right, &mut |_, _| count += 1);
                pairs.push((count, key, other));
            }
        }
    }
    pairs.sort();
    for (_, key, other) in pairs {
        if !renamed.contains_key(key) && !renamed.values().any(|it| *it == other) {
            renamed.insert(key, other);
        }
    }
    renamed
}

type Report<'r> = &'r mut dyn FnMut(Vec<String>, String);

fn walk(path: &mut Vec<String>, recorded: &Value, ours: &Value, report: Report<'_>) {
    match (recorded, ours) {
        (Value::Object(left), Value::Object(right)) => {
            let keys: BTreeSet<_> = left.keys().chain(right.keys()).collect();
            for key in keys {
                let present = |value: Option<&Value>| value.is_some_and(|it| !is_absent(key, it));
                path.push(key.clone());
                match (present(left.get(key)), present(right.get(key))) {
                    (true, true) => walk(path, &left[key], &right[key], report),
                    (false, false) => {}
                    (true, false) => only(path, "the system", &left[key], report),
                    (false, true) => only(path, "sandboxc", &right[key], report),
                }
                path.pop();
            }
        }
        (Value::Array(left), Value::Array(right)) => match identity(left, right) {
            Some(key) => walk_keyed(path, key, left, right, report),
            None => walk_positions(path, left, right, report),
        },
        _ if recorded == ours || is_quantity(path) && same_quantity(recorded, ours) => {}
        _ => report(path.clone(), format!("the system has {recorded}, sandboxc has {ours}")),
    }
}

fn only(path: &[String], side: &str, value: &Value, report: Report<'_>) {
    report(path.to_vec(), format!("only {side} has it: {value}"));
}

/// Whether the API server stores the object without this field. Go's encoder writes
/// `resources: {}` if it is not set.
fn is_absent(key: &str, value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Object(map) => map.is_empty() && matches!(key, "nodeSelector" | "resources"),
        Value::Array(items) => items.is_empty() && key == "env",
        Value::Bool(is_set) => !is_set && matches!(key, "hostNetwork" | "readOnly"),
        _ => false,
    }
}

/// The field that identifies the items of both lists.
fn identity(left: &[Value], right: &[Value]) -> Option<&'static str> {
    ["name", "mountPath", "path", "key"].into_iter().find(|key| {
        [left, right].iter().all(|list| {
            let names: BTreeSet<_> = list.iter().filter_map(|it| it[*key].as_str()).collect();
            names.len() == list.len()
        })
    })
}

fn walk_keyed(
    path: &mut Vec<String>,
    key: &str,
    left: &[Value],
    right: &[Value],
    report: Report<'_>,
) {
    let name = |item: &Value| item[key].as_str().unwrap_or("").to_owned();
    let find = |list: &[Value], wanted: &str| list.iter().position(|it| name(it) == wanted);
    let common = |list: &[Value], other: &[Value]| -> Vec<String> {
        list.iter().map(name).filter(|it| find(other, it).is_some()).collect()
    };
    let (left_order, right_order) = (common(left, right), common(right, left));
    if left_order != right_order {
        let detail = format!("the system's order is {left_order:?}, sandboxc's {right_order:?}");
        report(path.clone(), detail);
    }
    for item in left {
        path.push(format!("[{}]", name(item)));
        match find(right, &name(item)) {
            Some(at) => walk(path, item, &right[at], report),
            None => only(path, "the system", item, report),
        }
        path.pop();
    }
    for item in right.iter().filter(|it| find(left, &name(it)).is_none()) {
        path.push(format!("[{}]", name(item)));
        only(path, "sandboxc", item, report);
        path.pop();
    }
}

fn walk_positions(path: &mut Vec<String>, left: &[Value], right: &[Value], report: Report<'_>) {
    for at in 0..left.len().max(right.len()) {
        path.push(format!("[{at}]"));
        match (left.get(at), right.get(at)) {
            (Some(left), Some(right)) => walk(path, left, right, report),
            (Some(left), None) => only(path, "the system", left, report),
            (None, Some(right)) => only(path, "sandboxc", right, report),
            (None, None) => {}
        }
        path.pop();
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn paths(recorded: Value, ours: Value) -> Vec<String> {
        let wrap = |spec| vec![json!({"kind": "Job", "metadata": {"name": "a"}, "spec": spec})];
        let (recorded, ours) = (wrap(recorded), wrap(ours));
        let found = compare(&objects_by_name(&recorded), &objects_by_name(&ours));
        found.into_iter().map(|(target, _)| target.to_string()).collect()
    }

    #[test]
    fn equal_objects_do_not_differ() {
        let none: Vec<String> = Vec::new();
        assert_eq!(paths(json!({"a": 1, "b": [1, 2]}), json!({"b": [1, 2], "a": 1})), none);
        assert_eq!(paths(json!({"a": null, "resources": {}}), json!({})), none);
        let cpu = |text| json!({"resources": {"limits": {"cpu": text}}});
        assert_eq!(paths(cpu("500m"), cpu("0.5")), none);
    }

    #[test]
    fn each_difference_is_named_by_its_path() {
        assert_eq!(paths(json!({"a": 1}), json!({"a": 2})), ["Job/a spec.a"]);
        assert_eq!(paths(json!({"a": {}}), json!({})), ["Job/a spec.a"]);
        assert_eq!(paths(json!({"a": [1]}), json!({"a": [1, 2]})), ["Job/a spec.a[1]"]);
        assert_eq!(paths(json!({"a": "0.5"}), json!({"a": "500m"})), ["Job/a spec.a"]);
        assert_eq!(
            paths(json!({"x.y/z": {"b": 1}}), json!({"x.y/z": {"b": 2}})),
            ["Job/a spec[\"x.y/z\"].b"]
        );
    }

    #[test]
    fn named_items_are_matched_by_name_and_keep_their_order() {
        let env = |names: &[&str]| json!({"env": names.iter().map(|name| json!({"name": name})).collect::<Vec<_>>()});
        assert_eq!(paths(env(&["A", "C"]), env(&["A", "B", "C"])), ["Job/a spec.env[B]"]);
        assert_eq!(paths(env(&["A", "B"]), env(&["B", "A"])), ["Job/a spec.env"]);
        assert_eq!(paths(env(&["A", "A"]), env(&["A"])), ["Job/a spec.env[1]"]);
    }

    #[test]
    fn a_renamed_object_is_matched_with_the_most_similar_one() {
        let job = |name, image| json!({"kind": "Job", "metadata": {"name": name}, "spec": {"image": image}});
        let recorded = [job("a-1", "x"), job("b-1", "y")];
        let ours = [job("a-2", "y"), job("b-2", "x"), job("c-2", "z")];
        let found = compare(&objects_by_name(&recorded), &objects_by_name(&ours));
        let found: Vec<_> = found.into_iter().map(|(target, _)| target.to_string()).collect();
        assert_eq!(found, ["Job/a-1 metadata.name", "Job/b-1 metadata.name", "Job/c-2"]);
    }

    #[test]
    fn an_object_of_one_side_is_a_difference() {
        let object = [json!({"kind": "Job", "metadata": {"name": "a"}})];
        let found = compare(&objects_by_name(&object), &objects_by_name(&[]));
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].0.to_string(), "Job/a");
    }
}
