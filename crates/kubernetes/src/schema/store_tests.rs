//! The compiled-in tables equal `schemas/kubernetes.json` and have the properties that other
//! modules rely on.

use serde_json::Value;

use super::{KubernetesVersion, List, ListType, Object, PatchStrategy, Type, Versions, store};

fn table() -> Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../schemas/kubernetes.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn core(name: &str) -> &'static Object<'static> {
    store::definition(&format!("io.k8s.api.core.v1.{name}")).unwrap()
}

/// A type in the notation of the table.
fn notation(value: Type<'_>) -> Value {
    match value {
        Type::Any => "any".into(),
        Type::Bool => "bool".into(),
        Type::Int32 => "int32".into(),
        Type::Int64 => "int64".into(),
        Type::Number => "number".into(),
        Type::String(format) => format!("{format:?}").into(),
        Type::Enum(values) | Type::Choice(values) => {
            let versions = |versions: Versions| match (versions.first(), versions.last()) {
                _ if versions == Versions::ALL => String::new(),
                (Some(first), Some(last)) if first != last => format!("@{first}-{last}"),
                (first, _) => format!("@{}", first.unwrap()),
            };
            let values =
                values.iter().map(|value| format!("{}{}", value.value, versions(value.versions)));
            serde_json::json!({ "enum": values.collect::<Vec<_>>() })
        }
        Type::IntOrString => "int-or-string".into(),
        Type::Quantity => "quantity".into(),
        Type::NameOr(inline) => serde_json::json!({ "name-or": notation(*inline) }),
        Type::List(list) => {
            let mut map = serde_json::Map::new();
            map.insert("list".into(), notation(list.items));
            match list.identity {
                ListType::Atomic => {}
                ListType::Set => drop(map.insert("identity".into(), "set".into())),
                ListType::Map(keys) => drop(map.insert("identity".into(), keys.to_vec().into())),
            }
            let (merge, key, retain) = match list.patch {
                PatchStrategy::Replace => (false, None, false),
                PatchStrategy::MergeScalars => (true, None, false),
                PatchStrategy::MergeByKey(key) => (true, Some(key), false),
                PatchStrategy::MergeByKeyRetainKeys(key) => (true, Some(key), true),
            };
            if merge {
                map.insert("merge".into(), true.into());
            }
            if let Some(key) = key {
                map.insert("key".into(), key.into());
            }
            if retain {
                map.insert("retainKeys".into(), true.into());
            }
            Value::Object(map)
        }
        Type::Map(values) => serde_json::json!({ "map": notation(*values) }),
        Type::Object(object) => object.name.into(),
        Type::Reference(_) | Type::Constrained(_) => "not a built-in type".into(),
    }
}

/// The table has Go's names of string formats, the model its own.
fn with_format_names(value: &Value) -> Value {
    match value {
        Value::String(name) => match name.as_str() {
            "string" => "Plain".into(),
            "base64" => "Byte".into(),
            "time" => "DateTime".into(),
            "microtime" => "MicroTime".into(),
            name => name.into(),
        },
        Value::Object(object) => {
            let inner = |(key, value): (&String, &Value)| match key.as_str() {
                "list" | "map" => (key.clone(), with_format_names(value)),
                _ => (key.clone(), value.clone()),
            };
            Value::Object(object.iter().map(inner).collect())
        }
        other => other.clone(),
    }
}

#[test]
fn compiled_in_definitions_match_the_table() {
    let table = table();
    let definitions = table["definitions"].as_object().unwrap();
    assert_eq!(store::definitions().len(), definitions.len());
    for (name, expected) in definitions {
        let object = store::definition(name).unwrap_or_else(|| panic!("no {name}"));
        let fields = expected["fields"].as_object().unwrap();
        let variants = |value: &Value| value.as_array().map_or(1, Vec::len);
        assert_eq!(object.properties.len(), fields.values().map(variants).sum::<usize>(), "{name}");
        assert_eq!(object.is_atomic, expected.get("atomic").is_some(), "{name}");
        for (field, expected) in fields {
            let newest = expected.as_array().map_or(expected, |types| types.last().unwrap());
            let property = object.property(field).unwrap_or_else(|| panic!("no {name}.{field}"));
            let expected_type = with_format_names(&newest["type"]);
            assert_eq!(notation(property.value), expected_type, "{name}.{field}");
            assert_eq!(property.is_required, newest.get("required").is_some(), "{name}.{field}");
            let default = newest.get("default").map(Value::to_string);
            assert_eq!(property.default, default.as_deref(), "{name}.{field}");
            assert_eq!(
                store::retains_keys(name, field),
                newest.get("retainKeys").is_some(),
                "{name}.{field}"
            );
            assert_eq!(
                store::is_atomic_field(name, field),
                newest.get("atomic").is_some(),
                "{name}.{field}"
            );
            assert_eq!(
                store::zero_is_good(name, field),
                newest.get("zeroIsGood").is_some(),
                "{name}.{field}"
            );
            let is_everywhere = newest.get("versions").is_none();
            assert_eq!(property.versions == Versions::ALL, is_everywhere, "{name}.{field}");
        }
    }
}

#[test]
fn compiled_in_kinds_match_the_table() {
    let table = table();
    let kinds = table["kinds"].as_array().unwrap();
    assert_eq!(store::kinds().len(), kinds.len());
    for expected in kinds {
        let text = |key: &str| expected.get(key).and_then(Value::as_str);
        let (group, version) = (text("group").unwrap(), text("version").unwrap());
        let kind = store::kind(group, version, text("kind").unwrap()).unwrap();
        assert_eq!(kind.definition.map(|it| it.name), text("definition"));
        assert_eq!(kind.is_namespaced, expected.get("namespaced").is_some());
        assert_eq!(kind.deprecated, text("deprecated"));
        assert_eq!(kind.removed, text("removed"));
        assert_eq!(kind.replacement, text("replacement"));
        assert_eq!(kind.versions.first().is_some(), kind.definition.is_some());
    }
}

#[test]
fn everything_is_sorted_and_variants_are_disjoint() {
    assert!(store::definitions().is_sorted_by(|a, b| a.name < b.name));
    assert!(store::kinds().is_sorted_by_key(|kind| (kind.kind, kind.group, kind.version)));
    for definition in store::definitions() {
        assert!(definition.properties.is_sorted_by_key(|it| it.name), "{}", definition.name);
        for property in definition.properties {
            for version in
                KubernetesVersion::all().filter(|version| property.versions.contains(*version))
            {
                let found = definition.property_in(property.name, version).unwrap();
                assert!(std::ptr::eq(found, property), "{}.{}", definition.name, property.name);
            }
        }
    }
}

/// The key fields of a keyed list are fields of its items.
#[test]
fn keys_of_lists_exist() {
    for definition in store::definitions() {
        for property in definition.properties {
            let Type::List(List { items: Type::Object(item), identity, patch }) = property.value
            else {
                continue;
            };
            let mut keys = match identity {
                ListType::Map(keys) => keys.to_vec(),
                _ => Vec::new(),
            };
            if let PatchStrategy::MergeByKey(key) | PatchStrategy::MergeByKeyRetainKeys(key) = patch
            {
                keys.push(key);
            }
            for key in keys {
                assert!(
                    item.property(key).is_some(),
                    "{}.{}: {key}",
                    definition.name,
                    property.name
                );
            }
        }
    }
}

/// One row: definition, field, strategic merge, identity for server-side apply.
fn assert_list(
    definition: &str,
    fields: &[&str],
    patch: PatchStrategy<'_>,
    identity: ListType<'_>,
) {
    let object = store::definition(&format!("io.k8s.api.{definition}"))
        .or_else(|| store::definition(&format!("io.k8s.apimachinery.pkg.apis.{definition}")))
        .unwrap_or_else(|| panic!("no {definition}"));
    for field in fields {
        let property = object.property(field).unwrap_or_else(|| panic!("no {definition}.{field}"));
        let Type::List(list) = property.value else { panic!("{definition}.{field} is no list") };
        assert_eq!((list.patch, list.identity), (patch, identity), "{definition}.{field}");
    }
}

/// Kubernetes' own merge keys, as its types declare them in patchStrategy, patchMergeKey, listType
/// and listMapKey.
const LISTS: &[(&str, &[&str], PatchStrategy<'static>, ListType<'static>)] = &[
    (
        "core.v1.PodSpec",
        &[
            "containers",
            "initContainers",
            "ephemeralContainers",
            "imagePullSecrets",
            "schedulingGates",
            "evictionResponders",
        ],
        PatchStrategy::MergeByKey("name"),
        ListType::Map(&["name"]),
    ),
    (
        "core.v1.PodSpec",
        &["volumes", "resourceClaims"],
        PatchStrategy::MergeByKeyRetainKeys("name"),
        ListType::Map(&["name"]),
    ),
    ("core.v1.PodSpec", &["hostAliases"], PatchStrategy::MergeByKey("ip"), ListType::Map(&["ip"])),
    (
        "core.v1.PodSpec",
        &["topologySpreadConstraints"],
        PatchStrategy::MergeByKey("topologyKey"),
        ListType::Map(&["topologyKey", "whenUnsatisfiable"]),
    ),
    (
        "core.v1.PodSpec",
        &["tolerations", "readinessGates"],
        PatchStrategy::Replace,
        ListType::Atomic,
    ),
    (
        "core.v1.PodDNSConfig",
        &["nameservers", "searches", "options"],
        PatchStrategy::Replace,
        ListType::Atomic,
    ),
    (
        "core.v1.PodSecurityContext",
        &["supplementalGroups", "sysctls"],
        PatchStrategy::Replace,
        ListType::Atomic,
    ),
    ("core.v1.NodeSelector", &["nodeSelectorTerms"], PatchStrategy::Replace, ListType::Atomic),
    (
        "core.v1.NodeSelectorTerm",
        &["matchExpressions", "matchFields"],
        PatchStrategy::Replace,
        ListType::Atomic,
    ),
    ("core.v1.HostAlias", &["hostnames"], PatchStrategy::Replace, ListType::Atomic),
    (
        "core.v1.Container",
        &["ports"],
        PatchStrategy::MergeByKey("containerPort"),
        ListType::Map(&["containerPort", "protocol"]),
    ),
    ("core.v1.Container", &["env"], PatchStrategy::MergeByKey("name"), ListType::Map(&["name"])),
    (
        "core.v1.Container",
        &["envFrom", "command", "args", "resizePolicy", "restartPolicyRules"],
        PatchStrategy::Replace,
        ListType::Atomic,
    ),
    (
        "core.v1.Container",
        &["volumeMounts"],
        PatchStrategy::MergeByKey("mountPath"),
        ListType::Map(&["mountPath"]),
    ),
    ("core.v1.VolumeMount", &["bindMountOptions"], PatchStrategy::Replace, ListType::Set),
    (
        "core.v1.Container",
        &["volumeDevices"],
        PatchStrategy::MergeByKey("devicePath"),
        ListType::Map(&["devicePath"]),
    ),
    ("core.v1.ContainerRestartRuleOnExitCodes", &["values"], PatchStrategy::Replace, ListType::Set),
    ("core.v1.ResourceRequirements", &["claims"], PatchStrategy::Replace, ListType::Map(&["name"])),
    ("core.v1.Capabilities", &["add", "drop"], PatchStrategy::Replace, ListType::Atomic),
    ("core.v1.ProjectedVolumeSource", &["sources"], PatchStrategy::Replace, ListType::Atomic),
    ("core.v1.ConfigMapVolumeSource", &["items"], PatchStrategy::Replace, ListType::Atomic),
    (
        "meta.v1.ObjectMeta",
        &["ownerReferences"],
        PatchStrategy::MergeByKey("uid"),
        ListType::Map(&["uid"]),
    ),
    ("meta.v1.ObjectMeta", &["finalizers"], PatchStrategy::MergeScalars, ListType::Set),
    (
        "core.v1.ServiceSpec",
        &["ports"],
        PatchStrategy::MergeByKey("port"),
        ListType::Map(&["port", "protocol"]),
    ),
    (
        "core.v1.ServiceSpec",
        &["clusterIPs", "ipFamilies", "externalIPs", "loadBalancerSourceRanges"],
        PatchStrategy::Replace,
        ListType::Atomic,
    ),
    (
        "core.v1.ServiceAccount",
        &["secrets"],
        PatchStrategy::MergeByKey("name"),
        ListType::Map(&["name"]),
    ),
    ("core.v1.ServiceAccount", &["imagePullSecrets"], PatchStrategy::Replace, ListType::Atomic),
    ("batch.v1.PodFailurePolicy", &["rules"], PatchStrategy::Replace, ListType::Atomic),
    (
        "batch.v1.PodFailurePolicyOnExitCodesRequirement",
        &["values"],
        PatchStrategy::Replace,
        ListType::Set,
    ),
    (
        "batch.v1.PodFailurePolicyRule",
        &["onPodConditions"],
        PatchStrategy::Replace,
        ListType::Atomic,
    ),
    ("batch.v1.SuccessPolicy", &["rules"], PatchStrategy::Replace, ListType::Atomic),
    (
        "core.v1.PodStatus",
        &["conditions"],
        PatchStrategy::MergeByKey("type"),
        ListType::Map(&["type"]),
    ),
    ("batch.v1.JobStatus", &["conditions"], PatchStrategy::MergeByKey("type"), ListType::Atomic),
    (
        "apps.v1.StatefulSetSpec",
        &["volumeClaimTemplates"],
        PatchStrategy::Replace,
        ListType::Atomic,
    ),
    ("rbac.v1.Role", &["rules"], PatchStrategy::Replace, ListType::Atomic),
    ("rbac.v1.RoleBinding", &["subjects"], PatchStrategy::Replace, ListType::Atomic),
    (
        "networking.v1.NetworkPolicySpec",
        &["ingress", "egress", "policyTypes"],
        PatchStrategy::Replace,
        ListType::Atomic,
    ),
];

#[test]
fn merge_keys_match_kubernetes() {
    for (definition, fields, patch, identity) in LISTS {
        assert_list(definition, fields, *patch, *identity);
    }
    assert!(store::is_atomic_field("io.k8s.api.core.v1.PodSpec", "nodeSelector"));
    assert!(store::is_atomic_field("io.k8s.api.core.v1.ServiceSpec", "selector"));
    assert!(store::retains_keys("io.k8s.api.apps.v1.DeploymentSpec", "strategy"));
    for atomic in
        ["ConfigMapKeySelector", "SecretKeySelector", "LocalObjectReference", "NodeSelector"]
    {
        assert!(core(atomic).is_atomic, "{atomic}");
    }
    for granular in ["SecurityContext", "ResourceRequirements", "Lifecycle", "Probe", "Affinity"] {
        assert!(!core(granular).is_atomic, "{granular}");
    }
}

/// Fields that were added or removed within the target versions, according to the changelogs of
/// Kubernetes.
#[test]
fn fields_know_their_versions() {
    let since = |definition: &str, field: &str| {
        core(definition).property(field).unwrap().versions.first().unwrap().to_string()
    };
    assert_eq!(since("PodSpec", "containers"), "1.33");
    assert_eq!(since("PodSpec", "hostnameOverride"), "1.34");
    assert_eq!(since("EnvVarSource", "fileKeyRef"), "1.34");
    assert_eq!(since("PodSpec", "schedulingGroup"), "1.36");
    assert_eq!(since("PodSpec", "evictionResponders"), "1.37");
    assert_eq!(since("EmptyDirVolumeSource", "mode"), "1.37");
    let workload_ref = core("PodSpec").property("workloadRef").unwrap().versions;
    assert_eq!(workload_ref.first(), workload_ref.last());
    assert_eq!(workload_ref.first().unwrap().to_string(), "1.35");
}

#[test]
fn kinds_know_their_lifecycle() {
    let deployment = store::kind("apps", "v1", "Deployment").unwrap();
    assert!(deployment.is_namespaced && deployment.versions == Versions::ALL);
    let old = store::kind("extensions", "v1beta1", "Deployment").unwrap();
    assert_eq!((old.removed, old.replacement), (Some("1.16"), Some("apps/v1 Deployment")));
    assert!(old.definition.is_none());
    assert!(!store::kind("", "v1", "Namespace").unwrap().is_namespaced);
    let versions = store::kinds_named("CronJob").iter().map(|it| it.version);
    assert_eq!(versions.collect::<Vec<_>>(), ["v1", "v1beta1"]);
    assert!(store::kinds_named("Deploymnt").is_empty());
}
