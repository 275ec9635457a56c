//! `Template`: a SandboxTemplate.

use super::blueprint::{self, BlueprintPart};
use super::volume_claim::VolumeClaim;
use crate::decode::{Choice, Flag, Listed, Shaped, Text, choice, definition, kubernetes_types};
use crate::diag::Reported;
use crate::lower::{Definition, Lowering};
use crate::workload::PodFields;

kubernetes_types! {
    /// `ingress` of a NetworkPolicy.
    Ingress = "io.k8s.api.networking.v1.NetworkPolicySpec"."ingress";
    /// `egress` of a NetworkPolicy.
    Egress = "io.k8s.api.networking.v1.NetworkPolicySpec"."egress";
}

choice! {
    /// Who takes care of the NetworkPolicy of a template's sandboxes.
    pub(crate) enum NetworkManagement {
        /// The controller makes one.
        Managed = "Managed",
        /// You do; without one the sandboxes are open.
        Unmanaged = "Unmanaged",
    }
}

choice! {
    /// What a claim may add to what its template says.
    pub(crate) enum InjectionPolicy {
        /// Nothing.
        Disallowed = "Disallowed",
        /// What the template does not name.
        Allowed = "Allowed",
        /// Anything, also in place of what the template says.
        Overrides = "Overrides",
    }
}

definition! {
    /// Who may talk to the sandboxes, and to whom they may talk.
    pub(crate) struct Network in "Template.spec.network" {
        /// `Managed` (the default): the controller makes a NetworkPolicy. `Unmanaged`: you do.
        "management" optional management: Choice<NetworkManagement>,
        /// Who may connect to the sandboxes. With `ingress` or `egress` given, nothing of the
        /// default policy is kept.
        "ingress" optional ingress: Shaped<Ingress>,
        /// Where the sandboxes may connect to.
        "egress" optional egress: Shaped<Egress>,
    }
}

definition! {
    /// What claims may change.
    pub(crate) struct ClaimPolicies in "Template.spec.claims" {
        /// Environment variables: `Disallowed` (the default), `Allowed` or `Overrides`.
        "env" optional env: Choice<InjectionPolicy>,
        /// Volume claims: `Disallowed` (the default), `Allowed` or `Overrides`.
        "volumeClaims" optional volume_claims: Choice<InjectionPolicy>,
    }
}

definition! {
    /// What a sandbox is made of.
    pub(crate) struct TemplateSpec in "Template.spec" {
        flatten pod: PodFields,
        /// Name of the Template, in the same namespace, whose fields hold where this one says
        /// nothing.
        "extends" optional extends: Text,
        /// Volumes that are claimed for each sandbox.
        "volumeClaims" optional volume_claims: Listed<VolumeClaim>,
        /// Whether each sandbox gets a headless Service of its own name.
        "service" optional service: Flag,
        /// The NetworkPolicy of the sandboxes.
        "network" optional network: Network,
        /// What claims may change.
        "claims" optional claims: ClaimPolicies,
    }
}

/// A SandboxTemplate.
pub(super) fn lower(
    definition: Definition<TemplateSpec>,
    lowering: &mut Lowering<'_, '_>,
) -> Result<(), Reported> {
    let (frame, spec) = definition.open();
    let extends = spec.extends.as_ref();
    let mut chain =
        lowering.instances.ancestors::<TemplateSpec>(frame.namespace(), extends, lowering.sink)?;
    chain.push(spec);

    let mut network = Network { management: None, ingress: None, egress: None };
    let mut claims = ClaimPolicies { env: None, volume_claims: None };
    let mut parts = Vec::new();
    for spec in chain {
        let TemplateSpec {
            pod,
            extends: _,
            volume_claims,
            service,
            network: own_network,
            claims: own_claims,
        } = spec;
        parts.push(BlueprintPart { pod, volume_claims, service });
        if let Some(own) = own_network {
            network = own.over(network);
        }
        if let Some(own) = own_claims {
            claims = own.over(claims);
        }
    }

    let mut template = frame.map();
    blueprint::build(parts, &frame, lowering).set_into(&mut template);
    let Network { management, ingress, egress } = network;
    if ingress.is_some() || egress.is_some() {
        let mut policy = frame.map();
        policy.set_some("ingress", ingress.map(|it| it.node));
        policy.set_some("egress", egress.map(|it| it.node));
        template.set("networkPolicy", policy);
    }
    template.set_some("networkPolicyManagement", management.map(Choice::into_node));
    template.set_some("envVarsInjectionPolicy", claims.env.map(Choice::into_node));
    template.set_some("volumeClaimTemplatesPolicy", claims.volume_claims.map(Choice::into_node));
    lowering.emit(&frame, "extensions.agents.x-k8s.io/v1beta1", "SandboxTemplate", template);
    Ok(())
}

impl Network {
    /// What this one says, else what `base` says, field by field.
    fn over(self, base: Self) -> Self {
        Self {
            management: self.management.or(base.management),
            ingress: self.ingress.or(base.ingress),
            egress: self.egress.or(base.egress),
        }
    }
}

impl ClaimPolicies {
    /// What this one says, else what `base` says, field by field.
    fn over(self, base: Self) -> Self {
        Self {
            env: self.env.or(base.env),
            volume_claims: self.volume_claims.or(base.volume_claims),
        }
    }
}
