//! Controls on what a Pod shares with its node: namespaces, ports, Windows host processes, and the
//! address that a probe calls.

use super::check::{Check, Control, Fault, Holder};
use crate::diag::{declare_rules, message};
use crate::tree::Node;

declare_rules! {
    HOST_NAMESPACES = "pod-security-host-namespaces", Error;
    HOST_PORT = "pod-security-host-port", Error;
    HOST_PROCESS = "pod-security-host-process", Error;
    PROBE_HOST = "pod-security-probe-host", Error;
}

pub(super) fn check_host_process(check: &mut Check<'_>) {
    for holder in check.holders() {
        let Some(node) = holder.security(&["windowsOptions", "hostProcess"]) else { continue };
        if node.as_bool() != Some(true) {
            continue;
        }
        check.refuse(
            holder,
            Fault {
                control: Control::baseline(&HOST_PROCESS, "windowsHostProcess"),
                span: node.span(),
                field: "securityContext.windowsOptions.hostProcess",
                what: message!("{} runs as a process of the Windows node", holder.describe()),
                label: "runs on the node".into(),
                fix: "remove `hostProcess`, or set it to `false`".into(),
            },
        );
    }
}

pub(super) fn check_host_namespaces(check: &mut Check<'_>) {
    let pod = check.pod();
    for (field, shared) in
        [("hostNetwork", "network"), ("hostPID", "processes"), ("hostIPC", "shared memory")]
    {
        let Some(node) = pod.node.get(field) else { continue };
        if node.as_bool() != Some(true) {
            continue;
        }
        check.refuse(
            pod,
            Fault {
                control: Control::baseline(&HOST_NAMESPACES, "hostNamespaces"),
                span: node.span(),
                field,
                what: message!("`{field}: true` shares the node's {shared}"),
                label: message!("shares the node's {shared}"),
                fix: message!("remove `{field}`, or set it to `false`"),
            },
        );
    }
}

pub(super) fn check_host_ports(check: &mut Check<'_>) {
    for holder in check.containers() {
        let ports = holder.node.items_at(&["ports"]);
        for (index, port) in ports.iter().enumerate() {
            let Some(node) = port.get("hostPort") else { continue };
            let Some(number) = node.as_i64().filter(|number| *number != 0) else { continue };
            check.refuse(
                holder,
                Fault {
                    control: Control::baseline(&HOST_PORT, "hostPorts"),
                    span: node.span(),
                    field: &format!("ports[{index}].hostPort"),
                    what: message!("{} opens port {number} of the node", holder.describe()),
                    label: "opened on the node".into(),
                    fix: "remove `hostPort`, and expose the Pod through a Service".into(),
                },
            );
        }
    }
}

pub(super) fn check_probe_hosts(check: &mut Check<'_>) {
    const HANDLERS: [&[&str]; 5] = [
        &["livenessProbe"],
        &["readinessProbe"],
        &["startupProbe"],
        &["lifecycle", "postStart"],
        &["lifecycle", "preStop"],
    ];
    if check.minor < 34 {
        return;
    }
    for holder in check.containers() {
        for handler in HANDLERS {
            let Some(node) = holder.node.at(handler) else { continue };
            for action in ["httpGet", "tcpSocket"] {
                let field = format!("{}.{action}.host", handler.join("."));
                check_probe_host(check, holder, node.at(&[action, "host"]), &field);
            }
        }
    }
}

fn check_probe_host(check: &mut Check<'_>, holder: Holder<'_>, node: Option<&Node>, field: &str) {
    let Some(node) = node else { return };
    let Some(host) = node.as_str().filter(|host| !host.is_empty()) else { return };
    check.refuse(
        holder,
        Fault {
            control: Control::baseline(&PROBE_HOST, "hostProbesAndHostLifecycle"),
            span: node.span(),
            field,
            what: message!("{} makes the kubelet call `{host}`", holder.describe()),
            label: "called by the kubelet".into(),
            fix: "remove `host`: the default is the Pod itself".into(),
        },
    );
}
