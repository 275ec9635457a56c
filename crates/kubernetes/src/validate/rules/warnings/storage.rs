//! PersistentVolumes, and the claims of a StatefulSet.

use super::{
    FIELD_DEPRECATED, NUMBER_NEGATIVE, ObjectJudge, bytes, items, node_labels, volumes, warn,
};
use crate::tree::{Node, Path};

pub(super) fn check_claim_templates(judge: &mut ObjectJudge<'_, '_>, spec: &Node, path: &Path<'_>) {
    let field = path.field("volumeClaimTemplates");
    for (index, claim) in items(spec, "volumeClaimTemplates").iter().enumerate() {
        let Some(spec) = claim.get("spec") else { continue };
        bytes::check_claim(judge, spec, &field.index(index).field("spec"));
    }
    let Some(node) = spec.get("revisionHistoryLimit") else { return };
    if node.as_i64().is_some_and(|limit| limit < 0) {
        warn(
            judge,
            &NUMBER_NEGATIVE,
            (node.span(), "keeps them all"),
            "negative `revisionHistoryLimit` keeps all revisions",
            "write the number of revisions to keep",
            &path.field("revisionHistoryLimit"),
        );
    }
}

pub(super) fn check_volume(judge: &mut ObjectJudge<'_, '_>, spec: &Node, path: &Path<'_>) {
    volumes::check_source(judge, spec, path);
    if let Some(selector) = spec.at(&["nodeAffinity", "required"]) {
        let path = path.field("nodeAffinity");
        node_labels::check_selector(judge, selector, &path.field("required"));
    }
    let Some(policy) = spec.get("persistentVolumeReclaimPolicy") else { return };
    if policy.as_str() == Some("Recycle") {
        warn(
            judge,
            &FIELD_DEPRECATED,
            (policy.span(), "deprecated"),
            "reclaim policy `Recycle` is deprecated",
            "write `Delete` or `Retain`, and provision volumes with a StorageClass",
            &path.field("persistentVolumeReclaimPolicy"),
        );
    }
}
