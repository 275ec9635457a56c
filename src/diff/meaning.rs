//! What means the same, and what means nothing.

use crate::diag::PathStep;
use crate::kube::{KindFacts, LAST_APPLIED, Object, meeting_namespace};
use crate::scalar::Quantity;
use crate::schema::{Object as Schema, Type};
use crate::tree::{Entry, Node, Number, Value};

/// Annotations that only the server or kubectl sets.
const OF_SERVER: &[&str] = &[
    LAST_APPLIED,
    "deployment.kubernetes.io/revision",
    "deprecated.daemonset.template.generation",
];

/// Fields of `metadata` that only the server sets.
const METADATA_OF_SERVER: &[&str] = &[
    "creationTimestamp",
    "deletionTimestamp",
    "generation",
    "managedFields",
    "resourceVersion",
    "selfLink",
    "uid",
];

/// Finalizers that an admission plugin of the server adds (`StorageObjectInUseProtection`).
const FINALIZERS_OF_SERVER: &[&str] = &[
    "kubernetes.io/pv-protection",
    "kubernetes.io/pvc-protection",
    "kubernetes.io/vac-protection",
];

/// Removes the fields that only the server sets, so that a manifest cannot change them.
pub(super) fn remove_fields_of_server(root: &mut Node) {
    let Some(map) = root.as_map_mut() else { return };
    map.remove("status");
    let Some(metadata) = map.get_mut("metadata").and_then(Node::as_map_mut) else { return };
    let is_default_namespace =
        |it: &Entry| it.key == "namespace" && it.value.as_str() == Some(meeting_namespace(""));
    metadata.retain(|it| {
        let is_of_server = METADATA_OF_SERVER.contains(&it.key.as_str());
        !is_of_server && !is_default_namespace(it)
    });
    let finalizers = metadata.get_mut("finalizers");
    if let Some(Value::List(items)) = finalizers.map(|it| &mut it.value) {
        items.retain(|it| !it.as_str().is_some_and(|it| FINALIZERS_OF_SERVER.contains(&it)));
        if items.is_empty() {
            metadata.remove("finalizers");
        }
    }
    let Some(annotations) = metadata.get_mut("annotations").and_then(Node::as_map_mut) else {
        return;
    };
    annotations.retain(|it| !OF_SERVER.contains(&it.key.as_str()));
    if annotations.is_empty() {
        metadata.remove("annotations");
    }
}

/// Removes a value that a controller takes for an absent field from one form, if the other form has none.
pub(super) fn remove_values_of_absent_fields(facts: &KindFacts, [old, new]: &mut [Node; 2]) {
    for (path, value) in facts.absent_values {
        match (old.at(path).is_some(), new.at(path).is_some()) {
            (true, false) => remove_value(old, path, value),
            (false, true) => remove_value(new, path, value),
            _ => {}
        }
    }
}

/// Removes a field with a value, and maps that are empty without it.
fn remove_value(node: &mut Node, path: &[&str], value: &str) {
    let (Some((first, rest)), Some(map)) = (path.split_first(), node.as_map_mut()) else { return };
    let Some(below) = map.get_mut(first) else { return };
    let is_empty = if rest.is_empty() {
        below.as_str() == Some(value)
    } else {
        remove_value(below, rest, value);
        below.as_map().is_some_and(|map| map.entries().is_empty())
    };
    if is_empty {
        map.remove(first);
    }
}

/// An object as it is written. The strings of a Secret are moved to `data`, where the server reads
/// them.
pub(super) fn canonical_written(object: &Object) -> Node {
    let mut root = object.root.clone();
    remove_fields_of_server(&mut root);
    let is_secret = object.gvk.is("", "Secret");
    let written = root.as_map_mut().filter(|_| is_secret).and_then(|it| it.remove("stringData"));
    if let Some(written) = written {
        if root.get("data").is_none() {
            root.set("data", Node::map(written.value.origin()));
        }
        if let Some(data) = root.get_mut("data") {
            let entries = written.value.into_entries();
            data.set_all(entries.into_iter().map(|entry| (entry.key, entry.value)));
        }
    }
    root
}

/// The fields whose values are amounts of resources, wherever the schema does not have their type.
const AMOUNTS: &[&str] = &["allocatable", "capacity", "hard", "limits", "overhead", "requests"];

/// Whether a value is a quantity.
pub(super) fn is_quantity(ty: Type<'_>, path: &[PathStep]) -> bool {
    match ty.base() {
        Type::Quantity => true,
        Type::Any | Type::IntOrString => {
            let owner = path.iter().rev().nth(1).and_then(PathStep::name);
            owner.is_some_and(|it| AMOUNTS.contains(&it))
        }
        _ => false,
    }
}

/// Whether two values that are not both maps or lists mean the same.
pub(super) fn same_scalar(old: &Node, new: &Node, is_quantity: bool) -> bool {
    if old.value == new.value {
        return true;
    }
    match (old.as_number(), new.as_number()) {
        (Some(old), Some(new)) if is_same_number(old, new) => return true,
        _ if !is_quantity => return false,
        _ => {}
    }
    let amount = |node: &Node| Quantity::parse(&scalar_text(node)?).ok();
    amount(old).is_some_and(|it| Some(it) == amount(new))
}

/// Whether two values that the API server does not compare by amount are the same quantity, of which one has a unit.
pub(super) fn is_same_amount(old: &Node, new: &Node, ty: Type<'_>) -> bool {
    let has_unit = |node: &Node| {
        let text = node.as_str().unwrap_or_default();
        text.starts_with(|c: char| c.is_ascii_digit()) && text.ends_with(char::is_alphabetic)
    };
    matches!(ty.base(), Type::Any | Type::IntOrString)
        && (has_unit(old) || has_unit(new))
        && same_scalar(old, new, true)
}

fn is_same_number(old: Number, new: Number) -> bool {
    match (old, new) {
        (Number::Float(float), Number::Int(whole)) | (Number::Int(whole), Number::Float(float)) => {
            float.to_string() == whole.to_string()
        }
        (old, new) => old == new,
    }
}

/// The text of a scalar.
pub(super) fn scalar_text(node: &Node) -> Option<String> {
    match &node.value {
        Value::Null => Some("null".to_owned()),
        Value::Bool(value) => Some(value.to_string()),
        Value::Int(value) => Some(value.to_string()),
        Value::UInt(value) => Some(value.to_string()),
        Value::Float(value) => Some(value.to_string()),
        Value::String(text) => Some(text.to_string()),
        Value::List(_) | Value::Map(_) => None,
    }
}

/// Whether a key of a map without a schema looks like the name of a field.
pub(super) fn is_field_name(key: &str) -> bool {
    !key.is_empty() && key.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'_')
}

/// Lists outside of Pod templates whose order means nothing, by the end of the name of their type. A
/// list with an identity of its own is not among them: its order never counts there.
const UNORDERED: &[(&str, &[&str])] = &[
    ("ClusterRole", &["rules"]),
    ("ClusterRoleBinding", &["subjects"]),
    ("IngressSpec", &["rules", "tls"]),
    ("IngressTLS", &["hosts"]),
    ("LabelSelector", &["matchExpressions"]),
    ("LabelSelectorRequirement", &["values"]),
    ("NetworkPolicyEgressRule", &["ports", "to"]),
    ("NetworkPolicyIngressRule", &["from", "ports"]),
    ("NetworkPolicyPeer", &["except"]),
    ("NetworkPolicySpec", &["egress", "ingress", "policyTypes"]),
    ("ObjectMeta", &["finalizers", "ownerReferences"]),
    ("PersistentVolumeClaimSpec", &["accessModes"]),
    ("PersistentVolumeSpec", &["accessModes"]),
    ("PolicyRule", &["apiGroups", "nonResourceURLs", "resourceNames", "resources", "verbs"]),
    ("ResourceQuotaSpec", &["scopes"]),
    ("Role", &["rules"]),
    ("RoleBinding", &["subjects"]),
    ("RuleWithOperations", &["apiGroups", "apiVersions", "operations", "resources"]),
    ("ServiceSpec", &["externalIPs", "loadBalancerSourceRanges"]),
    ("StorageClass", &["allowedTopologies"]),
];

/// Whether the order of a list without keys means nothing.
pub(super) fn is_unordered(owner: Option<&Schema<'_>>, field: &str) -> bool {
    let Some(owner) = owner else { return false };
    let name = owner.name.rsplit_once('.').map_or(owner.name, |(_, name)| name);
    UNORDERED.iter().any(|(ty, fields)| *ty == name && fields.contains(&field))
}
