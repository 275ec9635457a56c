//! The findings about decisions of policies.

use std::collections::BTreeMap;

use super::binding::Binding;
use super::decision::{Cause, Decision};
use super::policy::Policy;
use super::{
    GROUP, NotDecided, POLICY_DENIED, POLICY_NOT_BOUND, POLICY_NOT_DECIDED, POLICY_WARNING,
};
use crate::diag::{CommonCause, Diagnostic, Sink};
use crate::kube::{Object, ObjectSet};
use crate::source::Span;

/// Reports a decision as the actions of the binding say.
pub(super) fn decision(
    policy: &Policy<'_>,
    binding: &Binding<'_>,
    object: &Object,
    decision: &Decision,
    sink: &mut Sink,
) {
    let is_final =
        policy.is_mutating() || matches!(decision.cause, Cause::Annotation | Cause::Configuration);
    let actions = if is_final { &["Deny"][..] } else { &binding.actions };
    let Some((rule, verb)) = verb(actions) else { return };
    let (policy, kind) = (policy.describe(), &object.gvk.kind);
    let subject =
        if object.name.is_empty() { kind.to_string() } else { format!("{kind} `{}`", object.name) };
    let message = format!("{policy} {verb} {subject}: {}", decision.message);
    let label = match decision.cause {
        Cause::False => "this expression is false",
        Cause::Error | Cause::Annotation => "this expression fails",
        Cause::Configuration => "not a valid configuration",
    };
    let consequence = match (actions.contains(&"Deny"), actions) {
        (true, _) => format!("the API server rejects the {kind} with reason `{}`", decision.reason),
        (false, ["Audit"]) => {
            format!("the API server accepts the {kind} and writes an audit annotation")
        }
        (false, _) => format!("the API server accepts the {kind} with a warning"),
    };
    let finding = Diagnostic::new(rule, object.name_span(), message)
        .at(format!("binding `{}`", binding.object.name))
        .label(decision.at, label)
        .note(consequence)
        .because_of(CommonCause::Decision(decision.at, decision.message.as_str().into()));
    sink.report(finding);
}

fn verb(actions: &[&str]) -> Option<(&'static crate::diag::Rule, &'static str)> {
    if actions.contains(&"Deny") {
        return Some((&POLICY_DENIED, "denies"));
    }
    if actions.contains(&"Warn") {
        return Some((&POLICY_WARNING, "warns about"));
    }
    actions.contains(&"Audit").then_some((&POLICY_WARNING, "audits"))
}

/// A policy without a binding.
pub(super) fn not_bound(policy: &Object, set: &ObjectSet<'_>) -> Diagnostic {
    let kind = &policy.gvk.kind;
    let binding = format!("{kind}Binding");
    let has_others = set.all().iter().any(|it| it.gvk.is(GROUP, &binding));
    let message = format!("{kind} `{}` has no binding in the input", policy.name);
    Diagnostic::new(&POLICY_NOT_BOUND, policy.name_span(), message)
        .at("not applied")
        .note("a policy without a binding has no effect")
        .help(if has_others {
            format!("set `policyName` of a {binding} to `{}`", policy.name)
        } else {
            format!("add a {binding} with `policyName: {}`", policy.name)
        })
}

/// Reports the policies that are not decided, once for each reason.
pub(in crate::validate) fn report_undecided(all: Vec<NotDecided>, sink: &mut Sink) {
    let mut by_reason: BTreeMap<(Span, String), (String, String, usize)> = BTreeMap::new();
    for NotDecided { at, policy, what, object } in all {
        by_reason.entry((at, what)).or_insert((policy, object, 0)).2 += 1;
    }
    for ((at, what), (policy, object, count)) in by_reason {
        let subject = match count {
            1 => format!("`{object}`"),
            _ => format!("{count} objects, such as `{object}`"),
        };
        let finding = Diagnostic::new(
            &POLICY_NOT_DECIDED,
            at,
            format!("{policy} is not evaluated for {subject}: it depends on {what}"),
        )
        .at("not decided")
        .note("the API server may reject them");
        sink.report(finding);
    }
}
