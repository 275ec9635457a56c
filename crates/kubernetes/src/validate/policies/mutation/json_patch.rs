//! JSON Patch (RFC 6902), as the API server applies it.

use thin_vec::ThinVec;

use crate::cel::Operation;
use crate::limits::{Fuel, PATCHED_LEVELS};
use crate::tree::{Node, Value};

/// The reason a patch is not applied.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Fault {
    /// The value of a `test` differs.
    Test,
    /// An error of the API server.
    Error(String),
    /// The operations copy and compare too many values: a short patch can copy the object into itself
    /// repeatedly.
    OutOfFuel,
    /// The object would have too many levels.
    TooDeep,
}

/// Applies an operation.
pub(super) fn apply(root: &mut Node, operation: Operation, fuel: &Fuel<'_>) -> Result<(), Fault> {
    let Operation { op, path, from, value } = operation;
    let spend = |has_fuel: bool| if has_fuel { Ok(()) } else { Err(Fault::OutOfFuel) };
    spend(fuel.spend(1 + count_neighbors(root, &path) + count_neighbors(root, &from)))?;
    let check_levels = |added: &Node| {
        let is_deep = path.matches('/').count() + added.levels() > PATCHED_LEVELS.count();
        if is_deep { Err(Fault::TooDeep) } else { Ok(()) }
    };
    value.as_ref().map_or(Ok(()), check_levels)?;
    let origin = root.origin();
    let null = || Node::new(Value::Null, origin);
    let missing = |what: &str, path: &str| {
        Fault::Error(format!(
            "{op} operation does not apply: doc is missing {what}{path}: missing value"
        ))
    };
    let quoted = |path: &str| format!("{path:?}");
    match op.as_str() {
        "add" => {
            let value = value.unwrap_or_else(null);
            add_value(root, &path, value).ok_or_else(|| missing("path: ", &quoted(&path)))
        }
        "remove" => {
            if owner_is_missing(root, &path) {
                return Err(missing("path: ", &quoted(&path)));
            }
            remove_value(root, &path).map(|_| ()).ok_or_else(|| no_key("remove", &path))
        }
        "replace" => {
            // A missing key of a map is added.
            let value = value.unwrap_or_else(null);
            replace_value(root, &path, value).ok_or_else(|| missing("path: ", &path))
        }
        "move" => {
            if owner_is_missing(root, &from) {
                return Err(missing("from path: ", &from));
            }
            let moved = remove_value(root, &from).ok_or_else(|| no_key("move", &from))?;
            check_levels(&moved)?;
            add_value(root, &path, moved).ok_or_else(|| missing("destination path: ", &path))
        }
        "copy" => {
            let source = find_mut(root, &split_path(&from));
            let found = source.ok_or_else(|| missing("from path: ", &from))?;
            spend(fuel.make(found.count()))?;
            let copied = found.clone();
            check_levels(&copied)?;
            add_value(root, &path, copied).ok_or_else(|| missing("destination path: ", &path))
        }
        "test" => {
            spend(fuel.spend(value.as_ref().map_or(0, Node::count)))?;
            let found = find_mut(root, &split_path(&path));
            let is_equal = match (found, &value) {
                (Some(found), Some(value)) => found.same_value(value),
                (found, value) => {
                    found.is_none_or(|it| it.is_null()) && value.as_ref().is_none_or(Node::is_null)
                }
            };
            if is_equal { Ok(()) } else { Err(Fault::Test) }
        }
        other => Err(Fault::Error(format!("Unexpected kind: {other}"))),
    }
}

/// The number of values in the map or list that contains the value at a path.
fn count_neighbors(root: &mut Node, path: &str) -> usize {
    let steps = split_path(path);
    let owner = steps.split_last().and_then(|(_, owner)| find_mut(root, owner));
    owner.map_or(0, |owner| owner.entries().len() + owner.items().len())
}

fn owner_is_missing(root: &mut Node, path: &str) -> bool {
    let steps = split_path(path);
    steps.split_last().is_none_or(|(_, owner)| find_mut(root, owner).is_none())
}

fn no_key(op: &str, path: &str) -> Fault {
    let key = split_path(path).pop().unwrap_or_default();
    let shown = if op == "move" { &key } else { path };
    Fault::Error(format!(
        "error in {op} for path: '{shown}': Unable to remove nonexistent key: {key}: missing value"
    ))
}

/// The steps of a path, unescaped.
fn split_path(path: &str) -> Vec<String> {
    path.split('/').skip(1).map(|step| step.replace("~1", "/").replace("~0", "~")).collect()
}

fn find_mut<'n>(node: &'n mut Node, steps: &[String]) -> Option<&'n mut Node> {
    steps.iter().try_fold(node, |node, step| match &mut node.value {
        Value::Map(map) => map.get_mut(step),
        Value::List(items) => {
            let at = parse_index(step, items.len())?;
            items.get_mut(at)
        }
        _ => None,
    })
}

/// The index of an item; a negative one counts from the end.
fn parse_index(step: &str, length: usize) -> Option<usize> {
    let number: i64 = step.parse().ok()?;
    let distance = usize::try_from(number.unsigned_abs()).ok()?;
    if number < 0 { length.checked_sub(distance) } else { Some(distance) }
}

fn add_value(root: &mut Node, path: &str, value: Node) -> Option<()> {
    put_value(root, path, value, |items, key, value| {
        let length = items.len();
        let at = if key == "-" { length } else { parse_index(key, length)? };
        if at > length {
            return None;
        }
        items.insert(at, value);
        Some(())
    })
}

fn replace_value(root: &mut Node, path: &str, value: Node) -> Option<()> {
    put_value(root, path, value, |items, key, value| {
        let at = parse_index(key, items.len())?;
        *items.get_mut(at)? = value;
        Some(())
    })
}

/// Sets the value at a path. `into_list` puts it into a list, at the last step of the path.
fn put_value(
    root: &mut Node,
    path: &str,
    value: Node,
    into_list: fn(&mut ThinVec<Node>, &str, Node) -> Option<()>,
) -> Option<()> {
    let steps = split_path(path);
    let Some((last, owner)) = steps.split_last() else {
        *root = value;
        return Some(());
    };
    match &mut find_mut(root, owner)?.value {
        Value::Map(map) => map.insert(last.as_str(), value.origin(), value),
        Value::List(items) => return into_list(items, last, value),
        _ => return None,
    }
    Some(())
}

fn remove_value(root: &mut Node, path: &str) -> Option<Node> {
    let steps = split_path(path);
    let (last, owner) = steps.split_last()?;
    match &mut find_mut(root, owner)?.value {
        Value::Map(map) => map.remove(last).map(|it| it.value),
        Value::List(items) => {
            let at = parse_index(last, items.len()).filter(|at| *at < items.len())?;
            Some(items.remove(at))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::source::{Span, Workspace};
    use crate::tree::Origin;

    fn applied(
        document: serde_json::Value,
        operations: &serde_json::Value,
    ) -> Result<String, Fault> {
        let origin = Origin::source(Span::new(Workspace::new().add("x.yaml", ""), 0, 0));
        let mut root = Node::from_json(document, origin);
        let fuel = Fuel::for_values(1_000_000);
        for operation in operations.as_array().unwrap() {
            let text = |key: &str| operation[key].as_str().unwrap_or_default().to_owned();
            let value = operation.get("value").map(|value| Node::from_json(value.clone(), origin));
            apply(
                &mut root,
                Operation { op: text("op"), path: text("path"), from: text("from"), value },
                &fuel,
            )?;
        }
        Ok(root.to_json().to_string())
    }

    // The examples of RFC 6902, Appendix A.
    #[test]
    fn examples_of_the_standard() {
        let cases = [
            (
                json!({"foo": "bar"}),
                json!([{"op": "add", "path": "/baz", "value": "qux"}]),
                r#"{"baz":"qux","foo":"bar"}"#,
            ),
            (
                json!({"foo": ["bar", "baz"]}),
                json!([{"op": "add", "path": "/foo/1", "value": "qux"}]),
                r#"{"foo":["bar","qux","baz"]}"#,
            ),
            (
                json!({"baz": "qux", "foo": "bar"}),
                json!([{"op": "remove", "path": "/baz"}]),
                r#"{"foo":"bar"}"#,
            ),
            (
                json!({"foo": ["bar", "qux", "baz"]}),
                json!([{"op": "remove", "path": "/foo/1"}]),
                r#"{"foo":["bar","baz"]}"#,
            ),
            (
                json!({"baz": "qux"}),
                json!([{"op": "replace", "path": "/baz", "value": "boo"}]),
                r#"{"baz":"boo"}"#,
            ),
            (
                json!({"foo": {"bar": 1, "waldo": 2}, "qux": {}}),
                json!([{"op": "move", "from": "/foo/waldo", "path": "/qux/thud"}]),
                r#"{"foo":{"bar":1},"qux":{"thud":2}}"#,
            ),
            (
                json!({"foo": ["all", "grass", "cows", "eat"]}),
                json!([{"op": "move", "from": "/foo/1", "path": "/foo/3"}]),
                r#"{"foo":["all","cows","eat","grass"]}"#,
            ),
            (
                json!({"foo": "bar"}),
                json!([{"op": "add", "path": "/child", "value": {"a": {}}}]),
                r#"{"child":{"a":{}},"foo":"bar"}"#,
            ),
            (
                json!({"foo": ["bar"]}),
                json!([{"op": "add", "path": "/foo/-", "value": ["abc"]}]),
                r#"{"foo":["bar",["abc"]]}"#,
            ),
            (
                json!({"/": 9, "~1": 10}),
                json!([{"op": "test", "path": "/~01", "value": 10}]),
                r#"{"/":9,"~1":10}"#,
            ),
        ];
        for (document, operations, expected) in cases {
            let patched = applied(document, &operations);
            let read = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
            assert_eq!(patched.as_deref().map(read), Ok(read(expected)));
        }
        let failing = json!([{"op": "test", "path": "/baz", "value": "bar"}]);
        assert_eq!(applied(json!({"baz": "qux"}), &failing), Err(Fault::Test));
        let missing = json!([{"op": "add", "path": "/a/b", "value": 1}]);
        assert!(matches!(applied(json!({"q": {}}), &missing), Err(Fault::Error(_))));
    }

    /// Each operation doubles the object.
    #[test]
    fn copies_are_limited() {
        let doubled = |count| {
            let copies =
                (0..count).map(|at| json!({"op": "copy", "from": "", "path": format!("/{at}")}));
            applied(json!({"a": 1}), &copies.collect())
        };
        assert!(doubled(10).is_ok());
        assert_eq!(doubled(60), Err(Fault::OutOfFuel));
    }

    /// Each operation doubles the levels of the object.
    #[test]
    fn levels_are_limited() {
        let nested = |count: usize| {
            let deepest = |at| "/a".repeat(1_usize << at);
            let copies =
                (0..count).map(|at| json!({"op": "copy", "from": "", "path": deepest(at)}));
            applied(json!({"a": {}}), &copies.collect())
        };
        assert_eq!(nested(7).map(|it| it.matches('{').count()), Ok(129));
        assert_eq!(nested(8), Err(Fault::TooDeep));
        let moved = json!([{"op": "move", "from": "/b", "path": "/a".repeat(245)}]);
        let mut deep = json!({});
        for _ in 0..244 {
            deep = json!({"a": deep});
        }
        assert_eq!(applied(json!({"a": deep, "b": [[[[[1]]]]]}), &moved), Err(Fault::TooDeep));
    }

    #[test]
    fn indexes_of_any_size_are_looked_up() {
        for step in ["-9223372036854775808", "9223372036854775807", "18446744073709551615", "-3"] {
            let path = format!("/a/{step}");
            for op in ["add", "replace", "remove", "test"] {
                let operations = json!([{"op": op, "path": path, "value": 1}]);
                assert!(applied(json!({"a": [1, 2]}), &operations).is_err(), "{op} {path}");
            }
        }
    }
}
