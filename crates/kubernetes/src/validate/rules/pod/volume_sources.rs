//! The required fields of each volume source.

use super::judge::{Carrier, Judge};
use super::projected;
use super::volumes::{FILE_MODE_INVALID, VOLUME_PATH_INVALID, VOLUME_SOURCE_INVALID};
use crate::scalar::{check_descending_path, check_dns_subdomain, check_file_path, has_backsteps};
use crate::tree::{Node, Path};
use crate::validate::rules::amounts::amount;
use crate::validate::rules::judging::{Absence, Judging, is_empty_list, items, shown, start};
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

pub(super) fn check(judge: &mut Judge<'_, '_>, name: &str, source: &Node, path: &Path<'_>) {
    if source.as_map().is_none() {
        return;
    }
    let needed = NEEDED.iter().find(|(source, _)| *source == name);
    for (field, is_in_schema) in needed.map_or(&[][..], |(_, fields)| fields) {
        let absence = if *is_in_schema { Absence::BySchema } else { Absence::Here };
        judge.needed(source, field, absence, path);
    }
    network_storage::check(judge, &VOLUME_SOURCE_INVALID, (name, source), path);
    match name {
        "emptyDir" => empty_dir(judge, source, path),
        "hostPath" => no_step_back(judge, source, "path", path),
        "gitRepo" => descending(judge, source, "directory", path),
        "secret" | "configMap" => files(judge, source, path),
        "downwardAPI" => projected::downward(judge, source, path),
        "nfs" => absolute(judge, source, path),
        "gcePersistentDisk" | "awsElasticBlockStore" => number(judge, source, "partition", path),
        "rbd" | "cephfs" => monitors(judge, source, path),
        "csi" => csi(judge, source, path),
        "ephemeral" => ephemeral(judge, source, path),
        "image" if judge.carrier != Carrier::Template => {
            judge.needed(source, "reference", Absence::Here, path);
        }
        _ => {}
    }
}

fn empty_dir(judge: &mut Judge<'_, '_>, source: &Node, path: &Path<'_>) {
    if let Some(node) = source.get("sizeLimit")
        && amount(node).is_some_and(|it| it < 0)
    {
        let text = ("`sizeLimit` is negative".to_owned(), "write a quantity such as `1Gi`");
        judge.refuse(&VOLUME_SOURCE_INVALID, node.span(), text, &path.field("sizeLimit"));
    }
}

fn no_step_back(judge: &mut Judge<'_, '_>, source: &Node, field: &str, path: &Path<'_>) {
    if let Some(node) = source.get(field)
        && node.as_str().is_some_and(has_backsteps)
    {
        let text = (format!("`{field}` contains `..`"), "write the path without `..`");
        judge.refuse(&VOLUME_PATH_INVALID, node.span(), text, &path.field(field));
    }
}

fn descending(judge: &mut Judge<'_, '_>, source: &Node, field: &str, path: &Path<'_>) {
    if let Some(node) = source.get(field)
        && let Some(Err(fault)) = node.as_str().map(check_descending_path)
    {
        let text =
            (format!("`{field}` {fault}"), "write a path relative to the root of the volume");
        judge.refuse(&VOLUME_PATH_INVALID, node.span(), text, &path.field(field));
    }
}

fn absolute(judge: &mut Judge<'_, '_>, source: &Node, path: &Path<'_>) {
    if let Some(node) = source.get("path")
        && node.as_str().is_some_and(|it| !it.is_empty() && !it.starts_with('/'))
    {
        let text = (
            "server path does not start with `/`".to_owned(),
            "write an absolute path: `/exports`",
        );
        judge.refuse(&VOLUME_PATH_INVALID, node.span(), text, &path.field("path"));
    }
}

/// Checks the modes and names of files made from keys.
pub(super) fn files(judge: &mut Judge<'_, '_>, source: &Node, path: &Path<'_>) {
    mode(judge, source, "defaultMode", path);
    let field = path.field("items");
    for (index, item) in items(source, "items").iter().enumerate() {
        let path = field.index(index);
        judge.needed(item, "key", Absence::BySchema, &path);
        file_path(judge, item, &path);
        mode(judge, item, "mode", &path);
    }
}

/// Checks the path of a file in a volume.
pub(super) fn file_path(judge: &mut Judge<'_, '_>, owner: &Node, path: &Path<'_>) {
    let Some(text) = judge.needed(owner, "path", Absence::BySchema, path) else { return };
    if let Err(fault) = check_file_path(text)
        && let Some(node) = owner.get("path")
    {
        let text = (
            format!("path `{}` {fault}", shown(text)),
            "write a path relative to the root of the volume",
        );
        judge.refuse(&VOLUME_PATH_INVALID, node.span(), text, &path.field("path"));
    }
}

/// Checks a file mode.
pub(super) fn mode(judge: &mut Judge<'_, '_>, owner: &Node, field: &str, path: &Path<'_>) {
    let Some(node) = owner.get(field) else { return };
    let Some(mode) = node.as_i64().filter(|it| !(0..=LARGEST_MODE).contains(it)) else { return };
    let text = (
        format!("`{field}` {mode} is not a valid file mode"),
        "write it with a leading zero, as in `0644`, or in decimal, as in 420",
    );
    judge.refuse(&FILE_MODE_INVALID, node.span(), text, &path.field(field));
}

fn number(judge: &mut Judge<'_, '_>, source: &Node, field: &str, path: &Path<'_>) {
    if let Some(node) = source.get(field)
        && let Some(number) = node.as_i64().filter(|it| !(0..=255).contains(it))
    {
        let text = (format!("`{field}` {number} is outside 0-255"), "write a number from 0 to 255");
        judge.refuse(&VOLUME_SOURCE_INVALID, node.span(), text, &path.field(field));
    }
}

fn monitors(judge: &mut Judge<'_, '_>, source: &Node, path: &Path<'_>) {
    if let Some(node) = source.get("monitors").filter(|it| is_empty_list(it)) {
        let text = ("`monitors` is empty".to_owned(), "list the addresses of the monitors");
        judge.refuse(&VOLUME_SOURCE_INVALID, node.span(), text, &path.field("monitors"));
    }
}

fn csi(judge: &mut Judge<'_, '_>, source: &Node, path: &Path<'_>) {
    if let Some(node) = source.get("driver")
        && let Some(driver) = node.as_str().filter(|it| !it.is_empty())
    {
        let fault = match check_dns_subdomain(&driver.to_lowercase()) {
            Err(fault) => Some(fault.to_string()),
            Ok(()) => (driver.len() > LONGEST_DRIVER).then(|| "is longer than 63 bytes".to_owned()),
        };
        if let Some(fault) = fault {
            let text = (
                format!("driver name `{}` {fault}", shown(driver)),
                "write the name of the CSIDriver object",
            );
            judge.refuse(&VOLUME_SOURCE_INVALID, node.span(), text, &path.field("driver"));
        }
    }
    if let Some(secret) = source.get("nodePublishSecretRef") {
        let path = path.field("nodePublishSecretRef");
        needed_name(judge, secret, ("name", Absence::Here), NameForm::OBJECT, &path);
    }
}

fn ephemeral(judge: &mut Judge<'_, '_>, source: &Node, path: &Path<'_>) {
    let rule = &VOLUME_SOURCE_INVALID;
    let field = path.field("volumeClaimTemplate");
    let Some(template) = source.get("volumeClaimTemplate") else {
        let text = (
            "ephemeral volume has no `volumeClaimTemplate`".to_owned(),
            "add `volumeClaimTemplate: {spec: ...}`",
        );
        return judge.refuse(rule, start(source), text, &field);
    };
    let path = field.field("metadata");
    for entry in template.get("metadata").map_or(&[][..], Node::entries) {
        // An empty value counts as absent.
        let is_empty = entry.value.is_null()
            || entry.value.as_str() == Some("")
            || entry.value.as_i64() == Some(0);
        if matches!(entry.key.as_str(), "labels" | "annotations") || is_empty {
            continue;
        }
        let text = (
            format!("claim template of an ephemeral volume has `metadata.{}`", entry.key),
            "keep only `labels` and `annotations`: the name is generated from the Pod",
        );
        judge.refuse(rule, entry.key_origin.span(), text, &path.field(&entry.key));
    }
    // The schema requires `spec`.
    if template.get("spec").is_some() {
        let minor = judge.minor;
        check_claim(judge, template, Sources::AsWritten, minor, &field);
    }
}
