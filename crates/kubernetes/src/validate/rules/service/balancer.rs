//! The fields of a Service for load balancers and external traffic.

use super::{View, refuse_balancing, refuse_field};
use crate::diag::message;
use crate::tree::Node;
use crate::validate::rules::addresses::{Written, check_block};
use crate::validate::rules::judge::{Judge, filled, items, text_of};
use crate::validate::rules::qualified::check_name;

const SOURCE_RANGES: &str = "service.beta.kubernetes.io/load-balancer-source-ranges";

pub(super) fn check(judge: &mut Judge<'_>, view: &View<'_>) {
    let is_balancer = view.has_type("LoadBalancer");
    if items(view.spec, "loadBalancerSourceRanges").is_empty() {
        check_annotated_ranges(judge, view);
    } else {
        check_ranges(judge, view);
    }
    for field in ["allocateLoadBalancerNodePorts", "loadBalancerClass"] {
        if let Some(entry) = view.spec.entry(field).filter(|_| !is_balancer) {
            refuse_balancing(judge, view, field, entry);
        }
    }
    if let Some(class) = view.spec.get("loadBalancerClass").filter(|_| is_balancer) {
        check_name(judge, class, "load balancer class");
    }
    check_outside_type(judge, view);
}

fn check_ranges(judge: &mut Judge<'_>, view: &View<'_>) {
    let field = "loadBalancerSourceRanges";
    let Some(entry) = view.spec.entry(field) else { return };
    if !view.has_type("LoadBalancer") {
        refuse_balancing(judge, view, field, entry);
    }
    for node in entry.value.items() {
        let Some(text) = node.as_str() else { continue };
        let written = Written { node, text: text.trim(), minor: judge.minor };
        check_block(judge, written);
    }
}

/// Checks the annotation, which applies if the field is empty.
fn check_annotated_ranges(judge: &mut Judge<'_>, view: &View<'_>) {
    let node = judge.object.root.at(&["metadata", "annotations", SOURCE_RANGES]);
    let Some(node) = node else { return };
    if !view.has_type("LoadBalancer") {
        refuse_balancing(judge, view, SOURCE_RANGES, node);
    }
    let text = text_of(node).trim();
    if text.is_empty() {
        return;
    }
    for part in text.split(',') {
        let written = Written { node, text: part.trim(), minor: judge.minor };
        check_block(judge, written);
    }
}

fn check_outside_type(judge: &mut Judge<'_>, view: &View<'_>) {
    let field = "externalTrafficPolicy";
    let policy = filled(view.spec, field);
    if let Some(node) = policy.filter(|_| !view.is_open()) {
        let reason = "applies to external traffic, which this Service does not receive".into();
        let help = message!("remove `{field}`, or write `type: LoadBalancer` or `NodePort`");
        refuse_field(judge, field, node, (reason, help));
    }
    let is_local = policy.and_then(Node::as_str) == Some("Local");
    let field = "healthCheckNodePort";
    let Some(node) =
        view.spec.get(field).filter(|port| port.as_i64().is_some_and(|number| number != 0))
    else {
        return;
    };
    if view.has_type("LoadBalancer") && is_local {
        judge.ranged(view.spec, field, 1..=65535);
    } else {
        let reason = "requires type `LoadBalancer` and `externalTrafficPolicy: Local`".into();
        let help = message!("remove `{field}`");
        refuse_field(judge, field, node, (reason, help));
    }
}
