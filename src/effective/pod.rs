//! Pods of a Pod template, and the common fields of all created objects.

use crate::kube::Object;
use crate::lower::Effects;
use crate::tree::{Layer, Node, Origin};

/// The controller owner of a created object.
#[derive(Clone, Copy)]
pub(super) struct Owner<'o> {
    /// The object of the input that everything is created for.
    pub(super) source: &'o Object,
    pub(super) api_version: &'o str,
    pub(super) kind: &'o str,
    pub(super) name: &'o str,
}

impl<'o> Owner<'o> {
    /// The owner that is an object of the input.
    pub(super) fn of(source: &'o Object, api_version: &'o str) -> Self {
        Self { source, api_version, kind: &source.gvk.kind, name: &source.name }
    }

    /// The origin of values that the controller sets.
    pub(super) fn origin(&self) -> Origin {
        Origin::of_layer(Layer::Managed, self.source.name_span())
    }

    pub(super) fn text(&self, text: &str) -> Node {
        Node::string(text, self.origin())
    }

    /// The first fields of a child: `apiVersion` and `kind`, and its metadata.
    pub(super) fn head(&self, api_version: &str, kind: &str, name: &str) -> (Node, Node) {
        let mut root = Node::map(self.origin());
        root.set("apiVersion", self.text(api_version));
        root.set("kind", self.text(kind));
        let mut metadata = Node::map(self.origin());
        metadata.set("name", self.text(name));
        let namespace = self.source.root.at(&["metadata", "namespace"]).cloned();
        metadata.set_some("namespace", namespace);
        (root, metadata)
    }

    /// `ownerReferences` with this owner as the controller.
    pub(super) fn reference(&self) -> Node {
        let uid = format!("placeholder-uid-of-{}-{}", self.kind.to_lowercase(), self.name);
        let mut owner = Node::map(self.origin());
        owner.set("apiVersion", self.text(self.api_version));
        owner.set("kind", self.text(self.kind));
        owner.set("name", self.text(self.name));
        owner.set("uid", self.text(&uid));
        owner.set("controller", Node::bool(true, self.origin()));
        owner.set("blockOwnerDeletion", Node::bool(true, self.origin()));
        Node::list([owner], self.origin())
    }
}

/// A Pod under construction: the template and the additions of its controller.
pub(super) struct Pod {
    pub(super) labels: Node,
    pub(super) annotations: Option<Node>,
    pub(super) finalizers: Option<Node>,
    pub(super) spec: Node,
}

impl Pod {
    /// Starts a Pod from a template.
    pub(super) fn of(template: Option<&Node>, owner: Owner<'_>) -> Self {
        let metadata = |key| template.and_then(|it| it.at(&["metadata", key])).cloned();
        let spec = template.and_then(|it| it.get("spec")).cloned();
        Self {
            labels: metadata("labels").unwrap_or_else(|| Node::map(owner.origin())),
            annotations: metadata("annotations"),
            finalizers: metadata("finalizers"),
            spec: spec.unwrap_or_else(|| Node::map(owner.origin())),
        }
    }

    /// Sets an annotation.
    pub(super) fn annotate(&mut self, key: &str, value: Node) {
        let origin = value.origin();
        self.annotations.get_or_insert_with(|| Node::map(origin)).set(key, value);
    }

    /// Adds the Pod to the created objects. `generate_name` is the prefix that the controller
    /// sends.
    pub(super) fn emit(
        self,
        owner: Owner<'_>,
        name: &str,
        generate_name: Option<&str>,
        effects: &mut Effects<'_>,
    ) {
        let Self { labels, annotations, finalizers, spec } = self;
        let (mut root, mut metadata) = owner.head("v1", "Pod", name);
        metadata.set_some("generateName", generate_name.map(|it| owner.text(it)));
        if !labels.entries().is_empty() {
            metadata.set("labels", labels);
        }
        metadata.set_some("annotations", annotations);
        metadata.set_some("finalizers", finalizers);
        metadata.set("ownerReferences", owner.reference());
        root.set("metadata", metadata);
        root.set("spec", spec);
        effects.emit(owner.source, "v1", "Pod", root);
    }
}

/// The value of a field such as `replicas`, which defaults to 1.
pub(super) fn count(node: Option<&Node>) -> usize {
    node.and_then(Node::as_i64).map_or(1, |it| usize::try_from(it).unwrap_or(0))
}
