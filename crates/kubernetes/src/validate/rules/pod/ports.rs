//! The ports of containers.

use super::judge::{Carrier, PodJudge};
use crate::diag::{Diagnostic, declare_rules, message};
use crate::scalar::check_port_name;
use crate::tree::Node;
use crate::validate::rules::judge::{filled, filled_text, items, texts_in};
use crate::validate::rules::repeated::repeated;

declare_rules! {
    PORT_OUT_OF_RANGE = "port-out-of-range", Error;
    PORT_NAME_INVALID = "port-name-invalid", Error;
    PORT_NAME_DUPLICATE = "port-name-duplicate", Error;
    HOST_PORT_CONFLICT = "host-port-conflict", Error;
    HOST_PORT_DIFFERS = "host-port-differs", Error;
}

pub(super) fn check(judge: &mut PodJudge<'_>) {
    for container in judge.pod.containers() {
        if container.list == "ephemeralContainers" {
            continue;
        }
        let ports = items(container.node, "ports");
        for port in ports {
            check_port(judge, port, container.list);
        }
        check_names(judge, ports);
        if container.list == "initContainers" {
            // Init containers run one after another, so their ports do not conflict.
            let one = core::slice::from_ref(container.node);
            check_host_ports(judge, one);
        }
    }
    let containers = items(judge.pod.spec, "containers");
    check_host_ports(judge, containers);
}

fn check_port(judge: &mut PodJudge<'_>, port: &Node, list: &str) {
    let number = |field: &str| Some((port.get(field)?, port.get(field)?.as_i64()?));
    for field in ["containerPort", "hostPort"] {
        let Some((node, value)) = number(field) else { continue };
        let is_unset = field == "hostPort" && value == 0;
        if is_unset || (1..=65535).contains(&value) {
            continue;
        }
        let message = message!("`{field}` {value} is outside 1-65535");
        let finding = Diagnostic::new(&PORT_OUT_OF_RANGE, node.span(), message)
            .at("must be between 1 and 65535")
            .help("write the port number that the program listens on");
        judge.report(finding, (port, field));
    }
    if let Some(node) = filled(port, "name") {
        let rule = (&PORT_NAME_INVALID, "port name");
        let help = |_: &str| {
            "use at most 15 lowercase letters, digits and single dashes, with at least one letter"
                .into()
        };
        judge.form(node, rule, check_port_name, help);
    }
    let (Some((_, inside)), Some((node, outside))) = (number("containerPort"), number("hostPort"))
    else {
        return;
    };
    if judge.has_host_network && list == "containers" && outside != 0 && inside != outside {
        let text = (
            message!("`hostPort` {outside} differs from `containerPort` {inside}"),
            "the Pod uses the host network",
            "remove `hostPort`: with `hostNetwork` every container port is a host port",
        );
        judge.fault(&HOST_PORT_DIFFERS, (node.span(), (port, "hostPort")), text);
    }
}

fn check_names(judge: &mut PodJudge<'_>, ports: &[Node]) {
    let names = texts_in(ports, "name").filter(|(text, _)| !text.is_empty());
    repeated(names, |name, node, first| {
        let texts = (
            message!("duplicate port name `{name}` in the container"),
            "duplicate name",
            "give each port of the container a unique name",
        );
        judge.conflict(&PORT_NAME_DUPLICATE, node, texts, (first, "first used here"));
    });
}

/// Checks that host ports are unique per protocol, address and number.
fn check_host_ports(judge: &mut PodJudge<'_>, containers: &[Node]) {
    // The server defaults `hostPort` of a Pod, but not of a template.
    let is_filled_in = judge.has_host_network && judge.carrier != Carrier::Template;
    let all = containers.iter().flat_map(|container| {
        items(container, "ports").iter().filter_map(move |node| {
            let text = |field| filled_text(node, field);
            let number =
                |field| node.get(field).and_then(Node::as_i64).filter(|number| *number != 0);
            let inside = || number("containerPort").filter(|_| is_filled_in);
            let outside = number("hostPort").or_else(inside)?;
            let key = (text("protocol").unwrap_or("TCP"), text("hostIP"), outside);
            Some((key, node))
        })
    });
    repeated(all, |(protocol, _, number), port, first| {
        let span = |port: &Node| {
            port.get("hostPort").or_else(|| port.get("containerPort")).unwrap_or(port).span()
        };
        let finding = Diagnostic::new(
            &HOST_PORT_CONFLICT,
            span(port),
            message!("duplicate host port {number}/{protocol}"),
        )
        .at("duplicate host port")
        .label(span(first), "first used here")
        .help("remove or change one of them");
        judge.report(finding, port);
    });
}
