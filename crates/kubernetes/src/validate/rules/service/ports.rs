//! The ports of a Service.

use super::{
    NODE_PORT_OUTSIDE_RANGE, SERVICE_PORT_DUPLICATE, SERVICE_PORT_UNNAMED, SERVICE_PORTS_MISSING,
    View, refuse_field,
};
use crate::diag::{About, Diagnostic, message};
use crate::scalar::{check_dns_label, near_dns_label};
use crate::tree::Node;
use crate::validate::rules::judge::{Judge, filled, filled_text, items, texts_in, value_or_start};
use crate::validate::rules::pod::PORT_NAME_INVALID;
use crate::validate::rules::port::{check_number, check_port};
use crate::validate::rules::qualified::check_name;
use crate::validate::rules::repeated::repeated;

/// The default of `--service-node-port-range`.
const NODE_PORTS: core::ops::RangeInclusive<i64> = 30000..=32767;

pub(super) fn check(judge: &mut Judge<'_>, view: &View<'_>) {
    let ports = items(view.spec, "ports");
    if ports.is_empty() && !view.is_headless && !view.has_type("ExternalName") {
        let at = value_or_start(view.spec, "ports");
        let message = message!("{} has no ports", judge.object.describe());
        let finding = Diagnostic::new(&SERVICE_PORTS_MISSING, at, message)
            .at("requires a port")
            .help("add `ports: [{port: 80}]`, or `clusterIP: None` for a headless Service");
        judge.report(finding, (view.spec, "ports"));
    }
    for port in ports {
        check_one(judge, view, port, ports.len() > 1);
    }
    check_duplicates(judge, ports);
}

fn check_one(judge: &mut Judge<'_>, view: &View<'_>, port: &Node, needs_name: bool) {
    check_port_name(judge, port, needs_name);
    if let Some(node) = port.get("port")
        && let Some(number) = node.as_i64()
    {
        check_number(judge, node, number, "port");
    }
    // Zero and the empty string mean the number in `port`.
    let target = port.get("targetPort");
    if let Some(node) =
        target.filter(|target| target.as_i64() != Some(0) && target.as_str() != Some(""))
    {
        check_port(judge, node, "targetPort");
    }
    check_name(judge, port.get("appProtocol"), "protocol");
    check_node_port(judge, view, port);
}

fn check_port_name(judge: &mut Judge<'_>, port: &Node, needs_name: bool) {
    let node = filled(port, "name");
    let Some(node) = node else {
        if needs_name {
            let at = value_or_start(port, "name");
            let message = "port has no name, but the Service has several ports";
            let finding = Diagnostic::new(&SERVICE_PORT_UNNAMED, at, message)
                .at("needs `name`")
                .help("add a unique `name`")
                .about(About::MissingField("name".into()));
            judge.report(finding, (port, "name"));
        }
        return;
    };
    let rule = (&PORT_NAME_INVALID, "port name");
    judge.form(node, rule, check_dns_label, near_dns_label);
}

fn check_node_port(judge: &mut Judge<'_>, view: &View<'_>, port: &Node) {
    let Some(node) = port.get("nodePort") else { return };
    let Some(number) = node.as_i64().filter(|number| *number != 0) else { return };
    if view.has_type("ClusterIP") {
        let reason = "opens a port of the nodes, but the Service is of type `ClusterIP`".into();
        let help = "remove `nodePort`, or write `type: NodePort`".into();
        refuse_field(judge, "nodePort", node, (reason, help));
    } else if !NODE_PORTS.contains(&number)
        && (view.has_type("NodePort") || view.has_type("LoadBalancer"))
    {
        let message = message!("`nodePort` {number} is outside 30000-32767");
        let finding = Diagnostic::new(&NODE_PORT_OUTSIDE_RANGE, node.span(), message)
            .at("outside the default range")
            .note("the range is configured on the API server: `--service-node-port-range`")
            .help("write a number in the range, or remove `nodePort` to get a free one");
        judge.report(finding, node);
    }
}

/// Checks that names, ports and node ports are unique, numbers per protocol.
fn check_duplicates(judge: &mut Judge<'_>, ports: &[Node]) {
    let help = "give each port its own";
    let names = texts_in(ports, "name").filter(|(text, _)| !text.is_empty());
    repeated(names, |name, node, first| {
        let texts = (message!("duplicate Service port name `{name}`"), "duplicate name", help);
        judge.conflict(&SERVICE_PORT_DUPLICATE, node, texts, (first, "first used here"));
    });
    for field in ["port", "nodePort"] {
        let numbers = ports.iter().filter_map(|port| {
            let node = port.get(field)?;
            let number = node.as_i64().filter(|number| *number != 0)?;
            let protocol = filled_text(port, "protocol");
            Some(((protocol.unwrap_or("TCP"), number), node))
        });
        repeated(numbers, |(protocol, number), node, first| {
            let message = message!("duplicate `{field}` {number}/{protocol}");
            let texts = (message, "duplicate port", help);
            judge.conflict(&SERVICE_PORT_DUPLICATE, node, texts, (first, "first used here"));
        });
    }
}
