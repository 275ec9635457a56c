//! The volume source of a persistent volume.

use super::{PERSISTENT_VOLUME_INCOMPLETE, PERSISTENT_VOLUME_SOURCE_INVALID};
use crate::diag::message;
use crate::scalar::has_backsteps;
use crate::tree::{Entry, Node};
use crate::validate::rules::csi::is_driver;
use crate::validate::rules::judge::{Absence, Judge, filled_node, shown, start, text_at};
use crate::validate::rules::names::{NameForm, check_name, needed_name};
use crate::validate::rules::network_storage;

/// The sources in the order in which the server checks them, each with its required strings.
const SOURCES: &[(&str, &[&str])] = &[
    ("hostPath", &["path"]),
    ("gcePersistentDisk", &["pdName"]),
    ("awsElasticBlockStore", &["volumeID"]),
    ("glusterfs", &["endpoints", "path"]),
    ("flocker", &[]),
    ("nfs", &["server", "path"]),
    ("rbd", &["image"]),
    ("quobyte", &["registry", "volume"]),
    ("cephfs", &[]),
    ("iscsi", &["targetPortal", "iqn"]),
    ("cinder", &["volumeID"]),
    ("fc", &[]),
    ("flexVolume", &["driver"]),
    ("azureFile", &["secretName", "shareName"]),
    ("vsphereVolume", &["volumePath"]),
    ("photonPersistentDisk", &["pdID"]),
    ("portworxVolume", &["volumeID"]),
    ("azureDisk", &["diskName", "diskURI"]),
    ("scaleIO", &["gateway", "system"]),
    ("local", &["path"]),
    ("storageos", &[]),
    ("csi", &["driver", "volumeHandle"]),
];

pub(super) fn check(judge: &mut Judge<'_>, spec: &Node, has_nodes: bool) {
    let given = SOURCES.iter().filter_map(|(name, needed)| Some((spec.entry(name)?, *needed)));
    let mut first: Option<&Entry> = None;
    for (entry, needed) in given {
        // The server counts this one without validating it.
        if let Some(first) = first.filter(|_| entry.key != "flexVolume") {
            let text = (
                message!("PersistentVolume has both `{}` and `{}`", first.key, entry.key),
                "keep one of them",
            );
            judge.refuse(&PERSISTENT_VOLUME_SOURCE_INVALID, entry, text);
            continue;
        }
        first = Some(entry);
        if entry.value.as_map().is_some() {
            for field in needed {
                judge.needed(&entry.value, field, Absence::BySchema);
            }
            check_source(judge, &entry.key, &entry.value);
        }
    }
    match first {
        None => {
            let text = (
                "PersistentVolume has no volume source",
                "add one, such as `csi`, `nfs` or `local`",
            );
            let missing = (spec, &["hostPath"][..]);
            judge.lacks_all_of(&PERSISTENT_VOLUME_INCOMPLETE, (start(spec), spec), text, missing);
        }
        Some(entry) if entry.key == "local" && !has_nodes => {
            let text = (
                "local PersistentVolume has no `nodeAffinity`",
                "add `nodeAffinity: {required: {nodeSelectorTerms: [...]}}`",
            );
            let at = entry.key_origin().span();
            judge.lacks(&PERSISTENT_VOLUME_INCOMPLETE, (at, (spec, "nodeAffinity")), text);
        }
        Some(_) => {}
    }
    check_recycled_root(judge, spec);
}

/// Reports a recycled volume at the root of the node.
fn check_recycled_root(judge: &mut Judge<'_>, spec: &Node) {
    let field = "persistentVolumeReclaimPolicy";
    let Some(policy) = spec.get(field).filter(|policy| policy.as_str() == Some("Recycle")) else {
        return;
    };
    let directory = text_at(spec, &["hostPath", "path"]);
    let is_root = directory.starts_with('/')
        && directory.split('/').all(|part| matches!(part, "" | "." | ".."));
    if is_root {
        let text = ("`Recycle` with `hostPath: /` deletes all files of the node", "write `Retain`");
        judge.refuse(&PERSISTENT_VOLUME_SOURCE_INVALID, policy, text);
    }
}

fn check_source(judge: &mut Judge<'_>, name: &str, source: &Node) {
    network_storage::check(judge, &PERSISTENT_VOLUME_SOURCE_INVALID, name, source);
    match name {
        "hostPath" | "local" => check_directory(judge, source),
        "nfs" => {
            network_storage::check_exported_path(judge, &PERSISTENT_VOLUME_SOURCE_INVALID, source);
        }
        "gcePersistentDisk" | "awsElasticBlockStore" => {
            judge.ranged(source, "partition", 0..=255);
        }
        "iscsi" => {
            if let Some(secret) = source.get("secretRef") {
                judge.needed(secret, "name", Absence::Here);
            }
        }
        "azureFile" => {
            judge.needed(source, "secretNamespace", Absence::BySchema);
        }
        "glusterfs" => {
            check_name(judge, source.get("endpointsNamespace"), NameForm::LABEL);
        }
        "scaleIO" => {
            judge.needed(source, "volumeName", Absence::Here);
        }
        "cinder" => check_plain_secret(judge, source),
        "storageos" => {
            judge.needed(source, "volumeName", Absence::Here);
            check_plain_secret(judge, source);
        }
        "csi" => check_csi(judge, source),
        _ => {}
    }
}

fn check_directory(judge: &mut Judge<'_>, source: &Node) {
    if let Some(node) = source.get("path").filter(|path| path.as_str().is_some_and(has_backsteps)) {
        let text = ("path contains `..`", "write the path without `..`");
        judge.refuse(&PERSISTENT_VOLUME_SOURCE_INVALID, node, text);
    }
}

fn check_csi(judge: &mut Judge<'_>, source: &Node) {
    if let Some((node, driver)) = filled_node(source, "driver")
        && !is_driver(driver)
    {
        let message = message!("invalid driver name `{}`", shown(driver));
        let text = (message, "write the name of the CSIDriver object");
        judge.refuse(&PERSISTENT_VOLUME_SOURCE_INVALID, node, text);
    }
    // The server does not validate `nodeStageSecretRef`.
    for field in [
        "controllerPublishSecretRef",
        "controllerExpandSecretRef",
        "nodePublishSecretRef",
        "nodeExpandSecretRef",
    ] {
        check_secret(judge, source, field);
    }
}

/// Checks a Secret reference whose name and namespace can be any string.
fn check_plain_secret(judge: &mut Judge<'_>, source: &Node) {
    let Some(reference) = source.get("secretRef") else { return };
    judge.needed(reference, "name", Absence::Here);
    judge.needed(reference, "namespace", Absence::Here);
}

/// Checks a Secret reference by name and namespace.
fn check_secret(judge: &mut Judge<'_>, source: &Node, field: &'static str) {
    let Some(reference) = source.get(field) else { return };
    let absence = Absence::Here;
    needed_name(judge, reference, "name", absence, NameForm::OBJECT);
    needed_name(judge, reference, "namespace", absence, NameForm::LABEL);
}
