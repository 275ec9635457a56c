//! The subresource `scale`: the paths of the replica counts.

use super::{CRD_SCALE_PATH_INVALID, starts_with_dot};
use crate::diag::{Message, message};
use crate::tree::Node;
use crate::validate::rules::judge::{Absence, Judge, filled_text, shown};

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
            "labelSelectorPath" => filled_text(scale, field),
            _ => judge.needed(scale, field, Absence::BySchema),
        };
        let (Some(text), Some(node)) = (text, scale.get(field)) else { continue };
        if roots.iter().any(|root| text.starts_with(root)) {
            continue;
        }
        let shown = shown(text);
        let roots = Message::joined(roots.iter().map(|root| message!("`{root}`")), " or ");
        let (message, help) = if starts_with_dot(text) {
            let message = message!("invalid path `{shown}` in `{field}`");
            (message, message!("write a path that starts with {roots}"))
        } else {
            (message!("path `{shown}` does not start with `.`"), message!("write `.{shown}`"))
        };
        judge.refuse(&CRD_SCALE_PATH_INVALID, node, (message, help));
    }
}
