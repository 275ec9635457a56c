//! The subresource `scale`: the paths of the replica counts.

use super::{CRD_SCALE_PATH_INVALID, starts_with_dot};
use crate::tree::Node;
use crate::validate::rules::judge::{Absence, Judge, shown};

/// Each path, and the fields that it can start with.
const PATHS: &[(&str, &[&str])] = &[
    ("specReplicasPath", &[".spec."]),
    ("statusReplicasPath", &[".status."]),
    ("labelSelectorPath", &[".spec.", ".status."]),
];

pub(super) fn check(judge: &mut Judge<'_>, version: &Node) {
    let Some(scale) = version.at(&["subresources", "scale"]) else { return };
    for (field, roots) in PATHS {
        let text = match *field {
            "labelSelectorPath" => scale.str_at(&[field]).filter(|text| !text.is_empty()),
            _ => judge.needed(scale, field, Absence::BySchema),
        };
        let (Some(text), Some(node)) = (text, scale.get(field)) else { continue };
        if roots.iter().any(|root| text.starts_with(root)) {
            continue;
        }
        let shown = shown(text);
        let roots: Vec<_> = roots.iter().map(|root| format!("`{root}`")).collect();
        let (message, help) = if starts_with_dot(text) {
            let message = format!("invalid path `{shown}` in `{field}`");
            (message, format!("write a path that starts with {}", roots.join(" or ")))
        } else {
            (format!("path `{shown}` does not start with `.`"), format!("write `.{shown}`"))
        };
        judge.refuse(&CRD_SCALE_PATH_INVALID, node, (message, help));
    }
}
