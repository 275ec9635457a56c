//! Mounts and devices of containers. Mounts without a volume are reported by
//! `mount-without-volume`.

use super::judge::PodJudge;
use crate::diag::{Diagnostic, Message, declare_rules, message};
use crate::scalar::{check_descending_path, has_backsteps};
use crate::tree::Node;
use crate::validate::rules::judge::{Absence, filled_text, items, shown};
use crate::validate::rules::repeated::repeated;

declare_rules! {
    MOUNT_PATH_DUPLICATE = "mount-path-duplicate", Error;
    MOUNT_SUB_PATH_INVALID = "mount-sub-path-invalid", Error;
    MOUNT_PROPAGATION_UNPRIVILEGED = "mount-propagation-unprivileged", Error;
    RECURSIVE_READ_ONLY_CONFLICT = "recursive-read-only-conflict", Error;
    MOUNT_BESIDE_DEVICE = "mount-beside-device", Error;
    VOLUME_DEVICE_INVALID = "volume-device-invalid", Error;
}

/// The first minor version that rejects devices in a Pod with a user namespace.
const DEVICE_USERS_MINOR: u8 = 34;

pub(super) fn check(judge: &mut PodJudge<'_>, container: &Node) {
    let mounts = items(container, "volumeMounts");
    let devices = items(container, "volumeDevices");
    for mount in mounts {
        check_mount(judge, container, mount);
    }
    let by_path = mounts
        .iter()
        .filter_map(|mount| Some((filled_text(mount, "mountPath")?, mount.get("mountPath")?)));
    repeated(by_path, |at, node, first| {
        let message = message!("duplicate mount path `{}`", shown(at));
        let texts = (message, "duplicate mount path", "change one of the two mount paths");
        judge.conflict(&MOUNT_PATH_DUPLICATE, node, texts, (first, "first used here"));
    });
    if !devices.is_empty() {
        check_devices(judge, container, mounts, devices);
    }
}

fn check_mount(judge: &mut PodJudge<'_>, container: &Node, mount: &Node) {
    judge.needed(mount, "mountPath", Absence::BySchema);
    for name in ["subPath", "subPathExpr"] {
        let Some(node) = mount.get(name) else { continue };
        let Some(Err(fault)) = node.as_str().map(check_descending_path) else { continue };
        let finding =
            Diagnostic::new(&MOUNT_SUB_PATH_INVALID, node.span(), message!("`{name}` {fault}"))
                .at("must stay inside the volume")
                .help("write a path relative to the root of the volume: `data/cache`");
        judge.report(finding, (mount, name));
    }
    if filled_text(mount, "subPath").is_some()
        && let (Some(first), Some(entry)) = (mount.entry("subPath"), mount.entry("subPathExpr"))
        && filled_text(mount, "subPathExpr").is_some()
    {
        let finding = Diagnostic::new(
            &MOUNT_SUB_PATH_INVALID,
            entry.key_origin().span(),
            "volume mount has both `subPath` and `subPathExpr`",
        )
        .at("cannot be combined with `subPath`")
        .label(first.key_origin().span(), "set here")
        .help("keep one of them");
        judge.report(finding, (mount, "subPathExpr"));
    }
    judge.needed(mount, "mountPropagation", Absence::BySchema);
    let is_privileged = container.at(&["securityContext", "privileged"]).and_then(Node::as_bool);
    if filled_text(mount, "mountPropagation") == Some("Bidirectional")
        && is_privileged != Some(true)
        && let Some(node) = mount.get("mountPropagation")
    {
        let text = (
            "`mountPropagation: Bidirectional` requires a privileged container",
            "requires `privileged: true`",
            "write `HostToContainer`, or set `privileged: true` in the container's `securityContext`",
        );
        judge.fault(&MOUNT_PROPAGATION_UNPRIVILEGED, node, text);
    }
    check_recursive_read_only(judge, mount);
}

fn check_recursive_read_only(judge: &mut PodJudge<'_>, mount: &Node) {
    const FIELD: &str = "recursiveReadOnly";
    judge.listed(mount, FIELD, &["Disabled", "IfPossible", "Enabled"]);
    let Some(node) = mount.get(FIELD) else { return };
    let Some(mode @ ("IfPossible" | "Enabled")) = node.as_str() else { return };
    let mut conflict = |what: &str, help: &'static str, span| {
        let message = message!("`{FIELD}: {mode}` {what}");
        let finding = Diagnostic::new(&RECURSIVE_READ_ONLY_CONFLICT, node.span(), message)
            .label(span, "because of this mount")
            .help(help);
        judge.report(finding, (mount, FIELD));
    };
    if mount.get("readOnly").and_then(Node::as_bool) != Some(true) {
        conflict("requires a read-only mount", "add `readOnly: true`", mount.span());
    }
    if let Some(other) = mount.get("mountPropagation").filter(|mode| mode.as_str() != Some("None"))
    {
        conflict(
            "cannot be combined with `mountPropagation`",
            "remove `mountPropagation`",
            other.span(),
        );
    }
}

fn check_devices(judge: &mut PodJudge<'_>, container: &Node, mounts: &[Node], devices: &[Node]) {
    for device in devices {
        judge.needed(device, "devicePath", Absence::BySchema);
        let volume = filled_text(device, "name").and_then(|name| judge.volume(name));
        let mut refuse = |node: &Node, name: &'static str, message: Message, help: &'static str| {
            let text = (message, "invalid device", help);
            judge.fault(&VOLUME_DEVICE_INVALID, (node.span(), (device, name)), text);
        };
        if let (Some(name), Some(node)) = (filled_text(device, "name"), device.get("name"))
            && let Some(volume) = volume
            && volume.get("persistentVolumeClaim").is_none()
            && volume.get("ephemeral").is_none()
        {
            let message = message!("volume `{name}` is not a block device");
            let help = "use a volume of type `persistentVolumeClaim` or `ephemeral`, or mount it under `volumeMounts`";
            refuse(node, "name", message, help);
        }
        if let (Some(at), Some(node)) =
            (filled_text(device, "devicePath"), device.get("devicePath"))
            && has_backsteps(at)
        {
            let message = message!("path `{}` contains `..`", shown(at));
            refuse(node, "devicePath", message, "write the path without `..`");
        }
    }
    for name in ["name", "devicePath"] {
        let all = devices
            .iter()
            .filter_map(|device| Some((filled_text(device, name)?, device.get(name)?)));
        repeated(all, |value, node, first| {
            let message = message!("duplicate device {name} `{}`", shown(value));
            let texts = (message, "taken", "remove one of them");
            judge.conflict(&VOLUME_DEVICE_INVALID, node, texts, (first, "first used here"));
        });
    }
    check_beside_mounts(judge, mounts, devices);
    if judge.has_own_users
        && judge.minor >= DEVICE_USERS_MINOR
        && let Some(first) = devices.first()
    {
        let text = (
            "Pod with `hostUsers: false` has a block device",
            "not supported in a user namespace",
            "remove `hostUsers: false`, or mount a filesystem instead",
        );
        judge.fault(&VOLUME_DEVICE_INVALID, (first.span(), (container, "volumeDevices")), text);
    }
}

/// Checks that a volume is used as a filesystem or a device, and a path for one of them.
fn check_beside_mounts(judge: &mut PodJudge<'_>, mounts: &[Node], devices: &[Node]) {
    for (of_device, of_mount) in [("name", "name"), ("devicePath", "mountPath")] {
        let mounted = mounts
            .iter()
            .filter_map(|mount| Some((filled_text(mount, of_mount)?, mount.get(of_mount)?)));
        let asked = devices.iter().filter_map(|device| {
            Some((filled_text(device, of_device)?, (true, device.get(of_device)?)))
        });
        let all = mounted.map(|(key, node)| (key, (false, node))).chain(asked);
        repeated(all, |value, (is_device, node), (is_other_device, first)| {
            if !is_device || is_other_device {
                return;
            }
            let message = message!("path `{}` is both a mount and a device", shown(value));
            let texts = (
                message,
                "a device",
                "keep the mount for a filesystem, or the device for a raw disk",
            );
            judge.conflict(&MOUNT_BESIDE_DEVICE, node, texts, (first, "a mount"));
        });
    }
}
