//! Fields of one operating system: Windows options, and the fields that `os` excludes.

use super::judge::PodJudge;
use crate::diag::{Diagnostic, declare_rules, message};
use crate::scalar::check_windows_user;
use crate::source::Span;
use crate::tree::{Entry, Node};
use crate::validate::rules::judge::{Absence, shown};
use crate::validate::rules::names::{NameForm, check_name};

declare_rules! {
    WINDOWS_OPTIONS_INVALID = "windows-options-invalid", Error;
    HOST_PROCESS_MIXED = "host-process-mixed", Error;
    FIELD_OF_OTHER_SYSTEM = "field-of-other-system", Error;
}

const LONGEST_CREDENTIAL: usize = 64 * 1024;

/// Checks `windowsOptions` of a Pod or a container.
pub(super) fn check_options(judge: &mut PodJudge<'_>, options: &Node) {
    check_name(judge, options.get("gmsaCredentialSpecName"), NameForm::OBJECT);
    if let Some((node, text)) = judge.needed_node(options, "gmsaCredentialSpec", Absence::BySchema)
        && text.len() > LONGEST_CREDENTIAL
    {
        let text = (
            "`gmsaCredentialSpec` is longer than 64 KiB",
            "too long",
            "name a GMSACredentialSpec in `gmsaCredentialSpecName`",
        );
        judge.fault(&WINDOWS_OPTIONS_INVALID, node, text);
    }
    if let Some((node, name)) = judge.needed_node(options, "runAsUserName", Absence::BySchema)
        && let Err(fault) = check_windows_user(name)
    {
        let message = message!("Windows user `{}` {fault}", shown(name));
        let text = (message, "invalid user name", "write `user` or `DOMAIN\\user`");
        judge.fault(&WINDOWS_OPTIONS_INVALID, node, text);
    }
}

/// Checks the rules for the whole Pod.
pub(super) fn check(judge: &mut PodJudge<'_>) {
    check_host_process(judge);
    match judge.pod.spec.str_at(&["os", "name"]) {
        Some("linux") => check_linux(judge),
        Some("windows") => check_windows(judge),
        _ => {}
    }
}

fn host_process_of(owner: &Node) -> Option<&Node> {
    owner.at(&["securityContext", "windowsOptions", "hostProcess"])
}

/// Checks that all containers are host processes, or none.
fn check_host_process(judge: &mut PodJudge<'_>) {
    let of_pod = host_process_of(judge.pod.spec).and_then(Node::as_bool);
    let pod = judge.pod;
    let mut first_host: Option<Span> = None;
    let mut first_other: Option<Span> = None;
    for container in judge.pod.containers() {
        let node = host_process_of(container.node);
        let own = node.and_then(Node::as_bool);
        if let (Some(of_pod), Some(own), Some(node)) = (of_pod, own, node)
            && of_pod != own
        {
            let message =
                message!("`hostProcess` is {of_pod} for the Pod but {own} for a container");
            let text = (message, "differs from the Pod", "remove one of them, or make them equal");
            judge.fault(&HOST_PROCESS_MIXED, (node.span(), pod.spec), text);
        }
        let at = node.unwrap_or(container.node).span();
        let first = if own.or(of_pod) == Some(true) { &mut first_host } else { &mut first_other };
        first.get_or_insert(at);
    }
    let Some(host) = first_host else { return };
    if let Some(other) = first_other {
        let finding = Diagnostic::new(
            &HOST_PROCESS_MIXED,
            other,
            "Pod mixes host-process containers with others",
        )
        .at("not a host process")
        .label(host, "a host process")
        .help("set `hostProcess` once, in `securityContext.windowsOptions` of the Pod");
        judge.report(finding, pod.spec);
    }
    if !judge.has_host_network {
        let text = (
            "host-process Pod does not use the host network",
            "requires the host network",
            "add `hostNetwork: true` to the Pod",
        );
        judge.fault(&HOST_PROCESS_MIXED, (host, (pod.spec, "hostNetwork")), text);
    }
}

fn refuse(judge: &mut PodJudge<'_>, entry: &Entry, system: &str) {
    let message = message!("`{}` is set in a Pod for {system}", entry.key);
    let mut finding = Diagnostic::new(&FIELD_OF_OTHER_SYSTEM, entry.key_origin().span(), message)
        .at(message!("not supported on {system}"))
        .help(message!("remove `{}`, or change `os`", entry.key));
    if let Some(name) = judge.pod.spec.at(&["os", "name"]) {
        finding = finding.label(name.span(), "operating system of the Pod");
    }
    judge.report(finding, entry);
}

fn refuse_in_contexts(
    judge: &mut PodJudge<'_>,
    of_pod: &[&str],
    of_container: &[&str],
    system: &str,
) {
    let entries = |owner: &Node, names: &[&str], judge: &mut PodJudge<'_>| {
        let Some(context) = owner.get("securityContext") else { return };
        for name in names {
            let entry = context.entry(name);
            // An empty list of sysctls counts as absent.
            if let Some(entry) =
                entry.filter(|entry| entry.key != "sysctls" || !entry.value.items().is_empty())
            {
                refuse(judge, entry, system);
            }
        }
    };
    entries(judge.pod.spec, of_pod, judge);
    for container in judge.pod.containers() {
        entries(container.node, of_container, judge);
    }
}

fn check_linux(judge: &mut PodJudge<'_>) {
    let both: &[&str] = &["windowsOptions"];
    refuse_in_contexts(judge, both, both, "linux");
}

fn check_windows(judge: &mut PodJudge<'_>) {
    const OF_POD: &[&str] = &[
        "appArmorProfile",
        "seLinuxOptions",
        "seccompProfile",
        "fsGroup",
        "fsGroupChangePolicy",
        "sysctls",
        "runAsUser",
        "runAsGroup",
        "supplementalGroups",
        "supplementalGroupsPolicy",
        "seLinuxChangePolicy",
    ];
    const OF_CONTAINER: &[&str] = &[
        "appArmorProfile",
        "seLinuxOptions",
        "seccompProfile",
        "capabilities",
        "readOnlyRootFilesystem",
        "privileged",
        "allowPrivilegeEscalation",
        "procMount",
        "runAsUser",
        "runAsGroup",
    ];
    refuse_in_contexts(judge, OF_POD, OF_CONTAINER, "windows");
    let spec = judge.pod.spec;
    for name in ["hostUsers", "shareProcessNamespace"] {
        if let Some(entry) = spec.entry(name) {
            refuse(judge, entry, "windows");
        }
    }
    for name in ["hostPID", "hostIPC"] {
        if let Some(entry) = spec.entry(name).filter(|entry| entry.value.as_bool() == Some(true)) {
            refuse(judge, entry, "windows");
        }
    }
    if let Some(entry) =
        spec.entry("resources").filter(|_| judge.minor >= super::POD_RESOURCES_MINOR)
    {
        refuse(judge, entry, "windows");
    }
}
