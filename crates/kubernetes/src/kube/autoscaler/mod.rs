//! Versions 1 and 2 of a `HorizontalPodAutoscaler`. The first writes the metrics and the behavior of
//! the second as JSON in annotations.
//!
//! Follows Kubernetes' `pkg/apis/autoscaling/v1`.

mod metrics;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value as Json, json};

use crate::schema::KubernetesVersion;
use crate::tree::{Node, Origin};
use metrics::{Behavior, Metric, NewMetric};

const METRICS: &str = "autoscaling.alpha.kubernetes.io/metrics";
const BEHAVIOR: &str = "autoscaling.alpha.kubernetes.io/behavior";
/// The annotations that only version 1 has.
const ANNOTATIONS: [&str; 6] = [
    METRICS,
    BEHAVIOR,
    "autoscaling.alpha.kubernetes.io/conditions",
    "autoscaling.alpha.kubernetes.io/current-metrics",
    "autoscaling.alpha.kubernetes.io/scale-down-tolerance",
    "autoscaling.alpha.kubernetes.io/scale-up-tolerance",
];
/// The field of version 1.
const TARGET: &str = "targetCPUUtilizationPercentage";

/// Converts an autoscaler of version 1. What is neither in a field nor in an annotation has the given
/// origin.
pub fn to_v2(root: &mut Node, origin: Origin, target: KubernetesVersion) {
    let value = |json| Node::from_json(json, origin);
    // Version 1 writes an absent value as 0.
    let keeps_zero = target.minor() < 36;
    let annotated = parse_annotation::<Vec<Metric>>(root, METRICS).map(|(metrics, origin)| {
        let new = metrics.into_iter().map(|metric| json!(metric.into_new(keeps_zero)));
        new.map(|metric| Node::from_json(metric, origin)).collect()
    });
    let behavior =
        parse_annotation::<Behavior>(root, BEHAVIOR).filter(|(behavior, _)| !behavior.is_empty());
    remove_annotations(root);
    root.set("status", value(json!({"currentMetrics": null, "desiredReplicas": 0})));
    let Some(spec) = root.get_mut("spec") else { return };
    let written = spec.as_map_mut().and_then(|it| it.remove(TARGET)).map(|it| it.value);
    let mut metrics: Vec<_> = annotated.unwrap_or_default();
    if written.is_some() || metrics.is_empty() {
        metrics.push(cpu_metric(origin, written.unwrap_or_else(|| value(json!(80)))));
    }
    spec.set("metrics", Node::list(metrics, origin));
    if let Some((behavior, origin)) = behavior {
        spec.set("behavior", Node::from_json(behavior.to_new(), origin));
    }
}

/// The value of an annotation, and its origin; `None` if it is absent or the API server ignores it.
fn parse_annotation<T: DeserializeOwned>(root: &Node, key: &str) -> Option<(T, Origin)> {
    let node = root.at(&["metadata", "annotations", key])?;
    let json = without_null(serde_json::from_str(node.as_str()?).ok()?);
    Some((serde_json::from_value(json).ok()?, node.origin()))
}

/// The annotations of an autoscaler of version 1 that are fields of version 2.
pub fn annotated(root: &Node) -> impl Iterator<Item = &Node> {
    [METRICS, BEHAVIOR].into_iter().filter_map(|key| root.at(&["metadata", "annotations", key]))
}

/// The metric that corresponds to the target of version 1.
fn cpu_metric(origin: Origin, target: Node) -> Node {
    let json = json!({"type": "Resource", "resource": {
        "name": "cpu", "target": {"type": "Utilization"},
    }});
    let mut metric = Node::from_json(json, origin);
    if let Some(of) = metric.get_mut("resource").and_then(|it| it.get_mut("target")) {
        of.set("averageUtilization", target);
    }
    metric
}

/// Converts an autoscaler of version 2.
pub fn to_v1(root: &mut Node, origin: Origin) {
    let value = |json| Node::from_json(json, origin);
    remove_annotations(root);
    root.set("status", value(json!({"currentReplicas": 0, "desiredReplicas": 0})));
    let Some(map) = root.get_mut("spec").and_then(Node::as_map_mut) else { return };
    let metrics = map.remove("metrics").map(|it| it.value);
    let behavior = map.remove("behavior").map(|it| it.value);
    let metrics = metrics.as_ref().map_or(&[][..], Node::items);
    let target = |metric: &Node| {
        let is_cpu = metric.str_at(&["type"]) == Some("Resource")
            && metric.str_at(&["resource", "name"]) == Some("cpu");
        metric.at(&["resource", "target", "averageUtilization"]).filter(|_| is_cpu).cloned()
    };
    if let Some(target) = metrics.iter().find_map(target) {
        map.insert(TARGET, origin, target);
    }
    let others: Vec<_> = metrics
        .iter()
        .filter(|metric| target(metric).is_none())
        .filter_map(|metric| serde_json::from_value::<NewMetric>(metric.to_json()).ok())
        .map(Metric::from_new)
        .collect();
    let behavior =
        behavior.and_then(|node| serde_json::from_value::<Behavior>(node.to_json()).ok());
    let texts = [
        (METRICS, if others.is_empty() { None } else { write_json(&others) }),
        (BEHAVIOR, behavior.and_then(|behavior| write_json(&behavior))),
    ];
    for (key, text) in texts {
        let (Some(text), Some(metadata)) = (text, root.get_mut("metadata")) else { continue };
        if metadata.get("annotations").is_none() {
            metadata.set("annotations", Node::map(origin));
        }
        if let Some(annotations) = metadata.get_mut("annotations") {
            annotations.set(key, Node::string(text, origin));
        }
    }
}

/// Removes the annotations that the API server interprets.
pub fn remove_annotations(root: &mut Node) {
    let Some(metadata) = root.get_mut("metadata").and_then(Node::as_map_mut) else { return };
    let Some(annotations) = metadata.get_mut("annotations").and_then(Node::as_map_mut) else {
        return;
    };
    annotations.retain(|entry| !ANNOTATIONS.contains(&entry.key.as_str()));
    if annotations.entries().is_empty() {
        metadata.remove("annotations");
    }
}

/// Go reads `null` as an absent value.
fn without_null(json: Json) -> Json {
    match json {
        Json::Array(all) => Json::Array(all.into_iter().map(without_null).collect()),
        Json::Object(all) => {
            let present = all.into_iter().filter(|(_, value)| !value.is_null());
            Json::Object(present.map(|(key, value)| (key, without_null(value))).collect())
        }
        other => other,
    }
}

/// JSON as Go writes it.
fn write_json(value: &impl Serialize) -> Option<String> {
    let text = serde_json::to_string(value).ok()?;
    let escapes = [("<", "\\u003c"), (">", "\\u003e"), ("&", "\\u0026")];
    Some(escapes.iter().fold(text, |text, (from, to)| text.replace(from, to)))
}
