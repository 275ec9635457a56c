//! The fields that name another object, and what they can name.
//!
//! They are recognized by their names: an editor asks about files that nothing has checked yet. A check
//! decides with types whether such a reference is resolved.

use crate::dialect::DIALECTS;
use crate::lower::Refers;

use super::index::{Declared, Index};
use super::outline::{Document, Outline, Step};

/// What a field names.
pub(super) struct Reference<'r> {
    /// The kinds that the object can have.
    pub(super) kinds: Vec<&'r str>,
    pub(super) name: &'r str,
}

/// The fields of Kubernetes' own kinds, by the end of their paths.
const BUILT_IN: &[Refers] = &[
    Refers { kind: "", path: &["secretKeyRef", "name"], to: &["Secret"] },
    Refers { kind: "", path: &["configMapKeyRef", "name"], to: &["ConfigMap"] },
    Refers { kind: "", path: &["secretRef", "name"], to: &["Secret"] },
    Refers { kind: "", path: &["configMapRef", "name"], to: &["ConfigMap"] },
    Refers { kind: "", path: &["secret", "secretName"], to: &["Secret"] },
    Refers { kind: "", path: &["tls", "secretName"], to: &["Secret"] },
    Refers { kind: "", path: &["imagePullSecrets", "name"], to: &["Secret"] },
    Refers { kind: "", path: &["sources", "secret", "name"], to: &["Secret"] },
    Refers { kind: "", path: &["sources", "configMap", "name"], to: &["ConfigMap"] },
    Refers { kind: "", path: &["volumes", "configMap", "name"], to: &["ConfigMap"] },
    Refers {
        kind: "",
        path: &["persistentVolumeClaim", "claimName"],
        to: &["PersistentVolumeClaim"],
    },
    Refers { kind: "", path: &["serviceAccountName"], to: &["ServiceAccount"] },
    Refers { kind: "", path: &["runtimeClassName"], to: &["RuntimeClass"] },
    Refers { kind: "", path: &["priorityClassName"], to: &["PriorityClass"] },
    Refers { kind: "", path: &["storageClassName"], to: &["StorageClass"] },
    Refers { kind: "", path: &["ingressClassName"], to: &["IngressClass"] },
    Refers { kind: "", path: &["backend", "service", "name"], to: &["Service"] },
    Refers { kind: "", path: &["defaultBackend", "service", "name"], to: &["Service"] },
    Refers { kind: "", path: &["clientConfig", "service", "name"], to: &["Service"] },
    Refers { kind: "StatefulSet", path: &["spec", "serviceName"], to: &["Service"] },
    Refers { kind: "", path: &["metadata", "namespace"], to: &["Namespace"] },
];

/// Fields with a name next to one with its kind.
const WITH_KIND: &[&str] =
    &["roleRef", "subjects", "scaleTargetRef", "ownerReferences", "targetRef", "involvedObject"];

impl Refers {
    fn is_at(&self, kind: &str, path: &[&str]) -> bool {
        (self.kind.is_empty() || self.kind == kind) && path.ends_with(self.path)
    }
}

/// The names of the fields on a path.
pub(super) fn fields<'t>(path: &[Step<'t>]) -> Vec<&'t str> {
    let name = |it: &Step<'t>| match it {
        Step::Field(name) => Some(*name),
        Step::Item(_) => None,
    };
    path.iter().filter_map(name).collect()
}

/// What the value of an entry names, if it names an object.
pub(super) fn reference<'r>(
    outline: &'r Outline,
    document: &'r Document,
    at: usize,
) -> Option<Reference<'r>> {
    let kinds = kinds_at(outline, document, at)?;
    Some(Reference { kinds, name: outline.scalar(document.entry(at)) })
}

/// The kinds of the objects that the value of an entry can name.
pub(super) fn kinds_at<'r>(
    outline: &'r Outline,
    document: &'r Document,
    at: usize,
) -> Option<Vec<&'r str>> {
    let path = fields(&outline.path(document, at));
    let kind = outline.kind(document);
    let systems = DIALECTS.iter().flat_map(|it| it.references);
    if let Some(found) = systems.chain(BUILT_IN).find(|it| it.is_at(kind, &path)) {
        return Some(found.to.to_vec());
    }
    let [.., owner, "name"] = path[..] else { return None };
    if !WITH_KIND.contains(&owner) {
        return None;
    }
    let around = document.entry(at).parent;
    let kind = document.entry(document.field(outline, around, "kind")?);
    Some(vec![outline.scalar(kind)])
}

/// The kind of the definitions that those of a kind can extend.
pub(super) fn base_kind(kind: &str) -> Option<&'static str> {
    let mut systems = DIALECTS.iter().flat_map(|it| it.references);
    let found = systems.find(|it| it.kind == kind && it.path == ["spec", "extends"])?;
    found.to.first().copied()
}

impl Reference<'_> {
    /// The objects that it can mean: those with its name, in its document's namespace if there are some.
    pub(super) fn find<'i>(&self, index: &'i Index, namespace: &str) -> Vec<Declared<'i>> {
        let named = index.named(self.name).filter(|it| it.is_one_of(&self.kinds));
        let all: Vec<_> = named.collect();
        let is_near = |it: &&Declared<'_>| it.outline.namespace(it.document) == namespace;
        let near: Vec<_> = all.iter().filter(is_near).copied().collect();
        if near.is_empty() { all } else { near }
    }
}
