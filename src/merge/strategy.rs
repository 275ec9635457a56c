//! The table of merge strategies: the schema's own list identities, and the rows that differ.
//!
//! List items are identified as in server-side apply, not as in strategic merge patch, which only
//! uses the first key and would merge port 53/UDP with port 53/TCP.

use crate::schema::{List, ListType, Object, PatchStrategy, Type};

/// The way a field's value in an upper layer is merged with the value below.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Strategy<'s> {
    /// Maps merge key by key; a scalar is replaced.
    Merge,
    /// The upper value replaces the lower one.
    Replace,
    /// The upper map replaces the lower one, except for these keys of the lower one that it does
    /// not set.
    ReplaceKeeping(&'s [&'s str]),
    /// The items below, followed by the upper layer's; duplicates are dropped.
    Append,
    /// Items with the same values of these fields are merged; others are appended.
    ByKey(&'s [&'s str]),
}

/// A field with a strategy other than the schema's.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row<'s> {
    /// The type that has the field: `io.k8s.api.core.v1.Container`.
    pub(crate) object: &'s str,
    /// The field.
    pub(crate) field: &'s str,
    /// Its strategy.
    pub(crate) strategy: Strategy<'s>,
    /// The reason the schema's own strategy is not used.
    #[allow(dead_code, reason = "for the reader of the table")]
    pub(crate) reason: &'s str,
}

const fn row(
    object: &'static str,
    field: &'static str,
    strategy: Strategy<'static>,
    reason: &'static str,
) -> Row<'static> {
    Row { object, field, strategy, reason }
}

const COMMAND: &str = "the words of one command line";
const ENDPOINT: &str = "together the addresses of one backend";
const FILE_PATH: &str = "one file has one content";

/// The differences of this compiler from the schema, sorted by type and field.
///
/// Most of these lists are atomic in the schema. By default, an atomic list is appended to here
/// (tolerations, `envFrom`, preferred affinity terms, ...), so each row has the reason its list is
/// not.
static ROWS: &[Row<'static>] = &[
    row(
        "io.k8s.api.core.v1.Capabilities",
        "add",
        Strategy::Replace,
        "privileges never add up unseen: the topmost list says exactly what is granted",
    ),
    row("io.k8s.api.core.v1.CephFSVolumeSource", "monitors", Strategy::Replace, ENDPOINT),
    row("io.k8s.api.core.v1.ConfigMapVolumeSource", "items", Strategy::ByKey(&["path"]), FILE_PATH),
    row("io.k8s.api.core.v1.Container", "args", Strategy::Replace, COMMAND),
    row("io.k8s.api.core.v1.Container", "command", Strategy::Replace, COMMAND),
    row(
        "io.k8s.api.core.v1.Container",
        "resizePolicy",
        Strategy::ByKey(&["resourceName"]),
        "the API server rejects a duplicate resource",
    ),
    row(
        "io.k8s.api.core.v1.Container",
        "restartPolicyRules",
        Strategy::Replace,
        "the first rule that matches wins, so the order is the meaning",
    ),
    row(
        "io.k8s.api.core.v1.DownwardAPIVolumeSource",
        "items",
        Strategy::ByKey(&["path"]),
        FILE_PATH,
    ),
    row("io.k8s.api.core.v1.EphemeralContainer", "args", Strategy::Replace, COMMAND),
    row("io.k8s.api.core.v1.EphemeralContainer", "command", Strategy::Replace, COMMAND),
    row("io.k8s.api.core.v1.ExecAction", "command", Strategy::Replace, COMMAND),
    row("io.k8s.api.core.v1.FCVolumeSource", "targetWWNs", Strategy::Replace, ENDPOINT),
    row("io.k8s.api.core.v1.FCVolumeSource", "wwids", Strategy::Replace, ENDPOINT),
    row(
        "io.k8s.api.core.v1.HTTPGetAction",
        "httpHeaders",
        Strategy::Replace,
        "a header may be sent twice, so headers have no identity; the probe's request is one value",
    ),
    row("io.k8s.api.core.v1.ISCSIVolumeSource", "portals", Strategy::Replace, ENDPOINT),
    row(
        "io.k8s.api.core.v1.PersistentVolumeClaimSpec",
        "accessModes",
        Strategy::Replace,
        "how the volume is to be used is one decision",
    ),
    row(
        "io.k8s.api.core.v1.PodDNSConfig",
        "options",
        Strategy::ByKey(&["name"]),
        "the kubelet merges resolver options by name",
    ),
    row(
        "io.k8s.api.core.v1.PodSecurityContext",
        "sysctls",
        Strategy::ByKey(&["name"]),
        "the API server rejects a duplicate sysctl",
    ),
    row("io.k8s.api.core.v1.RBDVolumeSource", "monitors", Strategy::Replace, ENDPOINT),
    row("io.k8s.api.core.v1.SecretVolumeSource", "items", Strategy::ByKey(&["path"]), FILE_PATH),
    row(
        "io.k8s.api.core.v1.TopologySpreadConstraint",
        "matchLabelKeys",
        Strategy::Replace,
        "the keys refine the constraint's selector and are read with it",
    ),
];

/// The strategy of `field` of `owner`: that of the dialect's row, else of a row above, else of the
/// schema.
pub(super) fn of_field<'s>(
    dialect: &[Row<'s>],
    owner: &Object<'_>,
    field: &str,
    value: Type<'s>,
) -> Strategy<'s> {
    let is_it = |row: &&Row<'s>| row.object == owner.name && row.field == field;
    dialect
        .iter()
        .find(is_it)
        .or_else(|| find_row(owner.name, field))
        .map_or_else(|| of_type(value), |row| row.strategy)
}

/// The fields that identify the items of a list, if its items have an identity.
pub(crate) fn keys_of_items<'s>(
    owner: Option<&Object<'_>>,
    field: &str,
    value: Type<'s>,
) -> Option<&'s [&'s str]> {
    let strategy = owner.map_or_else(|| of_type(value), |owner| of_field(&[], owner, field, value));
    match strategy {
        Strategy::ByKey(keys) => Some(keys),
        _ => None,
    }
}

fn find_row(object: &str, field: &str) -> Option<&'static Row<'static>> {
    let at = ROWS.binary_search_by(|row| (row.object, row.field).cmp(&(object, field))).ok()?;
    ROWS.get(at)
}

/// The structural type of a value: without references and constraints.
pub(super) fn structural_type(value: Type<'_>) -> Type<'_> {
    match value.resolve() {
        Type::Constrained(constrained) => structural_type(constrained.base),
        other => other,
    }
}

/// The default strategy of a type.
pub(super) fn of_type(value: Type<'_>) -> Strategy<'_> {
    match structural_type(value) {
        Type::List(list) => default_of_list(list),
        // A reference or a selector only has a meaning as a whole: a mix of two would refer to a
        // third object.
        Type::Object(object) if object.is_atomic => Strategy::Replace,
        _ => Strategy::Merge,
    }
}

fn default_of_list<'s>(list: &'s List<'s>) -> Strategy<'s> {
    match (list.identity, &list.patch) {
        (ListType::Map(keys), _) => Strategy::ByKey(keys),
        (
            ListType::Atomic,
            PatchStrategy::MergeByKey(key) | PatchStrategy::MergeByKeyRetainKeys(key),
        ) => Strategy::ByKey(std::slice::from_ref(key)),
        (ListType::Atomic | ListType::Set, _) => Strategy::Append,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;
    use crate::schema::store;

    /// The lists below a PodSpec that are appended to, an identical item once. Each was thought
    /// through; a list that Kubernetes adds fails the test until a user decides.
    const APPENDED: &[&str] = &[
        "Capabilities.drop",
        "Container.envFrom",
        "EphemeralContainer.envFrom",
        "HostAlias.hostnames",
        "NodeAffinity.preferredDuringSchedulingIgnoredDuringExecution",
        "ObjectMeta.finalizers",
        "PodAffinity.preferredDuringSchedulingIgnoredDuringExecution",
        "PodAffinity.requiredDuringSchedulingIgnoredDuringExecution",
        "PodAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution",
        "PodAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution",
        "PodDNSConfig.nameservers",
        "PodDNSConfig.searches",
        "PodSecurityContext.supplementalGroups",
        "PodSpec.readinessGates",
        "PodSpec.tolerations",
        "ProjectedVolumeSource.sources",
        "VolumeMount.bindMountOptions",
    ];

    /// Lists that are never merged with another one: inside atomic values, inside items of lists
    /// that are appended to, and in fields that the API server rejects in manifests.
    const UNREACHED: &[&str] = &[
        "ConfigMapProjection.items",
        "ContainerRestartRuleOnExitCodes.values",
        "DownwardAPIProjection.items",
        "EphemeralContainer.resizePolicy",
        "EphemeralContainer.restartPolicyRules",
        "LabelSelector.matchExpressions",
        "LabelSelectorRequirement.values",
        "NodeSelector.nodeSelectorTerms",
        "NodeSelectorRequirement.values",
        "NodeSelectorTerm.matchExpressions",
        "NodeSelectorTerm.matchFields",
        "ObjectMeta.managedFields",
        "PodAffinityTerm.matchLabelKeys",
        "PodAffinityTerm.mismatchLabelKeys",
        "PodAffinityTerm.namespaces",
        "SecretProjection.items",
    ];

    const POD_SPEC: &str = "io.k8s.api.core.v1.PodSpec";

    fn pod_spec() -> &'static Object<'static> {
        store::definition(POD_SPEC).unwrap()
    }

    fn strategy(object: &str, field: &str) -> Strategy<'static> {
        let object = store::definition(&format!("io.k8s.api.core.v1.{object}")).unwrap();
        of_field(&[], object, field, object.property(field).unwrap().value)
    }

    /// All lists of an object and of what is below it, by `Type.field`.
    fn lists<'s>(object: &'s Object<'s>, found: &mut BTreeMap<String, Strategy<'s>>) {
        let name = object.name.rsplit('.').next().unwrap();
        for property in object.properties {
            let mut value = property.value;
            if matches!(value, Type::List(_)) {
                let key = format!("{name}.{}", property.name);
                found.insert(key, of_field(&[], object, property.name, value));
            }
            while let Type::List(List { items: inner, .. }) | Type::Map(inner) = value {
                value = *inner;
            }
            // No type below a PodSpec holds itself.
            if let Type::Object(inner) = value {
                lists(inner, found);
            }
        }
    }

    #[test]
    fn rows_are_sorted_and_give_their_reason() {
        assert!(ROWS.is_sorted_by_key(|row| (row.object, row.field)));
        assert!(ROWS.iter().all(|row| !row.reason.is_empty()));
    }

    #[test]
    fn each_row_names_a_field_and_differs_from_the_schema() {
        for row in ROWS {
            let object = store::definition(row.object).unwrap_or_else(|| panic!("{}", row.object));
            let property = object.property(row.field).unwrap_or_else(|| panic!("{}", row.field));
            assert_ne!(of_type(property.value), row.strategy, "{}.{}", row.object, row.field);
        }
    }

    #[test]
    fn each_list_of_a_pod_has_a_strategy() {
        let mut found = BTreeMap::new();
        lists(pod_spec(), &mut found);
        let appended: BTreeSet<_> = found
            .iter()
            .filter(|(name, strategy)| {
                **strategy == Strategy::Append && !UNREACHED.contains(&name.as_str())
            })
            .map(|(name, _)| name.as_str())
            .collect();
        assert_eq!(appended, APPENDED.iter().copied().collect());
        for name in UNREACHED {
            assert!(found.contains_key(*name), "{name} is no list of a Pod");
        }
    }

    #[test]
    fn keyed_lists_use_the_keys_of_server_side_apply() {
        let keyed: &[(&str, &str, &[&str])] = &[
            ("PodSpec", "containers", &["name"]),
            ("PodSpec", "initContainers", &["name"]),
            ("PodSpec", "ephemeralContainers", &["name"]),
            ("PodSpec", "volumes", &["name"]),
            ("PodSpec", "imagePullSecrets", &["name"]),
            ("PodSpec", "hostAliases", &["ip"]),
            ("PodSpec", "topologySpreadConstraints", &["topologyKey", "whenUnsatisfiable"]),
            ("PodSpec", "resourceClaims", &["name"]),
            ("PodSpec", "schedulingGates", &["name"]),
            ("PodSpec", "evictionResponders", &["name"]),
            ("Container", "ports", &["containerPort", "protocol"]),
            ("Container", "env", &["name"]),
            ("Container", "volumeMounts", &["mountPath"]),
            ("Container", "volumeDevices", &["devicePath"]),
            ("ResourceRequirements", "claims", &["name"]),
            ("ServiceSpec", "ports", &["port", "protocol"]),
        ];
        for (object, field, keys) in keyed {
            assert_eq!(strategy(object, field), Strategy::ByKey(keys), "{object}.{field}");
        }
    }

    #[test]
    fn node_selectors_merge_per_key_and_references_are_one_value() {
        assert_eq!(strategy("PodSpec", "nodeSelector"), Strategy::Merge);
        assert_eq!(strategy("TopologySpreadConstraint", "labelSelector"), Strategy::Replace);
        assert_eq!(strategy("EnvVarSource", "secretKeyRef"), Strategy::Replace);
        assert_eq!(strategy("Container", "securityContext"), Strategy::Merge);
    }

    #[test]
    fn the_row_of_a_dialect_takes_precedence() {
        let rows = [Row {
            object: POD_SPEC,
            field: "securityContext",
            strategy: Strategy::Replace,
            reason: "a test",
        }];
        let value = pod_spec().property("securityContext").unwrap().value;
        assert_eq!(of_field(&rows, pod_spec(), "securityContext", value), Strategy::Replace);
    }
}
