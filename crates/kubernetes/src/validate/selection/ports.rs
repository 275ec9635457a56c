//! The named target ports of a Service, in the Pods that it selects.

use super::TARGET_PORT_NOT_FOUND;
use crate::diag::{Diagnostic, Sink};
use crate::kube::{Object, PodSpec};
use crate::limits::Fuel;
use crate::sorted::SortedSet;
use crate::tree::{Node, Path};

/// Reports each named `targetPort` that no container of the Pods has.
pub(super) fn check(service: &Object, pods: &[&PodSpec<'_>], fuel: &Fuel<'_>, sink: &mut Sink) {
    let root = Path::root();
    let spec = root.field("spec");
    let field = spec.field("ports");
    let ports = service.root.at(&["spec", "ports"]).map_or(&[][..], Node::items);
    for (index, port) in ports.iter().enumerate() {
        let Some(node) = port.get("targetPort") else { continue };
        let Some(name) = node.as_str().filter(|it| !it.is_empty()) else { continue };
        let mut steps = 0;
        let is_known = names(pods).inspect(|_| steps += 1).any(|it| it == Some(name));
        if !fuel.spend(steps) {
            return;
        }
        if is_known {
            continue;
        }
        let message = format!("no Pod selected by {} has a port named `{name}`", service.shown());
        let known: SortedSet<_> = names(pods).flatten().collect();
        let candidates = sink.near(known.into_iter());
        let mut finding = Diagnostic::new(&TARGET_PORT_NOT_FOUND, node.span(), message)
            .at("no such port")
            .path(&field.index(index).field("targetPort"))
            .suggest_near_or(node.span(), name, candidates, || {
                format!("write the port number, or add `name: {name}` to a container port")
            });
        if let Some(pod) = pods.first() {
            finding = finding.label(pod.object.name_span(), "it selects these Pods");
        }
        sink.report(finding);
    }
}

/// The names of the ports of all containers.
fn names<'o>(pods: &[&PodSpec<'o>]) -> impl Iterator<Item = Option<&'o str>> {
    let containers = pods.iter().flat_map(|it| it.containers());
    let ports = containers.flat_map(|it| it.node.get("ports").map_or(&[][..], Node::items));
    ports.map(|it| it.str_at(&["name"]))
}
