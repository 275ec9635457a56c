//! The findings about decisions of policies.

use super::binding::{Binding, KINDS};
use super::decision::{Cause, Decision};
use super::pods::Judged;
use super::policy::Policy;
use super::{
    GROUP, NotDecided, POLICY_DENIED, POLICY_NOT_BOUND, POLICY_NOT_DECIDED, POLICY_WARNING,
};
use crate::cel::ReadValue;
use crate::diag::{CommonCause, Diagnostic, Message, Severity, Sink, message};
use crate::kube::{Object, ObjectSet};
use crate::sorted::SortedMap;
use crate::source::Span;

/// Reports a decision as the actions of the binding say; returns whether it rejects the object.
pub(super) fn decision(
    policy: &Policy<'_>,
    binding: &Binding<'_>,
    judged: Judged<'_>,
    decision: &Decision,
    sink: &mut Sink,
) -> bool {
    let is_final =
        policy.is_mutating() || matches!(decision.cause, Cause::Annotation | Cause::Configuration);
    let actions = if is_final { &["Deny"][..] } else { &binding.actions };
    let Some((rule, verb)) = rule_of_actions(actions) else { return false };
    let (policy, kind) = (policy.describe(), &judged.written().gvk.kind);
    let message = message!("{policy} {verb} {}: {}", judged.subject(), decision.message);
    let label = match decision.cause {
        Cause::False => "this expression is false",
        Cause::Error | Cause::Annotation => "this expression fails",
        Cause::Configuration => "invalid parameter reference",
        Cause::Patch => "this patch fails",
    };
    let denies = actions.contains(&"Deny");
    let consequence = match (denies, judged.made()) {
        (true, Some(made)) => message!("the API server accepts the {kind} but rejects its {made}"),
        (true, None) => {
            message!("the API server rejects the {kind} with reason `{}`", decision.reason)
        }
        // No user sees the warnings about an object between an object and its Pods.
        (false, Some("ReplicaSet" | "Job")) => return false,
        (false, made) => {
            let what = made.unwrap_or(kind);
            let how = match actions {
                ["Audit"] => "and writes an audit annotation",
                _ => "with a warning",
            };
            message!("the API server accepts the {what} {how}")
        }
    };
    let mut finding =
        Diagnostic::new(rule, culprit_span(judged.written(), &decision.places), message)
            .at(message!("binding `{}`", binding.object.shown_name()))
            .label(decision.at, label)
            .note(consequence)
            .because_of(CommonCause::Decision(decision.at, decision.message.as_prose().into()));
    if judged.made().is_some() {
        // A controller creates them later, if at all.
        finding.severity = Severity::Warning;
    }
    sink.report(finding);
    denies
}

/// Reports an object that is invalid after the changes of a policy.
pub(super) fn invalid(
    policy: &Policy<'_>,
    binding: &Binding<'_>,
    judged: Judged<'_>,
    error: Diagnostic,
    sink: &mut Sink,
) {
    let written = judged.written();
    let changed = Some(error.primary.span).filter(|span| policy.object.document.contains(*span));
    let last = || policy.mutations.last().map(|mutation| mutation.expression.node.span());
    let at = changed.or_else(last).unwrap_or_else(|| policy.object.name_span());
    let preface = message!("{} makes {} invalid", policy.describe(), judged.subject());
    let mut finding = error
        .of_other_rule(&POLICY_DENIED, written.name_span(), &preface)
        .at(message!("binding `{}`", binding.object.shown_name()))
        .label(at, "changed here")
        .because_of(CommonCause::Value(at));
    let kind = &written.gvk.kind;
    if let Some(made) = judged.made() {
        finding.severity = Severity::Warning;
        finding =
            finding.note(message!("the API server accepts the {kind} but rejects its {made}"));
    } else {
        finding = finding.note(message!("the API server rejects the {kind}"));
    }
    sink.report(finding);
}

/// The field of an object that decides an expression if there is only one, else its name.
fn culprit_span(object: &Object, places: &[ReadValue]) -> Span {
    let name = object.name_span();
    // Values that the API server or a policy sets are not in the document, or are at its name.
    let is_written = |place: &&ReadValue| {
        object.document.contains(place.shown)
            && place.shown != name
            && place.shown != object.document
    };
    let written: Vec<_> = places.iter().filter(is_written).collect();
    let is_deepest = |place: &&&ReadValue| {
        !written.iter().any(|inner| place.value != inner.value && place.value.contains(inner.value))
    };
    let mut deepest = written.iter().filter(is_deepest).map(|it| it.shown);
    let Some(first) = deepest.next() else { return name };
    if deepest.all(|shown| shown == first) { first } else { name }
}

fn rule_of_actions(actions: &[&str]) -> Option<(&'static crate::diag::Rule, &'static str)> {
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
    let of_kind = KINDS.iter().find(|(name, _)| *name == kind.as_str());
    let binding = of_kind.map_or("", |(_, binding)| *binding);
    let has_others = set.of_kind(GROUP, binding).next().is_some();
    let (subject, help) = match policy.name() {
        "" => {
            (message!("a {kind} with `generateName`"), "set `name`, which a binding needs".into())
        }
        name if has_others => {
            (policy.title(), message!("set `policyName` of a {binding} to `{name}`"))
        }
        name => (policy.title(), message!("add a {binding} with `policyName: {name}`")),
    };
    let message = message!("{subject} has no binding in the input");
    Diagnostic::new(&POLICY_NOT_BOUND, policy.name_span(), message)
        .at("not applied")
        .note("a policy without a binding has no effect")
        .help(help)
}

/// Reports the policies that are not decided, once for each reason.
pub(super) fn undecided(all: Vec<NotDecided>, sink: &mut Sink) {
    let mut by_reason: SortedMap<(Span, String), (Message, String, usize)> = SortedMap::new();
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
            message!("{policy} is not evaluated for {subject}: it depends on {what}"),
        )
        .at("not decided")
        .note("the API server may reject them");
        sink.report(finding);
    }
}
