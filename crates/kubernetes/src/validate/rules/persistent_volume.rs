//! `PersistentVolume`, after `ValidatePersistentVolume` of Kubernetes' `pkg/apis/core/validation`.

mod sources;

use super::amounts::{RESOURCE_AMOUNT_INVALID, amount};
use super::judge::{Absence, Judge, filled, is_empty_list, items, start};
use super::names::{NameForm, check_name};
use super::selectors::check_node_term;
use super::volume_claim::access_modes;
use crate::diag::{declare_rules, message};
use crate::tree::Node;

declare_rules! {
    PERSISTENT_VOLUME_INCOMPLETE = "persistent-volume-incomplete", Error, follows = [Misplaced];
    PERSISTENT_VOLUME_SOURCE_INVALID = "persistent-volume-source-invalid", Error;
}

/// The first minor version that keeps `volumeAttributesClassName` (`VolumeAttributesClass`).
const ATTRIBUTES_MINOR: u8 = 34;

/// Checks one volume.
pub(super) fn check(judge: &mut Judge<'_>) {
    let object = judge.object;
    let Some(spec) = object.root.get("spec") else {
        let text = (
            "PersistentVolume has no `spec`",
            "add `spec` with a capacity, access modes and a source",
        );
        judge.lacks(
            &PERSISTENT_VOLUME_INCOMPLETE,
            (object.name_span(), (&judge.object.root, "spec")),
            text,
        );
        return;
    };
    let modes = spec.get("accessModes");
    if modes.is_none_or(is_empty_list) {
        let at = modes.map_or_else(|| start(spec), Node::span);
        let text = ("PersistentVolume has no access modes", "add `accessModes: [ReadWriteOnce]`");
        let (rule, missing) = (&PERSISTENT_VOLUME_INCOMPLETE, (spec, &["accessModes"][..]));
        judge.lacks_all_of(rule, (at, (&judge.object.root, "spec.accessModes")), text, missing);
    }
    access_modes(judge, spec, "a volume");
    check_capacity(judge, spec);
    let has_nodes = node_affinity(judge, spec);
    sources::check(judge, spec, has_nodes);
    judge.needed(spec, "volumeMode", Absence::BySchema);
    check_name(judge, filled(spec, "storageClassName"), NameForm::OBJECT);
    check_attributes(judge, spec);
}

/// Checks that the capacity has `storage` and no other resource.
fn check_capacity(judge: &mut Judge<'_>, spec: &Node) {
    let capacity = spec.get("capacity");
    let entries = capacity.map_or(&[][..], Node::entries);
    let storage = entries.iter().find(|entry| entry.key == "storage");
    if storage.is_none() {
        let at = capacity.map_or_else(|| start(spec), Node::span);
        let text = ("PersistentVolume has no capacity", "add `capacity: {storage: 10Gi}`");
        let missing = (spec, &["capacity"][..]);
        judge.lacks_all_of(&PERSISTENT_VOLUME_INCOMPLETE, (at, (spec, "capacity")), text, missing);
    }
    for entry in entries.iter().filter(|entry| entry.key != "storage") {
        let message = message!("PersistentVolume has a capacity of `{}`", entry.key);
        let text = (message, "keep only `storage`");
        judge.refuse(&PERSISTENT_VOLUME_INCOMPLETE, entry, text);
    }
    if let Some(entry) =
        storage.filter(|entry| amount(&entry.value).is_some_and(|amount| amount <= 0))
    {
        let text =
            ("the `storage` capacity is not above zero", "write a quantity above zero: `10Gi`");
        judge.refuse(&RESOURCE_AMOUNT_INVALID, &entry.value, text);
    }
}

/// Checks the node affinity of the volume.
fn node_affinity(judge: &mut Judge<'_>, spec: &Node) -> bool {
    let Some(affinity) = spec.get("nodeAffinity") else { return false };
    let required = affinity.get("required");
    let terms = required.map_or(&[][..], |required| items(required, "nodeSelectorTerms"));
    if terms.is_empty() {
        let at = required.map_or_else(|| affinity.span(), Node::span);
        let text = (
            "`nodeAffinity` of the PersistentVolume names no nodes",
            "add a term to `required.nodeSelectorTerms`, or remove `nodeAffinity`",
        );
        let (rule, missing) = (&PERSISTENT_VOLUME_INCOMPLETE, (affinity, &["required"][..]));
        judge.lacks_all_of(rule, (at, (spec, "nodeAffinity.required")), text, missing);
    }
    for term in terms {
        check_node_term(judge, term, true);
    }
    true
}

fn check_attributes(judge: &mut Judge<'_>, spec: &Node) {
    let field = "volumeAttributesClassName";
    let Some(node) = spec.get(field).filter(|_| judge.minor >= ATTRIBUTES_MINOR) else { return };
    if judge.needed(spec, field, Absence::BySchema).is_some() {
        check_name(judge, node, NameForm::OBJECT);
    }
    if spec.get("csi").is_none() {
        let text = (
            "volume attributes classes require a CSI driver",
            "remove `volumeAttributesClassName`",
        );
        judge.refuse(&PERSISTENT_VOLUME_INCOMPLETE, (node.span(), (spec, "csi")), text);
    }
}
