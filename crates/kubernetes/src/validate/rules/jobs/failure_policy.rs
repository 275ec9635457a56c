//! The failure policy of a Job.

use super::{FAILURE_POLICY_INVALID, Job, refuse_excess};
use crate::diag::{Diagnostic, message};
use crate::kube::PodSpec;
use crate::scalar::check_qualified_name;
use crate::sorted::SortedSet;
use crate::tree::Node;
use crate::validate::rules::judge::{
    Absence, Judge, Place, is_empty_list, items, labelled, shown, start, text_at,
};
use crate::validate::rules::repeated::repeated;

const MAX_RULES: usize = 20;
const MAX_CODES: usize = 255;
const MAX_CONDITIONS: usize = 20;
/// The maximum number of containers that an unknown name is compared with.
const NEAR_CONTAINERS: usize = 50;
/// The first minor version that defaults `status: "True"` in the Jobs of a CronJob.
const STATUS_MINOR: u8 = 34;

pub(super) fn check(judge: &mut Judge<'_>, job: &Job<'_>) {
    let Some(policy) = job.get("podFailurePolicy") else { return };
    check_replacement(judge, job);
    let rules = items(policy, "rules");
    let message = |count| message!("failure policy has {count} rules, more than {MAX_RULES}");
    let place = (job.spec, "podFailurePolicy.rules");
    refuse_excess(judge, &FAILURE_POLICY_INVALID, rules, MAX_RULES, message, place);
    let known: SortedSet<&str> = judge.pod.iter().flat_map(names).collect();
    for rule in rules {
        check_rule(judge, job, &known, rule);
    }
}

/// Checks the replacement policy: with a failure policy, a Pod is only replaced after it has
/// failed.
fn check_replacement(judge: &mut Judge<'_>, job: &Job<'_>) {
    let field = "podReplacementPolicy";
    let Some(node) = job.get(field).filter(|policy| policy.as_str() == Some("TerminatingOrFailed"))
    else {
        return;
    };
    let text = (
        "`podReplacementPolicy: TerminatingOrFailed` is set together with `podFailurePolicy`",
        "write `Failed`, or remove the field",
    );
    judge.refuse(&FAILURE_POLICY_INVALID, (node.span(), (job.spec, field)), text);
}

fn check_rule(judge: &mut Judge<'_>, job: &Job<'_>, known: &SortedSet<&str>, item: &Node) {
    let rule = &FAILURE_POLICY_INVALID;
    judge.needed(item, "action", Absence::BySchema);
    if let Some(node) = item.get("action")
        && node.as_str() == Some("FailIndex")
        && !job.has("backoffLimitPerIndex")
    {
        // No definition has the field.
        let help = if judge.object.is_compiled() {
            "use another action: `FailJob`, `Ignore` or `Count`"
        } else {
            "add `backoffLimitPerIndex`, or use another action"
        };
        let text = ("`action: FailIndex` requires `backoffLimitPerIndex`", help);
        judge.refuse(rule, node, text);
    }
    let codes = item.entry("onExitCodes");
    let conditions = item.entry("onPodConditions").filter(|entry| !entry.value.items().is_empty());
    match (codes, conditions) {
        (Some(_), Some(second)) => {
            let text = (
                "failure policy rule has both `onExitCodes` and `onPodConditions`",
                "split it into two rules: the first match applies",
            );
            judge.refuse(rule, (second.key_origin().span(), item), text);
        }
        (None, None) => {
            let message = "failure policy rule has neither `onExitCodes` nor `onPodConditions`";
            let finding = Diagnostic::new(rule, start(item), message)
                .at("requires one of the two")
                .help("add one of them");
            let fields = ["onExitCodes", "onPodConditions"];
            judge.report(judge.missing(finding, item, &fields), item);
        }
        _ => {}
    }
    if let Some(codes) = codes {
        check_exit_codes(judge, &codes.value, known);
    }
    if let Some(conditions) = conditions {
        let is_filled_in = !job.is_template || judge.minor >= STATUS_MINOR;
        check_pod_conditions(
            judge,
            conditions.value.items(),
            is_filled_in,
            (item, "onPodConditions").into(),
        );
    }
}

fn check_exit_codes(judge: &mut Judge<'_>, codes: &Node, known: &SortedSet<&str>) {
    let rule = &FAILURE_POLICY_INVALID;
    judge.needed(codes, "operator", Absence::BySchema);
    check_container(judge, codes, known);
    let values = items(codes, "values");
    if let Some(node) = codes.get("values").filter(|values| is_empty_list(values)) {
        let text = ("list of exit codes is empty", "requires a value", "list the exit codes");
        judge.fault(rule, node, text);
    }
    let message = |count| message!("{count} exit codes are listed, more than {MAX_CODES}");
    refuse_excess(judge, rule, values, MAX_CODES, message, (codes, "values"));
    let numbers = || {
        let numbers = values.iter();
        numbers.filter_map(|node| {
            // The decoder makes `null` the number 0.
            let number = if node.is_null() { 0 } else { node.as_i64()? };
            Some((number, node))
        })
    };
    if codes.str_at(&["operator"]) == Some("In")
        && let Some((_, node)) = numbers().find(|(code, _)| *code == 0)
    {
        let text = (
            "exit code 0 is listed, but failed containers never have it",
            "remove it, or write `operator: NotIn`",
        );
        judge.refuse(rule, node, text);
    }
    repeated(numbers(), |code, node, _| {
        let text =
            (message!("duplicate exit code {code}"), labelled("duplicate", "remove one of them"));
        judge.refuse(rule, node, text);
    });
    let pairs = numbers().zip(numbers().skip(1));
    if let Some((_, (_, node))) = pairs.into_iter().find(|((one, _), (next, _))| one > next) {
        let text = (
            "exit codes are not in ascending order",
            "smaller than the previous one",
            "sort them in ascending order",
        );
        judge.fault(rule, (node.span(), (codes, "values")), text);
    }
}

/// The names of the containers whose exit codes a rule can read.
fn names<'o>(pod: &PodSpec<'o>) -> impl Iterator<Item = &'o str> + Clone + use<'o> {
    let spec = pod.spec;
    let lists = ["containers", "initContainers"].into_iter();
    let containers = lists.flat_map(|list| items(spec, list));
    containers.map(|container| text_at(container, &["name"]))
}

fn check_container(judge: &mut Judge<'_>, codes: &Node, known: &SortedSet<&str>) {
    let Some(node) = codes.get("containerName") else { return };
    let (Some(name), Some(pod)) = (node.as_str(), judge.pod) else { return };
    let names = || names(&pod).take(NEAR_CONTAINERS);
    if known.contains(name) {
        return;
    }
    let message = message!("container `{}` not found in the Pod", shown(name));
    let finding = Diagnostic::new(&FAILURE_POLICY_INVALID, node.span(), message)
        .at("no such container")
        .suggest_near_or(node.span(), name, names(), || {
            "write the name of a container or an init container".into()
        });
    judge.report(finding, (codes, "containerName"));
}

fn check_pod_conditions(
    judge: &mut Judge<'_>,
    conditions: &[Node],
    is_filled_in: bool,
    place: Place<'_>,
) {
    let rule = &FAILURE_POLICY_INVALID;
    let message = |count| message!("{count} conditions are listed, more than {MAX_CONDITIONS}");
    refuse_excess(judge, rule, conditions, MAX_CONDITIONS, message, place);
    for condition in conditions {
        if let Some(node) = condition.get("type") {
            let help = |_: &str| "write a condition type such as `DisruptionTarget`".into();
            let what = (rule, "condition type");
            judge.form(node, what, check_qualified_name, help);
        }
        let is_given = condition.get("status").is_some_and(|status| status.as_str() != Some(""));
        if is_given {
            judge.listed(condition, "status", &["True", "False", "Unknown"]);
        } else if !is_filled_in {
            judge.needed(condition, "status", Absence::Here);
        }
    }
}
