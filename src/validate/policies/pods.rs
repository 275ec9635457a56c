//! The Pods that controllers create from templates, which policies judge as well.
//!
//! A Pod is the template with the metadata that its controller sets. Names, hashes and UIDs that
//! only a cluster knows are placeholders.

use std::sync::Arc;

use serde_json::{Value as Json, json};

use crate::kube::{GroupVersionKind, Object, PodSpec};
use crate::tree::{Node, Origin};

/// The object of a request.
#[derive(Clone, Copy, Debug)]
pub(super) enum Judged<'o> {
    /// An object of the input.
    Object(&'o Object),
    /// A Pod of a controller, with the object of the input that it is created for.
    Pods { pod: &'o Object, maker: &'o Object },
}

impl<'o> Judged<'o> {
    /// The object that is created.
    pub(super) const fn object(self) -> &'o Object {
        match self {
            Self::Object(it) | Self::Pods { pod: it, .. } => it,
        }
    }

    /// The object of the input.
    pub(super) const fn written(self) -> &'o Object {
        match self {
            Self::Object(it) | Self::Pods { maker: it, .. } => it,
        }
    }

    /// Whether a controller creates it.
    pub(super) const fn is_made(self) -> bool {
        matches!(self, Self::Pods { .. })
    }

    /// The object in headlines.
    pub(super) fn subject(self) -> String {
        let Object { gvk, name, .. } = self.written();
        let pods = if self.is_made() { "the Pods of " } else { "" };
        if name.is_empty() {
            format!("{pods}{}", gvk.kind)
        } else {
            format!("{pods}{} `{name}`", gvk.kind)
        }
    }

    /// The object in lists: `Deployment/web`.
    pub(super) fn describe(self) -> String {
        let written = self.written().describe();
        if self.is_made() { format!("Pods of {written}") } else { written }
    }
}

/// The identifier of an owner, which only a cluster knows.
const OWNER: &str = "00000000-0000-4000-8000-000000000001";
/// The suffix of the name of a ReplicaSet or of a Job of a CronJob.
const SUFFIX: &str = "xxxxxxxxxx";

/// How a controller names a Pod and its owner.
struct Made {
    /// The owner: `apiVersion`, kind and name.
    owner: (String, String, String),
    /// The name, if the controller sets one; otherwise it is generated from that of the owner.
    name: Option<String>,
    /// The labels that the controller adds.
    labels: Vec<(&'static str, String)>,
    finalizers: Vec<&'static str>,
}

/// The Pod that a controller creates for an object; `None` if there is none.
pub(super) fn of(object: &Object) -> Option<Object> {
    let template = PodSpec::of(object)?;
    let made = made(object)?;
    let origin = Origin::source(object.name_span());
    let node = |json: Json| Node::from_json(json, origin);
    let mut metadata = Node::map(origin);
    for field in ["labels", "annotations", "finalizers"] {
        metadata.set_some(field, template.template.at(&["metadata", field]).cloned());
    }
    if !made.labels.is_empty() {
        let mut labels = metadata.get("labels").cloned().unwrap_or_else(|| Node::map(origin));
        for (key, value) in &made.labels {
            labels.set(*key, Node::string(value.as_str(), origin));
        }
        metadata.set("labels", labels);
    }
    if !made.finalizers.is_empty() {
        let own = metadata.get("finalizers").map_or(&[][..], Node::items).to_vec();
        let added = made.finalizers.iter().map(|it| Node::string(*it, origin));
        metadata.set("finalizers", Node::list(own.into_iter().chain(added), origin));
    }
    let (api_version, kind, owner) = made.owner;
    match &made.name {
        Some(name) => metadata.set("name", Node::string(name.as_str(), origin)),
        None => metadata.set("generateName", Node::string(format!("{owner}-"), origin)),
    }
    if !object.namespace.is_empty() {
        metadata.set("namespace", Node::string(object.namespace.clone(), origin));
    }
    let owner = json!([{
        "apiVersion": api_version, "kind": kind, "name": owner, "uid": OWNER,
        "controller": true, "blockOwnerDeletion": true,
    }]);
    metadata.set("ownerReferences", node(owner));
    let mut root = node(json!({"apiVersion": "v1", "kind": "Pod"}));
    root.set("metadata", metadata);
    root.set("spec", template.spec.clone());
    Some(Object {
        gvk: Arc::new(GroupVersionKind::new("v1", "Pod")),
        name: made.name.unwrap_or_default().into(),
        namespace: object.namespace.clone(),
        root,
        document: object.document,
        outline_of: None,
    })
}

fn made(object: &Object) -> Option<Made> {
    let name = object.name.as_str();
    let owned = |kind: &str, owner: String| Made {
        owner: (object.gvk.api_version(), kind.to_owned(), owner),
        name: None,
        labels: Vec::new(),
        finalizers: Vec::new(),
    };
    let of_job = |job: String| Made {
        labels: vec![
            ("batch.kubernetes.io/controller-uid", OWNER.to_owned()),
            ("batch.kubernetes.io/job-name", job.clone()),
            ("controller-uid", OWNER.to_owned()),
            ("job-name", job.clone()),
        ],
        finalizers: vec!["batch.kubernetes.io/job-tracking"],
        ..owned("Job", job)
    };
    Some(match (object.gvk.group.as_str(), object.gvk.kind.as_str()) {
        ("apps", "Deployment") => Made {
            labels: vec![("pod-template-hash", SUFFIX.to_owned())],
            ..owned("ReplicaSet", format!("{name}-{SUFFIX}"))
        },
        ("apps", "ReplicaSet") => owned("ReplicaSet", name.to_owned()),
        ("", "ReplicationController") => owned("ReplicationController", name.to_owned()),
        ("apps", "DaemonSet") => Made {
            labels: vec![
                ("controller-revision-hash", SUFFIX.to_owned()),
                ("pod-template-generation", "1".to_owned()),
            ],
            ..owned("DaemonSet", name.to_owned())
        },
        ("apps", "StatefulSet") => Made {
            name: Some(format!("{name}-0")),
            labels: vec![
                ("apps.kubernetes.io/pod-index", "0".to_owned()),
                ("controller-revision-hash", format!("{name}-{SUFFIX}")),
                ("statefulset.kubernetes.io/pod-name", format!("{name}-0")),
            ],
            ..owned("StatefulSet", name.to_owned())
        },
        ("batch", "Job") => of_job(name.to_owned()),
        ("batch", "CronJob") => of_job(format!("{name}-{SUFFIX}")),
        _ if object.gvk.facts().is_some() => owned(&object.gvk.kind, name.to_owned()),
        _ => return None,
    })
}
