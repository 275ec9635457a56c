//! Facts about the kinds of agent-sandbox that the general rules use.

use super::names::{
    AGENTS_GROUP, EXTENSIONS_GROUP, SANDBOX, SANDBOX_CLAIM, SANDBOX_NAME_HASH, SANDBOX_TEMPLATE,
    SANDBOX_WARM_POOL, TEMPLATE_REF_HASH,
};
use crate::kube::{
    CLASS_OF_CLAIM_TEMPLATES, ClaimNames, KindFacts, MadeLabel, Members, Object, ObjectSet,
    Reference, References, Target, TemplateAt, Use,
};
use crate::scalar::name_hash;
use crate::tree::Node;

const POD_TEMPLATE: TemplateAt =
    TemplateAt { fields: &["spec", "podTemplate"], path: "spec.podTemplate.spec" };

const SPEC: &[&[&str]] = &[&["spec"]];

const CLASSES: &[References] = &[References { owners: SPEC, fields: &[CLASS_OF_CLAIM_TEMPLATES] }];

/// In a claim, only `v1alpha1` has it.
const TO_TEMPLATE: Reference = Reference::new(
    &["sandboxTemplateRef", "name"],
    Target::namespaced(EXTENSIONS_GROUP, SANDBOX_TEMPLATE),
    Use::Other("template"),
);

const TO_POOL: Reference = Reference::new(
    &["warmPoolRef", "name"],
    Target::namespaced(EXTENSIONS_GROUP, SANDBOX_WARM_POOL),
    Use::Other("pool"),
);

/// The kinds, in apply order.
pub(super) static FACTS: &[KindFacts] = &[
    KindFacts {
        pods: Some(POD_TEMPLATE),
        pod_label: Some(MadeLabel { key: TEMPLATE_REF_HASH, value: name_hash }),
        network_rules: Some(&["spec", "networkPolicy"]),
        uses_network_rules: |object| !is_unmanaged(object),
        volume_claims: Some(ClaimNames::Unknown),
        may_gain_volumes: lets_claims_add_volumes,
        references: CLASSES,
        apply_rank: Some(50),
        ..KindFacts::new(EXTENSIONS_GROUP, SANDBOX_TEMPLATE)
    },
    KindFacts {
        references: &[References { owners: SPEC, fields: &[TO_TEMPLATE] }],
        members: Some(members_of_pool),
        absent_values: &[(&["spec", "updateStrategy", "type"], "OnReplenish")],
        apply_rank: Some(55),
        ..KindFacts::new(EXTENSIONS_GROUP, SANDBOX_WARM_POOL)
    },
    KindFacts {
        pods: Some(POD_TEMPLATE),
        pod_label: Some(MadeLabel { key: SANDBOX_NAME_HASH, value: name_hash }),
        volume_claims: Some(ClaimNames::ByObject),
        members: Some(members_of_sandbox),
        has_service: true,
        references: CLASSES,
        apply_rank: Some(60),
        ..KindFacts::new(AGENTS_GROUP, SANDBOX)
    },
    KindFacts {
        volume_claims: Some(ClaimNames::Unknown),
        members: Some(members_of_claim),
        has_service: true,
        references: &[References {
            owners: SPEC,
            fields: &[TO_TEMPLATE, TO_POOL, CLASS_OF_CLAIM_TEMPLATES],
        }],
        apply_rank: Some(80),
        ..KindFacts::new(EXTENSIONS_GROUP, SANDBOX_CLAIM)
    },
];

/// The label by which Kueue holds a Pod back until its queue admits it.
pub(super) const KUEUE_QUEUE: &str = "kueue.x-k8s.io/queue-name";

/// Whether the Pods of a template wait for admission after their creation.
pub(super) fn is_gated(template: &Node) -> bool {
    let gates = template.at(&["spec", "schedulingGates"]);
    gates.is_some_and(|gates| !gates.items().is_empty())
        || template.at(&["metadata", "labels", KUEUE_QUEUE]).is_some()
}

/// Whether the Sandbox of a template, or a Sandbox, gets a Service.
pub(super) fn has_service(object: &Object) -> bool {
    object.root.at(&["spec", "service"]).and_then(Node::as_bool) == Some(true)
}

/// The resource of Sandboxes, as a quota counts it.
const SANDBOXES: &str = "count/sandboxes.agents.x-k8s.io";

/// The idle Sandboxes of a pool. Each one that a claim adopts is replaced.
fn members_of_pool<'m>(set: &'m ObjectSet<'_>, pool: &'m Object) -> Option<Members<'m>> {
    let written = pool.root.at(&["spec", "replicas"]);
    let count = written.and_then(Node::as_i64).unwrap_or(1).max(0);
    let template = template_of_pool(set, pool)?;
    Some(Members { count, written, template, resources: resources_of_sandbox(template, true) })
}

/// The Sandbox of a claim.
fn members_of_claim<'m>(set: &'m ObjectSet<'_>, claim: &'m Object) -> Option<Members<'m>> {
    let pool = claim.root.str_at(&["spec", "warmPoolRef", "name"])?;
    let pool = set.find(EXTENSIONS_GROUP, SANDBOX_WARM_POOL, &claim.namespace, pool)?;
    let template = template_of_pool(set, pool)?;
    let resources = resources_of_sandbox(template, true);
    Some(Members { count: 1, written: None, template, resources })
}

/// The Pod of a Sandbox, unless it is suspended.
fn members_of_sandbox<'m>(_: &'m ObjectSet<'_>, sandbox: &'m Object) -> Option<Members<'m>> {
    let mode = sandbox.root.at(&["spec", "operatingMode"]);
    let is_suspended = mode.and_then(Node::as_str) == Some("Suspended");
    let resources = resources_of_sandbox(sandbox, false);
    (!is_suspended).then_some(Members { count: 1, written: None, template: sandbox, resources })
}

fn template_of_pool<'m>(set: &'m ObjectSet<'_>, pool: &Object) -> Option<&'m Object> {
    let name = pool.root.str_at(&["spec", "sandboxTemplateRef", "name"])?;
    set.find(EXTENSIONS_GROUP, SANDBOX_TEMPLATE, &pool.namespace, name)
}

/// The objects next to the Pod and the volume claims of a Sandbox, by their names in a quota.
fn resources_of_sandbox(template: &Object, is_created: bool) -> Vec<&'static str> {
    let own = is_created.then_some(SANDBOXES);
    let service = ["services", "count/services"].into_iter().filter(|_| has_service(template));
    own.into_iter().chain(service).collect()
}

/// Whether the controller ignores the rules of a template.
fn is_unmanaged(template: &Object) -> bool {
    template.root.str_at(&["spec", "networkPolicyManagement"]) == Some("Unmanaged")
}

/// Whether claims may add volumes. They cannot add mounts, so those are in the template already.
fn lets_claims_add_volumes(template: &Object) -> bool {
    let policy = template.root.str_at(&["spec", "volumeClaimTemplatesPolicy"]);
    matches!(policy, Some("Allowed" | "Overrides"))
}
