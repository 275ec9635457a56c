//! The fields of a `Service` that the API server sets or drops in an update. What it drops with the type, unless the
//! new form changes it, follows `dropTypeDependentFields` in Kubernetes' `pkg/registry/core/service/strategy.go`; what it
//! keeps where the new form has none follows `patchAllocatedValues` in `storage/storage.go` there.

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

/// Sets and drops them in a merged object.
pub(super) fn settle_service(stored: &Node, merged: &mut Node) {
    drop_fields(stored, merged);
    keep_allocated(stored, merged);
}

fn drop_fields(stored: &Node, merged: &mut Node) {
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

/// Sets the addresses and ports that were allocated for a stored Service, and that the new form does not name.
fn keep_allocated(stored: &Node, new: &mut Node) {
    let keeps = |uses: fn(&Node) -> bool, new: &Node| uses(stored) && uses(new);
    if keeps(has_address, new) {
        let address = |service: &Node| service.str_at(&["spec", "clusterIP"]).map(str::to_owned);
        keep(stored, new, "clusterIP");
        if address(stored) == address(new) {
            for field in ["clusterIPs", "ipFamilies", "ipFamilyPolicy"] {
                keep(stored, new, field);
            }
        }
        if new.str_at(&["spec", "ipFamilyPolicy"]) == Some("SingleStack") {
            for field in ["clusterIPs", "ipFamilies"] {
                keep_first(stored, new, field);
            }
        }
    }
    if keeps(has_health_checks, new) {
        keep(stored, new, "healthCheckNodePort");
    }
    if keeps(has_node_ports, new) {
        keep_node_ports(stored, new);
    }
}

/// Sets a field of the `spec` that the new form does not have.
fn keep(stored: &Node, new: &mut Node, field: &str) {
    let is_empty = |value: &Node| {
        let is_empty_list = matches!(&value.value, Value::List(items) if items.is_empty());
        value.is_null() || is_empty_list || value.as_str() == Some("") || value.as_i64() == Some(0)
    };
    let is_absent = new.at(&["spec", field]).is_none_or(is_empty);
    let known = stored.at(&["spec", field]).filter(|_| is_absent);
    if let Some((known, spec)) = known.zip(new.get_mut("spec")) {
        spec.set(field, known.clone());
    }
}

/// Reduces a list of both IP families that the new form does not change to its first item
/// (`trimFieldsForDualStackDowngrade` in `pkg/registry/core/service/strategy.go`).
fn keep_first(stored: &Node, new: &mut Node, field: &str) {
    let known = stored.items_at(&["spec", field]);
    let is_same =
        new.items_at(&["spec", field]).iter().map(Node::as_str).eq(known.iter().map(Node::as_str));
    let list = new.get_mut("spec").and_then(|spec| spec.get_mut(field));
    if let Some(Value::List(items)) = list.map(|list| &mut list.value)
        && is_same
    {
        items.truncate(1);
    }
}

/// Sets the node ports of ports with the same name, unless another port has them.
fn keep_node_ports(stored: &Node, new: &mut Node) {
    let of_new = node_ports(new);
    let used: Vec<_> = node_ports(stored).into_iter().filter(|it| of_new.contains(it)).collect();
    let name = |port: &Node| port.str_at(&["name"]).unwrap_or_default().to_owned();
    let number = |port: &Node| port.get("nodePort").and_then(Node::as_i64).filter(|it| *it != 0);
    let known = |named: &str| {
        let ports = stored.items_at(&["spec", "ports"]).iter().rev();
        let known = ports.filter(|port| name(port) == named).find_map(|port| port.get("nodePort"));
        known.filter(|it| it.as_i64().is_some_and(|it| !used.contains(&it))).cloned()
    };
    let ports = new.get_mut("spec").and_then(|spec| spec.get_mut("ports"));
    if let Some(Value::List(ports)) = ports.map(|ports| &mut ports.value) {
        for port in ports.iter_mut().filter(|port| number(port).is_none()) {
            if let Some(kept) = known(&name(port)) {
                port.set("nodePort", kept);
            }
        }
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
