//! Fields that are written without a value: a missing field is reported at its key.

use crate::diag::{About, Diagnostic, FieldPath, PathStep, Sink, message};
use crate::kube::Object;
use crate::tree::{Entry, Node, Value};

/// Moves each finding about a missing field to the field itself, if the object has it without a
/// value.
pub(super) fn point_at_empty_fields(object: &Object, findings: &mut Sink) {
    for finding in findings.iter_mut() {
        // An unknown field is present, among any number of other fields.
        if matches!(finding.details().about, About::UnknownField(_)) {
            continue;
        }
        let empty = finding.details().path.as_ref().and_then(|path| empty_on(&object.root, path));
        if let Some((entry, field)) = empty {
            point_at(finding, entry, &field);
        }
    }
}

fn point_at(finding: &mut Diagnostic, entry: &Entry, field: &str) {
    let key = entry.key_origin();
    let is_there = key.span().to(entry.value.span()).contains(finding.primary.span);
    if key.layer().is_some() || is_there {
        return;
    }
    let note = message!("`{field}:` without a value counts as missing");
    finding.relocate(key.span(), "no value", note);
}

/// The first field on a path that has no value.
fn empty_on<'o>(root: &'o Node, path: &FieldPath) -> Option<(&'o Entry, String)> {
    let mut node = root;
    for step in path.steps() {
        node = match (step, &node.value) {
            (PathStep::Field(name) | PathStep::Key(name), Value::Map(map)) => {
                let entry = map.entry(name)?;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Workspace;
    use crate::tree::Origin;

    #[test]
    fn the_first_field_without_a_value_is_found() {
        let json = serde_json::json!({"data": {"a": null, "b": [{"c": null}]}});
        let root = Node::from_json(json, Origin::source(Workspace::new().start()));
        let found = |path: &str| empty_on(&root, &FieldPath::from(path)).map(|it| it.1);
        assert_eq!(found("data.a.x").as_deref(), Some("a"));
        assert_eq!(found("data.b[0].c").as_deref(), Some("c"));
        assert!(found("data.b").is_none() && found("data.none").is_none());
    }
}
