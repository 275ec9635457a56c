//! Claim → pool → template: each name must lead to an object of the same namespace.

use super::fleet::{Fleet, place};
use super::wording::{defined_kind, title};
use crate::diag::{Diagnostic, Rule, Sink, declare_rules};
use crate::dialect::agent_sandbox::names::{EXTENSIONS_GROUP, SANDBOX_TEMPLATE, SANDBOX_WARM_POOL};
use crate::kube::{Missing, Object, ObjectSet};
use crate::tree::Node;

declare_rules! {
    /// ## What it does
    /// Refuses a SandboxClaim whose `warmPoolRef` names a pool that is neither in the input, in the
    /// claim's namespace, nor declared to exist in the cluster.
    ///
    /// ## Why
    /// The claim would stay `Ready=False` with the reason `WarmPoolNotFound` and be tried again every
    /// minute. A claim cannot reach a pool of another namespace. A pool is needed for a cold start
    /// too: it is the pool that names the template.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxClaim
    /// metadata: {name: alice}
    /// spec:
    ///   warmPoolRef: {name: python}
    /// ```
    ///
    /// ## Use instead
    /// Declare the pool under `external`, or write it. `replicas: 0` is enough for cold starts:
    /// ```yaml
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxTemplate
    /// metadata: {name: python}
    /// spec:
    ///   podTemplate:
    ///     spec:
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ---
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxWarmPool
    /// metadata: {name: python}
    /// spec:
    ///   replicas: 0
    ///   sandboxTemplateRef: {name: python}
    /// ---
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxClaim
    /// metadata: {name: alice}
    /// spec:
    ///   warmPoolRef: {name: python}
    /// ```
    WARM_POOL_NOT_FOUND = "warm-pool-not-found", Error;

    /// ## What it does
    /// Refuses a SandboxWarmPool whose `sandboxTemplateRef` names a template that is neither in the
    /// input, in the pool's namespace, nor declared to exist in the cluster.
    ///
    /// ## Why
    /// The pool would stay empty without a condition or an event that says so, and its claims would
    /// report `TemplateNotFound` and be tried again every minute.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxWarmPool
    /// metadata: {name: python}
    /// spec:
    ///   replicas: 0
    ///   sandboxTemplateRef: {name: python}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxTemplate
    /// metadata: {name: python}
    /// spec:
    ///   podTemplate:
    ///     spec:
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ---
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxWarmPool
    /// metadata: {name: python}
    /// spec:
    ///   replicas: 0
    ///   sandboxTemplateRef: {name: python}
    /// ```
    TEMPLATE_NOT_FOUND = "template-not-found", Error;

    /// ## What it does
    /// Refuses an empty name in a claim's `warmPoolRef` or a pool's `sandboxTemplateRef`.
    ///
    /// ## Why
    /// The schema asks for the field and accepts an empty text in it, so the API server takes the
    /// object. No object has an empty name: the reference never resolves. It is usually what is left
    /// of a variable that was not set.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxClaim
    /// metadata: {name: alice}
    /// spec:
    ///   warmPoolRef: {name: ""}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxTemplate
    /// metadata: {name: python}
    /// spec:
    ///   podTemplate:
    ///     spec:
    ///       containers: [{name: main, image: "python:3.13"}]
    /// ---
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxWarmPool
    /// metadata: {name: python}
    /// spec:
    ///   replicas: 0
    ///   sandboxTemplateRef: {name: python}
    /// ---
    /// apiVersion: extensions.agents.x-k8s.io/v1beta1
    /// kind: SandboxClaim
    /// metadata: {name: alice}
    /// spec:
    ///   warmPoolRef: {name: python}
    /// ```
    REFERENCE_NAME_EMPTY = "reference-name-empty", Error;
}

/// One kind of reference, in words.
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
    consequence: "the claim would stay `Ready=False` with the reason `WarmPoolNotFound`, and be \
                  tried again every minute",
};

const TO_TEMPLATE: Reference = Reference {
    rule: &TEMPLATE_NOT_FOUND,
    kind: SANDBOX_TEMPLATE,
    path: "spec.sandboxTemplateRef.name",
    consequence: "the pool would silently stay empty, and its claims would report \
                  `TemplateNotFound` every minute",
};

/// Checks the references of all claims and pools.
pub(super) fn check(fleet: &Fleet<'_, '_>, sink: &mut Sink) {
    let missing = Missing::new(fleet.set);
    for claim in fleet.claims.iter().filter(|claim| claim.pool.is_none()) {
        check_reference(fleet.set, &missing, &TO_POOL, claim.object, claim.pool_ref(), sink);
    }
    for pool in fleet.pools.iter().filter(|pool| pool.template.is_none()) {
        check_reference(fleet.set, &missing, &TO_TEMPLATE, pool.object, pool.template_ref, sink);
    }
}

fn check_reference(
    set: &ObjectSet<'_>,
    missing: &Missing<'_, '_>,
    to: &Reference,
    from: &Object,
    name_node: Option<&Node>,
    sink: &mut Sink,
) {
    let Some((node, name)) = name_node.and_then(|node| Some((node, node.as_str()?))) else {
        return;
    };
    let Reference { rule, kind, path, consequence } = *to;
    let noun = if from.is_compiled() { defined_kind(kind) } else { kind };
    if name.is_empty() {
        let message = format!("{} names no {noun}: the name is empty", title(from));
        let finding = Diagnostic::new(&REFERENCE_NAME_EMPTY, node.span(), message)
            .at("empty name")
            .path(&path)
            .note(consequence)
            .help(format!("write the name of a {noun} of the same namespace"));
        sink.report(finding);
        return;
    }
    let namespace = from.namespace.as_str();
    // Found in another version: it exists, though the rules do not look into it.
    if set.find(EXTENSIONS_GROUP, kind, namespace, name).is_some()
        || set.is_external(EXTENSIONS_GROUP, kind, namespace, name)
    {
        return;
    }
    let place = place(namespace);
    let help = missing.hint(EXTENSIONS_GROUP, kind, namespace, name).map_or_else(
        || format!("add the {noun} `{name}`, or declare it under `external` if the cluster has it"),
        |hint| hint.to_help(noun, name),
    );
    let finding =
        Diagnostic::new(rule, node.span(), format!("there is no {noun} `{name}` {place}"))
            .at(format!("not found {place}"))
            .path(&path)
            .note(consequence)
            .help(help);
    sink.report(finding);
}
