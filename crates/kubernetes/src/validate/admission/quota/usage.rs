//! The use of the quotas of a namespace by one object.

use super::Quota;
use crate::kube::{Object, PodSpec};
use crate::sorted::SortedMap;
use crate::tree::Node;
use crate::validate::admission::limit_range::Ranges;
use crate::validate::admission::resources::{self, Amounts, Resources, amounts};
use crate::validate::admission::runtime_class::Classes;

/// The parts of an object in the sums of its namespace.
pub(in crate::validate) struct Usage {
    /// The position of the quota, the name of the resource, and the quantity in thousandths.
    pub(super) parts: Vec<(usize, String, i128)>,
}

const ONE: i128 = 1000;

/// Computes what an object uses. The Pods of CronJobs, `DaemonSet` objects and custom resources are not
/// counted: their number is unknown.
pub(in crate::validate::admission) fn usage(
    object: &Object,
    quotas: &[Quota<'_>],
    ranges: &Ranges<'_>,
    classes: &Classes<'_>,
) -> Usage {
    let own = by_name(own(object));
    let pods = pods(object).and_then(|count| Some((count, PodSpec::of(object)?)));
    let pods = pods.map(|(count, pod)| {
        let containers = resources::containers(&pod, ranges);
        let used = by_name(of_pod(&pod, &containers, classes));
        (count, pod, containers, used)
    });
    let mut parts = Vec::new();
    for (position, quota) in quotas.iter().enumerate() {
        let mut add = |used: &Used, count: i128| {
            for name in &quota.names {
                let amounts = used.get(*name).into_iter().flatten();
                let amounts = amounts.map(|it| it.saturating_mul(count)).filter(|it| *it > 0);
                parts.extend(amounts.map(|it| (position, (*name).to_owned(), it)));
            }
        };
        if quota.object.root.at(&["spec", "scopes"]).is_none()
            && quota.object.root.at(&["spec", "scopeSelector"]).is_none()
        {
            add(&own, 1);
        }
        if let Some((count, pod, containers, used)) = &pods
            && containers.iter().all(|it| it.unknown.is_empty())
            && matches(quota.object, pod.spec, containers) == Some(true)
        {
            add(used, *count);
        }
    }
    Usage { parts }
}

/// Quantities by the names of the resources.
type Used = SortedMap<String, Vec<i128>>;

fn by_name(all: Vec<(String, i128)>) -> Used {
    let mut used = Used::new();
    for (name, amount) in all {
        used.entry(name).or_default().push(amount);
    }
    used
}

/// The number of Pods that exist for an object at the same time, if it is fixed.
fn pods(object: &Object) -> Option<i128> {
    let number = |path: &[&str]| object.root.at(path).and_then(Node::as_i64).map(i128::from);
    let kind = &object.gvk;
    if kind.is("", "Pod") {
        return Some(1);
    }
    if kind.is("batch", "Job") {
        let is_suspended =
            object.root.at(&["spec", "suspend"]).and_then(Node::as_bool) == Some(true);
        let parallel = number(&["spec", "parallelism"]).unwrap_or(1);
        let most = number(&["spec", "completions"]).unwrap_or(i128::MAX);
        return (!is_suspended).then_some(parallel.min(most));
    }
    let is_scaled = kind.is("apps", "Deployment")
        || kind.is("apps", "ReplicaSet")
        || kind.is("apps", "StatefulSet")
        || kind.is("", "ReplicationController");
    is_scaled.then(|| number(&["spec", "replicas"]).unwrap_or(1))
}

/// The compute resources of one Pod, by their names in a quota.
fn of_pod(
    pod: &PodSpec<'_>,
    containers: &[Resources<'_>],
    classes: &Classes<'_>,
) -> Vec<(String, i128)> {
    let overhead = classes.overhead(pod);
    let total = |field| {
        let mut total = resources::total(pod, containers, field);
        // Only a resource that has a limit gets the overhead added to it.
        let added: Amounts<'_> = overhead
            .iter()
            .map(|(name, amount)| (*name, *amount))
            .filter(|(name, _)| field == "requests" || total.contains_key(name))
            .collect();
        resources::add(&mut total, &added);
        total
    };
    let mut used = vec![("pods".to_owned(), ONE), ("count/pods".to_owned(), ONE)];
    for (name, amount) in total("requests") {
        let is_plain = matches!(name, "cpu" | "memory" | "ephemeral-storage");
        if is_plain || name.starts_with("hugepages-") {
            used.push((name.to_owned(), amount));
        }
        used.push((format!("requests.{name}"), amount));
    }
    for (name, amount) in total("limits") {
        if matches!(name, "cpu" | "memory" | "ephemeral-storage") {
            used.push((format!("limits.{name}"), amount));
        }
    }
    used
}

/// The kinds that a quota counts by name: group, kind, and the resource.
const COUNTED: [(&str, &str, &str); 17] = [
    ("", "ConfigMap", "configmaps"),
    ("", "PersistentVolumeClaim", "persistentvolumeclaims"),
    ("", "ReplicationController", "replicationcontrollers"),
    ("", "ResourceQuota", "resourcequotas"),
    ("", "Secret", "secrets"),
    ("", "Service", "services"),
    ("", "ServiceAccount", "serviceaccounts"),
    ("apps", "DaemonSet", "daemonsets"),
    ("apps", "Deployment", "deployments"),
    ("apps", "ReplicaSet", "replicasets"),
    ("apps", "StatefulSet", "statefulsets"),
    ("batch", "CronJob", "cronjobs"),
    ("batch", "Job", "jobs"),
    ("autoscaling", "HorizontalPodAutoscaler", "horizontalpodautoscalers"),
    ("networking.k8s.io", "Ingress", "ingresses"),
    ("networking.k8s.io", "NetworkPolicy", "networkpolicies"),
    ("policy", "PodDisruptionBudget", "poddisruptionbudgets"),
];

/// The use by the object itself, without its Pods.
fn own(object: &Object) -> Vec<(String, i128)> {
    let kind = &object.gvk;
    let mut used = Vec::new();
    if let Some((group, _, resource)) = COUNTED.iter().find(|it| kind.is(it.0, it.1)) {
        if group.is_empty() {
            used.push(((*resource).to_owned(), ONE));
            used.push((format!("count/{resource}"), ONE));
        } else {
            used.push((format!("count/{resource}.{group}"), ONE));
        }
    }
    if kind.is("", "Service") {
        service(&object.root, &mut used);
    }
    if kind.is("", "PersistentVolumeClaim") {
        claim(&object.root, 1, &mut used);
    }
    if kind.is("apps", "StatefulSet") {
        let templates = object.root.at(&["spec", "volumeClaimTemplates"]);
        for template in templates.map_or(&[][..], Node::items) {
            let count = pods(object).unwrap_or(1);
            let counted = ["persistentvolumeclaims", "count/persistentvolumeclaims"];
            used.extend(counted.map(|it| (it.to_owned(), count.saturating_mul(ONE))));
            claim(template, count, &mut used);
        }
    }
    used
}

fn service(service: &Node, used: &mut Vec<(String, i128)>) {
    let kind = service.str_at(&["spec", "type"]).unwrap_or_default();
    let ports = service.at(&["spec", "ports"]).map_or(&[][..], Node::items).len();
    let ports = i128::try_from(ports).unwrap_or(0).saturating_mul(ONE);
    let allocates = service.at(&["spec", "allocateLoadBalancerNodePorts"]).and_then(Node::as_bool);
    if kind == "LoadBalancer" {
        used.push(("services.loadbalancers".to_owned(), ONE));
    }
    if kind == "NodePort" || kind == "LoadBalancer" && allocates != Some(false) {
        used.push(("services.nodeports".to_owned(), ports));
    }
}

fn claim(claim: &Node, count: i128, used: &mut Vec<(String, i128)>) {
    let requests = amounts(claim.at(&["spec", "resources", "requests"]));
    let storage = requests.get("storage").copied().unwrap_or(0).saturating_mul(count);
    used.push(("requests.storage".to_owned(), storage));
    if let Some(class) = claim.str_at(&["spec", "storageClassName"]) {
        let prefix = format!("{class}.storageclass.storage.k8s.io/");
        used.push((format!("{prefix}requests.storage"), storage));
        used.push((format!("{prefix}persistentvolumeclaims"), count.saturating_mul(ONE)));
    }
}

/// Whether a quota applies to a Pod; `None` for a scope that depends on more than the Pod.
pub(super) fn matches(quota: &Object, pod: &Node, containers: &[Resources<'_>]) -> Option<bool> {
    let scopes = quota.root.at(&["spec", "scopes"]).map_or(&[][..], Node::items);
    for scope in scopes {
        if !in_scope(scope.as_str()?, None, pod, containers)? {
            return Some(false);
        }
    }
    let selector = quota.root.at(&["spec", "scopeSelector", "matchExpressions"]);
    for expression in selector.map_or(&[][..], Node::items) {
        let scope = expression.str_at(&["scopeName"])?;
        if !in_scope(scope, Some(expression), pod, containers)? {
            return Some(false);
        }
    }
    Some(true)
}

fn in_scope(
    scope: &str,
    selector: Option<&Node>,
    pod: &Node,
    containers: &[Resources<'_>],
) -> Option<bool> {
    let has_deadline = pod.get("activeDeadlineSeconds").is_some();
    let is_compute = |it: &Amounts<'_>| {
        ["cpu", "memory"].iter().any(|name| it.get(name).is_some_and(|amount| *amount > 0))
    };
    let is_best_effort = || {
        pod.get("resources").is_none()
            && containers.iter().all(|it| !is_compute(&it.requests) && !is_compute(&it.limits))
    };
    match scope {
        "Terminating" => Some(has_deadline),
        "NotTerminating" => Some(!has_deadline),
        "BestEffort" => Some(is_best_effort()),
        "NotBestEffort" => Some(!is_best_effort()),
        "PriorityClass" => in_class(selector, pod.str_at(&["priorityClassName"])),
        _ => None,
    }
}

/// Whether the class of a Pod matches a selector. A default class of the cluster is unknown.
fn in_class(selector: Option<&Node>, class: Option<&str>) -> Option<bool> {
    let class = class.filter(|it| !it.is_empty())?;
    let Some(selector) = selector else { return Some(true) };
    let values = selector.get("values").map_or(&[][..], Node::items);
    let is_listed = values.iter().any(|it| it.as_str() == Some(class));
    match selector.str_at(&["operator"])? {
        "In" => Some(is_listed),
        "NotIn" => Some(!is_listed),
        "Exists" => Some(true),
        "DoesNotExist" => Some(false),
        _ => None,
    }
}
