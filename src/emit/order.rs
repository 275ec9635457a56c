//! The apply order: objects come after the objects that they need.

use std::cmp::Ordering;
use std::sync::{Arc, LazyLock};

use crate::kube::{GroupVersionKind, Object, Reference, sort_by_name, visit_references};
use crate::sorted::{CompactSort as _, SortedMap};

/// Ranks below 100, so that two digits in file names suffice; kinds with the same rank do not
/// depend on each other. The facts of a system have the ranks of its custom resources.
///
/// Objects that limit or admit others precede them, and objects that reject others until they are
/// served (webhooks, aggregated APIs) come last, or the set would block itself.
const RANKS: &[(u8, &[(&str, &str)])] = &[
    (1, &[("apiextensions.k8s.io", "CustomResourceDefinition")]),
    (2, &[("", "Namespace")]),
    (
        5,
        &[
            ("scheduling.k8s.io", "PriorityClass"),
            ("node.k8s.io", "RuntimeClass"),
            ("storage.k8s.io", "StorageClass"),
            ("storage.k8s.io", "VolumeAttributesClass"),
            ("storage.k8s.io", "CSIDriver"),
            ("networking.k8s.io", "IngressClass"),
            ("networking.k8s.io", "ServiceCIDR"),
            ("resource.k8s.io", "DeviceClass"),
            ("flowcontrol.apiserver.k8s.io", "PriorityLevelConfiguration"),
            ("flowcontrol.apiserver.k8s.io", "FlowSchema"),
        ],
    ),
    (
        10,
        &[
            ("", "ResourceQuota"),
            ("", "LimitRange"),
            ("networking.k8s.io", "NetworkPolicy"),
            ("policy", "PodDisruptionBudget"),
        ],
    ),
    (15, &[("", "ConfigMap"), ("", "Secret")]),
    (20, &[("", "ServiceAccount")]),
    (21, &[("rbac.authorization.k8s.io", "ClusterRole"), ("rbac.authorization.k8s.io", "Role")]),
    (
        22,
        &[
            ("rbac.authorization.k8s.io", "ClusterRoleBinding"),
            ("rbac.authorization.k8s.io", "RoleBinding"),
        ],
    ),
    (30, &[("", "PersistentVolume")]),
    (31, &[("", "PersistentVolumeClaim"), ("resource.k8s.io", "ResourceClaimTemplate")]),
    (32, &[("resource.k8s.io", "ResourceClaim")]),
    (40, &[("", "Service"), ("", "Endpoints"), ("discovery.k8s.io", "EndpointSlice")]),
    // 45: all other kinds.
    (50, &[("", "PodTemplate")]),
    (
        60,
        &[
            ("", "Pod"),
            ("", "ReplicationController"),
            ("apps", "ControllerRevision"),
            ("apps", "DaemonSet"),
            ("apps", "Deployment"),
            ("apps", "ReplicaSet"),
            ("apps", "StatefulSet"),
            ("batch", "CronJob"),
            ("batch", "Job"),
        ],
    ),
    (65, &[("autoscaling", "HorizontalPodAutoscaler")]),
    (70, &[("networking.k8s.io", "Ingress")]),
    (90, &[("apiregistration.k8s.io", "APIService")]),
    (
        95,
        &[
            ("admissionregistration.k8s.io", "MutatingAdmissionPolicy"),
            ("admissionregistration.k8s.io", "MutatingAdmissionPolicyBinding"),
            ("admissionregistration.k8s.io", "MutatingWebhookConfiguration"),
            ("admissionregistration.k8s.io", "ValidatingAdmissionPolicy"),
            ("admissionregistration.k8s.io", "ValidatingAdmissionPolicyBinding"),
            ("admissionregistration.k8s.io", "ValidatingWebhookConfiguration"),
        ],
    ),
];

/// The ranks by kind and group: each object of a run is compared with others by its rank.
static BY_KIND: LazyLock<SortedMap<(&str, &str), u8>> = LazyLock::new(|| {
    let of_rank = |(rank, kinds): &(u8, &'static [(&str, &str)])| {
        let rank = *rank;
        kinds.iter().map(move |(group, kind)| ((*kind, *group), rank))
    };
    RANKS.iter().flat_map(of_rank).collect()
});

/// The rank of kinds that are not in the table: custom resources, which need their definition and
/// can be required by a workload.
const OTHER: u8 = 45;

/// The rank of a kind, if the table or its system has one.
pub(super) fn known_rank(kind: &GroupVersionKind) -> Option<u8> {
    if let Some(facts) = kind.facts() {
        return facts.apply_rank;
    }
    BY_KIND.get(&(&*kind.kind, &*kind.group)).copied()
}

/// The type of a Secret that the token controller fills, or deletes if its ServiceAccount does not
/// exist.
const ACCOUNT_TOKEN: &str = "kubernetes.io/service-account-token";
/// The rank after ServiceAccounts.
const AFTER_ACCOUNTS: u8 = 21;

/// The rank of an object.
pub(super) fn rank(object: &Object) -> u8 {
    if object.gvk.is("", "Secret") && object.root.str_at(&["type"]) == Some(ACCOUNT_TOKEN) {
        return AFTER_ACCOUNTS;
    }
    known_rank(&object.gvk).unwrap_or(OTHER)
}

/// The objects in apply order: by rank of the kind, then group, kind, namespace and name.
///
/// Objects that name others of their own kind are after those. The result does not depend on the given order: objects that are equal in all these
/// (`generateName`, or a duplicate) are ordered by their content.
#[must_use]
pub fn in_apply_order(mut objects: Vec<Object>) -> Vec<Object> {
    // Sorted in place: a second list of all objects would be the peak memory of a run.
    objects.sort_by_cached_key(rank);
    for same_rank in objects.chunk_by_mut(have_same_rank) {
        same_rank.compact_sort_by(compare_kinds);
        for same_kind in same_rank.chunk_by_mut(|a, b| compare_kinds(a, b).is_eq()) {
            sort_names(same_kind);
            for same_name in same_kind.chunk_by_mut(|a, b| a.compare_names(b).is_eq()) {
                same_name.sort_by_cached_key(json_content);
            }
            after_references(same_kind);
        }
    }
    objects
}

/// Moves each object after the objects of the same kind that it refers to, because a controller can
/// process objects in the order of their creation.
fn after_references(objects: &mut [Object]) {
    let Some(facts) = objects.first().and_then(|it| it.gvk.facts()) else { return };
    let is_own = |reference: &Reference| reference.can_name(facts.group, facts.kind);
    let mut fields = facts.references.iter().flat_map(|references| references.fields);
    if objects.len() < 2 || !fields.any(is_own) {
        return;
    }
    let position = |object: &Object| (object.namespace.clone(), object.name.clone());
    let positions: SortedMap<_, _> =
        objects.iter().enumerate().map(|(at, object)| (position(object), at)).collect();
    let named: Vec<Vec<usize>> = objects
        .iter()
        .map(|object| {
            let mut named = Vec::new();
            visit_references(object, &mut |found| {
                let is_needed = is_own(found.reference) && !found.is_optional();
                let name = found.name.as_str().filter(|_| is_needed);
                let key = name.map(|name| (object.namespace.clone(), name.into()));
                named.extend(key.and_then(|key| positions.get(&key)));
            });
            named
        })
        .collect();
    let mut ranks = vec![0; objects.len()];
    for (rank, at) in named_first(&named).into_iter().enumerate() {
        if let Some(place) = ranks.get_mut(at) {
            *place = rank;
        }
    }
    let by_name: SortedMap<_, _> =
        positions.into_iter().filter_map(|(key, at)| Some((key, *ranks.get(at)?))).collect();
    objects.sort_by_cached_key(|object| by_name.get(&position(object)).copied());
}

/// All positions, each after those that it refers to. In a cycle, the first one is last.
fn named_first(named: &[Vec<usize>]) -> Vec<usize> {
    let mut order = Vec::with_capacity(named.len());
    let mut is_seen = vec![false; named.len()];
    let mut enter = |at: usize| is_seen.get_mut(at).is_some_and(|it| !std::mem::replace(it, true));
    for start in 0..named.len() {
        // Each entry is a position, with the number of its references that were followed.
        let mut path = Vec::from_iter(enter(start).then_some((start, 0)));
        while let Some((at, followed)) = path.last_mut() {
            let next = named.get(*at).and_then(|it| it.get(*followed)).copied();
            *followed += 1;
            match next {
                Some(next) if enter(next) => path.push((next, 0)),
                Some(_) => {}
                None => {
                    order.push(*at);
                    path.pop();
                }
            }
        }
    }
    order
}

/// Whether two objects have one rank: Secrets can have different ones.
fn have_same_rank(a: &Object, b: &Object) -> bool {
    a.gvk == b.gvk && !a.gvk.is("", "Secret") || rank(a) == rank(b)
}

/// The order by group and kind.
fn compare_kinds(a: &Object, b: &Object) -> Ordering {
    // Objects of a run share their kinds.
    if Arc::ptr_eq(&a.gvk, &b.gvk) {
        Ordering::Equal
    } else {
        a.gvk.group.cmp(&b.gvk.group).then_with(|| a.gvk.kind.cmp(&b.gvk.kind))
    }
}

/// Sorts objects by namespace and name.
fn sort_names(objects: &mut [Object]) {
    let mut order: Vec<u32> = (0_u32..).zip(&*objects).map(|it| it.0).collect();
    sort_by_name(&mut order, |at| objects.get(at as usize));
    objects.arrange(order.into_iter().map(|at| at as usize).collect());
}

fn json_content(object: &Object) -> String {
    object.root.json_text()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::kube::{EACH, KindFacts, References, SharedKinds, Target, Use};
    use crate::source::{Span, Workspace};
    use crate::tree::{Node, Origin};

    fn object(api_version: &str, kind: &str, name: &str, data: i64) -> Object {
        let span = Span::new(Workspace::new().add("a.yaml", ""), 0, 0);
        let mut root = Node::map(Origin::source(span));
        root.set("data", Node::int(data, Origin::source(span)));
        Object {
            gvk: SharedKinds::new(FACTS).get(api_version, kind),
            name: name.into(),
            namespace: "".into(),
            root,
            document: span,
        }
    }

    static FACTS: &[KindFacts] = &[
        KindFacts {
            references: &[References {
                owners: &[&[]],
                fields: &[Reference::new(
                    &["after", EACH],
                    Target::namespaced("example.com", "Step"),
                    Use::Other("after"),
                )],
            }],
            ..KindFacts::new("example.com", "Step")
        },
        KindFacts { apply_rank: Some(50), ..KindFacts::new("example.com", "Blueprint") },
        KindFacts { apply_rank: Some(80), ..KindFacts::new("example.com", "Claim") },
    ];

    #[test]
    fn an_object_follows_those_of_its_kind_that_it_names() {
        let step = |name: &str, after: &[&str]| {
            let mut step = object("example.com/v1", "Step", name, 0);
            let origin = step.root.origin();
            let names = after.iter().map(|name| Node::string(*name, origin));
            step.root.set("after", Node::list(names, origin));
            step
        };
        let steps = vec![
            step("a", &["c", "absent"]),
            step("b", &["b"]),
            step("c", &["e", "d"]),
            step("d", &[]),
            step("e", &["a"]),
        ];
        let names = |objects: Vec<Object>| {
            in_apply_order(objects).iter().map(|object| object.name.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(names(steps.clone()), ["e", "d", "c", "a", "b"]);
        assert_eq!(names(steps.into_iter().rev().collect()), ["e", "d", "c", "a", "b"]);
        assert_eq!(names(vec![step("a", &["b"]), step("b", &[])]), ["b", "a"]);
    }

    #[test]
    fn dependencies_come_first_in_any_input_order() {
        let sorted = [
            object("apiextensions.k8s.io/v1", "CustomResourceDefinition", "x", 0),
            object("v1", "Namespace", "x", 0),
            object("v1", "ConfigMap", "", 1),
            object("v1", "ConfigMap", "", 2),
            object("v1", "ConfigMap", "a", 0),
            object("example.com/v1", "Certificate", "x", 0),
            object("example.com/v1", "Blueprint", "x", 0),
            object("v1", "Pod", "x", 0),
            object("autoscaling/v2", "HorizontalPodAutoscaler", "x", 0),
            object("example.com/v1", "Claim", "x", 0),
        ];
        let show = |objects: &[Object]| -> Vec<_> {
            objects
                .iter()
                .map(|object| (object.describe(), object.root.to_json().to_string()))
                .collect()
        };
        for turn in 0..sorted.len() {
            let mut objects = sorted.to_vec();
            objects.rotate_left(turn);
            objects.reverse();
            assert_eq!(show(&in_apply_order(objects)), show(&sorted));
        }
    }

    #[test]
    fn tokens_of_accounts_follow_other_secrets_in_any_input_order() {
        let mut token = object("v1", "Secret", "a", 0);
        token.root.set("type", Node::string(ACCOUNT_TOKEN, token.root.origin()));
        let secret = object("v1", "Secret", "b", 0);
        let sorted = [object("v1", "ConfigMap", "c", 0), secret, token];
        for turn in 0..sorted.len() {
            let mut objects = sorted.to_vec();
            objects.rotate_left(turn);
            let names = |objects: Vec<Object>| {
                in_apply_order(objects)
                    .iter()
                    .map(|object| object.name.to_string())
                    .collect::<Vec<_>>()
            };
            objects.reverse();
            assert_eq!(names(objects.clone()), ["c", "b", "a"]);
            objects.reverse();
            assert_eq!(names(objects), ["c", "b", "a"]);
        }
    }

    #[test]
    fn each_kind_has_one_rank_and_ranks_rise() {
        let kinds: Vec<_> = RANKS.iter().flat_map(|(_, kinds)| kinds.iter()).collect();
        assert_eq!(kinds.iter().collect::<BTreeSet<_>>().len(), kinds.len());
        assert!(RANKS.iter().map(|(rank, _)| rank).is_sorted());
        assert!(RANKS.iter().all(|(rank, _)| *rank < 100 && *rank != OTHER));
    }

    #[test]
    fn known_kinds_differ_without_their_group() {
        let names: Vec<_> = RANKS
            .iter()
            .flat_map(|(_, kinds)| kinds.iter().map(|kind| kind.1.to_lowercase()))
            .collect();
        assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
    }
}
