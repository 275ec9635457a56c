//! Restart rules and resize policies of containers.

use super::judge::PodJudge;
use crate::diag::{declare_rules, message};
use crate::kube::Container;
use crate::tree::Node;
use crate::validate::rules::judge::{items, labelled, shown, text_node, texts_in};
use crate::validate::rules::repeated::repeated;

declare_rules! {
    CONTAINER_RESTART_POLICY_INVALID = "container-restart-policy-invalid", Error;
    RESTART_RULE_INVALID = "restart-rule-invalid", Error;
    RESIZE_POLICY_INVALID = "resize-policy-invalid", Error;
}

/// The first minor version with `ContainerRestartRules` enabled.
const RULES_MINOR: u8 = 35;
/// The first minor version with `RestartAllContainersOnContainerExits` enabled.
const RESTART_ALL_MINOR: u8 = 36;
/// The first minor version that rejects `RestartContainer` for init containers.
const INIT_RESIZE_MINOR: u8 = 36;

const MAX_RULES: usize = 20;
const MAX_EXIT_CODES: usize = 255;

pub(super) fn check(judge: &mut PodJudge<'_>, container: &Container<'_>) {
    if container.list == "ephemeralContainers" {
        return;
    }
    check_policy(judge, container);
    if judge.minor >= RULES_MINOR {
        check_rules(judge, container);
    }
    let policies = items(container.node, "resizePolicy");
    if !policies.is_empty() {
        check_resize(judge, container, policies);
    }
}

/// Whether it is a sidecar, an init container that keeps running.
fn is_sidecar(container: &Container<'_>) -> bool {
    container.list == "initContainers"
        && container.node.str_at(&["restartPolicy"]) == Some("Always")
}

fn check_policy(judge: &mut PodJudge<'_>, container: &Container<'_>) {
    let Some((node, policy)) = text_node(container.node, "restartPolicy") else { return };
    let is_init = container.list == "initContainers";
    let text = match (judge.minor, is_init, policy) {
        // 1.34 has the field and drops it, except for sidecars.
        (RULES_MINOR.., _, "Always" | "OnFailure" | "Never") | (_, true, "Always") | (34, _, _) => {
            return;
        }
        (..RULES_MINOR, false, _) => (
            "container has its own `restartPolicy`".into(),
            "remove it: before Kubernetes 1.35 only init containers support it".into(),
        ),
        (..RULES_MINOR, true, _) => (
            message!("invalid `restartPolicy` `{policy}` for an init container"),
            "write `Always`, or remove the field".into(),
        ),
        _ => (
            message!("invalid `restartPolicy` `{policy}`"),
            labelled(
                "must be `Always`, `OnFailure` or `Never`",
                "write `Always`, `OnFailure` or `Never`",
            ),
        ),
    };
    judge.refuse(&CONTAINER_RESTART_POLICY_INVALID, node, text);
}

fn check_rules(judge: &mut PodJudge<'_>, container: &Container<'_>) {
    let node = container.node;
    let rules = items(node, "restartPolicyRules");
    let Some(entry) = node.entry("restartPolicyRules").filter(|_| !rules.is_empty()) else {
        return;
    };
    let rule = &RESTART_RULE_INVALID;
    if node.get("restartPolicy").is_none() {
        let text = (
            "container has restart rules without `restartPolicy`",
            "add `restartPolicy` to the container: it applies where no rule matches",
        );
        return judge.refuse(rule, entry, text);
    }
    let has_restart_all = judge.minor >= RESTART_ALL_MINOR;
    if is_sidecar(container) && !has_restart_all {
        let text = (
            "init container with `restartPolicy: Always` has restart rules",
            "remove them: they are supported since Kubernetes 1.36",
        );
        return judge.refuse(rule, entry, text);
    }
    if rules.len() > MAX_RULES {
        let text = (
            message!("container has {} restart rules, more than 20", rules.len()),
            labelled("at most 20", "keep at most 20"),
        );
        judge.refuse(rule, entry, text);
    }
    for item in rules {
        check_rule(judge, item, has_restart_all);
    }
}

fn check_rule(judge: &mut PodJudge<'_>, item: &Node, has_restart_all: bool) {
    let rule = &RESTART_RULE_INVALID;
    if let Some(action) = item.get("action")
        && let Some(text) = action.as_str()
        && text != "Restart"
        && !(has_restart_all && text == "RestartAllContainers")
    {
        let help = if has_restart_all {
            labelled(
                "must be `Restart` or `RestartAllContainers`",
                "write `Restart` or `RestartAllContainers`",
            )
        } else {
            "write `Restart`".into()
        };
        let text = (message!("invalid restart rule action `{text}`"), help);
        judge.refuse(rule, action, text);
    }
    let Some(codes) = item.get("exitCodes") else {
        let text =
            ("restart rule has no exit codes", "add `exitCodes: {operator: In, values: [...]}`");
        return judge.refuse(rule, (item, "exitCodes"), text);
    };
    if let Some(operator) = codes.get("operator")
        && let Some(text) = operator.as_str().filter(|text| !matches!(*text, "In" | "NotIn"))
    {
        let text = (
            message!("invalid restart rule operator `{text}`"),
            labelled("must be `In` or `NotIn`", "write `In` or `NotIn`"),
        );
        judge.refuse(rule, (operator.span(), (item, "exitCodes.operator")), text);
    }
    let values = items(codes, "values").len();
    if values > MAX_EXIT_CODES {
        let text = (
            message!("restart rule has {values} exit codes, not 1 to 255"),
            labelled("at most 255", "keep at most 255"),
        );
        judge.refuse(rule, (codes.span(), (item, "exitCodes.values")), text);
    }
}

fn check_resize(judge: &mut PodJudge<'_>, container: &Container<'_>, policies: &[Node]) {
    let rule = &RESIZE_POLICY_INVALID;
    let is_left_alone = container.list == "initContainers"
        && !is_sidecar(container)
        && judge.minor >= INIT_RESIZE_MINOR;
    let ends_for_good = judge.pod.spec.str_at(&["restartPolicy"]) == Some("Never");
    for item in policies {
        if let Some(node) = item.get("resourceName")
            && let Some(text) = node.as_str().filter(|text| !matches!(*text, "cpu" | "memory"))
        {
            let text = (
                message!("resource `{text}` cannot be resized"),
                labelled("must be `cpu` or `memory`", "write `cpu` or `memory`"),
            );
            judge.refuse(rule, node, text);
        }
        let Some(node) = item.get("restartPolicy") else { continue };
        let text = match node.as_str() {
            Some("NotRequired") | None => continue,
            Some(other) if other != "RestartContainer" => (
                message!("invalid resize policy `{}`", shown(other)),
                labelled(
                    "must be `NotRequired` or `RestartContainer`",
                    "write `NotRequired` or `RestartContainer`",
                ),
            ),
            Some(_) if ends_for_good => (
                "resize policy restarts a container of a Pod with `restartPolicy: Never`".into(),
                "write `NotRequired`".into(),
            ),
            Some(_) if is_left_alone => {
                ("resize policy restarts an init container".into(), "write `NotRequired`".into())
            }
            Some(_) => continue,
        };
        judge.refuse(rule, node, text);
    }
    let names = texts_in(policies, "resourceName");
    repeated(names, |name, node, _| {
        let text = (
            message!("duplicate resize policy for `{name}`"),
            labelled("duplicate", "remove one of them"),
        );
        judge.refuse(rule, node, text);
    });
}
