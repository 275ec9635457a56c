//! Probes and lifecycle hooks of containers.

use super::judge::PodJudge;
use crate::diag::{Diagnostic, Message, declare_rules, message};
use crate::kube::Container;
use crate::scalar::{check_header_name, check_port_name};
use crate::tree::{Entry, Node};
use crate::validate::rules::judge::{
    Absence, Rejection, Remedy, is_empty_list, items, labelled, shown, start, text_node,
};

declare_rules! {
    HANDLER_MISSING = "handler-missing", Error, follows = [Misplaced];
    HANDLER_CONFLICT = "handler-conflict", Error;
    HANDLER_PORT_INVALID = "handler-port-invalid", Error;
    HANDLER_PORT_NOT_FOUND = "handler-port-not-found", Warning, follows = [Structure];
    HTTP_HEADER_INVALID = "http-header-invalid", Error;
    INIT_CONTAINER_PROBED = "init-container-probed", Error;
    PROBE_NUMBER_INVALID = "probe-number-invalid", Error;
    PRE_STOP_SLEEP_TOO_LONG = "pre-stop-sleep-too-long", Error;
}

const PROBES: [&str; 3] = ["livenessProbe", "readinessProbe", "startupProbe"];

/// The default of `terminationGracePeriodSeconds` of a Pod.
const GRACE_PERIOD: i64 = 30;

pub(super) fn check(judge: &mut PodJudge<'_>, container: &Container<'_>) {
    let node = container.node;
    if container.list == "ephemeralContainers" {
        return;
    }
    if container.list == "initContainers" && node.str_at(&["restartPolicy"]) != Some("Always") {
        for name in PROBES.into_iter().chain(["lifecycle"]) {
            if let Some(entry) = node.entry(name) {
                report_init(judge, entry);
            }
        }
        return;
    }
    for name in PROBES {
        if let Some(probe) = node.entry(name) {
            check_probe(judge, container, probe);
        }
    }
    let Some(lifecycle) = node.get("lifecycle") else { return };
    for name in ["postStart", "preStop"] {
        if let Some(hook) = lifecycle.entry(name) {
            check_handler(judge, container, hook);
        }
    }
}

fn report_init(judge: &mut PodJudge<'_>, entry: &Entry) {
    let text = (
        message!("init container has `{}`", entry.key),
        "runs to completion, without probes",
        "remove it, or write `restartPolicy: Always` to make it a sidecar",
    );
    judge.fault(&INIT_CONTAINER_PROBED, entry, text);
}

const NUMBERS: [&str; 5] = [
    "initialDelaySeconds",
    "timeoutSeconds",
    "periodSeconds",
    "successThreshold",
    "failureThreshold",
];

fn check_probe(judge: &mut PodJudge<'_>, container: &Container<'_>, probe: &Entry) {
    check_handler(judge, container, probe);
    let node = &probe.value;
    let is_ready = probe.key == "readinessProbe";
    for name in NUMBERS {
        let Some(value) = node.get(name) else { continue };
        let Some(number) = value.as_i64() else { continue };
        // 0 counts as absent and is defaulted.
        let (fault, help) = match name {
            _ if number < 0 => ("negative", labelled("must be 0 or more", "write 0 or more")),
            "successThreshold" if !is_ready && number > 1 => {
                ("not 1", "write 1: this probe requires exactly one success".into())
            }
            _ => continue,
        };
        let message = message!("`{name}` {number} of `{}` is {fault}", probe.key);
        report_number(judge, value, message, help);
    }
    let name = "terminationGracePeriodSeconds";
    let Some(value) = node.get(name) else { return };
    let Some(number) = value.as_i64() else { return };
    if is_ready {
        let message = "`readinessProbe` has `terminationGracePeriodSeconds`".into();
        let help = "remove it: a failed readiness probe does not stop the container";
        report_number(judge, value, message, help);
    } else if number <= 0 {
        let message = message!("`{name}` {number} of `{}` is below 1", probe.key);
        report_number(judge, value, message, labelled("must be 1 or more", "write 1 or more"));
    }
}

fn report_number(
    judge: &mut PodJudge<'_>,
    node: &Node,
    message: Message,
    remedy: impl Into<Remedy>,
) {
    judge.refuse(&PROBE_NUMBER_INVALID, node, (message, remedy));
}

/// Checks that a probe or a hook has exactly one handler. The server only validates the first.
fn check_handler(judge: &mut PodJudge<'_>, container: &Container<'_>, owner: &Entry) {
    let node = &owner.value;
    if node.as_map().is_none() {
        return;
    }
    let names = ["exec", "httpGet", "tcpSocket", "grpc", "sleep"];
    let mut given = names.iter().filter_map(|name| node.entry(name));
    let Some(first) = given.next() else {
        let text = (
            message!("`{}` has no handler", owner.key),
            "no handler",
            "add one of `exec`, `httpGet` and `tcpSocket`",
        );
        judge.fault(&HANDLER_MISSING, owner, text);
        return;
    };
    for other in given {
        let texts = (
            message!("`{}` has both `{}` and `{}`", owner.key, first.key, other.key),
            "a second handler",
            "keep one of them",
        );
        judge.conflict(&HANDLER_CONFLICT, other, texts, (first, "the first handler"));
    }
    check_action(judge, &first.key, &first.value);
    if ["httpGet", "tcpSocket"].contains(&first.key.as_str()) {
        check_port_of_container(judge, container, &first.value);
    }
}

fn check_action(judge: &mut PodJudge<'_>, name: &str, action: &Node) {
    match name {
        "exec" => {
            let command = action.get("command");
            if command.is_none_or(is_empty_list) {
                let at = command.map_or_else(|| start(action), Node::span);
                let text = ("`exec` has no command", "no command", "add `command: [...]`");
                judge.fault(&HANDLER_MISSING, (at, (action, "command")), text);
            }
        }
        "httpGet" => {
            check_port(judge, action);
            check_headers(judge, action);
        }
        "tcpSocket" | "grpc" => check_port(judge, action),
        "sleep" => check_sleep(judge, action),
        _ => {}
    }
}

/// Checks a named port, which must be a port of the same container (`FindPort` of the kubelet's
/// probes and hooks).
fn check_port_of_container(judge: &mut PodJudge<'_>, container: &Container<'_>, action: &Node) {
    let Some((node, name)) = text_node(action, "port") else {
        return;
    };
    let names = || items(container.node, "ports").iter().filter_map(|it| it.str_at(&["name"]));
    if check_port_name(name).is_err() || names().any(|known| known == name) {
        return;
    }
    let message = message!("container `{}` has no port named `{name}`", container.shown_name());
    let finding = Diagnostic::new(&HANDLER_PORT_NOT_FOUND, node.span(), message)
        .at("no such port")
        .note(
            "the API server accepts it, but the kubelet finds no port and the handler always fails",
        )
        .suggest_near_or(node.span(), name, names(), || {
            "use a port name of the container, or a number".into()
        });
    judge.report_as(Rejection::Never, finding, (action, "port"));
}

/// Checks a port number or port name.
fn check_port(judge: &mut PodJudge<'_>, action: &Node) {
    let Some(node) = action.get("port") else { return };
    let fault = match (node.as_i64(), node.as_str()) {
        (Some(1..=65535), _) | (None, None) => return,
        (Some(other), _) => message!("port {other} is outside 1-65535"),
        (None, Some(name)) => match check_port_name(name) {
            Ok(()) => return,
            Err(fault) => message!("port name `{}` {fault}", shown(name)),
        },
    };
    let number = node.as_str().and_then(|text| text.parse::<u16>().ok());
    let help = number.map_or_else(
        || "write a number, or the name of a container port".into(),
        |number| message!("remove the quotes: `{number}`"),
    );
    let text = (fault, "not a port number or port name", help);
    judge.fault(&HANDLER_PORT_INVALID, (node.span(), (action, "port")), text);
}

fn check_headers(judge: &mut PodJudge<'_>, action: &Node) {
    for header in items(action, "httpHeaders") {
        if judge.needed(header, "name", Absence::BySchema).is_none() {
            continue;
        }
        if let Some(node) = header.get("name") {
            let help = |_: &str| "use letters, digits and `-`".into();
            let rule = (&HTTP_HEADER_INVALID, "header name");
            judge.form(node, rule, check_header_name, help);
        }
    }
}

/// Checks that a sleeping hook ends before the Pod is killed.
fn check_sleep(judge: &mut PodJudge<'_>, action: &Node) {
    let Some(node) = action.get("seconds") else { return };
    let Some(seconds) = node.as_i64() else { return };
    let grace = judge.pod.spec.get("terminationGracePeriodSeconds");
    // A negative period counts as one second.
    let limit = match grace.and_then(Node::as_i64) {
        None => GRACE_PERIOD,
        Some(..0) => 1,
        Some(period) => period,
    };
    if (0..=limit).contains(&seconds) {
        return;
    }
    let message = message!("`preStop` sleeps {seconds} seconds, but the grace period is {limit}");
    let mut finding = Diagnostic::new(&PRE_STOP_SLEEP_TOO_LONG, node.span(), message)
        .at("not within the grace period")
        .help("shorten the sleep, or raise `terminationGracePeriodSeconds` of the Pod");
    if let Some(grace) = grace {
        finding = finding.label(grace.span(), "the grace period");
    }
    judge.report(finding, (action, "seconds"));
}
