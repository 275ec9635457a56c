//! Controls on privileges: privileged mode, capabilities, privilege escalation, `/proc`.

use super::Profile;
use super::check::{Check, Control, Fault, Holder, Level};
use crate::diag::{declare_rules, message};
use crate::tree::Node;

declare_rules! {
    CAPABILITIES = "pod-security-capabilities", Error;
    PRIVILEGE_ESCALATION = "pod-security-privilege-escalation", Error;
    PRIVILEGED = "pod-security-privileged", Error;
    PROC_MOUNT = "pod-security-proc-mount", Error;
}

/// The capabilities that `baseline` allows a container to add.
const BASELINE_CAPABILITIES: &[&str] = &[
    "AUDIT_WRITE",
    "CHOWN",
    "DAC_OVERRIDE",
    "FOWNER",
    "FSETID",
    "KILL",
    "MKNOD",
    "NET_BIND_SERVICE",
    "SETFCAP",
    "SETGID",
    "SETPCAP",
    "SETUID",
    "SYS_CHROOT",
];

/// The capabilities that `restricted` allows a container to add.
const RESTRICTED_CAPABILITIES: &[&str] = &["NET_BIND_SERVICE"];

pub(super) fn check_privileged(check: &mut Check<'_>) {
    for holder in check.containers() {
        let Some(node) = holder.security(&["privileged"]) else { continue };
        if node.as_bool() != Some(true) {
            continue;
        }
        check.refuse(
            holder,
            Fault {
                control: Control::baseline(&PRIVILEGED, "privileged"),
                span: node.span(),
                field: "securityContext.privileged",
                what: message!("{} is privileged", holder.describe()),
                label: "root on the node".into(),
                fix: "remove `privileged`, or set it to `false`".into(),
            },
        );
    }
}

pub(super) fn check_capabilities(check: &mut Check<'_>) {
    let is_restricted = is_capability_restricted(check);
    if is_restricted && check.is_windows {
        return;
    }
    for holder in check.containers() {
        if is_restricted {
            check_drop(check, holder);
        }
        let added = holder.security(&["capabilities", "add"]).map_or(&[][..], Node::items);
        for (index, item) in added.iter().enumerate() {
            check_added(check, holder, index, item);
        }
    }
}

/// Whether the control of `restricted` replaces that of `baseline`: since 1.22.
fn is_capability_restricted(check: &Check<'_>) -> bool {
    check.profile == Profile::Restricted && check.minor >= 22
}

fn check_drop(check: &mut Check<'_>, holder: Holder<'_>) {
    let dropped = holder.security(&["capabilities", "drop"]);
    let mut items = dropped.map_or(&[][..], Node::items).iter();
    if items.any(|item| item.as_str() == Some("ALL")) {
        return;
    }
    check.refuse(
        holder,
        Fault {
            control: Control::restricted(&CAPABILITIES, "capabilities_restricted"),
            span: dropped.map_or_else(|| holder.span(), Node::span),
            field: "securityContext.capabilities.drop",
            what: message!("{} does not drop all capabilities", holder.describe()),
            label: "`ALL` is not dropped".into(),
            fix: "set `securityContext.capabilities.drop: [ALL]`".into(),
        },
    );
}

fn check_added(check: &mut Check<'_>, holder: Holder<'_>, index: usize, item: &Node) {
    let Some(name) = item.as_str() else { return };
    let (control, allowed) = if is_capability_restricted(check) {
        let control = Control::restricted(&CAPABILITIES, "capabilities_restricted");
        (control, RESTRICTED_CAPABILITIES)
    } else {
        let control = Control::baseline(&CAPABILITIES, "capabilities_baseline");
        (control, BASELINE_CAPABILITIES)
    };
    if allowed.contains(&name) {
        return;
    }
    let canonical = canonical_capability(name);
    let fix = if canonical != name && allowed.contains(&canonical.as_str()) {
        message!("write `{canonical}`: names are case-sensitive")
    } else {
        message!("remove `{name}` from `capabilities.add`")
    };
    let is_in_baseline = BASELINE_CAPABILITIES.contains(&name);
    let allowed_by = if is_in_baseline { Profile::Baseline } else { Profile::Privileged };
    check.refuse(
        holder,
        Fault {
            control: Control { allowed_by, ..control },
            span: item.span(),
            field: &format!("securityContext.capabilities.add[{index}]"),
            what: message!("{} adds the capability `{name}`", holder.describe()),
            label: "not allowed".into(),
            fix,
        },
    );
}

/// The name in the spelling of Pod Security admission: container runtimes also accept `CAP_CHOWN`
/// and `chown`.
fn canonical_capability(name: &str) -> String {
    let upper = name.to_ascii_uppercase();
    upper.strip_prefix("CAP_").map_or_else(|| upper.clone(), str::to_owned)
}

pub(super) fn check_escalation(check: &mut Check<'_>) {
    if check.profile != Profile::Restricted || check.is_windows || check.minor < 8 {
        return;
    }
    for holder in check.containers() {
        let node = holder.security(&["allowPrivilegeEscalation"]);
        if node.and_then(Node::as_bool) == Some(false) {
            continue;
        }
        // The profile's layer did not set it because another value of the author forbids it; that
        // value is reported by its own control.
        let is_definition = matches!(check.subject.level, Level::Definition(_));
        if node.is_none() && is_definition && gains_privileges(holder.node) {
            continue;
        }
        let container = holder.describe();
        let (what, label) = match node {
            Some(_) => (message!("{container} allows privilege escalation"), "allowed here"),
            None => {
                (message!("{container} does not rule out privilege escalation"), "not ruled out")
            }
        };
        check.refuse(
            holder,
            Fault {
                control: Control::restricted(&PRIVILEGE_ESCALATION, "allowPrivilegeEscalation"),
                span: node.map_or_else(|| holder.span(), Node::span),
                field: "securityContext.allowPrivilegeEscalation",
                what,
                label: label.into(),
                fix: "set `securityContext.allowPrivilegeEscalation: false`".into(),
            },
        );
    }
}

pub(super) fn check_proc_mount(check: &mut Check<'_>) {
    let has_restricted_step = check.profile == Profile::Restricted && check.minor >= 35;
    let mut control = if has_restricted_step {
        Control::restricted(&PROC_MOUNT, "procMount_restricted")
    } else if check.has_user_namespace {
        return;
    } else {
        Control::baseline(&PROC_MOUNT, "procMount")
    };
    control.allowed_by =
        if check.has_user_namespace { Profile::Baseline } else { Profile::Privileged };
    for holder in check.containers() {
        let Some(node) = holder.security(&["procMount"]) else { continue };
        let Some(value) = node.as_str().filter(|value| *value != "Default") else { continue };
        check.refuse(
            holder,
            Fault {
                control,
                span: node.span(),
                field: "securityContext.procMount",
                what: message!("{} mounts `/proc` as `{value}`", holder.describe()),
                label: "not the default".into(),
                fix: "remove `procMount`, or set it to `Default`".into(),
            },
        );
    }
}

/// Whether the author gives the container privileges that the API server rejects together with
/// `allowPrivilegeEscalation: false`. The check reports that value; a second value would only hide
/// it.
pub fn gains_privileges(container: &Node) -> bool {
    let privileged = container.at(&["securityContext", "privileged"]).and_then(Node::as_bool);
    let added = container.at(&["securityContext", "capabilities", "add"]);
    privileged == Some(true)
        || added.is_some_and(|list| {
            list.items().iter().any(|capability| capability.as_str() == Some("CAP_SYS_ADMIN"))
        })
}
