//! Templates with the controller's default NetworkPolicy: egress to public addresses only, and
//! ingress from the router only.

use core::net::IpAddr;

use super::reach::{BlockedAddress, ROUTER, blocked_address, is_blocked};
use super::{Network, Policy, Subject, items};
use crate::diag::{Diagnostic, Sink, declare_rules, message};
use crate::dialect::agent_sandbox::names::INSTALL_NAMESPACE;
use crate::kube::{Direction, Object};
use crate::source::Span;
use crate::tree::Node;

declare_rules! {
    DNS_POLICY_BLOCKED = "dns-policy-blocked", Warning;
    DNS_CONFIG_DISCARDED = "dns-config-discarded", Warning;
    CLUSTER_ADDRESS_BLOCKED = "cluster-address-blocked", Warning;
    PORT_REACHABLE_BY_ROUTER_ONLY = "port-reachable-by-router-only", Warning, follows = [Structure];
    ROUTER_NOT_ADMITTED = "router-not-admitted", Warning;
}

/// Names of ports for metrics.
const METRICS_PORTS: &[&str] = &["metrics", "http-metrics", "prometheus"];

/// Checks a template under the default policy.
pub(super) fn check(subject: &Subject<'_, '_, '_, '_>, sink: &mut Sink) {
    // On the host network, neither the policy nor the DNS settings of the Pod apply.
    if subject.is_on_host() {
        return;
    }
    check_dns_policy(subject, sink);
    check_dns_config(subject, sink);
    if !subject.is_widened(Direction::Egress) {
        check_addresses(subject, sink);
    }
    if !subject.is_widened(Direction::Ingress) {
        check_ports(subject, sink);
    }
}

fn check_dns_policy(subject: &Subject<'_, '_, '_, '_>, sink: &mut Sink) {
    let Some(policy) = subject.pod.spec.get("dnsPolicy") else { return };
    let why = match policy.as_str() {
        Some("ClusterFirst" | "ClusterFirstWithHostNet") => {
            "uses the cluster DNS, at a private address"
        }
        Some("Default") => "uses the node's DNS, usually at a private address",
        Some("None") if has_private_servers_only(subject.pod.spec) => {
            "uses servers at private addresses"
        }
        _ => return,
    };
    if subject.has_open_dns() {
        return;
    }
    let message = message!("sandboxes of {} cannot resolve names", subject.name());
    let finding = Diagnostic::new(&DNS_POLICY_BLOCKED, policy.span(), message)
        .at(why)
        .path(&format!("{}.dnsPolicy", subject.pod.path()))
        .note("the controller's default NetworkPolicy blocks all private addresses")
        .help(message!(
            "remove `dnsPolicy`: the controller then sets public DNS servers; or add a `{}` that allows DNS",
            subject.field("networkPolicy")
        ));
    sink.report(finding);
}

fn has_private_servers_only(pod: &Node) -> bool {
    let servers = pod.at(&["dnsConfig", "nameservers"]).map_or(&[][..], Node::items);
    let mut addresses = servers.iter().filter_map(|server| server.as_str()?.parse::<IpAddr>().ok());
    !servers.is_empty() && addresses.all(is_blocked)
}

fn check_dns_config(subject: &Subject<'_, '_, '_, '_>, sink: &mut Sink) {
    let pod = subject.pod.spec;
    let is_unset = pod.get("dnsPolicy").is_none_or(|policy| policy.as_str() == Some(""));
    let Some(config) = pod.entry("dnsConfig").filter(|_| is_unset) else { return };
    let message = message!("`dnsConfig` of {} is discarded", subject.name());
    let finding = Diagnostic::new(&DNS_CONFIG_DISCARDED, config.key_origin().span(), message)
        .at("replaced by the controller")
        .path(&format!("{}.dnsConfig", subject.pod.path()))
        .note(message!(
            "without `{}` and `dnsPolicy` the controller sets `dnsPolicy: None` with the servers 8.8.8.8 and 1.1.1.1",
            subject.field("networkPolicy")
        ))
        .help("add `dnsPolicy: None`, with public servers");
    sink.report(finding);
}

fn check_addresses(subject: &Subject<'_, '_, '_, '_>, sink: &mut Sink) {
    let Some((span, address)) = find_address(subject) else { return };
    let BlockedAddress { text, what } = address;
    let message = message!("sandboxes of {} cannot reach `{text}`, {what}", subject.name());
    let finding = Diagnostic::new(&CLUSTER_ADDRESS_BLOCKED, span, message)
        .at(message!("needs `{text}`"))
        .note(
            "the controller's default NetworkPolicy allows only public addresses, and the default DNS servers cannot resolve cluster names",
        )
        .help(message!(
            "add a `{}` with egress rules for it and for DNS, and set `{}: ClusterFirst`",
            subject.field("networkPolicy"),
            subject.field("dnsPolicy")
        ));
    sink.report(finding);
}

fn find_address<'o>(subject: &Subject<'_, '_, '_, 'o>) -> Option<(Span, BlockedAddress<'o>)> {
    let set = subject.network.fleet.set;
    let namespace = subject.template.object.namespace.as_str();
    let is_service = |host: &str| match host.split_once('.') {
        None => set.find("", "Service", namespace, host).is_some(),
        Some((name, namespace)) => set.find("", "Service", namespace, name).is_some(),
    };
    let texts = subject.pod.containers().flat_map(|container| {
        let node = container.node;
        // A list of proxy exceptions contains addresses without using them.
        let env = items(node, "env").iter().filter(|variable| {
            let name = variable.str_at(&["name"]);
            !name.is_some_and(|it| it.eq_ignore_ascii_case("NO_PROXY"))
        });
        let values = env.filter_map(|variable| variable.get("value"));
        items(node, "command").iter().chain(items(node, "args")).chain(values)
    });
    let mut found =
        texts.filter_map(|text| Some((text.span(), blocked_address(text.as_str()?, &is_service)?)));
    found.next()
}

fn check_ports(subject: &Subject<'_, '_, '_, '_>, sink: &mut Sink) {
    let Some((span, what, other)) = find_port(subject) else { return };
    let message = message!("only the router can connect to sandboxes of {}", subject.name());
    let mut finding = Diagnostic::new(&PORT_REACHABLE_BY_ROUTER_ONLY, span, message)
        .at(what)
        .note(
            "the controller's default NetworkPolicy allows only Pods `app: sandbox-router` in namespace `agent-sandbox-system`",
        )
        .help(message!(
            "add a `{}` with ingress rules for the clients and for the router",
            subject.field("networkPolicy")
        ));
    if let Some(service) = other {
        finding = finding.label(service.name_span(), "routes to them");
    }
    sink.report(finding);
}

/// Finds a port that is intended for clients other than the router.
fn find_port<'o>(
    subject: &Subject<'_, '_, '_, 'o>,
) -> Option<(Span, &'static str, Option<&'o Object>)> {
    if let Some(service) = subject.network.services.of(&subject.labels).certain.first() {
        let at = subject.template.object.name_span();
        return Some((at, "selected by a Service", Some(service)));
    }
    if let Some(scrape) = subject.template.blueprint.annotations.get("prometheus.io/scrape")
        && scrape.value.as_str() == Some("true")
    {
        return Some((scrape.key_origin().span(), "makes Prometheus connect", None));
    }
    subject.running().find_map(|container| {
        let ports = container.node.entry("ports")?;
        let is_first = container.list == "containers" && container.index == 0;
        let metrics = ports.value.items().iter().find_map(|port| {
            let name = port.get("name")?;
            METRICS_PORTS.contains(&name.as_str()?).then_some(name)
        });
        match metrics {
            Some(name) => Some((name.span(), "metrics are scraped here", None)),
            None if !is_first && !ports.value.items().is_empty() => {
                Some((ports.key_origin().span(), "a sidecar listens here", None))
            }
            None => None,
        }
    })
}

/// Checks the routers of the input, if a template uses the default policy.
pub(super) fn check_routers(network: &Network<'_, '_, '_>, sink: &mut Sink) {
    let mut refused = network.routers.iter().filter(|router| !router.is_admitted()).peekable();
    if refused.peek().is_none() {
        return;
    }
    let Some(template) = default_template(network) else { return };
    for router in refused {
        let object = router.object;
        let (message, help) = if router.has_label {
            (
                message!(
                    "router {} runs outside namespace `{INSTALL_NAMESPACE}`",
                    object.describe()
                ),
                message!("move it to namespace `{INSTALL_NAMESPACE}`"),
            )
        } else {
            (
                message!("Pods of router {} have no label `app: {ROUTER}`", object.describe()),
                message!("add the label, and move it to namespace `{INSTALL_NAMESPACE}`"),
            )
        };
        let finding = Diagnostic::new(&ROUTER_NOT_ADMITTED, object.name_span(), message)
            .at("cannot reach sandboxes")
            .label(template.name_span(), "has the controller's default NetworkPolicy")
            .note(message!(
                "that policy allows only Pods `app: {ROUTER}` in namespace `{INSTALL_NAMESPACE}`: requests time out"
            ))
            .help(help);
        sink.report(finding);
    }
}

/// The first template with the default policy to which no other policy adds.
fn default_template<'o>(network: &Network<'_, '_, 'o>) -> Option<&'o Object> {
    network.fleet.templates.iter().find_map(|template| {
        let subject = Subject::new(network, template)?;
        let is_default = matches!(subject.policy, Policy::Default);
        (is_default && !subject.is_widened(Direction::Ingress)).then_some(template.object)
    })
}
