//! The order in which the fields of generated objects are printed, which is the usual order of
//! manifests.
//!
//! Layers add their fields one after the other, and typed structs serialize theirs alphabetically.
//! Without a common order, the same container would look different in the output of each system.

use super::{GroupVersionKind, PodSpec};
use crate::schema::{self, Type};
use crate::tree::{Node, Value};

const POD_TEMPLATE: &str = "io.k8s.api.core.v1.PodTemplateSpec";

/// Definitions and their fields in order. Other fields follow in their existing order. Names come
/// first, and short values before long lists.
const ORDERS: &[(&str, &[&str])] = &[
    ("io.k8s.api.apps.v1.DeploymentSpec", &["replicas", "strategy", "selector", "template"]),
    (
        "io.k8s.api.apps.v1.StatefulSetSpec",
        &["serviceName", "replicas", "updateStrategy", "selector", "template"],
    ),
    (
        "io.k8s.api.batch.v1.CronJobSpec",
        &["schedule", "timeZone", "concurrencyPolicy", "suspend", "startingDeadlineSeconds"],
    ),
    (
        "io.k8s.api.batch.v1.JobSpec",
        &[
            "suspend",
            "parallelism",
            "completions",
            "backoffLimit",
            "activeDeadlineSeconds",
            "ttlSecondsAfterFinished",
            "podFailurePolicy",
            "template",
        ],
    ),
    ("io.k8s.api.core.v1.ConfigMapKeySelector", &["name", "key"]),
    ("io.k8s.api.core.v1.ConfigMapVolumeSource", &["name", "items"]),
    (
        "io.k8s.api.core.v1.Container",
        &[
            "name",
            "image",
            "imagePullPolicy",
            "restartPolicy",
            "command",
            "args",
            "workingDir",
            "ports",
            "envFrom",
            "env",
            "resources",
            "resizePolicy",
            "volumeMounts",
            "volumeDevices",
            "startupProbe",
            "readinessProbe",
            "livenessProbe",
            "lifecycle",
            "stdin",
            "stdinOnce",
            "tty",
            "terminationMessagePath",
            "terminationMessagePolicy",
            "securityContext",
        ],
    ),
    ("io.k8s.api.core.v1.ContainerPort", &["name", "containerPort", "protocol"]),
    ("io.k8s.api.core.v1.EnvVar", &["name", "value", "valueFrom"]),
    (
        "io.k8s.api.core.v1.PodSecurityContext",
        &["runAsNonRoot", "runAsUser", "runAsGroup", "fsGroup", "supplementalGroups"],
    ),
    (
        "io.k8s.api.core.v1.PodSpec",
        &[
            "restartPolicy",
            "activeDeadlineSeconds",
            "terminationGracePeriodSeconds",
            "priorityClassName",
            "runtimeClassName",
            "schedulerName",
            "serviceAccountName",
            "automountServiceAccountToken",
            "hostNetwork",
            "hostPID",
            "hostIPC",
            "hostUsers",
            "shareProcessNamespace",
            "enableServiceLinks",
            "hostname",
            "subdomain",
            "dnsPolicy",
            "dnsConfig",
            "hostAliases",
            "securityContext",
            "imagePullSecrets",
            "initContainers",
            "containers",
            "volumes",
            "nodeName",
            "nodeSelector",
            "tolerations",
            "affinity",
            "topologySpreadConstraints",
        ],
    ),
    (POD_TEMPLATE, &["metadata", "spec"]),
    ("io.k8s.api.core.v1.PreferredSchedulingTerm", &["weight"]),
    ("io.k8s.api.core.v1.ResourceRequirements", &["requests", "limits", "claims"]),
    ("io.k8s.api.core.v1.SecretKeySelector", &["name", "key"]),
    ("io.k8s.api.core.v1.SecretVolumeSource", &["secretName", "items", "defaultMode"]),
    (
        "io.k8s.api.core.v1.SecurityContext",
        &[
            "runAsNonRoot",
            "runAsUser",
            "runAsGroup",
            "privileged",
            "allowPrivilegeEscalation",
            "readOnlyRootFilesystem",
            "capabilities",
            "seccompProfile",
        ],
    ),
    ("io.k8s.api.core.v1.ServicePort", &["name", "protocol", "port", "targetPort"]),
    ("io.k8s.api.core.v1.Toleration", &["key", "operator", "value", "effect"]),
    ("io.k8s.api.core.v1.Volume", &["name"]),
    ("io.k8s.api.core.v1.VolumeMount", &["name", "mountPath", "subPath", "readOnly"]),
    ("io.k8s.api.core.v1.WeightedPodAffinityTerm", &["weight"]),
    (
        "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta",
        &["name", "generateName", "namespace", "labels", "annotations"],
    ),
];

/// Sorts the fields of a generated object; for a custom resource, those of its pod template.
pub fn order_fields(root: &mut Node, kind: &GroupVersionKind) {
    if let Some(definition) = kind.definition() {
        order_fields_of(root, Type::Object(definition));
    } else if let Some(template) = PodSpec::template_mut(root, kind) {
        order_fields_of(template, schema::definition(POD_TEMPLATE).map_or(Type::Any, Type::Object));
    }
}

fn order_fields_of(node: &mut Node, ty: Type<'_>) {
    match (ty.base(), &mut node.value) {
        (Type::List(list), Value::List(items)) => {
            items.iter_mut().for_each(|item| order_fields_of(item, list.items));
        }
        (Type::Object(object), Value::Map(map)) => {
            if let Some((_, fields)) = ORDERS.iter().find(|(name, _)| *name == object.name) {
                let rank = |key: &str| fields.iter().position(|field| *field == key);
                map.edit(|entries| {
                    entries.sort_by_key(|entry| rank(&entry.key).unwrap_or(fields.len()));
                });
            }
            for field in map.fields_mut().filter(|field| field.value.is_collection()) {
                if let Some(property) = object.property(field.key) {
                    order_fields_of(field.value, property.value);
                }
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kube::SharedKinds;
    use crate::source::{Span, Workspace};
    use crate::tree::Origin;
    use crate::yaml;

    fn node(value: serde_json::Value) -> Node {
        let span = Span::new(Workspace::new().add("a.yaml", ""), 0, 0);
        Node::from_json(value, Origin::source(span))
    }

    fn printed(api_version: &str, kind: &str, value: serde_json::Value) -> String {
        let kind = SharedKinds::default().get(api_version, kind);
        let mut root = node(value);
        let before = root.clone();
        order_fields(&mut root, &kind);
        assert!(root.same_value(&before));
        let mut text = String::new();
        yaml::print_document(&root, &mut text);
        text
    }

    #[test]
    fn every_field_of_the_table_exists() {
        assert!(ORDERS.is_sorted_by_key(|it| it.0));
        for (name, fields) in ORDERS {
            let definition = schema::definition(name).unwrap();
            for field in *fields {
                assert!(definition.property(field).is_some(), "{name}.{field}");
            }
        }
    }

    #[test]
    fn a_job_is_printed_in_the_usual_order() {
        let container = json!({
            "volumeMounts": [{"readOnly": true, "name": "a", "mountPath": "/a"}],
            "args": ["x"], "image": "i", "name": "main",
            "env": [{"valueFrom": {"secretKeyRef": {"key": "k", "name": "s"}}, "name": "E"}],
        });
        let spec = json!({
            "volumes": [{"emptyDir": {}, "name": "a"}],
            "containers": [container], "restartPolicy": "Never",
        });
        let metadata = json!({"labels": {"a": "3", "name": "2", "z": "1"}, "name": "j"});
        let job = json!({
            "apiVersion": "batch/v1", "kind": "Job", "metadata": metadata,
            "spec": {"template": {"spec": spec}, "backoffLimit": 1},
        });
        assert_eq!(
            printed("batch/v1", "Job", job),
            "apiVersion: batch/v1
kind: Job
metadata:
  name: j
  labels:
    a: \"3\"
    name: \"2\"
    z: \"1\"
spec:
  backoffLimit: 1
  template:
    spec:
      restartPolicy: Never
      containers:
      - name: main
        image: i
        args:
        - x
        env:
        - name: E
          valueFrom:
            secretKeyRef:
              name: s
              key: k
        volumeMounts:
        - name: a
          mountPath: /a
          readOnly: true
      volumes:
      - name: a
        emptyDir: {}
"
        );
    }

    #[test]
    fn an_unknown_kind_is_unchanged() {
        let text = "apiVersion: example.com/v1\nkind: Job\nspec:\n  b: 1\n  name: x\n";
        let value =
            json!({"apiVersion": "example.com/v1", "kind": "Job", "spec": {"b": 1, "name": "x"}});
        assert_eq!(printed("example.com/v1", "Job", value), text);
    }
}
