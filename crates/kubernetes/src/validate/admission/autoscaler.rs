//! Autoscalers that scale by the utilization of a resource that the containers of their target do
//! not request, after `calculateRequests` of Kubernetes' `pkg/controller/podautoscaler`.

use super::resources::{self, Resources};
use super::{POD_LEVEL_MINOR, Plugins};
use crate::diag::{Diagnostic, Message, Sink, declare_rules, first_of, message};
use crate::kube::{
    GroupVersionKind, Object, ObjectSet, PodSpec, autoscaler, meeting_namespace, visit_references,
};
use crate::sorted::{CompactSort as _, SortedMap, SortedSet};
use crate::source::Span;
use crate::tree::{Node, items};
use crate::validate::fields::{text_of, value_or_owner};

declare_rules! {
    AUTOSCALER_WITHOUT_REQUEST = "autoscaler-without-request", Warning, follows = [Structure];
}

/// The resources that the metrics API has.
const RESOURCES: [&str; 2] = ["cpu", "memory"];
/// The number of containers that a message names.
const LISTED: usize = 3;

/// Checks all autoscalers whose target is in the input.
pub(super) fn check(plugins: &Plugins<'_, '_>, sink: &mut Sink) {
    let set = plugins.set;
    // The requests of Pods that a vertical autoscaler sets are unknown, and so are those that a
    // declared LimitRange sets.
    let vertical = set.of_kind("autoscaling.k8s.io", "VerticalPodAutoscaler");
    let external = set.external_kinds().filter(|kind| kind.0.is_empty() && kind.1 == "LimitRange");
    let namespaces =
        vertical.map(|scaler| scaler.namespace.as_str()).chain(external.map(|it| it.2));
    let unknown: SortedSet<_> = namespaces.map(meeting_namespace).collect();
    // The Pods of one template are read once for all of its pools.
    let mut scalers: SortedMap<Span, (PodSpec<'_>, Vec<&Object>)> = SortedMap::new();
    for scaler in set.of_kind("autoscaling", "HorizontalPodAutoscaler") {
        let is_unknown = unknown.contains(meeting_namespace(&scaler.namespace));
        if let Some(pod) = pods_of_target(set, scaler).filter(|_| !is_unknown) {
            scalers.entry(pod.object.document).or_insert((pod, Vec::new())).1.push(scaler);
        }
    }
    for (pod, scalers) in scalers.into_values() {
        let requests = Requests::read(plugins, pod);
        for scaler in scalers {
            check_metrics(scaler, &requests, sink);
        }
    }
}

/// The Pods of the scale target, which a system's kind can take from a template.
fn pods_of_target<'o>(set: &ObjectSet<'o>, scaler: &'o Object) -> Option<PodSpec<'o>> {
    let reference = scaler.root.at(&["spec", "scaleTargetRef"])?;
    let kind =
        GroupVersionKind::new(reference.str_at(&["apiVersion"])?, reference.str_at(&["kind"])?);
    let name = reference.str_at(&["name"])?;
    let target = set.find_only(&kind.group, &kind.kind, &scaler.namespace, name)?;
    PodSpec::of(target).or_else(|| {
        let mut pods = None;
        visit_references(target, &mut |found| {
            let of_template = || {
                let (group, kind) = found.group_kind()?;
                let name = found.name.as_str()?;
                PodSpec::of(set.find_only(group, kind, &target.namespace, name)?)
            };
            pods = pods.or_else(of_template);
        });
        pods
    })
}

/// The requests of Pods for the resources of the metrics API.
struct Requests<'o> {
    pod: PodSpec<'o>,
    /// The containers that run alongside each other, by name.
    by_name: SortedMap<&'o str, Resources<'o>>,
    /// For each resource, what lacks a request for it.
    missing: [Missing<'o>; 2],
}

/// What lacks a request for a resource.
enum Missing<'o> {
    Nothing,
    /// The Pod, which has requests of its own for other resources.
    Pod,
    /// These containers.
    Containers(Vec<(&'o str, Span)>),
}

impl<'o> Requests<'o> {
    fn read(plugins: &Plugins<'_, 'o>, pod: PodSpec<'o>) -> Self {
        let namespace = plugins.namespaces.get(meeting_namespace(&pod.object.namespace));
        let no_ranges = super::Ranges::default();
        let containers =
            resources::containers(&pod, namespace.map_or(&no_ranges, |known| &known.ranges));
        let whole = pod.spec.get("resources").filter(|_| plugins.target.minor() >= POD_LEVEL_MINOR);
        let has_own = ["requests", "limits"].iter().any(|field| {
            whole.and_then(|it| it.get(field)).is_some_and(|amounts| !amounts.entries().is_empty())
        });
        let total = has_own.then(|| resources::total(&pod, &containers, "requests"));
        let overhead = !plugins.classes.overhead(&pod).is_empty();
        let by_name: SortedMap<_, _> = containers
            .into_iter()
            .filter(|resources| resources.container.list == "containers" || resources.is_sidecar())
            .filter_map(|resources| Some((resources.container.node.str_at(&["name"])?, resources)))
            .collect();
        let missing = RESOURCES.map(|resource| match &total {
            Some(total) if total.contains_key(resource) || overhead => Missing::Nothing,
            Some(_) => Missing::Pod,
            None => {
                let without =
                    by_name.values().filter(|resources| !may_request(resources, resource));
                let mut lacking: Vec<_> = without.collect();
                lacking.compact_sort_by_key(|resources| {
                    (resources.container.list, resources.container.index)
                });
                Missing::Containers(lacking.into_iter().map(name_of).collect())
            }
        });
        Self { pod, by_name, missing }
    }
}

fn may_request(container: &Resources<'_>, resource: &str) -> bool {
    container.requests.contains_key(resource) || container.unknown.contains(resource)
}

fn name_of<'o>(resources: &Resources<'o>) -> (&'o str, Span) {
    let node = resources.container.node;
    let name = value_or_owner(node, "name");
    (text_of(name), name.span())
}

/// A metric by the utilization of a resource.
struct Metric<'o> {
    at: Span,
    path: String,
    resource: &'o str,
    /// The only container whose utilization counts.
    container: Option<&'o str>,
    /// Whether the API server adds it to an autoscaler without metrics.
    is_default: bool,
}

fn check_metrics(scaler: &Object, requests: &Requests<'_>, sink: &mut Sink) {
    let (metrics, others) = read_metrics(scaler);
    let faults: Vec<_> = metrics
        .iter()
        .filter_map(|metric| Some((metric, lacking_of_metric(metric, requests)?)))
        .collect();
    let is_stuck = faults.len() == metrics.len() && !others;
    for (metric, (fault, at)) in &faults {
        let Metric { resource, path, .. } = metric;
        let message =
            message!("{} cannot compute the utilization of `{resource}`", scaler.describe());
        let verb = if is_stuck { "scales" } else { "scales down" };
        let finding = Diagnostic::new(&AUTOSCALER_WITHOUT_REQUEST, metric.at, message)
            .at(message!("a percentage of the `{resource}` request"))
            .path(path)
            .label(*at, message!("no `{resource}` request"))
            .note(message!("{fault}: the autoscaler reports an error and never {verb}"))
            .help(message!(
                "set a `{resource}` request, or use `averageValue` instead of `averageUtilization`"
            ));
        sink.report(if metric.is_default {
            finding.note("without metrics, the target is 80 % of the `cpu` request")
        } else {
            finding
        });
    }
}

/// What lacks the request that a metric needs, and where.
fn lacking_of_metric(metric: &Metric<'_>, requests: &Requests<'_>) -> Option<(Message, Span)> {
    let Metric { resource, container, .. } = metric;
    let object = requests.pod.object.describe();
    let one = |name: &str| message!("container `{name}` of {object} has no `{resource}` request");
    if let Some(container) = container {
        let resources = requests
            .by_name
            .get(container)
            .filter(|resources| !may_request(resources, resource))?;
        let (name, at) = name_of(resources);
        return Some((one(name), at));
    }
    let position = RESOURCES.iter().position(|known| known == resource)?;
    match requests.missing.get(position)? {
        Missing::Nothing => None,
        Missing::Pod => {
            let at = requests.pod.spec.entry("resources")?.key_origin().span();
            Some((message!("{object} has requests for the whole Pod without `{resource}`"), at))
        }
        Missing::Containers(containers) => {
            let (first, at) = containers.first()?;
            if containers.len() == 1 {
                return Some((one(first), *at));
            }
            let quoted = containers.iter().map(|(name, _)| message!("`{name}`"));
            let names = first_of(LISTED, ", ", quoted);
            Some((message!("containers {names} of {object} have no `{resource}` request"), *at))
        }
    }
}

/// The metrics by utilization, and whether there are others.
fn read_metrics(scaler: &Object) -> (Vec<Metric<'_>>, bool) {
    let Some(spec) = scaler.root.get("spec") else { return (Vec::new(), true) };
    let all = items(spec, "metrics");
    let cpu = |node: &Node, path: &str, is_default| Metric {
        at: node.span(),
        path: path.to_owned(),
        resource: "cpu",
        container: None,
        is_default,
    };
    let target = spec.get("scaleTargetRef").map(|target| cpu(target, "spec.scaleTargetRef", true));
    if scaler.gvk.version == "v1" {
        let others = autoscaler::annotated(&scaler.root).next().is_some();
        if let Some(target) = spec.get("targetCPUUtilizationPercentage") {
            let path = "spec.targetCPUUtilizationPercentage";
            return (vec![cpu(target, path, false)], others);
        }
        return (target.filter(|_| !others).into_iter().collect(), others);
    }
    if all.is_empty() {
        return (target.into_iter().collect(), false);
    }
    let found: Vec<_> =
        all.iter().enumerate().filter_map(|(at, metric)| read_metric(at, metric)).collect();
    let others = found.len() < all.len();
    (found, others)
}

fn read_metric(index: usize, metric: &Node) -> Option<Metric<'_>> {
    let field = match metric.str_at(&["type"])? {
        "Resource" => "resource",
        "ContainerResource" => "containerResource",
        _ => return None,
    };
    let source = metric.get(field)?;
    let utilization = source.at(&["target", "averageUtilization"])?;
    Some(Metric {
        at: utilization.span(),
        path: format!("spec.metrics[{index}].{field}.target.averageUtilization"),
        resource: source.str_at(&["name"])?,
        container: source.str_at(&["container"]).filter(|_| field == "containerResource"),
        is_default: false,
    })
}
