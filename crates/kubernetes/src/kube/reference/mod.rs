//! References: which field of which kind names which other object.
//!
//! The rules, the graph, the editor and the outcomes of `diff` read these rows. Those of built-in kinds are in
//! `table`; a system lists those of its kinds in its `KindFacts`.

mod table;

use super::{Object, PodSpec};
use crate::tree::{Node, Path};
pub use table::{
    CLASS_OF_CLAIM_TEMPLATES, CONFIG_MAP, OF_ALL, OF_KINDS, OF_PODS, PERSISTENT_VOLUME_CLAIM,
    PRIORITY_CLASS, RUNTIME_CLASS, SECRET, SECRET_MAKERS, SERVICE_ACCOUNT, STORAGE_CLASS, Target,
};
use table::{OF_CONTAINERS, OF_POD_SPECS, OF_VOLUMES};

/// A field that names another object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reference {
    /// The path of the name in its owner; [`EACH`] is the step to the items of a list.
    pub path: &'static [&'static str],
    /// The kind of the object.
    pub to: To,
    /// The field with its namespace, next to the name. By default, that of the object with the field.
    pub namespace: Option<&'static str>,
    /// What the object is for.
    pub usage: Use,
}

/// The kind of a referenced object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum To {
    /// This kind.
    Kind(Target),
    /// The one of these that the field `kind` next to the name has. With another, it names no object.
    OneOf(&'static [Target]),
    /// That of the fields `kind` and `apiVersion` next to the name.
    Any,
}

/// What a referenced object is for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Use {
    /// The environment of a container.
    Environment,
    /// A volume with the data of a ConfigMap or a Secret.
    Volume,
    /// A volume of a claim.
    Claim,
    /// Credentials with which the kubelet pulls the images of a Pod.
    ImagePull,
    /// The same, for the Pods of a ServiceAccount.
    AccountPull,
    /// Another field of a Pod that must exist when the Pod is created.
    Pod,
    /// The class of a volume claim.
    Class,
    /// The volume of a claim.
    Binding,
    /// The Service by which Pods have DNS names.
    Names,
    /// The Service that receives requests.
    Route,
    /// The role of a binding.
    Grant,
    /// The subject of a binding.
    Subject,
    /// The object that an autoscaler scales.
    Scale,
    /// Another use, with its word in a picture.
    Other(&'static str),
}

/// The references in one or more maps of an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct References {
    /// The paths of the maps, from the root of the object.
    pub owners: &'static [&'static [&'static str]],
    /// The fields in each.
    pub fields: &'static [Reference],
}

/// The step of a path from a list to its items.
pub const EACH: &str = "[]";

/// A reference in an object.
#[derive(Clone, Copy, Debug)]
pub struct Found<'o, 'p> {
    /// Its row.
    pub reference: &'static Reference,
    /// The node with the name.
    pub name: &'o Node,
    /// The map with the name. The item itself if the name is one of a list.
    pub owner: &'o Node,
    /// The path of the owner, from the root of the object.
    pub owner_path: &'p Path<'p>,
    /// The field of the name in its owner; empty if that is the name.
    pub field: &'static str,
}

/// What is called with each reference.
type Visit<'v, 'o> = &'v mut dyn FnMut(Found<'o, '_>);

impl Use {
    /// The word of a link in a picture.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Environment => "env",
            Self::Volume | Self::Claim => "volume",
            Self::ImagePull | Self::AccountPull => "pulls with",
            Self::Pod => "uses",
            Self::Class => "class",
            Self::Binding => "binds",
            Self::Names => "named by",
            Self::Route => "routes to",
            Self::Grant => "grants",
            Self::Subject => "to",
            Self::Scale => "scales",
            Self::Other(label) => label,
        }
    }
}

impl Reference {
    /// A field that names an object of a kind in the same namespace, or a cluster-scoped one.
    #[must_use]
    pub const fn new(path: &'static [&'static str], to: Target, usage: Use) -> Self {
        Self { path, to: To::Kind(to), namespace: None, usage }
    }

    /// The same with a field next to the name that has the namespace of the object.
    const fn in_namespace(self, field: &'static str) -> Self {
        Self { namespace: Some(field), ..self }
    }

    /// Whether it can name an object of a kind.
    #[must_use]
    pub fn can_name(&self, group: &str, kind: &str) -> bool {
        match self.to {
            To::Kind(target) => target.is(group, kind),
            To::OneOf(targets) => targets.iter().any(|target| target.is(group, kind)),
            To::Any => true,
        }
    }

    /// Whether these are the fields of its path below an owner, without the steps to items.
    #[must_use]
    pub fn is_at(&self, owner: &[&str], fields: &[&str]) -> bool {
        let path = owner.iter().chain(self.path).filter(|step| **step != EACH);
        path.eq(fields)
    }

    /// Whether a path of fields ends with those of its path below an owner.
    #[must_use]
    pub fn is_end_of(&self, owner: &[&str], fields: &[&str]) -> bool {
        let steps = owner.iter().chain(self.path).filter(|step| **step != EACH).count();
        let start = fields.len().checked_sub(steps);
        start.and_then(|start| fields.get(start..)).is_some_and(|end| self.is_at(owner, end))
    }
}

impl<'o> Found<'o, '_> {
    /// The group and kind of the object.
    #[must_use]
    pub fn group_kind(&self) -> Option<(&'o str, &'o str)> {
        match self.reference.to {
            To::Kind(_) | To::OneOf(_) => self.target().map(|target| (target.group, target.kind)),
            To::Any => {
                let version = self.owner.text_at(&["apiVersion"]);
                let group = version.rsplit_once('/').map_or("", |(group, _)| group);
                Some((group, self.owner.str_at(&["kind"])?))
            }
        }
    }

    /// The kind of the object, unless it can be any.
    #[must_use]
    pub fn target(&self) -> Option<Target> {
        match self.reference.to {
            To::Kind(target) => Some(target),
            To::OneOf(targets) => {
                let kind = self.owner.str_at(&["kind"]);
                targets.iter().copied().find(|target| Some(target.kind) == kind)
            }
            To::Any => None,
        }
    }

    /// The namespace of the object if that of the object with the reference is `own`; empty if it is
    /// cluster-scoped.
    #[must_use]
    pub fn namespace<'n>(&self, own: &'n str) -> &'n str
    where
        'o: 'n,
    {
        if self.target().is_some_and(|target| target.is_cluster_scoped) {
            return "";
        }
        let written = self.reference.namespace.and_then(|field| self.owner.str_at(&[field]));
        written.filter(|namespace| !namespace.is_empty()).unwrap_or(own)
    }

    /// Whether the object may be absent.
    #[must_use]
    pub fn is_optional(&self) -> bool {
        self.owner.is_true("optional")
    }
}

/// Visits the references of an object outside of its Pod template.
pub fn visit_references<'o>(object: &'o Object, visit: Visit<'_, 'o>) {
    let gvk = &object.gvk;
    let references = match gvk.facts() {
        Some(facts) => facts.references,
        None => references_of_kind(&gvk.group, &gvk.kind),
    };
    for References { owners, fields } in references {
        for owner in *owners {
            visit_owner(&object.root, owner, fields, &Path::root(), visit);
        }
    }
}

/// The references of a built-in kind.
fn references_of_kind(group: &str, kind: &str) -> &'static [References] {
    let found = OF_KINDS.iter().find(|of_kind| of_kind.0 == group && of_kind.1 == kind);
    found.map_or(&[], |of_kind| of_kind.2)
}

/// Visits the references of a PodSpec.
pub fn visit_pod_references<'o>(pod: &PodSpec<'o>, visit: Visit<'_, 'o>) {
    visit_pod_fields(pod, visit);
    let root = Path::root();
    let path = root.field(pod.path());
    let volumes = path.field("volumes");
    for (index, volume) in pod.read_volumes() {
        visit_fields(volume, OF_VOLUMES, &volumes.index(index), visit);
    }
    for container in pod.containers() {
        let list = path.field(container.list);
        visit_fields(container.node, OF_CONTAINERS, &list.index(container.index), visit);
    }
}

/// Visits the references of a PodSpec outside of its volumes and containers.
pub fn visit_pod_fields<'o>(pod: &PodSpec<'o>, visit: Visit<'_, 'o>) {
    let root = Path::root();
    let path = root.field(pod.path());
    // The deprecated field only counts without the other (`Convert_v1_PodSpec_To_core_PodSpec`).
    let has_account = pod.spec.get("serviceAccountName").is_some();
    visit_fields(pod.spec, OF_POD_SPECS, &path, &mut |found| {
        if !(has_account && found.field == "serviceAccount") {
            visit(found);
        }
    });
}

fn visit_fields<'o>(
    owner: &'o Node,
    fields: &'static [Reference],
    path: &Path<'_>,
    visit: Visit<'_, 'o>,
) {
    for reference in fields {
        visit_names(owner, reference, reference.path, path, visit);
    }
}

/// Visits the fields of the map at the end of a path.
fn visit_owner<'o>(
    node: &'o Node,
    steps: &[&str],
    fields: &'static [Reference],
    path: &Path<'_>,
    visit: Visit<'_, 'o>,
) {
    let Some((step, rest)) = steps.split_first() else {
        return visit_fields(node, fields, path, visit);
    };
    if let Some(below) = node.get(step) {
        visit_owner(below, rest, fields, &path.field(step), visit);
    }
}

/// Visits the names at the end of a path.
fn visit_names<'o>(
    node: &'o Node,
    reference: &'static Reference,
    steps: &[&'static str],
    path: &Path<'_>,
    visit: Visit<'_, 'o>,
) {
    let found = |name, field| Found { reference, name, owner: node, owner_path: path, field };
    match steps {
        [] => visit(found(node, "")),
        [EACH, rest @ ..] => {
            for (index, item) in node.items().iter().enumerate() {
                visit_names(item, reference, rest, &path.index(index), visit);
            }
        }
        [field] => {
            if let Some(name) = node.get(field) {
                visit(found(name, field));
            }
        }
        [field, rest @ ..] => {
            if let Some(below) = node.get(field) {
                visit_names(below, reference, rest, &path.field(field), visit);
            }
        }
    }
}

#[cfg(test)]
mod tests;
