//! Security contexts of Pods and containers, and their requirements on the node.

use super::judge::PodJudge;
use super::windows;
use crate::diag::{declare_rules, message};
use crate::scalar::check_descending_path;
use crate::tree::Node;
use crate::validate::rules::judge::{Absence, is_true, items, shown};

declare_rules! {
    USER_ID_OUT_OF_RANGE = "user-id-out-of-range", Error;
    PRIVILEGE_ESCALATION_CONFLICT = "privilege-escalation-conflict", Error;
    PROC_MOUNT_WITHOUT_OWN_USERS = "proc-mount-without-own-users", Error;
    SECCOMP_PROFILE_INVALID = "seccomp-profile-invalid", Error;
    APPARMOR_PROFILE_INVALID = "apparmor-profile-invalid", Error;
    SYSCTL_INVALID = "sysctl-invalid", Error;
    OWN_USERS_WITH_HOST_NAMESPACE = "own-users-with-host-namespace", Error;
}

/// The maximum length of a profile path, in bytes.
const LONGEST_PROFILE: usize = 4095;

/// Checks the security context of a container.
pub(super) fn check(judge: &mut PodJudge<'_>, container: &Node) {
    let Some(context) = container.get("securityContext") else { return };
    check_shared(judge, context);
    if let Some(node) = context.get("procMount")
        && node.as_str() == Some("Unmasked")
        && !judge.has_own_users
    {
        let text = (
            "`procMount: Unmasked` requires a user namespace",
            "add `hostUsers: false` to the Pod, or remove `procMount`",
        );
        judge.refuse(
            &PROC_MOUNT_WITHOUT_OWN_USERS,
            (node.span(), (container, "securityContext.procMount")),
            text,
        );
    }
    judge.needed(context, "procMount", Absence::BySchema);
    check_escalation(judge, context);
}

/// Checks the security context of the Pod.
pub(super) fn check_pod(judge: &mut PodJudge<'_>) {
    let Some(context) = judge.pod.spec.get("securityContext") else { return };
    check_shared(judge, context);
    check_user_id(judge, context.get("fsGroup"), "fsGroup");
    for group in items(context, "supplementalGroups") {
        check_id(judge, group, "supplemental group");
    }
    for field in ["fsGroupChangePolicy", "supplementalGroupsPolicy", "seLinuxChangePolicy"] {
        judge.needed(context, field, Absence::BySchema);
    }
}

/// Checks the fields of both security contexts.
fn check_shared(judge: &mut PodJudge<'_>, context: &Node) {
    for field in ["runAsUser", "runAsGroup"] {
        check_user_id(judge, context.get(field), field);
    }
    if let Some(profile) = context.get("seccompProfile") {
        check_seccomp(judge, profile);
    }
    if let Some(profile) = context.get("appArmorProfile") {
        check_app_armor(judge, profile);
    }
    if let Some(options) = context.get("windowsOptions") {
        windows::check_options(judge, options);
    }
}

fn check_user_id(judge: &mut PodJudge<'_>, node: Option<&Node>, field: &str) {
    if let Some(node) = node {
        check_id(judge, node, format_args!("`{field}`"));
    }
}

fn check_id(judge: &mut PodJudge<'_>, node: &Node, what: impl std::fmt::Display) {
    let Some(id) = node.as_i64() else { return };
    if i32::try_from(id).is_ok_and(|id| id >= 0) {
        return;
    }
    let text = (
        message!("{what} {id} is outside 0-2147483647"),
        "must be between 0 and 2147483647",
        "write a user or group ID",
    );
    judge.fault(&USER_ID_OUT_OF_RANGE, node, text);
}

fn check_escalation(judge: &mut PodJudge<'_>, context: &Node) {
    let Some(node) = context.get("allowPrivilegeEscalation") else { return };
    if node.as_bool() != Some(false) {
        return;
    }
    let rule = &PRIVILEGE_ESCALATION_CONFLICT;
    if is_true(context, "privileged") {
        let text = (
            "`allowPrivilegeEscalation: false` conflicts with `privileged: true`",
            "remove one of them: a privileged container has all privileges",
        );
        judge.refuse(rule, (node.span(), context), text);
    }
    let added = context.items_at(&["capabilities", "add"]);
    // The server only checks this spelling; `SYS_ADMIN` passes.
    if let Some(capability) =
        added.iter().find(|capability| capability.as_str() == Some("CAP_SYS_ADMIN"))
    {
        let text = (
            "`allowPrivilegeEscalation: false` conflicts with the capability `CAP_SYS_ADMIN`",
            "remove the capability, or `allowPrivilegeEscalation`",
        );
        judge.refuse(rule, (capability.span(), context), text);
    }
}

fn check_seccomp(judge: &mut PodJudge<'_>, profile: &Node) {
    let Some(kind) = judge.needed(profile, "type", Absence::BySchema) else { return };
    let rule = &SECCOMP_PROFILE_INVALID;
    match (kind, profile.get("localhostProfile")) {
        ("Localhost", None) => {
            let at = profile.get("type").map_or(profile.span(), Node::span);
            let text =
                ("seccomp profile of type `Localhost` has no file", "add `localhostProfile: ...`");
            judge.refuse(rule, (at, (profile, "localhostProfile")), text);
        }
        ("Localhost", Some(node)) => {
            let Some(Err(fault)) = node.as_str().map(check_descending_path) else { return };
            let message = message!("seccomp profile path {fault}");
            let text = (message, "write a path relative to the kubelet's seccomp directory");
            judge.refuse(rule, (node.span(), (profile, "localhostProfile")), text);
        }
        (_, Some(node)) => {
            let message = message!("seccomp profile of type `{}` has a file", shown(kind));
            let text = (message, "write `type: Localhost`, or remove `localhostProfile`");
            judge.refuse(rule, (node.span(), (profile, "localhostProfile")), text);
        }
        (_, None) => {}
    }
}

fn check_app_armor(judge: &mut PodJudge<'_>, profile: &Node) {
    let Some(kind) = judge.needed(profile, "type", Absence::BySchema) else { return };
    let rule = &APPARMOR_PROFILE_INVALID;
    match (kind, profile.get("localhostProfile")) {
        ("Localhost", None) => {
            let at = profile.get("type").map_or(profile.span(), Node::span);
            let text =
                ("AppArmor profile of type `Localhost` has no name", "add `localhostProfile: ...`");
            judge.refuse(rule, (at, (profile, "localhostProfile")), text);
        }
        ("Localhost", Some(node)) => {
            let Some(name) = node.as_str() else { return };
            let text = if name.trim() != name {
                ("AppArmor profile name has leading or trailing whitespace", "remove it")
            } else if name.is_empty() {
                (
                    "AppArmor profile name is empty",
                    "write the name of a profile that is loaded on the node",
                )
            } else if name.len() > LONGEST_PROFILE {
                (
                    "AppArmor profile name is longer than 4095 bytes",
                    "shorten it to at most 4095 bytes",
                )
            } else {
                return;
            };
            judge.refuse(rule, (node.span(), (profile, "localhostProfile")), text);
        }
        ("RuntimeDefault" | "Unconfined", Some(node)) => {
            let message = message!("AppArmor profile of type `{kind}` has a name");
            let text = (message, "write `type: Localhost`, or remove `localhostProfile`");
            judge.refuse(rule, (node.span(), (profile, "localhostProfile")), text);
        }
        _ => {}
    }
}
