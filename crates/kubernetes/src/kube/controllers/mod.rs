//! The objects that Kubernetes' own controllers create from other objects.
//!
//! Values that are only known in a cluster are placeholders: the UID of an owner, the suffix of a
//! generated name, the hash of a Pod template.

mod job;
mod pod;
mod replica_set;
mod stateful_set;

pub use job::{pod as job_pod, scheduled as scheduled_job};
pub use pod::Pod;
pub use replica_set::replica_set;
pub use stateful_set::{
    claim as volume_claim, claim_name, pod as stateful_pod, start as first_number,
};

use super::{Object, PodSpec};
use crate::tree::{Layer, Map, Node, Origin};

/// Replaces a hash that depends on the defaults of the API server.
const HASH: &str = "placeholder";

/// The controller owner of a created object.
#[derive(Clone, Copy)]
pub struct Owner<'o> {
    /// The object of the input that everything is created for.
    pub source: &'o Object,
    api_version: &'o str,
    kind: &'o str,
    /// The name of the object.
    pub name: &'o str,
    /// The namespace of the object, if it is set.
    namespace: Option<&'o Node>,
    /// The origin of values that the controller sets.
    origin: Origin,
}

impl<'o> Owner<'o> {
    /// The owner that is an object of the input.
    pub fn of(source: &'o Object, api_version: &'o str) -> Self {
        Self::named(source, api_version, &source.gvk.kind, &source.name)
    }

    /// The owner that a controller creates for an object of the input.
    pub fn made(source: &'o Object, made: &'o Node) -> Self {
        let text = |path: &[&str]| made.text_at(path);
        Self::named(source, text(&["apiVersion"]), text(&["kind"]), text(&["metadata", "name"]))
    }

    fn named(source: &'o Object, api_version: &'o str, kind: &'o str, name: &'o str) -> Self {
        let namespace = source.root.at(&["metadata", "namespace"]);
        let origin = Origin::of_layer(Layer::Managed, source.name_span());
        Self { source, api_version, kind, name, namespace, origin }
    }

    const fn origin(&self) -> Origin {
        self.origin
    }

    fn text(&self, text: &str) -> Node {
        Node::string(text, self.origin())
    }

    fn map<const N: usize>(&self, fields: [(&'static str, Node); N]) -> Node {
        let mut map = Node::map(self.origin());
        map.set_all(fields);
        map
    }

    /// The first fields of a child: `apiVersion` and `kind`, and its metadata.
    fn head(&self, api_version: &str, kind: &str, name: Option<&str>) -> (Node, Node) {
        let root = self.map([("apiVersion", self.text(api_version)), ("kind", self.text(kind))]);
        let mut metadata = Node::map(self.origin());
        metadata.set_some("name", name.map(|name| self.text(name)));
        metadata.set_some("namespace", self.namespace.cloned());
        (root, metadata)
    }

    /// `ownerReferences` with this owner as the controller.
    pub fn reference(&self) -> Node {
        let uid = format!("placeholder-uid-of-{}-{}", self.kind.to_lowercase(), self.name);
        let owner = self.map([
            ("apiVersion", self.text(self.api_version)),
            ("kind", self.text(self.kind)),
            ("name", self.text(self.name)),
            ("uid", self.text(&uid)),
            ("controller", Node::bool(true, self.origin())),
            ("blockOwnerDeletion", Node::bool(true, self.origin())),
        ]);
        Node::list([owner], self.origin())
    }
}

/// The value of a field such as `replicas`, which defaults to 1.
pub fn count(node: Option<&Node>) -> usize {
    node.and_then(Node::as_i64).map_or(1, |number| usize::try_from(number).unwrap_or(0))
}

/// The object between an object and its Pods: the ReplicaSet of a Deployment, the Job of a CronJob.
pub fn intermediate(object: &Object) -> Option<Node> {
    if !object.has_short_name() {
        return None;
    }
    match (object.gvk.group.as_str(), object.gvk.kind.as_str()) {
        ("apps", "Deployment") => Some(replica_set(object)),
        ("batch", "CronJob") => Some(scheduled_job(object)),
        _ => None,
    }
}

/// The first Pod that a controller creates for an object, or for the object between them; `None` if
/// it creates none.
pub fn first_pod(object: &Object, between: Option<&Node>) -> Option<Node> {
    if !object.has_short_name() {
        return None;
    }
    let api_version = object.gvk.api_version();
    let owner = match between {
        Some(made) => Owner::made(object, made),
        None => Owner::of(object, &api_version),
    };
    let spec = between.unwrap_or(&object.root).get("spec");
    let mut prefix = format!("{}-", owner.name);
    let (pod, name) = match (object.gvk.group.as_str(), object.gvk.kind.as_str()) {
        ("apps", "StatefulSet") => {
            let (pod, name) = stateful_pod(owner, Map::of(spec), first_number(spec));
            (pod, Some(name))
        }
        ("batch", "Job" | "CronJob") => {
            let (pod, prefix_of_job) = job_pod(owner, Map::of(spec), 0);
            prefix = prefix_of_job;
            (pod, None)
        }
        ("apps", "Deployment" | "ReplicaSet" | "DaemonSet") | ("", "ReplicationController") => {
            let mut pod = Pod::of(spec.and_then(|it| it.get("template")), owner);
            if owner.kind == "DaemonSet" {
                pod.label("controller-revision-hash", HASH, owner);
                pod.label("pod-template-generation", "1", owner);
            }
            (pod, None)
        }
        _ => {
            object.gvk.facts()?;
            (Pod::of(Some(PodSpec::of(object)?.template), owner), None)
        }
    };
    Some(pod.into_node(owner, name.as_deref(), Some(&prefix)))
}
