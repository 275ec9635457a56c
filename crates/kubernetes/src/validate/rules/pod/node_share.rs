//! The namespaces that a Pod shares with its node, and its sysctls.

use super::judge::PodJudge;
use super::security::{OWN_USERS_WITH_HOST_NAMESPACE, SYSCTL_INVALID};
use crate::diag::{Diagnostic, Message, message};
use crate::tree::Node;
use crate::validate::rules::judge::{Absence, is_true, shown, texts_in};
use crate::validate::rules::repeated::repeated;

const LONGEST_NAME: usize = 253;

pub(super) fn check(judge: &mut PodJudge<'_>) {
    let spec = judge.pod.spec;
    let hosts = ["hostNetwork", "hostPID", "hostIPC"];
    let has_own_users = judge.has_own_users;
    for field in hosts.into_iter().filter(|field| has_own_users && is_true(spec, field)) {
        refuse_together(judge, "hostUsers", field);
    }
    if is_true(spec, "shareProcessNamespace") && is_true(spec, "hostPID") {
        refuse_together(judge, "shareProcessNamespace", "hostPID");
    }
    let sysctls = spec.items_at(&["securityContext", "sysctls"]);
    if !sysctls.is_empty() {
        check_sysctls(judge, sysctls);
    }
}

fn refuse_together(judge: &mut PodJudge<'_>, first: &str, other: &str) {
    let pod = judge.pod;
    let key = |field: &str| pod.spec.entry(field).map(|entry| entry.key_origin().span());
    let (Some(first_at), Some(other_at)) = (key(first), key(other)) else { return };
    let message = message!("Pod has both `{first}` and `{other}`");
    let finding = Diagnostic::new(&OWN_USERS_WITH_HOST_NAMESPACE, other_at, message)
        .at("shared with the node")
        .label(first_at, "not shared with the node")
        .help("remove one of them");
    judge.report(finding, (pod.spec, other));
}

fn check_sysctls(judge: &mut PodJudge<'_>, sysctls: &[Node]) {
    let spec = judge.pod.spec;
    let has_host_ipc = is_true(spec, "hostIPC");
    for sysctl in sysctls {
        let Some(name) = judge.needed(sysctl, "name", Absence::BySchema) else { continue };
        let text = if !is_sysctl(name) {
            Some((
                message!("invalid sysctl name `{}`", shown(name)),
                "write it in the form of `net.core.somaxconn`",
            ))
        } else if judge.has_host_network && is_of_network(name) {
            let help = "remove it, or remove `hostNetwork`";
            Some((message!("sysctl `{name}` changes the network of the node"), help))
        } else if has_host_ipc && is_of_messages(name) {
            let help = "remove it, or remove `hostIPC`";
            Some((message!("sysctl `{name}` changes the shared memory of the node"), help))
        } else {
            None
        };
        if let (Some((message, help)), Some(node)) = (text, sysctl.get("name")) {
            report(judge, node, message, help);
        }
    }
    let names = texts_in(sysctls, "name").filter(|(text, _)| !text.is_empty());
    repeated(names, |name, node, _| {
        let message = message!("duplicate sysctl `{}`", shown(name));
        report(judge, node, message, "remove one of them");
    });
}

fn report(judge: &mut PodJudge<'_>, node: &Node, message: Message, help: &'static str) {
    let text = (message, "cannot be set", help);
    judge.fault(&SYSCTL_INVALID, node, text);
}

/// Segments of lowercase letters, digits, `-` and `_`, with `.` or `/` between them.
fn is_sysctl(name: &str) -> bool {
    let is_end = |byte: Option<u8>| {
        byte.is_some_and(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    };
    let is_inner = |byte: u8| {
        byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'-' | b'_')
    };
    name.len() <= LONGEST_NAME
        && name.split(['.', '/']).all(|part| {
            let mut bytes = part.bytes();
            bytes.all(is_inner) && is_end(part.bytes().next()) && is_end(part.bytes().next_back())
        })
}

/// Whether a sysctl is in `net`. The first separator in a name, `.` or `/`, is used for all its
/// segments.
fn is_of_network(name: &str) -> bool {
    name.starts_with("net.") || name.starts_with("net/")
}

/// Whether a sysctl controls shared memory, semaphores or message queues.
fn is_of_messages(name: &str) -> bool {
    let name_of_kernel = name.strip_prefix("kernel.").or_else(|| name.strip_prefix("kernel/"));
    let is_of_kernel = name_of_kernel.is_some_and(|name| {
        matches!(
            name,
            "sem"
                | "shmall"
                | "shmmax"
                | "shmmni"
                | "shm_rmid_forced"
                | "msgmax"
                | "msgmnb"
                | "msgmni"
        )
    });
    is_of_kernel || name.starts_with("fs.mqueue.") || name.starts_with("fs/mqueue/")
}
