//! The blueprint that templates and sandboxes without a template share: Pod, volume claims,
//! Service.

use lean_string::LeanStr;

use super::volume_claim::VolumeClaim;
use crate::decode::{Flag, Listed, Text};
use crate::lower::{Frame, Lowering};
use crate::merge::{GUARDED_FIELD, Guard, Hold, Name, Step};
use crate::source::Span;
use crate::tree::Node;
use crate::workload::{PodFields, PodLayer, PodTemplate, Recipe};

/// The fields of a definition and its ancestors.
#[derive(Debug)]
pub(super) struct Blueprint {
    /// The fields of the Pod of each definition, the farthest ancestor first.
    pub(super) pods: Vec<PodFields>,
    /// `container`.
    pub(super) container: Option<Text>,
    /// `volumeClaims`.
    pub(super) volume_claims: Option<Listed<VolumeClaim>>,
    /// `service`.
    pub(super) service: Option<Flag>,
}

impl Blueprint {
    /// Sets `podTemplate`, `volumeClaimTemplates` and `service` of a SandboxTemplate or a Sandbox. The
    /// layers of the Pod are merged, with the security profile below all.
    ///
    /// The name of a volume claim is reserved: the controller would silently replace a volume with that
    /// name by the claim.
    pub(super) fn lower_into(
        self,
        sandbox: &mut Node,
        frame: &Frame,
        lowering: &mut Lowering<'_, '_>,
    ) {
        let Self { mut pods, container, volume_claims, service } = self;
        let managed = frame.managed();
        let claims = volume_claims.map_or_else(Vec::new, |list| list.items);
        let taken: Vec<_> = claims.iter().map(TakenName::of).collect();
        let fields: Vec<_> = taken.iter().map(TakenName::field).collect();
        let guards: Vec<_> =
            taken.iter().zip(&fields).map(|(name, field)| name.guard(field)).collect();

        let mut templates = Vec::new();
        let (mut mounts, mut devices) = (Vec::new(), Vec::new());
        for claim in claims {
            let lowered = claim.lower(managed);
            templates.push(lowered.template);
            mounts.extend(lowered.mount);
            devices.extend(lowered.device);
        }
        // The mounts of all claims are added to the nearest definition, which is the only one that has
        // all claims.
        let nearest = pods.pop();
        let mut layers: Vec<_> = pods.into_iter().map(PodLayer::from).collect();
        layers.extend(nearest.map(|fields| PodLayer {
            fields,
            volume_mounts: mounts,
            volume_devices: devices,
        }));

        let name = container.as_ref().map_or(Recipe::PLAIN.container, Text::as_str);
        let recipe = Recipe { guards: &guards, container: name, ..Recipe::PLAIN };
        let pod = recipe.build(layers, managed, lowering.sink);
        let PodTemplate { metadata, mut spec, security: _ } =
            pod.secure(managed, lowering.targets, lowering.sink);
        if spec.get("automountServiceAccountToken").is_none() {
            spec.set("automountServiceAccountToken", Node::bool(false, managed));
        }
        let mut pod_template = frame.map();
        pod_template.set_some("metadata", metadata);
        pod_template.set("spec", spec);
        sandbox.set("podTemplate", pod_template);
        let volume_claim_templates =
            (!templates.is_empty()).then(|| Node::list(templates, managed));
        sandbox.set_some("volumeClaimTemplates", volume_claim_templates);
        sandbox.set_some("service", service.map(Flag::into_node));
    }
}

/// A volume name that is reserved for a volume claim.
struct TakenName {
    name: LeanStr,
    owner: String,
    place: Span,
}

impl TakenName {
    fn of(claim: &VolumeClaim) -> Self {
        let name = claim.name();
        Self {
            name: name.into(),
            owner: format!("the volume claim `{name}`"),
            place: claim.place(),
        }
    }

    /// The path of a volume with this name.
    fn field(&self) -> [Step<'_>; 2] {
        [Step::Key(Name::Is("volumes")), Step::Item("name", Name::Is(&self.name))]
    }

    fn guard<'g>(&'g self, field: &'g [Step<'g>; 2]) -> Guard<'g> {
        Guard {
            field,
            hold: Hold::Unset,
            rule: &GUARDED_FIELD,
            owner: &self.owner,
            place: Some(self.place),
            noun: None,
            help: "rename the volume, or remove the volume claim",
        }
    }
}
