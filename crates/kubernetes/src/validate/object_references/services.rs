//! The headless Services that give Pods their names: `serviceName` of a StatefulSet, and `subdomain` of
//! Pods.

use super::{Check, SERVICE_NOT_HEADLESS};
use crate::diag::{Diagnostic, message};
use crate::kube::{Found, Object, Target, Use, pod_specs, visit_pod_fields};
use crate::tree::Node;

/// Checks the Services of all Pods.
pub(super) fn check_pods(check_all: &mut Check<'_, '_>) {
    for pod in pod_specs(check_all.set) {
        if pod.object.is_compiled() || pod.object.gvk.facts().is_some() {
            continue;
        }
        visit_pod_fields(&pod, &mut |found| {
            if let Some(target) = found.target().filter(|_| found.reference.usage == Use::Names) {
                check(check_all, pod.object, &found, target);
            }
        });
    }
}

/// Checks the Service that an object names.
pub(super) fn check<'o>(
    check: &mut Check<'_, 'o>,
    object: &'o Object,
    found: &Found<'o, '_>,
    target: Target,
) {
    let Some(name) = found.name.as_str().filter(|name| !name.is_empty()) else { return };
    let mut services =
        check.set.find_all(target.group, target.kind, &object.namespace, name).peekable();
    if services.peek().is_none() {
        return check.look_up(object, found, target);
    }
    // Services with one name can be alternatives.
    let services: Vec<_> = services.collect();
    if services.iter().any(|service| is_headless(service)) {
        return;
    }
    let Some(service) = services.first() else { return };
    let message = message!("{} is not headless, so the Pods have no DNS names", service.describe());
    let span = service.root.at(&["spec", "clusterIP"]).map_or(service.name_span(), Node::span);
    let finding = Diagnostic::new(&SERVICE_NOT_HEADLESS, found.name.span(), message)
        .at("requires a headless Service")
        .label(span, "has an address of its own")
        .path(&found.owner_path.field(found.field))
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
