//! Requirements of the runtimes gVisor and Kata.

use super::fleet::Fleet;
use crate::diag::{Diagnostic, Sink, declare_rules, message};
use crate::kube::{ObjectSet, PodSpec};
use crate::tree::Node;

declare_rules! {
    RUNTIME_CLASS_WITHOUT_PLACEMENT = "runtime-class-without-placement", Warning;
    GVISOR_MEMORY_UNLIMITED = "gvisor-memory-unlimited", Warning;
    KATA_MEMORY_UNLIMITED = "kata-memory-unlimited", Warning;
}

/// An isolating runtime, recognized by the name of its RuntimeClass.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Runtime {
    GVisor,
    Kata,
}

impl Runtime {
    /// Recognizes `gvisor`, `runsc`, `kata`, and names with these prefixes, such as `kata-qemu`.
    fn of(class: &str) -> Option<Self> {
        let is = |name: &str| {
            class.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
        };
        if is("gvisor") || is("runsc") {
            Some(Self::GVisor)
        } else if is("kata") {
            Some(Self::Kata)
        } else {
            None
        }
    }
}

/// Checks templates and bare Sandboxes.
pub(super) fn check(fleet: &Fleet<'_, '_>, sink: &mut Sink) {
    let templates = fleet.templates.iter().map(|template| template.object);
    for object in templates.chain(fleet.sandboxes.iter().copied()) {
        let Some(pod) = PodSpec::of(object) else { continue };
        let Some(class) = pod.spec.get("runtimeClassName") else { continue };
        let Some(runtime) = class.as_str().and_then(Runtime::of) else { continue };
        check_placement(fleet.set, &pod, class, sink);
        check_memory(&pod, runtime, class, sink);
    }
}

fn check_placement(set: &ObjectSet<'_>, pod: &PodSpec<'_>, class: &Node, sink: &mut Sink) {
    let Some(name) = class.as_str() else { return };
    let places = |field: &&str| match pod.spec.get(field) {
        Some(node) => {
            node.as_str().is_some() || !node.entries().is_empty() || !node.items().is_empty()
        }
        None => false,
    };
    if ["nodeSelector", "tolerations", "affinity", "nodeName"].iter().any(places) {
        return;
    }
    // A RuntimeClass outside the input is either declared, with unknown scheduling, or reported as
    // an unresolved reference.
    let Some(object) = set.find("node.k8s.io", "RuntimeClass", "", name) else { return };
    if object.root.get("scheduling").is_some() {
        return;
    }
    let message = message!("no `scheduling` selects the nodes that have runtime `{name}`");
    let finding = Diagnostic::new(&RUNTIME_CLASS_WITHOUT_PLACEMENT, class.span(), message)
        .at("any node can be selected")
        .label(object.name_span(), "has no `scheduling`")
        .path(&format!("{}.runtimeClassName", pod.path()))
        .note(
            "the kubelet of a node without the runtime cannot start the Pod; with tainted nodes it stays Pending",
        )
        .help(
            "add `scheduling` with `nodeSelector` and `tolerations` to the RuntimeClass, or set these in the Pod template",
        );
    sink.report(finding);
}

fn check_memory(pod: &PodSpec<'_>, runtime: Runtime, class: &Node, sink: &mut Sink) {
    let has_limit = |node: &Node| node.at(&["resources", "limits", "memory"]).is_some();
    if has_limit(pod.spec) {
        return;
    }
    let mut containers = pod.containers().filter(|container| container.list == "containers");
    let Some(container) = containers.find(|container| !has_limit(container.node)) else { return };
    let name = container.shown_name();
    let at = container.node.get("name").map_or_else(|| container.node.span(), Node::span);
    let (rule, message, note) = match runtime {
        Runtime::GVisor => (
            &GVISOR_MEMORY_UNLIMITED,
            message!("container `{name}` runs in gVisor without a memory limit"),
            "gVisor does not limit memory: one sandbox can exhaust the node and evict the others",
        ),
        Runtime::Kata => (
            &KATA_MEMORY_UNLIMITED,
            message!("container `{name}` runs in Kata without a memory limit"),
            "Kata sizes the virtual machine by the limits; without them it has the default size, and programs that require more are killed",
        ),
    };
    let finding = Diagnostic::new(rule, at, message)
        .at("has no `resources.limits.memory`")
        .label(class.span(), "uses this runtime")
        .path(&format!("{}.{}.resources", pod.path(), container.path()))
        .note(note)
        .help("set `resources: {limits: {memory: 1Gi}}`, with the memory that it requires");
    sink.report(finding);
}
