//! The fields of a Service for load balancers and external traffic.

use super::{View, refuse_balancing, refuse_field};
use crate::tree::{Node, Path};
use crate::validate::rules::addresses::{Written, check_block};
use crate::validate::rules::judging::{Judging, items};
use crate::validate::rules::of_object::ObjectJudge;
use crate::validate::rules::qualified::check_name;

const SOURCE_RANGES: &str = "service.beta.kubernetes.io/load-balancer-source-ranges";

pub(super) fn check(judge: &mut ObjectJudge<'_, '_>, view: &View<'_>, path: &Path<'_>) {
    let is_balancer = view.has_type("LoadBalancer");
    if items(view.spec, "loadBalancerSourceRanges").is_empty() {
        annotated_ranges(judge, view);
    } else {
        ranges(judge, view, path);
    }
    for field in ["allocateLoadBalancerNodePorts", "loadBalancerClass"] {
        if let Some(entry) = view.spec.entry(field).filter(|_| !is_balancer) {
            refuse_balancing(judge, view, field, entry.key_origin.span(), &path.field(field));
        }
    }
    if let Some(class) = view.spec.get("loadBalancerClass").filter(|_| is_balancer) {
        check_name(judge, class, "load balancer class", &path.field("loadBalancerClass"));
    }
    outside(judge, view, path);
}

fn ranges(judge: &mut ObjectJudge<'_, '_>, view: &View<'_>, path: &Path<'_>) {
    let field = "loadBalancerSourceRanges";
    let path = path.field(field);
    let Some(entry) = view.spec.entry(field) else { return };
    if !view.has_type("LoadBalancer") {
        refuse_balancing(judge, view, field, entry.key_origin.span(), &path);
    }
    for (index, node) in entry.value.items().iter().enumerate() {
        let Some(text) = node.as_str() else { continue };
        let written = Written { text: text.trim(), span: node.span(), minor: judge.minor };
        check_block(judge, written, &path.index(index));
    }
}

/// Checks the annotation, which applies if the field is empty.
fn annotated_ranges(judge: &mut ObjectJudge<'_, '_>, view: &View<'_>) {
    let root = Path::root();
    let metadata = root.field("metadata");
    let annotations = metadata.field("annotations");
    let path = annotations.key(SOURCE_RANGES);
    let node = judge.object.root.at(&["metadata", "annotations", SOURCE_RANGES]);
    let Some(node) = node else { return };
    if !view.has_type("LoadBalancer") {
        refuse_balancing(judge, view, SOURCE_RANGES, node.span(), &path);
    }
    let text = node.as_str().unwrap_or_default().trim();
    if text.is_empty() {
        return;
    }
    for part in text.split(',') {
        let written = Written { text: part.trim(), span: node.span(), minor: judge.minor };
        check_block(judge, written, &path);
    }
}

fn outside(judge: &mut ObjectJudge<'_, '_>, view: &View<'_>, path: &Path<'_>) {
    let field = "externalTrafficPolicy";
    let policy = view.spec.get(field).filter(|it| it.as_str() != Some(""));
    if let Some(node) = policy.filter(|_| !view.is_open()) {
        let reason = "applies to external traffic, which this Service does not receive".to_owned();
        let help = format!("remove `{field}`, or write `type: LoadBalancer` or `NodePort`");
        refuse_field(judge, field, node.span(), (reason, help), &path.field(field));
    }
    let is_local = policy.and_then(Node::as_str) == Some("Local");
    let field = "healthCheckNodePort";
    let Some(node) = view.spec.get(field).filter(|it| it.as_i64().is_some_and(|it| it != 0)) else {
        return;
    };
    if view.has_type("LoadBalancer") && is_local {
        judge.ranged(view.spec, field, 1..=65535, path);
    } else {
        let reason = "requires type `LoadBalancer` and `externalTrafficPolicy: Local`".to_owned();
        let help = format!("remove `{field}`");
        refuse_field(judge, field, node.span(), (reason, help), &path.field(field));
    }
}
