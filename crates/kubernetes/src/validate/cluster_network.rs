//! Services and the network of the cluster, which the Project can declare: its address ranges for
//! Services and its IP families.
//!
//! Follows `initIPFamilyFields` and `allocIPs` of `pkg/registry/core/service/storage/alloc.go`, and
//! `Allocate` of `pkg/registry/core/service/ipallocator`.

use super::rules::{CLUSTER_IP_INVALID, SERVICE_CIDR_INVALID};
use crate::diag::{Diagnostic, Message, Sink, listed, message};
use crate::kube::{Object, ObjectSet};
use crate::scalar::{Cidr, parse_ip_address, shown};
use crate::source::Span;
use crate::tree::{Node, Path, items};
use crate::validate::fields::filled;

/// The IP families, as `ipFamilies` of a Service names them.
const FAMILIES: [&str; 2] = ["IPv4", "IPv6"];

/// The network of the cluster as it is declared.
pub struct Settings<'p> {
    /// The address ranges of Services, and their spans.
    pub ranges: Vec<(&'p str, Span)>,
    /// The IP families of Services; by default those of the ranges.
    pub families: Option<Vec<&'static str>>,
}

/// The network of the cluster.
struct Network<'p> {
    /// The IP families of Services.
    families: Vec<&'static str>,
    /// The address ranges of Services, with their text.
    ranges: Vec<(Cidr, &'p str)>,
}

/// Reports Services that the API server of a cluster with this network rejects.
pub fn check(set: &ObjectSet<'_>, declared: Settings<'_>, sink: &mut Sink) {
    let network = Network::read(declared, sink);
    if network.families.is_empty() {
        return;
    }
    for object in set.all().iter().filter(|object| object.gvk.is("", "Service")) {
        if let Some(spec) = object.root.get("spec") {
            network.check_service(object, spec, sink);
        }
    }
}

impl<'p> Network<'p> {
    fn read(declared: Settings<'p>, sink: &mut Sink) -> Self {
        let mut ranges = Vec::new();
        for (text, span) in declared.ranges {
            if let (Some(range), None) = (Cidr::parse(text), Cidr::lax(text)) {
                ranges.push((range, text));
                continue;
            }
            let message = message!("`{}` is not a valid address range", shown(text));
            let finding = Diagnostic::new(&SERVICE_CIDR_INVALID, span, message);
            sink.report(finding.at("not a CIDR block").help("write it as in `10.96.0.0/16`"));
        }
        let of_ranges = || ranges.iter().map(|range| family_name(range.0.is_ipv4())).collect();
        let families = declared.families.unwrap_or_else(of_ranges);
        Self { families, ranges }
    }

    fn check_service(&self, object: &Object, spec: &Node, sink: &mut Sink) {
        if spec.str_at(&["type"]) == Some("ExternalName") {
            return;
        }
        let (path, mut report) = (Path::root(), |finding: Diagnostic, path: &Path<'_>| {
            sink.report(finding.path(path));
        });
        let path = path.field("spec");
        let name = object.describe();
        let (addresses, families) = (cluster_addresses(spec), items(spec, "ipFamilies"));
        let is_headless = addresses.first().is_some_and(|address| address.as_str() == Some("None"));
        let mut is_refused = false;
        // The family of an address is only inferred if it is not listed.
        for address in addresses.iter().skip(families.len()) {
            let family = address
                .as_str()
                .and_then(parse_ip_address)
                .map(|address| family_name(address.is_ipv4()));
            let Some(family) = family.filter(|family| !self.families.contains(family)) else {
                continue;
            };
            let message =
                message!("{name} has an {family} address, but the cluster has no {family}");
            let finding = Diagnostic::new(&CLUSTER_IP_INVALID, address.span(), message);
            let reason = message!("{family} is not configured on this cluster");
            report(with_rejection(finding, reason), &path.field("clusterIPs"));
            is_refused = true;
        }
        let has_selector =
            spec.get("selector").is_some_and(|selector| !selector.entries().is_empty());
        if is_refused || is_headless && !has_selector {
            return;
        }
        if let Some(policy) = spec.get("ipFamilyPolicy")
            && policy.as_str() == Some("RequireDualStack")
            && !FAMILIES.iter().all(|family| self.families.contains(family))
        {
            let message = message!("{name} requires two IP families, but the cluster has only one");
            let finding = Diagnostic::new(&CLUSTER_IP_INVALID, policy.span(), message)
                .help("write `ipFamilyPolicy: PreferDualStack`, or remove it");
            let reason = "this cluster is not configured for dual-stack services";
            report(with_rejection(finding, reason), &path.field("ipFamilyPolicy"));
            is_refused = true;
        }
        let list = path.field("ipFamilies");
        for (index, node) in families.iter().enumerate() {
            let is_absent =
                |family: &&str| node.as_str() == Some(*family) && !self.families.contains(family);
            let Some(family) = FAMILIES.into_iter().find(is_absent) else { continue };
            let message = message!("{name} has the IP family {family}, but the cluster does not");
            let finding = Diagnostic::new(&CLUSTER_IP_INVALID, node.span(), message);
            report(with_rejection(finding, "not configured on this cluster"), &list.index(index));
            is_refused = true;
        }
        if is_refused || is_headless {
            return;
        }
        for node in addresses {
            if let Some(finding) = self.outside_of_ranges(&name, node) {
                report(finding, &path.field("clusterIPs"));
            }
        }
    }

    /// The finding about an address that no range for its family can allocate.
    fn outside_of_ranges(&self, name: &str, node: &Node) -> Option<Diagnostic> {
        let text = node.as_str()?;
        let address = parse_ip_address(text)?;
        let of_family = |range: &&(Cidr, &str)| range.0.is_ipv4() == address.is_ipv4();
        let ranges: Vec<_> = self.ranges.iter().filter(of_family).collect();
        if ranges.is_empty() || ranges.iter().any(|range| range.0.can_allocate(address)) {
            return None;
        }
        let is_inside = ranges.iter().any(|range| range.0.contains_address(address));
        let fault = if is_inside { "is reserved in" } else { "is outside" };
        let what = message!("cluster IP `{text}` of {name} {fault} the address range");
        let finding = Diagnostic::new(&CLUSTER_IP_INVALID, node.span(), what)
            .at("cannot be allocated")
            .help(message!("use an address in {}", listed(ranges.iter().map(|it| it.1))));
        Some(with_rejection(finding, message!("failed to allocate IP {text}")))
    }
}

/// Adds the reason of the API server.
fn with_rejection(finding: Diagnostic, reason: impl Into<Message>) -> Diagnostic {
    finding
        .note(message!("the API server rejects the Service: {}", reason.into()))
        .note("the network of the cluster is declared in `cluster` of the Project")
}

/// The addresses of a Service; `clusterIP` is the first one.
fn cluster_addresses(spec: &Node) -> Vec<&Node> {
    match items(spec, "clusterIPs") {
        [] => filled(spec, "clusterIP").into_iter().collect(),
        all => all.iter().collect(),
    }
}

const fn family_name(is_ipv4: bool) -> &'static str {
    if is_ipv4 { "IPv4" } else { "IPv6" }
}
