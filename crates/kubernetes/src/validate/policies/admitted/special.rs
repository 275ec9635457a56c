//! Defaults that depend on other fields.
//!
//! Follows `defaults.go` of the groups in Kubernetes' `pkg/apis`.

use serde_json::json;

use super::encoding::is_empty;
use super::metadata::UID;
use super::{Conversion, pods};
use crate::kube::{Object, autoscaler};
use crate::scalar::{ImageReference, to_base64};
use crate::tree::{Node, Value};
use crate::validate::fields::{text_at, text_of};

const CORE: &str = "io.k8s.api.core.v1.";

impl Conversion {
    pub(super) fn value(self, json: serde_json::Value) -> Node {
        Node::from_json(json, self.origin)
    }

    /// Sets a field if it is absent.
    pub(super) fn fill(self, node: &mut Node, field: &str, json: serde_json::Value) {
        if node.get(field).is_none() {
            node.set(field, self.value(json));
        }
    }

    /// Sets a field if it is absent or empty.
    fn fill_empty(self, node: &mut Node, field: &str, json: serde_json::Value) {
        if node.get(field).is_none_or(is_empty) {
            node.set(field, self.value(json));
        }
    }

    /// Sets the fields of a value of a definition that depend on its other fields.
    pub(super) fn special(self, node: &mut Node, name: &str) {
        if let Some(name) = name.strip_prefix(CORE) {
            return self.core(node, name);
        }
        let kind = node.str_at(&["type"]) == Some("RollingUpdate");
        match name.strip_prefix("io.k8s.api.").unwrap_or(name) {
            "apps.v1.DeploymentStrategy" if kind => {
                self.fill(node, "rollingUpdate", json!({}));
                self.within(
                    node,
                    "rollingUpdate",
                    &[("maxUnavailable", json!("25%")), ("maxSurge", json!("25%"))],
                );
            }
            "apps.v1.DaemonSetUpdateStrategy" if kind => {
                self.fill(node, "rollingUpdate", json!({}));
                self.within(
                    node,
                    "rollingUpdate",
                    &[("maxUnavailable", json!(1)), ("maxSurge", json!(0))],
                );
            }
            "apps.v1.StatefulSetUpdateStrategy" if kind => {
                self.fill(node, "rollingUpdate", json!({}));
                self.within(node, "rollingUpdate", &[("partition", json!(0))]);
                if self.target.minor() >= 37 {
                    self.within(node, "rollingUpdate", &[("maxUnavailable", json!(1))]);
                }
            }
            // The strategy of the kind drops it (`dropTopologyOnV1`).
            "discovery.v1.Endpoint" => {
                node.as_map_mut().and_then(|map| map.remove("deprecatedTopology"));
            }
            "networking.v1.NetworkPolicySpec" => {
                let types = if node.get("egress").is_some() {
                    json!(["Ingress", "Egress"])
                } else {
                    json!(["Ingress"])
                };
                self.fill(node, "policyTypes", types);
            }
            "rbac.v1.RoleBinding" | "rbac.v1.ClusterRoleBinding" => {
                let group = ("apiGroup", json!("rbac.authorization.k8s.io"));
                self.within(node, "roleRef", &[group]);
            }
            "rbac.v1.Subject" if node.str_at(&["kind"]) != Some("ServiceAccount") => {
                self.fill(node, "apiGroup", json!("rbac.authorization.k8s.io"));
            }
            "resource.v1.ExactDeviceRequest" | "resource.v1.DeviceSubRequest"
                if node.str_at(&["allocationMode"]) == Some("ExactCount") =>
            {
                self.fill(node, "count", json!(1));
            }
            "apps.v1.StatefulSetSpec" => {
                for claim in pods::items_mut(node, "volumeClaimTemplates") {
                    self.fill(claim, "apiVersion", json!("v1"));
                    self.fill(claim, "kind", json!("PersistentVolumeClaim"));
                }
            }
            "autoscaling.v2.HorizontalPodAutoscalerBehavior" => self.behavior(node),
            "autoscaling.v2.HorizontalPodAutoscalerSpec" => self.fill(
                node,
                "metrics",
                json!([{
                    "type": "Resource",
                    "resource": {
                        "name": "cpu", "target": {"type": "Utilization", "averageUtilization": 80}
                    },
                }]),
            ),
            other => self.of_cluster(node, other),
        }
    }

    /// As [`special`](Self::special), for objects of the whole cluster.
    fn of_cluster(self, node: &mut Node, name: &str) {
        match name {
            "flowcontrol.v1.FlowSchemaSpec" => {
                self.fill_empty(node, "matchingPrecedence", json!(1000));
            }
            "flowcontrol.v1.PriorityLevelConfigurationSpec"
                if node.str_at(&["type"]) == Some("Exempt") =>
            {
                self.fill(node, "exempt", json!({}));
            }
            "flowcontrol.v1.QueuingConfiguration" => {
                for (field, default) in [("queues", 64), ("handSize", 8), ("queueLengthLimit", 50)]
                {
                    self.fill_empty(node, field, json!(default));
                }
            }
            "storage.v1.CSIDriverSpec" => {
                self.fill_empty(node, "volumeLifecycleModes", json!(["Persistent"]));
            }
            _ => {}
        }
    }

    /// The defaults of the scaling rules of an autoscaler (`GenerateHPAScaleUpRules`).
    fn behavior(self, node: &mut Node) {
        let percent = json!({"type": "Percent", "value": 100, "periodSeconds": 15});
        let pods = json!({"type": "Pods", "value": 4, "periodSeconds": 15});
        let up = [
            ("stabilizationWindowSeconds", json!(0)),
            ("selectPolicy", json!("Max")),
            ("policies", json!([pods, percent.clone()])),
        ];
        let down = [("selectPolicy", json!("Max")), ("policies", json!([percent]))];
        for (field, defaults) in [("scaleUp", &up[..]), ("scaleDown", &down[..])] {
            self.fill(node, field, json!({}));
            self.within(node, field, defaults);
        }
    }

    /// Sets absent fields of the object in a field.
    fn within(self, node: &mut Node, field: &str, values: &[(&str, serde_json::Value)]) {
        if let Some(inner) = node.get_mut(field) {
            for (key, value) in values {
                self.fill(inner, key, value.clone());
            }
        }
    }

    fn core(self, node: &mut Node, name: &str) {
        match name {
            "Volume" if node.entries().iter().all(|entry| entry.key == "name") => {
                node.set("emptyDir", self.value(json!({})));
            }
            "Container" | "EphemeralContainer" => {
                let policy = pull_policy(text_at(node, &["image"]));
                self.fill(node, "imagePullPolicy", json!(policy));
            }
            "ImageVolumeSource" => {
                let policy = pull_policy(text_at(node, &["reference"]));
                self.fill(node, "pullPolicy", json!(policy));
            }
            "ServicePort" => {
                if let Some(port) = node.get("port").cloned()
                    && matches!(
                        node.get("targetPort").map(|it| &it.value),
                        None | Some(Value::Int(0))
                    )
                {
                    node.set("targetPort", port);
                }
            }
            "LimitRangeItem" if node.str_at(&["type"]) == Some("Container") => self.limits(node),
            "ServiceSpec" => self.service(node),
            "PodTemplateSpec" => self.fill(node, "metadata", json!({})),
            "PodSpec" => {
                for (from, to) in [
                    ("serviceAccount", "serviceAccountName"),
                    ("serviceAccountName", "serviceAccount"),
                ] {
                    if let Some(account) = node.get(from).cloned()
                        && node.get(to).is_none()
                    {
                        node.set(to, account);
                    }
                }
            }
            _ => {}
        }
    }

    /// The defaults of the limits of containers: the maximum, the default limit, the minimum.
    fn limits(self, node: &mut Node) {
        for (from, to) in
            [("max", "default"), ("default", "defaultRequest"), ("min", "defaultRequest")]
        {
            let amounts = node.get(from).map_or(Vec::new(), |map| map.entries().to_vec());
            for amount in amounts {
                self.fill(node, to, json!({}));
                if let Some(defaults) =
                    node.get_mut(to).filter(|defaults| defaults.get(&amount.key).is_none())
                {
                    defaults.set(amount.key, amount.value.with_value(amount.value.value.clone()));
                }
            }
        }
    }

    fn service(self, node: &mut Node) {
        let kind = text_at(node, &["type"]).to_owned();
        if node.str_at(&["sessionAffinity"]) == Some("ClientIP") {
            let config = json!({"clientIP": {"timeoutSeconds": 10800}});
            self.fill(node, "sessionAffinityConfig", config);
        }
        if kind != "ExternalName" {
            self.fill(node, "internalTrafficPolicy", json!("Cluster"));
        }
        if matches!(kind.as_str(), "NodePort" | "LoadBalancer")
            || node.get("externalIPs").is_some_and(|addresses| !addresses.items().is_empty())
                && kind != "ExternalName"
        {
            self.fill(node, "externalTrafficPolicy", json!("Cluster"));
        }
        if kind == "LoadBalancer" {
            self.fill(node, "allocateLoadBalancerNodePorts", json!(true));
        }
    }

    /// What depends on the kind of the whole object, after its fields were converted.
    pub(super) fn special_after(self, node: &mut Node, name: &str) {
        if name == "io.k8s.api.core.v1.PodTemplateSpec" {
            self.template(node);
        }
    }

    /// Sets the defaults of a whole object.
    pub(super) fn whole_object(self, root: &mut Node, name: &str) {
        match name.strip_prefix("io.k8s.api.").unwrap_or(name) {
            "core.v1.Pod" => pods::defaults(self, root),
            "batch.v1.Job" => self.job(root),
            "core.v1.ReplicationController" => complete_controller(root),
            "core.v1.Namespace" => {
                if let Some(name) = root.str_at(&["metadata", "name"]).map(ToOwned::to_owned)
                    && let Some(metadata) = root.get_mut("metadata")
                {
                    self.fill(metadata, "labels", json!({}));
                    self.within(
                        metadata,
                        "labels",
                        &[("kubernetes.io/metadata.name", json!(name))],
                    );
                }
            }
            "core.v1.Secret" => self.secret(root),
            "autoscaling.v1.HorizontalPodAutoscaler" => {
                // The API server stores version 2 of an autoscaler.
                autoscaler::to_v2(root, self.origin, self.target);
                autoscaler::to_v1(root, self.origin);
            }
            "autoscaling.v2.HorizontalPodAutoscaler" => autoscaler::remove_annotations(root),
            "apps.v1.DaemonSet" => {
                if let Some(metadata) = root.get_mut("metadata") {
                    self.fill(metadata, "annotations", json!({}));
                    let generation = ("deprecated.daemonset.template.generation", json!("1"));
                    self.within(metadata, "annotations", &[generation]);
                }
            }
            _ if name.ends_with("apiextensions.v1.CustomResourceDefinition") => {
                let text = |path: &[&str]| text_at(root, path).to_owned();
                let kind = text(&["spec", "names", "kind"]);
                let Some(spec) = root.get_mut("spec") else {
                    return;
                };
                self.fill(spec, "conversion", json!({"strategy": "None"}));
                let singular = ("singular", json!(kind.to_lowercase()));
                self.within(spec, "names", &[singular, ("listKind", json!(format!("{kind}List")))]);
            }
            _ => {}
        }
    }

    fn job(self, root: &mut Node) {
        let labels = root.at(&["spec", "template", "metadata", "labels"]).cloned();
        let Some(map) = root.as_map_mut() else { return };
        if let (Some(labels), Some(metadata)) = (labels, map.get_mut("metadata"))
            && metadata.get("labels").is_none()
        {
            metadata.set("labels", labels);
        }
        let Some(spec) = map.get_mut("spec") else { return };
        if spec.get("completions").is_none() && spec.get("parallelism").is_none() {
            spec.set("completions", self.value(json!(1)));
        }
        self.fill(spec, "parallelism", json!(1));
        let by_index = spec.get("backoffLimitPerIndex").is_some();
        self.fill(spec, "backoffLimit", json!(if by_index { i32::MAX } else { 6 }));
        self.fill(spec, "completionMode", json!("NonIndexed"));
        self.fill(spec, "suspend", json!(false));
        self.fill(spec, "manualSelector", json!(false));
        let fails = spec.get("podFailurePolicy").is_some();
        let replacement = if fails { "Failed" } else { "TerminatingOrFailed" };
        self.fill(spec, "podReplacementPolicy", json!(replacement));
    }

    /// `stringData` is only written; its values are read from `data`.
    fn secret(self, root: &mut Node) {
        let Some(written) = root.as_map_mut().and_then(|it| it.remove("stringData")) else {
            return;
        };
        self.fill(root, "data", json!({}));
        let Some(data) = root.get_mut("data") else { return };
        data.set_all(written.value.entries().iter().map(|entry| {
            let text = text_of(&entry.value);
            (entry.key.text().clone(), self.value(json!(to_base64(text.as_bytes()))))
        }));
    }
}

/// Labels and selector of a controller are those of its template.
fn complete_controller(root: &mut Node) {
    let labels = root.at(&["spec", "template", "metadata", "labels"]).cloned();
    let (Some(labels), Some(map)) = (labels, root.as_map_mut()) else { return };
    for (owner, field) in [("metadata", "labels"), ("spec", "selector")] {
        if let Some(owner) = map.get_mut(owner)
            && owner.get(field).is_none()
        {
            owner.set(field, labels.clone());
        }
    }
}

fn pull_policy(image: &str) -> &'static str {
    match ImageReference::parse(image) {
        Ok(
            ImageReference { tag: Some("latest"), .. }
            | ImageReference { tag: None, digest: None, .. },
        ) => "Always",
        // An invalid reference has no tag either.
        _ => "IfNotPresent",
    }
}

/// What the API server sets when it creates an object: generated selectors and the first status.
pub(super) fn created(conversion: Conversion, object: &Object, root: &mut Node) {
    let status = match (object.gvk.group.as_str(), object.gvk.kind.as_str()) {
        ("", "Pod") => json!({"phase": "Pending", "qosClass": pods::quality(root)}),
        ("", "Namespace") => json!({"phase": "Active"}),
        ("", "PersistentVolumeClaim" | "PersistentVolume") => json!({"phase": "Pending"}),
        ("", "Service") => json!({"loadBalancer": {}}),
        ("apps", "DaemonSet") => json!({
            "currentNumberScheduled": 0, "numberMisscheduled": 0, "desiredNumberScheduled": 0,
            "numberReady": 0,
        }),
        ("apps", "StatefulSet") => json!({"replicas": 0, "availableReplicas": 0}),
        ("apps", "ReplicaSet") | ("", "ReplicationController") => json!({"replicas": 0}),
        ("apps", "Deployment") | ("batch", _) => json!({}),
        _ => json!(null),
    };
    if !status.is_null() {
        root.set("status", conversion.value(status));
    }
    let Some(map) = root.as_map_mut() else { return };
    match (object.gvk.group.as_str(), object.gvk.kind.as_str()) {
        ("", "Namespace") => {
            if let Some(spec) = map.get_mut("spec") {
                conversion.fill(spec, "finalizers", json!(["kubernetes"]));
            }
        }
        ("batch", "Job") => complete_job(conversion, object, root),
        ("", "PersistentVolumeClaim") => {
            if let Some(spec) = map.get_mut("spec") {
                complete_sources(spec);
            }
        }
        ("", "Service") => {
            if let Some(spec) = map.get_mut("spec") {
                complete_addresses(conversion, spec);
            }
        }
        _ => {}
    }
}

/// The selector and the labels of the Pods of a Job. If its own labels are those of the template,
/// they are one map in the API server, which gets the same labels.
fn complete_job(conversion: Conversion, object: &Object, root: &mut Node) {
    if root.at(&["spec", "manualSelector"]).and_then(Node::as_bool) == Some(true) {
        return;
    }
    let name = text_at(root, &["metadata", "name"]).to_owned();
    let generated = [
        ("batch.kubernetes.io/controller-uid", json!(UID)),
        ("batch.kubernetes.io/job-name", json!(name)),
        ("controller-uid", json!(UID)),
        ("job-name", json!(name)),
    ];
    let is_shared =
        object.root.at(&["metadata", "labels"]).is_none_or(|labels| labels.entries().is_empty());
    let Some(map) = root.as_map_mut() else { return };
    if let Some(metadata) = map.get_mut("metadata").filter(|_| is_shared) {
        conversion.within(metadata, "labels", &generated);
    }
    let Some(spec) = map.get_mut("spec") else { return };
    let selector = json!({"matchLabels": {"batch.kubernetes.io/controller-uid": UID}});
    spec.set("selector", conversion.value(selector));
    let template = spec.get_mut("template");
    if let Some(metadata) = template.and_then(|it| it.get_mut("metadata")) {
        conversion.fill(metadata, "labels", json!({}));
        conversion.within(metadata, "labels", &generated);
    }
}

/// The source of the data of a volume claim, which two fields have.
fn complete_sources(spec: &mut Node) {
    let is_known = |node: &Node| {
        matches!(
            (text_at(node, &["apiGroup"]), node.str_at(&["kind"])),
            ("", Some("PersistentVolumeClaim"))
                | ("snapshot.storage.k8s.io", Some("VolumeSnapshot"))
        )
    };
    let Some(map) = spec.as_map_mut() else { return };
    if map.get("dataSource").is_some_and(|source| !is_known(source)) {
        map.remove("dataSource");
    }
    match (map.get("dataSource").cloned(), map.get("dataSourceRef").cloned()) {
        (Some(source), None) => spec.set("dataSourceRef", source),
        (None, Some(reference)) if reference.get("namespace").is_none() => {
            spec.set("dataSource", reference);
        }
        _ => {}
    }
}

/// The address that a cluster allocates to a Service.
const ADDRESS: &str = "10.0.0.0";

/// What the API server allocates to a Service. Which node ports it allocates is not known.
fn complete_addresses(conversion: Conversion, spec: &mut Node) {
    if spec.str_at(&["type"]) == Some("ExternalName") {
        return;
    }
    conversion.fill(spec, "clusterIP", json!(ADDRESS));
    let address = text_at(spec, &["clusterIP"]).to_owned();
    conversion.fill(spec, "clusterIPs", json!([address]));
    let is_selected = spec.get("selector").is_some();
    let families = if address.contains(':') { json!(["IPv6"]) } else { json!(["IPv4"]) };
    let is_headless_alone = address == "None" && !is_selected;
    let policy = if is_headless_alone { "RequireDualStack" } else { "SingleStack" };
    conversion.fill(spec, "ipFamilyPolicy", json!(policy));
    let families = if is_headless_alone { json!(["IPv4", "IPv6"]) } else { families };
    conversion.fill(spec, "ipFamilies", families);
}
