//! The blueprint that templates and bare sandboxes share: Pod, volume claims, Service.

use super::volume_claim::VolumeClaim;
use crate::decode::{Flag, Listed, Text};
use crate::lower::{Frame, Lowering};
use crate::tree::Node;
use crate::workload::{PodFields, PodTemplate, build as build_pod};

/// What one definition says of a blueprint; its descendants' parts are laid over it.
#[derive(Debug)]
pub(super) struct BlueprintPart {
    /// The shared fields.
    pub(super) pod: PodFields,
    /// `volumeClaims`.
    pub(super) volume_claims: Option<Listed<VolumeClaim>>,
    /// `service`.
    pub(super) service: Option<Flag>,
}

/// `podTemplate`, `volumeClaimTemplates` and `service` of a SandboxTemplate or a Sandbox.
#[derive(Debug)]
pub(super) struct Blueprint {
    pod_template: Node,
    volume_claim_templates: Option<Node>,
    service: Option<Flag>,
}

impl Blueprint {
    /// Sets the three fields.
    pub(super) fn set_into(self, spec: &mut Node) {
        let Self { pod_template, volume_claim_templates, service } = self;
        spec.set("podTemplate", pod_template);
        spec.set_some("volumeClaimTemplates", volume_claim_templates);
        spec.set_some("service", service.map(Flag::into_node));
    }
}

/// Lays the parts over one another, the farthest ancestor first, and the security profile under all.
///
/// A volume claim replaces an ancestor's of the same name, as a whole: half a claim of one and half
/// of the other would be neither's intent.
pub(super) fn build(
    parts: Vec<BlueprintPart>,
    frame: &Frame,
    lowering: &mut Lowering<'_, '_>,
) -> Blueprint {
    let managed = frame.managed();
    let mut pod_parts = Vec::new();
    let mut claims: Vec<VolumeClaim> = Vec::new();
    let mut service = None;
    let mut all_pods = Vec::new();
    for BlueprintPart { pod, volume_claims, service: own_service } in parts {
        for claim in volume_claims.into_iter().flat_map(|it| it.items) {
            let name = claim.template.name.as_str();
            match claims.iter_mut().find(|it| it.template.name.as_str() == name) {
                Some(inherited) => *inherited = claim,
                None => claims.push(claim),
            }
        }
        service = own_service.or(service);
        all_pods.push(pod);
    }

    let mut templates = Vec::new();
    let (mut mounts, mut devices) = (Vec::new(), Vec::new());
    for claim in claims {
        let lowered = claim.lower(managed);
        templates.push(lowered.template);
        mounts.extend(lowered.mount);
        devices.extend(lowered.device);
    }
    // The mounts of the claims belong to the nearest definition: the claims are those of all.
    let last = all_pods.len().saturating_sub(1);
    for (index, pod) in all_pods.into_iter().enumerate() {
        let (mounts, devices) = if index == last {
            (std::mem::take(&mut mounts), std::mem::take(&mut devices))
        } else {
            (Vec::new(), Vec::new())
        };
        pod_parts.push(pod.into_part(managed, mounts, devices));
    }

    let PodTemplate { metadata, mut spec, security: _ } = build_pod(
        pod_parts,
        managed,
        lowering.sink,
    )
    .secure(managed, lowering.target, lowering.sink);
    if spec.get("automountServiceAccountToken").is_none() {
        spec.set("automountServiceAccountToken", Node::bool(false, managed));
    }
    let mut pod_template = frame.map();
    pod_template.set_some("metadata", metadata);
    pod_template.set("spec", spec);
    let volume_claim_templates = (!templates.is_empty()).then(|| Node::list(templates, managed));
    Blueprint { pod_template, volume_claim_templates, service }
}
