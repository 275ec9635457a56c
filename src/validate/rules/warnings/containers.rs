//! Containers: duplicate variables and duplicate ports.

use std::collections::BTreeMap;

use super::pods::{BYTES, is_custom};
use super::{
    ENV_REPEATED, FIELD_WITHOUT_EFFECT, Judging, ObjectJudge, PORT_REPEATED, bytes, items, text,
    warn,
};
use crate::diag::Diagnostic;
use crate::kube::PodSpec;
use crate::tree::{Node, Path};
use crate::validate::rules::judging::is_true;

/// A port, with the list and the container that it is in.
#[derive(Clone, Copy)]
struct Port<'n> {
    node: &'n Node,
    container: (&'static str, usize),
    /// Whether the server defaults `hostPort`, as in a Pod on the host network.
    is_filled_in: bool,
}

impl<'n> Port<'n> {
    /// The host address and host port; 0 if it has none.
    fn host(&self) -> (&'n str, i64) {
        let number = |field| self.node.get(field).and_then(Node::as_i64).filter(|it| *it != 0);
        let filled_in = || number("containerPort").filter(|_| self.is_filled_in);
        let outside = number("hostPort").or_else(filled_in).unwrap_or(0);
        (text(self.node, "hostIP").unwrap_or(""), outside)
    }
}

pub(super) fn check(judge: &mut ObjectJudge<'_, '_>, pod: &PodSpec<'_>, path: &Path<'_>) {
    let mut numbers: BTreeMap<(i64, &str), Vec<Port<'_>>> = BTreeMap::new();
    let mut names: BTreeMap<&str, Port<'_>> = BTreeMap::new();
    let is_filled_in = pod.object.gvk.is("", "Pod") && is_true(pod.spec, "hostNetwork");
    for container in pod.containers() {
        let list = path.field(container.list);
        let path = list.index(container.index);
        if !is_custom(pod) {
            check_env(judge, container.node, &path);
        }
        for field in ["limits", "requests"] {
            let amounts = container.node.at(&["resources", field]);
            bytes::check_amounts(judge, amounts, &BYTES, &path.field("resources").field(field));
        }
        let field = path.field("ports");
        for (index, node) in items(container.node, "ports").iter().enumerate() {
            let container = (container.list, container.index);
            let port = Port { node, container, is_filled_in };
            let path = field.index(index);
            check_host_address(judge, &port, &path);
            let number = node.get("containerPort").and_then(Node::as_i64).unwrap_or(0);
            let key = (number, text(node, "protocol").unwrap_or("TCP"));
            let others = numbers.entry(key).or_default();
            for other in
                others.iter().filter(|it| !is_custom(pod) || it.container != port.container)
            {
                compare(judge, key, &port, other, &path);
            }
            others.push(port);
            if let Some(name) = text(node, "name") {
                match names.get(name) {
                    // Within a container it is an error, which another rule reports.
                    Some(first) if first.container != port.container => {
                        check_name(judge, name, &port, first, &path);
                    }
                    Some(_) => {}
                    None => {
                        names.insert(name, port);
                    }
                }
            }
        }
    }
}

fn check_env(judge: &mut ObjectJudge<'_, '_>, container: &Node, path: &Path<'_>) {
    let field = path.field("env");
    let mut seen: BTreeMap<&str, &Node> = BTreeMap::new();
    for (index, variable) in items(container, "env").iter().enumerate() {
        let Some(node) = variable.get("name") else { continue };
        let Some(name) = node.as_str() else { continue };
        let Some(first) = seen.get(name) else {
            seen.insert(name, node);
            continue;
        };
        let reference = format!("$({name})");
        let value = variable.str_at(&["value"]).unwrap_or("");
        // A variable that extends the earlier one is intended.
        let extends = value != reference && value.contains(&reference);
        if extends && variable.get("valueFrom").is_none() {
            continue;
        }
        let finding =
            Diagnostic::new(&ENV_REPEATED, node.span(), format!("duplicate variable `{name}`"))
                .at("replaces the first value")
                .label(first.span(), "the first")
                .note("`kubectl apply --server-side` rejects the object")
                .help("keep one of them: `kubectl apply` may drop either");
        judge.report(finding, &field.index(index).field("name"));
    }
}

fn check_host_address(judge: &mut ObjectJudge<'_, '_>, port: &Port<'_>, path: &Path<'_>) {
    let Some(entry) = port.node.entry("hostIP") else { return };
    if matches!(port.host(), (address, 0) if !address.is_empty()) {
        warn(
            judge,
            &FIELD_WITHOUT_EFFECT,
            (entry.key_origin.span(), "ignored"),
            "`hostIP` is set on a port without `hostPort`",
            "add `hostPort`, or remove `hostIP`",
            &path.field("hostIP"),
        );
    }
}

fn compare(
    judge: &mut ObjectJudge<'_, '_>,
    (number, protocol): (i64, &str),
    port: &Port<'_>,
    other: &Port<'_>,
    path: &Path<'_>,
) {
    let ((address, outside), (other_address, other_outside)) = (port.host(), other.host());
    let is_same = (address, outside) == (other_address, other_outside);
    let is_ambiguous = outside == other_outside && address.is_empty() != other_address.is_empty();
    // Two ports with one host port are an error, which another rule reports.
    let is_repeated = if is_same { outside == 0 } else { outside == 0 || other_outside == 0 };
    if !is_repeated && !is_ambiguous {
        return;
    }
    let node = port.node.get("containerPort").unwrap_or(port.node);
    let first = other.node.get("containerPort").unwrap_or(other.node);
    let message = format!("duplicate port {number}/{protocol}");
    let finding = Diagnostic::new(&PORT_REPEATED, node.span(), message)
        .at(if is_ambiguous { "only one of the two is used" } else { "duplicate port" })
        .label(first.span(), "the first")
        .help("keep one of them: containers of a Pod share a network");
    judge.report(finding, path);
}

fn check_name(
    judge: &mut ObjectJudge<'_, '_>,
    name: &str,
    port: &Port<'_>,
    first: &Port<'_>,
    path: &Path<'_>,
) {
    let of = |port: &Port<'_>| port.node.get("name").unwrap_or(port.node).span();
    let message = format!("duplicate port name `{name}` in the Pod");
    let finding = Diagnostic::new(&PORT_REPEATED, of(port), message)
        .at("never selected by name")
        .label(of(first), "Services and probes use this one")
        .help("give each port of the Pod a unique name");
    judge.report(finding, &path.field("name"));
}
