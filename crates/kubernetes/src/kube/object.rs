//! `Object`: a tree with a group, version, kind and name.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use lean_string::LeanStr;

use super::KindFacts;
use crate::diag::{Message, brief, message};
use crate::scalar::{SUBDOMAIN_LIMIT, is_same};
use crate::schema;
use crate::source::Span;
use crate::tree::Node;

/// Group, version and kind. The core group is the empty string.
#[derive(Clone)]
pub struct GroupVersionKind {
    /// `apps`; empty for the core group.
    pub group: LeanStr,
    /// `v1`.
    pub version: LeanStr,
    /// `Deployment`.
    pub kind: LeanStr,
    /// The facts of a system about the kind. They follow from group and kind.
    pub(super) facts: Option<&'static KindFacts>,
}

impl GroupVersionKind {
    /// Parses the two fields of an object.
    #[must_use]
    pub fn new(api_version: &str, kind: &str) -> Self {
        let (group, version) = Self::group_and_version(api_version);
        Self { group: group.into(), version: version.into(), kind: kind.into(), facts: None }
    }

    pub(super) fn group_and_version(api_version: &str) -> (&str, &str) {
        api_version.rsplit_once('/').unwrap_or(("", api_version))
    }

    /// The facts of a system about the kind, in a run that knows the system.
    pub const fn facts(&self) -> Option<&'static KindFacts> {
        self.facts
    }

    /// The type of its objects, if it is a built-in kind.
    pub(super) fn definition(&self) -> Option<&'static schema::Object<'static>> {
        // Systems only have facts about custom resources.
        let kind = || schema::store::kind(&self.group, &self.version, &self.kind);
        self.facts.is_none().then(kind)??.definition
    }

    fn parts(&self) -> (&str, &str, &str) {
        (&self.group, &self.version, &self.kind)
    }

    /// `apps`; empty for the core group.
    #[must_use]
    pub fn group(&self) -> &str {
        &self.group
    }

    /// `v1`.
    #[must_use]
    pub fn version(&self) -> &str {
        &self.version
    }

    /// `Deployment`.
    #[must_use]
    pub fn kind(&self) -> &str {
        &self.kind
    }

    /// Whether group and kind are these, in any version.
    #[must_use]
    pub fn is(&self, group: &str, kind: &str) -> bool {
        is_same(&self.kind, kind) && is_same(&self.group, group)
    }

    /// The `apiVersion` field: `apps/v1`, or `v1` for the core group.
    #[must_use]
    pub fn api_version(&self) -> String {
        schema::api_version(&self.group, &self.version)
    }
}

impl PartialEq for GroupVersionKind {
    fn eq(&self, other: &Self) -> bool {
        self.parts() == other.parts()
    }
}

impl Eq for GroupVersionKind {}

impl PartialOrd for GroupVersionKind {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for GroupVersionKind {
    fn cmp(&self, other: &Self) -> Ordering {
        self.parts().cmp(&other.parts())
    }
}

impl Hash for GroupVersionKind {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.parts().hash(state);
    }
}

impl fmt::Debug for GroupVersionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("GroupVersionKind");
        debug.field("group", &self.group).field("version", &self.version);
        debug.field("kind", &self.kind).finish_non_exhaustive()
    }
}

impl fmt::Display for GroupVersionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, Kind={}", self.api_version(), self.kind)
    }
}

/// A Kubernetes object: a manifest of the author, or one that a definition compiled to.
#[derive(Clone, Debug)]
pub struct Object {
    /// Its group, version and kind, which all objects of a kind share.
    pub gvk: Arc<GroupVersionKind>,
    /// `metadata.name`; empty if only `generateName` is set.
    pub name: LeanStr,
    /// `metadata.namespace`; empty if absent.
    pub namespace: LeanStr,
    /// The whole object. `apiVersion` and `kind` agree with `gvk`.
    pub root: Node,
    /// The span of its document, or of the definition that it was compiled from.
    pub document: Span,
}

impl AsRef<Self> for Object {
    fn as_ref(&self) -> &Self {
        self
    }
}

impl Object {
    /// The volume claims that its controller creates: those of a StatefulSet, or of a custom resource of a
    /// system.
    pub fn volume_claim_templates(&self) -> &[Node] {
        let has_claims = self.gvk.is("apps", "StatefulSet")
            || self.gvk.facts().is_some_and(|facts| facts.volume_claims.is_some());
        let claims = self.root.at(&["spec", "volumeClaimTemplates"]).filter(|_| has_claims);
        claims.map_or(&[], Node::items)
    }

    /// Its group, version and kind.
    #[must_use]
    pub fn gvk(&self) -> &GroupVersionKind {
        &self.gvk
    }

    /// `metadata.name`, or an empty string if it is not set.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// `metadata.namespace`; empty if absent.
    #[must_use]
    pub fn namespace(&self) -> &str {
        &self.namespace
    }

    /// Whether the API server can accept the lengths of its name and namespace. Otherwise, controllers
    /// never see it: each child of an object would repeat a name of megabytes.
    pub fn has_short_name(&self) -> bool {
        self.name.len() <= SUBDOMAIN_LIMIT && self.namespace.len() <= SUBDOMAIN_LIMIT
    }

    /// The whole object.
    #[must_use]
    pub const fn root(&self) -> &Node {
        &self.root
    }

    /// The span of its document, or of the definition that it was compiled from.
    #[must_use]
    pub const fn document(&self) -> Span {
        self.document
    }

    /// The span that represents the object in a message: its name, else its `generateName`, else
    /// its kind, else its start.
    #[must_use]
    pub fn name_span(&self) -> Span {
        self.root
            .at(&["metadata", "name"])
            .or_else(|| self.root.at(&["metadata", "generateName"]))
            .or_else(|| self.root.get("kind"))
            .map_or_else(|| self.document.start_point(), Node::span)
    }

    /// Whether it was compiled from a definition, so that a built-in layer set its frame.
    #[must_use]
    pub fn is_compiled(&self) -> bool {
        self.root.get("apiVersion").is_some_and(|node| node.origin().layer().is_some())
    }

    /// The order by namespace and name. Nearly all objects of a run are in few namespaces.
    pub fn compare_names(&self, other: &Self) -> Ordering {
        self.order_of_names(&other.namespace, &other.name)
    }

    /// The order of its namespace and name and these.
    pub(super) fn order_of_names(&self, namespace: &str, name: &str) -> Ordering {
        let namespaces = if is_same(&self.namespace, namespace) {
            Ordering::Equal
        } else {
            self.namespace.as_str().cmp(namespace)
        };
        namespaces.then_with(|| self.name.as_str().cmp(name))
    }

    /// The name for messages: of an object with `generateName`, the prefix and `*`.
    pub fn shown_name(&self) -> LeanStr {
        if !self.name.is_empty() {
            return brief(&self.name).into();
        }
        let prefix = self.root.text_at(&["metadata", "generateName"]);
        format!("{}*", brief(prefix)).into()
    }

    /// The kind and the name for messages: "Pod `a`".
    pub fn title(&self) -> Message {
        message!("{} `{}`", self.gvk.kind, self.shown_name())
    }

    /// `Kind/name`, or only the kind if there is no name.
    #[must_use]
    pub fn describe(&self) -> String {
        if self.name.is_empty() {
            return self.gvk.kind.to_string();
        }
        format!("{}/{}", self.gvk.kind, brief(&self.name))
    }
}
