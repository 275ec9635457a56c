//! The ports of the Service of a Sandbox.

use crate::sorted::{SortedMap, SortedSet};
use crate::tree::{Node, Origin, items};

/// The ports that the containers of a Pod declare, without duplicates of number and protocol.
pub(super) fn ports(pod: Option<&Node>, origin: Origin) -> Vec<Node> {
    let listed = |list: &str| pod.map_or(&[][..], |pod| items(pod, list)).iter();
    let is_sidecar = |container: &&Node| container.str_at(&["restartPolicy"]) == Some("Always");
    let containers = listed("containers").chain(listed("initContainers").filter(is_sidecar));
    let mut ports: SortedMap<(i64, String), Option<String>> = SortedMap::new();
    let mut taken = SortedSet::new();
    for port in containers.flat_map(|container| items(container, "ports")) {
        let Some(number) = port.get("containerPort").and_then(Node::as_i64) else { continue };
        if number == 0 {
            continue;
        }
        let protocol = port.str_at(&["protocol"]).filter(|it| !it.is_empty()).unwrap_or("TCP");
        let name = ports.entry((number, protocol.to_owned())).or_default();
        let own = port.str_at(&["name"]).filter(|it| !it.is_empty());
        if let Some(own) = own.filter(|own| name.is_none() && !taken.contains(*own)) {
            *name = Some(own.to_owned());
            taken.insert(own.to_owned());
        }
    }
    let mut made = Vec::new();
    for ((number, protocol), name) in ports {
        let name = name.unwrap_or_else(|| generate_port_name(number, &protocol, &taken));
        let mut port = Node::map(origin);
        port.set("name", Node::string(name.as_str(), origin));
        port.set("protocol", Node::string(protocol, origin));
        port.set("port", Node::int(number, origin));
        port.set("targetPort", Node::int(number, origin));
        taken.insert(name);
        made.push(port);
    }
    made
}

fn generate_port_name(number: i64, protocol: &str, taken: &SortedSet<String>) -> String {
    let base = format!("p-{number}-{}", protocol.to_lowercase());
    if !taken.contains(&base) {
        return base;
    }
    let mut suffix = 2_u32;
    loop {
        let name = format!("{base}-{suffix}");
        if !taken.contains(&name) {
            return name;
        }
        suffix += 1;
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::source::Workspace;

    #[test]
    fn ports_are_named_as_recorded() {
        let origin = Origin::source(Workspace::new().start());
        let pod = Node::from_json(
            json!({
                "containers": [
                    {"name": "main", "ports": [{"name": "http", "containerPort": 8080},
                        {"containerPort": 9000, "protocol": "UDP"}]},
                    {"name": "side", "ports": [{"name": "http", "containerPort": 8081},
                        {"name": "p-9000-udp", "containerPort": 7000},
                        {"name": "other", "containerPort": 8080}]}],
                "initContainers": [
                    {"name": "sidecar", "restartPolicy": "Always",
                        "ports": [{"name": "hlp", "containerPort": 6000}]},
                    {"name": "plain", "ports": [{"name": "x", "containerPort": 6001}]}]
            }),
            origin,
        );
        let named: Vec<_> = ports(Some(&pod), origin)
            .iter()
            .map(|port| {
                let protocol = port.str_at(&["protocol"]).unwrap();
                let number = port.get("port").and_then(Node::as_i64).unwrap();
                format!("{} {number}/{protocol}", port.str_at(&["name"]).unwrap())
            })
            .collect();
        let expected = [
            "hlp 6000/TCP",
            "p-9000-udp 7000/TCP",
            "http 8080/TCP",
            "p-8081-tcp 8081/TCP",
            "p-9000-udp-2 9000/UDP",
        ];
        assert_eq!(named, expected);
    }
}
