//! Facts about the kinds of agent-sandbox that the general rules use.

use super::names::{
    AGENTS_GROUP, EXTENSIONS_GROUP, SANDBOX, SANDBOX_CLAIM, SANDBOX_NAME_HASH, SANDBOX_TEMPLATE,
    SANDBOX_WARM_POOL, TEMPLATE_REF_HASH,
};
use crate::kube::{
    ClaimNames, KindFacts, MadeLabel, NamedObject, NamedObjects, Object, TemplateAt,
};
use crate::scalar::name_hash;

const POD_TEMPLATE: TemplateAt =
    TemplateAt { fields: &["spec", "podTemplate"], path: "spec.podTemplate.spec" };

const SPEC: &[&[&str]] = &[&["spec"]];

/// The kinds, in apply order.
pub(super) static FACTS: &[KindFacts] = &[
    KindFacts {
        pods: Some(POD_TEMPLATE),
        pod_label: Some(MadeLabel { key: TEMPLATE_REF_HASH, value: name_hash }),
        network_rules: Some(&["spec", "networkPolicy"]),
        uses_network_rules: |it| !is_unmanaged(it),
        volume_claims: Some(ClaimNames::Unknown),
        may_gain_volumes: lets_claims_add_volumes,
        apply_rank: Some(50),
        ..KindFacts::new(EXTENSIONS_GROUP, SANDBOX_TEMPLATE)
    },
    KindFacts {
        references: &[NamedObjects {
            owners: SPEC,
            fields: &[NamedObject {
                path: &["sandboxTemplateRef", "name"],
                group: EXTENSIONS_GROUP,
                kind: SANDBOX_TEMPLATE,
                label: "template",
            }],
        }],
        apply_rank: Some(55),
        ..KindFacts::new(EXTENSIONS_GROUP, SANDBOX_WARM_POOL)
    },
    KindFacts {
        pods: Some(POD_TEMPLATE),
        pod_label: Some(MadeLabel { key: SANDBOX_NAME_HASH, value: name_hash }),
        volume_claims: Some(ClaimNames::ByObject),
        has_service: true,
        apply_rank: Some(60),
        ..KindFacts::new(AGENTS_GROUP, SANDBOX)
    },
    KindFacts {
        volume_claims: Some(ClaimNames::Unknown),
        has_service: true,
        references: &[NamedObjects {
            owners: SPEC,
            fields: &[NamedObject {
                path: &["warmPoolRef", "name"],
                group: EXTENSIONS_GROUP,
                kind: SANDBOX_WARM_POOL,
                label: "pool",
            }],
        }],
        apply_rank: Some(80),
        ..KindFacts::new(EXTENSIONS_GROUP, SANDBOX_CLAIM)
    },
];

/// Whether the controller ignores the rules of a template.
fn is_unmanaged(template: &Object) -> bool {
    template.root.str_at(&["spec", "networkPolicyManagement"]) == Some("Unmanaged")
}

/// Whether claims may add volumes. They cannot add mounts, so those are in the template already.
fn lets_claims_add_volumes(template: &Object) -> bool {
    let policy = template.root.str_at(&["spec", "volumeClaimTemplatesPolicy"]);
    matches!(policy, Some("Allowed" | "Overrides"))
}
