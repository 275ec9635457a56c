//! `Service`, after `ValidateServiceCreate` of Kubernetes' `pkg/apis/core/validation`, and the
//! checks of IP families in the registry.

mod balancer;
mod cluster_addresses;
mod ports;

use super::addresses::{Written, check_address, check_reachable};
use super::judge::{Absence, Judge, Spot, filled_text, items, shown, start, text_of};
use super::selectors::check_label_map;
use crate::diag::{Diagnostic, Message, declare_rules, message};
use crate::scalar::check_dns_subdomain;
use crate::tree::Node;

declare_rules! {
    CLUSTER_IP_INVALID = "cluster-ip-invalid", Error;
    EXTERNAL_NAME_INVALID = "external-name-invalid", Error;
    NODE_PORT_OUTSIDE_RANGE = "node-port-outside-range", Warning;
    SERVICE_ANNOTATIONS_DIFFER = "service-annotations-differ", Error;
    SERVICE_FIELD_OF_OTHER_TYPE = "service-field-of-other-type", Error;
    SERVICE_PORT_DUPLICATE = "service-port-duplicate", Error;
    SERVICE_PORT_UNNAMED = "service-port-unnamed", Error, follows = [Misplaced];
    SERVICE_PORTS_MISSING = "service-ports-missing", Error, follows = [Misplaced];
}

/// The value of `clusterIP` for a Service without an address.
const NO_ADDRESS: &str = "None";
/// The first minor version with more values of `trafficDistribution`
/// (`PreferSameTrafficDistribution`).
const SAME_ZONE_MINOR: u8 = 34;
const TOPOLOGY_MODE: &str = "service.kubernetes.io/topology-mode";
const TOPOLOGY_HINTS: &str = "service.kubernetes.io/topology-aware-hints";

/// The facts about a Service that its checks share.
struct View<'o> {
    spec: &'o Node,
    /// `type`, with its default.
    kind: &'o str,
    /// Whether the Service is headless.
    is_headless: bool,
}

impl View<'_> {
    fn has_type(&self, name: &str) -> bool {
        self.kind == name
    }

    /// Whether the Service receives traffic from outside the cluster (`ExternallyAccessible`).
    fn is_open(&self) -> bool {
        match self.kind {
            "LoadBalancer" | "NodePort" => true,
            "ClusterIP" => !items(self.spec, "externalIPs").is_empty(),
            _ => false,
        }
    }
}

/// Checks one Service.
pub(super) fn check(judge: &mut Judge<'_>) {
    let object = judge.object;
    check_topology(judge);
    let Some(spec) = object.root.get("spec") else {
        let message = message!("{} has no `spec`", object.describe());
        let finding = Diagnostic::new(&SERVICE_PORTS_MISSING, object.name_span(), message)
            .at("has no ports")
            .help("add `spec: {selector: {...}, ports: [{port: 80}]}`");
        judge.report(finding, (&judge.object.root, "spec"));
        return;
    };
    let addresses = items(spec, "clusterIPs");
    let is_headless = match addresses {
        [] => spec.str_at(&["clusterIP"]) == Some(NO_ADDRESS),
        [only] => only.as_str() == Some(NO_ADDRESS),
        _ => false,
    };
    let kind = filled_text(spec, "type").unwrap_or("ClusterIP");
    let view = View { spec, kind, is_headless };
    ports::check(judge, &view);
    cluster_addresses::check(judge, &view);
    check_external_name(judge, &view);
    if let Some(selector) = spec.get("selector") {
        check_label_map(judge, selector);
    }
    check_external_addresses(judge, spec);
    check_affinity(judge, spec);
    balancer::check(judge, &view);
    check_routing(judge, &view);
}

/// Reports a field that Services of this type do not accept.
fn refuse_field<'n>(
    judge: &mut Judge<'_>,
    field: &str,
    spot: impl Into<Spot<'n>>,
    (reason, help): (Message, Message),
) {
    let Spot { span, place } = spot.into();
    let message = message!("`{field}` {reason}");
    let text = (message, "not allowed for this Service type", help);
    judge.fault(&SERVICE_FIELD_OF_OTHER_TYPE, (span, place), text);
}

/// Reports a field that only load balancers have.
fn refuse_balancing<'n>(
    judge: &mut Judge<'_>,
    view: &View<'_>,
    field: &str,
    spot: impl Into<Spot<'n>>,
) {
    let reason =
        message!("requires type `LoadBalancer`, but this Service has type `{}`", shown(view.kind));
    let help = message!("remove `{field}`, or write `type: LoadBalancer`");
    refuse_field(judge, field, spot, (reason, help));
}

fn check_topology(judge: &mut Judge<'_>) {
    let Some(annotations) = judge.object.root.at(&["metadata", "annotations"]) else { return };
    let (Some(mode), Some(hints)) =
        (annotations.get(TOPOLOGY_MODE), annotations.get(TOPOLOGY_HINTS))
    else {
        return;
    };
    if mode.as_str() == hints.as_str() {
        return;
    }
    let message = "two annotations for topology-aware routing differ";
    let texts = (message, "the current annotation", message!("remove `{TOPOLOGY_HINTS}`"));
    judge.conflict(&SERVICE_ANNOTATIONS_DIFFER, mode, texts, (hints, "the deprecated annotation"));
}

fn check_external_name(judge: &mut Judge<'_>, view: &View<'_>) {
    if !view.has_type("ExternalName") {
        return;
    }
    let node = view.spec.get("externalName");
    let text = node.map_or("", text_of);
    let name = text.strip_suffix('.').unwrap_or(text);
    let (message, label) = if name.is_empty() {
        ("Service of type `ExternalName` has no `externalName`".into(), "requires a DNS name")
    } else if let Err(fault) = check_dns_subdomain(name) {
        (message!("external name `{}` {fault}", shown(text)), "not a DNS name")
    } else {
        return;
    };
    let at = node.or_else(|| view.spec.get("type")).map_or_else(|| start(view.spec), Node::span);
    let finding = Diagnostic::new(&EXTERNAL_NAME_INVALID, at, message)
        .at(label)
        .help("write `externalName: db.example.com`, in lowercase, without scheme or port");
    judge.report(finding, (view.spec, "externalName"));
}

fn check_external_addresses(judge: &mut Judge<'_>, spec: &Node) {
    for node in items(spec, "externalIPs") {
        let Some(text) = node.as_str() else { continue };
        let written = Written { node, text, minor: judge.minor };
        if let Some(address) = check_address(judge, written) {
            check_reachable(judge, address, node);
        }
    }
}

/// Checks the session affinity; for other types the server drops its configuration.
fn check_affinity(judge: &mut Judge<'_>, spec: &Node) {
    if spec.str_at(&["sessionAffinity"]) != Some("ClientIP") {
        return;
    }
    if let Some(client) = spec.at(&["sessionAffinityConfig", "clientIP"]) {
        judge.ranged(client, "timeoutSeconds", 1..=86400);
    }
}

/// Checks the fields that route traffic to endpoints.
fn check_routing(judge: &mut Judge<'_>, view: &View<'_>) {
    judge.needed(view.spec, "internalTrafficPolicy", Absence::BySchema);
    let distributions: &[_] = if judge.minor < SAME_ZONE_MINOR {
        &["PreferClose"]
    } else {
        &["PreferClose", "PreferSameZone", "PreferSameNode"]
    };
    judge.listed(view.spec, "trafficDistribution", distributions);
}
