//! Containers: duplicate variables and duplicate ports.

use super::pods::{BYTES, is_custom};
use super::{ENV_REPEATED, FIELD_WITHOUT_EFFECT, PORT_REPEATED, bytes, filled_text, items};
use crate::diag::{Diagnostic, message};
use crate::kube::PodSpec;
use crate::sorted::SortedMap;
use crate::tree::Node;
use crate::validate::rules::judge::{Judge, is_true, text_at, text_node, value_or_owner};

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
        let number =
            |field| self.node.get(field).and_then(Node::as_i64).filter(|number| *number != 0);
        let filled_in = || number("containerPort").filter(|_| self.is_filled_in);
        let outside = number("hostPort").or_else(filled_in).unwrap_or(0);
        (filled_text(self.node, "hostIP").unwrap_or(""), outside)
    }
}

/// The first of some ports, and the first one of another container, with their positions.
#[derive(Default)]
struct First<'n>(Vec<(usize, Port<'n>)>);

impl<'n> First<'n> {
    fn add(&mut self, position: usize, port: Port<'n>) {
        let is_new = self.0.iter().all(|(_, other)| other.container != port.container);
        if is_new && self.0.len() < 2 {
            self.0.push((position, port));
        }
    }

    /// The first one that is not in `container`.
    fn outside(&self, container: Option<(&str, usize)>) -> Option<(usize, Port<'n>)> {
        self.0.iter().find(|(_, port)| Some(port.container) != container).copied()
    }
}

/// The earlier ports of a Pod with one number and protocol. There can be thousands, so only those
/// that can be the first one that another port repeats are kept.
#[derive(Default)]
struct Others<'n> {
    count: usize,
    all: First<'n>,
    /// Those without a host port.
    inside: First<'n>,
    /// Those with a host port, without a host address and with one.
    outside: SortedMap<(i64, bool), First<'n>>,
}

impl<'n> Others<'n> {
    fn add(&mut self, port: Port<'n>) {
        let (address, outside) = port.host();
        self.all.add(self.count, port);
        if outside == 0 {
            self.inside.add(self.count, port);
        }
        self.outside.entry((outside, address.is_empty())).or_default().add(self.count, port);
        self.count += 1;
    }

    /// The first port that this one repeats, outside of a container, and whether only one of the two
    /// is used. Two ports with one host port and address are an error, which another rule reports.
    fn repeated_by(
        &self,
        port: &Port<'n>,
        container: Option<(&str, usize)>,
    ) -> Option<(Port<'n>, bool)> {
        let (address, outside) = port.host();
        let inside = if outside == 0 { &self.all } else { &self.inside };
        let ambiguous = self.outside.get(&(outside, !address.is_empty()));
        let all = [Some(inside), ambiguous].into_iter().flatten();
        let (_, other) = all.filter_map(|it| it.outside(container)).min_by_key(|it| it.0)?;
        let (other_address, other_outside) = other.host();
        let is_ambiguous =
            outside == other_outside && address.is_empty() != other_address.is_empty();
        Some((other, is_ambiguous))
    }
}

pub(super) fn check(judge: &mut Judge<'_>, pod: &PodSpec<'_>) {
    let mut numbers: SortedMap<(i64, &str), Others<'_>> = SortedMap::new();
    let mut names: SortedMap<&str, Port<'_>> = SortedMap::new();
    let is_filled_in = pod.object.gvk.is("", "Pod") && is_true(pod.spec, "hostNetwork");
    for container in pod.containers() {
        if !is_custom(pod) {
            check_env(judge, container.node);
        }
        for field in ["limits", "requests"] {
            let amounts = container.node.at(&["resources", field]);
            bytes::check_amounts(judge, amounts, &BYTES);
        }
        for node in items(container.node, "ports") {
            let container = (container.list, container.index);
            let port = Port { node, container, is_filled_in };
            check_host_address(judge, &port);
            let number = node.get("containerPort").and_then(Node::as_i64).unwrap_or(0);
            let key = (number, filled_text(node, "protocol").unwrap_or("TCP"));
            let others = numbers.entry(key).or_default();
            let others_of = if is_custom(pod) { Some(port.container) } else { None };
            if let Some((other, is_ambiguous)) = others.repeated_by(&port, others_of) {
                check_repeated(judge, key, &port, &other, is_ambiguous);
            }
            others.add(port);
            if let Some(name) = filled_text(node, "name") {
                match names.get(name) {
                    // Within a container it is an error, which another rule reports.
                    Some(first) if first.container != port.container => {
                        check_name(judge, name, &port, first);
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

fn check_env(judge: &mut Judge<'_>, container: &Node) {
    let mut seen: SortedMap<&str, &Node> = SortedMap::new();
    for variable in items(container, "env") {
        let Some((node, name)) = text_node(variable, "name") else { continue };
        let Some(first) = seen.get(name) else {
            seen.insert(name, node);
            continue;
        };
        let reference = format!("$({name})");
        let value = text_at(variable, &["value"]);
        // A variable that extends the earlier one is intended.
        let extends = value != reference && value.contains(&reference);
        if extends && variable.get("valueFrom").is_none() {
            continue;
        }
        let finding =
            Diagnostic::new(&ENV_REPEATED, node.span(), message!("duplicate variable `{name}`"))
                .at("replaces the first value")
                .label(first.span(), "the first")
                .note("`kubectl apply --server-side` rejects the object")
                .help("keep one of them: `kubectl apply` may drop either");
        judge.report(finding, (variable, "name"));
    }
}

fn check_host_address(judge: &mut Judge<'_>, port: &Port<'_>) {
    let Some(entry) = port.node.entry("hostIP") else { return };
    if matches!(port.host(), (address, 0) if !address.is_empty()) {
        let text = (
            "`hostIP` is set on a port without `hostPort`",
            "ignored",
            "add `hostPort`, or remove `hostIP`",
        );
        judge.fault(&FIELD_WITHOUT_EFFECT, entry, text);
    }
}

fn check_repeated(
    judge: &mut Judge<'_>,
    (number, protocol): (i64, &str),
    port: &Port<'_>,
    other: &Port<'_>,
    is_ambiguous: bool,
) {
    let node = value_or_owner(port.node, "containerPort");
    let first = value_or_owner(other.node, "containerPort");
    let message = message!("duplicate port {number}/{protocol}");
    let label = if is_ambiguous { "only one of the two is used" } else { "duplicate port" };
    let texts = (message, label, "keep one of them: containers of a Pod share a network");
    judge.conflict(&PORT_REPEATED, (node.span(), port.node), texts, (first, "the first"));
}

fn check_name(judge: &mut Judge<'_>, name: &str, port: &Port<'_>, first: &Port<'_>) {
    let first = value_or_owner(first.node, "name");
    let spot = (value_or_owner(port.node, "name").span(), (port.node, "name"));
    let message = message!("duplicate port name `{name}` in the Pod");
    let texts = (message, "never selected by name", "give each port of the Pod a unique name");
    judge.conflict(&PORT_REPEATED, spot, texts, (first, "Services and probes use this one"));
}
