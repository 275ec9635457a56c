//! Controls on the kernel's confinement: seccomp, AppArmor, SELinux and sysctls.

use super::check::{Check, Control, Fault, Holder};
use super::{Profile, seccomp_annotation};
use crate::diag::{Message, declare_rules, message};
use crate::tree::Node;

declare_rules! {
    APPARMOR = "pod-security-apparmor", Error;
    SECCOMP = "pod-security-seccomp", Error;
    SELINUX = "pod-security-selinux", Error;
    SYSCTL = "pod-security-sysctl", Error;
}

/// Profile types that both standards allow.
const CONFINED: [&str; 2] = ["RuntimeDefault", "Localhost"];

const APPARMOR_ANNOTATION: &str = "container.apparmor.security.beta.kubernetes.io/";

/// Allowed types, with the minor version since which the standard allows each.
const SELINUX_TYPES: [(&str, u32); 5] = [
    ("", 0),
    ("container_t", 0),
    ("container_init_t", 0),
    ("container_kvm_t", 0),
    ("container_engine_t", 31),
];

/// Safe sysctls, with the minor version since which the standard allows each.
const SYSCTLS: &[(&str, u32)] = &[
    ("kernel.shm_rmid_forced", 0),
    ("net.ipv4.ip_local_port_range", 0),
    ("net.ipv4.ip_local_reserved_ports", 27),
    ("net.ipv4.ip_unprivileged_port_start", 0),
    ("net.ipv4.ping_group_range", 0),
    ("net.ipv4.tcp_fin_timeout", 29),
    ("net.ipv4.tcp_keepalive_intvl", 29),
    ("net.ipv4.tcp_keepalive_probes", 29),
    ("net.ipv4.tcp_keepalive_time", 29),
    ("net.ipv4.tcp_notsent_lowat", 37),
    ("net.ipv4.tcp_rmem", 32),
    ("net.ipv4.tcp_slow_start_after_idle", 37),
    ("net.ipv4.tcp_syncookies", 0),
    ("net.ipv4.tcp_wmem", 32),
];

/// The `type` of a profile that is set and does not confine.
fn unconfined_type<'n>(holder: Holder<'n>, profile: &str) -> Option<(&'n Node, &'n str)> {
    let node = holder.security(&[profile, "type"])?;
    let value = node.as_str()?;
    (!CONFINED.contains(&value)).then_some((node, value))
}

pub(super) fn check_apparmor(check: &mut Check<'_>) {
    for holder in check.holders() {
        let Some((node, value)) = unconfined_type(holder, "appArmorProfile") else { continue };
        check.refuse(
            holder,
            Fault {
                control: Control::baseline(&APPARMOR, "appArmorProfile"),
                span: node.span(),
                field: "securityContext.appArmorProfile.type",
                what: message!("{} has the AppArmor profile `{value}`", holder.describe()),
                label: "not confined".into(),
                fix: "set it to `RuntimeDefault` or `Localhost`, or remove `appArmorProfile`"
                    .into(),
            },
        );
    }
    check_apparmor_annotations(check);
}

fn check_apparmor_annotations(check: &mut Check<'_>) {
    let Some((metadata, base)) = check.subject.metadata else { return };
    let annotations = base.field("annotations");
    for entry in metadata.entries_at(&["annotations"]) {
        let Some(value) = entry.value.as_str() else { continue };
        let is_confined =
            matches!(value, "" | "runtime/default") || value.starts_with("localhost/");
        if !entry.key.starts_with(APPARMOR_ANNOTATION) || is_confined {
            continue;
        }
        check.report(
            &annotations.key(&entry.key).to_string(),
            Fault {
                control: Control::baseline(&APPARMOR, "appArmorProfile"),
                span: entry.value.span(),
                field: "",
                what: message!("annotation `{}` sets the AppArmor profile `{value}`", entry.key),
                label: "not confined".into(),
                fix: "remove the annotation, or set it to `runtime/default`".into(),
            },
        );
    }
}

pub(super) fn check_seccomp(check: &mut Check<'_>) {
    // The field exists since 1.19; earlier versions of the standard read the annotations instead.
    if check.minor < 19 {
        seccomp_annotation::check(check);
        return;
    }
    let is_restricted = check.profile == Profile::Restricted;
    if is_restricted && check.is_windows {
        return;
    }
    let mut has_explicit = false;
    for holder in check.holders() {
        let Some((node, value)) = unconfined_type(holder, "seccompProfile") else { continue };
        has_explicit = true;
        let what = message!("{} has the seccomp profile `{value}`", holder.describe());
        refuse_seccomp(check, holder, Some(node), what);
    }
    let has_type = |holder: Holder<'_>| holder.security(&["seccompProfile", "type"]).is_some();
    if !is_restricted || has_explicit || has_type(check.pod()) {
        return;
    }
    for holder in check.containers() {
        if !has_type(holder) {
            let what = message!("{} has no seccomp profile", holder.describe());
            refuse_seccomp(check, holder, None, what);
        }
    }
}

fn refuse_seccomp(check: &mut Check<'_>, holder: Holder<'_>, node: Option<&Node>, what: Message) {
    let is_restricted = check.profile == Profile::Restricted;
    let mut control = if is_restricted {
        Control::restricted(&SECCOMP, "seccompProfile_restricted")
    } else {
        Control::baseline(&SECCOMP, "seccompProfile_baseline")
    };
    // `baseline` rejects a profile that does not confine, but requires none.
    control.allowed_by = if node.is_some() { Profile::Privileged } else { Profile::Baseline };
    let (label, fix) = match node {
        Some(_) => ("not confined", "set it to `RuntimeDefault` or `Localhost`"),
        None => (
            "not set here or on the Pod",
            "set `securityContext.seccompProfile: {type: RuntimeDefault}` on the Pod",
        ),
    };
    check.refuse(
        holder,
        Fault {
            control,
            span: node.map_or_else(|| holder.span(), Node::span),
            field: "securityContext.seccompProfile.type",
            what,
            label: label.into(),
            fix: fix.into(),
        },
    );
}

pub(super) fn check_selinux(check: &mut Check<'_>) {
    for holder in check.holders() {
        for field in ["type", "user", "role"] {
            let Some(node) = holder.security(&["seLinuxOptions", field]) else { continue };
            let Some(value) = node.as_str() else { continue };
            let known = SELINUX_TYPES.iter().find(|(known, _)| *known == value);
            let is_allowed = if field == "type" {
                known.is_some_and(|(_, since)| check.minor >= *since)
            } else {
                value.is_empty()
            };
            if is_allowed {
                continue;
            }
            let fix = if field == "type" {
                "use `container_t`, or remove `type`".into()
            } else {
                message!("remove `{field}`")
            };
            check.refuse(
                holder,
                Fault {
                    control: Control::baseline(&SELINUX, "seLinuxOptions"),
                    span: node.span(),
                    field: &format!("securityContext.seLinuxOptions.{field}"),
                    what: message!("{} has the SELinux {field} `{value}`", holder.describe()),
                    label: "not allowed".into(),
                    fix,
                },
            );
        }
    }
}

pub(super) fn check_sysctls(check: &mut Check<'_>) {
    let pod = check.pod();
    let sysctls = pod.security(&["sysctls"]).map_or(&[][..], Node::items);
    for (index, sysctl) in sysctls.iter().enumerate() {
        let Some(node) = sysctl.get("name") else { continue };
        let Some(name) = node.as_str() else { continue };
        let known = SYSCTLS.iter().find(|(known, _)| *known == name);
        let fix = match known {
            Some((_, since)) if check.minor >= *since => continue,
            Some((_, since)) if check.pinned == Some(check.minor) => {
                message!("remove it, or use version 1.{since} of the standard, which allows it")
            }
            Some((_, since)) => {
                message!("remove it, or target Kubernetes 1.{since}, which allows it")
            }
            None => "remove it".into(),
        };
        check.refuse(
            pod,
            Fault {
                control: Control::baseline(&SYSCTL, "sysctls"),
                span: node.span(),
                field: &format!("securityContext.sysctls[{index}].name"),
                what: message!("the Pod sets the sysctl `{name}`"),
                label: "not a safe sysctl".into(),
                fix,
            },
        );
    }
}
