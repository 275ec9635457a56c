//! Numbers and booleans that idegym reads from other types.

use crate::scalar::pydantic_integer;
use crate::tree::{Node, Value};

/// Paths of integers; `*` means the items of a list. File modes are excluded: idegym reads the
/// octal `"0400"` as a decimal number.
const INTEGERS: &[&[&str]] = &[
    &["container_port"],
    &["max_restarts"],
    &["pod_overrides", "terminationGracePeriodSeconds"],
    &["pod_overrides", "tolerations", "*", "tolerationSeconds"],
    &["server_id"],
    &["server_start_wait_timeout_in_seconds"],
    &["service_port"],
];

/// Paths of booleans.
const BOOLEANS: &[&[&str]] = &[
    &["env_from", "*", "configMapRef", "optional"],
    &["env_from", "*", "secretRef", "optional"],
    &["pod_overrides", "automountServiceAccountToken"],
    &["run_as_root"],
    &["volume_mounts", "*", "readOnly"],
    &["volumes", "*", "configMap", "optional"],
    &["volumes", "*", "persistentVolumeClaim", "readOnly"],
    &["volumes", "*", "secret", "optional"],
];

/// Converts strings to numbers and booleans if they have no other meaning.
pub(super) fn read(request: &mut Node) {
    for path in INTEGERS {
        visit_path(request, path, &mut |node| {
            if let Some(number) = read_integer(&node.value) {
                *node = node.with_value(Value::Int(number));
            }
        });
    }
    for path in BOOLEANS {
        visit_path(request, path, &mut |node| {
            if let Some(boolean) = as_boolean(node) {
                *node = node.with_value(Value::Bool(boolean));
            }
        });
    }
}

fn visit_path(node: &mut Node, path: &[&str], found: &mut dyn FnMut(&mut Node)) {
    let Some((step, rest)) = path.split_first() else { return found(node) };
    match &mut node.value {
        Value::Map(map) => {
            if let Some(value) = map.get_mut(step) {
                visit_path(value, rest, found);
            }
        }
        Value::List(items) if *step == "*" => {
            items.iter_mut().for_each(|item| visit_path(item, rest, found));
        }
        _ => {}
    }
}

/// A boolean, or a string or number that idegym reads as one.
pub(super) fn as_boolean(node: &Node) -> Option<bool> {
    match &node.value {
        Value::Bool(boolean) => Some(*boolean),
        Value::String(text) => read_boolean(text),
        other => match read_integer(other)? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        },
    }
}

/// An integer, or a string that idegym reads as one.
pub(super) fn as_integer(node: &Node) -> Option<i64> {
    read_integer(&node.value)
}

fn read_integer(value: &Value) -> Option<i64> {
    match value {
        Value::Int(number) => Some(*number),
        Value::String(text) => pydantic_integer(text),
        Value::Float(number) if number.fract() == 0.0 => format!("{number:.0}").parse().ok(),
        _ => None,
    }
}

fn read_boolean(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "t" | "yes" | "y" | "on" | "1" => Some(true),
        "false" | "f" | "no" | "n" | "off" | "0" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As idegym's models read them.
    #[test]
    fn strings_of_digits_are_numbers() {
        let text = |text: &str| read_integer(&Value::String(text.into()));
        assert_eq!(text("80"), Some(80));
        assert_eq!(text("1_000"), Some(1000));
        assert_eq!(text("ten"), None);
        assert_eq!(read_integer(&Value::Float(80.0)), Some(80));
        assert_eq!(read_integer(&Value::Float(80.5)), None);
        assert_eq!(
            (read_boolean("True"), read_boolean("off"), read_boolean("maybe")),
            (Some(true), Some(false), None)
        );
    }
}
