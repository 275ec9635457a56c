//! The blueprint that templates and sandboxes without a template share: Pod, volume claims,
//! Service.

use lean_string::LeanStr;

use super::volume_claim::VolumeClaim;
use crate::decode::{Flag, Listed, Text};
use crate::lower::{Frame, Lowering};
use crate::merge::{GUARDED_FIELD, Guard, Hold, Name, Step};
use crate::sorted::{SortedMap, SortedSet};
use crate::source::Span;
use crate::tree::Node;
use crate::workload::{PodFields, PodLayer, PodTemplate, Recipe};

/// The blueprint fields of one definition; the fields of its descendants are merged over them.
#[derive(Debug)]
pub(super) struct BlueprintPart {
    /// The shared fields.
    pub(super) pod: PodFields,
    /// `container`.
    pub(super) container: Option<Text>,
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

/// Merges the parts, the farthest ancestor first, and the security profile below all.
///
/// The name of a volume claim is reserved: the controller would silently replace a volume with that
/// name by the claim.
pub(super) fn build(
    parts: Vec<BlueprintPart>,
    frame: &Frame,
    lowering: &mut Lowering<'_, '_>,
) -> Blueprint {
    let managed = frame.managed();
    let mut pods = Vec::new();
    let mut claims: Vec<Option<VolumeClaim>> = Vec::new();
    let mut positions: SortedMap<LeanStr, usize> = SortedMap::new();
    let (mut service, mut container) = (None, None);
    for BlueprintPart { pod, container: own_container, volume_claims, service: own_service } in
        parts
    {
        let mut own: SortedSet<LeanStr> = SortedSet::new();
        for claim in volume_claims.into_iter().flat_map(|it| it.items) {
            // Two claims of one definition with the same name are not merged: the rules for objects
            // report them.
            let name = LeanStr::from(claim.name());
            let is_first = own.insert(name.clone());
            let at = *positions.entry(name).or_insert(claims.len());
            match claims.get_mut(at).filter(|_| is_first) {
                Some(inherited) => {
                    *inherited = Some(match inherited.take() {
                        Some(inherited) => claim.over(inherited),
                        None => claim,
                    });
                }
                None => claims.push(Some(claim)),
            }
        }
        service = own_service.or(service);
        container = own_container.or(container);
        pods.push(pod);
    }
    let claims: Vec<_> = claims.into_iter().flatten().collect();
    let taken: Vec<_> = claims.iter().map(TakenName::of).collect();
    let fields: Vec<_> = taken.iter().map(TakenName::field).collect();
    let guards: Vec<_> = taken.iter().zip(&fields).map(|(name, field)| name.guard(field)).collect();

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
    let volume_claim_templates = (!templates.is_empty()).then(|| Node::list(templates, managed));
    Blueprint { pod_template, volume_claim_templates, service }
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
