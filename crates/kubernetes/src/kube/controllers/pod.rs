//! Pods of a Pod template.

use super::Owner;
use crate::tree::Node;

/// A Pod under construction: the template and the additions of its controller.
pub struct Pod {
    labels: Node,
    annotations: Option<Node>,
    pub(super) finalizers: Option<Node>,
    pub(super) spec: Node,
}

impl Pod {
    /// Starts a Pod from a template.
    pub fn of(template: Option<&Node>, owner: Owner<'_>) -> Self {
        let metadata = |key| template.and_then(|it| it.at(&["metadata", key])).cloned();
        let spec = template.and_then(|it| it.get("spec")).cloned();
        Self {
            labels: metadata("labels").unwrap_or_else(|| Node::map(owner.origin())),
            annotations: metadata("annotations"),
            finalizers: metadata("finalizers"),
            spec: spec.unwrap_or_else(|| Node::map(owner.origin())),
        }
    }

    /// Sets a label.
    pub(super) fn label(&mut self, key: &str, value: &str, owner: Owner<'_>) {
        self.labels.set(key, owner.text(value));
    }

    /// Sets an annotation.
    pub(super) fn annotate(&mut self, key: &str, value: &str, owner: Owner<'_>) {
        let annotations = self.annotations.get_or_insert_with(|| Node::map(owner.origin()));
        annotations.set(key, owner.text(value));
    }

    /// The Pod as its controller sends it, with a name or the prefix of a generated name.
    pub fn into_node(
        self,
        owner: Owner<'_>,
        name: Option<&str>,
        generate_name: Option<&str>,
    ) -> Node {
        let Self { labels, annotations, finalizers, spec } = self;
        let (mut root, mut metadata) = owner.head("v1", "Pod", name);
        metadata.set_some("generateName", generate_name.map(|prefix| owner.text(prefix)));
        if !labels.entries().is_empty() {
            metadata.set("labels", labels);
        }
        metadata.set_some("annotations", annotations);
        metadata.set_some("finalizers", finalizers);
        metadata.set("ownerReferences", owner.reference());
        root.set("metadata", metadata);
        root.set("spec", spec);
        root
    }
}
