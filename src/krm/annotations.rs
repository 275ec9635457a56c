//! The annotations by which the program that runs a function remembers its objects.

use crate::tree::{Node, Value};

/// The file of an object, in the current and in an older form.
pub(super) const PATHS: [&str; 2] =
    ["internal.config.kubernetes.io/path", "config.kubernetes.io/path"];
/// The position in the file.
pub(super) const INDEXES: [&str; 2] =
    ["internal.config.kubernetes.io/index", "config.kubernetes.io/index"];
/// What kustomize, and no other program, adds to each item.
pub(super) const KUSTOMIZE_ID: &str = "kustomize.config.k8s.io/id";
/// Marks an object that configures programs, and is never applied.
const LOCAL: &str = "config.kubernetes.io/local-config";

/// Annotations of a definition that are not those of its objects; internal ones have a prefix.
const OF_THE_RUN: [&str; 8] = [
    "config.k8s.io/id",
    "config.kubernetes.io/function",
    "config.kubernetes.io/index",
    "config.kubernetes.io/path",
    LOCAL,
    "kustomize.config.k8s.io/behavior",
    KUSTOMIZE_ID,
    "kustomize.config.k8s.io/needs-hash",
];
const INTERNAL: [&str; 2] = ["internal.config.kubernetes.io/", "internal.kpt.dev/"];

/// The first of some annotations that an object has.
pub(super) fn first_of<'n>(root: &'n Node, names: &[&str]) -> Option<&'n str> {
    names.iter().find_map(|name| root.str_at(&["metadata", "annotations", name]))
}

pub(super) fn is_local(root: &Node) -> bool {
    first_of(root, &[LOCAL]).is_some_and(|value| value != "false")
}

/// Removes the annotations of the run from an object, and from the templates in it.
pub(super) fn remove_of_run(node: &mut Node) {
    let is_of_run = |key: &str| {
        OF_THE_RUN.contains(&key) || INTERNAL.iter().any(|prefix| key.starts_with(prefix))
    };
    match &mut node.value {
        Value::List(items) => items.iter_mut().for_each(remove_of_run),
        Value::Map(map) => {
            let mut has_none = false;
            for field in map.fields_mut() {
                remove_of_run(field.value);
            }
            if let Some(Value::Map(annotations)) =
                map.get_mut("annotations").map(|it| &mut it.value)
                && !annotations.is_empty()
            {
                annotations.retain(|annotation| !is_of_run(&annotation.key));
                has_none = annotations.is_empty();
            }
            if has_none {
                map.remove("annotations");
            }
        }
        _ => {}
    }
}
