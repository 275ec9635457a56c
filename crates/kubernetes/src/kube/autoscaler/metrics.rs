//! The metrics and the behavior of an autoscaler, in the JSON of version 1 and in version 2.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Value as Json, json};

use crate::scalar;

/// A metric of version 1.
#[derive(Serialize, Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Metric {
    r#type: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    object: Option<OfObject>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pods: Option<OfPods>,
    #[serde(skip_serializing_if = "Option::is_none")]
    resource: Option<OfResource>,
    #[serde(skip_serializing_if = "Option::is_none")]
    container_resource: Option<OfResource>,
    #[serde(skip_serializing_if = "Option::is_none")]
    external: Option<OfExternal>,
}

#[derive(Serialize, Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct OfObject {
    target: Reference,
    metric_name: String,
    target_value: Quantity,
    #[serde(skip_serializing_if = "Option::is_none")]
    selector: Option<Selector>,
    #[serde(skip_serializing_if = "Option::is_none")]
    average_value: Option<Quantity>,
}

#[derive(Serialize, Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct OfPods {
    metric_name: String,
    target_average_value: Quantity,
    #[serde(skip_serializing_if = "Option::is_none")]
    selector: Option<Selector>,
}

#[derive(Serialize, Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct OfResource {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    target_average_utilization: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    target_average_value: Option<Quantity>,
    /// The container, if the metric is that of a container.
    #[serde(skip_serializing_if = "Option::is_none")]
    container: Option<String>,
}

#[derive(Serialize, Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct OfExternal {
    metric_name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    metric_selector: Option<Selector>,
    #[serde(skip_serializing_if = "Option::is_none")]
    target_value: Option<Quantity>,
    #[serde(skip_serializing_if = "Option::is_none")]
    target_average_value: Option<Quantity>,
}

#[derive(Serialize, Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct Reference {
    kind: String,
    name: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    api_version: String,
}

#[derive(Serialize, Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct Selector {
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    match_labels: BTreeMap<String, String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    match_expressions: Vec<Requirement>,
}

#[derive(Serialize, Deserialize, Default)]
#[serde(default)]
struct Requirement {
    key: String,
    operator: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    values: Vec<String>,
}

/// A quantity as Kubernetes sends it.
#[derive(Serialize, Clone, PartialEq, Eq)]
struct Quantity(String);

impl Default for Quantity {
    fn default() -> Self {
        Self("0".to_owned())
    }
}

impl<'de> Deserialize<'de> for Quantity {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = match Json::deserialize(deserializer)? {
            Json::String(text) => text,
            other => other.to_string(),
        };
        let sent = scalar::Quantity::sent(&text);
        sent.map(Self).map_err(|_| serde::de::Error::custom("invalid quantity"))
    }
}

/// A metric of version 2.
#[derive(Serialize, Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct NewMetric {
    r#type: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    object: Option<Source>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pods: Option<Source>,
    #[serde(skip_serializing_if = "Option::is_none")]
    resource: Option<Source>,
    #[serde(skip_serializing_if = "Option::is_none")]
    container_resource: Option<Source>,
    #[serde(skip_serializing_if = "Option::is_none")]
    external: Option<Source>,
}

/// The source of any metric of version 2; each only has some of the fields.
#[derive(Serialize, Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct Source {
    #[serde(skip_serializing_if = "Option::is_none")]
    described_object: Option<Reference>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    container: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    metric: Option<Identifier>,
    target: Target,
}

#[derive(Serialize, Deserialize, Default)]
#[serde(default)]
struct Identifier {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    selector: Option<Selector>,
}

#[derive(Serialize, Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct Target {
    r#type: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<Quantity>,
    #[serde(skip_serializing_if = "Option::is_none")]
    average_value: Option<Quantity>,
    #[serde(skip_serializing_if = "Option::is_none")]
    average_utilization: Option<i32>,
}

impl Metric {
    pub(super) fn into_new(self, keeps_zero: bool) -> NewMetric {
        NewMetric {
            r#type: self.r#type,
            object: self.object.map(|it| it.into_new(keeps_zero)),
            pods: self.pods.map(|source| {
                let average_value = Some(source.target_average_value);
                let target = Target { average_value, ..Target::of("AverageValue") };
                Source::of(source.metric_name, source.selector, target)
            }),
            resource: self.resource.map(OfResource::into_new),
            container_resource: self.container_resource.map(|source| {
                // Go writes the name even if it is empty: `container` of version 2 has no `omitempty`.
                let container = Some(source.container.clone().unwrap_or_default());
                Source { container, ..source.into_new() }
            }),
            external: self.external.map(|source| {
                let ty = if source.target_value.is_none() { "AverageValue" } else { "Value" };
                let (value, average_value) = (source.target_value, source.target_average_value);
                let target = Target { value, average_value, ..Target::of(ty) };
                Source::of(source.metric_name, source.metric_selector, target)
            }),
        }
    }

    pub(super) fn from_new(new: NewMetric) -> Self {
        Self {
            r#type: new.r#type,
            object: new.object.map(|source| {
                let Identifier { name, selector } = source.metric.unwrap_or_default();
                OfObject {
                    target: source.described_object.unwrap_or_default(),
                    metric_name: name,
                    target_value: source.target.value.unwrap_or_default(),
                    selector,
                    average_value: source.target.average_value,
                }
            }),
            pods: new.pods.map(|source| {
                let Identifier { name, selector } = source.metric.unwrap_or_default();
                let target_average_value = source.target.average_value.unwrap_or_default();
                OfPods { metric_name: name, target_average_value, selector }
            }),
            resource: new.resource.map(OfResource::from_new),
            container_resource: new.container_resource.map(OfResource::from_new),
            external: new.external.map(|source| {
                let Identifier { name, selector } = source.metric.unwrap_or_default();
                OfExternal {
                    metric_name: name,
                    metric_selector: selector,
                    target_value: source.target.value,
                    target_average_value: source.target.average_value,
                }
            }),
        }
    }
}

impl OfObject {
    fn into_new(self, keeps_zero: bool) -> Source {
        let is_average = self.average_value.is_some();
        let is_value = !is_average || keeps_zero || self.target_value != Quantity::default();
        let target = Target {
            value: Some(self.target_value).filter(|_| is_value),
            average_value: self.average_value,
            ..Target::of(if is_average { "AverageValue" } else { "Value" })
        };
        let source = Source::of(self.metric_name, self.selector, target);
        Source { described_object: Some(self.target), ..source }
    }
}

impl OfResource {
    fn into_new(self) -> Source {
        let is_average = self.target_average_utilization.is_none();
        let target = Target {
            average_value: self.target_average_value,
            average_utilization: self.target_average_utilization,
            ..Target::of(if is_average { "AverageValue" } else { "Utilization" })
        };
        Source { name: Some(self.name), target, ..Source::default() }
    }

    fn from_new(new: Source) -> Self {
        Self {
            name: new.name.unwrap_or_default(),
            target_average_utilization: new.target.average_utilization,
            target_average_value: new.target.average_value,
            container: new.container,
        }
    }
}

impl Source {
    fn of(name: String, selector: Option<Selector>, target: Target) -> Self {
        let metric = Some(Identifier { name, selector });
        Self { metric, target, ..Self::default() }
    }
}

impl Target {
    fn of(ty: &str) -> Self {
        Self { r#type: ty.to_owned(), ..Self::default() }
    }
}

/// The scaling rules, with the names of the fields in version 1, which are those of Go.
#[derive(Serialize, Deserialize, Default)]
#[serde(rename_all = "PascalCase", default)]
pub(super) struct Behavior {
    #[serde(alias = "scaleUp")]
    scale_up: Option<Rules>,
    #[serde(alias = "scaleDown")]
    scale_down: Option<Rules>,
}

#[derive(Serialize, Deserialize, Default)]
#[serde(rename_all = "PascalCase", default)]
struct Rules {
    #[serde(alias = "stabilizationWindowSeconds")]
    stabilization_window_seconds: Option<i32>,
    #[serde(alias = "selectPolicy")]
    select_policy: Option<String>,
    #[serde(alias = "policies")]
    policies: Option<Vec<Step>>,
    #[serde(alias = "tolerance")]
    tolerance: Option<Quantity>,
}

#[derive(Serialize, Deserialize, Default)]
#[serde(rename_all = "PascalCase", default)]
struct Step {
    #[serde(alias = "type")]
    r#type: String,
    #[serde(alias = "value")]
    value: i32,
    #[serde(alias = "periodSeconds")]
    period_seconds: i32,
}

impl Behavior {
    pub(super) const fn is_empty(&self) -> bool {
        self.scale_up.is_none() && self.scale_down.is_none()
    }

    pub(super) fn to_new(&self) -> Json {
        let rules = |rules: &Rules| {
            let policies = rules.policies.iter().flatten().map(Step::to_new);
            json!({
                "stabilizationWindowSeconds": rules.stabilization_window_seconds,
                "selectPolicy": rules.select_policy,
                "policies": policies.collect::<Vec<_>>(),
                "tolerance": rules.tolerance,
            })
        };
        let [up, down] = [&self.scale_up, &self.scale_down].map(|own| own.as_ref().map(rules));
        json!({"scaleUp": up, "scaleDown": down})
    }
}

impl Step {
    fn to_new(&self) -> Json {
        json!({
            "type": self.r#type, "value": self.value, "periodSeconds": self.period_seconds,
        })
    }
}
