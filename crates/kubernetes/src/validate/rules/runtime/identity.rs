//! The user that containers run as, if the kubelet can detect a conflict.

use super::{FS_GROUP_UNSET, RUN_AS_NON_ROOT_CONFLICT, RUN_AS_USER_UNSET};
use crate::diag::{Diagnostic, message};
use crate::kube::{Container, PodSpec};
use crate::tree::{Layer, Node};
use crate::validate::rules::judge::{Judge, is_true, items, text_at, text_of};

pub(super) fn check(judge: &mut Judge<'_>, pod: &PodSpec<'_>) {
    if pod.spec.str_at(&["os", "name"]) == Some("windows") {
        return;
    }
    let mut without_user = Vec::new();
    let mut count = 0;
    for container in pod.containers() {
        count += 1;
        let Some(non_root) = effective_field(pod, &container, "runAsNonRoot") else { continue };
        if non_root.as_bool() != Some(true) {
            continue;
        }
        match effective_field(pod, &container, "runAsUser") {
            Some(user) if user.as_i64() == Some(0) => {
                report_conflict(judge, &container, user, non_root);
            }
            None if is_of_profile(non_root) => without_user.push((container, non_root)),
            _ => {}
        }
    }
    match without_user.last() {
        Some((_, non_root)) if without_user.len() == count => {
            check_unset_user(judge, pod, non_root);
        }
        _ => without_user.iter().for_each(|unset| check_unset_user_of(judge, unset)),
    }
    check_unset_group(judge, pod);
}

/// A field of the security context of a container, or of its Pod.
fn effective_field<'o>(
    pod: &PodSpec<'o>,
    container: &Container<'o>,
    field: &str,
) -> Option<&'o Node> {
    let own = container.node.at(&["securityContext", field]);
    own.or_else(|| pod.spec.at(&["securityContext", field]))
}

/// Whether the security profile of a definition set the value.
fn is_of_profile(node: &Node) -> bool {
    node.origin().layer() == Some(Layer::SecurityRestricted)
}

fn report_conflict(judge: &mut Judge<'_>, container: &Container<'_>, user: &Node, non_root: &Node) {
    let name = text_at(container.node, &["name"]);
    let message = message!("container `{name}` has `runAsNonRoot: true` and runs as user 0");
    let finding = Diagnostic::new(&RUN_AS_NON_ROOT_CONFLICT, user.span(), message)
        .at("the user ID of root")
        .label(non_root.span(), "forbids root")
        .note("the kubelet rejects the container: `CreateContainerConfigError`")
        .help("set `runAsUser` to another user, or remove `runAsNonRoot`");
    judge.report(
        finding.same_mistake_as(user.span()),
        (container.node, "securityContext.runAsUser"),
    );
}

fn check_unset_user(judge: &mut Judge<'_>, pod: &PodSpec<'_>, non_root: &Node) {
    // One message for all objects of a definition.
    let message = "`security: restricted` forbids root, but no `runAsUser` is set";
    let finding = Diagnostic::new(&RUN_AS_USER_UNSET, non_root.span(), message)
        .at("no `runAsUser`")
        .note("if the image runs as root, the kubelet rejects the container: `CreateContainerConfigError`")
        .help("set `podSecurityContext: {runAsUser: 1000}`, or the user ID that the image declares");
    judge.report(finding, (pod.spec, "securityContext.runAsUser"));
}

/// Reports a container without a user in a Pod whose other containers have one.
fn check_unset_user_of(judge: &mut Judge<'_>, (container, non_root): &(Container<'_>, &Node)) {
    let name_node = container.node.get("name");
    let span = name_node.map_or_else(|| non_root.span(), Node::span);
    let name = name_node.map_or("", text_of);
    let message =
        message!("`security: restricted` forbids root, but container `{name}` has no `runAsUser`");
    let finding = Diagnostic::new(&RUN_AS_USER_UNSET, span, message)
        .at("no `runAsUser`")
        .note("if the image runs as root, the kubelet rejects the container: `CreateContainerConfigError`")
        .help("set `securityContext: {runAsUser: 1000}` on the container, or the user ID that its image declares");
    judge.report(finding, (container.node, "securityContext.runAsUser"));
}

/// Reports a Pod without a group for its volumes: a new volume belongs to root unless the Pod sets
/// `fsGroup`.
fn check_unset_group(judge: &mut Judge<'_>, pod: &PodSpec<'_>) {
    let context = pod.spec.get("securityContext");
    let non_root = context.and_then(|it| it.get("runAsNonRoot"));
    let has_group = context.is_some_and(|context| context.get("fsGroup").is_some());
    if has_group
        || !non_root.is_some_and(|node| node.as_bool() == Some(true) && is_of_profile(node))
    {
        return;
    }
    let of_template =
        pod.volume_claim_templates().iter().filter_map(|it| it.at(&["metadata", "name"]));
    let volumes = items(pod.spec, "volumes");
    let is_claim = |volume: &&Node| {
        let claim = volume.get("persistentVolumeClaim").filter(|claim| !is_true(claim, "readOnly"));
        claim.is_some() || volume.get("ephemeral").is_some()
    };
    let of_pod = volumes.iter().filter(is_claim).filter_map(|it| it.get("name"));
    let is_written = |volume: &&Node| {
        let mut mounts =
            pod.containers().flat_map(|container| items(container.node, "volumeMounts"));
        mounts
            .any(|mount| mount.str_at(&["name"]) == volume.as_str() && !is_true(mount, "readOnly"))
    };
    let Some(volume) = of_template.chain(of_pod).find(is_written) else { return };
    let name = text_of(volume);
    let message = message!("no `fsGroup` is set, but volume claim `{name}` is mounted");
    let finding = Diagnostic::new(&FS_GROUP_UNSET, volume.span(), message)
        .at("belongs to root when it is created")
        .note("a user other than root usually cannot write to a new volume without `fsGroup`")
        .help("set `podSecurityContext: {fsGroup: 1000}`, or the group ID of the image");
    judge.report(finding, (pod.spec, "securityContext.fsGroup"));
}
