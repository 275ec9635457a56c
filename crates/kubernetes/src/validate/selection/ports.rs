//! The named target ports of a Service, in the Pods that it selects.

use std::collections::BTreeSet;

use super::TARGET_PORT_NOT_FOUND;
use crate::diag::{Diagnostic, Sink};
use crate::kube::{Object, PodSpec};
use crate::limits::Fuel;
use crate::tree::{Node, Path};

/// Reports each named `targetPort` that no container of the Pods has.
pub(super) fn check(service: &Object, pods: &[&PodSpec<'_>], fuel: &Fuel<'_>, sink: &mut Sink) {
    let root = Path::root();
    let spec = root.field("spec");
    let field = spec.field("ports");
    let ports = service.root.at(&["spec", "ports"]).map_or(&[][..], Node::items);
    let mut known = None;
    for (index, port) in ports.iter().enumerate() {
        let Some(node) = port.get("targetPort") else { continue };
        let Some(name) = node.as_str().filter(|it| !it.is_empty()) else { continue };
        if known.is_none() {
            let containers = pods.iter().flat_map(|it| it.containers()).count();
            let count = containers + ports_of(pods).count();
            if !fuel.spend(count * 2) {
                return;
            }
        }
        let known = known.get_or_insert_with(|| names(pods));
        if known.contains(name) {
            continue;
        }
        let message = format!("no Pod selected by {} has a port named `{name}`", service.shown());
        let candidates = sink.near(known.iter().copied());
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

fn ports_of<'p, 'o>(pods: &'p [&PodSpec<'o>]) -> impl Iterator<Item = &'o Node> + use<'p, 'o> {
    let containers = pods.iter().flat_map(|it| it.containers());
    containers.flat_map(|it| it.node.get("ports").map_or(&[][..], Node::items))
}

fn names<'o>(pods: &[&PodSpec<'o>]) -> BTreeSet<&'o str> {
    ports_of(pods).filter_map(|port| port.str_at(&["name"])).collect()
}
