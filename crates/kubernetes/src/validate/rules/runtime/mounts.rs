//! Mounts at one directory, volumes in memory above the limit of their container, and working directories
//! that no runtime enters.

use super::{MEMORY_VOLUME_ABOVE_LIMIT, MOUNT_HIDDEN, WORKING_DIRECTORY_RELATIVE, warn};
use crate::diag::{Diagnostic, message};
use crate::kube::PodSpec;
use crate::sorted::SortedMap;
use crate::tree::Node;
use crate::validate::rules::amount;
use crate::validate::rules::judge::{Judge, filled_node, is_true, items, shown, text_at, text_of};

pub(super) fn check(judge: &mut Judge<'_>, pod: &PodSpec<'_>) {
    let in_memory: SortedMap<&str, &Node> = items(pod.spec, "volumes")
        .iter()
        .filter(|volume| volume.str_at(&["emptyDir", "medium"]) == Some("Memory"))
        .filter_map(|volume| {
            Some((volume.str_at(&["name"])?, volume.at(&["emptyDir", "sizeLimit"])?))
        })
        .collect();
    for container in pod.containers() {
        check_paths(judge, container.node);
        check_directory(judge, container.node);
        if !in_memory.is_empty() {
            check_memory(judge, container.node, &in_memory);
        }
    }
}

/// The directory of a path, as the runtime reads it.
fn normal_directory(path: &str) -> String {
    let parts = path.split('/').filter(|part| !matches!(*part, "" | "."));
    parts.fold(String::new(), |whole, part| format!("{whole}/{part}"))
}

/// Checks for paths that differ and are one directory. Equal paths are an error, which another rule
/// reports.
fn check_paths(judge: &mut Judge<'_>, container: &Node) {
    let mut seen: SortedMap<String, &Node> = SortedMap::new();
    for mount in items(container, "volumeMounts") {
        let Some(node) = mount.get("mountPath") else { continue };
        let Some(path) = node.as_str().filter(|path| path.starts_with('/') && !path.contains(".."))
        else {
            continue;
        };
        let key = normal_directory(path);
        let Some(first) = seen.get(&key) else {
            seen.insert(key, node);
            continue;
        };
        if first.as_str() == Some(path) {
            continue;
        }
        let other = text_of(first);
        let message =
            message!("mount paths `{}` and `{}` are one directory", shown(other), shown(path));
        let finding = Diagnostic::new(&MOUNT_HIDDEN, node.span(), message)
            .at("hides the first mount")
            .label(first.span(), "hidden")
            .help("change one of the two mount paths");
        warn(judge, node, finding);
    }
}

fn check_directory(judge: &mut Judge<'_>, container: &Node) {
    let Some((node, path)) = filled_node(container, "workingDir") else { return };
    // Windows has other absolute paths, and placeholders can be replaced by one.
    let is_placeholder = path.contains(['\\', ':', '$', '{', '%', '<', '@']) || path.contains("__");
    if path.starts_with('/') || is_placeholder {
        return;
    }
    let message = message!("`workingDir` `{}` is not an absolute path", shown(path));
    let finding = Diagnostic::new(&WORKING_DIRECTORY_RELATIVE, node.span(), message)
        .at("not absolute")
        .note("the container runtime does not start the container")
        .help(message!("write a path that starts with `/`, such as `/{}`", shown(path)));
    warn(judge, node, finding);
}

fn check_memory(judge: &mut Judge<'_>, container: &Node, in_memory: &SortedMap<&str, &Node>) {
    let Some(limit) = container.at(&["resources", "limits", "memory"]) else { return };
    let Some(most) = amount(limit) else { return };
    for mount in items(container, "volumeMounts").iter().filter(|mount| !is_true(mount, "readOnly"))
    {
        let Some(node) = mount.str_at(&["name"]).and_then(|name| in_memory.get(name)) else {
            continue;
        };
        if amount(node).is_none_or(|size| size <= most) {
            continue;
        }
        let name = text_at(mount, &["name"]);
        let message = message!(
            "volume `{}` in memory can grow above the memory limit of its container",
            shown(name)
        );
        let finding = Diagnostic::new(&MEMORY_VOLUME_ABOVE_LIMIT, node.span(), message)
            .at("more than the limit")
            .label(limit.span(), "includes the files of the volume")
            .note("the kernel kills a container that writes more than its memory limit")
            .help("lower `sizeLimit`, or raise the memory limit");
        warn(judge, node, finding);
    }
}
