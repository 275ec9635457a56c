//! PersistentVolumes, and the claims of a StatefulSet.

use super::{FIELD_DEPRECATED, NUMBER_NEGATIVE, bytes, items, node_labels, volumes};
use crate::tree::Node;
use crate::validate::rules::judge::Judge;

pub(super) fn check_claim_templates(judge: &mut Judge<'_>, spec: &Node) {
    for claim in items(spec, "volumeClaimTemplates") {
        let Some(spec) = claim.get("spec") else { continue };
        bytes::check_claim(judge, spec);
    }
    let Some(node) = spec.get("revisionHistoryLimit") else { return };
    if node.as_i64().is_some_and(|limit| limit < 0) {
        let text = (
            "negative `revisionHistoryLimit` keeps all revisions",
            "keeps them all",
            "write the number of revisions to keep",
        );
        judge.fault(&NUMBER_NEGATIVE, node, text);
    }
}

pub(super) fn check_volume(judge: &mut Judge<'_>, spec: &Node) {
    volumes::check_source(judge, spec);
    if let Some(selector) = spec.at(&["nodeAffinity", "required"]) {
        node_labels::check_selector(judge, selector);
    }
    let Some(policy) = spec.get("persistentVolumeReclaimPolicy") else { return };
    if policy.as_str() == Some("Recycle") {
        let texts = (
            "reclaim policy `Recycle` is deprecated",
            "deprecated",
            "write `Delete` or `Retain`, and provision volumes with a StorageClass",
        );
        judge.fault(&FIELD_DEPRECATED, policy, texts);
    }
}
