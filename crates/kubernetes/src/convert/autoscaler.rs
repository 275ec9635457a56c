//! HorizontalPodAutoscaler of `autoscaling/v2beta1` and `v2beta2`.

use super::edits::{Edits, Refused, check_list, check_map, insert, items_mut, nest, rename};
use crate::diag::message;
use crate::tree::{Map, Node, Origin};

/// The annotation that has `spec.behavior` in a version without the field, in another encoding.
const BEHAVIOR: &str = "autoscaling.alpha.kubernetes.io/behavior";

pub(super) fn v2beta1(edits: &mut Edits<'_>) -> Result<(), Refused> {
    if let Some(annotation) = edits.root.at(&["metadata", "annotations", BEHAVIOR]) {
        return Err(Refused::new(
            annotation.span(),
            message!(
                "the annotation `{BEHAVIOR}` has the scaling behavior in an internal encoding"
            ),
            "write it as `spec.behavior`, remove the annotation, and migrate again",
        ));
    }
    check_list(edits.root, &["spec", "metrics"])?;
    let origin = edits.origin;
    for metric in items_mut(edits.root, &["spec", "metrics"]) {
        for (source, change) in SOURCES {
            check_map(metric, &[source])?;
            if let Some(map) = metric.get_mut(source).and_then(Node::as_map_mut) {
                change(map, origin)?;
            }
        }
    }
    v2beta2(edits)
}

/// The status has other fields in each version, and is never applied.
#[expect(clippy::unnecessary_wraps, reason = "the type of a change")]
pub(super) fn v2beta2(edits: &mut Edits<'_>) -> Result<(), Refused> {
    edits.remove(&["status"]);
    Ok(())
}

type Change = fn(&mut Map, Origin) -> Result<(), Refused>;

const SOURCES: [(&str, Change); 5] = [
    ("resource", convert_resource),
    ("containerResource", convert_resource),
    ("pods", convert_pods),
    ("object", convert_object),
    ("external", convert_external),
];

fn convert_resource(map: &mut Map, origin: Origin) -> Result<(), Refused> {
    let keys = [
        ("targetAverageUtilization", "averageUtilization"),
        ("targetAverageValue", "averageValue"),
    ];
    let is_utilization = is_set(map, "targetAverageUtilization");
    nest_target(map, &keys, if is_utilization { "Utilization" } else { "AverageValue" }, origin)
}

fn convert_pods(map: &mut Map, origin: Origin) -> Result<(), Refused> {
    nest_metric(map, "selector", origin);
    nest_target(map, &[("targetAverageValue", "averageValue")], "AverageValue", origin)
}

fn convert_object(map: &mut Map, origin: Origin) -> Result<(), Refused> {
    nest_metric(map, "selector", origin);
    rename(map, "target", "describedObject");
    let is_average = is_set(map, "averageValue");
    let keys = [("targetValue", "value"), ("averageValue", "averageValue")];
    nest_target(map, &keys, if is_average { "AverageValue" } else { "Value" }, origin)
}

fn convert_external(map: &mut Map, origin: Origin) -> Result<(), Refused> {
    nest_metric(map, "metricSelector", origin);
    let is_value = is_set(map, "targetValue");
    let keys = [("targetValue", "value"), ("targetAverageValue", "averageValue")];
    nest_target(map, &keys, if is_value { "Value" } else { "AverageValue" }, origin)
}

fn is_set(map: &Map, key: &str) -> bool {
    map.get(key).is_some_and(|value| !value.is_null())
}

/// `metricName` and the selector become `metric.name` and `metric.selector`.
fn nest_metric(map: &mut Map, selector: &str, origin: Origin) {
    nest(map, &[("metricName", "name"), (selector, "selector")], "metric", origin);
}

/// The values become `target`, with their type.
fn nest_target(
    map: &mut Map,
    keys: &[(&str, &str)],
    of_type: &str,
    origin: Origin,
) -> Result<(), Refused> {
    if let Some(old) = map.get("target") {
        return Err(Refused::not(old, "target", "absent"));
    }
    nest(map, keys, "target", origin);
    if let Some(target) = map.get_mut("target").and_then(Node::as_map_mut) {
        insert(target, 0, "type", Node::string(of_type, origin));
    }
    Ok(())
}
