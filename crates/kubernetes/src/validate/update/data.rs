//! `ConfigMap` and `Secret` that were declared immutable.

use super::judge::{Remedy, Update};
use crate::diag::PathStep;
use crate::scalar::to_base64;
use crate::sorted::SortedMap;
use crate::tree::Node;
use crate::validate::fields::text_of;

const NEW_NAME: Remedy = Remedy::RenameImmutable;

/// Checks a `ConfigMap`.
pub(super) fn check_config_map(update: &mut Update<'_>) {
    if is_immutable(update) {
        for field in ["data", "binaryData"] {
            update.immutable(&[field], NEW_NAME);
        }
    }
}

/// Checks a `Secret`. Values in `data` that the API server set from `stringData` stay when that is
/// removed.
pub(super) fn check_secret(update: &mut Update<'_>) {
    if !is_immutable(update) {
        return;
    }
    let (old, new) = (&update.written_old.root, &update.object.root);
    let mut kept = encoded_data(old.get("stringData"));
    kept.extend(plain_data(new.get("data")));
    kept.extend(encoded_data(new.get("stringData")));
    let mut stored = plain_data(old.get("data"));
    stored.extend(encoded_data(old.get("stringData")));
    if kept != stored
        && let Some(mut change) = update.first_change(&["data"])
    {
        let path = change.path();
        let key = path.steps().get(1).and_then(PathStep::name);
        // The author wrote it as text.
        if let Some(text) = key.and_then(|key| new.at(&["stringData", key])) {
            (change.new, change.span) = (Some(text), text.span());
        }
        update.changed(&change, "data", NEW_NAME);
    }
}

fn plain_data(data: Option<&Node>) -> SortedMap<String, String> {
    let entries = data.map_or(&[][..], Node::entries).iter();
    let text = |node: &Node| text_of(node).replace(['\n', '\r'], "");
    entries.map(|entry| (entry.key.to_string(), text(&entry.value))).collect()
}

fn encoded_data(data: Option<&Node>) -> SortedMap<String, String> {
    let entries = data.map_or(&[][..], Node::entries).iter();
    let text = |node: &Node| to_base64(text_of(node).as_bytes());
    entries.map(|entry| (entry.key.to_string(), text(&entry.value))).collect()
}

/// Whether the stored object is immutable; it must stay so.
fn is_immutable(update: &mut Update<'_>) -> bool {
    let is = |root: &Node| root.get("immutable").and_then(Node::as_bool) == Some(true);
    let is_immutable = is(update.old);
    if is_immutable && !is(update.new) {
        update.immutable(&["immutable"], NEW_NAME);
    }
    is_immutable
}
