//! Fields that are written without a value: a missing field is reported at its key.

use std::collections::BTreeMap;

use crate::diag::{About, Diagnostic, FieldPath, PathStep, Sink};
use crate::kube::Object;
use crate::tree::{Entry, Map, Node, Value};

/// Moves each finding about a missing field to the field itself, if the object has it without a
/// value.
pub(super) fn point_at_empty_fields(object: &Object, findings: &mut Sink) {
    let mut fields = Fields::default();
    for finding in findings.iter_mut() {
        // An unknown field is present, among any number of other fields.
        if matches!(finding.details().about, About::UnknownField(_)) {
            continue;
        }
        let empty =
            finding.details().path.as_ref().and_then(|path| fields.empty_on(&object.root, path));
        if let Some((entry, field)) = empty {
            point_at(finding, entry, &field);
        }
    }
}

fn point_at(finding: &mut Diagnostic, entry: &Entry, field: &str) {
    let key = entry.key_origin;
    let is_there = key.span().to(entry.value.span()).contains(finding.primary.span);
    if key.layer().is_some() || is_there {
        return;
    }
    let note = format!("`{field}:` without a value counts as missing");
    finding.relocate(key.span(), "no value", note);
}

/// The number of entries above which a map gets an index: thousands of findings can be about entries
/// of one map.
const LARGE: usize = 32;

/// The entries of the large maps of an object by key, each map identified by its entries.
#[derive(Default)]
struct Fields<'o>(BTreeMap<*const Entry, BTreeMap<&'o str, &'o Entry>>);

impl<'o> Fields<'o> {
    /// The first field on a path that has no value.
    fn empty_on(&mut self, root: &'o Node, path: &FieldPath) -> Option<(&'o Entry, String)> {
        let mut node = root;
        for step in path.steps() {
            node = match (step, &node.value) {
                (PathStep::Field(name) | PathStep::Key(name), Value::Map(map)) => {
                    let entry = self.entry(map, name)?;
                    if entry.value.is_null() {
                        return Some((entry, name.to_string()));
                    }
                    &entry.value
                }
                (PathStep::Index(index), Value::List(items)) => items.get(*index)?,
                _ => return None,
            };
        }
        None
    }

    fn entry(&mut self, map: &'o Map, key: &str) -> Option<&'o Entry> {
        if map.entries.len() <= LARGE {
            return map.entry(key);
        }
        let index = || map.entries.iter().rev().map(|it| (it.key.as_str(), it)).collect();
        let entries = self.0.entry(map.entries.as_ptr()).or_insert_with(index);
        entries.get(key).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Workspace;
    use crate::tree::Origin;

    #[test]
    fn a_large_map_is_indexed_once() {
        let json: serde_json::Map<_, _> = (0..=LARGE)
            .map(|it| (format!("key{it:02}"), if it % 2 == 0 { 1.into() } else { ().into() }))
            .collect();
        let root = Node::from_json(
            serde_json::json!({"data": json}),
            Origin::source(Workspace::new().start()),
        );
        let mut fields = Fields::default();
        for at in 0..=LARGE {
            let path = FieldPath::from(format!("data.key{at:02}").as_str());
            let found = fields.empty_on(&root, &path).map(|(entry, field)| (&*entry.key, field));
            let name = format!("key{at:02}");
            assert_eq!(found, (at % 2 == 1).then(|| (name.as_str(), name.clone())));
        }
        assert_eq!(fields.0.len(), 1);
        assert!(fields.empty_on(&root, &FieldPath::from("data.none")).is_none());
    }
}
