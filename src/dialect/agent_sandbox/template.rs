//! `Template`: a SandboxTemplate.

use super::blueprint::Blueprint;
use super::inherited;
use super::volume_claim::VolumeClaim;
use crate::decode::{Choice, Flag, Listed, Shaped, Text, choice, definition, kubernetes_types};
use crate::diag::{Diagnostic, Reported, Sink, declare_rules, message};
use crate::lower::{Instance, Instances, Lowering};
use crate::workload::PodFields;

kubernetes_types! {
    /// `ingress` of a NetworkPolicy.
    Ingress = "io.k8s.api.networking.v1.NetworkPolicySpec"."ingress";
    /// `egress` of a NetworkPolicy.
    Egress = "io.k8s.api.networking.v1.NetworkPolicySpec"."egress";
}

declare_rules! {
    TEMPLATE_ABSTRACT = "template-abstract", Error;
}

choice! {
    /// The owner of the NetworkPolicy of a template's sandboxes.
    pub(crate) enum NetworkManagement {
        /// The controller creates it.
        Managed = "Managed",
        /// You create it; without one, all traffic is allowed.
        Unmanaged = "Unmanaged",
    }
}

choice! {
    /// The fields that a claim can add to those of its template.
    pub(crate) enum InjectionPolicy {
        /// No fields.
        Disallowed = "Disallowed",
        /// Entries with new names.
        Allowed = "Allowed",
        /// Any entries, including replacements of the template's.
        Overrides = "Overrides",
    }
}

definition! {
    /// Network access to and from the sandboxes.
    pub(crate) struct Network in "Template.spec.network" {
        /// Owner of the NetworkPolicy: the controller creates it (`Managed`) or you do
        /// (`Unmanaged`). Defaults to `Managed`.
        "management" optional management: Choice<NetworkManagement>,
        /// Allowed connections to the sandboxes. `ingress` and `egress` replace the whole default
        /// policy: without rules, a direction is denied.
        "ingress" optional ingress: Shaped<Ingress>,
        /// Allowed connections from the sandboxes; `[]` denies all.
        "egress" optional egress: Shaped<Egress>,
    }
}

definition! {
    /// Policies for settings that claims may change.
    pub(crate) struct ClaimPolicies in "Template.spec.claims" {
        /// Policy for environment variables: `Disallowed`, `Allowed` or `Overrides`. Defaults to
        /// `Disallowed`.
        "env" optional env: Choice<InjectionPolicy>,
        /// Policy for volume claims: `Disallowed`, `Allowed` or `Overrides`. Defaults to
        /// `Disallowed`.
        "volumeClaims" optional volume_claims: Choice<InjectionPolicy>,
    }
}

definition! {
    /// The Pod, volumes, network access and claim policies of sandboxes. The main container is
    /// named `main`, unless `container` names it.
    pub(crate) struct TemplateSpec in "Template.spec" {
        flatten pod: PodFields,
        /// Name of the main container. Defaults to `main`.
        "container" optional container: Text,
        /// Name of the Template, in the same namespace, that this one inherits unset fields from.
        "extends" optional extends: Text,
        /// Whether the Template is only a base that others extend: it compiles to no object. Not
        /// inherited. Defaults to `false`.
        "abstract" optional is_abstract: Flag,
        /// PersistentVolumeClaims that are created for each sandbox.
        "volumeClaims" optional volume_claims: Listed<VolumeClaim>,
        /// Whether the controller creates a headless Service with the name of each sandbox.
        "service" optional service: Flag,
        /// Network access to and from the sandboxes.
        "network" optional network: Network,
        /// Policies for settings that claims may change.
        "claims" optional claims: ClaimPolicies,
    }
}

/// Lowers a template to a SandboxTemplate, unless it is abstract.
pub(super) fn lower(instance: Instance, lowering: &mut Lowering<'_, '_>) -> Result<(), Reported> {
    let (definition, pods) = inherited::read::<TemplateSpec>(instance, lowering)?;
    let (frame, spec) = definition.open();
    let TemplateSpec {
        pod: _,
        container,
        extends: _,
        is_abstract,
        volume_claims,
        service,
        network,
        claims,
    } = spec;

    let mut template = frame.map();
    let blueprint = Blueprint { pods, container, volume_claims, service };
    blueprint.lower_into(&mut template, &frame, lowering);
    let Network { management, ingress, egress } =
        network.unwrap_or(Network { management: None, ingress: None, egress: None });
    if ingress.is_some() || egress.is_some() {
        let mut policy = frame.map();
        policy.set_some("ingress", ingress.map(|it| it.node));
        policy.set_some("egress", egress.map(|it| it.node));
        template.set("networkPolicy", policy);
    }
    template.set_some("networkPolicyManagement", management.map(Choice::into_node));
    if let Some(ClaimPolicies { env, volume_claims }) = claims {
        template.set_some("envVarsInjectionPolicy", env.map(Choice::into_node));
        template.set_some("volumeClaimTemplatesPolicy", volume_claims.map(Choice::into_node));
    }
    if is_abstract.is_some_and(|it| it.is_set()) {
        return Ok(());
    }
    lowering.emit(&frame, "extensions.agents.x-k8s.io/v1beta1", "SandboxTemplate", template);
    Ok(())
}

/// Rejects a reference to the SandboxTemplate of an abstract Template.
///
/// # Errors
/// If the Template of this name is abstract.
pub(super) fn reject_abstract(
    instances: &Instances<'_>,
    namespace: &str,
    name: &Text,
    sink: &mut Sink,
) -> Result<(), Reported> {
    let found = instances.get::<TemplateSpec>(namespace, name.as_str());
    let mark = found.and_then(|template| template.root.at(&["spec", "abstract"]));
    let Some(mark) = mark.filter(|mark| mark.as_bool() == Some(true)) else { return Ok(()) };
    let message =
        message!("Template `{}` is abstract: it compiles to no SandboxTemplate", name.as_str());
    Err(sink.error(
        Diagnostic::new(&TEMPLATE_ABSTRACT, name.span(), message)
            .at("an abstract Template")
            .label(mark.span(), "abstract here")
            .help("use a Template that extends it, or remove `abstract`"),
    ))
}
