//! The use of the quotas of a namespace by one object.

use super::Quota;
use crate::kube::{Members, Object, ObjectSet, PodSpec, resource_of};
use crate::sorted::SortedMap;
use crate::source::Span;
use crate::tree::{Node, items};
use crate::validate::admission::limit_range::Ranges;
use crate::validate::admission::resources::{self, Amounts, Resources, amounts};
use crate::validate::admission::runtime_class::Classes;
use crate::validate::fields::text_at;

/// The parts of an object in the sums of its namespace.
pub(in crate::validate) struct Usage {
    pub(super) parts: Vec<Part>,
    /// The location of the number of Pods, if it is written.
    pub(super) written: Option<Span>,
}

/// The use of one resource of a quota.
pub(super) struct Part {
    /// The position of the quota.
    pub(super) quota: usize,
    /// The resource.
    pub(super) name: String,
    /// The quantity of each, in thousandths.
    pub(super) each: i128,
    /// The number of Pods that use it, or 1 for the object itself.
    pub(super) count: i128,
}

impl Part {
    /// The quantity in thousandths.
    pub(super) const fn total(&self) -> i128 {
        self.each.saturating_mul(self.count)
    }
}

const ONE: i128 = 1000;

/// Computes what an object uses. The Pods of CronJobs, `DaemonSet` objects and other custom resources than
/// those of the systems are not counted: their number is unknown.
pub(in crate::validate::admission) fn usage(
    set: &ObjectSet<'_>,
    object: &Object,
    quotas: &[Quota<'_>],
    ranges: &Ranges<'_>,
    classes: &Classes<'_>,
) -> Usage {
    let own = by_name(use_of_object(object));
    let members = members(set, object);
    let of_member = by_name(members.as_ref().map(of_member).unwrap_or_default());
    let pods =
        members.as_ref().and_then(|members| Some((members.count, PodSpec::of(members.template)?)));
    let pods = pods.map(|(count, pod)| {
        let containers = resources::containers(&pod, ranges);
        let used = by_name(of_pod(&pod, &containers, classes));
        (count, pod, containers, used)
    });
    let mut parts = Vec::new();
    for (position, quota) in quotas.iter().enumerate() {
        let mut add = |used: &Used, count: i128| {
            for name in &quota.names {
                let amounts = used.get(*name).into_iter().flatten().filter(|each| **each > 0);
                let part = |each: &i128| Part {
                    quota: position,
                    name: (*name).to_owned(),
                    each: *each,
                    count,
                };
                parts.extend(amounts.map(part));
            }
        };
        if quota.object.root.at(&["spec", "scopes"]).is_none()
            && quota.object.root.at(&["spec", "scopeSelector"]).is_none()
        {
            add(&own, 1);
            add(&of_member, members.as_ref().map_or(0, |members| members.count.into()));
        }
        if let Some((count, pod, containers, used)) = &pods
            && containers.iter().all(|container| container.unknown.is_empty())
            && matches(quota.object, pod.spec, containers) == Some(true)
        {
            add(used, i128::from(*count));
        }
    }
    let written = members.and_then(|it| it.written).map(Node::span);
    Usage { parts, written }
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

/// The Pods that exist for an object at the same time, if their number is fixed.
fn members<'m>(set: &'m ObjectSet<'_>, object: &'m Object) -> Option<Members<'m>> {
    let kind = &object.gvk;
    if let Some(members_of) = kind.facts().and_then(|facts| facts.members) {
        return members_of(set, object);
    }
    let field = |name| object.root.at(&["spec", name]).filter(|node| node.as_i64().is_some());
    let members = |count: i64, written| {
        Some(Members { count, written, template: object, resources: Vec::new() })
    };
    if kind.is("", "Pod") {
        return members(1, None);
    }
    if kind.is("batch", "Job") {
        let is_suspended =
            object.root.at(&["spec", "suspend"]).and_then(Node::as_bool) == Some(true);
        let most = field("completions").and_then(Node::as_i64).unwrap_or(i64::MAX);
        let parallel = field("parallelism").and_then(Node::as_i64).unwrap_or(1);
        let written = field(if most < parallel { "completions" } else { "parallelism" });
        return if is_suspended { None } else { members(parallel.min(most), written) };
    }
    let is_scaled = kind.is("apps", "Deployment")
        || kind.is("apps", "ReplicaSet")
        || kind.is("apps", "StatefulSet")
        || kind.is("", "ReplicationController");
    let replicas = field("replicas");
    if is_scaled { members(replicas.and_then(Node::as_i64).unwrap_or(1), replicas) } else { None }
}

/// What each member uses next to its Pod.
fn of_member(members: &Members<'_>) -> Vec<(String, i128)> {
    let mut used: Vec<_> = members.resources.iter().map(|name| ((*name).to_owned(), ONE)).collect();
    for template in members.template.volume_claim_templates() {
        let counted = ["persistentvolumeclaims", "count/persistentvolumeclaims"];
        used.extend(counted.map(|name| (name.to_owned(), ONE)));
        add_claim(template, &mut used);
    }
    used
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

/// The kinds without a group that a quota also counts without `count/`.
const COUNTED: [&str; 7] = [
    "ConfigMap",
    "PersistentVolumeClaim",
    "ReplicationController",
    "ResourceQuota",
    "Secret",
    "Service",
    "ServiceAccount",
];

/// The use by the object itself, without its members. A quota counts every kind.
fn use_of_object(object: &Object) -> Vec<(String, i128)> {
    let kind = &object.gvk;
    let resource = resource_of(&kind.kind);
    let mut used = Vec::new();
    if kind.is("", "Pod") {
        // Only one that has not ended, as the other resources of a Pod.
    } else if kind.group.is_empty() {
        used.push((format!("count/{resource}"), ONE));
        if COUNTED.contains(&kind.kind.as_str()) {
            used.push((resource, ONE));
        }
    } else {
        used.push((format!("count/{resource}.{}", kind.group), ONE));
    }
    if kind.is("", "Service") {
        add_service(&object.root, &mut used);
    }
    if kind.is("", "PersistentVolumeClaim") {
        add_claim(&object.root, &mut used);
    }
    used
}

fn add_service(service: &Node, used: &mut Vec<(String, i128)>) {
    let kind = text_at(service, &["spec", "type"]);
    let ports = service.items_at(&["spec", "ports"]).iter().map(|_| ONE).sum();
    let allocates = service.at(&["spec", "allocateLoadBalancerNodePorts"]).and_then(Node::as_bool);
    if kind == "LoadBalancer" {
        used.push(("services.loadbalancers".to_owned(), ONE));
    }
    if kind == "NodePort" || kind == "LoadBalancer" && allocates != Some(false) {
        used.push(("services.nodeports".to_owned(), ports));
    }
}

fn add_claim(claim: &Node, used: &mut Vec<(String, i128)>) {
    let requests = amounts(claim.at(&["spec", "resources", "requests"]));
    let storage = requests.get("storage").copied().unwrap_or(0);
    used.push(("requests.storage".to_owned(), storage));
    if let Some(class) = claim.str_at(&["spec", "storageClassName"]) {
        let prefix = format!("{class}.storageclass.storage.k8s.io/");
        used.push((format!("{prefix}requests.storage"), storage));
        used.push((format!("{prefix}persistentvolumeclaims"), ONE));
    }
}

/// Whether a quota applies to a Pod; `None` for a scope that depends on more than the Pod.
pub(super) fn matches(quota: &Object, pod: &Node, containers: &[Resources<'_>]) -> Option<bool> {
    let scopes = quota.root.items_at(&["spec", "scopes"]);
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
    let is_compute = |amounts: &Amounts<'_>| {
        ["cpu", "memory"].iter().any(|name| amounts.get(name).is_some_and(|amount| *amount > 0))
    };
    let is_best_effort = || {
        pod.get("resources").is_none()
            && containers
                .iter()
                .all(|container| !is_compute(&container.requests) && !is_compute(&container.limits))
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
    let is_listed = items(selector, "values").iter().any(|value| value.as_str() == Some(class));
    match selector.str_at(&["operator"])? {
        "In" => Some(is_listed),
        "NotIn" => Some(!is_listed),
        "Exists" => Some(true),
        "DoesNotExist" => Some(false),
        _ => None,
    }
}
