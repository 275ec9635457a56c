//! Checks of the merged Pod.

use super::managed::CONTAINER;
use super::rules::{
    MOUNT_PATH_INVALID, OVERRIDE_REPLACES_FIELD, OVERRIDE_WIDENS_SANDBOX, POD_USER_WITHOUT_EFFECT,
    VOLUME_UNMOUNTED, VOLUME_WITHOUT_SOURCE,
};
use super::server::ServerSpec;
use crate::decode::Text;
use crate::diag::{Diagnostic, Sink, message};
use crate::sorted::SortedSet;
use crate::tree::{Node, items};

/// The author's fields, to compare with the merged Pod.
pub(super) struct Written {
    runtime_class: Option<Node>,
    overrides: Option<Node>,
}

impl Written {
    pub(super) fn of(spec: &ServerSpec) -> Self {
        Self {
            runtime_class: spec.pod.spec.runtime_class_name.clone().map(Text::into_node),
            overrides: spec.pod.pod_overrides.clone().map(|it| it.node),
        }
    }

    /// Checks the merged PodSpec, before the security profile is applied.
    pub(super) fn check(&self, pod: &Node, sink: &mut Sink) {
        self.check_runtime_class(sink);
        self.check_width(sink);
        check_pod_user(pod, sink);
        check_mounts(pod, sink);
    }

    fn check_runtime_class(&self, sink: &mut Sink) {
        let overrides = self.overrides.as_ref();
        let Some(over) = overrides.and_then(|it| it.get("runtimeClassName")) else { return };
        let Some(typed) = &self.runtime_class else { return };
        if over.same_value(typed) {
            return;
        }
        let name = |node: &Node| node.as_str().unwrap_or_default().to_owned();
        let message = message!(
            "`podOverrides` replaces the RuntimeClass `{}` with `{}`",
            name(typed),
            name(over)
        );
        sink.report(
            Diagnostic::new(&OVERRIDE_REPLACES_FIELD, over.span(), message)
                .at("the Pod has this one")
                .label(typed.span(), "replaced; idegym records this one")
                .path(&"spec.podOverrides.runtimeClassName")
                .note("idegym finds servers and snapshots again by the recorded RuntimeClass")
                .help("set `runtimeClassName` in `spec` only"),
        );
    }

    /// Reports overrides that weaken the isolation.
    fn check_width(&self, sink: &mut Sink) {
        let Some(overrides) = &self.overrides else { return };
        let mut report = |node: &Node, path: String, what: &'static str| {
            sink.report(
                Diagnostic::new(
                    &OVERRIDE_WIDENS_SANDBOX,
                    node.span(),
                    message!("`{path}` weakens the isolation of the server"),
                )
                .at(what)
                .path(&format!("spec.podOverrides.{path}"))
                .help("remove it unless the server requires it"),
            );
        };
        for field in ["hostNetwork", "hostPID", "hostIPC"] {
            if let Some(node) = overrides.get(field).filter(|flag| flag.as_bool() == Some(true)) {
                report(node, field.to_owned(), "shares a namespace of the node");
            }
        }
        if let Some(node) = overrides.get("nodeName") {
            report(node, "nodeName".to_owned(), "bypasses the scheduler");
        }
        for (index, volume) in items(overrides, "volumes").iter().enumerate() {
            if let Some(path) = volume.get("hostPath") {
                report(path, format!("volumes[{index}].hostPath"), "a directory of the node");
            }
        }
        for list in ["initContainers", "containers"] {
            for (index, container) in items(overrides, list).iter().enumerate() {
                let flag = container.at(&["securityContext", "privileged"]);
                if let Some(node) = flag.filter(|flag| flag.as_bool() == Some(true)) {
                    let path = format!("{list}[{index}].securityContext.privileged");
                    report(node, path, "has all privileges on the node");
                }
            }
        }
    }
}

/// Reports a user of the Pod, which has no effect on the managed container with its own user.
fn check_pod_user(pod: &Node, sink: &mut Sink) {
    let is_other = |container: &Node| container.str_at(&["name"]) != Some(CONTAINER);
    if ["containers", "initContainers"].iter().any(|list| items(pod, list).iter().any(is_other)) {
        return;
    }
    for field in ["runAsUser", "runAsGroup", "runAsNonRoot"] {
        let Some(node) = pod.at(&["securityContext", field]) else { continue };
        sink.report(
            Diagnostic::new(
                &POD_USER_WITHOUT_EFFECT,
                node.span(),
                message!("`securityContext.{field}` of the Pod has no effect on `{CONTAINER}`"),
            )
            .at("no effect")
            .path(&format!("spec.securityContext.{field}"))
            .note("the container has its own user, which takes precedence, and the Pod has no other container")
            .help("set `runAsRoot`, or remove the field"),
        );
    }
}

/// Checks mount paths, volumes without a source, and volumes that are not mounted.
fn check_mounts(pod: &Node, sink: &mut Sink) {
    let lists = ["initContainers", "containers", "ephemeralContainers"].into_iter();
    let containers: Vec<_> = lists.flat_map(|list| items(pod, list)).collect();
    let all = |list: &str| -> Vec<&Node> {
        containers.iter().flat_map(|container| items(container, list)).collect()
    };
    let mounts = all("volumeMounts");
    for mount in &mounts {
        let Some(path) = mount.get("mountPath") else { continue };
        let text = path.as_str().unwrap_or_default();
        let (label, note) = if text.contains(':') {
            ("must not contain `:`", "container runtimes read the `:` as the end of the path")
        } else if !text.is_empty() && !text.starts_with('/') {
            (
                "must start with `/`",
                "the container runtime rejects the container or uses another directory",
            )
        } else {
            continue;
        };
        sink.report(
            Diagnostic::new(
                &MOUNT_PATH_INVALID,
                path.span(),
                message!("invalid mount path `{text}`: it {label}"),
            )
            .at(label)
            .note(note)
            .help("use an absolute path without `:`"),
        );
    }
    let devices = all("volumeDevices");
    let used: SortedSet<_> =
        mounts.iter().chain(&devices).filter_map(|it| it.str_at(&["name"])).collect();
    for volume in items(pod, "volumes") {
        let Some(name) = volume.get("name") else { continue };
        if volume.entries().iter().all(|entry| entry.key == "name" || entry.value.is_null()) {
            sink.report(without_source(name));
        }
        if let Some(text) = name.as_str().filter(|text| !used.contains(text)) {
            sink.report(
                Diagnostic::new(
                    &VOLUME_UNMOUNTED,
                    name.span(),
                    message!("no container mounts the volume `{text}`"),
                )
                .at("not mounted")
                .help(message!(
                    "add `{{name: {text}, mountPath: /PATH}}` to `volumeMounts`, or remove the volume"
                )),
            );
        }
    }
}

fn without_source(name: &Node) -> Diagnostic {
    let text = name.as_str().unwrap_or_default();
    Diagnostic::new(&VOLUME_WITHOUT_SOURCE, name.span(), message!("volume `{text}` has no source"))
        .at("no source")
        .note("the API server makes it an empty directory")
        .help("add the source, such as `secret`, or `emptyDir: {}` for an empty directory")
}
