//! Claim → pool → template: each name must be that of an object in the same namespace.

use super::fleet::{Claim, Fleet, describe_namespace};
use super::wording::{defined_kind, title};
use crate::diag::{About, Diagnostic, ObjectName, Rule, Severity, Sink, declare_rules, message};
use crate::dialect::agent_sandbox::api::ControllerLine;
use crate::dialect::agent_sandbox::names::{
    EXTENSIONS_GROUP, SANDBOX_TEMPLATE, SANDBOX_WARM_POOL, shadow_pool_name,
};
use crate::kube::{Missing, Object, ObjectSet};
use crate::tree::Node;

declare_rules! {
    WARM_POOL_NOT_FOUND = "warm-pool-not-found", Error, follows = [ObjectName, Project];
    TEMPLATE_NOT_FOUND = "template-not-found", Error, follows = [ObjectName, Project];
    REFERENCE_NAME_EMPTY = "reference-name-empty", Error;
    CLAIM_OF_ANY_POOL = "claim-of-any-pool", Note;
}

/// The wording for one kind of reference.
struct Reference {
    rule: &'static Rule,
    kind: &'static str,
    path: &'static str,
    consequence: &'static str,
}

const TO_POOL: Reference = Reference {
    rule: &WARM_POOL_NOT_FOUND,
    kind: SANDBOX_WARM_POOL,
    path: "spec.warmPoolRef.name",
    consequence: "the claim stays `Ready=False` with the reason `WarmPoolNotFound`, and the controller retries every minute",
};

const TO_TEMPLATE: Reference = Reference {
    rule: &TEMPLATE_NOT_FOUND,
    kind: SANDBOX_TEMPLATE,
    path: "spec.sandboxTemplateRef.name",
    consequence: "the pool silently stays empty, and its claims report `TemplateNotFound` every minute",
};

/// A `v1alpha1` claim names a template.
const OF_CLAIM: Reference =
    Reference { consequence: "the claim reports `TemplateNotFound` every minute", ..TO_TEMPLATE };

/// Checks the references of all claims and pools.
pub(super) fn check(fleet: &Fleet<'_, '_>, sink: &mut Sink) {
    let missing = Missing::new(fleet.set);
    for claim in fleet.claims.iter().filter(|claim| claim.pool.get().is_none()) {
        check_reference(fleet.set, &missing, &TO_POOL, claim.object, claim.pool_ref(), sink);
    }
    for claim in fleet.claims.iter().filter(|claim| claim.template.get().is_none()) {
        let name = claim.template_ref();
        check_reference(fleet.set, &missing, &OF_CLAIM, claim.object, name, sink);
    }
    if fleet.settings.line < ControllerLine::V1_0 {
        let of_template = fleet.claims.iter().filter(|claim| claim.template.get().is_some());
        of_template.for_each(|claim| check_choice(fleet.set, claim, sink));
    }
    for pool in fleet.pools.iter().filter(|pool| pool.template.is_none()) {
        check_reference(fleet.set, &missing, &TO_TEMPLATE, pool.object, pool.template_ref, sink);
    }
}

/// Reports a `v1alpha1` claim that names a template, and no pool of it.
fn check_choice(set: &ObjectSet<'_>, claim: &Claim<'_>, sink: &mut Sink) {
    let Some(node) = claim.template_ref() else { return };
    let Some(template) = node.as_str() else { return };
    let policy = claim.object.root.at(&["spec", "warmpool"]);
    if policy.is_some_and(|policy| !matches!(policy.as_str(), Some("" | "default"))) {
        return;
    }
    let pool = shadow_pool_name(template);
    let namespace = claim.object.namespace.as_str();
    if set.find(EXTENSIONS_GROUP, SANDBOX_WARM_POOL, namespace, &pool).is_some()
        || set.is_external(EXTENSIONS_GROUP, SANDBOX_WARM_POOL, namespace, &pool)
    {
        return;
    }
    let message = message!("{} is for any pool of template `{template}`", title(claim.object));
    let finding = Diagnostic::new(&CLAIM_OF_ANY_POOL, policy.unwrap_or(node).span(), message)
        .at("names no pool")
        .path(&"spec.warmpool")
        .note(message!("the conversion to `v1beta1` makes it a claim of the pool `{pool}`"))
        .help("name a pool: `warmpool: <name>`, or write `warmpool: none` for a new Sandbox");
    sink.report(finding);
}

fn check_reference(
    set: &ObjectSet<'_>,
    missing: &Missing<'_, '_>,
    to: &Reference,
    from: &Object,
    name_node: Option<&Node>,
    sink: &mut Sink,
) {
    let Some(node) = name_node else { return };
    let Some(name) = node.as_str() else { return };
    let Reference { rule, kind, path, consequence } = *to;
    let noun = if from.is_compiled() { defined_kind(kind) } else { kind };
    if name.is_empty() {
        let message = message!("{} has an empty {noun} name", title(from));
        let finding = Diagnostic::new(&REFERENCE_NAME_EMPTY, node.span(), message)
            .at("empty name")
            .path(&path)
            .note(consequence)
            .help(message!("write the name of a {noun} in the same namespace"));
        sink.report(finding);
        return;
    }
    let namespace = from.namespace.as_str();
    // The object exists in another version, which the rules do not check.
    if set.find(EXTENSIONS_GROUP, kind, namespace, name).is_some()
        || set.is_external(EXTENSIONS_GROUP, kind, namespace, name)
    {
        return;
    }
    let place = describe_namespace(namespace);
    let help = match missing.hint(EXTENSIONS_GROUP, kind, namespace, name) {
        Some(hint) => hint.to_help(noun, name),
        None => message!(
            "add the {noun} `{name}`, or declare it under `external` if the cluster has it"
        ),
    };
    let mut finding =
        Diagnostic::new(rule, node.span(), message!("{noun} `{name}` not found {place}"))
            .at(message!("not found {place}"))
            .path(&path)
            .about(About::AbsentObject(ObjectName::new(EXTENSIONS_GROUP, kind, namespace, name)))
            .note(consequence)
            .help(help);
    // The controller recovers when the object appears.
    if !from.is_compiled() {
        finding.severity = Severity::Warning;
        finding = finding.note("it may exist in the cluster: only the input is checked");
    }
    sink.report(finding);
}
