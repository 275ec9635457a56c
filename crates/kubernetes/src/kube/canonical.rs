//! The form in which the API server stores generated objects, so that a second `kubectl apply`
//! changes nothing: canonical quantities, and no fields that it drops because they are empty.

use super::GroupVersionKind;
use crate::scalar::Quantity;
use crate::schema::{Property, Type};
use crate::tree::{Node, Value};

const CORE: &str = "io.k8s.api.core.v1.";

/// Fields of the core group whose Go type is `bool`, not `*bool`: `false` equals the absence of the
/// field.
const PLAIN_BOOLS: &[&str] = &[
    "hostIPC",
    "hostNetwork",
    "hostPID",
    "publishNotReadyAddresses",
    "readOnly",
    "stdin",
    "stdinOnce",
    "tty",
];

/// Definitions in which such a field is a `*bool`.
const WITH_POINTERS: &[&str] =
    &["io.k8s.api.core.v1.AzureDiskVolumeSource", "io.k8s.api.core.v1.CSIVolumeSource"];

/// Changes an object of a built-in kind to the form in which the API server returns it. The meaning
/// stays the same: `emptyDir: {}`, `replicas: 0` and `automountServiceAccountToken: false` remain.
pub fn canonicalize(root: &mut Node, kind: &GroupVersionKind) {
    if let Some(definition) = kind.definition() {
        canonicalize_value(root, Type::Object(definition));
    }
}

fn canonicalize_value(node: &mut Node, ty: Type<'_>) {
    match (ty.base(), &mut node.value) {
        (Type::Quantity, value) => {
            if let Some(canonical) = canonical_quantity(value) {
                *value = Value::String(canonical.as_str().into());
            }
        }
        (Type::List(list), Value::List(items)) => {
            items.iter_mut().for_each(|item| canonicalize_value(item, list.items));
        }
        (Type::Map(values), Value::Map(map)) => {
            map.fields_mut().for_each(|field| canonicalize_value(field.value, *values));
        }
        (Type::Object(object), Value::Map(map)) => {
            map.retain(|entry| {
                let property = object.property(&entry.key);
                property.is_none_or(|property| !is_dropped(object.name, property, &entry.value))
            });
            for field in map.fields_mut() {
                if let Some(property) = object.property(field.key) {
                    canonicalize_value(field.value, property.value);
                }
            }
        }
        _ => {}
    }
}

/// The canonical form of a quantity that is written in another one.
fn canonical_quantity(value: &Value) -> Option<String> {
    let written = match value {
        Value::String(text) => text.to_string(),
        Value::Int(number) => number.to_string(),
        Value::UInt(number) => number.to_string(),
        Value::Float(number) => number.to_string(),
        Value::Null | Value::Bool(_) | Value::List(_) | Value::Map(_) => return None,
    };
    let canonical = Quantity::sent(&written).ok()?;
    let is_canonical = matches!(value, Value::String(_)) && canonical == written;
    (!is_canonical).then_some(canonical)
}

/// Whether the server stores the object without this field.
fn is_dropped(definition: &str, property: &Property<'_>, value: &Node) -> bool {
    let name = property.name;
    match (property.value.base(), &value.value) {
        _ if property.is_required => false,
        // A Role without rules is stored with `rules: []`.
        (Type::List(_), Value::List(items)) => items.is_empty() && name != "rules",
        (Type::Map(_), Value::Map(map)) => map.entries().is_empty(),
        (Type::Bool, Value::Bool(false)) => {
            definition.starts_with(CORE)
                && PLAIN_BOOLS.contains(&name)
                && !WITH_POINTERS.contains(&definition)
        }
        (Type::String(_), Value::String(text)) => {
            text.is_empty() && definition == "io.k8s.api.core.v1.EnvVar" && name == "value"
        }
        (Type::Int32, Value::Int(0)) => matches!(name, "initialDelaySeconds" | "minReadySeconds"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kube::SharedKinds;
    use crate::source::Workspace;
    use crate::tree::Origin;

    fn canonical(api_version: &str, kind: &str, value: serde_json::Value) -> serde_json::Value {
        let mut root = Node::from_json(value, Origin::source(Workspace::new().start()));
        canonicalize(&mut root, &SharedKinds::default().get(api_version, kind));
        root.to_json()
    }

    #[test]
    fn quantities_are_printed_as_the_server_does() {
        let quota = json!({"spec": {"hard": {"pods": 1, "cpu": "1000m", "memory": "1536Mi"}}});
        let expected = json!({"spec": {"hard": {"pods": "1", "cpu": "1", "memory": "1536Mi"}}});
        assert_eq!(canonical("v1", "ResourceQuota", quota), expected);
    }

    /// The values that a server 1.36 returns for these Pods.
    #[test]
    fn only_what_the_server_drops_is_removed() {
        let pod = json!({"spec": {
            "automountServiceAccountToken": false,
            "hostNetwork": false,
            "nodeSelector": {},
            "securityContext": {"runAsNonRoot": false, "fsGroup": 0, "sysctls": []},
            "containers": [{
                "name": "a",
                "env": [{"name": "A", "value": ""}],
                "stdin": false,
                "readinessProbe": {"initialDelaySeconds": 0, "tcpSocket": {"port": 0}},
                "securityContext": {"privileged": false},
                "volumeMounts": [{"name": "v", "mountPath": "/v", "readOnly": false}],
            }],
            "volumes": [
                {"name": "v", "emptyDir": {}},
                {"name": "w", "csi": {"driver": "d", "readOnly": false}},
            ],
        }});
        let expected = json!({"spec": {
            "automountServiceAccountToken": false,
            "securityContext": {"runAsNonRoot": false, "fsGroup": 0},
            "containers": [{
                "name": "a",
                "env": [{"name": "A"}],
                "readinessProbe": {"tcpSocket": {"port": 0}},
                "securityContext": {"privileged": false},
                "volumeMounts": [{"name": "v", "mountPath": "/v"}],
            }],
            "volumes": [
                {"name": "v", "emptyDir": {}},
                {"name": "w", "csi": {"driver": "d", "readOnly": false}},
            ],
        }});
        assert_eq!(canonical("v1", "Pod", pod), expected);
        let scaled = json!({"spec": {"replicas": 0, "paused": false}});
        assert_eq!(canonical("apps/v1", "Deployment", scaled.clone()), scaled);
        let policy = json!({"spec": {"podSelector": {}, "policyTypes": ["Ingress"]}});
        assert_eq!(canonical("networking.k8s.io/v1", "NetworkPolicy", policy.clone()), policy);
    }
}
