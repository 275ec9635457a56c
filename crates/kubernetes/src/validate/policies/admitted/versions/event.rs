//! Events of the core group and of `events.k8s.io`, which have different names for some fields.
//!
//! Follows Kubernetes' `pkg/apis/events/v1`.

use crate::tree::Node;

/// The fields of an Event in the core group and in `events.k8s.io`.
const FIELDS: [(&str, &str); 7] = [
    ("count", "deprecatedCount"),
    ("firstTimestamp", "deprecatedFirstTimestamp"),
    ("involvedObject", "regarding"),
    ("lastTimestamp", "deprecatedLastTimestamp"),
    ("message", "note"),
    ("reportingComponent", "reportingController"),
    ("source", "deprecatedSource"),
];

/// Renames the fields of an Event of the core group.
pub(super) fn to_group(root: &mut Node) {
    rename_fields(root, FIELDS);
}

/// Renames the fields of an Event of `events.k8s.io`.
pub(super) fn to_core(root: &mut Node) {
    rename_fields(root, FIELDS.map(|(core, group)| (group, core)));
}

fn rename_fields(root: &mut Node, fields: [(&str, &str); 7]) {
    let Some(map) = root.as_map_mut() else { return };
    map.edit(|entries| {
        for entry in entries {
            if let Some((_, name)) = fields.iter().find(|(from, _)| *from == entry.key) {
                entry.rename(*name);
            }
        }
    });
}
