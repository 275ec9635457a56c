//! The required fields of each volume source.

use super::judge::{Carrier, PodJudge};
use super::projected;
use super::volumes::{FILE_MODE_INVALID, VOLUME_PATH_INVALID, VOLUME_SOURCE_INVALID};
use crate::diag::message;
use crate::scalar::{check_descending_path, check_dns_subdomain, check_file_path, has_backsteps};
use crate::tree::Node;
use crate::validate::rules::amounts::amount;
use crate::validate::rules::judge::{
    Absence, entries, filled_node, items, labelled, shown, text_node,
};
use crate::validate::rules::names::{NameForm, needed_name};
use crate::validate::rules::network_storage;
use crate::validate::rules::volume_claim::{Sources, check_claim};

/// The longest name of a CSI driver, in bytes.
const LONGEST_DRIVER: usize = 63;
/// The largest mode of a file.
const LARGEST_MODE: i64 = 0o777;

/// The required strings of a source; `true` if the schema requires them too.
const NEEDED: &[(&str, &[(&str, bool)])] = &[
    ("hostPath", &[("path", true)]),
    ("gitRepo", &[("repository", true)]),
    ("gcePersistentDisk", &[("pdName", true)]),
    ("awsElasticBlockStore", &[("volumeID", true)]),
    ("secret", &[("secretName", false)]),
    ("configMap", &[("name", false)]),
    ("nfs", &[("server", true), ("path", true)]),
    ("iscsi", &[("targetPortal", true), ("iqn", true)]),
    ("glusterfs", &[("endpoints", true), ("path", true)]),
    ("persistentVolumeClaim", &[("claimName", true)]),
    ("rbd", &[("image", true)]),
    ("cinder", &[("volumeID", true)]),
    ("quobyte", &[("registry", true), ("volume", true)]),
    ("flexVolume", &[("driver", true)]),
    ("azureFile", &[("secretName", true), ("shareName", true)]),
    ("azureDisk", &[("diskName", true), ("diskURI", true)]),
    ("vsphereVolume", &[("volumePath", true)]),
    ("photonPersistentDisk", &[("pdID", true)]),
    ("portworxVolume", &[("volumeID", true)]),
    ("storageos", &[("volumeName", false)]),
    ("scaleIO", &[("gateway", true), ("system", true), ("volumeName", false)]),
    ("csi", &[("driver", true)]),
];

pub(super) fn check(judge: &mut PodJudge<'_>, name: &str, source: &Node) {
    if source.as_map().is_none() {
        return;
    }
    let needed = NEEDED.iter().find(|(source, _)| *source == name);
    for (field, is_in_schema) in needed.map_or(&[][..], |(_, fields)| fields) {
        let absence = if *is_in_schema { Absence::BySchema } else { Absence::Here };
        judge.needed(source, field, absence);
    }
    network_storage::check(judge, &VOLUME_SOURCE_INVALID, name, source);
    match name {
        "emptyDir" => check_empty_dir(judge, source),
        "hostPath" => check_no_step_back(judge, source),
        "gitRepo" => check_descending(judge, source),
        "secret" | "configMap" => files(judge, source),
        "downwardAPI" => projected::downward(judge, source),
        "nfs" => network_storage::check_exported_path(judge, &VOLUME_PATH_INVALID, source),
        "gcePersistentDisk" | "awsElasticBlockStore" => check_partition(judge, source),
        "csi" => check_csi(judge, source),
        "ephemeral" => check_ephemeral(judge, source),
        "image" if judge.carrier != Carrier::Template => {
            judge.needed(source, "reference", Absence::Here);
        }
        _ => {}
    }
}

fn check_empty_dir(judge: &mut PodJudge<'_>, source: &Node) {
    if let Some(node) = source.get("sizeLimit")
        && amount(node).is_some_and(|limit| limit < 0)
    {
        let text = ("`sizeLimit` is negative", "write a quantity such as `1Gi`");
        judge.refuse(&VOLUME_SOURCE_INVALID, node, text);
    }
}

fn check_no_step_back(judge: &mut PodJudge<'_>, source: &Node) {
    if let Some(node) = source.get("path").filter(|path| path.as_str().is_some_and(has_backsteps)) {
        let text = ("`path` contains `..`", "write the path without `..`");
        judge.refuse(&VOLUME_PATH_INVALID, node, text);
    }
}

fn check_descending(judge: &mut PodJudge<'_>, source: &Node) {
    if let Some((node, path)) = text_node(source, "directory")
        && let Err(fault) = check_descending_path(path)
    {
        let text =
            (message!("`directory` {fault}"), "write a path relative to the root of the volume");
        judge.refuse(&VOLUME_PATH_INVALID, node, text);
    }
}

/// Checks the modes and names of files made from keys.
pub(super) fn files(judge: &mut PodJudge<'_>, source: &Node) {
    mode(judge, source, "defaultMode");
    for item in items(source, "items") {
        judge.needed(item, "key", Absence::BySchema);
        file_path(judge, item);
        mode(judge, item, "mode");
    }
}

/// Checks the path of a file in a volume.
pub(super) fn file_path(judge: &mut PodJudge<'_>, owner: &Node) {
    let Some(text) = judge.needed(owner, "path", Absence::BySchema) else { return };
    if let Err(fault) = check_file_path(text)
        && let Some(node) = owner.get("path")
    {
        let text = (
            message!("path `{}` {fault}", shown(text)),
            "write a path relative to the root of the volume",
        );
        judge.refuse(&VOLUME_PATH_INVALID, node, text);
    }
}

/// Checks a file mode.
pub(super) fn mode(judge: &mut PodJudge<'_>, owner: &Node, field: &str) {
    let Some(node) = owner.get(field) else { return };
    let Some(mode) = node.as_i64().filter(|mode| !(0..=LARGEST_MODE).contains(mode)) else {
        return;
    };
    let text = (
        message!("`{field}` {mode} is not a valid file mode"),
        "write it with a leading zero, as in `0644`, or in decimal, as in 420",
    );
    judge.refuse(&FILE_MODE_INVALID, node, text);
}

fn check_partition(judge: &mut PodJudge<'_>, source: &Node) {
    if let Some(node) = source.get("partition")
        && let Some(number) = node.as_i64().filter(|number| !(0..=255).contains(number))
    {
        let text = (
            message!("`partition` {number} is outside 0-255"),
            labelled("must be from 0 to 255", "write a number from 0 to 255"),
        );
        judge.refuse(&VOLUME_SOURCE_INVALID, node, text);
    }
}

fn check_csi(judge: &mut PodJudge<'_>, source: &Node) {
    if let Some((node, driver)) = filled_node(source, "driver") {
        let fault = match check_dns_subdomain(&driver.to_lowercase()) {
            Err(fault) => Some(message!("{fault}")),
            Ok(()) => (driver.len() > LONGEST_DRIVER).then(|| "is longer than 63 bytes".into()),
        };
        if let Some(fault) = fault {
            let text = (
                message!("driver name `{}` {fault}", shown(driver)),
                "write the name of the CSIDriver object",
            );
            judge.refuse(&VOLUME_SOURCE_INVALID, node, text);
        }
    }
    if let Some(secret) = source.get("nodePublishSecretRef") {
        needed_name(judge, secret, "name", Absence::Here, NameForm::OBJECT);
    }
}

fn check_ephemeral(judge: &mut PodJudge<'_>, source: &Node) {
    let rule = &VOLUME_SOURCE_INVALID;
    let Some(template) = source.get("volumeClaimTemplate") else {
        let text = (
            "ephemeral volume has no `volumeClaimTemplate`",
            "add `volumeClaimTemplate: {spec: ...}`",
        );
        return judge.refuse(rule, (source, "volumeClaimTemplate"), text);
    };
    for entry in entries(template, "metadata") {
        // An empty value counts as absent.
        let is_empty = entry.value.is_null()
            || entry.value.as_str() == Some("")
            || entry.value.as_i64() == Some(0);
        if matches!(entry.key.as_str(), "labels" | "annotations") || is_empty {
            continue;
        }
        let text = (
            message!("claim template of an ephemeral volume has `metadata.{}`", entry.key),
            "keep only `labels` and `annotations`: the name is generated from the Pod",
        );
        judge.refuse(rule, entry, text);
    }
    // The schema requires `spec`.
    if template.get("spec").is_some() {
        let minor = judge.minor;
        check_claim(judge, template, Sources::AsWritten, minor);
    }
}
