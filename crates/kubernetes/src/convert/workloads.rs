//! Workloads of `extensions/v1beta1` and `apps/v1beta1`.

use super::edits::{Edits, Refused, check_map, insert};
use crate::tree::{Entry, Node, Value};

/// In `extensions/v1beta1`, a Deployment has no deadline and no limit of its history by default.
const UNLIMITED: Value = Value::Int(i32::MAX as i64);

pub(super) fn deployment_of_extensions(edits: &mut Edits<'_>) -> Result<(), Refused> {
    write_selector(edits)?;
    edits.remove(&["spec", "rollbackTo"]);
    if is_rolling(edits) {
        edits.keep_default(&["spec", "strategy", "rollingUpdate", "maxSurge"], Value::Int(1));
        edits.keep_default(&["spec", "strategy", "rollingUpdate", "maxUnavailable"], Value::Int(1));
    }
    edits.keep_default(&["spec", "progressDeadlineSeconds"], UNLIMITED);
    edits.keep_default(&["spec", "revisionHistoryLimit"], UNLIMITED);
    Ok(())
}

pub(super) fn deployment_of_apps_v1beta1(edits: &mut Edits<'_>) -> Result<(), Refused> {
    write_selector(edits)?;
    edits.remove(&["spec", "rollbackTo"]);
    edits.keep_default(&["spec", "revisionHistoryLimit"], Value::Int(2));
    Ok(())
}

pub(super) fn daemon_set(edits: &mut Edits<'_>) -> Result<(), Refused> {
    write_selector(edits)?;
    edits.remove(&["spec", "templateGeneration"]);
    keep_on_delete(edits);
    Ok(())
}

pub(super) fn stateful_set(edits: &mut Edits<'_>) -> Result<(), Refused> {
    write_selector(edits)?;
    keep_on_delete(edits);
    Ok(())
}

pub(super) fn replica_set(edits: &mut Edits<'_>) -> Result<(), Refused> {
    write_selector(edits)
}

fn keep_on_delete(edits: &mut Edits<'_>) {
    edits.keep_default(&["spec", "updateStrategy", "type"], Value::String("OnDelete".into()));
}

fn is_rolling(edits: &Edits<'_>) -> bool {
    let of_type = edits.root.str_at(&["spec", "strategy", "type"]);
    of_type.is_none_or(|name| name == "RollingUpdate")
}

/// Writes the selector, which is the labels of the template by default.
fn write_selector(edits: &mut Edits<'_>) -> Result<(), Refused> {
    check_map(edits.root, &["spec"])?;
    check_map(edits.root, &["spec", "template"])?;
    let Some(spec) = edits.root.get("spec") else { return Ok(()) };
    if spec.get("selector").is_some() {
        return Ok(());
    }
    let labels = spec.entries_at(&["template", "metadata", "labels"]);
    if labels.is_empty() && edits.is_patch {
        return Ok(());
    }
    if labels.is_empty() {
        return Err(Refused::new(
            edits.root.span().start_point(),
            "`spec.selector` is missing, and the template has no labels",
            "add labels to `spec.template.metadata`, and migrate again",
        ));
    }
    let origin = edits.origin;
    let copy = |entry: &Entry| Entry::new(entry.key.text().clone(), origin, entry.value.clone());
    let map = labels.iter().map(copy).collect();
    let mut selector = Node::map(origin);
    selector.set("matchLabels", Node::new(Value::Map(map), origin));
    if let Some(spec) = edits.root.get_mut("spec").and_then(Node::as_map_mut) {
        spec.remove("selector");
        let at = spec.position("template").unwrap_or(0);
        insert(spec, at, "selector", selector);
    }
    Ok(())
}
