//! The fields of a `Service` that the API server drops with its type, unless the new form changes them: follows
//! `dropTypeDependentFields` in Kubernetes' `pkg/registry/core/service/strategy.go`.

use super::services::type_of_service;
use crate::tree::{Node, Value};

/// Whether a Service uses fields, and the fields.
type Used = (fn(&Node) -> bool, &'static [&'static str]);

static FIELDS: [Used; 4] = [
    (has_address, &["clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy"]),
    (is_balancer, &["allocateLoadBalancerNodePorts", "loadBalancerClass"]),
    (has_external_traffic, &["externalTrafficPolicy"]),
    (has_health_checks, &["healthCheckNodePort"]),
];

/// Drops them from a merged object.
pub(super) fn drop_fields(stored: &Node, merged: &mut Node) {
    let is_dropped = |uses: fn(&Node) -> bool| uses(stored) && !uses(merged);
    let unused = FIELDS.iter().filter(|(uses, _)| is_dropped(*uses));
    let unused: Vec<_> = unused.flat_map(|(_, fields)| *fields).collect();
    let drops_ports = is_dropped(has_node_ports) && node_ports(stored) == node_ports(merged);
    let Some(spec) = merged.get_mut("spec").and_then(Node::as_map_mut) else { return };
    for field in unused {
        let known = stored.at(&["spec", field]);
        if spec.get(field).zip(known).is_some_and(|(new, old)| new.same_value(old)) {
            spec.remove(field);
        }
    }
    if let Some(Value::List(ports)) =
        spec.get_mut("ports").filter(|_| drops_ports).map(|ports| &mut ports.value)
    {
        ports.iter_mut().filter_map(Node::as_map_mut).for_each(|port| {
            port.remove("nodePort");
        });
    }
}

fn has_address(service: &Node) -> bool {
    type_of_service(service) != "ExternalName"
}

fn is_balancer(service: &Node) -> bool {
    type_of_service(service) == "LoadBalancer"
}

fn has_node_ports(service: &Node) -> bool {
    is_balancer(service) || type_of_service(service) == "NodePort"
}

fn has_external_traffic(service: &Node) -> bool {
    let has_addresses = !service.items_at(&["spec", "externalIPs"]).is_empty();
    has_node_ports(service) || type_of_service(service) == "ClusterIP" && has_addresses
}

fn has_health_checks(service: &Node) -> bool {
    is_balancer(service) && service.str_at(&["spec", "externalTrafficPolicy"]) == Some("Local")
}

/// The ports of all nodes that are set, sorted.
fn node_ports(service: &Node) -> Vec<i64> {
    let ports = service.items_at(&["spec", "ports"]).iter();
    let numbers = ports.filter_map(|port| port.get("nodePort")?.as_i64());
    let mut numbers: Vec<_> = numbers.filter(|number| *number != 0).collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}
