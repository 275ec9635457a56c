//! The headless Services that give Pods their names: `serviceName` of a StatefulSet, and `subdomain` of
//! Pods.

use super::{Check, Reference, SERVICE_NOT_FOUND, SERVICE_NOT_HEADLESS};
use crate::diag::{Diagnostic, message};
use crate::kube::{Object, PodSpec, pod_specs};
use crate::tree::{Node, Path};

/// Checks the Services of all `StatefulSet` objects and Pods.
pub(super) fn check(check: &mut Check<'_, '_>) {
    let set = check.set;
    let root = Path::root();
    let spec = root.field("spec");
    for object in set.of_kind("apps", "StatefulSet").filter(|it| !it.is_compiled()) {
        if let Some(node) = object.root.at(&["spec", "serviceName"]) {
            check_one(check, object, node, &spec.field("serviceName"));
        }
    }
    for pod in pod_specs(set).filter(|pod| !pod.object.is_compiled()) {
        if pod.object.gvk.facts().is_none()
            && let Some(node) = pod.spec.get("subdomain")
        {
            let path = path_of(&pod);
            check_one(check, pod.object, node, &root.field(&path));
        }
    }
}

fn path_of(pod: &PodSpec<'_>) -> String {
    format!("{}.subdomain", pod.path())
}

fn check_one(check: &mut Check<'_, '_>, object: &Object, node: &Node, path: &Path<'_>) {
    let Some(name) = node.as_str().filter(|it| !it.is_empty()) else { return };
    let mut found = check.set.find_all("", "Service", &object.namespace, name).peekable();
    if found.peek().is_none() {
        let reference = Reference {
            rule: &SERVICE_NOT_FOUND,
            group: "",
            kind: "Service",
            namespace: &object.namespace,
            node,
            consequence: "without the Service, the Pods have no DNS names",
        };
        return check.look_up(object, &reference, path);
    }
    // Services with one name can be alternatives.
    let services: Vec<_> = found.collect();
    if services.iter().any(|service| is_headless(service)) {
        return;
    }
    let Some(service) = services.first() else { return };
    let message = message!("{} is not headless, so the Pods have no DNS names", service.describe());
    let span = service.root.at(&["spec", "clusterIP"]).map_or(service.name_span(), Node::span);
    let finding = Diagnostic::new(&SERVICE_NOT_HEADLESS, node.span(), message)
        .at("requires a headless Service")
        .label(span, "has an address of its own")
        .path(path)
        .note("DNS only has names of single Pods for a Service with `clusterIP: None`")
        .help("set `clusterIP: None`, or add a headless Service for the names");
    check.sink.report(finding);
}

/// Whether a Service has no address of its own, or one that is not known.
fn is_headless(service: &Object) -> bool {
    match service.root.at(&["spec", "clusterIP"]) {
        Some(node) => {
            node.as_str().is_none_or(|address| address == "None" || address.contains(['$', '{']))
        }
        None => service.root.get("spec").is_none(),
    }
}
