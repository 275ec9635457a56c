//! The fields of a `Service` that the API server drops with its type, unless the new form changes them: follows
//! `dropTypeDependentFields` in Kubernetes' `pkg/registry/core/service/strategy.go`.

use crate::tree::{Map, Node, Value};

/// Drops them from a merged object.
pub(super) fn drop_fields(stored: &Node, merged: &mut Node) {
    let was = Uses::of(stored);
    let is = Uses::of(merged);
    let Some(spec) = merged.get_mut("spec").and_then(Node::as_map_mut) else { return };
    let mut drop_all = |was_used: bool, is_used: bool, fields: &[&str]| {
        for field in fields.iter().filter(|_| was_used && !is_used) {
            let known = stored.at(&["spec", field]);
            if spec.get(field).zip(known).is_some_and(|(new, old)| new.same_value(old)) {
                spec.remove(field);
            }
        }
    };
    let of_balancer = ["allocateLoadBalancerNodePorts", "loadBalancerClass"];
    let of_address = ["clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy"];
    drop_all(was.address, is.address, &of_address);
    drop_all(was.balancer, is.balancer, &of_balancer);
    drop_all(was.external_traffic, is.external_traffic, &["externalTrafficPolicy"]);
    drop_all(was.health_checks, is.health_checks, &["healthCheckNodePort"]);
    if was.node_ports && !is.node_ports && node_ports(stored) == node_ports_of(spec) {
        let ports = spec.get_mut("ports").map(|ports| &mut ports.value);
        if let Some(Value::List(ports)) = ports {
            ports.iter_mut().filter_map(Node::as_map_mut).for_each(|port| {
                port.remove("nodePort");
            });
        }
    }
}

/// What a Service uses, by its type.
struct Uses {
    address: bool,
    balancer: bool,
    external_traffic: bool,
    health_checks: bool,
    node_ports: bool,
}

impl Uses {
    fn of(service: &Node) -> Self {
        let kind = service.str_at(&["spec", "type"]).unwrap_or("ClusterIP");
        let balancer = kind == "LoadBalancer";
        let node_ports = balancer || kind == "NodePort";
        let has_addresses = !service.items_at(&["spec", "externalIPs"]).is_empty();
        let is_local = service.str_at(&["spec", "externalTrafficPolicy"]) == Some("Local");
        Self {
            address: kind != "ExternalName",
            balancer,
            external_traffic: node_ports || kind == "ClusterIP" && has_addresses,
            health_checks: balancer && is_local,
            node_ports,
        }
    }
}

fn node_ports(service: &Node) -> Vec<i64> {
    service.get("spec").and_then(Node::as_map).map_or_else(Vec::new, node_ports_of)
}

/// The ports of all nodes that are set, sorted.
fn node_ports_of(spec: &Map) -> Vec<i64> {
    let ports = spec.get("ports").map_or(&[][..], Node::items);
    let numbers = ports.iter().filter_map(|port| port.get("nodePort")?.as_i64());
    let mut numbers: Vec<_> = numbers.filter(|number| *number != 0).collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}
