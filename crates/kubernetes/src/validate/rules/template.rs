//! Pod templates: their presence, and the restart policies that each kind allows.

use super::judge::{FIELD_EMPTY, Judge, items, start};
use crate::diag::{Diagnostic, declare_rules, message};
use crate::tree::{Entry, Node};

declare_rules! {
    RESTART_POLICY_UNSUITABLE = "restart-policy-unsuitable", Error;
    TEMPLATE_DEADLINE = "template-deadline", Error;
}

/// Reports a missing template if the schema does not require it.
pub(super) fn check_presence(judge: &mut Judge<'_>) {
    let object = judge.object;
    let owner = match (object.gvk.group.as_str(), object.gvk.kind.as_str()) {
        ("", "PodTemplate") => Some(&object.root),
        ("", "ReplicationController") | ("apps", "ReplicaSet") => object.root.get("spec"),
        _ => return,
    };
    let Some(owner) = owner.filter(|owner| owner.as_map().is_some()) else { return };
    if owner.get("template").is_some() {
        return;
    }
    let message = message!("{} has no Pod template", object.describe());
    let finding = Diagnostic::new(&FIELD_EMPTY, start(owner), message)
        .at("`template` is required")
        .help("add `template: {spec: {containers: [...]}}`");
    judge.report(judge.missing(finding, owner, &["template"]), (owner, "template"));
}

/// Checks Pods that a controller keeps running: they always restart and have no deadline.
pub(super) fn check_lasting(judge: &mut Judge<'_>) {
    let Some(pod) = judge.pod else { return };
    let kind = &judge.object.gvk.kind;
    // Other values are not restart policies.
    if let Some(node) = pod.spec.get("restartPolicy")
        && let Some(policy @ ("Never" | "OnFailure")) = node.as_str()
    {
        let text = (
            message!("Pod template of a {kind} has `restartPolicy: {policy}`"),
            "must be `Always`",
            "remove the field, or use a Job",
        );
        judge.fault(&RESTART_POLICY_UNSUITABLE, node, text);
    }
    if let Some(entry) = pod.spec.entry("activeDeadlineSeconds") {
        let text = (
            message!("Pod template of a {kind} has `activeDeadlineSeconds`"),
            "only for Pods that complete",
            "remove the field, or use a Job",
        );
        judge.fault(&TEMPLATE_DEADLINE, entry, text);
    }
}

/// Checks Pods that a Job runs to completion.
pub(super) fn check_ending(judge: &mut Judge<'_>, has_failure_policy: bool) {
    let Some(pod) = judge.pod else { return };
    let kind = &judge.object.gvk.kind;
    let policy = pod.spec.get("restartPolicy");
    let (at, what) = match policy.map(|node| (node, node.as_str())) {
        None => (start(pod.spec), "no `restartPolicy`, which means `Always`"),
        Some((node, Some(""))) => (node.span(), "no `restartPolicy`, which means `Always`"),
        Some((node, Some("Always"))) => (node.span(), "`restartPolicy: Always`"),
        Some((node, Some("OnFailure"))) if has_failure_policy => {
            (node.span(), "`restartPolicy: OnFailure` together with a `podFailurePolicy`")
        }
        Some(_) => return,
    };
    let (label, help) = if has_failure_policy {
        ("must be `Never`", "write `restartPolicy: Never`: the failure policy handles failed Pods")
    } else {
        (
            "must be `Never` or `OnFailure`",
            "write `restartPolicy: Never`, or `OnFailure` to restart containers within the Pod",
        )
    };
    let message = message!("Pod template of a {kind} has {what}");
    let finding = Diagnostic::new(&RESTART_POLICY_UNSUITABLE, at, message).at(label);
    let finding = match (policy, of_container(pod.spec)) {
        (None, Some(entry)) => finding
            .label(entry.key_origin().span(), "of a container, not of the Pod")
            .help(message!("move `restartPolicy` of the container to `{}`", pod.path())),
        (None, None) => judge.missing(finding.help(help), pod.spec, &["restartPolicy"]),
        (Some(_), _) => finding.help(help),
    };
    judge.report(finding, (pod.spec, "restartPolicy"));
}

/// The restart policy of a container, which is one level too deep to be that of the Pod.
fn of_container(spec: &Node) -> Option<&Entry> {
    items(spec, "containers").iter().find_map(|container| {
        let entry = container.entry("restartPolicy")?;
        matches!(entry.value.as_str(), Some("Never" | "OnFailure")).then_some(entry)
    })
}
