//! Variables that a claim injects into the containers of its template.

use super::fleet::{Claim, Fleet, Policy, Template};
use super::wording::{field_of, place_of, title};
use crate::diag::{Diagnostic, Message, Sink, brief, declare_rules, listed, message};
use crate::kube::Object;
use crate::scalar::check_env_name;
use crate::sorted::SortedSet;
use crate::source::Span;
use crate::tree::Node;

declare_rules! {
    CLAIM_ENV_DISALLOWED = "claim-env-disallowed", Error;
    CLAIM_ENV_OVERRIDES_TEMPLATE = "claim-env-overrides-template", Error;
    CLAIM_ENV_DUPLICATE = "claim-env-duplicate", Error;
    CLAIM_ENV_BESIDE_ENV_FROM = "claim-env-beside-env-from", Error;
    CLAIM_ENV_CONTAINER_UNKNOWN = "claim-env-container-unknown", Error;
    CLAIM_ENV_NAME_INVALID = "claim-env-name-invalid", Error;
    CLAIM_ENV_VALUE_FROM = "claim-env-value-from", Error;
    CLAIM_ENV_REPLACES_REFERENCE = "claim-env-replaces-reference", Warning;
    CLAIM_BYPASSES_WARM_POOL = "claim-bypasses-warm-pool", Warning, follows = [SamePlace];
}

const POLICY: &str = "envVarsInjectionPolicy";
const REJECTED: &str =
    "the claim fails with the reason `EnvVarsInjectionRejected`, and the controller does not retry";
const RETRIED: &str = "the claim keeps failing with `ReconcilerError`";

/// Checks the variables of all claims.
pub(super) fn check(fleet: &Fleet<'_, '_>, sink: &mut Sink) {
    for claim in &fleet.claims {
        check_bypass(fleet, claim, sink);
        let Some(list) = claim.object.root.at(&["spec", "env"]) else { continue };
        for (index, variable) in list.items().iter().enumerate() {
            check_name(index, variable, sink);
            check_value_from(index, variable, sink);
        }
        if let Some(template) = fleet.template_of(claim).filter(|_| !list.items().is_empty()) {
            check_variables(claim, template, list.items(), sink);
        }
    }
}

fn check_bypass(fleet: &Fleet<'_, '_>, claim: &Claim<'_>, sink: &mut Sink) {
    let Some(field) = claim.cold_start_field() else { return };
    let Some(pool) = fleet.pool_of(claim).filter(|pool| pool.replicas > 0) else { return };
    let Some(entry) = claim.object.root.get("spec").and_then(|spec| spec.entry(field)) else {
        return;
    };
    let message = message!(
        "{} never gets a member of its pool, because it has `{field}`",
        title(claim.object)
    );
    let members = if pool.replicas == 1 { "member" } else { "members" };
    let finding = Diagnostic::new(&CLAIM_BYPASSES_WARM_POOL, place_of(entry), message)
        .at("makes the claim start cold")
        .label(pool.object.name_span(), message!("keeps {} {members} warm", pool.replicas))
        .path(&format!("spec.{field}"))
        .note("a running Pod cannot get variables or volumes, so the controller creates a new one")
        .help("move it into the template, or name a pool with `replicas: 0`");
    sink.report(finding);
}

/// The API server does not read the name, and rejects the Pod that the controller creates with it.
fn check_name(index: usize, variable: &Node, sink: &mut Sink) {
    let Some(node) = variable.get("name") else { return };
    let Some(Err(fault)) = node.as_str().map(check_env_name) else { return };
    let finding = Diagnostic::new(
        &CLAIM_ENV_NAME_INVALID,
        node.span(),
        message!("name of a claim variable {fault}"),
    )
    .at("invalid name")
    .path(&format!("spec.env[{index}].name"))
    .note("the API server accepts the claim but rejects its Pod")
    .note(RETRIED)
    .help("use printable ASCII characters other than `=`");
    sink.report(finding);
}

fn check_value_from(index: usize, variable: &Node, sink: &mut Sink) {
    let Some(entry) = variable.entry("valueFrom") else { return };
    let name = variable.text_at(&["name"]);
    let message = message!("claim variable `{name}` has `valueFrom`");
    let finding = Diagnostic::new(&CLAIM_ENV_VALUE_FROM, place_of(entry), message)
        .at("claims accept only literal values")
        .path(&format!("spec.env[{index}].valueFrom"))
        .help("write `value`, or move the variable to the template");
    sink.report(finding);
}

/// The variables of one claim against its template.
struct Injection<'c, 'o> {
    template: &'c Template<'o>,
    policy: Policy,
    decided_at: Span,
    /// Containers for which `envFrom` was reported already.
    reported: SortedSet<&'c str>,
    /// Container and name of the variables so far.
    seen: SortedSet<(&'c str, &'c str)>,
}

fn check_variables(claim: &Claim<'_>, template: &Template<'_>, list: &[Node], sink: &mut Sink) {
    let Some((policy, decided_at)) = template.policy(POLICY) else { return };
    let (reported, seen) = (SortedSet::new(), SortedSet::new());
    let mut injection = Injection { template, policy, decided_at, reported, seen };
    if policy == Policy::Disallowed {
        check_disallowed(claim, &injection, sink);
    }
    for (index, variable) in list.iter().enumerate() {
        injection.check(index, variable, sink);
    }
}

fn check_disallowed(claim: &Claim<'_>, injection: &Injection<'_, '_>, sink: &mut Sink) {
    let Some(entry) = claim.object.root.get("spec").and_then(|spec| spec.entry("env")) else {
        return;
    };
    let template = injection.template.object;
    let message = message!(
        "{} sets variables, which {} does not allow",
        title(claim.object),
        title(template)
    );
    let finding = Diagnostic::new(&CLAIM_ENV_DISALLOWED, place_of(entry), message)
        .at("rejected by the template's policy")
        .label(injection.decided_at, forbidding_label(template, POLICY))
        .path(&"spec.env")
        .note(REJECTED)
        .help(message!(
            "set `{}: Allowed` in {}, or remove `env`",
            field_of(template, POLICY),
            title(template)
        ));
    sink.report(finding);
}

/// The label for the field that forbids something: its value, or its default.
pub(super) fn forbidding_label(template: &Object, field: &'static str) -> Message {
    let name = field_of(template, field);
    match template.root.at(&["spec", field]).and_then(Node::as_str) {
        Some(value) => message!("`{name}` is `{}`", brief(value)),
        None => message!("`{name}` is not set here, and `Disallowed` by default"),
    }
}

impl<'c> Injection<'c, '_> {
    fn check(&mut self, index: usize, variable: &'c Node, sink: &mut Sink) {
        let Some(name_node) = variable.get("name") else { return };
        let Some(name) = name_node.as_str() else { return };
        let blueprint = &self.template.blueprint;
        let named = variable.get("containerName").filter(|node| node.as_str() != Some(""));
        let target = match named {
            Some(node) => node.as_str(),
            None => blueprint.first_container,
        };
        let Some(target) = target else { return };
        let Some(container) = blueprint.containers.get(target) else {
            let span = named.unwrap_or(variable).span();
            return self.report_unknown(index, target, name, span, sink);
        };
        let present = container.env.get(name);
        match self.policy {
            Policy::Disallowed => {}
            Policy::Overrides => {
                let reference = present.and_then(|variable| variable.get("valueFrom"));
                if let Some(reference) = reference {
                    report_replaced(index, name, name_node, reference, sink);
                }
            }
            Policy::Allowed => {
                if let Some(env_from) = container.env_from {
                    let at = place_of(env_from);
                    self.report_env_from(index, target, name_node, at, sink);
                } else if let Some(present) = present {
                    self.report_override(index, name, name_node, present, sink);
                } else if !self.seen.insert((target, name)) {
                    report_duplicate(index, name, name_node, self.decided_at, sink);
                }
            }
        }
    }

    fn report_unknown(&self, index: usize, target: &str, name: &str, at: Span, sink: &mut Sink) {
        let template = self.template.object;
        // Similar names are only searched among few: a claim can name thousands of containers.
        let containers = &self.template.blueprint.containers;
        let candidates = containers.names().take(100);
        let names = listed(candidates.clone().map(brief).take(10));
        let message =
            message!("{} has no container `{target}` for variable `{name}`", title(template));
        let finding = Diagnostic::new(&CLAIM_ENV_CONTAINER_UNKNOWN, at, message)
            .at("no such container")
            .label(template.name_span(), message!("has {names}"))
            .path(&format!("spec.env[{index}].containerName"))
            .note(RETRIED)
            .suggest_near(at, target, sink.near(candidates));
        sink.report(finding);
    }

    fn report_env_from(
        &mut self,
        index: usize,
        target: &'c str,
        name: &Node,
        env_from: Span,
        sink: &mut Sink,
    ) {
        if !self.reported.insert(target) {
            return;
        }
        let message =
            message!("claim adds variables to container `{}`, which has `envFrom`", brief(target));
        let finding = Diagnostic::new(&CLAIM_ENV_BESIDE_ENV_FROM, name.span(), message)
            .at("rejected")
            .label(env_from, "can set the same name")
            .label(self.decided_at, "`Allowed` permits no overrides")
            .path(&format!("spec.env[{index}].name"))
            .note(REJECTED)
            .help(message!(
                "set `{}: Overrides` in the template, or list its variables in `env`",
                field_of(self.template.object, POLICY)
            ));
        sink.report(finding);
    }

    fn report_override(
        &self,
        index: usize,
        name: &str,
        name_node: &Node,
        present: &Node,
        sink: &mut Sink,
    ) {
        let message =
            message!("variable `{name}` is already set by {}", title(self.template.object));
        let finding = Diagnostic::new(&CLAIM_ENV_OVERRIDES_TEMPLATE, name_node.span(), message)
            .at("overrides the template")
            .label(present.get("name").unwrap_or(present).span(), "set here")
            .label(self.decided_at, "`Allowed` permits no overrides")
            .path(&format!("spec.env[{index}].name"))
            .note(RETRIED)
            .help(message!(
                "rename it, or set `{}: Overrides` in the template",
                field_of(self.template.object, POLICY)
            ));
        sink.report(finding);
    }
}

fn report_duplicate(index: usize, name: &str, node: &Node, decided_at: Span, sink: &mut Sink) {
    let message = message!("duplicate variable `{name}` for one container");
    let finding = Diagnostic::new(&CLAIM_ENV_DUPLICATE, node.span(), message)
        .at("counts as an override of the first")
        .label(decided_at, "`Allowed` permits no overrides")
        .path(&format!("spec.env[{index}].name"))
        .note(RETRIED)
        .help("remove one of the two");
    sink.report(finding);
}

fn report_replaced(index: usize, name: &str, node: &Node, reference: &Node, sink: &mut Sink) {
    let message = message!("variable `{name}` replaces a reference with plain text");
    let finding = Diagnostic::new(&CLAIM_ENV_REPLACES_REFERENCE, node.span(), message)
        .at("replaced with a literal")
        .label(reference.span(), "this reference is lost")
        .path(&format!("spec.env[{index}]"))
        .note("anyone who can read the claim can read the value")
        .help("remove the variable, and set it in the template");
    sink.report(finding);
}
