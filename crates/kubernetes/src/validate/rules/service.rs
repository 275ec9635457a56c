//! `Service`, after `ValidateServiceCreate` of Kubernetes' `pkg/apis/core/validation`, and the
//! checks of IP families in the registry.

mod balancer;
mod cluster_addresses;
mod ports;

use super::addresses::{Written, check_address, check_reachable};
use super::judging::{Absence, Judging, items, shown, start};
use super::of_object::ObjectJudge;
use super::selectors::check_label_map;
use crate::diag::{Diagnostic, declare_rules};
use crate::scalar::check_dns_subdomain;
use crate::source::Span;
use crate::tree::{Node, Path};

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
pub(super) fn check(judge: &mut ObjectJudge<'_, '_>) {
    let object = judge.object;
    let root = Path::root();
    let path = root.field("spec");
    topology(judge, &root);
    let Some(spec) = object.root.get("spec") else {
        let message = format!("{} has no `spec`", object.shown());
        let finding = Diagnostic::new(&SERVICE_PORTS_MISSING, object.name_span(), message)
            .at("has no ports")
            .help("add `spec: {selector: {...}, ports: [{port: 80}]}`");
        judge.report(finding, &path);
        return;
    };
    let addresses = items(spec, "clusterIPs");
    let is_headless = match addresses {
        [] => spec.str_at(&["clusterIP"]) == Some(NO_ADDRESS),
        [only] => only.as_str() == Some(NO_ADDRESS),
        _ => false,
    };
    let kind = spec.str_at(&["type"]).filter(|it| !it.is_empty()).unwrap_or("ClusterIP");
    let view = View { spec, kind, is_headless };
    ports::check(judge, &view, &path);
    cluster_addresses::check(judge, &view, &path);
    external_name(judge, &view, &path);
    if let Some(selector) = spec.get("selector") {
        check_label_map(judge, selector, &path.field("selector"));
    }
    external_addresses(judge, spec, &path);
    affinity(judge, spec, &path);
    balancer::check(judge, &view, &path);
    routing(judge, &view, &path);
}

/// Reports a field that Services of this type do not accept.
fn refuse_field(
    judge: &mut ObjectJudge<'_, '_>,
    field: &str,
    at: Span,
    (reason, help): (String, String),
    path: &Path<'_>,
) {
    let message = format!("`{field}` {reason}");
    let finding = Diagnostic::new(&SERVICE_FIELD_OF_OTHER_TYPE, at, message)
        .at("not allowed for this Service type")
        .help(help);
    judge.report(finding, path);
}

/// Reports a field that only load balancers have.
fn refuse_balancing(
    judge: &mut ObjectJudge<'_, '_>,
    view: &View<'_>,
    field: &str,
    at: Span,
    path: &Path<'_>,
) {
    let reason =
        format!("requires type `LoadBalancer`, but this Service has type `{}`", shown(view.kind));
    let help = format!("remove `{field}`, or write `type: LoadBalancer`");
    refuse_field(judge, field, at, (reason, help), path);
}

fn topology(judge: &mut ObjectJudge<'_, '_>, root: &Path<'_>) {
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
    let finding = Diagnostic::new(&SERVICE_ANNOTATIONS_DIFFER, mode.span(), message)
        .at("the current annotation")
        .label(hints.span(), "the deprecated annotation")
        .help(format!("remove `{TOPOLOGY_HINTS}`"));
    judge.report(finding, &root.field("metadata").field("annotations").key(TOPOLOGY_MODE));
}

fn external_name(judge: &mut ObjectJudge<'_, '_>, view: &View<'_>, path: &Path<'_>) {
    if !view.has_type("ExternalName") {
        return;
    }
    let node = view.spec.get("externalName");
    let text = node.and_then(Node::as_str).unwrap_or_default();
    let name = text.strip_suffix('.').unwrap_or(text);
    let (message, label) = if name.is_empty() {
        ("Service of type `ExternalName` has no `externalName`".to_owned(), "requires a DNS name")
    } else if let Err(fault) = check_dns_subdomain(name) {
        (format!("external name `{}` {fault}", shown(text)), "not a DNS name")
    } else {
        return;
    };
    let at = node.or_else(|| view.spec.get("type")).map_or_else(|| start(view.spec), Node::span);
    let finding = Diagnostic::new(&EXTERNAL_NAME_INVALID, at, message)
        .at(label)
        .help("write `externalName: db.example.com`, in lowercase, without scheme or port");
    judge.report(finding, &path.field("externalName"));
}

fn external_addresses(judge: &mut ObjectJudge<'_, '_>, spec: &Node, path: &Path<'_>) {
    let field = path.field("externalIPs");
    for (index, node) in items(spec, "externalIPs").iter().enumerate() {
        let Some(text) = node.as_str() else { continue };
        let path = field.index(index);
        let written = Written { text, span: node.span(), minor: judge.minor };
        if let Some(address) = check_address(judge, written, &path) {
            check_reachable(judge, address, node.span(), &path);
        }
    }
}

/// Checks the session affinity; for other types the server drops its configuration.
fn affinity(judge: &mut ObjectJudge<'_, '_>, spec: &Node, path: &Path<'_>) {
    if spec.str_at(&["sessionAffinity"]) != Some("ClientIP") {
        return;
    }
    let path = path.field("sessionAffinityConfig");
    if let Some(client) = spec.at(&["sessionAffinityConfig", "clientIP"]) {
        judge.ranged(client, "timeoutSeconds", 1..=86400, &path.field("clientIP"));
    }
}

/// Checks the fields that route traffic to endpoints.
fn routing(judge: &mut ObjectJudge<'_, '_>, view: &View<'_>, path: &Path<'_>) {
    judge.needed(view.spec, "internalTrafficPolicy", Absence::BySchema, path);
    let distributions: &[_] = if judge.minor < SAME_ZONE_MINOR {
        &["PreferClose"]
    } else {
        &["PreferClose", "PreferSameZone", "PreferSameNode"]
    };
    judge.listed(view.spec, "trafficDistribution", distributions, path);
}
