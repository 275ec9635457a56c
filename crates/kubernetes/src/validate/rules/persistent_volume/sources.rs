//! The volume source of a persistent volume.

use super::{PERSISTENT_VOLUME_INCOMPLETE, PERSISTENT_VOLUME_SOURCE_INVALID};
use crate::scalar::has_backsteps;
use crate::tree::{Entry, Node, Path};
use crate::validate::rules::csi::is_driver;
use crate::validate::rules::judging::{Absence, Judging, is_empty_list, shown, start};
use crate::validate::rules::names::{NameForm, check_name, needed_name};
use crate::validate::rules::network_storage;
use crate::validate::rules::of_object::ObjectJudge;

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

pub(super) fn check(
    judge: &mut ObjectJudge<'_, '_>,
    spec: &Node,
    has_nodes: bool,
    path: &Path<'_>,
) {
    let given = SOURCES.iter().filter_map(|(name, needed)| Some((spec.entry(name)?, *needed)));
    let mut first: Option<&Entry> = None;
    for (entry, needed) in given {
        let path = path.field(&entry.key);
        // The server counts this one without validating it.
        if let Some(first) = first.filter(|_| entry.key != "flexVolume") {
            let text = (
                format!("PersistentVolume has both `{}` and `{}`", first.key, entry.key),
                "keep one of them",
            );
            judge.refuse(&PERSISTENT_VOLUME_SOURCE_INVALID, entry.key_origin.span(), text, &path);
            continue;
        }
        first = Some(entry);
        if entry.value.as_map().is_some() {
            for field in needed {
                judge.needed(&entry.value, field, Absence::BySchema, &path);
            }
            source(judge, &entry.key, &entry.value, &path);
        }
    }
    match first {
        None => {
            let text = (
                "PersistentVolume has no volume source",
                "add one, such as `csi`, `nfs` or `local`",
            );
            let missing = (spec, &["hostPath"][..]);
            judge.lacks_all_of(&PERSISTENT_VOLUME_INCOMPLETE, start(spec), text, missing, path);
        }
        Some(entry) if entry.key == "local" && !has_nodes => {
            let text = (
                "local PersistentVolume has no `nodeAffinity`",
                "add `nodeAffinity: {required: {nodeSelectorTerms: [...]}}`",
            );
            let at = entry.key_origin.span();
            judge.lacks(&PERSISTENT_VOLUME_INCOMPLETE, at, text, &path.field("nodeAffinity"));
        }
        Some(_) => {}
    }
    recycled_root(judge, spec, path);
}

/// Reports a recycled volume at the root of the node.
fn recycled_root(judge: &mut ObjectJudge<'_, '_>, spec: &Node, path: &Path<'_>) {
    let field = "persistentVolumeReclaimPolicy";
    let Some(policy) = spec.get(field).filter(|it| it.as_str() == Some("Recycle")) else { return };
    let directory = spec.str_at(&["hostPath", "path"]).unwrap_or_default();
    let is_root = directory.starts_with('/')
        && directory.split('/').all(|part| matches!(part, "" | "." | ".."));
    if is_root {
        let text = ("`Recycle` with `hostPath: /` deletes all files of the node", "write `Retain`");
        judge.refuse(&PERSISTENT_VOLUME_SOURCE_INVALID, policy.span(), text, &path.field(field));
    }
}

fn source(judge: &mut ObjectJudge<'_, '_>, name: &str, source: &Node, path: &Path<'_>) {
    network_storage::check(judge, &PERSISTENT_VOLUME_SOURCE_INVALID, (name, source), path);
    match name {
        "hostPath" | "local" => directory(judge, source, path),
        "nfs" => exported(judge, source, path),
        "gcePersistentDisk" | "awsElasticBlockStore" => {
            judge.ranged(source, "partition", 0..=255, path);
        }
        "rbd" | "cephfs" => monitors(judge, source, path),
        "iscsi" => {
            if let Some(secret) = source.get("secretRef") {
                judge.needed(secret, "name", Absence::Here, &path.field("secretRef"));
            }
        }
        "azureFile" => {
            judge.needed(source, "secretNamespace", Absence::BySchema, path);
        }
        "glusterfs" => {
            if let Some(node) = source.get("endpointsNamespace") {
                check_name(judge, node, NameForm::LABEL, &path.field("endpointsNamespace"));
            }
        }
        "scaleIO" => {
            judge.needed(source, "volumeName", Absence::Here, path);
        }
        "cinder" => plain_secret(judge, source, path),
        "storageos" => {
            judge.needed(source, "volumeName", Absence::Here, path);
            plain_secret(judge, source, path);
        }
        "csi" => csi(judge, source, path),
        _ => {}
    }
}

fn refuse(judge: &mut ObjectJudge<'_, '_>, node: &Node, text: (&str, &str), path: &Path<'_>) {
    judge.refuse(&PERSISTENT_VOLUME_SOURCE_INVALID, node.span(), text, path);
}

fn directory(judge: &mut ObjectJudge<'_, '_>, source: &Node, path: &Path<'_>) {
    if let Some(node) = source.get("path")
        && node.as_str().is_some_and(has_backsteps)
    {
        let text = ("path contains `..`", "write the path without `..`");
        refuse(judge, node, text, &path.field("path"));
    }
}

fn exported(judge: &mut ObjectJudge<'_, '_>, source: &Node, path: &Path<'_>) {
    if let Some(node) = source.get("path")
        && node.as_str().is_some_and(|it| !it.is_empty() && !it.starts_with('/'))
    {
        let text = ("server path does not start with `/`", "write an absolute path: `/exports`");
        refuse(judge, node, text, &path.field("path"));
    }
}

fn monitors(judge: &mut ObjectJudge<'_, '_>, source: &Node, path: &Path<'_>) {
    if let Some(node) = source.get("monitors").filter(|it| is_empty_list(it)) {
        let text = ("`monitors` is empty", "list the addresses of the monitors");
        refuse(judge, node, text, &path.field("monitors"));
    }
}

fn csi(judge: &mut ObjectJudge<'_, '_>, source: &Node, path: &Path<'_>) {
    if let Some(node) = source.get("driver")
        && let Some(driver) = node.as_str().filter(|it| !it.is_empty())
        && !is_driver(driver)
    {
        let message = format!("invalid driver name `{}`", shown(driver));
        let text = (message.as_str(), "write the name of the CSIDriver object");
        refuse(judge, node, text, &path.field("driver"));
    }
    // The server does not validate `nodeStageSecretRef`.
    for field in [
        "controllerPublishSecretRef",
        "controllerExpandSecretRef",
        "nodePublishSecretRef",
        "nodeExpandSecretRef",
    ] {
        secret(judge, source, field, path);
    }
}

/// Checks a Secret reference whose name and namespace can be any string.
fn plain_secret(judge: &mut ObjectJudge<'_, '_>, source: &Node, path: &Path<'_>) {
    let Some(reference) = source.get("secretRef") else { return };
    let path = path.field("secretRef");
    judge.needed(reference, "name", Absence::Here, &path);
    judge.needed(reference, "namespace", Absence::Here, &path);
}

/// Checks a Secret reference by name and namespace.
fn secret(judge: &mut ObjectJudge<'_, '_>, source: &Node, field: &'static str, path: &Path<'_>) {
    let Some(reference) = source.get(field) else { return };
    let path = path.field(field);
    let absence = Absence::Here;
    needed_name(judge, reference, ("name", absence), NameForm::OBJECT, &path);
    needed_name(judge, reference, ("namespace", absence), NameForm::LABEL, &path);
}
