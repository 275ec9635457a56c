//! `Frame`: what the objects of one definition share. `Lowering`: where they go.

use lean_string::LeanStr;

use super::{Instances, Metadata};
use crate::diag::Sink;
use crate::kube::{Object, SharedKinds};
use crate::schema::Versions;
use crate::source::Span;
use crate::tree::{Layer, Node, Origin};

/// Name, namespace, labels and annotations for the objects of one definition, and the origin of
/// what the compiler puts there on its behalf.
#[derive(Debug)]
pub(crate) struct Frame {
    metadata: Metadata,
    document: Span,
}

impl Frame {
    pub(super) fn new(metadata: Metadata, document: Span) -> Self {
        Self { metadata, document }
    }

    /// The origin of what the managed layer sets; its place is the definition's name.
    pub(crate) fn managed(&self) -> Origin {
        Origin::of_layer(Layer::Managed, self.metadata.name.span())
    }

    /// The definition's name, as a node.
    pub(crate) fn name(&self) -> Node {
        self.metadata.name.clone().into_node()
    }

    /// The definition's namespace; empty where none is given.
    pub(crate) fn namespace(&self) -> &str {
        self.metadata.namespace.as_ref().map_or("", |it| it.as_str())
    }

    /// An empty map of the managed layer.
    pub(crate) fn map(&self) -> Node {
        Node::map(self.managed())
    }

    /// A map of the managed layer with one entry.
    pub(crate) fn map_of(&self, key: &'static str, value: Node) -> Node {
        let mut map = self.map();
        map.set(key, value);
        map
    }

    /// Text of the managed layer.
    pub(crate) fn string(&self, text: &'static str) -> Node {
        Node::string(LeanStr::from_static_str(text), self.managed())
    }

    fn object(
        &self,
        kinds: &SharedKinds,
        api_version: &'static str,
        kind: &'static str,
        spec: Node,
    ) -> Object {
        let Metadata { name, namespace, labels, annotations } = self.metadata.clone();
        let object_name = LeanStr::from(name.as_str());
        let object_namespace = LeanStr::from(self.namespace());
        let mut metadata = self.map();
        metadata.set("name", name.into_node());
        metadata.set_some("namespace", namespace.map(crate::decode::Text::into_node));
        metadata.set_some("labels", labels.map(|it| it.node));
        metadata.set_some("annotations", annotations.map(|it| it.node));

        let mut root = self.map();
        root.set("apiVersion", self.string(api_version));
        root.set("kind", self.string(kind));
        root.set("metadata", metadata);
        root.set("spec", spec);
        Object {
            gvk: kinds.get(api_version, kind),
            name: object_name,
            namespace: object_namespace,
            root,
            document: self.document,
            outline_of: None,
        }
    }
}

/// What a kind's lowering may read, and where its objects and findings go.
#[derive(Debug)]
pub(crate) struct Lowering<'l, 's> {
    /// The versions whose API servers shall accept the objects.
    pub(crate) targets: Versions,
    /// The kinds of the run.
    pub(super) kinds: &'l SharedKinds,
    /// The definitions that others can build on.
    pub(crate) instances: &'l Instances,
    /// Where findings go.
    pub(crate) sink: &'s mut Sink,
    /// The objects so far.
    pub(crate) objects: Vec<Object>,
}

impl Lowering<'_, '_> {
    /// Adds an object with the metadata of the frame to the output.
    pub(crate) fn emit(
        &mut self,
        frame: &Frame,
        api_version: &'static str,
        kind: &'static str,
        spec: Node,
    ) {
        self.objects.push(frame.object(self.kinds, api_version, kind, spec));
    }
}
