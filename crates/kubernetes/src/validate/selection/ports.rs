//! The target ports of a Service, in the Pods that it selects.

use std::cell::LazyCell;
use std::iter;

use super::{HEADLESS_PORT_CLOSED, TARGET_PORT_NOT_FOUND};
use crate::diag::{Diagnostic, Sink, message};
use crate::kube::{Object, PodSpec};
use crate::limits::Fuel;
use crate::sorted::SortedSet;
use crate::tree::{Node, Path, items};
use crate::validate::fields::filled_node;
use crate::validate::fields::text_at;

/// The number of named ports of a Service for each of which the Pods are searched.
const FEW: usize = 3;

/// Reports each named `targetPort` that no container of the Pods has.
pub(super) fn check(service: &Object, pods: &[&PodSpec<'_>], fuel: &Fuel<'_>, sink: &mut Sink) {
    let root = Path::root();
    let spec = root.field("spec");
    let field = spec.field("ports");
    let ports = service.root.items_at(&["spec", "ports"]);
    let known = LazyCell::new(|| names_of_ports(pods).flatten().collect::<SortedSet<_>>());
    let mut searched = 0;
    for (index, port) in ports.iter().enumerate() {
        let Some((node, name)) = filled_node(port, "targetPort") else { continue };
        searched += 1;
        let mut steps = 1;
        // The first Pod nearly always has the port: its names are only collected for Services with many.
        let is_known = match searched {
            ..=FEW => names_of_ports(pods).inspect(|_| steps += 1).any(|known| known == Some(name)),
            _ => known.contains(name),
        };
        if !fuel.spend(steps) {
            return;
        }
        if is_known {
            continue;
        }
        let message =
            message!("no Pod selected by {} has a port named `{name}`", service.describe());
        let candidates = sink.near(known.iter().copied());
        let mut finding = Diagnostic::new(&TARGET_PORT_NOT_FOUND, node.span(), message)
            .at("no such port")
            .path(&field.index(index).field("targetPort"))
            .suggest_near_or(node.span(), name, candidates, || {
                message!("write the port number, or add `name: {name}` to a container port")
            });
        if let Some(pod) = pods.first() {
            finding = finding.label(pod.object.name_span(), "it selects these Pods");
        }
        sink.report(finding);
    }
}

/// Reports each port of a headless Service on which the Pods do not listen: nothing translates it to
/// `targetPort`.
pub(super) fn check_headless(
    service: &Object,
    pods: &[&PodSpec<'_>],
    fuel: &Fuel<'_>,
    sink: &mut Sink,
) {
    if service.root.str_at(&["spec", "clusterIP"]) != Some("None") {
        return;
    }
    let root = Path::root();
    let spec = root.field("spec");
    let field = spec.field("ports");
    let ports = service.root.items_at(&["spec", "ports"]);
    if !ports.iter().any(|port| port.get("targetPort").is_some()) {
        return;
    }
    let (mut numbers, mut steps) = (Vec::with_capacity(pods.len()), ports.len());
    for pod in pods {
        let of_pod = numbers_of(pod);
        steps += of_pod.len() + pod.containers().count();
        numbers.push(of_pod);
    }
    if !fuel.spend(steps.saturating_mul(2)) {
        return;
    }
    for (index, port) in ports.iter().enumerate() {
        let (Some(node), Some(target)) = (port.get("port"), port.get("targetPort")) else {
            continue;
        };
        let Some(number) = node.as_i64() else { continue };
        let is_target = |(name, port): &(&str, i64)| match target.as_str() {
            Some(text) => *name == text,
            None => target.as_i64() == Some(*port),
        };
        // What a container does not declare, it may listen on as well.
        let is_closed = numbers.iter().all(|of_pod| {
            of_pod.iter().any(is_target) && of_pod.iter().all(|(_, port)| *port != number)
        });
        if !is_closed || numbers.is_empty() {
            continue;
        }
        let listens = numbers.iter().flatten().find(|port| is_target(port)).map_or(0, |it| it.1);
        let message =
            message!("port {number} of headless {} is not a port of its Pods", service.describe());
        let mut finding = Diagnostic::new(&HEADLESS_PORT_CLOSED, target.span(), message)
            .at("no effect on clients")
            .path(&field.index(index).field("targetPort"))
            .note("clients of a headless Service connect to the addresses of its Pods")
            .help(message!("write `port: {listens}`, or remove `clusterIP: None`"));
        if let Some(pod) = pods.first() {
            finding = finding.label(pod.object.name_span(), "it selects these Pods");
        }
        sink.report(finding);
    }
}

/// The names and numbers of the ports of a Pod.
fn numbers_of<'o>(pod: &PodSpec<'o>) -> Vec<(&'o str, i64)> {
    let ports = pod.containers().flat_map(|container| items(container.node, "ports"));
    let number = |port: &'o Node| port.get("containerPort").and_then(Node::as_i64);
    ports.filter_map(|port| Some((text_at(port, &["name"]), number(port)?))).collect()
}

/// The names of the ports of all containers. Each container is a step as well.
fn names_of_ports<'o>(pods: &[&PodSpec<'o>]) -> impl Iterator<Item = Option<&'o str>> {
    let containers = pods.iter().flat_map(|it| it.containers());
    containers.flat_map(|container| {
        let ports = items(container.node, "ports");
        iter::once(None).chain(ports.iter().map(|it| it.str_at(&["name"])))
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kube::GroupVersionKind;
    use crate::source::Workspace;
    use crate::tree::Origin;

    fn object(kind: &str, root: serde_json::Value) -> Object {
        let span = Workspace::new().start();
        Object {
            gvk: GroupVersionKind::new("v1", kind).into(),
            name: "a".into(),
            namespace: "a".into(),
            root: Node::from_json(root, Origin::source(span)),
            document: span,
        }
    }

    #[test]
    fn the_pods_are_not_searched_for_each_of_many_ports() {
        const COUNT: u64 = 1_000;
        let names: Vec<_> = (0..COUNT).map(|at| json!({"name": format!("p{at}")})).collect();
        let targets: Vec<_> =
            (0..COUNT).map(|at| json!({"targetPort": format!("p{at}")})).collect();
        let pod = object("Pod", json!({"spec": {"containers": [{"ports": names}]}}));
        let service = object("Service", json!({"spec": {"ports": targets}}));
        let (fuel, mut sink) = (Fuel::of(2 * COUNT), Sink::of_document());
        check(&service, &[&PodSpec::of(&pod).unwrap()], &fuel, &mut sink);
        assert!(!fuel.is_out() && sink.is_empty());

        let containers = vec![json!({}); 1_000];
        let pod = object("Pod", json!({"spec": {"containers": containers}}));
        let service = object("Service", json!({"spec": {"ports": [{"targetPort": "p"}]}}));
        let fuel = Fuel::of(900);
        check(&service, &[&PodSpec::of(&pod).unwrap()], &fuel, &mut sink);
        assert!(fuel.is_out(), "containers without ports are steps as well");
    }
}
