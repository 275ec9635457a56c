//! The order of the fields of objects with many unknown ones.

use super::GroupVersionKind;
use crate::schema::{self, Type};
use crate::tree::{Entry, Node};

/// The number of fields above which a map has unknown ones: the types of Kubernetes have fewer.
const LARGE: usize = 256;
/// The fields below which rules search for others.
const NESTED: [&str; 4] = ["metadata", "spec", "template", "jobTemplate"];

/// Moves unknown fields of a built-in object after the known ones, and drops those of a map above the
/// number that is reported.
///
/// A field is found by a search from the first one, and rules read the fields of an object for each
/// reference to it. An object with unknown fields is not printed, so its order does not matter.
pub fn sort_known_first(root: &mut Node, gvk: &GroupVersionKind, reported: usize) {
    let kind = schema::store::kind(&gvk.group, &gvk.version, &gvk.kind);
    if let Some(object) = kind.and_then(|it| it.definition) {
        sort(root, Type::Object(object), reported);
    }
}

fn sort(node: &mut Node, ty: Type<'_>, reported: usize) {
    let (Some(map), Type::Object(object)) = (node.as_map_mut(), ty.resolve()) else { return };
    if map.entries.len() > LARGE {
        let is_unknown = |it: &Entry| object.property(&it.key).is_none();
        map.entries.sort_by_key(is_unknown);
        let known = map.entries.partition_point(|it| !is_unknown(it));
        map.entries.truncate(known + reported);
    }
    for field in NESTED {
        if let (Some(below), Some(property)) = (map.get_mut(field), object.property(field)) {
            sort(below, property.value, reported);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::source::Workspace;
    use crate::tree::Origin;

    #[test]
    fn unknown_fields_follow_known_ones_if_there_are_many() {
        for (count, first) in [(LARGE, "k0"), (LARGE + 1, "name")] {
            let unknown = (0..count - 1).map(|it| (format!("k{it}"), json!(0)));
            let fields = unknown.chain([("name".to_owned(), json!("a"))]);
            let metadata: Value = fields.collect::<serde_json::Map<_, _>>().into();
            let origin = Origin::source(Workspace::new().start());
            let mut root = Node::from_json(json!({"x": 1, "metadata": metadata}), origin);
            let before = root.to_json();
            sort_known_first(&mut root, &GroupVersionKind::new("v1", "ConfigMap"), 1_000);
            assert_eq!(root.entries()[0].key(), "x");
            assert_eq!(root.entries()[1].value().entries()[0].key(), first);
            assert_eq!(root.to_json(), before);
        }
    }

    #[test]
    fn unknown_fields_that_are_not_reported_are_dropped() {
        let unknown = (0..10_000).map(|it| (format!("k{it}"), json!(0)));
        let fields: Value = unknown.collect::<serde_json::Map<_, _>>().into();
        let origin = Origin::source(Workspace::new().start());
        let mut root = Node::from_json(fields, origin);
        root.set("data", Node::map(origin));
        sort_known_first(&mut root, &GroupVersionKind::new("v1", "ConfigMap"), 9);
        assert_eq!(root.entries().len(), 1 + 9);
        assert_eq!(root.entries()[0].key(), "data");
    }
}
